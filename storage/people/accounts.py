"""People: who they are."""

from __future__ import annotations

import secrets
import unicodedata
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Literal

from sqlalchemy import Connection, delete, insert, select, update

from pagetrail.annotation.clock import SystemClock, iso
from pagetrail.annotation.errors import ConflictError, NotFoundError, PagetrailError
from pagetrail.annotation.messages import N_, gettext
from pagetrail.annotation.ports import Clock
from pagetrail.storage.database.base import AnyRow
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.tables import IdentityRow, LoginSession, User
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.audit import PersonName, audit_in
from pagetrail.storage.people.confusable_names import check_new_name, taken_names
from pagetrail.storage.people.credentials import (
    hash_password,
    is_outdated,
    verify_password,
)
from pagetrail.storage.people.system_roles import REVIEW

Role = Literal["annotator", "supervisor", "admin"]
ROLES: tuple[str, ...] = (N_("annotator"), N_("supervisor"), N_("admin"))
_ROLE_PHRASES = {
    "annotator": N_("an annotator"),
    "supervisor": N_("a supervisor"),
    "admin": N_("an admin"),
}
# Without vowels there are no words, and none of these looks like another.
_SIGNS = "23456789bcdfghjkmnpqrstvwxz"


def role_phrase(role: str) -> str:
    """The role with its article."""
    return gettext(_ROLE_PHRASES.get(role, role))


@dataclass(frozen=True)
class Person:
    """A person with an account.

    Attributes:
        role: ``annotator``, ``supervisor`` or ``admin``; ``system`` for imported runs.
        pseudonym: random, stored and never changed; the only name that leaves the workspace.
        active: may sign in and be assigned batches.
    """

    id: int
    name: str
    role: str
    pseudonym: str
    active: bool


def add_user(
    workspace: Workspace, name: str, role: str, password: str, *, clock: Clock | None = None
) -> Person:
    """Create an account.

    Raises:
        PagetrailError: the name, the role or the password is not allowed (codes
            ``invalid_name``, ``invalid_role``, ``invalid_password``).
        ConflictError: the name is taken, ignoring case.
    """
    check_role(role)
    name = check_new_name(name)
    hashed = hash_password(password)
    with write_transaction(workspace.engine) as connection:
        return insert_user(connection, name, role, hashed, clock or SystemClock())


def check_role(role: str) -> None:
    """Refuse anything but a person's role.

    Raises:
        PagetrailError: with the code ``invalid_role``.
    """
    if role not in ROLES:
        raise PagetrailError(
            gettext(
                "There is no role {role!r}. Roles: {roles}.", role=role, roles=", ".join(ROLES)
            ),
            code="invalid_role",
        )


def insert_user(
    connection: Connection, name: str, role: str, password_hash: str | None, clock: Clock
) -> Person:
    """Insert an account with a checked name and role; the transaction holds the write lock.

    Raises:
        ConflictError: the name is taken, ignoring case, or looks like one that is.
    """
    taken_names(connection).require_free(name)
    pseudonyms = connection.execute(select(User.pseudonym)).scalars()
    pseudonym = new_pseudonym(set(pseudonyms), role)
    key = connection.execute(
        insert(User).values(
            name=name,
            role=role,
            pseudonym=pseudonym,
            password_hash=password_hash,
            active=True,
            created_at=iso(clock.now()),
        )
    ).inserted_primary_key
    assert key is not None
    return Person(int(key[0]), name, role, pseudonym, True)


def authenticate(
    workspace: Workspace,
    name: str,
    password: str,
    verify: Callable[[str | None, str], bool] = verify_password,
) -> Person | None:
    """The person, if name and password are correct and the account is active; else None.

    Unknown names cost as much hashing as wrong passwords, so that response times do not reveal
    which names exist. Hashes with older parameters are renewed.
    """
    with workspace.engine.connect() as connection:
        row = find_user(connection, name)
    stored = row.password_hash if row is not None else None
    if not verify(stored, password) or row is None or not row.active:
        return None
    if stored is not None and is_outdated(stored):
        with write_transaction(workspace.engine) as connection:
            connection.execute(
                update(User)
                .where(User.id == row.id, User.password_hash == stored)
                .values(password_hash=hash_password(password))
            )
    return person_of(row)


def list_people(workspace: Workspace) -> list[Person]:
    """Everybody, inactive people and system users included, in the order they were added."""
    with workspace.engine.connect() as connection:
        return [person_of(row) for row in connection.execute(select(User).order_by(User.id))]


def find_person(workspace: Workspace, name: str) -> Person:
    """The person with this name, ignoring case.

    Raises:
        NotFoundError: no such person; the message lists those that exist.
    """
    with workspace.engine.connect() as connection:
        return person_of(require_user(connection, name))


def set_password(
    workspace: Workspace,
    name: str,
    password: str,
    *,
    keep: str = "",
    with_identities_removed: bool = False,
) -> None:
    """Set a new password, and end the person's sessions except the one with digest ``keep``.

    Args:
        with_identities_removed: whether single sign-on has to be connected again.

    Raises:
        NotFoundError: no such person.
        ConflictError: a system user, who cannot sign in.
        PagetrailError: the password is not allowed (code ``invalid_password``).
    """
    hashed = hash_password(password)
    with write_transaction(workspace.engine) as connection:
        row = require_user(connection, name)
        if row.role not in ROLES:
            raise ConflictError(
                gettext("{name} is an imported run and cannot sign in.", name=row.name)
            )
        connection.execute(update(User).where(User.id == row.id).values(password_hash=hashed))
        other_sessions = (LoginSession.user_id == row.id, LoginSession.token_sha256 != keep)
        connection.execute(delete(LoginSession).where(*other_sessions))
        if with_identities_removed:
            remove_identities(connection, row, person_of(row))


def remove_identities(connection: Connection, row: AnyRow, actor: Person | None) -> None:
    """Disconnect everything with which the person signs in at a service."""
    removed = delete(IdentityRow).where(IdentityRow.user_id == row.id)
    if connection.execute(removed).rowcount:
        audit_in(connection, actor, "identity_removed", [PersonName(row.name), ": all"])


def people_by_name(connection: Connection, names: Sequence[str]) -> list[Person]:
    """The people with these names, each once, in this order.

    Raises:
        NotFoundError: nobody has one of the names.
    """
    people = [person_of(require_user(connection, name)) for name in names]
    return list(dict.fromkeys(people))


def person_of(row: AnyRow) -> Person:
    """The person in a row of the user table."""
    return Person(row.id, row.name, row.role, row.pseudonym, bool(row.active))


def find_user(connection: Connection, name: str) -> AnyRow | None:
    """The row of the person or system with this name, ignoring case, or None."""
    folded_name = unicodedata.normalize("NFC", name).casefold()
    # Compared in Python, since SQLite folds the case of ASCII only.
    for row in connection.execute(select(User)):
        if row.name.casefold() == folded_name:
            return row
    return None


def require_user(connection: Connection, name: str) -> AnyRow:
    """The row of the person or system with this name, ignoring case.

    Raises:
        NotFoundError: there is none; the message lists those that exist.
    """
    row = find_user(connection, name)
    if row is None:
        user_names = (
            connection.execute(
                select(User.name).where(User.role != REVIEW).order_by(User.id).limit(20)
            )
            .scalars()
            .all()
        )
        hint = f"Users: {', '.join(user_names)}." if user_names else "There are no users yet."
        raise NotFoundError(gettext("There is no user {name!r}. {hint}", name=name, hint=hint))
    return row


def new_pseudonym(taken_pseudonyms: Collection[str], role: str) -> str:
    """The role and five random characters; consecutive numbers would reveal who joined when."""
    while True:
        pseudonym = f"{role}-{''.join(secrets.choice(_SIGNS) for _ in range(5))}"
        if pseudonym not in taken_pseudonyms:
            return pseudonym
