"""From an attempt's events to a replay: what happened when, and what was on screen at any time.

An attempt that was read from a file without times plays one event per ``STEP_MS``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.state import AttemptState
from pagetrail.annotation.replay.lifetimes import ElementLifetimes
from pagetrail.annotation.replay.script import PageView, Script, ScriptEvent, Span, SpanKind
from pagetrail.annotation.replay.timeline import TimelineEntry, timeline
from pagetrail.annotation.runs.record import without_times
from pagetrail.annotation.sentences import shortened
from pagetrail.annotation.timing.durations import DEFAULT_IDLE_CAP_S, dwell

STEP_MS = 5_000
"""How long one event of an attempt without times is played, milliseconds."""

_TEXT = 300
_EMPTY_STATE = AttemptState()
_NO_CAP_S = 1e9


def script(
    events: Iterable[ev.Event],
    idle_cap_s: float = DEFAULT_IDLE_CAP_S,
    *,
    entries: Sequence[TimelineEntry] | None = None,
    before: AttemptState = _EMPTY_STATE,
) -> Script:
    """The replay of an attempt; empty for one without events.

    Args:
        before: the attempt's state before the events, where they are a part of it.
        entries: the events' time line, where somebody has made it already.

    Raises:
        ValueError: the cap is not positive.
    """
    log = list(events)
    entries = timeline(log, idle_cap_s) if entries is None else entries
    timed = not without_times(log)
    times = _times(log, timed)
    lives = ElementLifetimes(sum(isinstance(event.payload, ev.Searched) for event in log), before)
    for event in log:
        lives.follow(event)
    return Script(
        timed=timed,
        moments=tuple(
            ScriptEvent(
                event.seq, t_ms, event.payload.lane, event.type, shortened(entry.text, _TEXT)
            )
            for event, entry, t_ms in zip(log, entries, times, strict=True)
        ),
        searches=tuple(lives.searches),
        looks=tuple(_looks(log, entries, times, timed)),
        citations=lives.citations,
        bookmarks=lives.bookmarks,
        boxes=lives.boxes,
        texts={name: tuple(edits) for name, edits in lives.texts.items() if edits},
        patches=lives.patches,
        fields=tuple(lives.fields),
        spans=tuple(_spans(entries, times)) if timed else (),
    )


def _times(log: Sequence[ev.Event], timed: bool) -> list[int]:
    if not timed:
        return [number * STEP_MS for number in range(len(log))]
    times: list[int] = []
    for event in log:
        elapsed = event.elapsed_ms - log[0].elapsed_ms
        times.append(max(elapsed, times[-1] if times else 0))
    return times


def _looks(
    log: Sequence[ev.Event],
    entries: Sequence[TimelineEntry],
    times: Sequence[int],
    timed: bool,
) -> Iterable[PageView]:
    """A look without times lasts until the next one."""
    # All of a look is work, so that without a cap its time is how long it lasted.
    looks = dwell(log, _NO_CAP_S)
    at = {
        entry.seq: (t_ms, entry.dwell_ms or 0) for entry, t_ms in zip(entries, times, strict=True)
    }
    ends = [at[look.seq][0] + look.dwell_ms for look in looks]
    if not timed:
        ends = [*(at[look.seq][0] for look in looks[1:]), *times[-1:]]
    for look, end in zip(looks, ends, strict=False):
        begin, dwell_ms = at[look.seq]
        yield PageView(look.seq, (look.document, look.page), begin, end, dwell_ms)


def _spans(entries: Sequence[TimelineEntry], times: Sequence[int]) -> Iterable[Span]:
    open_: Span | None = None
    for entry, begin, end in zip(entries, times, times[1:], strict=False):
        kind: SpanKind | None = "idle" if entry.idle_ms else None
        if entry.next_kind is not None and entry.next_kind != "work":
            kind = entry.next_kind
        begin = end - entry.idle_ms if kind == "idle" else begin
        if open_ and (open_.kind != kind or open_.end_ms != begin):
            yield open_
            open_ = None
        if kind is not None and end > begin:
            open_ = Span(kind, open_.begin_ms if open_ else begin, end)
    if open_:
        yield open_
