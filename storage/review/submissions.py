"""All attempts at a task, as review reads them."""

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
from pagetrail.annotation.messages import gettext
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.annotation.tasks.task import given_pages, language_of
from pagetrail.storage.attempts.event_rows import comments_of
from pagetrail.storage.attempts.stored_states import current_state
from pagetrail.storage.campaigns.counting_tasks import StoredExclusion, exclusion_of
from pagetrail.storage.database.json_cache import as_text, protocol_of, record_of
from pagetrail.storage.database.statuses import ARCHIVED, SUBMITTED_OR_SKIPPED, WITHDRAWN
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

SUBMISSION_SEQ = (
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

_ATTEMPTS = (
    select(
        Attempt.id,
        Attempt.user_id,
        Attempt.assignment_id,
        User.name,
        User.role,
        AttemptStateRow.state,
        AttemptStateRow.last_seq,
        SUBMISSION_SEQ.label("submission_seq"),
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
        Task.excluded,
        Task.excluded_by,
        Task.excluded_at,
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
        Assignment.status != WITHDRAWN,
        User.active.is_(True),
        User.role.not_in(NOT_PEOPLE),
    )
    .order_by(Assignment.user_id)
)
"""Ids of the annotators who are assigned a task."""
_SIZE = (
    select(Page.width, Page.height)
    .join(Document, Document.id == Page.document_id)
    .where(Document.name == bindparam("name"), Page.number == bindparam("number"))
)
NO_SIZE = (1_000_000.0, 1_000_000.0)
"""For a page that is no longer in the collection: no box on it is cut off."""


@dataclass(frozen=True)
class ReviewedTask:
    """A task with its campaign's settings. ``record`` has gold: for supervisors only."""

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
    exclusion: StoredExclusion | None

    def given_pages(self) -> list[tuple[str, int]] | None:
        """The pages that the task gives; None if annotators search for pages."""
        return given_pages(self.protocol.pages, self.record)

    def form(self, state: AttemptState) -> Form:
        """The protocol's form, filled in with a state."""
        return Form(self.protocol, state, self.given_pages())

    def answer_variants(self) -> list[list[str]]:
        """The answers that the imported task accepts."""
        return self.record.get("answer_variants") or []

    def language(self) -> str | None:
        """The imported task's language, in which its numbers are written."""
        return language_of(self.record)

    def dataset(self) -> GoldSubmission | None:
        """The imported gold as one more version that a reviewer can take; None without gold."""
        try:
            gold = gold_submission(self.protocol, self.record)
        except ValueError:  # from a workspace whose importer did not check the gold
            return None
        return replace(gold, attempt=DATASET, name=DATASET)


@dataclass(frozen=True)
class StartedAttempt:
    """An attempt at the task that has events.

    Attributes:
        submission_seq: the event that last submitted it; None if it never was.
        raised_seq: the event with which it was last flagged or skipped.
    """

    attempt: str
    user_id: int
    assignment_id: int | None
    name: str
    role: str
    state: AttemptState
    submission_seq: int | None
    raised_seq: int | None

    @property
    def is_done(self) -> bool:
        """Whether it is submitted or skipped."""
        return self.state.status in SUBMITTED_OR_SKIPPED


@dataclass(frozen=True)
class TaskWork:
    """All work on a task.

    Attributes:
        attempts: those of people, by name.
        gold: the gold stream; None before there is one.
        assigned: ids of the annotators who are assigned the task.
    """

    task: ReviewedTask
    attempts: tuple[StartedAttempt, ...]
    gold: StartedAttempt | None
    assigned: frozenset[int] = frozenset()

    def gold_form(self, state: AttemptState) -> Form:
        """The protocol's form over gold, with the confirmations that older gold did not store."""
        form = self.task.form(state)
        shared = shared_confirmations(form, [work.form.state for work in self._submissions])
        return self.task.form(state.model_copy(update={"confirmed": (*state.confirmed, *shared)}))

    def submissions(self) -> list[Submission]:
        """The submitted attempts, by name."""
        return list(self._submissions)

    @cached_property
    def _submissions(self) -> tuple[Submission, ...]:
        """Made once, since forms cache what they compute."""
        return tuple(
            Submission(self.task.form(attempt.state), attempt.attempt, attempt.name)
            for attempt in self.attempts
            if attempt.state.status == "submitted"
        )

    def is_handled(self, attempt: StartedAttempt) -> bool:
        """Whether a supervisor has handled its last flag or skip."""
        review = self.gold.state.review if self.gold is not None else None
        handled = review.handled.get(attempt.attempt, 0) if review is not None else 0
        return attempt.raised_seq is not None and handled >= attempt.raised_seq

    def sources(self) -> dict[str, int]:
        """Attempt → the event that submitted it, of the attempts that are submitted now."""
        return {
            attempt.attempt: attempt.submission_seq or 0
            for attempt in self.attempts
            if attempt.is_done
        }


def load_task_work(connection: Connection, task_id: int) -> TaskWork:
    """The task with all work on it.

    Raises:
        NotFoundError: no such task.
    """
    task_row = connection.execute(_TASK, {"task": task_id}).one_or_none()
    if task_row is None:
        raise NotFoundError(gettext("There is no such task in this workspace."))
    task = ReviewedTask(
        id=task_row.id,
        key=task_row.key,
        position=task_row.position,
        record=record_of(task_row.record),
        campaign_id=task_row.campaign_id,
        campaign=task_row.campaign,
        open=task_row.status == "open",
        archived=task_row.status == ARCHIVED,
        seed=task_row.seed,
        code_name=task_row.code_name,
        batch_position=task_row.batch_position,
        guidelines=task_row.guidelines,
        protocol=protocol_of(task_row.protocol),
        exclusion=exclusion_of(connection, task_row),
    )
    rows = connection.execute(_ATTEMPTS, {"task": task_id}).all()
    comments = comments_of(connection, [row.id for row in rows])
    attempts = [
        StartedAttempt(
            attempt=row.id,
            user_id=row.user_id,
            assignment_id=row.assignment_id,
            name=row.name,
            role=row.role,
            state=current_state(
                connection, row.id, row.state, row.last_seq, comments.get(row.id, ())
            ),
            submission_seq=row.submission_seq,
            raised_seq=row.raised_seq,
        )
        for row in rows
    ]
    return TaskWork(
        task,
        tuple(attempt for attempt in attempts if attempt.role not in NOT_PEOPLE),
        next((attempt for attempt in attempts if attempt.role == REVIEW), None),
        frozenset(connection.execute(ASSIGNED, {"task": task_id}).scalars()),
    )


def page_sizes(connection: Connection) -> Callable[[str, int], tuple[float, float]]:
    """Looks up the width and height of pages by document and number, each once."""
    sizes: dict[tuple[str, int], tuple[float, float]] = {}

    def size(document: str, page: int) -> tuple[float, float]:
        key = (document, page)
        if key not in sizes:
            row = connection.execute(_SIZE, {"name": document, "number": page}).one_or_none()
            sizes[key] = NO_SIZE if row is None else (row.width, row.height)
        return sizes[key]

    return size
