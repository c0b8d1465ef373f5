"""Results of a whole pilot, by person and by task, for the screen and the command.

The number of SQL statements is independent of the number of people; states with feedback are not
parsed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, Engine, func, select

from pagetrail.annotation.attempts.form_state import Feedback
from pagetrail.annotation.comparison.pilot_estimates import (
    IntervalEstimate,
    PartEstimate,
    Times,
    part_estimates,
    share_estimate,
    times_of,
)
from pagetrail.storage.attempts.times import times_of as times_of_attempts
from pagetrail.storage.campaigns.lookup import get_campaign
from pagetrail.storage.database.json_cache import as_text, stored_protocol
from pagetrail.storage.database.statuses import ARCHIVED
from pagetrail.storage.database.tables import (
    Attempt,
    Batch,
    Campaign,
    EventRow,
    QualificationRow,
    Task,
)
from pagetrail.storage.progress.dashboard import count_events, setting_of
from pagetrail.storage.qualification.gate import PilotResult, current_results, pilot_campaign
from pagetrail.storage.qualification.records import (
    Qualification,
    latest_decisions,
    overrides,
    qualification_history,
)
from pagetrail.storage.qualification.submissions import (
    HeldBatch,
    SubmittedTask,
    read_held_batches,
    read_submitted_tasks,
)

NEARLY_EVERYBODY = 0.2
"""A task's gold is suspected if the upper end of its interval is below this."""


@dataclass(frozen=True)
class PersonOverview:
    """One person's results in a pilot, in the batch that counts.

    Attributes:
        share: right of the decided tasks, with its interval.
        decision: the last one, including resets, or None.
    """

    result: PilotResult
    share: IntervalEstimate
    parts: tuple[PartEstimate, ...]
    times: Times
    decision: Qualification | None

    @property
    def decision_seen(self) -> int | None:
        """Id of the decision shown with these results."""
        return None if self.decision is None else self.decision.id


@dataclass(frozen=True)
class TaskOverview:
    """One task's results in a pilot, from everybody who did it.

    Attributes:
        share: right of the decided, with its interval.
        disputed: number of people who say that its gold is wrong.
        undecided: judged submissions that are right if their undecided answers are.
    """

    task_id: int
    key: str
    batch: str
    question: str
    judged: int
    right: int
    share: IntervalEstimate
    score: float | None
    parts: tuple[PartEstimate, ...]
    disputed: int = 0
    undecided: int = 0

    @property
    def everybody_wrong(self) -> bool:
        """Whether at least two people are right or wrong, and nobody is right."""
        return self.judged - self.undecided >= 2 and self.right == 0

    @property
    def suspicious(self) -> bool:
        """Whether its gold may be wrong: everybody disagreed with it, or almost everybody
        (``NEARLY_EVERYBODY``)."""
        is_nearly_everybody = self.share.high is not None and self.share.high < NEARLY_EVERYBODY
        return self.everybody_wrong or is_nearly_everybody


@dataclass(frozen=True)
class PilotOverview:
    """A whole pilot.

    Attributes:
        opens: names of the campaigns that require it.
        batches: code names in order.
        people: everybody who has a batch of it, by name.
        tasks: by batch and position in it.
        history: all decisions and stored results, oldest first.
    """

    campaign: str
    protocol: str
    title: str
    status: str
    feedback: bool
    pass_mark: float
    opens: tuple[str, ...]
    batches: tuple[str, ...]
    people: tuple[PersonOverview, ...]
    tasks: tuple[TaskOverview, ...]
    history: tuple[Qualification, ...]

    def person(self, name: str) -> PersonOverview | None:
        """The person with this name, ignoring case, or None."""
        folded_name = name.casefold()
        return next((p for p in self.people if p.result.user_name.casefold() == folded_name), None)


def pilots(engine: Engine) -> list[str]:
    """Names of the campaigns that are pilots and not archived, oldest first."""
    with engine.connect() as connection:
        rows = connection.execute(
            select(Campaign.name, Campaign.protocol)
            .where(Campaign.status != ARCHIVED)
            .order_by(Campaign.id)
        )
        return [row.name for row in rows if row.protocol.get("pilot", {}).get("enabled")]


def pilot_overview(engine: Engine, campaign: str) -> PilotOverview:
    """All results of a pilot.

    Raises:
        NotFoundError: no such campaign.
        ConflictError: it is not a pilot.
    """
    with engine.connect() as connection:
        row = pilot_campaign(connection, campaign)
        protocol = stored_protocol(row.protocol)
        batches = read_held_batches(connection, row.id)
        submitted_tasks = read_submitted_tasks(connection, row.id, protocol)
        rows = qualification_history(connection, row.id)
        return PilotOverview(
            campaign=row.name,
            protocol=protocol.name,
            title=protocol.title,
            status=row.status,
            feedback=protocol.pilot.feedback,
            pass_mark=protocol.pilot.pass_mark,
            opens=waiting_campaigns(connection, row.name),
            batches=tuple(
                connection.execute(
                    select(Batch.code_name)
                    .where(Batch.campaign_id == row.id)
                    .order_by(Batch.position)
                ).scalars()
            ),
            people=tuple(_people(connection, row, batches, submitted_tasks, rows)),
            tasks=tuple(_tasks(connection, row.id, submitted_tasks)),
            history=tuple(rows),
        )


def waiting_campaigns(connection: Connection, pilot: str) -> tuple[str, ...]:
    """Names of the campaigns that require the pilot, oldest first."""
    rows = connection.execute(
        select(Campaign.name, Campaign.protocol)
        .where(Campaign.checks_of.is_(None))
        .order_by(Campaign.id)
    )
    return tuple(row.name for row in rows if row.protocol.get("requires") == pilot)


def _people(
    connection: Connection,
    campaign: Campaign,
    batches: Sequence[HeldBatch],
    submitted_tasks: Sequence[SubmittedTask],
    rows: list[Qualification],
) -> Iterable[PersonOverview]:
    decisions = latest_decisions(rows)
    result_by_user = current_results(campaign, batches, submitted_tasks, overrides(rows))
    counted_assignments = {
        batch.assignment_id
        for batch in batches
        if batch.code_name == result_by_user[batch.user_id].code_name
    }
    user_of_assignment = {batch.assignment_id: batch.user_id for batch in batches}
    tasks_by_user: dict[int, list[SubmittedTask]] = {}
    for task in submitted_tasks:
        if task.assignment_id in counted_assignments:
            tasks_by_user.setdefault(user_of_assignment[task.assignment_id], []).append(task)
    times = times_of_attempts(
        connection,
        {
            task.attempt_id: task.last_seq
            for user_tasks in tasks_by_user.values()
            for task in user_tasks
        },
    )
    for user, result in sorted(result_by_user.items(), key=lambda item: item[1].user_name):
        own_tasks = tasks_by_user.get(user, [])
        yield PersonOverview(
            result=result,
            share=share_estimate(result.right, result.judged - result.undecided),
            parts=part_estimates(_verdicts(own_tasks)),
            times=times_of([times[t.attempt_id] for t in own_tasks if t.attempt_id in times]),
            decision=decisions.get(user),
        )


def _tasks(
    connection: Connection,
    campaign_id: int,
    submitted_tasks: Sequence[SubmittedTask],
) -> Iterable[TaskOverview]:
    by_task: dict[int, list[Feedback]] = {}
    for task in submitted_tasks:
        if task.verdict is not None:
            by_task.setdefault(task.task_id, []).append(task.verdict)
    disputed = _disputes(connection, campaign_id)
    rows = connection.execute(
        select(Task.id, Task.key, Batch.code_name, Task.record)
        .join(Batch, Batch.id == Task.batch_id)
        .where(Task.campaign_id == campaign_id)
        .order_by(Batch.position, Task.position, Task.id)
    )
    for row in rows:
        verdicts = by_task.get(row.id, [])
        right = sum(verdict.right for verdict in verdicts)
        undecided = sum(verdict.is_undecided for verdict in verdicts)
        scores = [v.decided_score for v in verdicts if v.decided_score is not None]
        yield TaskOverview(
            task_id=row.id,
            key=row.key,
            batch=row.code_name,
            question=str(row.record.get("question", "")),
            judged=len(verdicts),
            right=right,
            share=share_estimate(right, len(verdicts) - undecided),
            score=sum(scores) / len(scores) if scores else None,
            parts=part_estimates(verdicts),
            disputed=disputed.get(row.id, 0),
            undecided=undecided,
        )


def _disputes(connection: Connection, campaign_id: int) -> dict[int, int]:
    """Task → number of people who say that its gold is wrong."""
    rows = connection.execute(
        select(Task.id, func.count(Attempt.id.distinct()))
        .join(Attempt, Attempt.task_id == Task.id)
        .join(EventRow, EventRow.attempt_id == Attempt.id)
        .where(Task.campaign_id == campaign_id, EventRow.type == "gold_disputed")
        .group_by(Task.id)
    )
    return {row[0]: row[1] for row in rows}


def _verdicts(submitted_tasks: Iterable[SubmittedTask]) -> list[Feedback]:
    return [task.verdict for task in submitted_tasks if task.verdict is not None]


def pilot_version(engine: Engine, campaign: str) -> tuple[object, ...]:
    """Changes with a pilot's work, tasks, batches, assignments and decisions.

    Raises:
        NotFoundError: no such campaign.
    """
    with engine.connect() as connection:
        id_ = get_campaign(connection, campaign).id
        last_decision = connection.execute(select(func.max(QualificationRow.id))).scalar()
        setting = setting_of(connection, id_)
        campaigns = _campaigns(connection)
    event_count = count_events(engine, id_)
    return (event_count.events, event_count.of_gold), last_decision, setting, campaigns


def _campaigns(connection: Connection) -> str:
    """A digest of all campaigns: others may require the pilot."""
    rows = connection.execute(
        select(Campaign.name, Campaign.status, as_text(Campaign.protocol)).order_by(Campaign.id)
    )
    return hashlib.sha256(repr([tuple(row) for row in rows]).encode()).hexdigest()
