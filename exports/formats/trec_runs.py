"""Searches as TREC runs, and the gold evidence of their tasks as TREC qrels.

Each person or system has a run and qrels of their own, since some evaluators count a query that is
missing from a run as one that found nothing. ``runs/`` has one ranking per task: the pages
that the searches of an attempt showed, in the order in which they were first shown. ``by-query/``
has one ranking per query, whose id is the task's, ``#`` and the number of the query. Scores count
down from the length of a ranking. Ids of tasks and pages are those of ``trec_and_beir``.

Others, such as trec_eval by default, average over the queries of the run. An empty ranking is
therefore a line with the document ``NO-RESULTS``, so that both kinds of evaluator count it as 0.

Looking back at an earlier search is not a query, nor is a refused search.
Source of the layout: trec.nist.gov, ``qid Q0 docid rank score tag`` and ``qid 0 docid rel``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from urllib.parse import quote

from pagetrail.annotation import events as ev
from pagetrail.annotation.tasks.task import read_task
from pagetrail.exports.formats.export_format import COMPARED_WITH_GOLD, Format
from pagetrail.exports.formats.madqa import imported_run
from pagetrail.exports.formats.trec_and_beir import DOCUMENTS, TOPICS, TREC_QRELS, page_id
from pagetrail.exports.gold.adjudicated_gold import GOLD_DROPPED, NOT_DECIDED, decided_records
from pagetrail.exports.gold.gold_checks import dropped_tasks, gold_choice, records_by_gold
from pagetrail.exports.reading.attempts import ReadAttempt, is_guess, submitted_works
from pagetrail.exports.reading.source import Source, WrittenFiles
from pagetrail.exports.writing.file_formats import AppendedLines, encoded_stem
from pagetrail.exports.writing.page_images import PageKey

RUNS, QRELS = "runs", "qrels"
BY_QUERY = "by-query"
QUERIES = f"{BY_QUERY}/queries.tsv"
NO_RESULTS = "NO-RESULTS"
"""The document of an empty ranking; the ids of pages have a ``#``."""

CHOICES = {
    "run": "per task: pages in the order in which the searches of the attempt first showed them",
    "by_query": "per query: the pages that it showed",
    "score": "length of the ranking, less the rank, plus 1",
    "no_results": f"an empty ranking is the document {NO_RESULTS} with the score 0",
    "rel": "1 for the pages of the task's evidence",
}
_GOLD_CHOICES = {"gold": "adjudicated", "rel": "1 for the pages of the evidence decided in review"}


def write(source: Source, folder: Path) -> WrittenFiles:
    """Write the searches of all submitted attempts at tasks with evidence."""
    tally = WrittenFiles(
        counts={
            "runs": 0,
            "topics": 0,
            "queries": 0,
            "qrels": 0,
            "topics_without_results": 0,
            "queries_without_results": 0,
        },
        choices={
            **CHOICES,
            **(_GOLD_CHOICES if source.adjudicated else {}),
            **({"gold": source.checked_gold} if source.checked_gold else {}),
        },
    )
    texts: dict[str, str] = {}
    gold = _gold(source, tally, texts)
    pages_in_files: set[PageKey] = {page for pages in gold.values() for page in pages}
    searchers: set[str] = set()
    files = AppendedLines(folder)
    for attempt in submitted_works(source, tally):
        task, reason = attempt.head.task, _reason_left_out(source, attempt, gold)
        if reason is not None:
            tally.leave_out(*attempt.left_out_for(reason))
            continue
        searches = _queries(attempt, tally)
        rankings = [_pages(search) for search in searches]
        ranking_of_task = list(dict.fromkeys(page for ranking in rankings for page in ranking))
        pages_in_files.update(ranking_of_task)
        searchers.add(attempt.name)
        tag, file = quote(attempt.name, safe=""), f"{encoded_stem(attempt.name)}.txt"
        tally.counts["topics_without_results"] += not ranking_of_task
        files.add(f"{RUNS}/{file}", _run_lines(_id(task), ranking_of_task, tag))
        files.add(f"{QRELS}/{file}", _qrel_lines(_id(task), gold[task]))
        for number, (search, ranking) in enumerate(zip(searches, rankings, strict=True), start=1):
            query = f"{_id(task)}#{number}"
            files.add(f"{BY_QUERY}/{RUNS}/{file}", _run_lines(query, ranking, tag))
            files.add(f"{BY_QUERY}/{QRELS}/{file}", _qrel_lines(query, gold[task]))
            files.add(QUERIES, [f"{query}\t{tag}\t{_one_line(search.query)}"])
            tally.count("queries")
            tally.counts["queries_without_results"] += not ranking
    if searchers:
        files.add(
            TREC_QRELS, (line for task in gold for line in _qrel_lines(_id(task), gold[task]))
        )
        files.add(TOPICS, (f"{_id(task)}\t{_one_line(texts[task])}" for task in gold))
        files.add(
            DOCUMENTS, (f"{page_id(p)}\t{p[1]}\t{_one_line(p[0])}" for p in sorted(pages_in_files))
        )
        tally.counts |= {
            "runs": len(searchers),
            "topics": len(gold),
            "qrels": files.rows[TREC_QRELS],
        }
    tally.rows = files.rows
    return tally


FORMAT = Format(
    name="runs",
    summary="searches as TREC runs, one per person or system, with qrels from the gold evidence",
    purpose="searches as TREC runs, one per person or system, with qrels from the gold evidence, "
    "for `trec_eval` or `ir_measures`",
    applies_to="searches, and tasks with evidence",
    write=write,
    gold=COMPARED_WITH_GOLD,
    docs_anchor="runs-1",
)


def _reason_left_out(
    source: Source, attempt: ReadAttempt, gold: Mapping[str, object]
) -> str | None:
    """Why an attempt is in no run."""
    if not source.campaign.protocol.search.enabled:
        return "no_search_asked"
    if is_guess(attempt.attempt):
        return "without_documents"
    if attempt.head.task not in gold:
        return "no_gold"
    run = imported_run(attempt.attempt)
    return "results_unknown" if run is not None and not run.results_known else None


def _gold(source: Source, tally: WrittenFiles, texts: dict[str, str]) -> dict[str, list[PageKey]]:
    """Task → pages of its evidence, of the tasks that have any; ``texts`` takes the questions."""
    gold: dict[str, list[PageKey]] = {}
    choice = gold_choice(source)
    record_of, dropped = records_by_gold(source, choice), dropped_tasks(source, choice)
    decided = decided_records(source) if source.adjudicated else {}
    for task in source.database.tasks(source.campaign.id):
        try:
            record = read_task(record_of(task.key, task.record))
        except ValueError:
            tally.leave_out("task", "broken_task_record", task.key)
            continue
        if record.evidence:
            gold[task.key] = [page.key for page in record.evidence]
            texts[task.key] = record.question
        else:
            undecided = source.adjudicated and task.key not in decided
            reason = NOT_DECIDED if undecided else "no_gold"
            tally.leave_out("task", GOLD_DROPPED if task.key in dropped else reason, task.key)
    return gold


def _queries(attempt: ReadAttempt, tally: WrittenFiles) -> list[ev.Searched]:
    """The searches that are queries; the others are counted."""
    payloads = [event.payload for event in attempt.attempt.events]
    searches = [payload for payload in payloads if isinstance(payload, ev.Searched)]
    queries = [search for search in searches if search.looks_back_at is None]
    refused = sum(isinstance(payload, ev.SearchRefused) for payload in payloads)
    tally.leave_out("search", "refused", n=refused)
    tally.leave_out("search", "looked_back", n=len(searches) - len(queries))
    return queries


def _pages(search: ev.Searched) -> list[PageKey]:
    return list(dict.fromkeys((hit.file, hit.page) for hit in search.results))


def _run_lines(query: str, pages: Sequence[PageKey], tag: str) -> Iterable[str]:
    """The lines of a ranking; for an empty one, a line that no evaluator takes as relevant."""
    if not pages:
        yield f"{query} Q0 {NO_RESULTS} 1 0 {tag}"
    for rank, page in enumerate(pages, start=1):
        yield f"{query} Q0 {page_id(page)} {rank} {len(pages) - rank + 1} {tag}"


def _qrel_lines(query: str, pages: Iterable[PageKey]) -> Iterable[str]:
    return (f"{query} 0 {page_id(page)} 1" for page in pages)


def _id(task: str) -> str:
    return quote(task, safe="")


def _one_line(text: str) -> str:
    return " ".join(text.split())
