"""Rates that campaigns pay, and people's own rates.

Only current rates are stored; the audit log has earlier ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from sqlalchemy import Connection, delete, insert, select

from pagetrail.annotation.costs.pay_rate import PayRate
from pagetrail.annotation.errors import PagetrailError
from pagetrail.annotation.messages import N_, gettext
from pagetrail.storage.campaigns.lookup import get_campaign
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.tables import Campaign, PayRateRow, User
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.accounts import Person, require_user
from pagetrail.storage.people.audit import PersonName, audit_in
from pagetrail.storage.people.roles import require_supervisor_in


@dataclass(frozen=True)
class StoredRate:
    """A rate of a campaign; ``person`` is None for the campaign's own rate."""

    campaign: str
    person: str | None
    rate: PayRate


def rate_of(
    rates: Mapping[tuple[int, int | None], PayRate], campaign_id: int, user_id: int
) -> PayRate | None:
    """A person's rate in a campaign: their own, else the campaign's, else None."""
    return rates.get((campaign_id, user_id), rates.get((campaign_id, None)))


def rates_in(connection: Connection) -> dict[tuple[int, int | None], PayRate]:
    """(campaign id, person id) → rate."""
    return {
        (row.campaign_id, row.user_id): PayRate(Decimal(row.amount), row.unit, row.currency)
        for row in connection.execute(select(PayRateRow))
    }


def rates_by_name(connection: Connection, campaign_id: int) -> dict[str | None, PayRate]:
    """A person's name → their own rate in a campaign; None → the campaign's rate."""
    query = (
        select(PayRateRow, User.name.label("person"))
        .outerjoin(User, User.id == PayRateRow.user_id)
        .where(PayRateRow.campaign_id == campaign_id)
    )
    return {
        row.person: PayRate(Decimal(row.amount), row.unit, row.currency)
        for row in connection.execute(query)
    }


def stored_rates(workspace: Workspace, campaign: str | None = None) -> list[StoredRate]:
    """The rates of a campaign or of all, the campaign's own first, then by name.

    Raises:
        NotFoundError: no such campaign.
    """
    query = (
        select(PayRateRow, Campaign.name.label("campaign"), User.name.label("person"))
        .join(Campaign, Campaign.id == PayRateRow.campaign_id)
        .outerjoin(User, User.id == PayRateRow.user_id)
    )
    with workspace.engine.connect() as connection:
        if campaign is not None:
            campaign_row = get_campaign(connection, campaign)
            query = query.where(PayRateRow.campaign_id == campaign_row.id)
        rows = sorted(
            connection.execute(query),
            key=lambda row: (row.campaign_id, row.person is not None, row.person or ""),
        )
    return [
        StoredRate(row.campaign, row.person, PayRate(Decimal(row.amount), row.unit, row.currency))
        for row in rows
    ]


def set_rate(
    workspace: Workspace,
    by: Person | None,
    campaign: str,
    person: str | None,
    rate: PayRate | None,
) -> None:
    """Replace a rate; None removes it.

    Args:
        person: whose rate; None for the campaign's.

    Raises:
        PagetrailError: the rate has no currency (code ``invalid_rate``).
        NotFoundError: no such campaign or person.
        Forbidden: ``by`` may not.
    """
    if rate is not None and not rate.currency:
        raise PagetrailError(gettext("Name the currency, such as EUR."), code="invalid_rate")
    with write_transaction(workspace.engine) as connection:
        require_supervisor_in(connection, by, N_("Only supervisors may set rates of pay."))
        campaign_row = get_campaign(connection, campaign)
        user = None if person is None else require_user(connection, person)
        user_id = None if user is None else user.id
        before = rates_in(connection).get((campaign_row.id, user_id))
        if before == rate:
            return
        connection.execute(
            delete(PayRateRow).where(
                PayRateRow.campaign_id == campaign_row.id,
                PayRateRow.user_id.is_not_distinct_from(user_id),
            )
        )
        if rate is not None:
            connection.execute(
                insert(PayRateRow).values(
                    campaign_id=campaign_row.id, user_id=user_id, amount=str(rate.amount),
                    unit=rate.unit, currency=rate.currency,
                )
            )  # fmt: skip
        of_person = [] if user is None else [", ", PersonName(user.name)]
        parts = [campaign_row.name, *of_person, f": {before or 'none'} → {rate or 'none'}"]
        audit_in(connection, by, "rate_changed", parts)
