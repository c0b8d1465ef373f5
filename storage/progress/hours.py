"""Working hours and payment per person in a period, computed from the log.

Working time is split by when events were stored, and a task counts on the day of its first
submission. So the periods of a year add up to the year, even after resubmissions.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from decimal import ROUND_HALF_UP, Decimal
from itertools import groupby

from sqlalchemy import func, select

from pagetrail.annotation.clock import iso
from pagetrail.annotation.costs.pay_rate import PayRate
from pagetrail.annotation.timing.bulk import attempt_time
from pagetrail.storage.campaigns.lookup import get_campaign
from pagetrail.storage.campaigns.pay_rates import rate_of, rates_in
from pagetrail.storage.database.tables import (
    Attempt,
    AttemptStateRow,
    Campaign,
    EventRow,
    Task,
    User,
)
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.accounts import ROLES

MS_PER_HOUR = 3_600_000
_CENT = Decimal("0.01")

HOURS_DECIMALS = 6
"""Of hours in lists: within 2 ms of the time itself, so that payments can be computed from them."""


@dataclass(frozen=True)
class Hours:
    """One person's work in a campaign in a period.

    Attributes:
        submitted, skipped: tasks, by their first submission.
        active_ms: time at work: gaps between events, each at most a minute, without pauses and
            hidden tabs.
        rate: the person's current rate in this campaign, or None.
        time_corrected: attempts during which the server's clock was set (docs/metrics.md, Time).
    """

    name: str
    pseudonym: str
    group: str
    submitted: int
    skipped: int
    active_ms: int
    campaign: str = ""
    rate: PayRate | None = None
    time_corrected: int = 0

    @property
    def hours(self) -> Decimal:
        """Time at work, rounded for lists."""
        hours = Decimal(self.active_ms) / MS_PER_HOUR
        return hours.quantize(Decimal(10) ** -HOURS_DECIMALS, ROUND_HALF_UP)

    @property
    def payment(self) -> Decimal | None:
        """Rate times time at work or submitted tasks, rounded to the cent, halves up.

        None without a rate.
        """
        if self.rate is None:
            return None
        if self.rate.unit == "hour":
            # Divided last: the product is exact, so that halves of a cent are.
            amount = self.rate.amount * self.active_ms / MS_PER_HOUR
        else:
            amount = self.rate.amount * self.submitted
        return amount.quantize(_CENT, ROUND_HALF_UP)


def working_hours(
    workspace: Workspace,
    *,
    campaign: str | None = None,
    first: date | None = None,
    last: date | None = None,
    user_id: int | None = None,
) -> list[Hours]:
    """Everybody who did anything, by name, with a row per campaign.

    Args:
        campaign: only this one; None means all, including archived ones. Hidden checks count for
            the campaign they are mixed into.
        user_id: only this person.
        first, last: first and last day in UTC; None means no limit.

    Raises:
        NotFoundError: no such campaign.
    """
    start = None if first is None else _midnight(first)
    end = None if last is None else _midnight(last + timedelta(days=1))
    counted_campaign = func.coalesce(Campaign.checks_of, Campaign.id).label("place")
    statement = (
        select(
            Attempt.user_id, counted_campaign, EventRow.attempt_id, EventRow.type,
            EventRow.elapsed_ms, EventRow.server_ts,
        )
        .join(Attempt, Attempt.id == EventRow.attempt_id)
        .join(User, User.id == Attempt.user_id)
        .join(Task, Task.id == Attempt.task_id)
        .join(Campaign, Campaign.id == Task.campaign_id)
        .where(User.role.in_(ROLES))
        .order_by(Attempt.user_id, counted_campaign, EventRow.attempt_id, EventRow.seq)
    )  # fmt: skip
    if user_id is not None:
        statement = statement.where(Attempt.user_id == user_id)
    if start is not None:
        statement = statement.join(AttemptStateRow, AttemptStateRow.attempt_id == Attempt.id).where(
            AttemptStateRow.updated_at >= start
        )
    if end is not None:
        statement = statement.where(EventRow.server_ts < end)
    with workspace.engine.connect() as connection:
        if campaign is not None:
            statement = statement.where(counted_campaign == get_campaign(connection, campaign).id)
        people = {row.id: row for row in connection.execute(select(User))}
        names = dict(connection.execute(select(Campaign.id, Campaign.name)).all())
        rates = rates_in(connection)
        person_hours = []
        rows = connection.execute(statement)
        for (user, campaign_id), of_person in groupby(
            rows, key=lambda row: (row.user_id, row.place)
        ):
            submitted = skipped = active = corrected = 0
            for _, group in groupby(of_person, key=lambda row: row.attempt_id):
                events = [(row.type, row.elapsed_ms, row.server_ts) for row in group]
                ended, spent_ms = _events_since(events, start)
                submitted += ended == "submitted"
                skipped += ended == "skipped"
                active += spent_ms
                corrected += _is_corrected(events, start)
            if submitted or skipped or active:
                person = people[user]
                person_hours.append(
                    Hours(
                        person.name, person.pseudonym, person.group, submitted, skipped, active,
                        names[campaign_id], rate_of(rates, campaign_id, user), corrected,
                    )
                )  # fmt: skip
    return sorted(person_hours, key=lambda row: (row.name.casefold(), row.campaign))


def _events_since(events: list[tuple[str, int, str]], start: str | None) -> tuple[str | None, int]:
    """How an attempt first ended, if after ``start``, and the time at work since ``start``."""
    ends = ((kind, at) for kind, _, at in events if kind in ("submitted", "skipped"))
    ended, at = next(ends, (None, ""))
    before = [] if start is None else [event for event in events if event[2] < start]
    if start is not None and at < start:
        ended = None
    return ended, _active(events) - _active(before)


def _is_corrected(events: list[tuple[str, int, str]], start: str | None) -> bool:
    return any(
        kind == "time_corrected" and (start is None or at >= start) for kind, _, at in events
    )


def _active(events: Iterable[tuple[str, int, str]]) -> int:
    return attempt_time((kind, elapsed) for kind, elapsed, _ in events).active_ms


def _midnight(day: date) -> str:
    return iso(datetime.combine(day, time(), UTC))
