"""Positions on an attempt's time line: milliseconds since its first event.

Three clocks tell how much time has passed since an attempt's last event. The steady clock cannot be
set, but only the process that stored the event knows the event's time on it. The clock that stamps
events outlives the process, but can be set. The client's count is a claim.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from threading import Lock
from typing import NamedTuple

from pagetrail.annotation.attempts.state import AttemptState, is_at_work
from pagetrail.annotation.clock import SystemClock, parse_iso
from pagetrail.annotation.events import Event, TimeCorrected
from pagetrail.annotation.ports import Clock

_log = logging.getLogger("pagetrail.clock")

JUMP_MS = 5_000
"""If two clocks differ by more about the same time, one was set; less is drift or a busy server."""

MAX_CLAIM_MS = 86_400_000
"""The most that a client's count can add where no other clock confirms it."""

MAX_ATTEMPTS = 20_000
"""Attempts that are remembered; a forgotten one is as one that another process stored."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Reading(NamedTuple):
    """Both of the server's clocks at the same time, in milliseconds."""

    clock_ms: int
    steady_ms: int

    @property
    def offset_ms(self) -> int:
        """Changes only if the clock is set."""
        return self.clock_ms - self.steady_ms


class Position(NamedTuple):
    """A position, and the mark of an attempt for which the clock and the time counted differ."""

    elapsed_ms: int
    correction: TimeCorrected | None = None


def counted_ms(clock_ms: int, client_ms: int | None, witnessed_ms: int) -> int:
    """Time since an event that another process stored.

    Args:
        clock_ms: by the clock that stamps events.
        client_ms: by the client's count; None if it has none.
        witnessed_ms: how long this process has seen that clock run without being set.
    """
    client_ms = max(0, client_ms or 0)
    if clock_ms < 0:
        return min(client_ms, MAX_CLAIM_MS)
    # Time that this process has seen pass is certain: no count of a client makes it shorter.
    return min(max(client_ms, min(clock_ms, witnessed_ms)), clock_ms)


def client_count_ms(
    last: Event | None, state: AttemptState, client_ts: str | None, age_ms: int
) -> int | None:
    """Time since the attempt's last event by the client's clock; None if that is not known.

    Args:
        last: the last event that has a time of the client's clock.
        client_ts, age_ms: of the event to be stored.
    """
    if last is None or last.client_ts is None or client_ts is None:
        return None
    try:
        passed = parse_iso(client_ts) - parse_iso(last.client_ts)
    except (ValueError, OverflowError):
        return None
    count = passed // timedelta(milliseconds=1) - (state.elapsed_ms - last.elapsed_ms) + age_ms
    return count if count >= 0 else None


class _Anchor(NamedTuple):
    """A position that this process has determined, with a correction that is not stored yet."""

    elapsed_ms: int
    reading: Reading
    correction: TimeCorrected | None


class Timelines:
    """Positions that neither jump with the server's clock nor run backwards. Thread-safe.

    Args:
        clock: of the server; any other than the machine's is taken as it is.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._lock = Lock()
        self._anchors: dict[str, _Anchor] = {}
        self._has_read = False
        self._last_reading = self._read(clock.now()) if self._is_settable else Reading(0, 0)
        self._unset_since_ms = self._last_reading.steady_ms

    def record(
        self,
        attempt_id: str,
        state: AttemptState,
        now: datetime,
        client_count: Callable[[], int | None],
    ) -> Position:
        """The position of ``now``, remembered for later positions.

        Args:
            client_count: time since the attempt's last event by the client's count, or None; of
                its first event, how long before ``now`` it happened: the time line begins there.
                Called where this process cannot tell how much time has passed.
        """
        reading = self._read(now)
        with self._lock:
            witnessed_ms = self._watch(reading)
            anchor = self._valid_anchor(attempt_id, state, reading)
        client_ms = client_count() if anchor is None or state.last_seq == 0 else None
        position = self._position(state, reading, anchor, client_ms, witnessed_ms)
        if anchor is None and position.correction is not None:
            _log.warning(
                "attempt %s: counted %.1f s since its last event, where the clock moved by %.1f s",
                attempt_id,
                position.correction.counted_ms / 1000,
                position.correction.clock_ms / 1000,
            )
        with self._lock:
            self._anchors.pop(attempt_id, None)
            if len(self._anchors) >= MAX_ATTEMPTS:
                del self._anchors[next(iter(self._anchors))]
            self._anchors[attempt_id] = _Anchor(position.elapsed_ms, reading, position.correction)
        return position

    def forget_correction(self, attempt_id: str) -> None:
        """The attempt's correction is stored: its next event needs none."""
        with self._lock:
            anchor = self._anchors.get(attempt_id)
            if anchor is not None:
                self._anchors[attempt_id] = anchor._replace(correction=None)

    def elapsed_ms(self, attempt_id: str, state: AttemptState) -> int:
        """The current position, never before the last event."""
        with self._lock:
            reading = self._current_reading()
            witnessed_ms = reading.steady_ms - self._unset_since_ms
            anchor = self._valid_anchor(attempt_id, state, reading)
        position = self._position(state, reading, anchor, None, witnessed_ms)
        return max(state.elapsed_ms, position.elapsed_ms)

    def _valid_anchor(
        self, attempt_id: str, state: AttemptState, reading: Reading
    ) -> _Anchor | None:
        """None where another process, whose clock was ahead, has stored a later position.

        Waiting until the steady clock gets there would count nothing meanwhile.
        """
        anchor = self._anchors.get(attempt_id)
        if anchor is None:
            return None
        position_ms = anchor.elapsed_ms + reading.steady_ms - anchor.reading.steady_ms
        return anchor if position_ms + JUMP_MS >= state.elapsed_ms else None

    def _position(
        self,
        state: AttemptState,
        reading: Reading,
        anchor: _Anchor | None,
        client_ms: int | None,
        witnessed_ms: int,
    ) -> Position:
        if state.updated_at is None:
            return Position(client_ms or 0)
        if anchor is not None:
            clock_ms = reading.clock_ms - anchor.reading.clock_ms
            counted = max(0, reading.steady_ms - anchor.reading.steady_ms)
            before, correction = anchor.elapsed_ms, anchor.correction
        else:
            clock_ms = reading.clock_ms - _epoch_ms(parse_iso(state.updated_at))
            # Where nobody works, as before a supervisor returns a task, no limit is at stake.
            is_idle = client_ms is None and not is_at_work(state)
            if self._is_settable and not is_idle:
                counted = counted_ms(clock_ms, client_ms, witnessed_ms)
            else:
                counted = max(0, clock_ms)
            before, correction = state.elapsed_ms, None
        if self._is_settable and abs(clock_ms - counted) > JUMP_MS:
            correction = TimeCorrected(clock_ms=clock_ms, counted_ms=counted)
        return Position(before + counted, correction)

    @property
    def _is_settable(self) -> bool:
        return isinstance(self._clock, SystemClock)

    def _read(self, now: datetime) -> Reading:
        clock_ms = _epoch_ms(now)
        if isinstance(self._clock, SystemClock):
            return Reading(clock_ms, self._clock.monotonic_ms())
        return Reading(clock_ms, clock_ms)

    def _current_reading(self) -> Reading:
        """By the clock that stamps events, which may be the database's, as it was last read."""
        if isinstance(self._clock, SystemClock):
            steady_ms = self._clock.monotonic_ms()
            return Reading(steady_ms + self._last_reading.offset_ms, steady_ms)
        return self._read(self._clock.now())

    def _watch(self, reading: Reading) -> int:
        """How long the clock has not been set, as far as this process has seen."""
        jump_ms = reading.offset_ms - self._last_reading.offset_ms
        if abs(jump_ms) > JUMP_MS:
            # The first time it may be the database's clock instead of the machine's.
            if self._has_read:
                _log.warning(
                    "the clock was set %s by %.1f s; times of tasks go on without a jump",
                    "forward" if jump_ms > 0 else "back",
                    abs(jump_ms) / 1000,
                )
            self._unset_since_ms = reading.steady_ms
        self._last_reading, self._has_read = reading, True
        return reading.steady_ms - self._unset_since_ms


def _epoch_ms(at: datetime) -> int:
    return (at - _EPOCH) // timedelta(milliseconds=1)
