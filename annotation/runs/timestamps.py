"""When things happened in a run that was made elsewhere, by the stamps that its file gives."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

MAX_SPAN = timedelta(days=366)
_EARLIEST = datetime(1971, 1, 1, tzinfo=UTC)
_LATEST = datetime(9000, 1, 1, tzinfo=UTC)
_SECONDS_BELOW = 1e11
"""Epoch numbers from here on, the year 5138, count milliseconds."""
_NUMBER = re.compile(r"\d{9,14}(\.\d+)?")


@dataclass(frozen=True)
class ParsedTimestamp:
    """A time stamp as it was understood.

    Attributes:
        at: UTC; None where it is no time.
        zone: whether it says which zone it is in; without one it is read as UTC.
    """

    at: datetime | None
    zone: bool = True


@dataclass(frozen=True)
class TimeLine:
    """The moments of a run on its own clock.

    Attributes:
        timed: whether the file says when the run began and when the answer was there.
        start: of the run.
        steps, end: milliseconds since the start, never decreasing; 0 where not timed. A step
            without a stamp happened when the one before it did.
        notes: what is odd about the stamps.
    """

    timed: bool
    start: datetime | None
    steps: tuple[int, ...]
    end: int
    notes: tuple[str, ...] = ()


def read_stamp(value: Any) -> ParsedTimestamp:
    """An ISO-8601 time, or seconds or milliseconds since 1970."""
    if isinstance(value, datetime):
        return _checked(value)
    if isinstance(value, str):
        text = value.strip()
        if _NUMBER.fullmatch(text):
            return read_stamp(float(text))
        try:
            return _checked(datetime.fromisoformat(text))
        except ValueError:
            return ParsedTimestamp(None)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return ParsedTimestamp(None)
    if not (isinstance(value, int) or math.isfinite(value)) or not 0 < value < 1e15:
        return ParsedTimestamp(None)
    seconds = value if value < _SECONDS_BELOW else value / 1000
    return _checked(datetime.fromtimestamp(0, UTC) + timedelta(seconds=seconds))


def _checked(timestamp: datetime) -> ParsedTimestamp:
    zone = timestamp.tzinfo is not None
    try:
        at = (timestamp if zone else timestamp.replace(tzinfo=UTC)).astimezone(UTC)
    except OverflowError:
        return ParsedTimestamp(None)
    return ParsedTimestamp(at if _EARLIEST <= at <= _LATEST else None, zone)


def time_line(
    started: datetime | None, steps: Sequence[datetime | None], finished: datetime | None
) -> TimeLine:
    """Put a run's stamps on a line.

    A run is timed only where both ends are stamped: the time between two searches in the middle
    is not the time that the task took.
    """
    untimed = TimeLine(False, None, (0,) * len(steps), 0)
    start = started or (steps[0] if steps else None)
    if start is None or finished is None:
        return untimed
    known_times = [timestamp for timestamp in (start, *steps, finished) if timestamp is not None]
    span = max(known_times) - min(known_times)
    if span > MAX_SPAN:
        note = f"its times are {span.days:,} days apart and are not used"
        return TimeLine(False, None, untimed.steps, 0, (note,))
    latest = before = start
    backwards = 0
    offsets = []
    for timestamp in (*steps, finished):
        if timestamp is not None:
            backwards += timestamp < before
            before, latest = timestamp, max(latest, timestamp)
        offsets.append((latest - start) // timedelta(milliseconds=1))
    notes = (f"{backwards:,} of its times go backwards; the order of the file is kept",)
    return TimeLine(True, start, tuple(offsets[:-1]), offsets[-1], notes if backwards else ())
