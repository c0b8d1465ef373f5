"""The event log in the database: append and projection in one transaction."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Engine, bindparam, false, insert, literal, select, true, update
from sqlalchemy.exc import IntegrityError

from pagetrail.annotation.attempts.batch_aids import BatchAids
from pagetrail.annotation.attempts.event_log import AttemptStream
from pagetrail.annotation.attempts.page_state import own_searches
from pagetrail.annotation.attempts.state import AttemptState, apply
from pagetrail.annotation.clock import SystemClock
from pagetrail.annotation.errors import Busy, ConflictError
from pagetrail.annotation.events import Event, Payload
from pagetrail.annotation.messages import gettext
from pagetrail.annotation.ports import Clock
from pagetrail.storage.attempts.batch_aids import read_batch_aids
from pagetrail.storage.attempts.event_rows import (
    EVENT_ROWS,
    event_of,
    event_row,
    payload_chars,
    read_events,
)
from pagetrail.storage.attempts.stored_states import (
    AttemptHead,
    LoadedState,
    StateCache,
    load_state,
    read_attempt_head,
    stored_json,
)
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.portable_sql import insert_into
from pagetrail.storage.database.statuses import SUBMITTED_OR_SKIPPED
from pagetrail.storage.database.tables import (
    Assignment,
    Attempt,
    AttemptStateRow,
    Document,
    EventRow,
    ReviewTask,
    Task,
)
from pagetrail.storage.people.people_by_id import People

# Built once: building a statement costs as much as running it, and every event runs all of these.
_FIND = EVENT_ROWS.where(
    EventRow.attempt_id == bindparam("attempt"), EventRow.client_event_id == bindparam("event")
)
_LAST_OF_CLIENT = (
    EVENT_ROWS.where(EventRow.attempt_id == bindparam("attempt"), EventRow.client_ts.is_not(None))
    .order_by(EventRow.seq.desc())
    .limit(1)
)
_APPEND = insert(EventRow)
_PROJECT = insert(AttemptStateRow)
_STALE = (
    update(ReviewTask)
    .where(
        ReviewTask.task_id
        == select(Attempt.task_id).where(Attempt.id == bindparam("attempt")).scalar_subquery()
    )
    .values(stale=True)
)
_NEW_REVIEW = (
    ["task_id", "campaign_id", "stale", "status", "score", "n_submissions", "flagged", "drawn",
     "gold_version", "automatic", "parts", "sources"],
    select(
        Task.id, Task.campaign_id, true(), literal("waiting"), literal(0.0), literal(0),
        false(), false(), literal(0), false(), literal("[]"), literal("[]"),
    )
    .join(Attempt, Attempt.task_id == Task.id)
    .where(Attempt.id == bindparam("attempt")),
)  # fmt: skip
"""Columns and values of the review row of a task submitted for the first time."""
# Withdrawn batches stay withdrawn: somebody else may have the slot by now.
_OPEN_BATCH = (
    update(Assignment)
    .where(
        Assignment.id
        == select(Attempt.assignment_id)
        .where(Attempt.id == bindparam("attempt"))
        .scalar_subquery(),
        Assignment.status == "closed",
    )
    .values(status="open")
)
_PROJECT_AGAIN = update(AttemptStateRow).where(AttemptStateRow.attempt_id == bindparam("attempt"))


MINUTE = len("2026-01-01T00:00")
"""Length of a timestamp up to the minute."""
_DOCUMENT = select(Document.id).where(Document.name == bindparam("document"))

LARGE_STATE = 16_000
"""States of at least this many characters are not stored with every event."""
MAX_EVENTS_BEHIND = 32
"""Number of events a stored state may lag behind the log; reading it applies them."""


class SqlEventLog:
    """An ``EventLog`` over the workspace's database.

    Args:
        on_submit: called with the attempt's id after a submission has committed and before the
            writer gets its receipt; must return at once.
    """

    def __init__(self, engine: Engine, on_submit: Callable[[str], None] | None = None) -> None:
        self._engine = engine
        self._on_submit = on_submit
        self._state_cache = StateCache()

    @contextmanager
    def writing(self, attempt_id: str, *, exclusive: bool = False) -> Iterator[AttemptStream]:
        """A transaction on one attempt; the database's locks order concurrent writers."""
        with write_transaction(self._engine, None if exclusive else attempt_id) as connection:
            head = read_attempt_head(connection, attempt_id)
            cached = self._state_cache.find(attempt_id, head)
            stream = _SqlStream(connection, attempt_id, head, cached)
            yield stream
            loaded = stream.store_projection()
        if loaded is not None:
            self._state_cache.keep(attempt_id, loaded, head.names)
        if self._on_submit is not None and stream.was_finished:
            self._on_submit(attempt_id)

    def events(self, attempt_id: str) -> Iterator[Event]:
        """The attempt's events in order."""
        with self._engine.connect() as connection:
            yield from read_events(connection, attempt_id)

    def batch_aids(self, attempt_id: str) -> BatchAids:
        """The annotator's aids as all attempts of the attempt's batch have left them."""
        with self._engine.connect() as connection:
            return read_batch_aids(connection, attempt_id)

    def state(self, attempt_id: str) -> AttemptState:
        """The attempt's stored fold; an attempt without events is new."""
        with self._engine.connect() as connection:
            cached = self._state_cache.find(attempt_id, read_attempt_head(connection, attempt_id))
            return (cached or load_state(connection, attempt_id)).state


class _SqlStream:
    def __init__(
        self,
        connection: Connection,
        attempt_id: str,
        head: AttemptHead,
        cached: LoadedState | None,
    ) -> None:
        self._connection = connection
        self._people = People(connection)
        self._attempt_id = attempt_id
        self._head = head
        self._loaded = cached or load_state(connection, attempt_id)
        self._state = self._loaded.state
        self._appended_chars = 0
        self._log_chars = head.log_chars or 0
        self._stored_parts = _reviewed_parts(self._state)
        self._was_finished = False
        self._reopened = False

    @property
    def state(self) -> AttemptState:
        return self._state

    @property
    def size(self) -> int:
        return self._loaded.chars + self._appended_chars

    @property
    def log_chars(self) -> int:
        return self._log_chars

    @property
    def was_finished(self) -> bool:
        """Whether any appended event submits or skips the attempt."""
        return self._was_finished

    def now(self, clock: Clock) -> datetime:
        if self._head.time is None or not isinstance(clock, SystemClock):
            return clock.now()
        return self._head.time

    def find(self, client_event_id: str) -> Event | None:
        row = self._connection.execute(
            _FIND, {"attempt": self._attempt_id, "event": client_event_id}
        ).one_or_none()
        return None if row is None else event_of(row, self._people)

    def last_of_client(self) -> Event | None:
        row = self._connection.execute(_LAST_OF_CLIENT, {"attempt": self._attempt_id}).first()
        return None if row is None else event_of(row, self._people)

    def batch_aids(self) -> BatchAids:
        return read_batch_aids(self._connection, self._attempt_id)

    def append(self, event: Event) -> None:
        row = event_row(event, self._people)
        if row["actor_id"] is None and self._head.names is not None:
            raise ConflictError(gettext("This account has another name now. Reload the page."))
        if self._head.removals is not None:
            self._require_document(event.payload)
        try:
            self._connection.execute(_APPEND, row)
        except IntegrityError as error:
            raise ConflictError(
                gettext(
                    "Event {seq} ({client_event_id}) of attempt {attempt_id} is already "
                    "stored. Read the attempt again before writing.",
                    seq=event.seq,
                    client_event_id=event.client_event_id,
                    attempt_id=event.attempt_id,
                )
            ) from error
        self._state = apply(self._state, event)
        chars = payload_chars(row)
        self._appended_chars += chars
        self._log_chars += chars
        self._was_finished |= event.type in SUBMITTED_OR_SKIPPED
        self._reopened |= event.type in ("returned", "round_started")

    def _require_document(self, payload: Payload) -> None:
        """Refuse a document that was removed since the event was checked."""
        name = getattr(payload, "document", None)
        if name is None:
            return
        if self._connection.execute(_DOCUMENT, {"document": name}).first() is None:
            raise Busy(
                gettext("{document} was removed from the collection just now.", document=name)
            )

    def store_projection(self) -> LoadedState | None:
        """Store the projection after the appended events; None if nothing was appended.

        If a task was sent back or its next round began, its batch is reopened for the annotator.
        """
        before, state = self._loaded, self._state
        if state.last_seq == before.state.last_seq:
            return None
        row = projection_columns(self._attempt_id, state, self._log_chars)
        # If reopened and resubmitted in one call, the state is the same, but the work may not be.
        reviewed = self._was_finished or _reviewed_parts(state) != self._stored_parts
        if self._may_be_behind(reviewed):
            loaded = LoadedState(state, self.size, before.stored_seq)
        else:
            row["state"] = stored_json(state, self._people)
            loaded = LoadedState(state, len(row["state"]), state.last_seq)
        if before.state.last_seq:
            self._connection.execute(_PROJECT_AGAIN, row | {"attempt": self._attempt_id})
        else:
            self._connection.execute(_PROJECT, row)
        if reviewed:
            mark_stale(self._connection, self._attempt_id)
        if self._reopened:
            self._connection.execute(_OPEN_BATCH, {"attempt": self._attempt_id})
        return loaded

    def _may_be_behind(self, reviewed: bool) -> bool:
        """Whether storing the state can wait: it is large, and nobody else depends on it yet.

        Writing 150 KB with each box would take several times as long as everything else.
        """
        state, before = self._state, self._loaded
        return (
            before.chars >= LARGE_STATE
            and state.last_seq - before.stored_seq <= MAX_EVENTS_BEHIND
            and state.status == "open"
            and state.review is None
            and not reviewed
        )


def mark_stale(connection: Connection, attempt_id: str) -> None:
    """Mark the review row of the attempt's task as stale."""
    if connection.execute(_STALE, {"attempt": attempt_id}).rowcount == 0:
        # Two people may be the first to submit the task at the same moment.
        begin = (
            insert_into(connection, ReviewTask).from_select(*_NEW_REVIEW).on_conflict_do_nothing()
        )
        connection.execute(begin, {"attempt": attempt_id})


def _reviewed_parts(state: AttemptState) -> tuple[object, ...]:
    """The parts of a state that reviewers' screens depend on."""
    is_finished = state.status in SUBMITTED_OR_SKIPPED
    # While gold is edited, others need the time of the last edit only to the minute.
    last_edit_minute = (state.updated_at or "")[:MINUTE] if state.review else None
    return is_finished, state.outcome, state.flag, state.returned, state.review, last_edit_minute


def projection_row(
    attempt_id: str, state: AttemptState, log_chars: int, people: People
) -> dict[str, Any]:
    """The ``state`` row of an attempt's folded state."""
    columns = projection_columns(attempt_id, state, log_chars)
    return columns | {"state": stored_json(state, people)}


def projection_columns(attempt_id: str, state: AttemptState, log_chars: int) -> dict[str, Any]:
    """The row without the state itself."""
    return {
        "attempt_id": attempt_id,
        "last_seq": state.last_seq,
        "status": state.status,
        "outcome": state.outcome,
        "flagged": state.flag is not None,
        "n_searches": len(own_searches(state.searches)),
        "n_citations": len(state.citations),
        "updated_at": state.updated_at or "",
        "log_chars": log_chars,
    }
