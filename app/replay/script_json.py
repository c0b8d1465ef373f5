"""A replay script as compact JSON: pages as numbers, events and page views as short lists."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from pagetrail.annotation.replay.script import DRAWN_LANES, SPAN_NAMES, PageKey, Script
from pagetrail.storage.attempts.replay_lists import Place

Places = Callable[[Iterable[PageKey]], dict[PageKey, Place]]


class _Pages:
    """Numbers pages in the order in which they first occur."""

    def __init__(self) -> None:
        self.numbers: dict[PageKey, int] = {}

    def number(self, page: PageKey) -> int:
        return self.numbers.setdefault(page, len(self.numbers))


def script_json(script: Script, places: Places) -> dict[str, Any]:
    """The script for the browser.

    Args:
        places: where page images are; pages outside the collection are missing from it.

    Returns:
        ``documents``: [name, hash or None]; ``pages``: [document, number, width, height], the
        sizes None where the page is not in the collection; everything else names pages by their
        place in that list, and events by their seq. ``moments``: [t_ms, lane, text], seq from 1.
        ``lanes``: [lane, name], as drawn from top to bottom. ``spans``: [reason, begin, end].
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
                "refusal": search.refusal,
                "total": search.total,
                "n": search.n_results,
                "results": [pages.number(page) for page in search.results],
            }
            for search in script.searches
        ],
        "looks": [
            [look.seq, pages.number(look.page), look.begin_ms, look.end_ms, look.dwell_ms]
            for look in script.looks
        ],
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
        "lanes": list(DRAWN_LANES.items()),
        "spans": [[SPAN_NAMES[span.kind], span.begin_ms, span.end_ms] for span in script.spans],
    }
    return data | _page_table(list(pages.numbers), places)


def _page_table(pages: list[PageKey], places: Places) -> dict[str, Any]:
    found = places(pages)
    documents: dict[str, int] = {}
    hashes: dict[str, str] = {}
    table = []
    for document, number in pages:
        place = found.get((document, number))
        index = documents.setdefault(document, len(documents))
        if place is not None:
            hashes[document] = place.sha256
        size = (None, None) if place is None else (round(place.width, 2), round(place.height, 2))
        table.append([index, number, *size])
    return {"documents": [[name, hashes.get(name)] for name in documents], "pages": table}
