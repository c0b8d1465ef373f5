"""A replay script as compact JSON: pages as numbers, events and page views as short lists."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from typing_extensions import TypedDict

from pagetrail.annotation.events.base import Lane
from pagetrail.annotation.geometry.box import Box
from pagetrail.annotation.messages import N_, gettext
from pagetrail.annotation.replay.script import SPAN_NAMES, PageKey, PatchPlace, Script, ViewerPage
from pagetrail.storage.attempts.replay_lists import StoredPage

LocatePages = Callable[[Iterable[PageKey]], dict[PageKey, StoredPage]]

_BASES = {
    "seen": ("", N_("Duration of this page view without idle time.")),
    "cited": (
        N_("cited"),
        N_("The run does not tell which pages were read. It cited this one."),
    ),
    "first": (
        N_("first result"),
        N_("The run does not tell which pages were read. This one came first in the search."),
    ),
}
"""How the page view is known: a label and a sentence."""

_BASIS_NUMBERS = {basis: number for number, basis in enumerate(_BASES)}


class ReplayedSearch(TypedDict):
    """A search; ``results`` are places in the script's list of pages."""

    seq: int
    query: str
    outcome: str
    results: list[int]


class PageTable(TypedDict):
    """Documents with their hashes, and (document, number, width, height) of pages.

    Hash and sizes are None where the page is not in the collection.
    """

    documents: list[tuple[str, str | None]]
    pages: list[tuple[int, int, float | None, float | None]]


class ScriptJson(PageTable):
    """The script for the browser. Pages are places in ``pages``, events are named by their seq.

    Attributes:
        moments: (t_ms, lane, text), seq from 1.
        looks: (page, begin_ms, end_ms).
        views: (seq, page or None, label, place of its explanation in ``bases``).
        citations, bookmarks: (page, begin, end).
        boxes: (id, page, states), each state (seq, rect, label, verdict).
        texts: edits of each text: (seq, start, end, insert).
        patches: (id, removed, inserted, reason, places), each place (seq, state, at).
        fields: (seq, field, page, box, value).
        lanes: (lane, name), as drawn from top to bottom.
        spans: (reason, begin_ms, end_ms).
    """

    timed: bool
    duration: int
    moments: list[tuple[int, Lane, str]]
    searches: list[ReplayedSearch]
    looks: list[tuple[int, int, int]]
    views: list[tuple[int, int | None, str, int]]
    bases: list[str]
    citations: list[tuple[int, int, int | None]]
    bookmarks: list[tuple[int, int, int | None]]
    boxes: list[tuple[str, int, list[tuple[int, Box | None, str | None, str]]]]
    texts: dict[str, list[tuple[int, int, int, str]]]
    patches: list[tuple[str, str, str, str, list[PatchPlace]]]
    fields: list[tuple[int, str, int | None, str | None, str | None]]
    lanes: list[tuple[Lane, str]]
    spans: list[tuple[str, int, int]]


class _Pages:
    """Numbers pages in order of first occurrence."""

    def __init__(self) -> None:
        self.numbers: dict[PageKey, int] = {}

    def number(self, page: PageKey) -> int:
        return self.numbers.setdefault(page, len(self.numbers))


def script_json(script: Script, locate_pages: LocatePages) -> ScriptJson:
    """The script for the browser.

    Args:
        locate_pages: locates page images; pages outside the collection are missing.
    """
    pages = _Pages()
    searches: list[ReplayedSearch] = [
        {
            "seq": search.seq,
            "query": search.query,
            "outcome": search.outcome,
            "results": [pages.number(page) for page in search.results],
        }
        for search in script.searches
    ]
    looks = [(pages.number(look.page), look.begin_ms, look.end_ms) for look in script.looks]
    views = [
        (
            view.seq,
            None if view.page is None else pages.number(view.page),
            _label(view) if script.timed or view.basis != "seen" else "",
            _BASIS_NUMBERS[view.basis],
        )
        for view in script.views
    ]
    citations = [(pages.number(cited.page), cited.begin, cited.end) for cited in script.citations]
    bookmarks = [(pages.number(kept.page), kept.begin, kept.end) for kept in script.bookmarks]
    boxes = [
        (
            life.id,
            pages.number(life.page),
            [(state.seq, state.rect, state.label, state.verdict) for state in life.states],
        )
        for life in script.boxes
    ]
    fields = [
        (
            change.seq,
            change.field,
            None if change.page is None else pages.number(change.page),
            change.box,
            change.value,
        )
        for change in script.fields
    ]
    return {
        "timed": script.timed,
        "duration": script.duration_ms,
        "moments": [(event.t_ms, event.lane, event.text) for event in script.moments],
        "searches": searches,
        "looks": looks,
        "views": views,
        "bases": [gettext(sentence) for _, sentence in _BASES.values()],
        "citations": citations,
        "bookmarks": bookmarks,
        "boxes": boxes,
        "texts": {
            name: [(edit.seq, edit.start, edit.end, edit.insert) for edit in edits]
            for name, edits in script.texts.items()
        },
        "patches": [
            (life.id, life.removed, life.inserted, life.reason, list(life.places))
            for life in script.patches
        ],
        "fields": fields,
        "lanes": [(lane, gettext(name)) for lane, name in script.lanes.items()],
        "spans": [
            (gettext(SPAN_NAMES[span.kind]), span.begin_ms, span.end_ms) for span in script.spans
        ],
        **_page_table(list(pages.numbers), locate_pages),
    }


def _label(view: ViewerPage) -> str:
    if view.dwell_ms is None:
        return gettext(_BASES[view.basis][0])
    seconds = view.dwell_ms / 1000
    return f"{seconds:.{1 if seconds < 9.95 else 0}f} s"


def _page_table(pages: list[PageKey], locate_pages: LocatePages) -> PageTable:
    locations = locate_pages(pages)
    documents: dict[str, int] = {}
    hashes: dict[str, str] = {}
    table: list[tuple[int, int, float | None, float | None]] = []
    for document, number in pages:
        location = locations.get((document, number))
        index = documents.setdefault(document, len(documents))
        if location is None:
            table.append((index, number, None, None))
        else:
            hashes[document] = location.sha256
            table.append((index, number, round(location.width, 2), round(location.height, 2)))
    return {"documents": [(name, hashes.get(name)) for name in documents], "pages": table}
