"""People who can be assigned batches."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection, select

from pagetrail.annotation.errors import ConflictError
from pagetrail.annotation.messages import gettext
from pagetrail.storage.database.tables import User
from pagetrail.storage.people.accounts import Person, people_by_name, person_of
from pagetrail.storage.people.profiles import NO_REQUIREMENTS, StaffingRequirements, profiles


def active_annotators(connection: Connection) -> list[Person]:
    """All active annotators, in the order they were added."""
    rows = connection.execute(
        select(User).where(User.role == "annotator", User.active.is_(True)).order_by(User.id)
    )
    return [person_of(row) for row in rows]


def chosen_annotators(
    connection: Connection,
    names: Sequence[str] | None,
    requirements: StaffingRequirements = NO_REQUIREMENTS,
) -> list[Person]:
    """The people with these names, or all active annotators, who meet the requirements.

    Raises:
        NotFoundError: nobody has one of the names.
        ConflictError: somebody is inactive or not an annotator, or nobody meets the requirements.
    """
    people = active_annotators(connection) if names is None else people_by_name(connection, names)
    for person in people:
        require_annotator(person)
    if requirements == NO_REQUIREMENTS:
        return people
    profile_by_id = profiles(connection)
    fitting = [person for person in people if requirements.fits(profile_by_id[person.name])]
    if not fitting:
        raise ConflictError(
            gettext(
                "No active annotator matches: {words}. Nothing was assigned.",
                words=requirements.words(),
            )
        )
    return fitting


def require_annotator(person: Person) -> None:
    """Refuse a person who cannot be assigned batches.

    Raises:
        ConflictError: inactive, or not an annotator.
    """
    if person.role != "annotator":
        raise ConflictError(
            gettext(
                "{person} has the role {role}; batches go to annotators.",
                person=person.name,
                role=person.role,
            )
        )
    if not person.active:
        raise ConflictError(
            gettext("{person} is inactive. Activate the account first.", person=person.name)
        )
