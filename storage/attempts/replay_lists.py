"""Lists of attempts to replay, a page at a time, and attempts to compare one with."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

from sqlalchemy import (
    ColumnElement,
    Connection,
    Engine,
    SQLColumnExpression,
    and_,
    func,
    or_,
    select,
    tuple_,
)

from pagetrail.annotation.errors import NotFoundError
from pagetrail.annotation.messages import gettext
from pagetrail.annotation.replay.seen_versions import version_name
from pagetrail.storage.attempts.wrong_answers import wrong_attempts
from pagetrail.storage.database.base import AnySelect
from pagetrail.storage.database.portable_sql import in_list
from pagetrail.storage.database.tables import (
    Attempt,
    AttemptStateRow,
    Batch,
    Campaign,
    Document,
    EarlierDocument,
    EarlierPage,
    Page,
    Task,
    User,
)
from pagetrail.storage.people.system_roles import REVIEW, SYSTEM

MAX_RELATED = 200
_AT_ONCE = 400
_QUESTION = Task.record["question"].as_string()
# In the order of ``ListedAttempt``.
_COLUMNS: tuple[SQLColumnExpression[Any], ...] = (
    Attempt.id,
    Campaign.name.label("campaign"),
    Batch.code_name,
    User.name.label("user_name"),
    (User.role == SYSTEM).label("system"),
    func.coalesce(AttemptStateRow.outcome, AttemptStateRow.status).label("state"),
    AttemptStateRow.flagged,
    AttemptStateRow.n_searches,
    AttemptStateRow.n_citations,
    AttemptStateRow.updated_at,
    func.coalesce(_QUESTION, "").label("question"),
)
T = TypeVar("T")


@dataclass(frozen=True)
class AttemptFilter:
    """Filters of the list; None and the empty text match everything.

    Attributes:
        state: a status (``open``, ``skipped``) or an outcome (``answered``, …).
        wrong: the answer does not match the task's gold answers; needs a campaign.
        text: text in the question; case is ignored.
    """

    campaign: str | None = None
    batch: str | None = None
    user: str | None = None
    state: str | None = None
    flagged: bool = False
    wrong: bool = False
    text: str = ""


@dataclass(frozen=True)
class ListedAttempt:
    """An attempt with events.

    Attributes:
        system: whether a system made it, not a person.
        same_task: in a comparison: whether it is an attempt at the same task.
    """

    attempt_id: str
    campaign: str
    code_name: str
    user_name: str
    system: bool
    state: str
    flagged: bool
    n_searches: int
    n_citations: int
    updated_at: str
    question: str
    same_task: bool = False


@dataclass(frozen=True)
class AttemptPage:
    """A page of a list, and the length of the whole list."""

    rows: list[ListedAttempt]
    total: int


@dataclass(frozen=True)
class Choices:
    """The choices for each filter: sorted names."""

    campaigns: list[str]
    batches: list[str]
    users: list[str]


@dataclass(frozen=True)
class StoredPage:
    """Where a page's image is: hash of its document, and its size in points."""

    sha256: str
    width: float
    height: float


def find(
    engine: Engine, attempt_filter: AttemptFilter, *, limit: int = 25, offset: int = 0
) -> AttemptPage:
    """Attempts with events, the most recent work first."""
    conditions = _conditions(attempt_filter)
    if attempt_filter.wrong and attempt_filter.campaign is not None:
        conditions.append(in_list(Attempt.id, wrong_attempts(engine, attempt_filter.campaign)))
    # Details are read for the attempts on this page only.
    page = (
        _started_attempts(Attempt.id, func.count().over().label("total"))
        .where(*conditions)
        .order_by(AttemptStateRow.updated_at.desc(), Attempt.id)
        .limit(limit)
        .offset(offset)
        .subquery()
    )
    statement = (
        _started_attempts(page.c.total, *_COLUMNS)
        .join(page, page.c.id == Attempt.id)
        .order_by(AttemptStateRow.updated_at.desc(), Attempt.id)
    )
    with engine.connect() as connection:
        rows = connection.execute(statement).all()
    return AttemptPage([ListedAttempt(*row[1:]) for row in rows], rows[0].total if rows else 0)


def related_attempts(
    engine: Engine, attempt_id: str, limit: int = MAX_RELATED
) -> list[ListedAttempt]:
    """Attempts to compare one with: first others at its task, then others in its campaign.

    Raises:
        NotFoundError: no such attempt.
    """
    own_task = select(Attempt.task_id, Task.campaign_id).join(Task).where(Attempt.id == attempt_id)
    with engine.connect() as connection:
        row = connection.execute(own_task).one_or_none()
        if row is None:
            raise NotFoundError(gettext("This attempt does not exist, or its batch was withdrawn."))
        is_same_task = (Attempt.task_id == row.task_id).label("same_task")
        rows = connection.execute(
            _started_attempts(*_COLUMNS, is_same_task)
            .where(
                Campaign.id == row.campaign_id,
                Attempt.id != attempt_id,
                User.role != REVIEW,
            )
            .order_by(is_same_task.desc(), AttemptStateRow.updated_at.desc(), Attempt.id)
            .limit(limit)
        ).all()
    return [ListedAttempt(*row) for row in rows]


def choices(engine: Engine, campaign: str | None = None) -> Choices:
    """Campaigns with work in them; the batches and people of one campaign, or of all."""
    started = (
        _started_attempts(Campaign.name.label("campaign"), Batch.code_name, User.name)
        .where(User.role != REVIEW)
        .distinct()
    )
    with engine.connect() as connection:
        rows = connection.execute(started).all()
    campaign_rows = [row for row in rows if campaign in (None, row.campaign)]
    return Choices(
        campaigns=sorted({row.campaign for row in rows}),
        batches=sorted({row.code_name for row in campaign_rows}),
        users=sorted({row.name for row in campaign_rows}),
    )


def last_seq(engine: Engine, attempt_id: str) -> int:
    """The number of an attempt's last event; 0 before the first."""
    statement = select(AttemptStateRow.last_seq).where(AttemptStateRow.attempt_id == attempt_id)
    with engine.connect() as connection:
        return int(connection.execute(statement).scalar() or 0)


def stored_pages(
    engine: Engine, pages: Iterable[tuple[str, int]]
) -> dict[tuple[str, int], StoredPage]:
    """Hash and size of those (document, page) pairs that are in the collection.

    Earlier versions of documents have the names of ``version_name``.
    """
    page_keys = list(dict.fromkeys(pages))
    names = sorted({document for document, _ in page_keys})
    with engine.connect() as connection:
        documents = {
            row.name: (row.id, row.sha256)
            for chunk in _chunks(names)
            for row in connection.execute(
                select(Document.id, Document.name, Document.sha256).where(Document.name.in_(chunk))
            )
        }
        keys = {(documents[name][0], page): name for name, page in page_keys if name in documents}
        rows = [
            row
            for chunk in _chunks(list(keys))
            for row in connection.execute(
                select(Page.document_id, Page.number, Page.width, Page.height).where(
                    tuple_(Page.document_id, Page.number).in_(chunk)
                )
            )
        ]
        is_other = any(name not in documents for name in names)
        earlier = _earlier_pages(connection) if is_other else {}
    page_by_key = {key: earlier[key] for key in page_keys if key in earlier}
    for row in rows:
        name = keys[(row.document_id, row.number)]
        page_by_key[(name, row.number)] = StoredPage(documents[name][1], row.width, row.height)
    return page_by_key


def replaced_documents(engine: Engine) -> dict[str, int]:
    """Document → its current version, of those whose file was replaced."""
    with engine.connect() as connection:
        rows = connection.execute(
            select(Document.name, Document.version).where(Document.version > 1)
        )
        return {row.name: row.version for row in rows}


def _earlier_pages(connection: Connection) -> dict[tuple[str, int], StoredPage]:
    statement = (
        select(
            Document.name, EarlierDocument.version, EarlierDocument.sha256,
            EarlierPage.number, EarlierPage.width, EarlierPage.height,
        )
        .join(EarlierDocument, EarlierDocument.document_id == Document.id)
        .join(EarlierPage, EarlierPage.earlier_document_id == EarlierDocument.id)
    )  # fmt: skip
    return {
        (version_name(row.name, row.version), row.number): StoredPage(
            row.sha256, row.width, row.height
        )
        for row in connection.execute(statement)
    }


def _chunks(items: list[T]) -> Iterator[list[T]]:
    return (items[start : start + _AT_ONCE] for start in range(0, len(items), _AT_ONCE))


def _started_attempts(*columns: SQLColumnExpression[Any]) -> AnySelect:
    return (
        select(*columns)
        .select_from(AttemptStateRow)
        .join(Attempt, Attempt.id == AttemptStateRow.attempt_id)
        .join(User, User.id == Attempt.user_id)
        .join(Task, Task.id == Attempt.task_id)
        .join(Batch, Batch.id == Task.batch_id)
        .join(Campaign, Campaign.id == Task.campaign_id)
    )


def _conditions(attempt_filter: AttemptFilter) -> list[ColumnElement[bool]]:
    values = {
        Campaign.name: attempt_filter.campaign,
        Batch.code_name: attempt_filter.batch,
        User.name: attempt_filter.user,
    }
    conditions = [column == value for column, value in values.items() if value is not None]
    if attempt_filter.state is not None:
        by_status = and_(
            AttemptStateRow.outcome.is_(None), AttemptStateRow.status == attempt_filter.state
        )
        conditions.append(or_(AttemptStateRow.outcome == attempt_filter.state, by_status))
    if attempt_filter.flagged:
        conditions.append(AttemptStateRow.flagged.is_(True))
    if attempt_filter.text.strip():
        conditions.append(_QUESTION.icontains(attempt_filter.text.strip(), autoescape=True))
    return [*conditions, User.role != REVIEW]
