"""Sign-in sessions of browsers."""

from __future__ import annotations

import secrets
from collections.abc import Collection
from datetime import timedelta
from hashlib import sha256

from sqlalchemy import bindparam, delete, insert, select

from pagetrail.annotation.clock import SystemClock, iso
from pagetrail.annotation.ports import Clock
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.tables import LoginSession, User
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.accounts import Person, person_of

# Built once: every request runs them.
_IS_OPEN = (LoginSession.expires_at > bindparam("now"), User.active.is_(True))
_BY_SESSION = (
    select(User)
    .join(LoginSession, LoginSession.user_id == User.id)
    .where(LoginSession.token_sha256 == bindparam("digest"), *_IS_OPEN)
)
_ROLES = (
    select(LoginSession.token_sha256, User.role)
    .join(User, LoginSession.user_id == User.id)
    .where(LoginSession.token_sha256.in_(bindparam("digests", expanding=True)), *_IS_OPEN)
)


def open_session(
    workspace: Workspace,
    user_id: int,
    ttl: timedelta,
    *,
    service_session: str | None = None,
    clock: Clock | None = None,
) -> str:
    """Start a session and return its token: 256 random bits, URL-safe. Expired ones are removed.

    Args:
        service_session: the session's id at the sign-in service; "" if unknown.
    """
    token = secrets.token_urlsafe(32)
    now = (clock or SystemClock()).now()
    with write_transaction(workspace.engine) as connection:
        connection.execute(delete(LoginSession).where(LoginSession.expires_at <= iso(now)))
        connection.execute(
            insert(LoginSession).values(
                token_sha256=session_digest(token),
                user_id=user_id,
                created_at=iso(now),
                expires_at=iso(now + ttl),
                service_session=service_session,
            )
        )
    return token


def session_user(workspace: Workspace, token: str, *, clock: Clock | None = None) -> Person | None:
    """The session's person; None if it is unknown, closed or expired, or the person inactive."""
    now = iso((clock or SystemClock()).now())
    with workspace.engine.connect() as connection:
        row = connection.execute(
            _BY_SESSION, {"digest": session_digest(token), "now": now}
        ).one_or_none()
    return None if row is None else person_of(row)


def session_roles(
    workspace: Workspace, digests: Collection[str], *, clock: Clock | None = None
) -> dict[str, str]:
    """Digest → current role of its person, for those of the sessions that are still open."""
    now = iso((clock or SystemClock()).now())
    parameters = {"digests": list(digests), "now": now}
    with workspace.engine.connect() as connection:
        return {row.token_sha256: row.role for row in connection.execute(_ROLES, parameters)}


def is_of_service(workspace: Workspace, token: str) -> bool:
    """Whether a sign-in service started the session, rather than a password."""
    started = select(LoginSession.service_session).where(
        LoginSession.token_sha256 == session_digest(token)
    )
    with workspace.engine.connect() as connection:
        return connection.execute(started).scalar() is not None


def close_session(workspace: Workspace, token: str) -> None:
    """End a session; an unknown token changes nothing."""
    with write_transaction(workspace.engine) as connection:
        connection.execute(
            delete(LoginSession).where(LoginSession.token_sha256 == session_digest(token))
        )


def session_digest(token: str) -> str:
    """The stored digest of a session's token."""
    return sha256(token.encode("utf-8", "surrogatepass")).hexdigest()
