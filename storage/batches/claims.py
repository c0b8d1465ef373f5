"""Claiming a batch: who may claim, and which batch is next.

The conditions are those of the campaign's last assignment; the order is
``batch_slots.BATCH_ORDER``. The next batch of a pilot is that of ``gate.next_pilot_batch``.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from sqlalchemy import Connection, select

from pagetrail.annotation.clock import SystemClock
from pagetrail.annotation.errors import ConflictError, NotFoundError
from pagetrail.annotation.messages import gettext
from pagetrail.annotation.ports import Clock
from pagetrail.storage.batches.annotators import require_annotator
from pagetrail.storage.batches.assignments import (
    assigned_pairs,
    batch_sizes,
    batches_in_order,
    insert_assignment,
    room_for,
)
from pagetrail.storage.campaigns.batch_slots import taken_slots
from pagetrail.storage.campaigns.hidden_gold import barred_pairs
from pagetrail.storage.campaigns.lookup import get_open_campaign
from pagetrail.storage.campaigns.own_answers import barred_by_own_answers
from pagetrail.storage.campaigns.variants import barred_by_variants
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.json_cache import stored_protocol
from pagetrail.storage.database.tables import Batch, Campaign, User
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.accounts import Person, person_of
from pagetrail.storage.people.profiles import NO_REQUIREMENTS, StaffingRequirements, profiles
from pagetrail.storage.qualification.gate import closed_reason, next_pilot_batch, no_batch_left


@dataclass(frozen=True)
class ClaimRule:
    """The annotators who may take batches of a campaign, and their maximum number of tasks."""

    requirements: StaffingRequirements
    most_tasks: int | None

    @classmethod
    def from_campaign(cls, campaign: Campaign) -> ClaimRule:
        """A campaign's rule; by default, everybody may take any number of batches."""
        stored = campaign.claims
        return cls(
            StaffingRequirements(
                tuple(stored.get("languages", ())),
                tuple(stored.get("skills", ())),
                tuple(stored.get("groups", ())),
            ),
            stored.get("most_tasks"),
        )


def claim_next_batch(
    workspace: Workspace, campaign: str, user_id: int, *, clock: Clock | None = None
) -> int | None:
    """Assign the next batch with a free slot that the person has never had.

    Two people who claim at the same moment never get the same slot: the write lock orders them.

    Returns:
        The assignment's id, or None if no batch is left for this person.

    Raises:
        NotFoundError: no such campaign or user.
        ConflictError: the campaign is closed, its claim rule excludes the person, or it requires a
            pilot that the person has not passed; or the user is inactive or not an annotator.
    """
    with write_transaction(workspace.engine) as connection:
        row = get_open_campaign(connection, campaign)
        user = connection.execute(select(User).where(User.id == user_id)).one_or_none()
        if user is None:
            raise NotFoundError(gettext("There is no user with id {user_id}.", user_id=user_id))
        person = person_of(user)
        require_annotator(person)
        protocol = stored_protocol(row.protocol)
        reason = closed_reason(connection, protocol, user_id)
        if reason is not None:
            raise ConflictError(
                gettext("Campaign “{campaign}”: {reason}", campaign=campaign, reason=reason.message)
            )
        if protocol.pilot.enabled:
            return _claim_pilot(connection, row, person, clock or SystemClock())
        rule = ClaimRule.from_campaign(row)
        if not _meets(connection, rule.requirements, person):
            raise ConflictError(
                gettext(
                    "Campaign “{campaign}” is for {words}. Ask your supervisor if your "
                    "profile is incomplete.",
                    campaign=campaign,
                    words=rule.requirements.words(),
                )
            )
        batch = next(iter(_claimable_batches(connection, row, person, rule)), None)
        if batch is None:
            return None
        return insert_assignment(
            connection, row, batch.id, batch.code_name, person, clock or SystemClock()
        )


def free_batches(connection: Connection, campaign: Campaign, person: Person) -> list[str]:
    """Batches a person may claim, in order: with a free slot, never had, within the limit.

    Empty if the claim rule excludes the person. Not for pilots.
    """
    rule = ClaimRule.from_campaign(campaign)
    if not _meets(connection, rule.requirements, person):
        return []
    return [batch.code_name for batch in _claimable_batches(connection, campaign, person, rule)]


def _meets(connection: Connection, requirements: StaffingRequirements, person: Person) -> bool:
    return requirements == NO_REQUIREMENTS or requirements.fits(profiles(connection)[person.name])


def _claimable_batches(
    connection: Connection, campaign: Campaign, person: Person, rule: ClaimRule
) -> list[Batch]:
    """Batches with a free slot that the person never had, within the rule's limit, in order."""
    overlap = stored_protocol(campaign.protocol).overlap
    n_taken = Counter(batch for batch, _ in taken_slots(connection, campaign.id))
    own_batches = {
        batch for batch, name in assigned_pairs(connection, campaign.id) if name == person.name
    }
    barred = barred_pairs(connection, campaign.id, person.id)
    barred |= barred_by_variants(connection, campaign, person.id)
    barred |= barred_by_own_answers(connection, campaign.id, person.id)
    sizes = batch_sizes(connection, campaign.id)
    room = (
        None
        if rule.most_tasks is None
        else room_for(connection, campaign.id, [person.name], rule.most_tasks)[person.name]
    )
    return [
        batch
        for batch in batches_in_order(connection, campaign.id)
        if n_taken[batch.code_name] < overlap
        and batch.code_name not in own_batches
        and (batch.id, person.id) not in barred
        and sizes.get(batch.code_name, 0) > 0
        and (room is None or sizes.get(batch.code_name, 0) <= room)
    ]


def _claim_pilot(connection: Connection, campaign: Campaign, person: Person, clock: Clock) -> int:
    batch = next_pilot_batch(connection, campaign.id, person.id)
    if batch is None:
        raise ConflictError(no_batch_left(campaign.name))
    code_name = connection.execute(select(Batch.code_name).where(Batch.id == batch)).scalar_one()
    return insert_assignment(connection, campaign, batch, code_name, person, clock)
