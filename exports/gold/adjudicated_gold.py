"""Reads gold decided in review for exports and reports.

A task's gold is the last version decided by a reviewer or accepted automatically; a reopened
version remains valid until the next one. Read as a ``Work``, gold looks like a person's attempt, so
formats for people's work can be written from gold instead.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pydantic import TypeAdapter

from pagetrail.annotation import events as ev
from pagetrail.annotation.answers.exact_match import exact_match_f1
from pagetrail.annotation.attempts.forms import TASK, Form
from pagetrail.annotation.attempts.review_state import Review
from pagetrail.annotation.attempts.state import AttemptState, apply
from pagetrail.annotation.attempts.submission import Submission
from pagetrail.annotation.comparison.gold_submission import gold_submission
from pagetrail.annotation.errors import PagetrailError
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.annotation.review.dataset_contradictions import (
    can_be_contradicted,
    contradict_answers,
)
from pagetrail.annotation.tasks.gold import gold_of
from pagetrail.annotation.tasks.task import OLDER_NAMES, given_pages, question_of
from pagetrail.exports.reading.attempts import CountedAttempt, ReadAttempt, works_by_people
from pagetrail.exports.reading.source import Source, WrittenFiles
from pagetrail.exports.reading.task_results import TaskComputation, task_results
from pagetrail.exports.reading.values import json_value
from pagetrail.storage.snapshot.rows import AttemptEvents

NAME = "gold"
"""Annotator name of gold in formats that name annotators."""

NOT_DECIDED = "no_adjudicated_gold"
"""Reason for leaving out a task without adjudicated gold."""

GOLD_DROPPED = "gold_dropped"
"""Reason for leaving out attempts at a task that was dropped when its gold was checked."""

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
class GoldVersion:
    """One version of a task's gold.

    Attributes:
        form: the protocol's questions on the decided gold.
        event: the decision.
    """

    form: Form
    event: ev.Event

    @property
    def review(self) -> Review:
        """The review state at the decision."""
        return self.form.state.review or Review()


def draft_provenance(version: GoldVersion) -> list[dict[str, Any]]:
    """What a decision made of each model's draft; empty without drafts."""
    payload = version.event.payload
    drafts = payload.drafts if isinstance(payload, ev.Adjudicated) else ()
    return [draft.model_dump(mode="json") for draft in drafts]


def gold_versions(source: Source, stream: AttemptEvents) -> Iterator[GoldVersion]:
    """The versions of a task's gold, oldest first, without undone decisions."""
    page_keys = given_pages(source.campaign.protocol.pages, stream.head.record)
    undone_seqs = _undone_decisions(stream.events)
    state = AttemptState()
    for event in stream.events:
        state = apply(state, event)
        if isinstance(event.payload, ev.Adjudicated) and event.seq not in undone_seqs:
            yield GoldVersion(Form(source.campaign.protocol, state, page_keys), event)


def last_version(source: Source, stream: AttemptEvents) -> GoldVersion | None:
    """The version that counts; None if nothing has been decided."""
    decided_versions = list(gold_versions(source, stream))
    return decided_versions[-1] if decided_versions else None


def came_with_gold(protocol: Protocol, record: Mapping[str, Any]) -> bool:
    """Whether a task's record says anything but evidence; False if its gold is damaged."""
    if record.get("gold") is None:
        return bool(record.get("answer_variants") or record.get("unanswerable"))
    try:
        return can_be_contradicted(gold_submission(protocol, dict(record)))
    except ValueError:
        return False


def standing_checks(
    stream: AttemptEvents, versions: Mapping[int, GoldVersion], *, imported: bool
) -> list[tuple[ev.Event, ev.GoldChecked]]:
    """The checks of a task's gold that still count, oldest first.

    Args:
        versions: of the gold by number, without undone ones.
        imported: whether the task came with gold, which is version 0.
    """
    return [
        (event, event.payload)
        for event in stream.events
        if isinstance(event.payload, ev.GoldChecked)
        and _stands(event, event.payload, versions, imported=imported)
    ]


def _stands(
    event: ev.Event, check: ev.GoldChecked, versions: Mapping[int, GoldVersion], *, imported: bool
) -> bool:
    """Whether its version still exists: a correction counts until its version is undone."""
    if check.version == 0:
        return imported
    return check.version in versions and versions[check.version].event.seq < event.seq


def is_dropped(source: Source, stream: AttemptEvents) -> bool:
    """Whether a task was dropped when its gold was last checked."""
    versions = {version.review.version: version for version in gold_versions(source, stream)}
    imported = came_with_gold(source.campaign.protocol, stream.head.record)
    checks = standing_checks(stream, versions, imported=imported)
    if not checks or checks[-1][1].decision != "dropped":
        return False
    return imported or checks[-1][1].version == max(versions)


def is_reopened(events: Iterable[ev.Event]) -> bool:
    """Whether a new version has been started but not decided."""
    event_list = list(events)
    undone = _undone_decisions(event_list)
    payloads = [
        e.payload
        for e in event_list
        if isinstance(e.payload, ev.Adjudicated | ev.GoldReopened) and e.seq not in undone
    ]
    return bool(payloads) and isinstance(payloads[-1], ev.GoldReopened)


def _undone_decisions(events: Iterable[ev.Event]) -> set[int]:
    """Sequence numbers of decisions that were undone."""
    return {e.payload.decision for e in events if isinstance(e.payload, ev.DecisionUndone)}


def version_parts(stream: AttemptEvents, version: GoldVersion) -> dict[str, Any]:
    """The gold of a version in the schema of tasks, with the parts that the protocol asks for.

    Of a supervisor's correction it is exactly what they wrote. Otherwise the answers that the task
    came with stay accepted next to the gold's, unless the reviewer said that they are wrong; in
    decisions of older versions, which did not ask, unless the gold contradicts them.
    """
    form = version.form
    parts: dict[str, Any] = {}
    if form.protocol.answer.kind != "off":
        parts["answer_variants"] = _variants(stream, version)
        parts["unanswerable"] = form.state.outcome == "unanswerable"
    if form.protocol.evidence.enabled:
        parts["evidence"] = gold_pages(form)
    parts["gold"] = _other_gold(form)
    return parts


def gold_pages(form: Form) -> list[dict[str, Any]]:
    """The evidence pages; none if the task ended before evidence was asked for."""
    return [{"document": document, "page": page} for document, page in Submission(form).pages]


def decided_works(source: Source, tally: WrittenFiles) -> Iterator[ReadAttempt]:
    """The gold of each task that has any, in task order; other tasks are counted as left out.

    So are tasks that were dropped when their gold was checked.

    Each record is the task's, with the decided gold in place of the imported gold; parts that the
    protocol does not ask for are kept. The manifest's choices list the versions.
    """
    versions_by_task: dict[str, int] = {}
    dropped: set[str] = set()
    counts = Counter[str](by_rule=0, by_reviewer=0, checked=0, taken_up_again=0)
    for stream in source.gold_streams():
        version = last_version(source, stream)
        if version is None:
            continue
        if is_dropped(source, stream):
            dropped.add(stream.head.task)
            tally.leave_out("task", GOLD_DROPPED, stream.head.task)
            continue
        review = version.review
        versions_by_task[stream.head.task] = review.version
        counts["by_rule" if review.automatic else "by_reviewer"] += 1
        counts["checked"] += review.checked
        counts["taken_up_again"] += is_reopened(stream.events)
        yield _gold_work(stream, version, tally)
    for task in source.tasks():
        if task.key not in versions_by_task and task.key not in dropped:
            tally.leave_out("task", NOT_DECIDED, task.key)
    tally.choices |= {
        "gold": "adjudicated",
        "gold_tasks": {"decided": len(versions_by_task), **counts},
        "gold_versions": versions_by_task,
    }


def counted_works(source: Source, tally: WrittenFiles) -> Iterator[ReadAttempt]:
    """The work that a format contains: people's submissions, or the adjudicated gold."""
    return (decided_works if source.adjudicated else works_by_people)(source, tally)


def records_of_tasks(source: Source, *, adjudicated: bool) -> RecordOf:
    """A function from (task, imported record) to the record with the gold that counts.

    With ``adjudicated``, tasks without decided gold have no gold at all.

    Raises:
        PagetrailError: nothing has been decided (code ``no_adjudicated_gold``).
    """
    if not adjudicated:
        return lambda _task, record: record
    records = decided_records(source)
    if not records:
        raise PagetrailError(
            f"Nothing in {source.campaign.name} has been decided in review. Decide tasks first, or "
            "use the gold that the tasks were imported with.",
            code=NOT_DECIDED,
        )

    def record_of(task: str, record: dict[str, Any]) -> dict[str, Any]:
        return records[task] if task in records else without_gold(record)

    return record_of


def leave_out_undecided(source: Source, tally: WrittenFiles, dropped: Collection[str]) -> None:
    """Count the tasks without adjudicated gold as left out, without the dropped ones."""
    records = decided_records(source)
    for task in source.database.tasks(source.campaign.id):
        if task.key not in records and task.key not in dropped:
            tally.leave_out("task", NOT_DECIDED, task.key)


def decided_records(source: Source) -> dict[str, dict[str, Any]]:
    """Task → its record with only the decided gold; without dropped tasks."""

    def compute(streams: Sequence[CountedAttempt]) -> list[dict[str, Any] | None]:
        return [_decided_record(source, stream.whole) for stream in streams]

    without_progress = replace(source, progress=None)
    computation = TaskComputation("decided records", _RECORDS, compute)
    return {
        head.task: record
        for heads, records in task_results(without_progress, computation, gold=True)
        for head, record in zip(heads, records, strict=True)
        if record is not None
    }


def _decided_record(source: Source, stream: AttemptEvents) -> dict[str, Any] | None:
    version, record = last_version(source, stream), stream.head.record
    if version is None or is_dropped(source, stream):
        return None
    return without_gold(record) | version_parts(stream, version)


def without_gold(record: Mapping[str, Any]) -> dict[str, Any]:
    """A task's record without any gold."""
    return {name: value for name, value in record.items() if name not in _NAMES}


def _gold_work(stream: AttemptEvents, version: GoldVersion, tally: WrittenFiles) -> ReadAttempt:
    events = stream.events[: version.event.seq]
    tally.note_indexes(events)
    parts = version_parts(stream, version)
    record = dict(stream.head.record) | parts
    drafts = draft_provenance(version)
    if drafts:
        record["drafts"] = drafts
    if "evidence" in parts:
        # The decision covers all evidence, including what the import left out.
        record.pop("evidence_left_out", None)
    return ReadAttempt(
        attempt=replace(stream, head=replace(stream.head, record=record), events=events),
        name=NAME,
        form=replace(version.form, state=_without_ineligible_boxes(version.form)),
        submitted_at=version.event.server_ts,
    )


def _without_ineligible_boxes(form: Form) -> AttemptState:
    """The gold without boxes on pages where the protocol allows none."""
    boxes = form.state.boxes
    eligible = [b for b in boxes.boxes if b.deleted or form.may_have_boxes(b.document, b.page)]
    update = {"boxes": boxes.model_copy(update={"boxes": tuple(eligible)})}
    return form.state.model_copy(update=update)


def _variants(stream: AttemptEvents, version: GoldVersion) -> list[list[str]]:
    if version.form.state.outcome != "answered":
        return []
    answers = [list(answer) for answer in Submission(version.form).accepted]
    accepted = [list(answer) for answer in kept_dataset_answers(stream, version)]
    new_answers = [answer for answer in answers if exact_match_f1(answer, accepted) < 1]
    # The first is the one that is shown alone: the gold's, unless the dataset has it, too.
    has_same = len(new_answers) < len(answers)
    return [*accepted, *new_answers] if has_same else [*answers, *accepted]


def kept_dataset_answers(stream: AttemptEvents, version: GoldVersion) -> Sequence[Sequence[str]]:
    """The answers that a task came with, as far as a version of its gold leaves them accepted."""
    payload = version.event.payload
    said = payload.dataset_answers if isinstance(payload, ev.Adjudicated) else None
    if said == "wrong" or _is_correction(stream, version):
        return ()
    record, form = stream.head.record, version.form
    accepted = () if record.get("unanswerable") else record.get("answer_variants") or ()
    question = question_of(record, form.protocol.answer)
    if said is None and contradict_answers(Submission(form).accepted, accepted, question):
        return ()
    return accepted


def _is_correction(stream: AttemptEvents, version: GoldVersion) -> bool:
    """Whether a supervisor corrected the gold with this version."""
    return any(
        isinstance(event.payload, ev.GoldChecked)
        and event.payload.decision == "corrected"
        and event.payload.version == version.review.version
        and event.seq > version.event.seq
        for event in stream.events
    )


def _other_gold(form: Form) -> dict[str, Any]:
    """Gold of fields, pages, boxes, text and tables in the schema of ``annotation.tasks.gold``."""
    fields: dict[str, Any] = {}
    pages: dict[tuple[str, int], dict[str, Any]] = {}
    for spec in form.protocol.fields:
        for target in form.targets(spec):
            if spec.scope == "box":
                continue
            value: Any = json_value(form.value(spec, target))
            if spec.kind == "records":
                value = [row.values for row in form.rows(spec, target) if not row.deleted]
            if value is None or (value == [] and spec.kind != "records"):
                continue
            if target == TASK:
                fields[spec.name] = value
            elif target.document is not None and target.page is not None:
                pages.setdefault((target.document, target.page), {})[spec.name] = value
    gold: dict[str, Any] = {
        "fields": fields,
        "pages": [
            {"document": document, "page": page, "fields": values}
            for (document, page), values in pages.items()
        ],
    }
    if form.protocol.boxes.enabled:
        gold["boxes"] = [
            {
                "document": box.document,
                "page": box.page,
                "rect": list(box.rect),
                "label": box.label,
            }
            for box in Submission(form).boxes
            if box.label
        ]
    transcript = form.state.transcript
    if form.protocol.transcript.enabled and transcript is not None:
        gold["transcript"] = transcript.text
    if form.protocol.tables.enabled and (form.state.review or Review()).tables_decided:
        gold["tables"] = [
            {"id": table.id, "html": table.grid.to_html()} for table in form.state.tables.tables
        ]
    gold_of({"gold": gold})  # raises if it could not be read again
    return gold
