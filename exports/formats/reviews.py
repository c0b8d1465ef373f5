"""The reviewers' votes on each task, with majorities and disagreements.

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
from pagetrail.exports.reading.attempts import ReadAttempt, works_by_people
from pagetrail.exports.reading.source import Source, WrittenFiles
from pagetrail.exports.reading.values import as_text, json_value
from pagetrail.exports.writing.file_formats import JsonLines

REVIEWS, DECISIONS = "reviews.jsonl", "decisions.jsonl"


def write(source: Source, folder: Path) -> WrittenFiles:
    """Write the reviews of all submitted attempts."""
    tally = WrittenFiles(counts={"reviews": 0, "tasks": 0, "disagreements": 0, "needs_senior": 0})
    tally.choices = {
        "majority": "more than half of those who voted",
        "needs_senior": "a field or page on which annotators gave different values, and which "
        "nobody decided who handed in after the campaign's overlap was filled",
    }
    protocol = source.campaign.protocol
    with JsonLines(folder / REVIEWS) as reviews, JsonLines(folder / DECISIONS) as decisions:
        for attempts in reviews_by_task(source, tally):
            for attempt in attempts:
                reviews.write(_review(protocol, attempt))
            decision = decision_of(protocol, attempts)
            decisions.write(decision)
            tally.count("disagreements", decision["disagreements"])
            tally.count("needs_senior", int(decision["needs_senior"]))
        tally.rows = {REVIEWS: reviews.rows, DECISIONS: decisions.rows}
    tally.counts |= {"reviews": reviews.rows, "tasks": decisions.rows}
    return tally


FORMAT = Format(
    name="reviews",
    summary="what reviewers said of each task, majorities and disagreements",
    purpose="votes, majorities and disagreements per task",
    applies_to="fields that are voted on",
    write=write,
)


def is_voted_on(spec: FieldSpec) -> bool:
    """Whether its values are categories, so that votes can be counted."""
    scale = spec.rules.rating_scale(spec)
    return bool(spec.options) or (scale is not None and bool(scale.categories))


def reviews_by_task(source: Source, tally: WrittenFiles) -> Iterator[list[ReadAttempt]]:
    """The submitted reviews, task by task."""
    for _, group in groupby(_reviews(source, tally), key=lambda attempt: attempt.head.task):
        yield list(group)


def _reviews(source: Source, tally: WrittenFiles) -> Iterator[ReadAttempt]:
    """The submitted attempts, grouped by task."""
    for attempt in works_by_people(source, tally):
        if attempt.form.protocol.fields:
            yield attempt
        else:
            tally.leave_out("attempt", "no_fields", attempt.head.id)


def _review(protocol: Protocol, attempt: ReadAttempt) -> dict[str, Any]:
    return {
        "task": attempt.head.task,
        "question": attempt.head.record.get("question"),
        "response": attempt.head.record.get("response"),
        "annotator": attempt.name,
        "attempt": attempt.head.id,
        "outcome": attempt.state.outcome,
        "fields": {
            spec.name: json_value(attempt.form.value(spec)) for spec in _specs(protocol, "task")
        },
        "codes": {
            spec.name: option.code
            for spec in _specs(protocol, "task")
            if (option := spec.option(attempt.form.value(spec))) and option.code is not None
        },
        "pages": [
            {
                "document": document,
                "page": page,
                "fields": {
                    spec.name: json_value(attempt.form.value(spec, Target(document, page)))
                    for spec in _specs(protocol, "page")
                },
            }
            for document, page in attempt.form.pages()
        ],
        "note": attempt.state.note,
        "flag": attempt.state.flag,
        "submitted_at": attempt.submitted_at,
    }


def _specs(protocol: Protocol, scope: str) -> list[FieldSpec]:
    return [s for s in protocol.fields if s.scope == scope and s.kind != "records"]


def decision_of(protocol: Protocol, attempts: Sequence[ReadAttempt]) -> dict[str, Any]:
    """A row of ``decisions.jsonl``."""
    page_refs = list(
        dict.fromkeys(page_ref for attempt in attempts for page_ref in attempt.form.pages())
    )
    senior = _senior(protocol, attempts)

    def votes(spec: FieldSpec, target: Target = TASK) -> dict[str, Any]:
        counted_votes = _votes([attempt.form.value(spec, target) for attempt in attempts])
        if senior is not None and counted_votes["agreed"] is False:
            counted_votes["decided"] = _vote(senior.form.value(spec, target))
        return counted_votes

    fields = {s.name: votes(s) for s in _specs(protocol, "task") if is_voted_on(s)}
    pages: list[dict[str, Any]] = [
        {
            "document": document,
            "page": page,
            "fields": {
                spec.name: votes(spec, Target(document, page))
                for spec in _specs(protocol, "page")
                if is_voted_on(spec)
            },
        }
        for document, page in page_refs
    ]
    cast = [*fields.values(), *(vote for page in pages for vote in page["fields"].values())]
    differing = [vote for vote in cast if vote["agreed"] is False]
    decision: dict[str, Any] = {
        "task": attempts[0].head.task,
        "question": attempts[0].head.record.get("question"),
        "annotators": [attempt.name for attempt in attempts],
        "wanted": protocol.overlap,
        "fields": fields,
        "pages": pages,
        "disagreements": len(differing),
        "needs_senior": any(vote.get("decided") is None for vote in differing),
    }
    if senior is not None:
        decision["decided_by"] = senior.name
    return decision


def _senior(protocol: Protocol, attempts: Sequence[ReadAttempt]) -> ReadAttempt | None:
    """The first to submit after the overlap was filled; None if nobody did.

    Each person's first submission counts: changing an answer later does not make one the senior.
    """
    if protocol.overlap < 2 or len(attempts) <= protocol.overlap:
        return None
    return sorted(attempts, key=_first_submitted_at)[protocol.overlap]


def _first_submitted_at(attempt: ReadAttempt) -> str:
    return next(e.server_ts for e in attempt.attempt.events if isinstance(e.payload, Submitted))


def _votes(values: Sequence[Value]) -> dict[str, Any]:
    """The votes on one field; annotators who were not asked have none.

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
    """A value as one vote; several options in any order are one vote."""
    if value is None:
        return None
    return "; ".join(sorted(value)) if isinstance(value, tuple) else as_text(value)
