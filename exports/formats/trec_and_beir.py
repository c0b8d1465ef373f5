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

from pagetrail.annotation.tasks.variants import variant_fields
from pagetrail.exports.formats.export_format import GRADES_FROM_GOLD, Format
from pagetrail.exports.formats.vidore import corpus_pages
from pagetrail.exports.gold.page_grades import Query, graded_queries, scoring_rules
from pagetrail.exports.reading.source import Source, WrittenFiles
from pagetrail.exports.writing.file_formats import JsonLines
from pagetrail.exports.writing.page_images import PageKey

TREC_QRELS, TOPICS, DOCUMENTS = "qrels.txt", "topics.tsv", "documents.tsv"
CORPUS, QUERIES, BEIR_QRELS = "corpus.jsonl", "queries.jsonl", "qrels/test.tsv"


def write_trec(source: Source, folder: Path) -> WrittenFiles:
    """Write ``qrels.txt`` with ``qid 0 docid rel``, and tables that explain its ids."""
    tally = WrittenFiles(
        counts={"queries": 0, "qrels": 0, "pages": 0}, choices=scoring_rules(source)
    )
    judged_queries = graded_queries(source, tally)
    lines = [f"{query} 0 {page} {grade}" for query, page, grade in _judgements(judged_queries)]
    topics = [f"{query_id(query)}\t{_one_line(query.text)}" for query in judged_queries]
    page_refs = sorted({page_ref for query in judged_queries for page_ref in query.scores})
    documents = [
        f"{page_id(page_ref)}\t{page_ref[1]}\t{_one_line(page_ref[0])}" for page_ref in page_refs
    ]
    for name, text in ((TREC_QRELS, lines), (TOPICS, topics), (DOCUMENTS, documents)):
        _save(folder / name, text)
        tally.rows[name] = len(text)
    tally.counts = {"queries": len(topics), "qrels": len(lines), "pages": len(documents)}
    return tally


TREC = Format(
    name="trec",
    summary="graded pages as TREC qrels",
    purpose="graded pages for `trec_eval` and `ir_measures`",
    applies_to="graded pages",
    write=write_trec,
    gold=GRADES_FROM_GOLD,
    docs_anchor="trec-and-beir",
)


def write_beir(source: Source, folder: Path) -> WrittenFiles:
    """Write ``corpus.jsonl`` with the pages' texts, ``queries.jsonl`` and ``qrels/test.tsv``."""
    tally = WrittenFiles(
        counts={"queries": 0, "qrels": 0, "corpus": 0}, choices=scoring_rules(source)
    )
    judged_queries = graded_queries(source, tally)
    with JsonLines(folder / CORPUS) as corpus:
        for page_ref in corpus_pages(source, judged_queries):
            document, page = page_ref
            corpus.write(
                {
                    "_id": page_id(page_ref),
                    "title": f"{document}, page {page}",
                    "text": source.pages.text(document, page),
                    "metadata": {"document": document, "page": page},
                }
            )
    with JsonLines(folder / QUERIES) as lines:
        for query in judged_queries:
            task = {"task": query.key, **variant_fields(query.record)}
            lines.write({"_id": query_id(query), "text": query.text, "metadata": task})
    rows = [f"{query}\t{page}\t{grade}" for query, page, grade in _judgements(judged_queries)]
    (folder / "qrels").mkdir()
    _save(folder / BEIR_QRELS, ["query-id\tcorpus-id\tscore", *rows])
    tally.rows = {CORPUS: corpus.rows, QUERIES: lines.rows, BEIR_QRELS: len(rows)}
    tally.counts = {"queries": lines.rows, "qrels": len(rows), "corpus": corpus.rows}
    return tally


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
    """The id of a query, without spaces and tabs."""
    return quote(query.key, safe="")


def page_id(page_ref: PageKey) -> str:
    """The id of a page, without spaces and tabs."""
    return f"{quote(page_ref[0], safe='')}#{page_ref[1]}"


def _judgements(judged_queries: list[Query]) -> Iterator[tuple[str, str, int]]:
    for query in judged_queries:
        for page_ref, score in query.scores.items():
            yield query_id(query), page_id(page_ref), score


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _save(path: Path, lines: list[str]) -> None:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="\n")
