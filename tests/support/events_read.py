"""Notes which attempts' events are read from the database."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from pagetrail.storage.snapshot.rows import AttemptHead
from pagetrail.storage.snapshot.snapshot import Snapshot


def note_events_read(monkeypatch: pytest.MonkeyPatch) -> list[AttemptHead]:
    """The attempts whose events are read from now on, in order; filled as they are."""
    read: list[AttemptHead] = []
    with_events = Snapshot.with_events

    def noting(snapshot: Snapshot, heads: Sequence[AttemptHead]) -> Iterator[Any]:
        read.extend(heads)
        return with_events(snapshot, heads)

    monkeypatch.setattr(Snapshot, "with_events", noting)
    return read
