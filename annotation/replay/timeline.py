"""A trajectory in words: one readable line an event, for the terminal and for supervisors."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pagetrail.annotation import events as ev
from pagetrail.annotation.replay.work_descriptions import (
    describe_work,
    page_words,
    quoted,
    text_words,
)
from pagetrail.annotation.timing.durations import GapKind, dwell, gaps

IDLE_CAP_S = 60

_REACHED = {
    "result": "from the results",
    "next": "with “next”",
    "previous": "with “previous”",
    "first": "with “first page”",
    "last": "with “last page”",
    "jump": "by page number",
    "thumbnail": "from the thumbnails",
    "citation": "from the citations",
    "history": "from the search history",
    "document": "from the list of documents",
    "given": "from the given pages",
    "link": "through a link",
    "restored": "where the work was left",
}
_OUTCOMES = {
    "answered": "Submitted with an answer",
    "not_found": "Submitted: no answer found",
    "unanswerable": "Submitted: the question cannot be answered",
    "completed": "Submitted as done",
}
_FITS = {"width": "page width", "page": "whole page"}


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


def timeline(events: Iterable[ev.Event], idle_cap_s: float = IDLE_CAP_S) -> list[TimelineEntry]:
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
                text=describe(event),
                actor=event.actor,
                next_ms=None if gap is None else gap.ms,
                next_kind=None if gap is None else gap.kind,
                idle_ms=idle,
                dwell_ms=looks.get(event.seq),
            )
        )
    return entries


def describe(event: ev.Event) -> str:
    """What the event says, in words: total over the event union."""
    payload = event.payload
    match payload:
        case ev.Opened():
            return "Opened the task"
        case ev.Searched():
            return _search(payload)
        case ev.SearchRefused():
            return f"Search for {quoted(payload.query)} was refused: {payload.message}"
        case ev.PageViewed():
            rank = "" if payload.rank is None else f", rank {payload.rank}"
            where = page_words(payload.document, payload.page)
            return f"Viewed {where}, {_REACHED[payload.via]}{rank}"
        case ev.ViewChanged():
            return _view(payload)
        case ev.CitationAdded():
            return f"Cited {page_words(payload.document, payload.page)}"
        case ev.CitationRemoved():
            return f"Took back the citation of {page_words(payload.document, payload.page)}"
        case ev.AnswerEdited():
            return text_words("answer", payload.text)
        case ev.NoteEdited():
            return text_words("note", payload.text)
        case ev.Flagged():
            return f"Flagged the task: {quoted(payload.comment)}"
        case ev.Unflagged():
            return "Took the flag back"
        case ev.Skipped():
            return f"Skipped the task: {quoted(payload.reason)}"
        case ev.Submitted():
            return _OUTCOMES[payload.outcome]
        case ev.Resumed():
            by_work = " by working in another tab" if payload.implicit else ""
            return f"Started the clock again{by_work}"
        case ev.Reconnected():
            return f"Came back online after {payload.offline_ms / 1000:.1f} s"
        case ev.Paused():
            return "Paused the clock"
        case ev.TabHidden():
            return "Left the tab"
        case ev.TabShown():
            return "Came back to the tab"
        case ev.GuidelinesOpened():
            return "Opened the guidelines"
        case ev.GuidelinesClosed():
            return "Closed the guidelines"
        case ev.Reopened():
            return "Reopened the task"
        case ev.BatchClosed():
            return "The batch was closed"
        case ev.RunImported():
            model = f" of {payload.model}" if payload.model else ""
            return f"Imported run{model}: record {payload.record} of {payload.file}"
        case ev.AgentStep():
            return _agent_step(payload)
        case (
            ev.ReviewTaken()
            | ev.ReviewReleased()
            | ev.GoldMerged()
            | ev.Adjudicated()
            | ev.GoldReopened()
            | ev.Returned()
            | ev.Commented()
        ):
            return _of_review(payload)
        case _:
            return describe_work(payload)


def _of_review(
    payload: ev.ReviewTaken
    | ev.ReviewReleased
    | ev.GoldMerged
    | ev.Adjudicated
    | ev.GoldReopened
    | ev.Returned
    | ev.Commented,
) -> str:
    match payload:
        case ev.ReviewTaken():
            return f"Took the review over from {payload.over}" if payload.over else "Took the task"
        case ev.ReviewReleased():
            return "Put the task back"
        case ev.GoldMerged():
            people = len(payload.sources)
            work = "one person" if people == 1 else f"{people} people"
            return f"Put together what {work} gave"
        case ev.Adjudicated():
            why = f": {quoted(payload.reason)}" if payload.reason else ""
            how = "Accepted by the campaign's rule" if payload.automatic else "Decided"
            return f"{how}, version {payload.version} of the gold{why}"
        case ev.GoldReopened():
            return f"Took the gold up again: {quoted(payload.reason)}"
        case ev.Returned():
            return f"Sent the task back: {quoted(payload.comment)}"
        case ev.Commented():
            return f"Commented: {quoted(payload.text)}"


def _agent_step(payload: ev.AgentStep) -> str:
    called = f"Called {payload.tool} with {quoted(payload.arguments)}" if payload.tool else ""
    if not payload.text:
        return called or "Made a step"
    wrote = f"wrote {quoted(payload.text)}" if called else f"Wrote {quoted(payload.text)}"
    return f"{called}; {wrote}" if called else wrote


def _search(payload: ev.Searched) -> str:
    again = "Searched again for" if payload.rerun_of else "Searched for"
    if not payload.results and payload.total_hits != 0:
        # Of an imported run, whose file may not tell what a search returned.
        return f"{again} {quoted(payload.query)}: results unknown"
    shown = f"{len(payload.results)} shown"
    if payload.total_hits is None:
        return f"{again} {quoted(payload.query)}: {shown}"
    hits = f"{payload.total_hits:,} page{'' if payload.total_hits == 1 else 's'} found"
    return f"{again} {quoted(payload.query)}: {hits}, {shown}"


def _view(payload: ev.ViewChanged) -> str:
    size = _FITS.get(payload.fit, f"zoom {payload.zoom:g} %")
    turned = f", turned by {payload.rotation}°" if payload.rotation else ""
    return f"Changed the view: {size}{turned}"
