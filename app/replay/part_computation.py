"""Computes part of a long attempt's replay in a worker process."""

from __future__ import annotations

from pagetrail.annotation.attempts.state import AttemptState, fold
from pagetrail.annotation.events import Event
from pagetrail.annotation.replay.builder import script
from pagetrail.annotation.replay.script import Script
from pagetrail.annotation.replay.seen_versions import with_seen_versions
from pagetrail.annotation.replay.timeline import TimelineEntry, timeline
from pagetrail.annotation.timing.durations import Timing, timing
from pagetrail.storage.attempts.event_log import SqlEventLog
from pagetrail.storage.attempts.replay_lists import replaced_documents
from pagetrail.storage.database.workspace import Workspace

PART_EVENTS = 5_000
"""Events per part."""

Part = tuple[Timing, Script, list[TimelineEntry]]
"""Durations in the whole attempt; script and timeline of a part, with events numbered from 1."""


def count_parts(events: int) -> int:
    """Number of parts for that many events, at least 1."""
    return max(1, -(-events // PART_EVENTS))


def event_range(part: int, events: int) -> tuple[int, int]:
    """First and last event of a part."""
    start = part * PART_EVENTS
    return start + 1, min(start + PART_EVENTS, events)


def load_part(workspace: Workspace, attempt_id: str, part: int) -> Part:
    """A part of a stored attempt, see ``replay_part``."""
    return replay_part(replayed_events(workspace, attempt_id), part)


def replayed_events(workspace: Workspace, attempt_id: str) -> list[Event]:
    """All events of an attempt, with the versions of documents that were seen."""
    versions = replaced_documents(workspace.engine)
    return list(with_seen_versions(SqlEventLog(workspace.engine).events(attempt_id), versions))


def replay_part(events: list[Event], part: int) -> Part:
    """A part of an attempt; earlier results are present from its first event on.

    Args:
        events: all events of the attempt.
        part: its number, from 0.
    """
    start = part * PART_EVENTS
    initial_state = fold(events[:start]) if start else AttemptState()
    part_events = events[start : start + PART_EVENTS]
    if start:
        part_events = [event.model_copy(update={"seq": event.seq - start}) for event in part_events]
    entries = timeline(part_events)
    return timing(events), script(part_events, entries=entries, before=initial_state), entries
