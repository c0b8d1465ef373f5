"""The last job of each kind as the server's start and the screens find it.

Written when a job starts and when it has ended; where several servers share the database, also
while it runs, so that all of them show how far it is.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, fields
from typing import Any, Literal

from sqlalchemy import Engine, select

from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.portable_sql import insert_into
from pagetrail.storage.database.tables import JobState

JobRequest = Literal["cancel", "pause", "resume"]
"""What may be asked of a job that runs."""


@dataclass(frozen=True)
class Job:
    """One job, as it is at a moment.

    Attributes:
        id: counts up within a kind.
        kind: ``export``, ``index``, ``ingest``, ``import_run`` or ``import_elements``.
        title: what it does, for a person.
        by: who started it.
        state: ``running``, ``paused``, ``done``, ``failed`` or ``cancelled``.
        message: a sentence about how it ended.
        phase: what it is at, within the job.
        done, total: steps of the phase; ``total`` is 0 while it is not known.
        result: what the worker handed back.
    """

    id: int
    kind: str
    title: str
    by: str
    started_at: str
    state: str = "running"
    message: str = ""
    phase: str = ""
    done: int = 0
    total: int = 0
    ended_at: str | None = None
    result: dict[str, Any] = field(default_factory=dict)

    @property
    def going(self) -> bool:
        """Whether it has not ended yet."""
        return self.state in ("running", "paused")


def last_jobs(engine: Engine) -> list[Job]:
    """The last job of each kind, as it was stored."""
    columns = [getattr(JobState, column.name) for column in fields(Job)]
    with engine.connect() as connection:
        return [Job(*row) for row in connection.execute(select(*columns))]


def last_job(engine: Engine, kind: str) -> Job | None:
    """The last job of a kind, as it was stored."""
    return next((job for job in last_jobs(engine) if job.kind == kind), None)


def store_job(engine: Engine, job: Job) -> None:
    """Store a job in place of the one before it of its kind, never in place of a later one.

    Raises:
        StorageError: the database does not take it.
    """
    with write_transaction(engine, f"job/{job.kind}") as connection:
        new = insert_into(connection, JobState).values(asdict(job))
        latest = new.on_conflict_do_update(
            index_elements=["kind"],
            set_={name: new.excluded[name] for name in asdict(job)},
            where=new.excluded.id >= JobState.id,
        )
        connection.execute(latest)
