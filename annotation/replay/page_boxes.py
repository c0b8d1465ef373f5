"""The fold of box events, page by page: as ``annotation.attempts.boxes`` folds, at a page's cost an
event.

A change of one box and its undo history concern one page only. The fold of a whole attempt keeps
all pages in one state, which is right for one event more and slow for thousands in a row.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pagetrail.annotation.attempts.boxes import Boxes, PageBox, apply_box
from pagetrail.annotation.events import boxes as be

PageKey = tuple[str, int]


class BoxPages:
    """All boxes of an attempt, in a state a page."""

    def __init__(self) -> None:
        self._pages: dict[PageKey, Boxes] = {}
        self._owner: dict[str, PageKey] = {}
        self._given = 0

    @property
    def boxes(self) -> Sequence[PageBox]:
        """All boxes, deleted ones too, in the order they were made."""
        by_id = {box.id: box for state in self._pages.values() for box in state.boxes}
        return [by_id[id_] for id_ in self._owner]

    def replace(self, boxes: Sequence[PageBox]) -> None:
        """Go on from these, with nothing to undo."""
        self._pages, self._owner, self._given = {}, {}, 0
        for box in boxes:
            key = (box.document, box.page)
            state = self._pages.get(key, Boxes())
            self._pages[key] = state.model_copy(update={"boxes": (*state.boxes, box)})
            self._owner[box.id] = key
            self._given += box.model is not None

    def apply(self, payload: be.BoxEvent, seq: int, event_id: str) -> Iterator[PageBox]:
        """Take in one more event; yields the boxes that are new or changed."""
        key = self._page_of(payload)
        if key is None:
            return
        before = self._pages.get(key, Boxes())
        if isinstance(payload, be.ElementsSeeded):
            after = self._seeded(before, payload, seq)
        else:
            after = apply_box(before, payload, seq, event_id)
        self._pages[key] = after
        for number, box in enumerate(after.boxes):
            if number >= len(before.boxes) or box is not before.boxes[number]:
                self._owner[box.id] = key
                yield box

    def _page_of(self, payload: be.BoxEvent) -> PageKey | None:
        """Where it happens; None where it changes nothing."""
        if isinstance(payload, be.BoxDrawn):
            # The name of a box is taken for the whole attempt.
            return None if payload.box in self._owner else (payload.document, payload.page)
        if isinstance(payload, be.Undone | be.Redone | be.ElementsSeeded):
            return payload.document, payload.page
        return self._owner.get(payload.box) if isinstance(payload, be.BoxChange) else None

    def _seeded(self, before: Boxes, payload: be.ElementsSeeded, seq: int) -> Boxes:
        """Elements are numbered through the attempt, not through the page."""
        seeded = apply_box(Boxes(), payload, seq, "").boxes
        renumbered = [
            box.model_copy(update={"id": f"e{number}"})
            for number, box in enumerate(seeded, start=self._given + 1)
        ]
        self._given += len(renumbered)
        return before.model_copy(update={"boxes": (*before.boxes, *renumbered)})
