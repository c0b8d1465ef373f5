"""The reviewers' fields for each task, and where they disagree.

``reviews.jsonl`` has one row per task and annotator with all fields, those of source pages by page;
``decisions.jsonl`` one row per task with the votes on each field and page, the majority (more than
half of those who voted; null where no value has it), and whether a senior reviewer is needed
because annotators disagree anywhere. Fields of boxes, tables, texts and numbers are not voted on.

The first to submit a task after as many people as the campaign's overlap decides (UniDoc-Bench,
appendix C: a fourth, senior reviewer if three disagree). A vote on which they differ then has that
reviewer's value as ``decided``, and the task has ``decided_by``; a senior is needed for the rest.
With an overlap of one there is nobody to decide between.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from pagetrail.annotation.attempts.forms import TASK, Target
from pagetrail.annotation.events import Submitted
from pagetrail.annotation.protocols.fields import FieldSpec, Value
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.exports.formats.export_format import Format
from pagetrail.exports.reading.attempts import Work, by_people
from pagetrail.exports.reading.source import Source, Written
from pagetrail.exports.reading.values import as_text, plain
from pagetrail.exports.writing.file_formats import JsonLines

REVIEWS, DECISIONS = "reviews.jsonl", "decisions.jsonl"
VOTED = ("choice", "ordinal", "boolean", "multi")


def write(source: Source, folder: Path) -> Written:
    """Write the reviews of all submitted attempts."""
    written = Written(counts={"reviews": 0, "tasks": 0, "disagreements": 0, "needs_senior": 0})
    written.choices = {
        "majority": "more than half of those who voted",
        "needs_senior": "a field or page on which annotators gave different values, and which "
        "nobody decided who handed in after the campaign's overlap was filled",
    }
    protocol = source.campaign.protocol
    with JsonLines(folder / REVIEWS) as reviews, JsonLines(folder / DECISIONS) as decisions:
        for works in reviews_by_task(source, written):
            for work in works:
                reviews.write(_review(protocol, work))
            decision = decision_of(protocol, works)
            decisions.write(decision)
            written.count("disagreements", decision["disagreements"])
            written.count("needs_senior", int(decision["needs_senior"]))
        written.rows = {REVIEWS: reviews.rows, DECISIONS: decisions.rows}
    written.counts |= {"reviews": reviews.rows, "tasks": decisions.rows}
    return written


FORMAT = Format(
    name="reviews",
    summary="what reviewers said of each task, majorities and disagreements",
    purpose="votes, majorities and disagreements per task",
    applies_to="fields that are voted on",
    write=write,
)


def reviews_by_task(source: Source, written: Written) -> Iterator[list[Work]]:
    """The submitted reviews, task by task."""
    for _, group in groupby(_works(source, written), key=lambda work: work.head.task):
        yield list(group)


def _works(source: Source, written: Written) -> Iterator[Work]:
    """The submitted attempts; those of one task follow each other."""
    for work in by_people(source, written):
        if work.form.protocol.fields:
            yield work
        else:
            written.leave_out("attempt", "no_fields", work.head.id)


def _review(protocol: Protocol, work: Work) -> dict[str, Any]:
    return {
        "task": work.head.task,
        "question": work.head.record.get("question"),
        "response": work.head.record.get("response"),
        "annotator": work.name,
        "attempt": work.head.id,
        "outcome": work.state.outcome,
        "fields": {spec.name: plain(work.form.value(spec)) for spec in _specs(protocol, "task")},
        "codes": {
            spec.name: option.code
            for spec in _specs(protocol, "task")
            if (option := spec.option(work.form.value(spec))) and option.code is not None
        },
        "pages": [
            {
                "document": document,
                "page": page,
                "fields": {
                    spec.name: plain(work.form.value(spec, Target(document, page)))
                    for spec in _specs(protocol, "page")
                },
            }
            for document, page in work.form.pages()
        ],
        "note": work.state.note,
        "flag": work.state.flag,
        "submitted_at": work.submitted_at,
    }


def _specs(protocol: Protocol, scope: str) -> list[FieldSpec]:
    return [s for s in protocol.fields if s.scope == scope and s.kind != "records"]


def decision_of(protocol: Protocol, works: Sequence[Work]) -> dict[str, Any]:
    """A row of ``decisions.jsonl``."""
    places = list(dict.fromkeys(place for work in works for place in work.form.pages()))
    senior = _senior(protocol, works)

    def votes(spec: FieldSpec, target: Target = TASK) -> dict[str, Any]:
        found = _votes([work.form.value(spec, target) for work in works])
        if senior is not None and found["agreed"] is False:
            found["decided"] = _vote(senior.form.value(spec, target))
        return found

    fields = {s.name: votes(s) for s in _specs(protocol, "task") if s.kind in VOTED}
    pages: list[dict[str, Any]] = [
        {
            "document": document,
            "page": page,
            "fields": {
                spec.name: votes(spec, Target(document, page))
                for spec in _specs(protocol, "page")
                if spec.kind in VOTED
            },
        }
        for document, page in places
    ]
    cast = [*fields.values(), *(vote for page in pages for vote in page["fields"].values())]
    differing = [vote for vote in cast if vote["agreed"] is False]
    decision: dict[str, Any] = {
        "task": works[0].head.task,
        "question": works[0].head.record.get("question"),
        "annotators": [work.name for work in works],
        "wanted": protocol.overlap,
        "fields": fields,
        "pages": pages,
        "disagreements": len(differing),
        "needs_senior": any(vote.get("decided") is None for vote in differing),
    }
    if senior is not None:
        decision["decided_by"] = senior.name
    return decision


def _senior(protocol: Protocol, works: Sequence[Work]) -> Work | None:
    """The first to submit after the overlap was filled; None if nobody did.

    Each person's first submission counts: changing an answer later does not make one the senior.
    """
    if protocol.overlap < 2 or len(works) <= protocol.overlap:
        return None
    return sorted(works, key=_first_handed_in)[protocol.overlap]


def _first_handed_in(work: Work) -> str:
    return next(e.server_ts for e in work.attempt.events if isinstance(e.payload, Submitted))


def _votes(values: Sequence[Value]) -> dict[str, Any]:
    """The votes on one thing; annotators of whom it was not asked have none.

    ``agreed`` is null where fewer than two have voted.
    """
    counts = Counter(vote for value in values if (vote := _vote(value)) is not None)
    total = sum(counts.values())
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return {
        "votes": dict(ranked),
        "majority": ranked[0][0] if ranked and 2 * ranked[0][1] > total else None,
        "agreed": len(counts) == 1 if total >= 2 else None,
    }


def _vote(value: Value) -> str | None:
    """A value as votes are counted: several options as one, whatever their order."""
    if value is None:
        return None
    return "; ".join(sorted(value)) if isinstance(value, tuple) else as_text(value)
