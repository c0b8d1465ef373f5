"""Keeps variants of one question from one person, in campaigns whose protocol keeps them apart.

A person has met a question if they have or had a batch with it: a withdrawn batch counts once it
was opened. Everything that assigns batches asks this module.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping

from sqlalchemy import Connection, select

from pagetrail.annotation.errors import ConflictError
from pagetrail.annotation.messages import gettext
from pagetrail.annotation.tasks.variants import VARIANT_OF
from pagetrail.storage.database.json_cache import stored_protocol
from pagetrail.storage.database.statuses import WITHDRAWN
from pagetrail.storage.database.tables import (
    Assignment,
    Attempt,
    Batch,
    Campaign,
    EventRow,
    Task,
)
from pagetrail.storage.people.accounts import Person

_VARIANT_OF = Task.record[VARIANT_OF].as_string()


def batches_with_variants(
    connection: Connection, campaign: Campaign
) -> Mapping[int, Collection[int]]:
    """Batch id → other batches with variants of its questions, which nobody should have as well.

    Empty if the campaign has no variants, lets people have several of a question, or is a pilot,
    which people may take again.
    """
    protocol = stored_protocol(campaign.protocol)
    if protocol.variants == "together" or protocol.pilot.enabled:
        return {}
    variants = connection.execute(
        select(Task.batch_id, _VARIANT_OF.label("family")).where(
            Task.campaign_id == campaign.id, _VARIANT_OF.is_not(None), Task.copy_of.is_(None)
        )
    ).all()
    if not variants:
        return {}
    batches_of: dict[str, set[int]] = defaultdict(set)
    for row in variants:
        batches_of[row.family].add(row.batch_id)
    originals = connection.execute(
        select(Task.batch_id, Task.key).where(
            Task.campaign_id == campaign.id, _VARIANT_OF.is_(None), Task.copy_of.is_(None)
        )
    )
    for row in originals:
        if row.key in batches_of:
            batches_of[row.key].add(row.batch_id)
    other_batches: dict[int, set[int]] = defaultdict(set)
    for batches in batches_of.values():
        for batch in batches:
            other_batches[batch] |= batches - {batch}
    return {batch: kept_apart for batch, kept_apart in other_batches.items() if kept_apart}


def batch_names_with_variants(
    connection: Connection, campaign: Campaign
) -> dict[str, frozenset[str]]:
    """``batches_with_variants`` by code names."""
    other_batches = batches_with_variants(connection, campaign)
    if not other_batches:
        return {}
    names = _code_names(connection, campaign.id)
    return {
        names[batch]: frozenset(names[other] for other in kept_apart)
        for batch, kept_apart in other_batches.items()
    }


def barred_by_variants(
    connection: Connection, campaign: Campaign, user_id: int | None = None
) -> set[tuple[int, int]]:
    """(batch, person) ids where the person has met another variant of a question in the batch.

    Args:
        user_id: only pairs of this person.
    """
    other_batches = batches_with_variants(connection, campaign)
    if not other_batches:
        return set()
    is_opened = (
        select(EventRow.id)
        .join(Attempt, Attempt.id == EventRow.attempt_id)
        .where(Attempt.assignment_id == Assignment.id)
        .exists()
    )
    statement = select(Assignment.batch_id, Assignment.user_id).where(
        Assignment.batch_id.in_(other_batches), (Assignment.status != WITHDRAWN) | is_opened
    )
    if user_id is not None:
        statement = statement.where(Assignment.user_id == user_id)
    return {
        (other, row.user_id)
        for row in connection.execute(statement)
        for other in other_batches[row.batch_id]
    }


def names_barred_by_variants(
    connection: Connection, campaign: Campaign, people: Collection[Person]
) -> set[tuple[str, str]]:
    """``barred_by_variants`` as (batch code name, annotator name)."""
    pairs = barred_by_variants(connection, campaign)
    if not pairs:
        return set()
    batches = _code_names(connection, campaign.id)
    names = {person.id: person.name for person in people}
    return {(batches[batch], names[user]) for batch, user in pairs if user in names}


def require_no_variant_in(
    connection: Connection, campaign: Campaign, batch_id: int, person: Person
) -> None:
    """Refuse to assign a batch to a person who has met another variant of a question in it.

    Raises:
        ConflictError: the person has.
    """
    if (batch_id, person.id) in barred_by_variants(connection, campaign, person.id):
        raise ConflictError(
            gettext(
                "{person} has had another variant of a question in this batch of {campaign}. "
                "Assign the batch to somebody else, or set “variants” to “together” for a new "
                "campaign.",
                person=person.name,
                campaign=campaign.name,
            ),
            code="variant_met",
        )


def _code_names(connection: Connection, campaign_id: int) -> dict[int, str]:
    rows = connection.execute(
        select(Batch.id, Batch.code_name).where(Batch.campaign_id == campaign_id)
    )
    return {row.id: row.code_name for row in rows}
