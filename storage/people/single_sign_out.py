"""Ends sessions when a sign-in service reports a sign-out."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256

from sqlalchemy import ColumnElement, Connection, delete, select

from pagetrail.annotation.clock import SystemClock, iso
from pagetrail.annotation.errors import ConflictError
from pagetrail.annotation.messages import gettext
from pagetrail.annotation.ports import Clock
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.portable_sql import insert_into
from pagetrail.storage.database.tables import (
    IdentityRow,
    LoginSession,
    UsedLogoutToken,
    User,
)
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.audit import audit_in

REMEMBERED = timedelta(hours=1)
"""How long used tokens are remembered; older tokens are refused for their age."""


@dataclass(frozen=True)
class SignedOut:
    """A verified logout token (OpenID Connect Back-Channel Logout 1.0, section 2.4).

    Attributes:
        issuer: the sign-in service.
        token_id: its ``jti``, unique to the issuer.
        subject: whose sessions end; "" if only the session is named.
        session: the service's session (``sid``); "" for all of the subject's.
    """

    issuer: str
    token_id: str
    subject: str
    session: str


def end_service_sessions(
    workspace: Workspace, signed_out: SignedOut, *, clock: Clock | None = None
) -> int:
    """End the sessions named by the token, except those started with a password.

    Returns:
        The number of ended sessions.

    Raises:
        ConflictError: the token has been used before.
    """
    clock = clock or SystemClock()
    now = clock.now()
    used = f"{signed_out.issuer} {signed_out.token_id}".encode("utf-8", "surrogatepass")
    ended: list[ColumnElement[bool]] = [LoginSession.service_session.is_not(None)]
    if signed_out.session:
        ended.append(LoginSession.service_session == signed_out.session)
    if signed_out.subject or not signed_out.session:
        owner = select(IdentityRow.user_id).where(
            IdentityRow.issuer == signed_out.issuer, IdentityRow.subject == signed_out.subject
        )
        ended.append(LoginSession.user_id.in_(owner))
    with write_transaction(workspace.engine) as connection:
        old = UsedLogoutToken.used_at < iso(now - REMEMBERED)
        connection.execute(delete(UsedLogoutToken).where(old))
        row = {"digest": sha256(used).hexdigest(), "used_at": iso(now)}
        token = insert_into(connection, UsedLogoutToken).values(row)
        if connection.execute(token.on_conflict_do_nothing()).rowcount == 0:
            raise ConflictError(gettext("This logout token has been used before."))
        # Also for those who have no session yet, on the page of the first sign-in.
        for digest in _signed_out_digests(
            signed_out.issuer, signed_out.subject, signed_out.session
        ):
            note = insert_into(connection, UsedLogoutToken)
            note = note.values(digest=digest, used_at=iso(now)).on_conflict_do_update(
                index_elements=["digest"], set_={"used_at": iso(now)}
            )
            connection.execute(note)
        sessions = select(User.name).join(LoginSession, LoginSession.user_id == User.id)
        names = list(connection.execute(sessions.where(*ended)).scalars())
        connection.execute(delete(LoginSession).where(*ended))
        for name in sorted(set(names)):
            audit_in(connection, name, "signed_out", signed_out.issuer, clock=clock)
    return len(names)


def is_signed_out(
    connection: Connection, issuer: str, subject: str, session: str, since: float
) -> bool:
    """Whether the service has reported, since then, that the subject or the session signed out.

    Args:
        session: of the service; "" where it names none.
        since: seconds since 1970.
    """
    reported = select(UsedLogoutToken.digest).where(
        UsedLogoutToken.digest.in_(_signed_out_digests(issuer, subject, session)),
        UsedLogoutToken.used_at >= iso(datetime.fromtimestamp(int(since), UTC)),
    )
    return connection.execute(reported).first() is not None


def _signed_out_digests(issuer: str, subject: str, session: str) -> list[str]:
    named = (("sub", subject), ("sid", session))
    keys = [f"{kind} {issuer} {value}" for kind, value in named if value]
    return [sha256(key.encode("utf-8", "surrogatepass")).hexdigest() for key in keys]
