"""The event log in the database: append and projection in one transaction."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection, Engine, bindparam, false, literal, select, true
from sqlalchemy.exc import IntegrityError

from pagetrail.annotation.attempts.event_log import AttemptStream
from pagetrail.annotation.attempts.state import AttemptState, apply
from pagetrail.annotation.errors import ConflictError, NotFoundError
from pagetrail.annotation.events import Event
from pagetrail.storage.attempts.cache import SharedCache
from pagetrail.storage.attempts.event_rows import (
    comments_of,
    event_of,
    event_row,
    read_events,
    state_of,
)
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.records import EventRecord
from pagetrail.storage.database.statuses import SUBMITTED_OR_SKIPPED
from pagetrail.storage.database.tables import (
    ASSIGNMENTS,
    ATTEMPTS,
    EVENTS,
    RESPONSES,
    REVIEWS,
    TASKS,
)

# Built once: building a statement costs as much as running it, and every event runs all of these.
_FIND = select(EVENTS).where(
    EVENTS.c.attempt_id == bindparam("attempt"), EVENTS.c.client_event_id == bindparam("event")
)
_LAST_SEQ = select(RESPONSES.c.last_seq, RESPONSES.c.updated_at).where(
    RESPONSES.c.attempt_id == bindparam("attempt")
)
_STATE = select(RESPONSES.c.state).where(RESPONSES.c.attempt_id == bindparam("attempt"))
_KNOWN = select(ATTEMPTS.c.id).where(ATTEMPTS.c.id == bindparam("attempt"))
_APPEND = EVENTS.insert()
_PROJECT = RESPONSES.insert()
_STALE = (
    REVIEWS.update()
    .where(
        REVIEWS.c.task_id
        == select(ATTEMPTS.c.task_id).where(ATTEMPTS.c.id == bindparam("attempt")).scalar_subquery()
    )
    .values(stale=True)
)
_BEGIN_REVIEW = REVIEWS.insert().from_select(
    ["task_id", "campaign_id", "stale", "status", "score", "n_handed", "flagged", "drawn",
     "gold_version", "automatic", "parts", "sources"],
    select(
        TASKS.c.id, TASKS.c.campaign_id, true(), literal("waiting"), literal(0.0), literal(0),
        false(), false(), literal(0), false(), literal("[]"), literal("[]"),
    )
    .join(ATTEMPTS, ATTEMPTS.c.task_id == TASKS.c.id)
    .where(ATTEMPTS.c.id == bindparam("attempt")),
)  # fmt: skip
# A withdrawn batch stays withdrawn: somebody else may have its slot by now.
_OPEN_BATCH = (
    ASSIGNMENTS.update()
    .where(
        ASSIGNMENTS.c.id
        == select(ATTEMPTS.c.assignment_id)
        .where(ATTEMPTS.c.id == bindparam("attempt"))
        .scalar_subquery(),
        ASSIGNMENTS.c.status == "closed",
    )
    .values(status="open")
)
_PROJECT_AGAIN = RESPONSES.update().where(RESPONSES.c.attempt_id == bindparam("attempt"))


_MINUTE = len("2026-01-01T00:00")
MAX_CACHED_STATES = 32
MAX_CACHED_CHARS = 16_000_000
"""Total length of the cached states as JSON; in memory they take a few times as much."""


class SqlEventLog:
    """An ``EventLog`` over the workspace's database.

    Args:
        on_submit: called with the attempt's id once a transaction that submitted it has
            committed, before the writer gets its receipt: it must return at once.
    """

    def __init__(self, engine: Engine, on_submit: Callable[[str], None] | None = None) -> None:
        self._engine = engine
        self._on_submit = on_submit
        self._state_cache = _StateCache()

    @contextmanager
    def writing(self, attempt_id: str) -> Iterator[AttemptStream]:
        """A transaction on one attempt; the database's write lock orders concurrent writers."""
        with write_transaction(self._engine) as connection:
            stream = _SqlStream(
                connection, attempt_id, self._state_cache.find(connection, attempt_id)
            )
            yield stream
            chars = stream.store_projection()
        if chars:
            self._state_cache.keep(attempt_id, stream.response, chars)
        if self._on_submit is not None and stream.handed_in:
            self._on_submit(attempt_id)

    def events(self, attempt_id: str) -> Iterator[Event]:
        """The attempt's events in order."""
        with self._engine.connect() as connection:
            yield from read_events(connection, attempt_id)

    def response(self, attempt_id: str) -> AttemptState:
        """The attempt's stored fold; an attempt without events is new."""
        with self._engine.connect() as connection:
            kept = self._state_cache.find(connection, attempt_id)
            return (kept or _stored_state(connection, attempt_id))[0]


class _StateCache:
    """The states of attempts that are being worked on, so that not every event parses one.

    A cached state is used only if the database has stored nothing after it: another
    process may have written. States are immutable, so that threads can share them.
    """

    def __init__(self) -> None:
        # A small state weighs its share of the room, so there are at most MAX_CACHED_STATES.
        share = MAX_CACHED_CHARS // MAX_CACHED_STATES
        self._states: SharedCache[str, tuple[AttemptState, int]] = SharedCache(
            MAX_CACHED_CHARS, lambda kept: max(kept[1], share)
        )

    def find(self, connection: Connection, attempt_id: str) -> tuple[AttemptState, int] | None:
        """The attempt's state and its length as stored; None when it is not cached."""
        found = self._states.get(attempt_id)
        if found is None:
            return None
        kept, _ = found
        stand = connection.execute(_LAST_SEQ, {"attempt": attempt_id}).one_or_none()
        current = stand is not None and tuple(stand) == (kept.last_seq, kept.updated_at)
        return found if current else None

    def keep(self, attempt_id: str, state: AttemptState, chars: int) -> None:
        """Cache a state whose transaction has committed.

        Args:
            chars: length of the state as JSON.
        """
        self._states.put(attempt_id, (state, chars))


class _SqlStream:
    def __init__(
        self,
        connection: Connection,
        attempt_id: str,
        state: tuple[AttemptState, int] | None = None,
    ) -> None:
        self._connection = connection
        self._attempt_id = attempt_id
        self._response, self._size = state or _stored_state(connection, attempt_id)
        self._stored_seq = self._response.last_seq
        self._stored_parts = _reviewed_parts(self._response)
        self._handed_in = False
        self._returned = False

    @property
    def response(self) -> AttemptState:
        return self._response

    @property
    def size(self) -> int:
        return self._size

    @property
    def handed_in(self) -> bool:
        """Whether any of the appended events submits the attempt."""
        return self._handed_in

    def find(self, client_event_id: str) -> Event | None:
        row = self._connection.execute(
            _FIND, {"attempt": self._attempt_id, "event": client_event_id}
        ).one_or_none()
        return None if row is None else event_of(EventRecord._make(row))

    def append(self, event: Event) -> None:
        try:
            self._connection.execute(_APPEND, event_row(event))
        except IntegrityError as error:
            raise ConflictError(
                f"Event {event.seq} ({event.client_event_id}) of attempt {event.attempt_id} "
                "is already stored. Read the attempt again before writing."
            ) from error
        self._response = apply(self._response, event)
        self._handed_in |= event.type in SUBMITTED_OR_SKIPPED
        self._returned |= event.type == "returned"

    def store_projection(self) -> int:
        """Store the state; returns its length as JSON, 0 when nothing was appended.

        When a task was sent back, its batch is reopened for the annotator.
        """
        if self._response.last_seq == self._stored_seq:
            return 0
        row = projection_row(self._attempt_id, self._response)
        if self._stored_seq:
            self._connection.execute(_PROJECT_AGAIN, row | {"attempt": self._attempt_id})
        else:
            self._connection.execute(_PROJECT, row)
        # Reopened and resubmitted at once: the state is the same, the work is not.
        if self._handed_in or _reviewed_parts(self._response) != self._stored_parts:
            mark_stale(self._connection, self._attempt_id)
        if self._returned:
            self._connection.execute(_OPEN_BATCH, {"attempt": self._attempt_id})
        return len(row["state"])


def mark_stale(connection: Connection, attempt_id: str) -> None:
    """Mark what reviewers see of the attempt's task for recomputation."""
    if connection.execute(_STALE, {"attempt": attempt_id}).rowcount == 0:
        connection.execute(_BEGIN_REVIEW, {"attempt": attempt_id})


def _reviewed_parts(response: AttemptState) -> tuple[object, ...]:
    """The parts of a state that reviewers' screens depend on: only a change of them counts."""
    handed_in = response.status in SUBMITTED_OR_SKIPPED
    # While somebody edits gold, the time of their last edit matters to others by the minute only.
    held = (response.updated_at or "")[:_MINUTE] if response.review else None
    return handed_in, response.outcome, response.flag, response.returned, response.review, held


def projection_row(attempt_id: str, response: AttemptState) -> dict[str, Any]:
    """The ``response`` row of an attempt's folded state."""
    return {
        "attempt_id": attempt_id,
        "last_seq": response.last_seq,
        "status": response.status,
        "outcome": response.outcome,
        "flagged": response.flag is not None,
        "n_searches": len(response.searches),
        "n_citations": len(response.citations),
        "updated_at": response.updated_at or "",
        "state": response.stored_json(),
    }


def _stored_state(connection: Connection, attempt_id: str) -> tuple[AttemptState, int]:
    """The stored fold with its comments, and its length as stored."""
    # Two statements instead of a join: the projection usually exists.
    state = connection.execute(_STATE, {"attempt": attempt_id}).scalar()
    if state is not None:
        comments = comments_of(connection, [attempt_id]).get(attempt_id, ())
        return state_of(state, comments), len(state)
    known = connection.execute(_KNOWN, {"attempt": attempt_id}).one_or_none()
    if known is None:
        raise NotFoundError(f"There is no attempt {attempt_id} in this workspace.")
    return AttemptState(), 0
