"""Submitted attempts as tasks of the preset ``trajectory``: their steps, for people to judge.

``tasks.jsonl`` has one row per attempt of a person or a system, ``<task>#1``, ``#2``, …, numbered
like predictions, so that numbers do not reveal who made an attempt. ``prediction.system`` names
them for the judgements; annotators' browsers do not get it. The pages of a task are those that the
attempt opened, found or cited, and the gold pages, as far as the collection has them. With
``Source.undecided`` there are only answers that the rule leaves undecided; their tasks
also suit the preset ``judge``, so those without steps are kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from pagetrail.annotation import events as ev
from pagetrail.annotation.answers.decision import decide_answer
from pagetrail.annotation.events.phrases import page_name, quoted
from pagetrail.annotation.tasks.blind_judging import blind_keys
from pagetrail.annotation.tasks.task import question_of
from pagetrail.exports.formats.export_format import Format
from pagetrail.exports.reading.attempts import ReadAttempt, submitted_works
from pagetrail.exports.reading.source import Source, WrittenFiles
from pagetrail.exports.writing.file_formats import JsonLines

FILE = "tasks.jsonl"
TASK_FIELDS = (
    "question",
    "answer_variants",
    "evidence",
    "unanswerable",
    "domain",
    "document_category",
)
"""Fields of the original task that a judge needs."""

_RESULTS_NAMED = 10


def write(source: Source, folder: Path) -> WrittenFiles:
    """Write a task for each submitted attempt that took steps."""
    tally = WrittenFiles(counts={"tasks": 0, "steps": 0})
    with JsonLines(folder / FILE) as lines:
        for row in trajectory_tasks(source, tally):
            lines.write(row)
            tally.count("steps", len(row["steps"]))
        tally.rows[FILE] = lines.rows
    tally.counts["tasks"] = lines.rows
    return tally


FORMAT = Format(
    name="trajectory-tasks",
    summary="submitted attempts as tasks, for people to judge step by step; --undecided for the "
    "answers that people should judge",
    purpose="submitted attempts as tasks for people who [judge "
    "trajectories](protocols.md#judging-trajectories)",
    applies_to="attempts with steps",
    write=write,
    options=frozenset({"undecided"}),
)


def trajectory_tasks(source: Source, tally: WrittenFiles) -> Iterator[dict[str, Any]]:
    """The rows of the file, in the order of the campaign."""
    for task, group in groupby(
        submitted_works(source, tally), key=lambda attempt: attempt.head.task
    ):
        rows = {}
        for attempt in group:
            if source.undecided and not needs_judgement(attempt):
                tally.leave_out("attempt", "decided", attempt.head.id)
                continue
            row = judging_record(source, attempt)
            if source.undecided or (row["steps"] and row["candidates"]):
                rows[attempt.name] = row
            else:
                tally.leave_out("attempt", "nothing_to_judge", attempt.head.id)
        keys = blind_keys(task, rows, source.database.secret())
        for name in sorted(rows, key=lambda name: keys[name]):
            yield {"id": keys[name], **rows[name]}


def needs_judgement(attempt: ReadAttempt) -> bool:
    """Whether the rule leaves an answer undecided."""
    record = attempt.head.record
    if record.get("unanswerable") or not attempt.submission.answer:
        return False
    decision = decide_answer(
        attempt.submission.answer,
        record.get("answer_variants") or [],
        question_of(record, attempt.form.protocol.answer),
    )
    return decision is not None and decision.verdict == "undecided"


def judging_record(source: Source, attempt: ReadAttempt) -> dict[str, Any]:
    """The record, without its id, of a task in which people judge an attempt."""
    record, events = attempt.head.record, attempt.attempt.events
    pages: list[tuple[str, int]] = []
    for payload in (event.payload for event in events):
        if isinstance(payload, ev.PageViewed):
            pages.append((payload.document, payload.page))
        elif isinstance(payload, ev.Searched):
            pages += [(hit.file, hit.page) for hit in payload.results]
    pages += [(cited.document, cited.page) for cited in attempt.state.citations]
    pages += [(str(ref["document"]), int(ref["page"])) for ref in record.get("evidence") or ()]
    return {
        **{name: record[name] for name in TASK_FIELDS if record.get(name) is not None},
        "candidates": [
            {"document": d, "page": p} for d, p in dict.fromkeys(pages) if source.pages.size(d, p)
        ],
        "prediction": {"system": attempt.name, "answer": list(attempt.submission.answer)},
        "steps": [{"what": step} for step in _steps(events)],
    }


def _steps(events: Sequence[ev.Event]) -> Iterator[str]:
    """The steps in words; consecutive pages of a document are one step."""
    page_views: list[ev.PageViewed] = []
    for event in events:
        payload = event.payload
        if isinstance(payload, ev.PageViewed):
            if payload.via == "restored":
                continue
            if page_views and page_views[-1].document != payload.document:
                yield _reading_step(page_views)
                page_views = []
            page_views.append(payload)
            continue
        sentence = _step_sentence(payload)
        if sentence is None:
            continue
        if page_views:
            yield _reading_step(page_views)
            page_views = []
        yield sentence
    if page_views:
        yield _reading_step(page_views)


def _reading_step(pages: Sequence[ev.PageViewed]) -> str:
    numbers = list(dict.fromkeys(page.page for page in pages))
    if len(numbers) == 1:
        return f"Read {page_name(pages[0].document, numbers[0])}"
    return f"Read {pages[0].document} pages {', '.join(map(str, numbers))}"


def _step_sentence(payload: ev.Payload) -> str | None:
    """A step other than reading a page; None for events that are not steps, such as typing."""
    match payload:
        case ev.Searched():
            hits = payload.results[:_RESULTS_NAMED]
            hit_list = "; ".join(f"{hit.rank}. {page_name(hit.file, hit.page)}" for hit in hits)
            more = len(payload.results) - len(hits)
            remainder = f"; {more} more" if more else ""
            return (
                f"{payload.sentence()}\n{hit_list}{remainder}" if hit_list else payload.sentence()
            )
        case ev.SearchRefused() | ev.CitationAdded() | ev.CitationRemoved() | ev.AgentStep():
            return payload.sentence()
        case ev.Submitted() | ev.Reopened():
            return payload.sentence()
        case ev.AnswerEdited() if payload.text.strip():
            return f"Wrote as the answer {quoted(payload.text)}"
        case _:
            return None
