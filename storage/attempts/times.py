"""Active and wall times of many attempts at once; only types and times of events are read."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby, islice

from sqlalchemy import Connection, select

from pagetrail.annotation.timing.bulk import AttemptTime, attempt_time
from pagetrail.storage.attempts.cache import AttemptKey, SharedCache, attempt_key
from pagetrail.storage.database.tables import EventRow

ATTEMPTS_AT_ONCE = 400

_times: SharedCache[AttemptKey, AttemptTime] = SharedCache(50_000)


def times_of(connection: Connection, attempts: Mapping[str, int]) -> dict[str, AttemptTime]:
    """Active and wall times of these attempts; those without events are left out.

    Args:
        attempts: id → its last event.
    """
    keys = {attempt: attempt_key(connection, attempt, last) for attempt, last in attempts.items()}
    cached_times = {attempt: times for attempt in keys if (times := _times.get(keys[attempt]))}
    left = iter([attempt for attempt in keys if attempt not in cached_times])
    while chunk := list(islice(left, ATTEMPTS_AT_ONCE)):
        rows = connection.execute(
            select(EventRow.attempt_id, EventRow.type, EventRow.elapsed_ms)
            .where(EventRow.attempt_id.in_(chunk))
            .order_by(EventRow.attempt_id, EventRow.seq)
        )
        for attempt, events in groupby(rows, key=lambda row: row[0]):
            times = attempt_time((kind, elapsed) for _, kind, elapsed in events)
            cached_times[attempt] = _times.store(keys[attempt], times)
    return cached_times
