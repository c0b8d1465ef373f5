"""Bookmarks and scratchpads: limits, undoing, and what two tabs make of a batch's bookmarks."""

from __future__ import annotations

import pytest

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.batch_aids import (
    AID_TYPES,
    BatchAids,
    Bookmark,
    carried_payload,
    fold_batch_aids,
)
from pagetrail.annotation.attempts.state import AttemptState, fold, with_payload
from pagetrail.annotation.protocols.protocol import preset, with_overrides
from tests.annotation.given_pages import record_all, refused
from tests.support.factory import AttemptDriver, events_at, memory_driver

AIDED = with_overrides(preset("search"), {"aids.bookmarks": True, "aids.scratchpad": True})


@pytest.fixture
def driver() -> AttemptDriver:
    """A task of a campaign that allows both."""
    return memory_driver(AIDED)


def bookmark(page: int) -> ev.PageBookmarked:
    """A page is bookmarked."""
    return ev.PageBookmarked(document="annual report.pdf", page=page)


def pages(aids: BatchAids) -> list[int]:
    """The pages that are bookmarked."""
    return [entry.page for entry in aids.bookmarks]


def test_the_fold_takes_all_types_of_aids() -> None:
    """Each bookmark once, in the order they were made; the last text."""
    events = events_at(
        (0, bookmark(1)),
        (1, bookmark(2)),
        (2, bookmark(1)),
        (3, ev.ScratchpadEdited(text="a")),
        (4, ev.BookmarkRemoved(document="annual report.pdf", page=2)),
        (5, ev.BookmarkRemoved(document="annual report.pdf", page=3)),
        (6, ev.ScratchpadEdited(text="b")),
    )
    assert set(AID_TYPES) == {event.type for event in events}
    aids = fold_batch_aids(events)
    assert (pages(aids), aids.scratchpad) == ([1], "b")
    assert fold(events).aids == aids


def test_the_newest_of_too_many_bookmarks_are_carried() -> None:
    """Two tabs may make more than a task takes."""
    numbers = range(1, ev.MAX_BOOKMARKS + 6)
    aids = fold_batch_aids(events_at(*((n, bookmark(n)) for n in numbers)))
    assert pages(aids) == list(numbers)[5:]
    payload = carried_payload(aids, BatchAids())
    assert payload is not None and with_payload(AttemptState(), payload).aids == aids


def test_what_is_the_same_is_not_carried() -> None:
    """Opening a task again says nothing new."""
    aids = BatchAids((Bookmark(document="annual report.pdf", page=1),), "x")
    assert carried_payload(aids, aids) is None
    assert carried_payload(BatchAids(), aids) == ev.BatchAidsCarried(bookmarks=(), scratchpad="")


def test_a_batch_takes_so_many_bookmarks(driver: AttemptDriver) -> None:
    """The next is refused until one is removed."""
    carried = ev.BatchAidsCarried(
        bookmarks=tuple(
            ev.CarriedBookmark(document="b.pdf", page=n) for n in range(1, ev.MAX_BOOKMARKS + 1)
        ),
        scratchpad="",
    )
    record_all(driver, carried)
    assert refused(driver, bookmark(1)).code == "too_many_bookmarks"
    record_all(driver, ev.BookmarkRemoved(document="b.pdf", page=1))
    record_all(driver, bookmark(1))


def test_undoing_ends_where_another_task_has_changed_them() -> None:
    """A step that would overwrite what was written elsewhere is forgotten; others stay."""
    state = fold(
        events_at(
            (0, ev.ScratchpadEdited(text="a")),
            (1, bookmark(1)),
            (2, ev.NoteEdited(text="n")),
        )
    )
    assert [step.part for step in state.undo] == ["scratchpad", "bookmark", "note"]
    after = with_payload(state, ev.BatchAidsCarried(bookmarks=(), scratchpad="b"))
    assert [step.part for step in after.undo] == ["note"]
