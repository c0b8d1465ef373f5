"""Stored and cached states of attempts.

A large state is not stored with every event: its row then has the columns of the last event and the
    state of an earlier one, and reading it applies the events in between.
"""

from __future__ import annotations

import json
from datetime import datetime
from functools import reduce
from typing import NamedTuple

from pydantic import ValidationError
from sqlalchemy import Connection, bindparam, select

from pagetrail.annotation.attempts.review_state import Comment
from pagetrail.annotation.attempts.state import AttemptState, apply
from pagetrail.annotation.errors import NotFoundError
from pagetrail.annotation.events import Event
from pagetrail.annotation.messages import gettext
from pagetrail.storage.attempts.cache import SharedCache
from pagetrail.storage.attempts.event_rows import EVENT_ROWS, comments_of, event_of
from pagetrail.storage.corpus.documents import REMOVALS_KEY
from pagetrail.storage.database.damage import damaged, unreadable
from pagetrail.storage.database.portable_sql import database_time
from pagetrail.storage.database.tables import Attempt, AttemptStateRow, EventRow, Meta
from pagetrail.storage.people.people_by_id import People
from pagetrail.storage.people.stored_names import NAMES_REVISION

# Built once: building a statement costs as much as running it, and every event runs some of these.
_ROW = AttemptStateRow.attempt_id == bindparam("attempt")
_HEAD = select(
    select(AttemptStateRow.last_seq).where(_ROW).scalar_subquery(),
    select(AttemptStateRow.updated_at).where(_ROW).scalar_subquery(),
    NAMES_REVISION,
    database_time(),
    select(AttemptStateRow.log_chars).where(_ROW).scalar_subquery(),
    select(Meta.value).where(Meta.key == REMOVALS_KEY).scalar_subquery(),
)
_STATE = select(AttemptStateRow.state, AttemptStateRow.last_seq).where(
    AttemptStateRow.attempt_id == bindparam("attempt")
)
_ATTEMPT_EXISTS = select(Attempt.id).where(Attempt.id == bindparam("attempt"))
_EVENTS_AFTER = EVENT_ROWS.where(
    EventRow.attempt_id == bindparam("attempt"), EventRow.seq > bindparam("seq")
).order_by(EventRow.seq)

_REVIEW = '"review":{'
"""In the stored states that name people."""
MAX_CACHED_STATES = 512
"""More than the people at work at a time, each at one attempt."""

MAX_CACHED_CHARS = 16_000_000
"""Total length of the cached states as JSON; they take several times as much memory."""


class LoadedState(NamedTuple):
    """The current state of an attempt.

    Attributes:
        chars: length of the stored state as JSON and of the events after it.
        stored_seq: number of the last event in the stored state; 0 if none is stored.
    """

    state: AttemptState
    chars: int
    stored_seq: int


class AttemptHead(NamedTuple):
    """What a transaction on an attempt reads first, in one statement.

    Attributes:
        last_seq, updated_at: of the stored state, or None.
        names: ``NAMES_REVISION``.
        time: by the database's own clock; None if it has no clock of its own.
        log_chars: of the attempt's row, or None.
        removals: number of documents removed so far, or None.
    """

    last_seq: int | None
    updated_at: str | None
    names: str | None
    time: datetime | None
    log_chars: int | None
    removals: str | None


def read_attempt_head(connection: Connection, attempt_id: str) -> AttemptHead:
    """The current head of an attempt."""
    return AttemptHead._make(connection.execute(_HEAD, {"attempt": attempt_id}).one())


def load_state(connection: Connection, attempt_id: str) -> LoadedState:
    """The current state with its comments; an attempt without events is new.

    Raises:
        NotFoundError: no such attempt.
        StorageError: the stored state cannot be read; the database is damaged.
    """
    # Two statements instead of a join: the projection usually exists.
    row = connection.execute(_STATE, {"attempt": attempt_id}).one_or_none()
    if row is not None:
        stored = _parsed(connection, row.state, attempt_id)
        later = _events_after(connection, attempt_id, stored, row.last_seq)
        comments = comments_of(connection, [attempt_id]).get(attempt_id, ())
        chars = len(row.state) + sum(len(repr(event.fields())) for event in later)
        return LoadedState(_continued(stored, later, comments), chars, stored.last_seq)
    if connection.execute(_ATTEMPT_EXISTS, {"attempt": attempt_id}).one_or_none() is None:
        raise NotFoundError(
            gettext("There is no attempt {attempt_id} in this workspace.", attempt_id=attempt_id)
        )
    return LoadedState(AttemptState(), 0, 0)


def current_state(
    connection: Connection,
    attempt_id: str,
    stored: str,
    last_seq: int,
    comments: tuple[Comment, ...] = (),
) -> AttemptState:
    """The current state from the columns ``state`` and ``last_seq`` of an attempt's row."""
    state = _parsed(connection, stored, attempt_id)
    return _continued(state, _events_after(connection, attempt_id, state, last_seq), comments)


def stored_json(state: AttemptState, people: People) -> str:
    """A state as it is stored: people in the review of gold are ids."""
    stored = state.stored_json()
    if state.review is None:
        return stored
    fields = json.loads(stored)
    fields["review"] = people.with_ids(fields["review"])
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":"))


def _parsed(connection: Connection, stored: str, attempt_id: str) -> AttemptState:
    subject = f"the state of attempt {attempt_id}"
    if _REVIEW in stored:
        try:
            fields = json.loads(stored)
            if fields.get("review"):
                fields["review"] = People(connection).with_names(fields["review"])
            stored = json.dumps(fields)
        except (AttributeError, TypeError, ValueError):
            raise damaged(subject) from None
    try:
        return AttemptState.model_validate_json(stored)
    except ValidationError as error:
        raise unreadable(subject, error) from None


def _events_after(
    connection: Connection, attempt_id: str, state: AttemptState, last_seq: int
) -> list[Event]:
    if state.last_seq >= last_seq:
        return []
    rows = connection.execute(_EVENTS_AFTER, {"attempt": attempt_id, "seq": state.last_seq})
    people = People(connection)
    return [event_of(row, people) for row in rows]


def _continued(
    state: AttemptState, events: list[Event], comments: tuple[Comment, ...]
) -> AttemptState:
    # All comments are read from the log; earlier versions stored theirs in the state as well.
    return reduce(apply, events, state).model_copy(update={"comments": comments})


class StateCache:
    """Cached states of attempts in work, so that not every event parses one.

    A cached state is used only if the database has no later event and nobody was renamed, since
    other processes write too. States are immutable, so threads can share them.
    """

    def __init__(self) -> None:
        # Small states count as larger ones, so there are at most MAX_CACHED_STATES.
        share = MAX_CACHED_CHARS // MAX_CACHED_STATES
        self._states: SharedCache[str, tuple[LoadedState, str | None]] = SharedCache(
            MAX_CACHED_CHARS, lambda cached: max(cached[0].chars, share)
        )

    def find(self, attempt_id: str, head: AttemptHead) -> LoadedState | None:
        """The attempt's state; None when it is not cached, or not current."""
        cached = self._states.get(attempt_id)
        if cached is None:
            return None
        loaded, names = cached
        current = (loaded.state.last_seq, loaded.state.updated_at, names)
        return loaded if head[:3] == current else None

    def keep(self, attempt_id: str, loaded: LoadedState, names: str | None) -> None:
        """Cache a state whose transaction has committed.

        Args:
            names: ``NAMES_REVISION`` in that transaction.
        """
        self._states.store(attempt_id, (loaded, names))
