"""One part of a long attempt's replay, computed in a worker process: it reads the whole attempt."""

from __future__ import annotations

from pagetrail.annotation.attempts.state import AttemptState, fold
from pagetrail.annotation.events import Event
from pagetrail.annotation.replay.builder import script
from pagetrail.annotation.replay.script import Script
from pagetrail.annotation.replay.timeline import TimelineEntry, timeline
from pagetrail.annotation.timing.durations import Timing, timing
from pagetrail.storage.attempts.event_log import SqlEventLog
from pagetrail.storage.database.workspace import Workspace

PART_EVENTS = 5_000
"""Events that are replayed at a time."""

Part = tuple[Timing, Script, list[TimelineEntry]]
"""The times of the whole attempt; script and time line of a part, numbered from 1."""


def parts_of(events: int) -> int:
    """How many parts an attempt of so many events has; one without events has one."""
    return max(1, -(-events // PART_EVENTS))


def events_of_part(part: int, events: int) -> tuple[int, int]:
    """The first and the last event of a part, of an attempt of so many."""
    begin = part * PART_EVENTS
    return begin + 1, min(begin + PART_EVENTS, events)


def part_in(workspace: Workspace, attempt_id: str, part: int) -> Part:
    """A part of a stored attempt, see ``replay_part``."""
    return replay_part(list(SqlEventLog(workspace.engine).events(attempt_id)), part)


def replay_part(events: list[Event], part: int) -> Part:
    """A part of an attempt; what was there at its beginning is there from its first event on.

    Args:
        events: all of the attempt's.
        part: its number, from 0.
    """
    begin = part * PART_EVENTS
    before = fold(events[:begin]) if begin else AttemptState()
    shown = events[begin : begin + PART_EVENTS]
    if begin:
        shown = [event.model_copy(update={"seq": event.seq - begin}) for event in shown]
    entries = timeline(shown)
    return timing(events), script(shown, entries=entries, before=before), entries
