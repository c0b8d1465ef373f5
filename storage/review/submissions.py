"""The people's work on a task, as reviewing reads it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from sqlalchemy import Connection, bindparam, func, select

from pagetrail.annotation.attempts.contradictions import shared_confirmations
from pagetrail.annotation.attempts.forms import Form
from pagetrail.annotation.attempts.state import AttemptState
from pagetrail.annotation.attempts.submission import Submission
from pagetrail.annotation.comparison.gold_submission import GoldSubmission, gold_submission
from pagetrail.annotation.errors import NotFoundError
from pagetrail.annotation.events.review import DATASET
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.annotation.tasks.task import given_pages, language_of
from pagetrail.storage.attempts.event_rows import comments_of
from pagetrail.storage.attempts.stored_states import current_state
from pagetrail.storage.database.json_cache import as_text, protocol_of, record_of
from pagetrail.storage.database.statuses import ARCHIVED, SUBMITTED_OR_SKIPPED, TAKEN_BACK
from pagetrail.storage.database.tables import (
    Assignment,
    Attempt,
    AttemptStateRow,
    Batch,
    Campaign,
    Document,
    EventRow,
    Page,
    Task,
    User,
)
from pagetrail.storage.people.system_roles import NOT_PEOPLE, REVIEW

HANDED_SEQ = (
    select(func.max(EventRow.seq))
    .where(EventRow.attempt_id == Attempt.id, EventRow.type.in_(SUBMITTED_OR_SKIPPED))
    .correlate(Attempt)
    .scalar_subquery()
)
"""The event that last submitted an attempt."""
RAISED_SEQ = (
    select(func.max(EventRow.seq))
    .where(EventRow.attempt_id == Attempt.id, EventRow.type.in_(("flagged", "skipped")))
    .correlate(Attempt)
    .scalar_subquery()
)
"""The event with which an attempt was last flagged or skipped."""

_WORK = (
    select(
        Attempt.id,
        Attempt.user_id,
        Attempt.assignment_id,
        User.name,
        User.role,
        AttemptStateRow.state,
        AttemptStateRow.last_seq,
        HANDED_SEQ.label("handed_seq"),
        RAISED_SEQ.label("raised_seq"),
    )
    .join(User, User.id == Attempt.user_id)
    .join(AttemptStateRow, AttemptStateRow.attempt_id == Attempt.id)
    .where(Attempt.task_id == bindparam("task"))
    .order_by(User.name, Attempt.id)
)
_TASK = (
    select(
        Task.id,
        Task.key,
        Task.position,
        as_text(Task.record).label("record"),
        Task.campaign_id,
        Batch.code_name,
        Batch.position.label("batch_position"),
        Campaign.name.label("campaign"),
        Campaign.status,
        Campaign.seed,
        Campaign.guidelines,
        as_text(Campaign.protocol).label("protocol"),
    )
    .join(Batch, Batch.id == Task.batch_id)
    .join(Campaign, Campaign.id == Task.campaign_id)
    .where(Task.id == bindparam("task"))
)
ASSIGNED = (
    select(Assignment.user_id)
    .join(Task, Task.batch_id == Assignment.batch_id)
    .join(User, User.id == Assignment.user_id)
    .where(
        Task.id == bindparam("task"),
        Assignment.status != TAKEN_BACK,
        User.active.is_(True),
        User.role.not_in(NOT_PEOPLE),
    )
    .order_by(Assignment.user_id)
)
"""Ids of those who have a task."""
_SIZE = (
    select(Page.width, Page.height)
    .join(Document, Document.id == Page.document_id)
    .where(Document.name == bindparam("name"), Page.number == bindparam("number"))
)
NO_SIZE = (1_000_000.0, 1_000_000.0)
"""For a page that is not in the collection any more: nothing drawn on it is cut off."""


@dataclass(frozen=True)
class ReviewedTask:
    """A task with what its campaign says. ``record`` holds gold: for supervisors only."""

    id: int
    key: str
    position: int
    record: dict[str, Any]
    campaign_id: int
    campaign: str
    open: bool
    archived: bool
    seed: int
    code_name: str
    batch_position: int
    guidelines: str
    protocol: Protocol

    def given(self) -> list[tuple[str, int]] | None:
        """The pages that the task gives; None where pages come from searching."""
        return given_pages(self.protocol.pages, self.record)

    def form(self, state: AttemptState) -> Form:
        """The protocol's questions over a state."""
        return Form(self.protocol, state, self.given())

    def accepted(self) -> list[list[str]]:
        """The answers that the task came with."""
        return self.record.get("answer_variants") or []

    def language(self) -> str | None:
        """The language that the task came with, by which numbers are read."""
        return language_of(self.record)

    def dataset(self) -> GoldSubmission | None:
        """What the task came with, as one more version that a reviewer can take; None without."""
        try:
            gold = gold_submission(self.protocol, self.record)
        except ValueError:  # from a workspace whose importer did not check the gold
            return None
        return replace(gold, attempt=DATASET, name=DATASET)


@dataclass(frozen=True)
class Worked:
    """One attempt at the task that has events.

    Attributes:
        handed_seq: the event that last submitted it; None if it never was.
        raised_seq: the event with which it was last flagged or skipped.
    """

    attempt: str
    user_id: int
    assignment_id: int | None
    name: str
    role: str
    state: AttemptState
    handed_seq: int | None
    raised_seq: int | None

    @property
    def handed_in(self) -> bool:
        """Whether it is submitted now."""
        return self.state.status in SUBMITTED_OR_SKIPPED


@dataclass(frozen=True)
class TaskWork:
    """All work on a task.

    Attributes:
        people: attempts of people, by name.
        gold: the gold stream, once there is one.
        assigned: ids of those who have it, whether they have started or not.
    """

    task: ReviewedTask
    people: tuple[Worked, ...]
    gold: Worked | None
    assigned: frozenset[int] = frozenset()

    def gold_form(self, state: AttemptState) -> Form:
        """The protocol's questions over gold; older gold kept nothing of what people confirmed."""
        form = self.task.form(state)
        known = shared_confirmations(form, [side.form.state for side in self._sides])
        return self.task.form(state.model_copy(update={"confirmed": (*state.confirmed, *known)}))

    def sides(self) -> list[Submission]:
        """What is submitted, by name."""
        return list(self._sides)

    @cached_property
    def _sides(self) -> tuple[Submission, ...]:
        """Made once: a form remembers what was asked of it."""
        return tuple(
            Submission(self.task.form(w.state), w.attempt, w.name)
            for w in self.people
            if w.state.status == "submitted"
        )

    def is_handled(self, worked: Worked) -> bool:
        """Whether a supervisor has dealt with its last flag or skip."""
        review = self.gold.state.review if self.gold is not None else None
        handled = review.handled.get(worked.attempt, 0) if review is not None else 0
        return worked.raised_seq is not None and handled >= worked.raised_seq

    def sources(self) -> dict[str, int]:
        """Attempt → the event that submitted it, of the attempts that are submitted now."""
        return {w.attempt: w.handed_seq or 0 for w in self.people if w.handed_in}


def task_work(connection: Connection, task_id: int) -> TaskWork:
    """The task with all work on it.

    Raises:
        NotFoundError: no such task.
    """
    row = connection.execute(_TASK, {"task": task_id}).one_or_none()
    if row is None:
        raise NotFoundError("There is no such task in this workspace.")
    task = ReviewedTask(
        id=row.id,
        key=row.key,
        position=row.position,
        record=record_of(row.record),
        campaign_id=row.campaign_id,
        campaign=row.campaign,
        open=row.status == "open",
        archived=row.status == ARCHIVED,
        seed=row.seed,
        code_name=row.code_name,
        batch_position=row.batch_position,
        guidelines=row.guidelines,
        protocol=protocol_of(row.protocol),
    )
    rows = connection.execute(_WORK, {"task": task_id}).all()
    comments = comments_of(connection, [w.id for w in rows])
    work = [
        Worked(
            attempt=w.id,
            user_id=w.user_id,
            assignment_id=w.assignment_id,
            name=w.name,
            role=w.role,
            state=current_state(connection, w.id, w.state, w.last_seq, comments.get(w.id, ())),
            handed_seq=w.handed_seq,
            raised_seq=w.raised_seq,
        )
        for w in rows
    ]
    return TaskWork(
        task,
        tuple(w for w in work if w.role not in NOT_PEOPLE),
        next((w for w in work if w.role == REVIEW), None),
        frozenset(connection.execute(ASSIGNED, {"task": task_id}).scalars()),
    )


def page_sizes(connection: Connection) -> Callable[[str, int], tuple[float, float]]:
    """Width and height of pages by document name and number, each asked for once."""
    known: dict[tuple[str, int], tuple[float, float]] = {}

    def size(document: str, page: int) -> tuple[float, float]:
        key = (document, page)
        if key not in known:
            row = connection.execute(_SIZE, {"name": document, "number": page}).one_or_none()
            known[key] = NO_SIZE if row is None else (row.width, row.height)
        return known[key]

    return size
