"""The read side: typed answers to the questions that the screens ask."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Engine, func, select

from annotation.assignment import order_for
from annotation.errors import NotFoundError
from annotation.protocol import Protocol
from annotation.recorder import AttemptContext
from storage.tables import (
    Assignment,
    Attempt,
    Batch,
    Campaign,
    Document,
    ResponseRow,
    Task,
    User,
    table,
)

_A = table(Attempt)
_T = table(Task)
_B = table(Batch)
_C = table(Campaign)
_U = table(User)
_S = table(Assignment)
_R = table(ResponseRow)


@dataclass(frozen=True)
class AttemptRow:
    """An attempt with everything around it. ``record`` may hold gold: never send it as it is."""

    attempt_id: str
    user_id: int
    user_name: str
    assignment_id: int | None
    batch_id: int
    code_name: str
    campaign_id: int
    campaign: str
    protocol: Protocol
    guidelines: str
    key: str
    record: dict[str, Any]

    def pages(self) -> list[tuple[str, int]] | None:
        """The (document, page) pairs the protocol gives; None means the whole collection."""
        if self.protocol.pages == "search":
            return None
        source = "candidates" if self.protocol.pages == "given" else "evidence"
        return [(str(p["document"]), int(p["page"])) for p in self.record.get(source) or []]

    def readable(self) -> frozenset[tuple[str, int]] | None:
        """The pages that may be opened; with browsing allowed, any page of the collection."""
        given = self.pages()
        return None if given is None or self.protocol.browse else frozenset(given)

    def context(self) -> AttemptContext:
        """What the recorder needs to know."""
        return AttemptContext(
            attempt_id=self.attempt_id,
            actor=self.user_name,
            protocol=self.protocol,
            pages=self.readable(),
        )


@dataclass(frozen=True)
class BatchTask:
    """One task of a person's batch, in that person's order."""

    attempt_id: str
    position: int
    key: str
    question: str
    status: str
    flagged: bool


def attempt(engine: Engine, attempt_id: str) -> AttemptRow:
    """The attempt of that id.

    Raises:
        NotFoundError: there is none.
    """
    statement = (
        select(
            _A.c.id,
            _A.c.user_id,
            _A.c.assignment_id,
            _U.c.name.label("user_name"),
            _T.c.key,
            _T.c.record,
            _T.c.batch_id,
            _B.c.code_name,
            _C.c.id.label("campaign_id"),
            _C.c.name.label("campaign"),
            _C.c.protocol,
            _C.c.guidelines,
        )
        .join(_U, _U.c.id == _A.c.user_id)
        .join(_T, _T.c.id == _A.c.task_id)
        .join(_B, _B.c.id == _T.c.batch_id)
        .join(_C, _C.c.id == _T.c.campaign_id)
        .where(_A.c.id == attempt_id)
    )
    with engine.connect() as connection:
        row = connection.execute(statement).one_or_none()
    if row is None:
        raise NotFoundError("This task does not exist, or it was taken back.")
    return AttemptRow(
        attempt_id=row.id,
        user_id=row.user_id,
        user_name=row.user_name,
        assignment_id=row.assignment_id,
        batch_id=row.batch_id,
        code_name=row.code_name,
        campaign_id=row.campaign_id,
        campaign=row.campaign,
        protocol=Protocol.model_validate(row.protocol),
        guidelines=row.guidelines,
        key=row.key,
        record=row.record,
    )


def batch_tasks(engine: Engine, assignment_id: int) -> list[BatchTask]:
    """The tasks of an assignment in its person's own order; attempts must exist."""
    statement = (
        select(
            _A.c.id,
            _T.c.key,
            _T.c.record,
            _R.c.status,
            _R.c.flagged,
            _S.c.seed,
        )
        .join(_S, _S.c.id == _A.c.assignment_id)
        .join(_T, _T.c.id == _A.c.task_id)
        .outerjoin(_R, _R.c.attempt_id == _A.c.id)
        .where(_A.c.assignment_id == assignment_id)
        .order_by(_T.c.position)
    )
    with engine.connect() as connection:
        rows = connection.execute(statement).all()
    if not rows:
        return []
    by_key = {row.key: row for row in rows}
    ordered = order_for([row.key for row in rows], rows[0].seed)
    return [
        BatchTask(
            attempt_id=by_key[key].id,
            position=place,
            key=key,
            question=str(by_key[key].record.get("question", "")),
            status=by_key[key].status or "new",
            flagged=bool(by_key[key].flagged),
        )
        for place, key in enumerate(ordered, start=1)
    ]


def corpus_size(engine: Engine) -> dict[str, int]:
    """Numbers of documents and of pages in the collection."""
    document = table(Document)
    with engine.connect() as connection:
        row = connection.execute(
            select(func.count(), func.coalesce(func.sum(document.c.n_pages), 0)).select_from(
                document
            )
        ).one()
    return {"documents": int(row[0]), "pages": int(row[1])}


def assignment_owner(engine: Engine, assignment_id: int) -> tuple[int, str]:
    """(user id, status) of an assignment.

    Raises:
        NotFoundError: there is none.
    """
    with engine.connect() as connection:
        row = connection.execute(
            select(_S.c.user_id, _S.c.status).where(_S.c.id == assignment_id)
        ).one_or_none()
    if row is None:
        raise NotFoundError("This batch does not exist, or it was taken back.")
    return row.user_id, row.status


def assignment_task_ids(connection: Connection, assignment_id: int) -> Sequence[int]:
    """Ids of the tasks of an assignment's batch, in the batch's order."""
    return (
        connection.execute(
            select(_T.c.id)
            .join(_S, _S.c.batch_id == _T.c.batch_id)
            .where(_S.c.id == assignment_id)
            .order_by(_T.c.position)
        )
        .scalars()
        .all()
    )
