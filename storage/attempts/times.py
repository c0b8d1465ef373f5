"""Active and wall times of many attempts at once; only types and times of events are read."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby, islice

from sqlalchemy import Connection, select

from pagetrail.annotation.timing.bulk import AttemptTime, attempt_time
from pagetrail.storage.attempts.cache import AttemptKey, SharedCache, attempt_key
from pagetrail.storage.database.tables import AttemptSummary, EventRow

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


def active_ms_of(connection: Connection, attempts: Mapping[str, int]) -> dict[str, int]:
    """Active times in milliseconds; those in projections are not computed again.

    Args:
        attempts: id → its last event.
    """
    active_ms: dict[str, int] = {}
    left = iter(attempts)
    while chunk := list(islice(left, ATTEMPTS_AT_ONCE)):
        rows = connection.execute(
            select(
                AttemptSummary.attempt_id, AttemptSummary.last_seq, AttemptSummary.active_ms
            ).where(AttemptSummary.attempt_id.in_(chunk))
        )
        active_ms |= {
            row.attempt_id: row.active_ms
            for row in rows
            if row.last_seq == attempts[row.attempt_id]
        }
    missing = {attempt: last for attempt, last in attempts.items() if attempt not in active_ms}
    return active_ms | {a: times.active_ms for a, times in times_of(connection, missing).items()}
