"""The last job of each kind, and commands to jobs of other servers on the same database.

A job is stored when it starts and when it has ended; where several servers share the database, also
while it runs, so that all of them show its progress.
"""

from __future__ import annotations

from typing import Literal, get_args

from sqlalchemy import Engine, delete, select

from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.portable_sql import insert_into
from pagetrail.storage.database.tables import Job, Meta

JobCommand = Literal["cancel", "pause", "resume"]


def last_jobs(engine: Engine) -> list[Job]:
    """The last stored job of each kind."""
    with engine.connect() as connection:
        return [Job.from_row(row) for row in connection.execute(select(*Job.__table__.columns))]


def last_job(engine: Engine, kind: str) -> Job | None:
    """The last stored job of a kind."""
    return next((job for job in last_jobs(engine) if job.kind == kind), None)


def store_job(engine: Engine, job: Job) -> None:
    """Store a job in place of an earlier one of its kind, never in place of a later one.

    Raises:
        StorageError: the database cannot be written.
    """
    values = job.model_dump()
    with write_transaction(engine, f"job/{job.kind}") as connection:
        new = insert_into(connection, Job).values(values)
        latest = new.on_conflict_do_update(
            index_elements=["kind"],
            set_={name: new.excluded[name] for name in values},
            where=new.excluded.id >= Job.id,
        )
        connection.execute(latest)


def send_command(engine: Engine, kind: str, id_: int, command: JobCommand) -> None:
    """Have the server that runs a job cancel, pause or resume it."""
    value = f"{id_} {command}"
    with write_transaction(engine, f"job/{kind}") as connection:
        row = insert_into(connection, Meta).values(key=_command_key(kind), value=value)
        connection.execute(row.on_conflict_do_update(index_elements=["key"], set_={"value": value}))


def take_command(engine: Engine, kind: str, id_: int) -> JobCommand | None:
    """The latest command to a job, removed from the database."""
    is_command = Meta.key == _command_key(kind)
    with engine.connect() as connection:
        value = connection.execute(select(Meta.value).where(is_command)).scalar()
    if value is None:
        return None
    with write_transaction(engine, f"job/{kind}") as connection:
        connection.execute(delete(Meta).where(is_command, Meta.value == value))
    number, _, command = str(value).partition(" ")
    return command if number == str(id_) and command in get_args(JobCommand) else None  # type: ignore[return-value]


def _command_key(kind: str) -> str:
    return f"job_asked/{kind}"
