"""Positions on an attempt's time line: milliseconds since its first event."""

from __future__ import annotations

from datetime import datetime, timedelta
from threading import Lock

from pagetrail.annotation.attempts.state import AttemptState
from pagetrail.annotation.clock import SystemClock, parse_iso
from pagetrail.annotation.ports import Clock

MAX_DRIFT_MS = 1_000
"""If the clock and the monotonic clock differ by more, the clock was set."""

MAX_ATTEMPTS = 20_000
"""Attempts that are remembered; for a forgotten one, the clock alone counts again."""


class Timelines:
    """Positions that do not jump with the machine's clock while this process runs. Thread-safe.

    The first position of an attempt follows from its stored origin and the clock. Later ones rest
    on the monotonic clock if the clock was set meanwhile.

    Args:
        clock: of the server; any other than the machine's is taken as it is.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock if isinstance(clock, SystemClock) else None
        self._lock = Lock()
        self._offsets: dict[str, int] = {}

    def record(self, attempt_id: str, state: AttemptState, now: datetime, age_ms: int) -> int:
        """The position of ``now``, remembered for later positions.

        Args:
            age_ms: how long before ``now`` the next event happened; a time line begins with it.
        """
        by_clock = _position_by_clock(state, now)
        position = age_ms if by_clock is None else self._position(attempt_id, by_clock)
        if self._clock is not None:
            offset = position - self._clock.monotonic_ms()
            with self._lock:
                self._offsets.pop(attempt_id, None)
                if len(self._offsets) >= MAX_ATTEMPTS:
                    del self._offsets[next(iter(self._offsets))]
                self._offsets[attempt_id] = offset
        return position

    def elapsed_ms(self, attempt_id: str, state: AttemptState, now: datetime) -> int:
        """The position of ``now``, never before the last event."""
        by_clock = _position_by_clock(state, now)
        if by_clock is None:
            return state.elapsed_ms
        return max(state.elapsed_ms, self._position(attempt_id, by_clock))

    def _position(self, attempt_id: str, by_clock: int) -> int:
        with self._lock:
            offset = self._offsets.get(attempt_id)
        if self._clock is None or offset is None:
            return by_clock
        position = self._clock.monotonic_ms() + offset
        return by_clock if abs(by_clock - position) <= MAX_DRIFT_MS else position


def _position_by_clock(state: AttemptState, now: datetime) -> int | None:
    """The position of ``now`` by the clock alone; None before the first event."""
    origin = state.clock_origin or state.started_at
    return None if origin is None else (now - parse_iso(origin)) // timedelta(milliseconds=1)
