"""A trajectory in words: one readable line per event, for the terminal and for supervisors."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pagetrail.annotation import events as ev
from pagetrail.annotation.timing.durations import DEFAULT_IDLE_CAP_S, GapKind, dwell, gaps


@dataclass(frozen=True)
class TimelineEntry:
    """One line of a timeline.

    Attributes:
        seq: the event's number in the attempt.
        elapsed_ms: time since the attempt's first event, milliseconds.
        type: the event's tag.
        text: what happened, in words.
        actor: who did it.
        next_ms: time until the next event, milliseconds; None at the last one.
        next_kind: what that time counts as; None at the last one.
        idle_ms: the part of it beyond the idle cap, for working time; else 0.
        dwell_ms: how long the page was looked at, for an event that began a look; else None.
    """

    seq: int
    elapsed_ms: int
    type: str
    text: str
    actor: str
    next_ms: int | None
    next_kind: GapKind | None
    idle_ms: int
    dwell_ms: int | None


def timeline(
    events: Iterable[ev.Event], idle_cap_s: float = DEFAULT_IDLE_CAP_S
) -> list[TimelineEntry]:
    """All events in words with the times between them.

    Raises:
        ValueError: the cap is not positive.
    """
    log = list(events)
    looks = {look.seq: look.dwell_ms for look in dwell(log, idle_cap_s)}
    cap_ms = round(idle_cap_s * 1000)
    entries = []
    for event, gap in zip(log, [*gaps(log), None], strict=False):
        idle = 0
        if gap is not None and gap.kind == "work":
            idle = gap.ms - gap.active_ms(cap_ms)
        entries.append(
            TimelineEntry(
                seq=event.seq,
                elapsed_ms=event.elapsed_ms,
                type=event.type,
                text=event.payload.sentence(),
                actor=event.actor,
                next_ms=None if gap is None else gap.ms,
                next_kind=None if gap is None else gap.kind,
                idle_ms=idle,
                dwell_ms=looks.get(event.seq),
            )
        )
    return entries
