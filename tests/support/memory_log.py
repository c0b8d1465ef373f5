"""An ``EventLog`` in memory: for tests of the domain, and for folding what an export holds."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from threading import RLock

from pagetrail.annotation.attempts.batch_aids import BatchAids, fold_batch_aids
from pagetrail.annotation.attempts.event_log import AttemptStream
from pagetrail.annotation.attempts.state import AttemptState, apply, fold
from pagetrail.annotation.errors import ConflictError, NotFoundError
from pagetrail.annotation.events import Event
from pagetrail.annotation.ports import Clock


class MemoryEventLog:
    """Keeps the events of the attempts it was told of."""

    def __init__(self, *attempt_ids: str) -> None:
        self._streams: dict[str, list[Event]] = {name: [] for name in attempt_ids}
        self._stored: list[Event] = []
        self._lock = RLock()

    @contextmanager
    def writing(self, attempt_id: str, *, exclusive: bool = False) -> Iterator[AttemptStream]:
        """A transaction: what was appended is dropped again when the block raises."""
        with self._lock:
            known = self._stream(attempt_id)
            stream = _MemoryStream(attempt_id, known, self._stored)
            yield stream
            self._streams[attempt_id] = stream.rows
            self._stored += stream.rows[len(known) :]

    def events(self, attempt_id: str) -> Iterator[Event]:
        """The attempt's events in order."""
        return iter(self._stream(attempt_id))

    def state(self, attempt_id: str) -> AttemptState:
        """The fold of the attempt's events."""
        return fold(self._stream(attempt_id))

    def _stream(self, attempt_id: str) -> list[Event]:
        if attempt_id not in self._streams:
            raise NotFoundError(f"There is no attempt {attempt_id} in this log.")
        return self._streams[attempt_id]


class _MemoryStream:
    def __init__(self, attempt_id: str, events: list[Event], stored: list[Event]) -> None:
        self._attempt_id = attempt_id
        self._known, self._stored = len(events), stored
        self.rows = list(events)
        self._state = fold(events)

    @property
    def state(self) -> AttemptState:
        return self._state

    @property
    def size(self) -> int:
        """Nothing is stored here, so nothing is too large for it."""
        return 0

    @property
    def log_chars(self) -> int:
        """Characters of all events' payloads as JSON."""
        return sum(len(json.dumps(event.fields())) for event in self.rows)

    def now(self, clock: Clock) -> datetime:
        """The clock's: nobody else writes here."""
        return clock.now()

    def find(self, client_event_id: str) -> Event | None:
        return next((e for e in self.rows if e.client_event_id == client_event_id), None)

    def last_of_client(self) -> Event | None:
        return next((e for e in reversed(self.rows) if e.client_ts is not None), None)

    def batch_aids(self) -> BatchAids:
        """A person's attempts, named task-person, are one batch."""
        person = self._attempt_id.partition("-")[2]
        events = [*self._stored, *self.rows[self._known :]]
        return fold_batch_aids(e for e in events if e.attempt_id.partition("-")[2] == person)

    def append(self, event: Event) -> None:
        is_duplicate = any(
            e.seq == event.seq or e.client_event_id == event.client_event_id for e in self.rows
        )
        if is_duplicate or event.attempt_id != self._attempt_id:
            raise ConflictError(
                f"Event {event.seq} ({event.client_event_id}) of attempt {event.attempt_id} "
                "is already stored. Read the attempt again before writing."
            )
        self.rows.append(event)
        self._state = apply(self._state, event)
