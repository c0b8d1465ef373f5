"""Wall-clock time as the log writes it."""

from __future__ import annotations

import sys
import time
from datetime import UTC, datetime, timedelta


def iso(at: datetime) -> str:
    """UTC, ISO-8601 with microseconds and a ``Z``: sorts as text, reads the same everywhere."""
    return at.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="microseconds") + "Z"


def parse_iso(text: str) -> datetime:
    """The moment that ``iso`` wrote; accepts any ISO-8601 time with an offset."""
    return datetime.fromisoformat(text).astimezone(UTC)


class SystemClock:
    """The machine's clock, in UTC."""

    def now(self) -> datetime:
        return datetime.now(UTC)

    def monotonic_ms(self) -> int:
        """Milliseconds of a clock that nobody can set; time in which the machine sleeps counts."""
        if sys.platform == "linux":
            return time.clock_gettime_ns(time.CLOCK_BOOTTIME) // 1_000_000
        return time.monotonic_ns() // 1_000_000


class ManualClock:
    """A clock that moves only when told to: for tests, and for writing a past into the demo."""

    def __init__(self, start: datetime) -> None:
        self._now = start

    def now(self) -> datetime:
        return self._now

    def advance(self, *, ms: float = 0.0, seconds: float = 0.0) -> None:
        """Move on; time never runs backwards."""
        step = timedelta(milliseconds=ms, seconds=seconds)
        if step < timedelta(0):
            raise ValueError(f"a clock does not run backwards: {step}")
        self._now += step
