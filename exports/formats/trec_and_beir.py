"""Graded pages for retrieval evaluators: TREC qrels, and the BEIR layout.

In both a page's id is the document's name, percent-encoded where it is not letters, digits or
``-_.~``, then ``#`` and the page, counted from 1; a query's id is its task's, encoded alike. Both
list every judged page, those scored 0 as well. Scores follow the rule in
``exports.gold.page_grades``, or are the grades of the gold decided in review; a page that the rule
leaves open is not judged.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

from pagetrail.exports.formats.export_format import GRADES_FROM_GOLD, Format
from pagetrail.exports.formats.vidore import corpus_pages
from pagetrail.exports.gold.page_grades import Query, queries, rules
from pagetrail.exports.reading.source import Source, Written
from pagetrail.exports.writing.file_formats import JsonLines
from pagetrail.exports.writing.page_images import Place

TREC_QRELS, TOPICS, DOCUMENTS = "qrels.txt", "topics.tsv", "documents.tsv"
CORPUS, QUERIES, BEIR_QRELS = "corpus.jsonl", "queries.jsonl", "qrels/test.tsv"


def write_trec(source: Source, folder: Path) -> Written:
    """``qrels.txt`` with ``qid 0 docid rel``, and what its ids stand for as tables."""
    written = Written(counts={"queries": 0, "qrels": 0, "pages": 0}, choices=rules(source))
    judged = queries(source, written)
    lines = [f"{query} 0 {page} {grade}" for query, page, grade in _judgements(judged)]
    topics = [f"{query_id(query)}\t{_one_line(query.text)}" for query in judged]
    places = sorted({place for query in judged for place in query.scores})
    documents = [f"{page_id(place)}\t{place[1]}\t{_one_line(place[0])}" for place in places]
    for name, text in ((TREC_QRELS, lines), (TOPICS, topics), (DOCUMENTS, documents)):
        _save(folder / name, text)
        written.rows[name] = len(text)
    written.counts = {"queries": len(topics), "qrels": len(lines), "pages": len(documents)}
    return written


TREC = Format(
    name="trec",
    summary="graded pages as TREC qrels",
    purpose="graded pages for `trec_eval` and `ir_measures`",
    applies_to="graded pages",
    write=write_trec,
    gold=GRADES_FROM_GOLD,
    docs_anchor="trec-and-beir",
)


def write_beir(source: Source, folder: Path) -> Written:
    """``corpus.jsonl`` with the pages' texts, ``queries.jsonl`` and ``qrels/test.tsv``."""
    written = Written(counts={"queries": 0, "qrels": 0, "corpus": 0}, choices=rules(source))
    judged = queries(source, written)
    with JsonLines(folder / CORPUS) as corpus:
        for place in corpus_pages(source, judged):
            document, page = place
            corpus.write(
                {
                    "_id": page_id(place),
                    "title": f"{document}, page {page}",
                    "text": source.pages.text(document, page),
                    "metadata": {"document": document, "page": page},
                }
            )
    with JsonLines(folder / QUERIES) as lines:
        for query in judged:
            task = {"task": query.key}
            lines.write({"_id": query_id(query), "text": query.text, "metadata": task})
    rows = [f"{query}\t{page}\t{grade}" for query, page, grade in _judgements(judged)]
    (folder / "qrels").mkdir()
    _save(folder / BEIR_QRELS, ["query-id\tcorpus-id\tscore", *rows])
    written.rows = {CORPUS: corpus.rows, QUERIES: lines.rows, BEIR_QRELS: len(rows)}
    written.counts = {"queries": lines.rows, "qrels": len(rows), "corpus": corpus.rows}
    return written


BEIR = Format(
    name="beir",
    summary="graded pages in the BEIR layout",
    purpose="graded pages and the texts of pages, for retrieval",
    applies_to="graded pages",
    write=write_beir,
    gold=GRADES_FROM_GOLD,
    docs_anchor="trec-and-beir",
)


def query_id(query: Query) -> str:
    """The id of a query: no space and no tab in it."""
    return quote(query.key, safe="")


def page_id(place: Place) -> str:
    """The id of a page: no space and no tab in it."""
    return f"{quote(place[0], safe='')}#{place[1]}"


def _judgements(judged: list[Query]) -> Iterator[tuple[str, str, int]]:
    for query in judged:
        for place, score in query.scores.items():
            yield query_id(query), page_id(place), score


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _save(path: Path, lines: list[str]) -> None:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="\n")
