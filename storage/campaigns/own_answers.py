"""Keeps people from judging their own answers, in campaigns whose protocol does not allow it.

A judged answer names who answered, under their name or pseudonym. Everything that assigns batches
asks this module.
"""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import Connection, select

from pagetrail.annotation.errors import ConflictError
from pagetrail.annotation.messages import gettext
from pagetrail.annotation.tasks.blind_judging import names_of_answers
from pagetrail.storage.database.json_cache import stored_protocol
from pagetrail.storage.database.tables import Batch, Campaign, Task, User
from pagetrail.storage.people.accounts import Person
from pagetrail.storage.people.system_roles import NOT_PEOPLE

_ANSWERED_BY = Task.record["prediction"]["system"].as_string()


def people_by_answer_name(connection: Connection) -> dict[str, int]:
    """Each name under which a person's answers may go → the person's id."""
    people = connection.execute(
        select(User.id, User.name, User.pseudonym).where(User.role.not_in(NOT_PEOPLE))
    )
    return {
        name: person.id
        for person in people
        for name in names_of_answers(person.name, person.pseudonym)
    }


def barred_by_own_answers(
    connection: Connection, campaign_id: int, user_id: int | None = None
) -> set[tuple[int, int]]:
    """(batch, person) ids where the batch has an answer of the person to judge.

    Empty if the campaign judges no answers, or lets people judge their own.

    Args:
        user_id: only pairs of this person.
    """
    stored = connection.execute(
        select(Campaign.protocol).where(Campaign.id == campaign_id)
    ).scalar_one()
    protocol = stored_protocol(stored)
    if protocol.own_answers or not protocol.shows_predictions:
        return set()
    people = people_by_answer_name(connection)
    answers = connection.execute(
        select(Task.batch_id, _ANSWERED_BY.label("name"))
        .where(Task.campaign_id == campaign_id, _ANSWERED_BY.is_not(None))
        .distinct()
    )
    return {
        (row.batch_id, people[row.name])
        for row in answers
        if row.name in people and user_id in (None, people[row.name])
    }


def names_barred_by_own_answers(
    connection: Connection, campaign_id: int, people: Collection[Person]
) -> set[tuple[str, str]]:
    """``barred_by_own_answers`` as (batch code name, annotator name)."""
    names = {person.id: person.name for person in people}
    pairs = [pair for pair in barred_by_own_answers(connection, campaign_id) if pair[1] in names]
    batches = select(Batch.id, Batch.code_name).where(Batch.campaign_id == campaign_id)
    code_names = {row.id: row.code_name for row in connection.execute(batches)} if pairs else {}
    return {(code_names[batch], names[user]) for batch, user in pairs}


def require_no_own_answer_in(
    connection: Connection, campaign: Campaign, batch_id: int, person: Person
) -> None:
    """Refuse to assign a batch in which a person would judge an answer of their own.

    Raises:
        ConflictError: there is one.
    """
    if (batch_id, person.id) in barred_by_own_answers(connection, campaign.id, person.id):
        raise ConflictError(
            gettext(
                "{person} answered a task of this batch of {campaign}, and nobody judges their "
                "own answer. Assign the batch to somebody else, or set “own_answers” for a new "
                "campaign.",
                person=person.name,
                campaign=campaign.name,
            ),
            code="own_answer",
        )
