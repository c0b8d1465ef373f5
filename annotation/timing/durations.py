"""Times derived from a trajectory: wall, active, dwell (docs/metrics.md, Time); never stored.

The idle cap is decided here: its default, and what of a gap counts (``capped_ms``).

Everything rests on ``Event.elapsed_ms``, milliseconds since the attempt's first event on the
server's clock, which never decreases. The time between two consecutive events is a gap, and a gap
is one of four kinds, by what had happened up to its start:

* ``handed_in`` – after ``submitted`` or ``skipped``, until ``reopened`` or ``returned``. Nobody
  works on a submitted task; days may pass until it is reopened or its batch is closed.
* ``paused`` – after ``paused``, until ``resumed``, whatever comes between.
* ``hidden`` – after ``tab_hidden``, until any event that shows somebody at work: ``tab_shown``,
  or an event of a second tab. ``reconnected`` is no such sign, the browser sends it by itself.
  A task that is sent back (``returned``) is hidden as well, until its annotator opens it.
* ``work`` – everything else. Only these gaps count as active, each capped at the idle cap.

So ``wall = work + paused + hidden + handed_in`` exactly, and ``active ≤ work``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple, get_args

from pagetrail.annotation import events as ev

GapKind = Literal["work", "paused", "hidden", "handed_in"]

IDLE_CAPS_S = (60, 100, 120)
"""Idle caps that reports offer, in seconds: a longer gap counts as this long."""

DEFAULT_IDLE_CAP_S = IDLE_CAPS_S[0]
"""The cap where none is chosen, and on screens."""

DEFAULT_IDLE_CAP_MS = DEFAULT_IDLE_CAP_S * 1000
"""The same in milliseconds; the browser has it from its generated limits."""

_LOWEST_CAP_MS = min(IDLE_CAPS_S) * 1000
"""Most gaps are shorter, and count in full under every cap."""


def capped_ms(ms: int, cap_ms: int) -> int:
    """The active time in a gap of work: its length up to the idle cap, and never negative."""
    return min(max(0, ms), cap_ms)


class Gap(NamedTuple):
    """The time from one event to the next.

    Attributes:
        after: the event at its start.
        ms: its length, milliseconds.
        kind: whether it is working time, and if not, why.
    """

    after: ev.Event
    ms: int
    kind: GapKind

    def active_ms(self, cap_ms: int) -> int:
        """The active time in the gap."""
        return capped_ms(self.ms, cap_ms) if self.kind == "work" else 0


@dataclass(frozen=True)
class Timing:
    """The times of one attempt, in milliseconds; None where the thing never happened.

    Attributes:
        wall_ms: last event less first event.
        active_ms: idle cap in seconds → active time under that cap.
        work_ms: gaps of kind ``work``, without a cap.
        paused_ms, hidden_ms, handed_in_ms: what was taken out, by reason, without a cap.
        submit_elapsed_ms: from the first event to the last ``submitted``; None when the attempt
            was never submitted, or was reopened or skipped since.
        first_search_ms, first_page_ms, first_citation_ms: from the first event to the first query
            that was run, page that was painted, page that was cited.
    """

    wall_ms: int
    active_ms: dict[int, int]
    work_ms: int
    paused_ms: int
    hidden_ms: int
    handed_in_ms: int
    submit_elapsed_ms: int | None
    first_search_ms: int | None
    first_page_ms: int | None
    first_citation_ms: int | None


@dataclass(frozen=True)
class PageDwell:
    """How long a page was looked at.

    Attributes:
        document, page, search_id, rank: as in the ``page_viewed`` event.
        seq: the event that began the view: a ``page_viewed``, or the event that brought the focus
            back to the page that was still in the viewer.
        via: how the page was reached; ``restored`` when the focus came back to it.
        dwell_ms: time in front of it, milliseconds.
    """

    document: str
    page: int
    seq: int
    via: ev.Via
    search_id: str | None
    rank: int | None
    dwell_ms: int


def gaps(events: Iterable[ev.Event]) -> Iterator[Gap]:
    """The gaps between consecutive events, in order; one fewer than there are events."""
    previous: ev.Event | None = None
    paused = hidden = submitted = False
    for event in events:
        if previous is not None:
            ms = max(0, event.elapsed_ms - previous.elapsed_ms)
            yield Gap(previous, ms, _gap_kind(paused, hidden, submitted))
        payload = event.payload
        if payload.presence != "unknown":
            hidden = payload.presence == "away"
        if payload.type == "paused":
            paused = True
        elif payload.type == "resumed":
            paused = False
        elif payload.finishes or payload.reopens:
            submitted = payload.finishes
        previous = event


def _gap_kind(paused: bool, hidden: bool, submitted: bool) -> GapKind:
    if submitted:
        return "handed_in"
    if paused:
        return "paused"
    return "hidden" if hidden else "work"


def wall_ms(events: Iterable[ev.Event]) -> int:
    """Last event less first event, milliseconds; 0 for fewer than two events."""
    return sum(gap.ms for gap in gaps(events))


def active_ms(events: Iterable[ev.Event], idle_cap_s: float = DEFAULT_IDLE_CAP_S) -> int:
    """Working time, milliseconds: gaps of kind ``work``, each capped at ``idle_cap_s`` seconds.

    Raises:
        ValueError: the cap is not positive.
    """
    cap_ms = _cap_ms(idle_cap_s)
    return sum(gap.active_ms(cap_ms) for gap in gaps(events))


def timing(events: Iterable[ev.Event]) -> Timing:
    """All times of one attempt; zeros and None for an attempt without events."""
    log = list(events)
    spent: dict[GapKind, int] = dict.fromkeys(get_args(GapKind), 0)
    short_work_ms, long_work_gaps = 0, []
    for gap in gaps(log):
        spent[gap.kind] += gap.ms
        if gap.kind != "work":
            continue
        if gap.ms <= _LOWEST_CAP_MS:
            short_work_ms += gap.ms
        else:
            long_work_gaps.append(gap)
    first_elapsed_ms: dict[str, int] = {}
    for event in log:
        first_elapsed_ms.setdefault(event.payload.type, event.elapsed_ms - log[0].elapsed_ms)
    return Timing(
        wall_ms=sum(spent.values()),
        active_ms={
            cap: short_work_ms + sum(gap.active_ms(cap * 1000) for gap in long_work_gaps)
            for cap in IDLE_CAPS_S
        },
        work_ms=spent["work"],
        paused_ms=spent["paused"],
        hidden_ms=spent["hidden"],
        handed_in_ms=spent["handed_in"],
        submit_elapsed_ms=_submit_elapsed_ms(log),
        first_search_ms=first_elapsed_ms.get("searched"),
        first_page_ms=first_elapsed_ms.get("page_viewed"),
        first_citation_ms=first_elapsed_ms.get("citation_added"),
    )


def dwell(events: Iterable[ev.Event], idle_cap_s: float = DEFAULT_IDLE_CAP_S) -> list[PageDwell]:
    """Every view of a page, in order: from the page event to the next page or focus event.

    Each gap within a view is capped at ``idle_cap_s`` seconds, as in active time, so that all
    views together never exceed the active time. Focus events are the hiding and showing of the
    tab, pause and resume, opening and closing of the guidelines, a (re)load of the task, submission
    and reopening. When the focus comes back to the tab, the page that is still in the viewer gets
    a new view with ``via="restored"``; after a load the viewer says itself which page it shows.

    Raises:
        ValueError: the cap is not positive.
    """
    cap_ms = _cap_ms(idle_cap_s)
    log = list(events)
    views: list[PageDwell] = []
    page_viewed: ev.PageViewed | None = None
    spent: int | None = None  # None: no page is viewed
    following_gaps = iter([*gaps(log), None])
    for event in log:
        payload = event.payload
        if isinstance(payload, ev.PageViewed):
            page_viewed, spent = payload, 0
            views.append(_new_view(payload, event.seq, payload.via))
        elif payload.page_look != "continues":
            spent = None
            if page_viewed is not None and payload.page_look == "restored":
                spent = 0
                views.append(_new_view(page_viewed, event.seq, "restored"))
        gap = next(following_gaps)
        if spent is not None and gap is not None:
            spent += gap.active_ms(cap_ms)
            views[-1] = _with_time(views[-1], spent)
    return views


def _new_view(payload: ev.PageViewed, seq: int, via: ev.Via) -> PageDwell:
    return PageDwell(
        payload.document, payload.page, seq, via, payload.search_id, payload.rank, dwell_ms=0
    )


def _with_time(view: PageDwell, ms: int) -> PageDwell:
    return PageDwell(
        view.document, view.page, view.seq, view.via, view.search_id, view.rank, dwell_ms=ms
    )


def _cap_ms(idle_cap_s: float) -> int:
    if not idle_cap_s > 0:
        raise ValueError(f"an idle cap must be more than 0 seconds, not {idle_cap_s}")
    return round(idle_cap_s * 1000)


def _submit_elapsed_ms(log: list[ev.Event]) -> int | None:
    submit_elapsed_ms = None
    for event in log:
        kind = event.payload.type
        if kind == "submitted":
            submit_elapsed_ms = event.elapsed_ms - log[0].elapsed_ms
        elif kind in ("reopened", "returned", "skipped"):
            submit_elapsed_ms = None
    return submit_elapsed_ms
