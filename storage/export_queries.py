"""What the exports read: typed rows, in a stable order, streamed from one snapshot.

The order never depends on ids or on the time of the export: batch, task, then pseudonym. Events
are fetched for a few attempts at a time, so memory does not grow with the campaign.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import groupby
from typing import Any

from sqlalchemy import Connection, Select, func, select
from sqlalchemy import text as sql

from annotation.errors import NotFoundError
from annotation.events import Event
from annotation.protocol import Protocol
from storage.event_log import event_of
from storage.export_rows import (
    AttemptEvents,
    AttemptHead,
    AttemptSummary,
    CampaignInfo,
    CorpusInfo,
    TaskRow,
)
from storage.tables import Attempt, Batch, Campaign, Document, ResponseRow, Task, User, table
from storage.tables import Event as EventRow
from storage.workspace import Workspace

ATTEMPTS_AT_ONCE = 50

_A = table(Attempt)
_B = table(Batch)
_C = table(Campaign)
_D = table(Document)
_E = table(EventRow)
_R = table(ResponseRow)
_T = table(Task)
_U = table(User)


@contextmanager
def snapshot(workspace: Workspace) -> Iterator[Snapshot]:
    """A snapshot of the workspace; a server may go on writing meanwhile."""
    with workspace.engine.connect() as connection, connection.begin():
        yield Snapshot(connection)


class Snapshot:
    """The database as it was at the first read; every further read sees the same."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def schema_revision(self) -> str:
        """The database's Alembic revision."""
        return str(
            self._connection.execute(sql("SELECT version_num FROM alembic_version")).scalar_one()
        )

    def campaign(self, name: str) -> CampaignInfo:
        """The campaign of that name.

        Raises:
            NotFoundError: there is none; the message lists those that exist.
        """
        row = self._connection.execute(select(_C).where(_C.c.name == name)).one_or_none()
        if row is None:
            names = self._connection.execute(select(_C.c.name).order_by(_C.c.id)).scalars().all()
            known = f"Campaigns: {', '.join(names)}." if names else "The workspace has none yet."
            raise NotFoundError(f"There is no campaign {name!r}. {known}")
        of_campaign = (
            select(_A.c.id).join(_T, _T.c.id == _A.c.task_id).where(_T.c.campaign_id == row.id)
        )
        has_events = select(_E.c.id).where(_E.c.attempt_id == _A.c.id).exists()
        return CampaignInfo(
            id=row.id,
            name=row.name,
            status=row.status,
            seed=row.seed,
            protocol=Protocol.model_validate(row.protocol),
            guidelines_sha256=hashlib.sha256(row.guidelines.encode()).hexdigest(),
            tasks=_count(self._connection, select(_T.c.id).where(_T.c.campaign_id == row.id)),
            attempts=_count(self._connection, of_campaign),
            opened=_count(self._connection, of_campaign.where(has_events)),
        )

    def corpus(self) -> CorpusInfo:
        """The documents of the workspace."""
        digest = hashlib.sha256()
        documents = pages = 0
        for row in self._connection.execute(
            select(_D.c.name, _D.c.sha256, _D.c.n_pages).order_by(_D.c.name)
        ):
            digest.update(f"{row.sha256}  {row.name}\n".encode())
            documents += 1
            pages += row.n_pages
        return CorpusInfo(documents, pages, digest.hexdigest())

    def pseudonyms(self) -> dict[str, str]:
        """User name → the name that may leave the workspace; an imported run keeps its own."""
        rows = self._connection.execute(select(_U.c.name, _U.c.pseudonym, _U.c.role))
        return {row.name: row.name if row.role == "system" else row.pseudonym for row in rows}

    def events(self, attempt_id: str) -> list[Event]:
        """One attempt's events in order."""
        return _events_of(self._connection, [attempt_id]).get(attempt_id, [])

    def tasks(self, campaign_id: int) -> Iterator[TaskRow]:
        """The campaign's tasks by batch and place in it."""
        statement = (
            select(_T.c.key, _T.c.record, _B.c.code_name)
            .join(_B, _B.c.id == _T.c.batch_id)
            .where(_T.c.campaign_id == campaign_id)
            .order_by(_B.c.position, _T.c.position, _T.c.key)
            .execution_options(yield_per=500)
        )
        for row in self._connection.execute(statement):
            yield TaskRow(row.key, row.code_name, row.record)

    def attempts(self, campaign_id: int) -> Iterator[AttemptEvents]:
        """The campaign's attempts that have events, by batch, task and pseudonym."""
        statement = (
            select(
                _A.c.id,
                _T.c.key,
                _T.c.record,
                _U.c.name,
                _U.c.pseudonym,
                _U.c.role,
                _B.c.code_name,
                _A.c.setting,
            )
            .join(_T, _T.c.id == _A.c.task_id)
            .join(_B, _B.c.id == _T.c.batch_id)
            .join(_U, _U.c.id == _A.c.user_id)
            .where(_T.c.campaign_id == campaign_id)
            .order_by(_B.c.position, _T.c.position, _T.c.key, _U.c.pseudonym, _A.c.setting, _A.c.id)
            .execution_options(yield_per=ATTEMPTS_AT_ONCE)
        )
        for part in self._connection.execute(statement).partitions():
            heads = [AttemptHead(*row) for row in part]
            events = _events_of(self._connection, [head.id for head in heads])
            for head in heads:
                if head.id in events:
                    yield AttemptEvents(head, events[head.id])

    def find_attempt(self, prefix: str) -> str:
        """The id of the one attempt whose id begins with ``prefix``.

        Raises:
            NotFoundError: none does, or several do.
        """
        ids = (
            self._connection.execute(
                select(_A.c.id)
                .where(_A.c.id.startswith(prefix, autoescape=True))
                .order_by(_A.c.id)
                .limit(4)
            )
            .scalars()
            .all()
        )
        if len(ids) == 1 or prefix in ids:
            return prefix if prefix in ids else ids[0]
        if ids:
            shown = ", ".join(ids[:3]) + (", …" if len(ids) > 3 else "")
            raise NotFoundError(
                f"Several attempts begin with {prefix}: {shown}. Give more of the id."
            )
        raise NotFoundError(
            f"There is no attempt {prefix!r}. List them with: pagetrail replay WS --list"
        )

    def summaries(self, campaign_id: int | None = None) -> Iterator[AttemptSummary]:
        """The attempts that have events, of one campaign or all, in the order of ``attempts``."""
        n_events = (
            select(func.count()).select_from(_E).where(_E.c.attempt_id == _A.c.id).scalar_subquery()
        )
        statement = (
            select(
                _A.c.id,
                _C.c.name.label("campaign"),
                _T.c.key,
                _U.c.name.label("user"),
                _R.c.status,
                n_events.label("events"),
                _R.c.updated_at,
            )
            .join(_T, _T.c.id == _A.c.task_id)
            .join(_B, _B.c.id == _T.c.batch_id)
            .join(_C, _C.c.id == _T.c.campaign_id)
            .join(_U, _U.c.id == _A.c.user_id)
            .join(_R, _R.c.attempt_id == _A.c.id)
            .order_by(_C.c.id, _B.c.position, _T.c.position, _T.c.key, _U.c.pseudonym, _A.c.id)
        )
        if campaign_id is not None:
            statement = statement.where(_C.c.id == campaign_id)
        for row in self._connection.execute(statement):
            yield AttemptSummary(*row)


def _events_of(connection: Connection, attempt_ids: list[str]) -> dict[str, list[Event]]:
    rows = connection.execute(
        select(_E).where(_E.c.attempt_id.in_(attempt_ids)).order_by(_E.c.attempt_id, _E.c.seq)
    )
    return {
        attempt_id: [event_of(row) for row in group]
        for attempt_id, group in groupby(rows, key=lambda row: row.attempt_id)
    }


def _count(connection: Connection, statement: Select[Any]) -> int:
    return connection.execute(select(func.count()).select_from(statement.subquery())).scalar_one()
