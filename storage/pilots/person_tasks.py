"""Pilot tasks compared with their gold, for supervisors only."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Engine

from pagetrail.annotation.attempts.form_state import Feedback
from pagetrail.annotation.attempts.forms import Form
from pagetrail.annotation.attempts.submission import Submission
from pagetrail.annotation.comparison.against_gold import ShownGold, compare, shown_gold
from pagetrail.annotation.comparison.pilot_estimates import (
    StoredResult,
    part_estimates,
    share_estimate,
    times_of,
)
from pagetrail.annotation.protocols.fields import Value
from pagetrail.annotation.timing.bulk import AttemptTime
from pagetrail.storage.attempts.times import times_of as times_of_attempts
from pagetrail.storage.database.json_cache import stored_protocol
from pagetrail.storage.database.tables import Campaign
from pagetrail.storage.qualification.gate import PilotResult, pilot_campaign
from pagetrail.storage.qualification.submissions import (
    HeldBatch,
    forms_of,
    read_held_batches,
    read_submitted_tasks,
)


@dataclass(frozen=True)
class PersonTask:
    """A task that a person submitted or skipped, with its gold.

    Attributes:
        status: ``submitted`` or ``skipped``.
        verdict: None if it is not final yet.
        answer, pages, fields, boxes: the submitted work; only fields with a value that counts,
            those of pages with their page.
        disputed: why the person says that the gold is wrong.
        undecided: whether the rule leaves something undecided, judged by a supervisor or not.
    """

    batch: str
    key: str
    attempt_id: str
    question: str
    status: str
    outcome: str | None
    verdict: Feedback | None
    answer: list[str]
    pages: list[tuple[str, int]]
    fields: list[tuple[str, str, Value]]
    boxes: int
    gold: ShownGold
    times: AttemptTime | None
    disputed: str | None = None
    undecided: bool = False


@dataclass(frozen=True)
class TaskWork:
    """One person's submitted work on a task."""

    user_name: str
    task: PersonTask


def person_tasks(engine: Engine, campaign: str, user_id: int) -> list[PersonTask]:
    """The tasks that a person submitted in a pilot, by batch and position in it.

    Raises:
        NotFoundError: no such campaign.
        ConflictError: it is not a pilot.
    """
    with engine.connect() as connection:
        row = pilot_campaign(connection, campaign)
        return [task for _, task in _tasks(connection, row, user_id=user_id)]


def task_works(engine: Engine, campaign: str, task_id: int) -> list[TaskWork]:
    """Everybody's submitted work on one task of a pilot, wrong work first.

    Raises:
        NotFoundError: no such campaign.
        ConflictError: it is not a pilot.
    """
    with engine.connect() as connection:
        row = pilot_campaign(connection, campaign)
        task_attempts = [
            TaskWork(batch.user_name, task)
            for batch, task in _tasks(connection, row, task_id=task_id)
        ]
    return sorted(
        task_attempts, key=lambda attempt: (_rank(attempt.task.verdict), attempt.user_name)
    )


def _rank(verdict: Feedback | None) -> int:
    if verdict is None:
        return 3
    return 1 if verdict.is_undecided else 2 if verdict.right else 0


def _tasks(
    connection: Connection,
    campaign: Campaign,
    *,
    user_id: int | None = None,
    task_id: int | None = None,
) -> Iterator[tuple[HeldBatch, PersonTask]]:
    """Submitted work with its batch, of everybody or one person, on all tasks or one."""
    protocol = stored_protocol(campaign.protocol)
    held_batches = read_held_batches(connection, campaign.id, user_id)
    batches = {batch.assignment_id: batch for batch in held_batches}
    batch_tasks = [
        task
        for task in read_submitted_tasks(connection, campaign.id, protocol, user_id)
        if task.assignment_id in batches and task_id in (None, task.task_id)
    ]
    attempts = {task.attempt_id: task.last_seq for task in batch_tasks}
    form_by_attempt = {
        work.attempt_id: work for work in forms_of(connection, protocol, list(attempts))
    }
    times = times_of_attempts(connection, attempts)
    for task in batch_tasks:
        attempt_form, batch = form_by_attempt[task.attempt_id], batches[task.assignment_id]
        submission = Submission(attempt_form.form)
        yield (
            batch,
            PersonTask(
                batch=batch.code_name,
                key=task.key,
                attempt_id=task.attempt_id,
                question=str(attempt_form.record.get("question", "")),
                status=task.status,
                outcome=submission.outcome,
                verdict=task.verdict,
                answer=list(submission.answer),
                pages=list(submission.pages),
                fields=_fields(submission),
                boxes=len(submission.boxes),
                gold=shown_gold(protocol, attempt_form.record),
                times=times.get(task.attempt_id),
                disputed=attempt_form.form.state.disputed,
                undecided=task.verdict is not None
                and _is_undecided(attempt_form.form, attempt_form.record),
            ),
        )


def _is_undecided(form: Form, record: dict[str, Any]) -> bool:
    verdict = compare(form, record)
    return verdict is not None and any(part.undecided for part in verdict.parts)


def stored_result_of(
    connection: Connection, campaign: Campaign, result: PilotResult
) -> StoredResult:
    """A person's current results in the batch that counts."""
    protocol = stored_protocol(campaign.protocol)
    batch_names = {
        batch.assignment_id: batch.code_name
        for batch in read_held_batches(connection, campaign.id, result.user_id)
    }
    submitted_tasks = [
        task
        for task in read_submitted_tasks(connection, campaign.id, protocol, result.user_id)
        if batch_names.get(task.assignment_id) == result.code_name
    ]
    times = times_of_attempts(
        connection, {task.attempt_id: task.last_seq for task in submitted_tasks}
    )
    return StoredResult(
        protocol=protocol.name,
        pass_mark=result.pass_mark,
        batch=result.code_name,
        tasks=result.total,
        judged=result.judged,
        right=result.right,
        undecided=result.undecided,
        share=share_estimate(result.right, result.judged - result.undecided),
        score=result.score,
        passed=result.passed,
        parts=part_estimates(
            [task.verdict for task in submitted_tasks if task.verdict is not None]
        ),
        times=times_of(list(times.values())),
    )


def _fields(submission: Submission) -> list[tuple[str, str, Value]]:
    """(field, page, value) of the values that count; the page is empty for fields of the task."""
    return [
        (spec.label, target.words, value)
        for spec in submission.form.protocol.fields
        if spec.kind != "records" and spec.scope != "box"
        for target in submission.targets(spec)
        if (value := submission.value(spec, target)) is not None
    ]
