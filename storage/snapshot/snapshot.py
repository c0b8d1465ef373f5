"""What the exports read: typed rows, in a stable order, streamed from one snapshot.

The order never depends on ids or on the time of the export: batch, task, then pseudonym. Events
are fetched for a few attempts at a time, so memory does not grow with the campaign.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, func, select
from sqlalchemy import text as sql

from pagetrail.annotation.errors import NotFoundError
from pagetrail.annotation.events import Event
from pagetrail.storage.attempts.run_originals import Original, originals_of
from pagetrail.storage.campaigns.hidden_gold import exposed_checks, unsafe_campaigns
from pagetrail.storage.database.json_cache import stored_protocol
from pagetrail.storage.database.portable_sql import among
from pagetrail.storage.database.tables import (
    ATTEMPTS,
    BATCHES,
    CAMPAIGNS,
    DOCUMENTS,
    EVENTS,
    RESPONSES,
    TASKS,
    USERS,
)
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.system_roles import REVIEW, SYSTEM
from pagetrail.storage.snapshot.attempt_rows import events_of, heads_of, task_attempts
from pagetrail.storage.snapshot.decisions import VerdictRow, verdict_rows, withdrawn_runs
from pagetrail.storage.snapshot.pages import ExportPages
from pagetrail.storage.snapshot.rows import (
    AttemptEvents,
    AttemptHead,
    AttemptSummary,
    CampaignInfo,
    CorpusInfo,
    TaskAttempts,
    TaskRow,
)

ATTEMPTS_AT_ONCE = 50
EVENTS_AT_ONCE = 20_000


@contextmanager
def snapshot(workspace: Workspace) -> Iterator[Snapshot]:
    """A snapshot of the workspace; a server may go on writing meanwhile."""
    with workspace.engine.connect() as connection, connection.begin():
        pages = ExportPages(workspace, connection)
        try:
            yield Snapshot(connection, pages)
        finally:
            pages.close()


class Snapshot:
    """The database as it was at the first read; every further read sees the same.

    Attributes:
        pages: the collection's pages.
    """

    def __init__(self, connection: Connection, pages: ExportPages) -> None:
        self._connection = connection
        self.pages = pages

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
        row = self._connection.execute(
            select(CAMPAIGNS).where(CAMPAIGNS.c.name == name)
        ).one_or_none()
        if row is None:
            names = (
                self._connection.execute(select(CAMPAIGNS.c.name).order_by(CAMPAIGNS.c.id))
                .scalars()
                .all()
            )
            known = f"Campaigns: {', '.join(names)}." if names else "The workspace has none yet."
            raise NotFoundError(f"There is no campaign {name!r}. {known}")
        of_campaign = (
            select(ATTEMPTS.c.id)
            .join(TASKS, TASKS.c.id == ATTEMPTS.c.task_id)
            .join(USERS, USERS.c.id == ATTEMPTS.c.user_id)
            .where(TASKS.c.campaign_id == row.id, USERS.c.role != REVIEW)
        )
        has_events = select(EVENTS.c.id).where(EVENTS.c.attempt_id == ATTEMPTS.c.id).exists()
        return CampaignInfo(
            id=row.id,
            name=row.name,
            status=row.status,
            seed=row.seed,
            protocol=stored_protocol(row.protocol),
            guidelines_sha256=hashlib.sha256(row.guidelines.encode()).hexdigest(),
            tasks=_count(self._connection, select(TASKS.c.id).where(TASKS.c.campaign_id == row.id)),
            attempts=_count(self._connection, of_campaign),
            opened=_count(self._connection, of_campaign.where(has_events)),
        )

    def checks(self, campaign_id: int) -> dict[str, str]:
        """Kind of hidden check (``gold``, ``repeat``) → name of the campaign that holds them."""
        kind_and_name = select(CAMPAIGNS.c.check_kind, CAMPAIGNS.c.name)
        rows = self._connection.execute(kind_and_name.where(CAMPAIGNS.c.checks_of == campaign_id))
        return {row.check_kind: row.name for row in rows}

    def exposed_checks(self) -> set[str]:
        """Attempts at hidden gold whose person has the same task in another way too."""
        return {check.attempt_id for check in exposed_checks(self._connection)[1]}

    def unsafe_gold_source(self, campaign: str) -> str:
        """Why a campaign draws no hidden gold although it is set to; empty where it does."""
        return dict(unsafe_campaigns(self._connection)).get(campaign, "")

    def withdrawn_runs(self, campaign_id: int) -> set[str]:
        """Names of the systems whose run of a campaign is withdrawn."""
        return withdrawn_runs(self._connection, campaign_id)

    def originals(self, attempt_id: str) -> list[Original]:
        """What an imported attempt was read from.

        Raises:
            StorageError: it is damaged.
        """
        return originals_of(self._connection, attempt_id)

    def verdicts(self, campaign_id: int, name: str) -> list[VerdictRow]:
        """A set of outside verdicts, by task and system.

        Raises:
            NotFoundError: there is no such set; the message lists those that exist.
        """
        return verdict_rows(self._connection, campaign_id, name)

    def copied_records(self, campaign_id: int) -> dict[str, dict[str, Any]]:
        """Task → the present record of the task that it is a copy of."""
        original = TASKS.alias()
        rows = self._connection.execute(
            select(TASKS.c.key, original.c.record)
            .join(original, original.c.id == TASKS.c.copy_of)
            .where(TASKS.c.campaign_id == campaign_id)
        )
        return {row.key: row.record for row in rows}

    def corpus(self) -> CorpusInfo:
        """The documents of the workspace."""
        digest = hashlib.sha256()
        found = self.documents()
        for row in found:
            digest.update(f"{row['sha256']}  {row['document']}\n".encode())
        return CorpusInfo(len(found), sum(row["pages"] for row in found), digest.hexdigest())

    def documents(self) -> list[dict[str, Any]]:
        """``document`` (its name), ``sha256`` and ``pages`` of each, by name."""
        columns = DOCUMENTS.c.name.label("document"), DOCUMENTS.c.sha256
        statement = select(*columns, DOCUMENTS.c.n_pages.label("pages"))
        rows = self._connection.execute(statement.order_by(DOCUMENTS.c.name))
        return [dict(row._mapping) for row in rows]

    def pseudonyms(self) -> dict[str, str]:
        """User name → the name that may leave the workspace; an imported run keeps its own."""
        people = select(USERS.c.name, USERS.c.pseudonym, USERS.c.role)
        rows = self._connection.execute(people.where(USERS.c.role != REVIEW))
        return {row.name: row.name if row.role == "system" else row.pseudonym for row in rows}

    def systems(self, campaign_id: int) -> set[str]:
        """Names of the systems that have attempts in a campaign."""
        names = (
            select(USERS.c.name)
            .join(ATTEMPTS, ATTEMPTS.c.user_id == USERS.c.id)
            .join(TASKS, TASKS.c.id == ATTEMPTS.c.task_id)
            .where(TASKS.c.campaign_id == campaign_id, USERS.c.role == SYSTEM)
        )
        return set(self._connection.execute(names).scalars())

    def settings(self, campaign_id: int) -> list[tuple[str, str]]:
        """(user name, setting) of all attempts in a campaign, each once."""
        names = (
            select(USERS.c.name, ATTEMPTS.c.setting)
            .join(ATTEMPTS, ATTEMPTS.c.user_id == USERS.c.id)
            .join(TASKS, TASKS.c.id == ATTEMPTS.c.task_id)
            .where(TASKS.c.campaign_id == campaign_id, USERS.c.role != REVIEW)
            .distinct()
            .order_by(USERS.c.name, ATTEMPTS.c.setting)
        )
        return [(name, setting) for name, setting in self._connection.execute(names)]

    def events(self, attempt_id: str) -> list[Event]:
        """One attempt's events in order."""
        return events_of(self._connection, [attempt_id]).get(attempt_id, [])

    def tasks(self, campaign_id: int) -> Iterator[TaskRow]:
        """The campaign's tasks by batch and place in it."""
        statement = (
            select(TASKS.c.key, TASKS.c.record, BATCHES.c.code_name)
            .join(BATCHES, BATCHES.c.id == TASKS.c.batch_id)
            .where(TASKS.c.campaign_id == campaign_id)
            .order_by(BATCHES.c.position, TASKS.c.position, TASKS.c.key)
            .execution_options(yield_per=500)
        )
        for row in self._connection.execute(statement):
            yield TaskRow(row.key, row.code_name, row.record)

    def attempts(self, campaign_id: int) -> Iterator[AttemptEvents]:
        """The campaign's attempts that have events, by batch, task and pseudonym."""
        return self._attempts(campaign_id, USERS.c.role != REVIEW)

    def gold_streams(self, campaign_id: int) -> Iterator[AttemptEvents]:
        """The streams in which supervisors made gold, by batch and task."""
        return self._attempts(campaign_id, USERS.c.role == REVIEW)

    def _attempts(self, campaign_id: int, role: ColumnElement[bool]) -> Iterator[AttemptEvents]:
        statement = (
            heads_of(TASKS.c.record)
            .where(TASKS.c.campaign_id == campaign_id, role)
            .execution_options(yield_per=ATTEMPTS_AT_ONCE)
        )
        for part in self._connection.execute(statement).partitions():
            yield from self.with_events([AttemptHead(*row) for row in part])

    def task_attempts(self, campaign_id: int, *, gold: bool = False) -> Iterator[TaskAttempts]:
        """What ``attempts`` or ``gold_streams`` gives, task by task and without events."""
        role = USERS.c.role == REVIEW if gold else USERS.c.role != REVIEW
        return task_attempts(self._connection, campaign_id, role)

    def with_events(self, heads: Sequence[AttemptHead]) -> Iterator[AttemptEvents]:
        """These attempts with their events, a few read at a time."""
        for part in self._parts(heads):
            events = events_of(self._connection, [head.id for head in part])
            for head in part:
                if head.id in events:
                    yield AttemptEvents(head, events[head.id])

    def _parts(self, heads: Sequence[AttemptHead]) -> Iterator[Sequence[AttemptHead]]:
        """The attempts in groups whose events are read together; a long one is a group."""
        for start in range(0, len(heads), ATTEMPTS_AT_ONCE):
            group = heads[start : start + ATTEMPTS_AT_ONCE]
            counted = select(RESPONSES.c.attempt_id, RESPONSES.c.last_seq).where(
                among(RESPONSES.c.attempt_id, [head.id for head in group])
            )
            counts = {row[0]: row[1] for row in self._connection.execute(counted)}
            part: list[AttemptHead] = []
            size = 0
            for head in group:
                count = counts.get(head.id, 0)
                if part and size + count > EVENTS_AT_ONCE:
                    yield part
                    part, size = [], 0
                part.append(head)
                size += count
            yield part

    def find_attempt(self, prefix: str) -> str:
        """The id of the one attempt whose id begins with ``prefix``.

        Raises:
            NotFoundError: none does, or several do.
        """
        ids = (
            self._connection.execute(
                select(ATTEMPTS.c.id)
                .where(ATTEMPTS.c.id.startswith(prefix, autoescape=True))
                .order_by(ATTEMPTS.c.id)
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
            select(func.count())
            .select_from(EVENTS)
            .where(EVENTS.c.attempt_id == ATTEMPTS.c.id)
            .scalar_subquery()
        )
        statement = (
            select(
                ATTEMPTS.c.id,
                CAMPAIGNS.c.name.label("campaign"),
                TASKS.c.key,
                USERS.c.name.label("user"),
                RESPONSES.c.status,
                n_events.label("events"),
                RESPONSES.c.updated_at,
            )
            .join(TASKS, TASKS.c.id == ATTEMPTS.c.task_id)
            .join(BATCHES, BATCHES.c.id == TASKS.c.batch_id)
            .join(CAMPAIGNS, CAMPAIGNS.c.id == TASKS.c.campaign_id)
            .join(USERS, USERS.c.id == ATTEMPTS.c.user_id)
            .join(RESPONSES, RESPONSES.c.attempt_id == ATTEMPTS.c.id)
            .where(USERS.c.role != REVIEW)
            .order_by(
                CAMPAIGNS.c.id,
                BATCHES.c.position,
                TASKS.c.position,
                TASKS.c.key,
                USERS.c.pseudonym,
                ATTEMPTS.c.id,
            )
        )
        if campaign_id is not None:
            statement = statement.where(CAMPAIGNS.c.id == campaign_id)
        for row in self._connection.execute(statement):
            yield AttemptSummary(*row)


def _count(connection: Connection, statement: Select[Any]) -> int:
    return connection.execute(select(func.count()).select_from(statement.subquery())).scalar_one()
