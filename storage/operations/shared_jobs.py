"""Jobs of several servers on one PostgreSQL database: who runs one, and what others ask of it.

A job that runs holds a lock of the database, which ends with its server; so nobody has to guess
from times whether a job in the table still runs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import get_args
from zlib import crc32

from sqlalchemy import Connection, Engine, func, literal, select, text

from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.job_states import Asked
from pagetrail.storage.database.portable_sql import insert_into
from pagetrail.storage.database.tables import META

_JOBS = 7_244
"""First key of the locks of jobs; the second is a checksum of their kind."""
_HELD = text(
    "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 2 "
    "AND classid = :jobs AND objid = :kind AND database = "
    "(SELECT oid FROM pg_database WHERE datname = current_database())"
)


@dataclass(frozen=True)
class JobHold:
    """The lock of a kind of job."""

    connection: Connection

    def check(self) -> None:
        """Make sure that it is still held.

        Raises:
            StorageError: the connection was lost, and with it the lock.
        """
        self.connection.execute(select(1))

    def release(self) -> None:
        """Let others start such a job."""
        self.connection.invalidate()
        self.connection.close()


def hold_job(engine: Engine, kind: str) -> JobHold | None:
    """The lock of a kind of job; None while another server has it."""
    connection = engine.connect().execution_options(isolation_level="AUTOCOMMIT")
    connection.detach()
    taken = select(func.pg_try_advisory_lock(literal(_JOBS), literal(_key(kind))))
    if connection.execute(taken).scalar():
        return JobHold(connection)
    connection.close()
    return None


def is_held(engine: Engine, kind: str) -> bool:
    """Whether some server runs such a job."""
    with engine.connect() as connection:
        return bool(connection.execute(_HELD, {"jobs": _JOBS, "kind": _key(kind)}).scalar())


def ask(engine: Engine, kind: str, id_: int, what: Asked) -> None:
    """Ask whichever server runs a job to cancel, pause or resume it."""
    said = f"{id_} {what}"
    with write_transaction(engine, f"job/{kind}") as connection:
        row = insert_into(connection, META).values(key=_asked(kind), value=said)
        connection.execute(row.on_conflict_do_update(index_elements=["key"], set_={"value": said}))


def take_asked(engine: Engine, kind: str, id_: int) -> Asked | None:
    """What was asked of a job since this was last called."""
    mine = META.c.key == _asked(kind)
    with engine.connect() as connection:
        said = connection.execute(select(META.c.value).where(mine)).scalar()
    if said is None:
        return None
    with write_transaction(engine, f"job/{kind}") as connection:
        connection.execute(META.delete().where(mine, META.c.value == said))
    number, _, what = str(said).partition(" ")
    return what if number == str(id_) and what in get_args(Asked) else None  # type: ignore[return-value]


def _asked(kind: str) -> str:
    return f"job_asked/{kind}"


def _key(kind: str) -> int:
    return crc32(kind.encode()) & 0x7FFF_FFFF
