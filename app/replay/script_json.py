"""A replay script as compact JSON: pages as numbers, events and page views as short lists."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from pagetrail.annotation.replay.script import SPAN_NAMES, PageKey, Script, ViewerPage
from pagetrail.storage.attempts.replay_lists import StoredPage

LocatePages = Callable[[Iterable[PageKey]], dict[PageKey, StoredPage]]

_NO_PAGES = "The run does not tell which pages were read."
_BASES = {
    "seen": ("", "Duration of this page view without idle time."),
    "cited": ("cited", f"{_NO_PAGES} It cited this one."),
    "first": ("first result", f"{_NO_PAGES} This one came first in the search."),
}
"""How the page view is known: a label and a sentence."""

_BASIS_NUMBERS = {basis: number for number, basis in enumerate(_BASES)}


class _Pages:
    """Numbers pages in order of first occurrence."""

    def __init__(self) -> None:
        self.numbers: dict[PageKey, int] = {}

    def number(self, page: PageKey) -> int:
        return self.numbers.setdefault(page, len(self.numbers))


def script_json(script: Script, locate_pages: LocatePages) -> dict[str, Any]:
    """The script for the browser.

    Args:
        locate_pages: locates page images; pages outside the collection are missing.

    Returns:
        ``documents``: [name, hash or None]; ``pages``: [document, number, width, height], the
        sizes None where the page is not in the collection; everything else names pages by their
        place in that list, and events by their seq. ``moments``: [t_ms, lane, text], seq from 1.
        ``looks``: [page, begin_ms, end_ms]. ``views``: [seq, page or None, label, place of its
        explanation in ``bases``]. ``lanes``: [lane, name], as drawn from top to bottom.
        ``spans``: [reason, begin_ms, end_ms].
    """
    pages = _Pages()
    data: dict[str, Any] = {
        "timed": script.timed,
        "duration": script.duration_ms,
        "moments": [[m.t_ms, m.lane, m.text] for m in script.moments],
        "searches": [
            {
                "seq": search.seq,
                "query": search.query,
                "outcome": search.outcome,
                "results": [pages.number(page) for page in search.results],
            }
            for search in script.searches
        ],
        "looks": [[pages.number(k.page), k.begin_ms, k.end_ms] for k in script.looks],
        "views": [
            [
                view.seq,
                None if view.page is None else pages.number(view.page),
                _label(view) if script.timed or view.basis != "seen" else "",
                _BASIS_NUMBERS[view.basis],
            ]
            for view in script.views
        ],
        "bases": [sentence for _, sentence in _BASES.values()],
        "citations": [[pages.number(c.page), c.begin, c.end] for c in script.citations],
        "boxes": [
            [
                life.id,
                pages.number(life.page),
                [[s.seq, s.rect, s.label, s.verdict] for s in life.states],
            ]
            for life in script.boxes
        ],
        "texts": {
            name: [[edit.seq, edit.start, edit.end, edit.insert] for edit in edits]
            for name, edits in script.texts.items()
        },
        "fields": [
            [f.seq, f.field, None if f.page is None else pages.number(f.page), f.box, f.value]
            for f in script.fields
        ],
        "lanes": list(script.lanes.items()),
        "spans": [[SPAN_NAMES[span.kind], span.begin_ms, span.end_ms] for span in script.spans],
    }
    return data | _page_table(list(pages.numbers), locate_pages)


def _label(view: ViewerPage) -> str:
    if view.dwell_ms is None:
        return _BASES[view.basis][0]
    seconds = view.dwell_ms / 1000
    return f"{seconds:.{1 if seconds < 9.95 else 0}f} s"


def _page_table(pages: list[PageKey], locate_pages: LocatePages) -> dict[str, Any]:
    locations = locate_pages(pages)
    documents: dict[str, int] = {}
    hashes: dict[str, str] = {}
    table = []
    for document, number in pages:
        location = locations.get((document, number))
        index = documents.setdefault(document, len(documents))
        if location is not None:
            hashes[document] = location.sha256
        size = (
            (None, None)
            if location is None
            else (round(location.width, 2), round(location.height, 2))
        )
        table.append([index, number, *size])
    return {"documents": [[name, hashes.get(name)] for name in documents], "pages": table}
