"""What metrics need of each attempt."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import TypeAdapter

from pagetrail.annotation.attempts.state import Status
from pagetrail.annotation.attempts.submission import Reopening, Submission, submitted_answer
from pagetrail.annotation.comparison.gold_submission import gold_submission
from pagetrail.annotation.comparison.transcription_pairs import (
    TranscriptionScores,
    measures_of,
    scores_against_gold,
)
from pagetrail.annotation.errors import MeasureError
from pagetrail.annotation.metrics.attempt_rows import Row, attempt_row
from pagetrail.annotation.metrics.correctness import Rule
from pagetrail.annotation.tasks.task import TaskRecord, read_task
from pagetrail.exports.reading.attempts import CountedAttempt, ReadAttempt
from pagetrail.exports.reading.source import Source
from pagetrail.exports.reading.task_results import TaskComputation
from pagetrail.storage.people.system_roles import SYSTEM
from pagetrail.storage.snapshot.rows import AttemptHead

Record = Callable[[AttemptHead], dict[str, Any]]
"""An attempt → its task's record, with the gold that counts."""

_NAMELESS = "-"


@dataclass(frozen=True)
class AttemptResult:
    """An attempt as of the submission that counts.

    Attributes:
        later: reason for a later submission that differs; see ``LEFT_OUT``.
        submitted_at: ISO-8601 UTC.
        answer: as submitted.
        row: without a judgement and a name; None where it is not submitted, or where the task's
            record is broken.
        against_gold: its text, tables and charts; None likewise, and where none is asked for.
    """

    status: Status
    later: Reopening | None
    submitted_at: str | None
    answer: tuple[str, ...]
    row: Row | None
    against_gold: TranscriptionScores | None = None


_RESULTS = TypeAdapter(list[AttemptResult])


def attempt_results(
    source: Source, rule: Rule, gold: str, record: Record
) -> TaskComputation[list[AttemptResult]]:
    """The results of a task's attempts, in the order of the campaign.

    Args:
        rule: what decides whether an answer is right, see ``annotation.metrics.decide``.
        gold: names the gold of ``record``; that the tasks came with is ``task``. Results by
            ``corrected`` and ``unchecked`` are those by ``task`` for all tasks whose record is the
            same.
    """
    is_task_gold = gold in ("task", "corrected", "unchecked")

    def dependency(heads: Sequence[AttemptHead]) -> object:
        head = heads[0]
        used_record = record(head)
        return None if is_task_gold and used_record == head.record else used_record

    def compute(attempts: Sequence[CountedAttempt]) -> list[AttemptResult]:
        task = _task_record(record(attempts[0].whole.head))
        return [_attempt_result(source, attempt, rule, task) for attempt in attempts]

    return TaskComputation(
        f"metrics, {rule}, gold: {'task' if is_task_gold else gold}",
        _RESULTS,
        compute,
        dependency=None if gold == "task" else dependency,
    )


def _task_record(record: dict[str, Any]) -> TaskRecord | dict[str, Any]:
    """The record, parsed once for all attempts; left unparsed if it is broken."""
    try:
        return read_task(record)
    except ValueError:
        return record


def _attempt_result(
    source: Source, attempt: CountedAttempt, rule: Rule, task: TaskRecord | dict[str, Any]
) -> AttemptResult:
    submission = attempt.submission
    row = work_row(source, submission, rule, task, _NAMELESS)
    return AttemptResult(
        status=submission.state.status,
        later=attempt.later,
        submitted_at=submission.submitted_at,
        answer=tuple(submitted_answer(submission.state, source.campaign.protocol)),
        row=row,
        against_gold=_against_gold(submission, task) if row is not None else None,
    )


def _against_gold(
    submission: ReadAttempt, task: TaskRecord | dict[str, Any]
) -> TranscriptionScores | None:
    protocol = submission.form.protocol
    if not measures_of(protocol) or not isinstance(task, TaskRecord):
        return None
    try:
        gold = gold_submission(protocol, {"gold": (task.model_extra or {}).get("gold")})
        return scores_against_gold(Submission(submission.form), gold)
    except ValueError:  # damaged gold
        return None


def work_row(
    source: Source,
    submission: ReadAttempt,
    rule: Rule,
    task: TaskRecord | dict[str, Any],
    name: str,
) -> Row | None:
    """What metrics need of an attempt; None where it is not submitted or the record is broken."""
    if submission.state.status != "submitted":
        return None
    try:
        return attempt_row(
            task,
            submission.state,
            submission.attempt.events,
            protocol=source.campaign.protocol,
            rule=rule,
            system=name,
            person=submission.head.role != SYSTEM,
            waiting=source.submission == "final",
        )
    except MeasureError:
        return None
