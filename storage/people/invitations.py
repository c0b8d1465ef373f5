"""Invitations: links with which people create their accounts, once and before they expire.

Only the SHA-256 of a link's token is stored, like a session's. Used and withdrawn invitations are
deleted; the audit log records them.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from sqlalchemy import Connection, delete, insert, select, update

from pagetrail.annotation.clock import SystemClock, iso
from pagetrail.annotation.errors import Forbidden, NotFoundError, PagetrailError
from pagetrail.annotation.messages import gettext
from pagetrail.annotation.ports import Clock
from pagetrail.storage.database.base import AnySelect
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.tables import InvitationRow, Meta, User
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.accounts import Person, check_role, insert_user
from pagetrail.storage.people.audit import COMMAND_LINE, PersonName, audit_in
from pagetrail.storage.people.confusable_names import check_new_name
from pagetrail.storage.people.credentials import hash_password
from pagetrail.storage.people.login_sessions import session_digest
from pagetrail.storage.people.profiles import clean_tags
from pagetrail.storage.people.roles import current_account, may_manage

DEFAULT_DAYS = 7
MAX_DAYS = 90
MAX_NOTE = 60
MAX_AT_ONCE = 100
FIRST_ADMIN_DAYS = 1
_FIRST_ADMIN = "first_admin_link"
"""Key in ``meta`` of the hash of the first admin's link."""
NOT_VALID = (
    "This invitation is not valid: it was used, withdrawn, or has expired. Ask whoever sent it for "
    "another."
)


@dataclass(frozen=True)
class Invitation:
    """A valid invitation.

    Attributes:
        note: whom it is for; shown to supervisors only.
        group: of the new account; "" for none.
        by: name of the inviter; None for the command line.
        expires_at: ISO-8601 UTC.
    """

    id: int
    role: str
    note: str
    group: str
    by: str | None
    created_at: str
    expires_at: str


def invite(
    workspace: Workspace,
    by: Person | None,
    role: str,
    *,
    days: int = DEFAULT_DAYS,
    note: str = "",
    group: str = "",
    clock: Clock | None = None,
) -> tuple[str, Invitation]:
    """Create an invitation, and remove expired ones.

    Returns:
        The token of its link, which is never stored, and the invitation.

    Raises:
        PagetrailError: no such role, or days, note or group are not allowed.
        Forbidden: ``by`` may not do this.
    """
    check_role(role)
    note, group = note.strip(), next(iter(clean_tags([group])), "")
    if not 1 <= days <= MAX_DAYS:
        raise PagetrailError(
            gettext(
                "An invitation is valid for 1 to {max_days} days, not {days}.",
                max_days=MAX_DAYS,
                days=days,
            )
        )
    if len(note) > MAX_NOTE or not note.isprintable():
        raise PagetrailError(
            gettext(
                "The note has at most {max_note} characters that can be seen.", max_note=MAX_NOTE
            )
        )
    clock = clock or SystemClock()
    token = secrets.token_urlsafe(32)
    with write_transaction(workspace.engine) as connection:
        if not may_manage(current_account(connection, by), role):
            raise Forbidden(gettext("Only admins invite {role}s.", role=role))
        row = {"role": role, "note": note, "group": group, "by_id": None if by is None else by.id}
        invitation = _insert(connection, token, days, clock, row)
        detail = f"{role}, until {invitation.expires_at[:10]}"
        audit_in(connection, by, "invited", detail, clock=clock)
    return token, invitation


def first_admin_link(
    workspace: Workspace, *, clock: Clock | None = None
) -> tuple[str, Invitation] | None:
    """A link for creating the first admin's account; an earlier one becomes invalid.

    It is valid for a day, as long as nobody administers the workspace.

    Returns:
        As ``invite``; None if somebody already administers the workspace.
    """
    clock = clock or SystemClock()
    token = secrets.token_urlsafe(32)
    with write_transaction(workspace.engine) as connection:
        earlier = connection.execute(_FIRST_ADMIN_DIGEST).scalar()
        connection.execute(delete(InvitationRow).where(InvitationRow.token_sha256 == earlier))
        connection.execute(delete(Meta).where(_IS_FIRST_ADMIN))
        if _administered(connection):
            return None
        digest = {"key": _FIRST_ADMIN, "value": session_digest(token)}
        connection.execute(insert(Meta).values(**digest))
        row = {"role": "admin", "note": "First admin", "group": "", "by_id": None}
        invitation = _insert(connection, token, FIRST_ADMIN_DAYS, clock, row)
        detail = f"the first admin, until {invitation.expires_at[:10]}"
        audit_in(connection, None, "invited", detail, clock=clock)
    return token, invitation


def is_administered(workspace: Workspace) -> bool:
    """Whether an admin or a supervisor can sign in."""
    with workspace.engine.connect() as connection:
        return _administered(connection)


def invitations(workspace: Workspace, *, clock: Clock | None = None) -> list[Invitation]:
    """Valid invitations, newest first."""
    now = iso((clock or SystemClock()).now())
    unexpired = _WITH_INVITER.where(InvitationRow.expires_at > now).order_by(
        InvitationRow.id.desc()
    )
    with workspace.engine.connect() as connection:
        return [_invitation(row) for row in connection.execute(unexpired) if _inviter_may(row)]


def invitation_of(workspace: Workspace, token: str, *, clock: Clock | None = None) -> Invitation:
    """The invitation of a link.

    Raises:
        NotFoundError: it is not valid, or no longer.
    """
    with workspace.engine.connect() as connection:
        return _valid(connection, token, clock or SystemClock())


def accept_invitation(
    workspace: Workspace, token: str, name: str, password: str, *, clock: Clock | None = None
) -> Person:
    """Create an account; the link cannot be used again.

    Raises:
        NotFoundError: the invitation is not valid, or no longer.
        PagetrailError: name or password is not allowed.
        ConflictError: the name is taken, ignoring case.
    """
    clock = clock or SystemClock()
    invitation_of(workspace, token, clock=clock)  # before the slow hashing
    name = check_new_name(name)
    hashed = hash_password(password)
    with write_transaction(workspace.engine) as connection:
        invitation = _valid(connection, token, clock)
        person = insert_user(connection, name, invitation.role, hashed, clock)
        if invitation.group:
            connection.execute(
                update(User).where(User.id == person.id).values(group=invitation.group)
            )
        connection.execute(delete(InvitationRow).where(InvitationRow.id == invitation.id))
        inviter = COMMAND_LINE if invitation.by is None else PersonName(invitation.by)
        detail = [PersonName(person.name), f" as {person.role}, invited by ", inviter]
        audit_in(connection, person, "invitation_accepted", detail, clock=clock)
    return person


def withdraw_invitation(workspace: Workspace, by: Person | None, id_: int) -> Invitation:
    """Withdraw an invitation; its link no longer works.

    Raises:
        NotFoundError: no such invitation, or no longer.
        Forbidden: ``by`` may not do this.
    """
    with write_transaction(workspace.engine) as connection:
        asker = current_account(connection, by)
        row = connection.execute(_WITH_INVITER.where(InvitationRow.id == id_)).one_or_none()
        if row is None:
            raise NotFoundError(gettext("This invitation was used or withdrawn already."))
        if not may_manage(asker, row.role):
            raise Forbidden(gettext("Only admins withdraw invitations of {role}s.", role=row.role))
        connection.execute(delete(InvitationRow).where(InvitationRow.id == id_))
        audit_in(connection, by, "invitation_withdrawn", row.role)
        return _invitation(row)


_WITH_INVITER: AnySelect = select(
    InvitationRow.id,
    InvitationRow.role,
    InvitationRow.note,
    InvitationRow.group,
    InvitationRow.by_id,
    InvitationRow.created_at,
    InvitationRow.expires_at,
    User.name.label("inviter"),
    User.role.label("inviter_role"),
    User.active.label("inviter_active"),
).outerjoin(User, User.id == InvitationRow.by_id)


_IS_FIRST_ADMIN: Any = Meta.key == _FIRST_ADMIN
_FIRST_ADMIN_DIGEST: AnySelect = select(Meta.value).where(_IS_FIRST_ADMIN)


def _insert(
    connection: Connection, token: str, days: int, clock: Clock, row: dict[str, Any]
) -> Invitation:
    now = clock.now()
    connection.execute(delete(InvitationRow).where(InvitationRow.expires_at <= iso(now)))
    connection.execute(
        insert(InvitationRow).values(
            token_sha256=session_digest(token),
            created_at=iso(now),
            expires_at=iso(now + timedelta(days=days)),
            **row,
        )
    )
    return _valid(connection, token, clock)


def _administered(connection: Connection) -> bool:
    supervisor_ids = select(User.id).where(
        User.role.in_(("admin", "supervisor")), User.active.is_(True)
    )
    return connection.execute(supervisor_ids.limit(1)).first() is not None


def _valid(connection: Connection, token: str, clock: Clock) -> Invitation:
    row = connection.execute(
        _WITH_INVITER.where(
            InvitationRow.token_sha256 == session_digest(token),
            InvitationRow.expires_at > iso(clock.now()),
        )
    ).one_or_none()
    if row is None or not _inviter_may(row):
        raise NotFoundError(NOT_VALID)
    is_first_admin = connection.execute(_FIRST_ADMIN_DIGEST).scalar() == session_digest(token)
    if is_first_admin and _administered(connection):
        raise NotFoundError(NOT_VALID)
    return _invitation(row)


def _inviter_may(row: Any) -> bool:
    """Whether the inviter still has the right to invite, without which an invitation is invalid."""
    if row.by_id is None:
        return True
    inviter = Person(row.by_id, row.inviter, row.inviter_role, "", bool(row.inviter_active))
    return inviter.active and may_manage(inviter, row.role)


def _invitation(row: Any) -> Invitation:
    return Invitation(
        row.id, row.role, row.note, row.group, row.inviter, row.created_at, row.expires_at
    )
