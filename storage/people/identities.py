"""Accounts of an organisation's sign-in service (OpenID Connect) and the people they belong to.

A service identifies a person by a subject, which never changes, unlike names and addresses. An
identity is the pair of issuer and subject (OpenID Connect Core 1.0, section 2, ``sub``).
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection, delete, insert, select, update

from pagetrail.annotation.clock import SystemClock, iso
from pagetrail.annotation.errors import ConflictError, NotFoundError
from pagetrail.annotation.messages import N_, gettext
from pagetrail.annotation.ports import Clock
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.tables import IdentityRow, LoginSession, User
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.accounts import (
    Person,
    check_role,
    insert_user,
    person_of,
    require_user,
)
from pagetrail.storage.people.administration import keep_an_admin, managed_account
from pagetrail.storage.people.audit import PersonName, audit_in
from pagetrail.storage.people.confusable_names import check_new_name
from pagetrail.storage.people.single_sign_out import is_signed_out


@dataclass(frozen=True)
class Identity:
    """An account of a sign-in service.

    Attributes:
        issuer: the service's address, as in its tokens.
        subject: the service's id for the account.
    """

    issuer: str
    subject: str


@dataclass(frozen=True)
class ConnectedIdentity:
    """An identity with which somebody signs in.

    Attributes:
        connected_at: ISO 8601.
        is_new: whether the person has a password and has not been told of it.
    """

    identity: Identity
    connected_at: str
    is_new: bool


def identities_of(workspace: Workspace, person: Person) -> list[ConnectedIdentity]:
    """The person's identities, the newest first."""
    stored = (
        select(
            IdentityRow.issuer, IdentityRow.subject, IdentityRow.created_at,
            User.password_hash, User.preferences,
        )
        .join(User, User.id == IdentityRow.user_id)
        .where(IdentityRow.user_id == person.id)
        .order_by(IdentityRow.created_at.desc(), IdentityRow.subject)
    )  # fmt: skip
    with workspace.engine.connect() as connection:
        rows = connection.execute(stored).all()
    return [
        ConnectedIdentity(
            Identity(row.issuer, row.subject),
            row.created_at,
            row.password_hash is not None
            and row.created_at > (row.preferences or {}).get("identities_seen_at", ""),
        )
        for row in rows
    ]


def remove_identity(
    workspace: Workspace,
    by: Person | None,
    name: str,
    identity: Identity,
    *,
    clock: Clock | None = None,
) -> None:
    """Disconnect an identity; sessions that the service started end, also on open screens.

    Args:
        by: the person, or whoever manages the account.

    Raises:
        NotFoundError: no such person, or not the person's identity.
        ConflictError: it is one's own last way to sign in.
        Forbidden: ``by`` may not do this.
    """
    with write_transaction(workspace.engine) as connection:
        row = require_user(connection, name)
        is_own = by is not None and by.id == row.id
        if not is_own:
            managed_account(
                connection,
                by,
                name,
                N_(
                    "As {role} you may not remove a sign-in of {person}, who is {rank}. "
                    "Ask an admin."
                ),
            )
        of_person = IdentityRow.user_id == row.id
        others = select(IdentityRow.user_id).where(
            of_person,
            (IdentityRow.issuer != identity.issuer) | (IdentityRow.subject != identity.subject),
        )
        if is_own and row.password_hash is None and connection.execute(others).first() is None:
            raise ConflictError(
                gettext(
                    "This is your only way to sign in. Ask an admin for a password first, then "
                    "remove it."
                )
            )
        removed = delete(IdentityRow).where(
            of_person,
            IdentityRow.issuer == identity.issuer,
            IdentityRow.subject == identity.subject,
        )
        if connection.execute(removed).rowcount == 0:
            raise NotFoundError(gettext("This sign-in has been removed already."))
        connection.execute(
            delete(LoginSession).where(
                LoginSession.user_id == row.id, LoginSession.service_session.is_not(None)
            )
        )
        detail = [PersonName(row.name), f": {identity.issuer}"]
        audit_in(connection, by, "identity_removed", detail, clock=clock)


def signed_in_person(
    workspace: Workspace, identity: Identity, role: str, *, clock: Clock | None = None
) -> Person | None:
    """The identity's person, in the role that the service gives now, or None.

    The last active admin stays one; an inactive person's role does not change.
    """
    check_role(role)
    owner = _OWNER.where(
        IdentityRow.issuer == identity.issuer, IdentityRow.subject == identity.subject
    )
    with workspace.engine.connect() as connection:
        row = connection.execute(owner).one_or_none()
    if row is None or row.role == role or not row.active:
        return None if row is None else person_of(row)
    with write_transaction(workspace.engine) as connection:
        return _with_role(connection, person_of(connection.execute(owner).one()), role, clock)


def add_person(
    workspace: Workspace,
    identity: Identity,
    name: str,
    role: str,
    *,
    session: str = "",
    since: float = 0.0,
    clock: Clock | None = None,
) -> Person:
    """Create an account without a password for a new identity.

    Args:
        session: of the service (``sid``); "" where it names none.
        since: when the identity was signed in at the service, seconds since 1970.

    Raises:
        PagetrailError: name or role is not allowed.
        ConflictError: the name is taken, ignoring case, or the identity is somebody's, or has been
            signed out since.
    """
    check_role(role)
    name = check_new_name(name)
    clock = clock or SystemClock()
    with write_transaction(workspace.engine) as connection:
        _require_signed_in(connection, identity, session, since)
        person = insert_user(connection, name, role, None, clock)
        _connect(connection, person, identity, clock)
        detail = [PersonName(person.name), f" as {role}"]
        audit_in(connection, person, "user_added", detail, clock=clock)
    return person


def connect_identity(
    workspace: Workspace,
    person: Person,
    identity: Identity,
    role: str,
    *,
    session: str = "",
    since: float = 0.0,
    clock: Clock,
) -> Person:
    """Connect a new identity with an existing account.

    Args:
        session: as of ``add_person``, like ``since``.

    Returns:
        The person, in the role that the service gives.

    Raises:
        ConflictError: the identity already belongs to somebody, or has been signed out since.
    """
    with write_transaction(workspace.engine) as connection:
        _require_signed_in(connection, identity, session, since)
        _connect(connection, person, identity, clock)
        return _with_role(connection, person, role, clock)


def uses_password(workspace: Workspace, person: Person) -> bool:
    """Whether the person has a password, unlike people who use single sign-on."""
    password_hash = select(User.password_hash).where(User.id == person.id)
    with workspace.engine.connect() as connection:
        return connection.execute(password_hash).scalar() is not None


_OWNER = select(User).join(IdentityRow, IdentityRow.user_id == User.id)


def _connect(connection: Connection, person: Person, identity: Identity, clock: Clock) -> None:
    pair = {"issuer": identity.issuer, "subject": identity.subject}
    if connection.execute(select(IdentityRow.user_id).filter_by(**pair)).first() is not None:
        raise ConflictError(gettext("This sign-in has an account here already. Sign in again."))
    connection.execute(
        insert(IdentityRow).values(user_id=person.id, created_at=iso(clock.now()), **pair)
    )
    audit_in(connection, person, "identity_connected", identity.issuer, clock=clock)


def _require_signed_in(
    connection: Connection, identity: Identity, session: str, since: float
) -> None:
    if is_signed_out(connection, identity.issuer, identity.subject, session, since):
        raise ConflictError(
            gettext("You have signed out at the sign-in service meanwhile. Sign in again.")
        )


def _with_role(connection: Connection, person: Person, role: str, clock: Clock | None) -> Person:
    if person.role == role:
        return person
    try:
        keep_an_admin(connection, require_user(connection, person.name))
    except ConflictError:
        return person
    connection.execute(update(User).where(User.id == person.id).values(role=role))
    detail = [PersonName(person.name), f": {person.role} → {role}, by single sign-on"]
    audit_in(connection, person, "role_changed", detail, clock=clock)
    return person_of(require_user(connection, person.name))
