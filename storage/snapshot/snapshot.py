"""Reads typed rows for exports in a stable order, streamed from one snapshot.

Rows are ordered by batch, task and pseudonym, never by ids or time. Events are read for a few
attempts at a time, so memory does not grow with the campaign.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from sqlalchemy import ColumnElement, Connection, func, select
from sqlalchemy import text as sql
from sqlalchemy.orm import aliased

from pagetrail.annotation.costs.pay_rate import PayRate
from pagetrail.annotation.costs.price_table import PriceTable
from pagetrail.annotation.errors import NotFoundError
from pagetrail.annotation.events import Event
from pagetrail.annotation.messages import gettext
from pagetrail.annotation.review.drafts import Draft
from pagetrail.annotation.tasks.page_scores import TaskPageScores
from pagetrail.storage.attempts.run_originals import Original, originals_of
from pagetrail.storage.campaigns.counting_tasks import COUNTS, excluded_tasks
from pagetrail.storage.campaigns.gold_drafts import drafts_of_campaign
from pagetrail.storage.campaigns.hidden_gold import exposed_checks, unsafe_campaigns
from pagetrail.storage.campaigns.page_scores import page_scores_of
from pagetrail.storage.campaigns.pay_rates import rates_by_name
from pagetrail.storage.campaigns.price_tables import price_table_in
from pagetrail.storage.campaigns.runs_without_documents import is_without_documents
from pagetrail.storage.campaigns.samples import StoredSample, sample_of
from pagetrail.storage.campaigns.verdict_sets import StoredVerdictSet, stored_verdict_sets
from pagetrail.storage.database.base import AnySelect
from pagetrail.storage.database.json_cache import stored_protocol
from pagetrail.storage.database.portable_sql import in_list
from pagetrail.storage.database.tables import (
    Attempt,
    AttemptStateRow,
    Batch,
    Campaign,
    Document,
    EventRow,
    Task,
    User,
)
from pagetrail.storage.database.workspace import Workspace, workspace_secret
from pagetrail.storage.people.profiles import Profile, profiles
from pagetrail.storage.people.system_roles import NOT_PEOPLE, REVIEW, SYSTEM
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

ATTEMPTS_AT_ONCE = 100
EVENTS_AT_ONCE = 20_000


@contextmanager
def snapshot(workspace: Workspace) -> Iterator[Snapshot]:
    """A snapshot of the workspace, unaffected by concurrent writers."""
    with workspace.engine.connect() as connection, connection.begin():
        pages = ExportPages(workspace, connection)
        try:
            yield Snapshot(connection, pages)
        finally:
            pages.close()


class Snapshot:
    """The database as of the first read; later reads see the same.

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

    def secret(self) -> str:
        """The workspace's secret, as of ``workspace_secret``."""
        return workspace_secret(self._connection)

    def campaign(self, name: str) -> CampaignInfo:
        """The campaign of that name.

        Raises:
            NotFoundError: there is none; the message lists those that exist.
        """
        row = self._connection.execute(select(Campaign).where(Campaign.name == name)).one_or_none()
        if row is None:
            names = (
                self._connection.execute(select(Campaign.name).order_by(Campaign.id))
                .scalars()
                .all()
            )
            hint = f"Campaigns: {', '.join(names)}." if names else "The workspace has none yet."
            raise NotFoundError(
                gettext("There is no campaign {name!r}. {hint}", name=name, hint=hint)
            )
        of_campaign = (
            select(Attempt.id)
            .join(Task, Task.id == Attempt.task_id)
            .join(User, User.id == Attempt.user_id)
            .where(Task.campaign_id == row.id, User.role != REVIEW, COUNTS)
        )
        has_events = select(EventRow.id).where(EventRow.attempt_id == Attempt.id).exists()
        return CampaignInfo(
            id=row.id,
            name=row.name,
            status=row.status,
            seed=row.seed,
            protocol=stored_protocol(row.protocol),
            guidelines_sha256=hashlib.sha256(row.guidelines.encode()).hexdigest(),
            tasks=_count(
                self._connection, select(Task.id).where(Task.campaign_id == row.id, COUNTS)
            ),
            attempts=_count(self._connection, of_campaign),
            opened=_count(self._connection, of_campaign.where(has_events)),
            excluded=excluded_tasks(self._connection, row.id),
        )

    def checks(self, campaign_id: int) -> dict[str, str]:
        """Kind of hidden check (``gold``, ``repeat``) → name of the campaign that holds them."""
        kind_and_name = select(Campaign.check_kind, Campaign.name)
        rows = self._connection.execute(kind_and_name.where(Campaign.checks_of == campaign_id))
        return {row.check_kind: row.name for row in rows}

    def exposed_checks(self) -> set[str]:
        """Hidden gold tasks that their person also has in another way."""
        return {check.attempt_id for check in exposed_checks(self._connection)[1]}

    def unsafe_gold_source(self, campaign: str) -> str:
        """Why a campaign draws no hidden gold although it should; empty if it does."""
        return dict(unsafe_campaigns(self._connection)).get(campaign, "")

    def withdrawn_runs(self, campaign_id: int) -> set[str]:
        """Names of the systems whose run of a campaign is withdrawn."""
        return withdrawn_runs(self._connection, campaign_id)

    def profiles(self) -> dict[str, Profile]:
        """Everybody's languages, skills and group, by name."""
        return profiles(self._connection)

    def pay_rates(self, campaign_id: int) -> dict[str | None, PayRate]:
        """A person's name → their own rate in a campaign; None → the campaign's rate."""
        return rates_by_name(self._connection, campaign_id)

    def price_table(self) -> PriceTable | None:
        """The workspace's price table."""
        return price_table_in(self._connection)

    def originals(self, attempt_id: str) -> list[Original]:
        """The originals an imported attempt was read from.

        Raises:
            StorageError: it is damaged.
        """
        return originals_of(self._connection, attempt_id)

    def sample(self, campaign_id: int) -> StoredSample | None:
        """The sample in which a campaign's tasks were drawn, or None."""
        return sample_of(self._connection, campaign_id)

    def page_scores(self, campaign_id: int) -> dict[str, TaskPageScores]:
        """Key of each task with page scores → its scored pages."""
        return page_scores_of(self._connection, campaign_id)

    def verdicts(self, campaign_id: int, name: str) -> list[VerdictRow]:
        """An imported set of verdicts, by task and system.

        Raises:
            NotFoundError: there is no such set; the message lists those that exist.
        """
        return verdict_rows(self._connection, campaign_id, name)

    def verdict_sets(self, campaign_id: int) -> list[StoredVerdictSet]:
        """The imported sets of verdicts by judge, round and run."""
        return stored_verdict_sets(self._connection, campaign_id)

    def gold_drafts(self, campaign_id: int) -> dict[str, list[Draft]]:
        """Task → models' drafts of its gold, superseded ones too, in the order of their import."""
        return drafts_of_campaign(self._connection, campaign_id)

    def copied_records(self, campaign_id: int) -> dict[str, dict[str, Any]]:
        """Task → current record of the task it is a copy of."""
        original = aliased(Task)
        rows = self._connection.execute(
            select(Task.key, original.record)
            .join(original, original.id == Task.copy_of)
            .where(Task.campaign_id == campaign_id)
        )
        return {row.key: row.record for row in rows}

    def corpus(self) -> CorpusInfo:
        """The documents of the workspace."""
        digest = hashlib.sha256()
        documents = self.documents()
        for row in documents:
            digest.update(f"{row['sha256']}  {row['document']}\n".encode())
        return CorpusInfo(
            len(documents), sum(row["pages"] for row in documents), digest.hexdigest()
        )

    def documents(self) -> list[dict[str, Any]]:
        """``document`` (its name), ``sha256`` and ``pages`` of each, by name."""
        columns = Document.name.label("document"), Document.sha256
        statement = select(*columns, Document.n_pages.label("pages"))
        rows = self._connection.execute(statement.order_by(Document.name))
        return [dict(row._mapping) for row in rows]

    def pseudonyms(self) -> dict[str, str]:
        """User name → pseudonym; imported runs keep their names."""
        people = select(User.name, User.pseudonym, User.role)
        rows = self._connection.execute(people.where(User.role != REVIEW))
        return {row.name: row.name if row.role == "system" else row.pseudonym for row in rows}

    def systems(self, campaign_id: int) -> set[str]:
        """Names of the systems that have attempts in a campaign, with documents."""
        names = (
            select(User.name)
            .join(Attempt, Attempt.user_id == User.id)
            .join(Task, Task.id == Attempt.task_id)
            .where(Task.campaign_id == campaign_id, User.role == SYSTEM, ~is_without_documents())
        )
        return set(self._connection.execute(names).scalars())

    def settings(self, campaign_id: int) -> list[tuple[str, str]]:
        """(user name, setting) of all attempts in a campaign, each once."""
        names = (
            select(User.name, Attempt.setting)
            .join(Attempt, Attempt.user_id == User.id)
            .join(Task, Task.id == Attempt.task_id)
            .where(Task.campaign_id == campaign_id, User.role != REVIEW)
            .distinct()
            .order_by(User.name, Attempt.setting)
        )
        return [(name, setting) for name, setting in self._connection.execute(names)]

    def events(self, attempt_id: str) -> list[Event]:
        """One attempt's events in order."""
        return events_of(self._connection, [attempt_id]).get(attempt_id, [])

    def tasks(self, campaign_id: int) -> Iterator[TaskRow]:
        """The campaign's tasks without the excluded ones, by batch and position."""
        statement = (
            select(Task.key, Task.record, Batch.code_name)
            .join(Batch, Batch.id == Task.batch_id)
            .where(Task.campaign_id == campaign_id, COUNTS)
            .order_by(Batch.position, Task.position, Task.key)
            .execution_options(yield_per=500)
        )
        for row in self._connection.execute(statement):
            yield TaskRow(row.key, row.code_name, row.record)

    def attempts(self, campaign_id: int) -> Iterator[AttemptEvents]:
        """The campaign's attempts that have events, by batch, task and pseudonym.

        Here and below without those at excluded tasks, which ``attempts_at_excluded`` has.
        """
        return self._attempts(campaign_id, (User.role != REVIEW) & COUNTS)

    def attempts_at_excluded(self, campaign_id: int) -> Iterator[AttemptEvents]:
        """The attempts with events at excluded tasks."""
        return self._attempts(campaign_id, (User.role != REVIEW) & ~COUNTS)

    def attempts_without_documents(self, campaign_id: int) -> Iterator[AttemptEvents]:
        """The attempts of runs whose model was given the questions alone."""
        return self._attempts(campaign_id, (User.role == SYSTEM) & is_without_documents() & COUNTS)

    def people_at_tasks(self, keys: Collection[str]) -> Iterator[AttemptEvents]:
        """People's attempts with events at tasks with these keys, in all campaigns."""
        statement = heads_of(Task.record).where(
            in_list(Task.key, sorted(keys)), User.role.not_in(NOT_PEOPLE), COUNTS
        )
        heads = [AttemptHead(*row) for row in self._connection.execute(statement)]
        yield from self.with_events(heads)

    def gold_streams(self, campaign_id: int) -> Iterator[AttemptEvents]:
        """The streams in which supervisors made gold, by batch and task."""
        return self._attempts(campaign_id, (User.role == REVIEW) & COUNTS)

    def _attempts(
        self, campaign_id: int, condition: ColumnElement[bool]
    ) -> Iterator[AttemptEvents]:
        statement = (
            heads_of(Task.record)
            .where(Task.campaign_id == campaign_id, condition)
            .execution_options(yield_per=ATTEMPTS_AT_ONCE)
        )
        for part in self._connection.execute(statement).partitions():
            yield from self.with_events([AttemptHead(*row) for row in part])

    def task_attempts(self, campaign_id: int, *, gold: bool = False) -> Iterator[TaskAttempts]:
        """The heads of ``attempts`` or ``gold_streams``, task by task."""
        role = User.role == REVIEW if gold else User.role != REVIEW
        return task_attempts(self._connection, campaign_id, role)

    def with_events(self, heads: Sequence[AttemptHead]) -> Iterator[AttemptEvents]:
        """These attempts with their events, a few read at a time."""
        for part in self._parts(heads):
            events = events_of(self._connection, [head.id for head in part])
            for head in part:
                if head.id in events:
                    yield AttemptEvents(head, events[head.id])

    def _parts(self, heads: Sequence[AttemptHead]) -> Iterator[Sequence[AttemptHead]]:
        """The attempts in groups whose events are read together; a long attempt is its own
        group."""
        for start in range(0, len(heads), ATTEMPTS_AT_ONCE):
            group = heads[start : start + ATTEMPTS_AT_ONCE]
            statement = select(AttemptStateRow.attempt_id, AttemptStateRow.last_seq).where(
                in_list(AttemptStateRow.attempt_id, [head.id for head in group])
            )
            counts = {row[0]: row[1] for row in self._connection.execute(statement)}
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
                select(Attempt.id)
                .where(Attempt.id.startswith(prefix, autoescape=True))
                .order_by(Attempt.id)
                .limit(4)
            )
            .scalars()
            .all()
        )
        if len(ids) == 1 or prefix in ids:
            return prefix if prefix in ids else ids[0]
        if ids:
            listed_ids = ", ".join(ids[:3]) + (", …" if len(ids) > 3 else "")
            raise NotFoundError(
                gettext(
                    "Several attempts begin with {prefix}: {listed_ids}. Give more of the id.",
                    prefix=prefix,
                    listed_ids=listed_ids,
                )
            )
        raise NotFoundError(
            gettext(
                "There is no attempt {prefix!r}. List them with: pagetrail replay WS --list",
                prefix=prefix,
            )
        )

    def summaries(self, campaign_id: int | None = None) -> Iterator[AttemptSummary]:
        """The attempts that have events, of one campaign or all, in the order of ``attempts``."""
        n_events = (
            select(func.count())
            .select_from(EventRow)
            .where(EventRow.attempt_id == Attempt.id)
            .scalar_subquery()
        )
        statement = (
            select(
                Attempt.id,
                Campaign.name.label("campaign"),
                Task.key,
                User.name.label("user"),
                AttemptStateRow.status,
                n_events.label("events"),
                AttemptStateRow.updated_at,
            )
            .join(Task, Task.id == Attempt.task_id)
            .join(Batch, Batch.id == Task.batch_id)
            .join(Campaign, Campaign.id == Task.campaign_id)
            .join(User, User.id == Attempt.user_id)
            .join(AttemptStateRow, AttemptStateRow.attempt_id == Attempt.id)
            .where(User.role != REVIEW)
            .order_by(
                Campaign.id,
                Batch.position,
                Task.position,
                Task.key,
                User.pseudonym,
                Attempt.id,
            )
        )
        if campaign_id is not None:
            statement = statement.where(Campaign.id == campaign_id)
        for row in self._connection.execute(statement):
            yield AttemptSummary(*row)


def _count(connection: Connection, statement: AnySelect) -> int:
    return connection.execute(select(func.count()).select_from(statement.subquery())).scalar_one()
