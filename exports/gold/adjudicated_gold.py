"""Gold that was decided in review, as exports and reports read it.

A task's gold is the last version decided by a reviewer or accepted automatically; a reopened one
stays until there is another. Read as a ``Work`` it has the shape of a person's attempt, so that a
format made for people's work can be written from gold instead.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pydantic import TypeAdapter

from pagetrail.annotation import events as ev
from pagetrail.annotation.answers.answer_matching import answer_agreement
from pagetrail.annotation.attempts.forms import TASK, Form
from pagetrail.annotation.attempts.review_state import Review
from pagetrail.annotation.attempts.state import AttemptState, apply
from pagetrail.annotation.attempts.submission import Submission
from pagetrail.annotation.errors import PagetrailError
from pagetrail.annotation.tasks.gold import gold_of
from pagetrail.annotation.tasks.task import OLDER_NAMES, given_pages
from pagetrail.exports.reading.attempts import CountedAttempt, Work, by_people
from pagetrail.exports.reading.source import Source, Written
from pagetrail.exports.reading.task_results import TaskComputation, task_results
from pagetrail.exports.reading.values import plain
from pagetrail.storage.snapshot.rows import AttemptEvents

NAME = "gold"
"""The name of gold where a format names an annotator."""

NOT_DECIDED = "no_adjudicated_gold"
"""Why a task is left out that has none."""

PARTS = ("answer_variants", "unanswerable", "evidence", "gold")
"""The parts of a task's record that are gold."""
RecordOf = Callable[[str, dict[str, Any]], dict[str, Any]]
_RECORDS = TypeAdapter(list[dict[str, Any] | None])
_NAMES = {
    *PARTS,
    *(old for old, new in OLDER_NAMES.items() if new in PARTS),
    "evidence_left_out",
}


@dataclass(frozen=True)
class Version:
    """One version of a task's gold.

    Attributes:
        form: the protocol's questions over the gold as it was decided.
        event: the decision.
    """

    form: Form
    event: ev.Event

    @property
    def review(self) -> Review:
        """What the decision rests on."""
        return self.form.state.review or Review()


def versions(source: Source, stream: AttemptEvents) -> Iterator[Version]:
    """The versions of a task's gold, the first one first, without decisions that were undone."""
    given = given_pages(source.campaign.protocol.pages, stream.head.record)
    undone = _undone(stream.events)
    state = AttemptState()
    for event in stream.events:
        state = apply(state, event)
        if isinstance(event.payload, ev.Adjudicated) and event.seq not in undone:
            yield Version(Form(source.campaign.protocol, state, given), event)


def last_version(source: Source, stream: AttemptEvents) -> Version | None:
    """The version that counts; None where nothing was decided yet."""
    found = list(versions(source, stream))
    return found[-1] if found else None


def taken_up_again(events: Iterable[ev.Event]) -> bool:
    """Whether a new version has been started and not decided."""
    listed = list(events)
    undone = _undone(listed)
    kinds = [
        e.payload
        for e in listed
        if isinstance(e.payload, ev.Adjudicated | ev.GoldReopened) and e.seq not in undone
    ]
    return bool(kinds) and isinstance(kinds[-1], ev.GoldReopened)


def _undone(events: Iterable[ev.Event]) -> set[int]:
    """The events of decisions that were undone."""
    return {e.payload.decision for e in events if isinstance(e.payload, ev.DecisionUndone)}


def gold_parts(form: Form, record: Mapping[str, Any]) -> dict[str, Any]:
    """What the gold says, in the schema of tasks: the parts that the protocol asks for.

    Args:
        form: over the gold as it was decided.
        record: the task's. Where an answer of the gold says what one of its accepted answers says,
            all of those stay, and what the gold accepts beside them comes after them; otherwise
            the gold's take their place.
    """
    found: dict[str, Any] = {}
    if form.protocol.answer.kind != "off":
        found["answer_variants"] = _variants(form, record.get("answer_variants") or [])
        found["unanswerable"] = form.state.outcome == "unanswerable"
    if form.protocol.evidence.enabled:
        found["evidence"] = gold_pages(form)
    found["gold"] = _beyond(form)
    return found


def gold_pages(form: Form) -> list[dict[str, Any]]:
    """The pages of the evidence; none where the task ended before it."""
    return [{"document": document, "page": page} for document, page in Submission(form).pages]


def decided_works(source: Source, written: Written) -> Iterator[Work]:
    """The gold of each task that has any, in the order of the tasks; others are accounted for.

    The record of each is the task's with its gold in place of what the task came with; a part that
    the protocol does not ask for stays. The manifest's choices name the version of each.
    """
    found: dict[str, int] = {}
    how = Counter[str](by_rule=0, by_reviewer=0, checked=0, taken_up_again=0)
    for stream in source.gold_streams():
        last = last_version(source, stream)
        if last is None:
            continue
        review = last.review
        found[stream.head.task] = review.version
        how["by_rule" if review.automatic else "by_reviewer"] += 1
        how["checked"] += review.checked
        how["taken_up_again"] += taken_up_again(stream.events)
        yield _work(stream, last, written)
    for task in source.tasks():
        if task.key not in found:
            written.leave_out("task", NOT_DECIDED, task.key)
    written.choices |= {
        "gold": "adjudicated",
        "gold_tasks": {"decided": len(found), **how},
        "gold_versions": found,
    }


def counted(source: Source, written: Written) -> Iterator[Work]:
    """The work that a format is written from: people's submissions, or the gold instead."""
    return (decided_works if source.adjudicated else by_people)(source, written)


def records_of_tasks(source: Source, *, adjudicated: bool) -> RecordOf:
    """(task, the record it came with) → the record with the gold that counts.

    By the gold decided in review, a task without any has no gold at all.

    Raises:
        PagetrailError: nothing is decided yet (code ``no_adjudicated_gold``).
    """
    if not adjudicated:
        return lambda _task, record: record
    decided = decided_records(source)
    if not decided:
        raise PagetrailError(
            f"Nothing of {source.campaign.name} is decided in review yet. Decide tasks first, "
            "or go by the gold that the tasks came with.",
            code=NOT_DECIDED,
        )

    def record_of(task: str, record: dict[str, Any]) -> dict[str, Any]:
        return decided[task] if task in decided else without_gold(record)

    return record_of


def leave_out_undecided(source: Source, written: Written) -> None:
    """Account for the tasks without gold decided in review."""
    decided = decided_records(source)
    for task in source.database.tasks(source.campaign.id):
        if task.key not in decided:
            written.leave_out("task", NOT_DECIDED, task.key)


def decided_records(source: Source) -> dict[str, dict[str, Any]]:
    """Task → its record with decided gold alone: what review did not decide is not in it."""

    def compute(streams: Sequence[CountedAttempt]) -> list[dict[str, Any] | None]:
        return [_decided_record(source, stream.whole) for stream in streams]

    quiet = replace(source, progress=None)
    computation = TaskComputation("decided records", _RECORDS, compute)
    return {
        head.task: record
        for heads, records in task_results(quiet, computation, gold=True)
        for head, record in zip(heads, records, strict=True)
        if record is not None
    }


def _decided_record(source: Source, stream: AttemptEvents) -> dict[str, Any] | None:
    last, record = last_version(source, stream), stream.head.record
    return None if last is None else without_gold(record) | gold_parts(last.form, record)


def without_gold(record: Mapping[str, Any]) -> dict[str, Any]:
    """A task's record without any gold."""
    return {name: value for name, value in record.items() if name not in _NAMES}


def _work(stream: AttemptEvents, last: Version, written: Written) -> Work:
    events = stream.events[: last.event.seq]
    written.saw(events)
    parts = gold_parts(last.form, stream.head.record)
    record = dict(stream.head.record) | parts
    if "evidence" in parts:
        # The reviewers decided on all of the evidence, also on what the import left out.
        record.pop("evidence_left_out", None)
    return Work(
        attempt=replace(stream, head=replace(stream.head, record=record), events=events),
        name=NAME,
        form=replace(last.form, state=_asked_boxes(last.form)),
        submitted_at=last.event.server_ts,
    )


def _asked_boxes(form: Form) -> AttemptState:
    """The gold without boxes on pages that may have none, which do not count as gold."""
    boxes = form.state.boxes
    kept = [b for b in boxes.boxes if b.deleted or form.may_have_boxes(b.document, b.page)]
    update = {"boxes": boxes.model_copy(update={"boxes": tuple(kept)})}
    return form.state.model_copy(update=update)


def _variants(form: Form, accepted: list[list[str]]) -> list[list[str]]:
    if form.state.outcome != "answered":
        return []
    answers = [list(answer) for answer in Submission(form).accepted]
    further = [answer for answer in answers if answer_agreement(answer, accepted) < 1]
    return [*accepted, *further] if len(further) < len(answers) else answers


def _beyond(form: Form) -> dict[str, Any]:
    """Gold of fields, pages and boxes, in the form that pilots read (``annotation.tasks.gold``)."""
    fields: dict[str, Any] = {}
    pages: dict[tuple[str, int], dict[str, Any]] = {}
    for spec in form.protocol.fields:
        for target in form.targets(spec):
            if spec.scope == "box":
                continue
            value: Any = plain(form.value(spec, target))
            if spec.kind == "records":
                value = [row.values for row in form.rows(spec, target) if not row.deleted]
            if value is None or (value == [] and spec.kind != "records"):
                continue
            if target == TASK:
                fields[spec.name] = value
            elif target.document is not None and target.page is not None:
                pages.setdefault((target.document, target.page), {})[spec.name] = value
    found: dict[str, Any] = {
        "fields": fields,
        "pages": [
            {"document": document, "page": page, "fields": values}
            for (document, page), values in pages.items()
        ],
    }
    if form.protocol.boxes.enabled:
        found["boxes"] = [
            {
                "document": box.document,
                "page": box.page,
                "rect": list(box.rect),
                "label": box.label,
            }
            for box in Submission(form).boxes
            if box.label
        ]
    gold_of({"gold": found})  # what is written must be read again
    return found
