"""Submitted attempts as tasks of the preset ``trajectory``: their steps, for people to judge.

``tasks.jsonl`` has one row per attempt of a person or a system, ``<task>#1``, ``#2``, …, numbered
as predictions are, so that a number tells nobody who made it. ``prediction.system`` names who did,
for the judgements; no annotator's browser gets it. The pages of a task are those that the attempt
opened, found or cited, and the gold ones, as far as the collection has them. With
``Source.undecided`` there are only answers that no number and no exact match decides; their tasks
also suit the preset ``judge``, so those without steps are kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from pagetrail.annotation import events as ev
from pagetrail.annotation.answers.decision import decide_answer
from pagetrail.annotation.answers.item_decision import Tolerance
from pagetrail.annotation.events.phrases import page_name, quoted
from pagetrail.annotation.tasks.blinding import numbered
from pagetrail.annotation.tasks.task import language_of
from pagetrail.exports.formats.export_format import Format
from pagetrail.exports.reading.attempts import Work, submitted
from pagetrail.exports.reading.source import Source, Written
from pagetrail.exports.writing.file_formats import JsonLines

FILE = "tasks.jsonl"
KEPT = ("question", "answer_variants", "evidence", "unanswerable", "domain", "document_category")
"""What a judge needs of the task that was worked on."""

_RESULTS_NAMED = 10
_SEED = 0


def write(source: Source, folder: Path) -> Written:
    """Write a task for each submitted attempt that took steps."""
    written = Written(counts={"tasks": 0, "steps": 0})
    with JsonLines(folder / FILE) as lines:
        for row in trajectory_tasks(source, written):
            lines.write(row)
            written.count("steps", len(row["steps"]))
        written.rows[FILE] = lines.rows
    written.counts["tasks"] = lines.rows
    return written


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


def trajectory_tasks(source: Source, written: Written) -> Iterator[dict[str, Any]]:
    """The rows of the file, in the order of the campaign."""
    for task, group in groupby(submitted(source, written), key=lambda work: work.head.task):
        made = {}
        for work in group:
            if source.undecided and not needs_judgement(work):
                written.leave_out("attempt", "decided", work.head.id)
                continue
            row = _row(source, work)
            if source.undecided or (row["steps"] and row["candidates"]):
                made[work.name] = row
            else:
                written.leave_out("attempt", "nothing_to_judge", work.head.id)
        keys = numbered(task, made, _SEED)
        for name in sorted(made, key=lambda name: keys[name]):
            yield {"id": keys[name], **made[name]}


def needs_judgement(work: Work) -> bool:
    """Whether the rule leaves an answer undecided, or only its letters (ANLS*) decide it."""
    record = work.head.record
    if record.get("unanswerable") or not work.submission.answer:
        return False
    decision = decide_answer(
        work.submission.answer,
        record.get("answer_variants") or [],
        language_of(record),
        Tolerance.of(work.form.protocol.answer),
    )
    return decision is not None and (
        decision.verdict == "undecided" or decision.decided_by == "anls_star"
    )


def _row(source: Source, work: Work) -> dict[str, Any]:
    record, events = work.head.record, work.attempt.events
    pages: list[tuple[str, int]] = []
    for payload in (event.payload for event in events):
        if isinstance(payload, ev.PageViewed):
            pages.append((payload.document, payload.page))
        elif isinstance(payload, ev.Searched):
            pages += [(hit.file, hit.page) for hit in payload.results]
    pages += [(cited.document, cited.page) for cited in work.state.citations]
    pages += [(str(ref["document"]), int(ref["page"])) for ref in record.get("evidence") or ()]
    return {
        **{name: record[name] for name in KEPT if record.get(name) is not None},
        "candidates": [
            {"document": d, "page": p} for d, p in dict.fromkeys(pages) if source.pages.size(d, p)
        ],
        "prediction": {"system": work.name, "answer": list(work.submission.answer)},
        "steps": [{"what": what} for what in _steps(events)],
    }


def _steps(events: Sequence[ev.Event]) -> Iterator[str]:
    """What was done, in words; pages read one after another are one step."""
    reading: list[ev.PageViewed] = []
    for event in events:
        payload = event.payload
        if isinstance(payload, ev.PageViewed):
            if payload.via == "restored":
                continue
            if reading and reading[-1].document != payload.document:
                yield _read(reading)
                reading = []
            reading.append(payload)
            continue
        said = _said(payload)
        if said is None:
            continue
        if reading:
            yield _read(reading)
            reading = []
        yield said
    if reading:
        yield _read(reading)


def _read(pages: Sequence[ev.PageViewed]) -> str:
    numbers = list(dict.fromkeys(page.page for page in pages))
    if len(numbers) == 1:
        return f"Read {page_name(pages[0].document, numbers[0])}"
    return f"Read {pages[0].document} pages {', '.join(map(str, numbers))}"


def _said(payload: ev.Payload) -> str | None:
    """A step that is no page; None for what is none, such as typing and clocks."""
    match payload:
        case ev.Searched():
            hits = payload.results[:_RESULTS_NAMED]
            found = "; ".join(f"{hit.rank}. {page_name(hit.file, hit.page)}" for hit in hits)
            more = len(payload.results) - len(hits)
            rest = f"; {more} more" if more else ""
            return f"{payload.sentence()}\n{found}{rest}" if found else payload.sentence()
        case ev.SearchRefused() | ev.CitationAdded() | ev.CitationRemoved() | ev.AgentStep():
            return payload.sentence()
        case ev.Submitted() | ev.Reopened():
            return payload.sentence()
        case ev.AnswerEdited() if payload.text.strip():
            return f"Wrote as the answer {quoted(payload.text)}"
        case _:
            return None
