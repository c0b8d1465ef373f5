"""Compares pilot baselines with the same people's later production work."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, Engine, select

from pagetrail.annotation.attempts.submission import Submission
from pagetrail.annotation.comparison.baselines import Baseline, Times, active_times, read_baseline
from pagetrail.annotation.comparison.pairwise_agreement import Compared, Similarity
from pagetrail.storage.attempts.times import active_ms_of
from pagetrail.storage.database.json_cache import stored_protocol
from pagetrail.storage.database.statuses import SUBMITTED_OR_SKIPPED
from pagetrail.storage.database.tables import (
    Assignment,
    Attempt,
    AttemptStateRow,
    Batch,
    Campaign,
    Task,
)
from pagetrail.storage.pilots.overview import waiting_campaigns
from pagetrail.storage.pilots.person_tasks import batch_gold_digest
from pagetrail.storage.qualification.gate import pilot_campaign
from pagetrail.storage.qualification.records import (
    Qualification,
    latest_baselines,
    qualification_history,
)
from pagetrail.storage.qualification.submissions import AttemptForm, forms_of

MOST_TASKS = 200
"""Number of a person's latest production tasks that agreement is computed from."""


@dataclass(frozen=True)
class PilotComparison:
    """A person's baseline and their current time per task.

    Attributes:
        row: the last row with a baseline; its ``at`` is the baseline's date.
        gold_changed: whether the pilot's gold has changed since the baseline.
        now: active time per production task; ``n`` is 0 if nothing was submitted.
    """

    user_id: int
    user_name: str
    row: Qualification
    baseline: Baseline
    gold_changed: bool
    now: Times


@dataclass(frozen=True)
class ProductionAgreement:
    """A person's agreement with others on the same production tasks.

    Attributes:
        tasks: number of the person's tasks considered, the latest ``MOST_TASKS``.
        shared: number of these that somebody else has submitted too.
    """

    tasks: int
    shared: int
    likeness: Similarity


def production_campaigns(connection: Connection, pilot: str) -> tuple[str, ...]:
    """The production campaigns: those that require the pilot.

    If there are none, all campaigns that are not pilots.
    """
    waiting = waiting_campaigns(connection, pilot)
    if waiting:
        return waiting
    rows = connection.execute(
        select(Campaign.name, Campaign.protocol)
        .where(Campaign.checks_of.is_(None))
        .order_by(Campaign.id)
    )
    return tuple(row.name for row in rows if not row.protocol.get("pilot", {}).get("enabled"))


def compare_with_production(
    engine: Engine, pilot: str
) -> tuple[tuple[str, ...], list[PilotComparison]]:
    """The production campaigns, and everybody with a baseline, sorted by name.

    Raises:
        NotFoundError: no such campaign.
        ConflictError: it is not a pilot.
    """
    with engine.connect() as connection:
        row = pilot_campaign(connection, pilot)
        campaigns = production_campaigns(connection, row.name)
        stored = latest_baselines(qualification_history(connection, row.id))
        people = {
            user: (entry, baseline)
            for user, entry in stored.items()
            if (baseline := read_baseline(entry.baseline))
        }
        digests = {
            batch: batch_gold_digest(connection, row.id, batch)
            for batch in {baseline.batch for _, baseline in people.values()}
        }
        now = _times(connection, campaigns, list(people))
    comparisons = [
        PilotComparison(
            user_id=user,
            user_name=entry.user_name,
            row=entry,
            baseline=baseline,
            gold_changed=digests[baseline.batch] != baseline.gold_digest,
            now=now.get(user, Times()),
        )
        for user, (entry, baseline) in people.items()
    ]
    return campaigns, sorted(comparisons, key=lambda comparison: comparison.user_name)


def agreement_now(engine: Engine, pilot: str, user_id: int) -> ProductionAgreement:
    """A person's agreement with those who submitted the same production tasks.

    Raises:
        NotFoundError: no such campaign.
        ConflictError: it is not a pilot.
    """
    compared = Compared()
    tasks = shared = 0
    with engine.connect() as connection:
        row = pilot_campaign(connection, pilot)
        for campaign in production_campaigns(connection, row.name):
            own_forms, forms_by_task = _production_forms(
                connection, campaign, user_id, MOST_TASKS - tasks
            )
            tasks += len(own_forms)
            for own_form in own_forms:
                other_forms = forms_by_task.get(own_form.task, [])
                shared += bool(other_forms)
                for other in other_forms:
                    compared.add(
                        f"{campaign}\n{own_form.task}",
                        Submission(own_form.form),
                        Submission(other.form),
                    )
    return ProductionAgreement(tasks, shared, compared.similarity())


def _times(
    connection: Connection, campaigns: Sequence[str], people: Sequence[int]
) -> dict[int, Times]:
    rows = connection.execute(
        select(Attempt.user_id, Attempt.id, AttemptStateRow.last_seq)
        .select_from(Assignment)
        .join(Batch, Batch.id == Assignment.batch_id)
        .join(Campaign, Campaign.id == Batch.campaign_id)
        .join(Attempt, Attempt.assignment_id == Assignment.id)
        .join(Task, Task.id == Attempt.task_id)
        .join(AttemptStateRow, AttemptStateRow.attempt_id == Attempt.id)
        .where(
            Campaign.name.in_(campaigns),
            Task.campaign_id == Campaign.id,
            Assignment.user_id.in_(people),
            AttemptStateRow.status.in_(SUBMITTED_OR_SKIPPED),
        )
    ).all()
    active = active_ms_of(connection, {row.id: row.last_seq for row in rows})
    by_person: dict[int, list[int]] = {}
    for row in rows:
        if row.id in active:
            by_person.setdefault(row.user_id, []).append(active[row.id])
    return {user: active_times(times) for user, times in by_person.items()}


def _production_forms(
    connection: Connection, campaign: str, user_id: int, limit: int
) -> tuple[list[AttemptForm], dict[str, list[AttemptForm]]]:
    """A person's latest submitted work, and others' work on the same tasks, without agents."""
    row = connection.execute(
        select(Campaign.id, Campaign.protocol).where(Campaign.name == campaign)
    ).one()
    protocol = stored_protocol(row.protocol)
    submitted = (
        select(Attempt.id, Attempt.task_id)
        .join(Task, Task.id == Attempt.task_id)
        .join(Assignment, Assignment.id == Attempt.assignment_id)
        .join(AttemptStateRow, AttemptStateRow.attempt_id == Attempt.id)
        .where(Task.campaign_id == row.id, AttemptStateRow.status == "submitted")
    )
    own_attempts = connection.execute(
        submitted.where(Assignment.user_id == user_id)
        .order_by(AttemptStateRow.updated_at.desc(), Attempt.id)
        .limit(max(0, limit))
    ).all()
    other_attempts = connection.execute(
        submitted.where(
            Assignment.user_id != user_id,
            Attempt.task_id.in_([attempt.task_id for attempt in own_attempts]),
        )
    ).all()
    other_forms: dict[str, list[AttemptForm]] = {}
    for attempt_form in forms_of(connection, protocol, [attempt.id for attempt in other_attempts]):
        other_forms.setdefault(attempt_form.task, []).append(attempt_form)
    return list(
        forms_of(connection, protocol, [attempt.id for attempt in own_attempts])
    ), other_forms
