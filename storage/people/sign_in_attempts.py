"""Sign-in attempts counted against limits, shared by all servers and kept across restarts.

They are counted under digests that only this workspace can compute, not under names or addresses.
Rows are removed when no limit counts them any more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Connection, delete, func, insert, select

from pagetrail.annotation.clock import SystemClock, iso
from pagetrail.annotation.ports import Clock
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.portable_sql import database_time
from pagetrail.storage.database.tables import SignInAttempt
from pagetrail.storage.database.workspace import Workspace

LONGEST_WINDOW = timedelta(minutes=10)
MAX_ROWS = 30_000
"""The oldest rows beyond this are removed, so that invented names cannot fill the disk."""
_PART = "sign-ins"


@dataclass(frozen=True)
class Limit:
    """Maximum number of failed attempts under one digest.

    Attributes:
        window: how long each counts, at most ``LONGEST_WINDOW``.
    """

    digest: str
    attempts: int
    window: timedelta


def count_attempt(
    workspace: Workspace, limits: Sequence[Limit], *, clock: Clock | None = None
) -> Sequence[int]:
    """Count an attempt under every limit, if each allows one.

    Returns:
        The ids of the counted rows, in the order of the limits; empty if a limit is reached.
    """
    clock = clock or SystemClock()
    with workspace.engine.connect() as connection:
        # Refused attempts do not wait for the write lock.
        if not _allowed(connection, limits, _now(connection, clock)):
            return ()
    with write_transaction(workspace.engine, _PART) as connection:
        now = _now(connection, clock)
        if not _allowed(connection, limits, now):
            return ()
        ids = [_insert(connection, limit.digest, now) for limit in limits]
        old = ~SignInAttempt.at.between(*_time_range(now, LONGEST_WINDOW))
        too_many = SignInAttempt.id <= ids[-1] - MAX_ROWS
        connection.execute(delete(SignInAttempt).where(old | too_many))
    return ids


def forget_attempts(workspace: Workspace, ids: Sequence[int], digest: str) -> None:
    """Forget a successful attempt and all others under the digest."""
    with write_transaction(workspace.engine, _PART) as connection:
        connection.execute(
            delete(SignInAttempt).where(
                SignInAttempt.id.in_(ids) | (SignInAttempt.digest == digest)
            )
        )


def _now(connection: Connection, clock: Clock) -> datetime:
    """The database's time if servers share a database; else the clock's."""
    return connection.execute(select(database_time())).scalar() or clock.now()


def _allowed(connection: Connection, limits: Sequence[Limit], now: datetime) -> bool:
    return all(
        connection.execute(
            select(func.count()).where(
                SignInAttempt.digest == limit.digest,
                SignInAttempt.at.between(*_time_range(now, limit.window)),
            )
        ).scalar_one()
        < limit.attempts
        for limit in limits
    )


def _time_range(now: datetime, window: timedelta) -> tuple[str, str]:
    """Times that count. Future times, from before the clock was set back, do not."""
    return iso(now - window), iso(now + window)


def _insert(connection: Connection, digest: str, now: datetime) -> int:
    row = insert(SignInAttempt).values(digest=digest, at=iso(now))
    key = connection.execute(row).inserted_primary_key
    assert key is not None
    return int(key[0])
