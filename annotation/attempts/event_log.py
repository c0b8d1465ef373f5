"""The append-only event log as attempts need it; ``storage`` implements it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Protocol

from pagetrail.annotation.attempts.batch_aids import BatchAids
from pagetrail.annotation.attempts.state import AttemptState
from pagetrail.annotation.events import Event
from pagetrail.annotation.ports import Clock


class AttemptStream(Protocol):
    """One attempt's events, held under the write lock of a transaction."""

    @property
    def state(self) -> AttemptState:
        """The fold of everything appended so far, this transaction's appends included."""
        ...

    @property
    def size(self) -> int:
        """Characters that the state takes as it is stored, before this transaction's appends."""
        ...

    @property
    def log_chars(self) -> int:
        """Characters of all events' payloads as JSON, this transaction's included."""
        ...

    def now(self, clock: Clock) -> datetime:
        """The time that events are stored with: the clock's.

        Where writers on several machines share a database, its clock takes the place of a
        machine's (``SystemClock``): theirs differ.
        """
        ...

    def find(self, client_event_id: str) -> Event | None:
        """The stored event of that id, or None."""
        ...

    def last_of_client(self) -> Event | None:
        """The last event that has a time of the client's clock, or None."""
        ...

    def batch_aids(self) -> BatchAids:
        """The annotator's aids as all attempts of the batch have left them, this one included."""
        ...

    def append(self, event: Event) -> None:
        """Store the event and bring the projection up to it.

        Raises:
            ConflictError: the sequence number or the client event id is taken.
        """
        ...


class EventLog(Protocol):
    """The append-only log of all attempts."""

    def writing(
        self, attempt_id: str, *, exclusive: bool = False
    ) -> AbstractContextManager[AttemptStream]:
        """A transaction on one attempt: committed when the block ends, rolled back on an error.

        Nobody else writes to the attempt meanwhile; to others' attempts they may.

        Args:
            exclusive: nobody writes anything else meanwhile: for what rests on other attempts.

        Raises:
            NotFoundError: no such attempt.
        """
        ...

    def events(self, attempt_id: str) -> Iterator[Event]:
        """The attempt's events in order."""
        ...

    def state(self, attempt_id: str) -> AttemptState:
        """The attempt's stored fold."""
        ...
