"""Typed queries on attempts and batches, for the screens."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Engine, bindparam, case, func, select
from typing_extensions import TypedDict

from pagetrail.annotation.attempts.preannotations import seed_payloads
from pagetrail.annotation.attempts.recorder import AttemptContext
from pagetrail.annotation.attempts.state import Status
from pagetrail.annotation.errors import NotFoundError, Refusal
from pagetrail.annotation.events import Payload
from pagetrail.annotation.messages import gettext
from pagetrail.annotation.protocols.conditions import under_condition
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.annotation.sentences import sentence
from pagetrail.annotation.tasks.batches import dealt_among, order_for
from pagetrail.annotation.tasks.blind_judging import separate_groups
from pagetrail.annotation.tasks.task import given_pages
from pagetrail.annotation.tasks.variants import family_of, side_by_side
from pagetrail.storage.attempts.decisions_above import (
    BATCH_SHOWN,
    GUIDELINES_VERSION,
    IS_EXCLUDED,
    UNDECIDED,
    DecisionsAbove,
)
from pagetrail.storage.attempts.event_rows import COMMENT_TYPES
from pagetrail.storage.database.base import AnyRow
from pagetrail.storage.database.json_cache import as_text, protocol_of, record_of
from pagetrail.storage.database.portable_sql import as_json
from pagetrail.storage.database.statuses import ARCHIVED, WITHDRAWN
from pagetrail.storage.database.tables import (
    Assignment,
    Attempt,
    AttemptStateRow,
    Batch,
    Campaign,
    Document,
    EventRow,
    Task,
    User,
)
from pagetrail.storage.people.system_roles import REVIEW

# Built once: every request of the annotation workspace runs some of these.
LAST_COMMENTED_BY = (
    select(case((EventRow.type == "commented", EventRow.actor_id)))
    .where(EventRow.attempt_id == Attempt.id, EventRow.type.in_(COMMENT_TYPES))
    .order_by(EventRow.seq.desc())
    .limit(1)
    .correlate(Attempt)
    .scalar_subquery()
)
"""Who wrote the last comment on an attempt, by id; NULL if none did or it sent the task back."""

_ATTEMPT = (
    select(
        Attempt.id,
        Attempt.user_id,
        Attempt.assignment_id,
        Attempt.setting,
        User.name.label("user_name"),
        User.role,
        Task.id.label("task_id"),
        Task.key,
        as_text(Task.record).label("record"),
        Batch.id.label("batch_id"),
        Batch.code_name,
        Campaign.id.label("campaign_id"),
        Campaign.name.label("campaign"),
        Campaign.status.label("campaign_status"),
        as_text(Campaign.protocol).label("protocol"),
        Campaign.guidelines,
        GUIDELINES_VERSION.label("guidelines_version"),
        Assignment.status.label("assignment_status"),
        Assignment.withdrawal_shown_at,
        IS_EXCLUDED.label("excluded"),
    )
    .join(User, User.id == Attempt.user_id)
    .join(Task, Task.id == Attempt.task_id)
    .outerjoin(Assignment, Assignment.id == Attempt.assignment_id)
    .join(Batch, Batch.id == BATCH_SHOWN)
    .join(Campaign, Campaign.id == Batch.campaign_id)
    .where(Attempt.id == bindparam("attempt"))
)

_STATE_JSON = as_json(AttemptStateRow.state)
ROUND = func.coalesce(
    _STATE_JSON["transcript"]["round"].as_integer(), _STATE_JSON["tables"]["round"].as_integer(), 1
)
"""The round of an attempt's text or tables; a new round is stored at once, as its attempt opens."""

_BATCH_TASKS = (
    select(
        Attempt.id,
        Task.key,
        Task.record,
        AttemptStateRow.status,
        AttemptStateRow.flagged,
        _STATE_JSON["returned"].as_boolean().label("returned"),
        ROUND.label("round"),
        LAST_COMMENTED_BY.label("commented_by"),
        Assignment.seed,
        Task.copy_of,
        IS_EXCLUDED.label("excluded"),
        Campaign.protocol["study"]["order"].as_string().label("order"),
        Attempt.user_id,
    )
    .join(Assignment, Assignment.id == Attempt.assignment_id)
    .join(Task, Task.id == Attempt.task_id)
    .join(Batch, Batch.id == Assignment.batch_id)
    .join(Campaign, Campaign.id == Batch.campaign_id)
    .outerjoin(AttemptStateRow, AttemptStateRow.attempt_id == Attempt.id)
    .where(Attempt.assignment_id == bindparam("assignment"))
    .order_by(Task.copy_of.is_not(None), Task.position, Task.key)
)
_OWNER = select(Assignment.user_id, Assignment.status).where(
    Assignment.id == bindparam("assignment")
)
_CORPUS_SIZE = select(func.count(), func.coalesce(func.sum(Document.n_pages), 0)).select_from(
    Document
)


@dataclass(frozen=True)
class AttemptRow:
    """An attempt with its context. ``record`` may contain gold: never send it unfiltered."""

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
    task_id: int = 0
    role: str = "annotator"
    campaign_status: str = "open"
    decisions: DecisionsAbove = UNDECIDED
    is_withdrawal_shown: bool = False

    @property
    def archived(self) -> bool:
        """Whether its campaign is archived: it can be read but not changed."""
        return self.campaign_status == ARCHIVED

    def require_changeable(self) -> None:
        """Refuse changes in archived campaigns and withdrawn batches.

        A withdrawn batch accepts work until its annotator was told.

        Raises:
            Refusal: with the code ``archived`` or ``withdrawn``.
        """
        if self.decisions.withdrawn and self.is_withdrawal_shown:
            raise Refusal(sentence("withdrawn"), code="withdrawn")
        if self.archived:
            raise Refusal(sentence("archived"), code="archived")

    @property
    def is_gold(self) -> bool:
        """Whether this attempt holds the task's gold."""
        return self.role == REVIEW

    def pages(self) -> list[tuple[str, int]] | None:
        """The (document, page) pairs the protocol gives; None means the whole collection."""
        return given_pages(self.protocol.pages, self.record)

    def readable(self) -> frozenset[tuple[str, int]] | None:
        """The pages that may be opened; with browsing allowed, any page of the collection."""
        given_pages = self.pages()
        return None if given_pages is None or self.protocol.browse else frozenset(given_pages)

    def seeds(self) -> list[Payload]:
        """The pre-annotations to verify, as the events that the attempt starts with."""
        return seed_payloads(self.protocol, self.record)

    def context(self) -> AttemptContext:
        """What the recorder needs to know."""
        given_pages = self.pages()
        return AttemptContext(
            given=None if given_pages is None else tuple(given_pages),
            seeds=self.seeds,
            attempt_id=self.attempt_id,
            actor=self.user_name,
            protocol=self.protocol,
            pages=self.readable(),
            review=self.is_gold,
        )


@dataclass(frozen=True)
class BatchTask:
    """One task of a person's batch, in that person's order.

    Attributes:
        returned: sent back and not resubmitted yet.
        has_question: whether the last comment is a supervisor's that did not send the task back.
        round: of its text or tables; work in a later one than the first follows a model's answer.
    """

    attempt_id: str
    position: int
    key: str
    question: str
    status: Status
    flagged: bool
    returned: bool = False
    has_question: bool = False
    round: int = 1

    @property
    def is_done(self) -> bool:
        """Whether it is submitted or skipped."""
        return self.status in ("submitted", "skipped")


def attempt(engine: Engine, attempt_id: str) -> AttemptRow:
    """The attempt with this id.

    Raises:
        NotFoundError: there is none.
    """
    with engine.connect() as connection:
        return attempt_in(connection, attempt_id)


def attempt_in(connection: Connection, attempt_id: str) -> AttemptRow:
    """``attempt`` on an open connection."""
    row = connection.execute(_ATTEMPT, {"attempt": attempt_id}).one_or_none()
    if row is None:
        raise NotFoundError(gettext("This task does not exist, or its batch was withdrawn."))
    return AttemptRow(
        attempt_id=row.id,
        user_id=row.user_id,
        user_name=row.user_name,
        assignment_id=row.assignment_id,
        batch_id=row.batch_id,
        code_name=row.code_name,
        campaign_id=row.campaign_id,
        campaign=row.campaign,
        protocol=under_condition(protocol_of(row.protocol), row.setting),
        guidelines=row.guidelines,
        key=row.key,
        record=record_of(row.record),
        task_id=row.task_id,
        role=row.role,
        campaign_status=row.campaign_status,
        decisions=DecisionsAbove(
            row.assignment_status == WITHDRAWN,
            row.campaign_status,
            row.guidelines_version or 0,
            bool(row.excluded),
        ),
        is_withdrawal_shown=row.withdrawal_shown_at is not None,
    )


def batch_tasks(engine: Engine, assignment_id: int) -> list[BatchTask]:
    """The tasks of an assignment in the order its annotator sees them; attempts must exist.

    Excluded tasks are left out; the others keep their order.
    """
    with engine.connect() as connection:
        rows = connection.execute(_BATCH_TASKS, {"assignment": assignment_id}).all()
    if not rows:
        return []
    # A hidden check may have the key of another task of the batch, but not this one.
    by_key = {
        row.key if row.copy_of is None else f"copy of {row.copy_of}: {row.key}": row for row in rows
    }
    keeps_batch_order = rows[0].order == "batch"
    ordered = order_for(list(by_key), rows[0].seed)
    if keeps_batch_order:
        in_batch = [key for key in by_key if by_key[key].copy_of is None]
        ordered = dealt_among(in_batch, sorted(by_key.keys() - set(in_batch)), rows[0].seed)
    if not keeps_batch_order and any(row.record.get("prediction") is not None for row in rows):
        # Answers to one question are kept apart: judging one colours the judgement of the next.
        ordered = separate_groups(ordered, lambda key: str(by_key[key].record.get("question", "")))
    else:
        ordered = side_by_side(ordered, lambda key: _family(key, by_key[key]))
    ordered = [key for key in ordered if not by_key[key].excluded]
    return [
        BatchTask(
            attempt_id=by_key[key].id,
            position=position,
            key=by_key[key].key,
            question=str(by_key[key].record.get("question", "")),
            status=by_key[key].status or "new",
            flagged=bool(by_key[key].flagged),
            returned=bool(by_key[key].returned),
            has_question=by_key[key].commented_by not in (None, by_key[key].user_id),
            round=by_key[key].round,
        )
        for position, key in enumerate(ordered, start=1)
    ]


def _family(key: str, task: AnyRow) -> str:
    """The family of a task; a hidden check is one of its own, so that it stays where it is."""
    return key if task.copy_of is not None else family_of(key, task.record)


def task_to_open(tasks: Collection[BatchTask]) -> BatchTask | None:
    """The task to continue a batch with.

    That is the first returned one, or the open one, or the first not started, or the first whose
    last comment is a supervisor's, or the first; None without tasks.
    """
    candidates = (
        [task for task in tasks if task.returned]
        or [task for task in tasks if task.status == "open"]
        or [task for task in tasks if task.status == "new"]
        or [task for task in tasks if task.has_question]
        or tasks
    )
    return next(iter(candidates), None)


class CorpusSize(TypedDict):
    """The numbers of documents and pages in the collection."""

    documents: int
    pages: int


def corpus_size(engine: Engine) -> CorpusSize:
    """The size of the collection."""
    with engine.connect() as connection:
        row = connection.execute(_CORPUS_SIZE).one()
    return {"documents": int(row[0]), "pages": int(row[1])}


def assignment_owner(engine: Engine, assignment_id: int) -> tuple[int, str]:
    """(user id, status) of an assignment.

    Raises:
        NotFoundError: there is none.
    """
    with engine.connect() as connection:
        row = connection.execute(_OWNER, {"assignment": assignment_id}).one_or_none()
    if row is None:
        raise NotFoundError(gettext("This batch does not exist, or it was withdrawn."))
    return row.user_id, row.status
