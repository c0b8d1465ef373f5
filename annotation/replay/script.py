"""The data of a replay: its events, and from which event to which everything was shown.

The state after any event can be looked up in a script without folding the log again. Times are
milliseconds on the attempt's own clock, which begins with its first event.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from pagetrail.annotation.attempts.transcript_state import PatchState
from pagetrail.annotation.events.base import Lane
from pagetrail.annotation.geometry.box import Box
from pagetrail.annotation.messages import N_, gettext, ngettext

PageKey = tuple[str, int]
SpanKind = Literal["paused", "hidden", "handed_in", "idle"]

DRAWN_LANES: dict[Lane, str] = {
    "search": N_("Searches"),
    "page": N_("Pages"),
    "citation": N_("Citations"),
    "box": N_("Boxes"),
    "answer": N_("Answer"),
}
"""The rows of the timeline from top to bottom, with their names; other events have no row."""

TEXT_NAMES = {
    "answer": N_("Answer"),
    "question": N_("Question written"),
    "note": N_("Note"),
    "scratchpad": N_("Scratchpad"),
    "transcript": N_("Text of the page"),
    "tables": N_("Tables"),
}
"""The texts of an attempt, with their names; ``tables`` is JSON."""

SPAN_NAMES: dict[SpanKind, str] = {
    "paused": N_("paused"),
    "hidden": N_("tab hidden"),
    "handed_in": N_("submitted"),
    "idle": N_("idle"),
}


@dataclass(frozen=True)
class ScriptEvent:
    """One event.

    Attributes:
        seq: its number in the attempt; the others count theirs from here.
        t_ms: when it happened.
        lane: where it is drawn.
        type: the event's tag.
        text: what happened, in words, cut at 300 characters.
    """

    seq: int
    t_ms: int
    lane: Lane
    type: str
    text: str


@dataclass(frozen=True)
class SearchShown:
    """A query and its first results, from ``seq`` until the next one.

    Attributes:
        refusal: the sentence shown instead of results.
        total: pages that match; None where that is not known.
        results: the first pages, best first; ``n_results`` were shown in all.
    """

    seq: int
    query: str
    refusal: str | None
    total: int | None
    results: tuple[PageKey, ...]
    n_results: int

    @property
    def outcome(self) -> str:
        """What the search found, in words."""
        if self.refusal:
            return gettext("Refused: {reason}", reason=self.refusal)
        if not self.n_results:
            return gettext("No page matches") if self.total == 0 else gettext("Results unknown")
        n_here = len(self.results)
        found = (
            ngettext("{number:,} result", "{number:,} results", self.n_results)
            if self.total is None
            else ngettext(
                "{number:,} matching page, {shown:,} shown",
                "{number:,} matching pages, {shown:,} shown",
                self.total,
                shown=self.n_results,
            )
        )
        if self.n_results <= n_here:
            return found
        return gettext("{found}, the first {number} here", found=found, number=n_here)


@dataclass(frozen=True)
class PageView:
    """A page before somebody's eyes, from ``begin_ms`` to ``end_ms``; at the latter it stays in
    the viewer, but the time that follows is no look at it (a pause, a hidden tab)."""

    seq: int
    page: PageKey
    begin_ms: int
    end_ms: int
    dwell_ms: int


@dataclass(frozen=True)
class ViewerPage:
    """From the event ``seq`` on this page is in the viewer; None: no page.

    Attributes:
        basis: how that is known. A run whose file does not tell which pages were read is shown at
            the page that it cited last, and after a search at the first result.
        dwell_ms: how long the page was looked at; None for a page that was not seen.
    """

    seq: int
    page: PageKey | None
    basis: Literal["seen", "cited", "first"]
    dwell_ms: int | None = None


@dataclass(frozen=True)
class Cited:
    """A page was cited, or bookmarked, from event ``begin`` until ``end``; None: to the last."""

    page: PageKey
    begin: int
    end: int | None = None


@dataclass(frozen=True)
class BoxState:
    """How a box was from an event on; ``rect`` is None where it is not on the page."""

    seq: int
    rect: Box | None
    label: str | None
    verdict: str


@dataclass(frozen=True)
class BoxLife:
    """A box and all its states, in order."""

    id: str
    page: PageKey
    states: tuple[BoxState, ...]


@dataclass(frozen=True)
class Edit:
    """A change of a text: ``start`` and ``end`` characters of what was there stay around
    ``insert``. Counted in UTF-16 units, as browsers do."""

    seq: int
    start: int
    end: int
    insert: str


class PatchPlace(NamedTuple):
    """The state of a patch from an event on, and where it begins in the text.

    Attributes:
        state: None: another round began.
        at: in UTF-16 units; None where it has no place. Later edits before it move it without
            another entry.
    """

    seq: int
    state: PatchState | None
    at: int | None


@dataclass(frozen=True)
class PatchLife:
    """A model's patch, and its states and places in the order of events."""

    id: str
    removed: str
    inserted: str
    reason: str
    places: tuple[PatchPlace, ...]


@dataclass(frozen=True)
class FieldChange:
    """A field was set to a value, in words; None: cleared."""

    seq: int
    field: str
    page: PageKey | None
    box: str | None
    value: str | None


@dataclass(frozen=True)
class Span:
    """Time that is no work, with its reason; ``idle`` is what a gap has beyond the idle cap."""

    kind: SpanKind
    begin_ms: int
    end_ms: int


@dataclass(frozen=True)
class Script:
    """All of an attempt that a replay shows.

    Attributes:
        timed: False where the attempt has no times and is played by step.
        moments: the events, in order; seq counts them without gaps.
        texts: the edits of each text of ``TEXT_NAMES``.
    """

    timed: bool
    moments: tuple[ScriptEvent, ...]
    searches: tuple[SearchShown, ...]
    looks: tuple[PageView, ...]
    citations: tuple[Cited, ...]
    bookmarks: tuple[Cited, ...]
    boxes: tuple[BoxLife, ...]
    texts: dict[str, tuple[Edit, ...]]
    patches: tuple[PatchLife, ...]
    fields: tuple[FieldChange, ...]
    spans: tuple[Span, ...]

    @property
    def duration_ms(self) -> int:
        """When the last event happened."""
        return self.moments[-1].t_ms if self.moments else 0

    @property
    def views(self) -> tuple[ViewerPage, ...]:
        """What the viewer shows from which event on, in order."""
        if self.looks:
            return tuple(
                ViewerPage(look.seq, look.page, "seen", look.dwell_ms) for look in self.looks
            )
        searched = [ViewerPage(s.seq, next(iter(s.results), None), "first") for s in self.searches]
        cited = [ViewerPage(c.begin, c.page, "cited") for c in self.citations]
        return tuple(sorted([*searched, *cited], key=lambda view: view.seq))

    @property
    def lanes(self) -> dict[Lane, str]:
        """The rows of the timeline that hold something, with their names; never none."""
        used_lanes = {event.lane for event in self.moments}
        lanes = {lane: name for lane, name in DRAWN_LANES.items() if lane in used_lanes}
        return lanes or {"page": DRAWN_LANES["page"]}
