"""Bookmarks and scratchpad, which go with an annotator from task to task of a batch.

Each attempt's state holds those that were on screen. When a task is opened, the server records in
its attempt what the batch's other attempts have changed meanwhile (``BatchAidsCarried``). So an
attempt's events alone say what its annotator could see.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.base import State

AID_TYPES = ("page_bookmarked", "bookmark_removed", "scratchpad_edited")
"""Types of the events that change them."""


class Bookmark(State):
    """A page to come back to."""

    document: str
    page: int


class Calculation(State):
    """A calculation of this task."""

    expression: str
    result: str
    seq: int


class BatchAids(NamedTuple):
    """Bookmarks, the last one last, and scratchpad of a batch."""

    bookmarks: tuple[Bookmark, ...] = ()
    scratchpad: str = ""


def with_bookmark(
    bookmarks: tuple[Bookmark, ...], payload: ev.PageBookmarked | ev.BookmarkRemoved
) -> tuple[Bookmark, ...]:
    """The bookmarks after one was added or removed."""
    bookmark = Bookmark(document=payload.document, page=payload.page)
    others = tuple(other for other in bookmarks if other != bookmark)
    if isinstance(payload, ev.BookmarkRemoved):
        return others
    return bookmarks if bookmark in bookmarks else (*bookmarks, bookmark)


def fold_batch_aids(events: Iterable[ev.Event]) -> BatchAids:
    """What an annotator's changes in all tasks of a batch come to, in the order of storage.

    Of more bookmarks than a batch may have, as two tabs can make them, the last ones are kept.
    """
    bookmarks: tuple[Bookmark, ...] = ()
    scratchpad = ""
    for event in events:
        match event.payload:
            case ev.PageBookmarked() | ev.BookmarkRemoved() as payload:
                bookmarks = with_bookmark(bookmarks, payload)
            case ev.ScratchpadEdited(text=text):
                scratchpad = text
            case _:
                pass
    return BatchAids(bookmarks[-ev.MAX_BOOKMARKS :], scratchpad)


def carried_payload(aids: BatchAids, held: BatchAids) -> ev.BatchAidsCarried | None:
    """The event that brings a batch's aids into an attempt; None if it holds them already."""
    if aids == held:
        return None
    bookmarks = tuple(
        ev.CarriedBookmark(document=bookmark.document, page=bookmark.page)
        for bookmark in aids.bookmarks
    )
    return ev.BatchAidsCarried(bookmarks=bookmarks, scratchpad=aids.scratchpad)
