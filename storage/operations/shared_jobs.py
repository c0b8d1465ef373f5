"""Commands to jobs that another server on the same PostgreSQL database runs."""

from __future__ import annotations

from typing import get_args

from sqlalchemy import Engine, delete, select

from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.job_states import JobRequest
from pagetrail.storage.database.portable_sql import insert_into
from pagetrail.storage.database.tables import Meta


def send_command(engine: Engine, kind: str, id_: int, command: JobRequest) -> None:
    """Have the server that runs a job cancel, pause or resume it."""
    value = f"{id_} {command}"
    with write_transaction(engine, f"job/{kind}") as connection:
        row = insert_into(connection, Meta).values(key=_command_key(kind), value=value)
        connection.execute(row.on_conflict_do_update(index_elements=["key"], set_={"value": value}))


def take_command(engine: Engine, kind: str, id_: int) -> JobRequest | None:
    """The latest command to a job, removed from the database."""
    is_command = Meta.key == _command_key(kind)
    with engine.connect() as connection:
        value = connection.execute(select(Meta.value).where(is_command)).scalar()
    if value is None:
        return None
    with write_transaction(engine, f"job/{kind}") as connection:
        connection.execute(delete(Meta).where(is_command, Meta.value == value))
    number, _, command = str(value).partition(" ")
    return command if number == str(id_) and command in get_args(JobRequest) else None  # type: ignore[return-value]


def _command_key(kind: str) -> str:
    return f"job_asked/{kind}"
