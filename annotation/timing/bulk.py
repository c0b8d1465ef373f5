"""Active and wall time of many attempts at once, from the types and times of events alone.

The results are those of ``annotation.timing.durations``, as a test confirms. That module takes
whole events, whose validation takes ten times as long as this.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pagetrail.annotation.events import event_types
from pagetrail.annotation.timing.durations import DEFAULT_IDLE_CAP_MS, capped_ms

_HIDES = event_types(presence="away")
_SHOWS = event_types(presence="present")
_FINISHES = event_types(finishes=True)
_REOPENS = event_types(reopens=True)


@dataclass(frozen=True)
class AttemptTime:
    """The time of one attempt, milliseconds.

    Attributes:
        active_ms: gaps at work, each up to the idle cap.
        wall_ms: from the first event to the last submission or skip; what follows, such as
            the closing of the batch days later, is not included. None where there was none.
    """

    active_ms: int
    wall_ms: int | None


def attempt_time(
    events: Iterable[tuple[str, int]], idle_cap_ms: int = DEFAULT_IDLE_CAP_MS
) -> AttemptTime:
    """The times of an attempt.

    Args:
        events: (type, milliseconds since the attempt's first event), in order.
    """
    active, end = 0, None
    first: int | None = None
    previous = 0
    paused = hidden = finished = False
    for kind, elapsed in events:
        if first is None:
            first = elapsed
        elif not (finished or paused or hidden):
            active += capped_ms(elapsed - previous, idle_cap_ms)
        if kind in _HIDES:
            hidden = True
        elif kind in _SHOWS:
            hidden = False
        if kind == "paused":
            paused = True
        elif kind == "resumed":
            paused = False
        elif kind in _FINISHES:
            finished, end = True, elapsed
        elif kind in _REOPENS:
            finished = False
        previous = elapsed
    return AttemptTime(active, None if end is None or first is None else end - first)
