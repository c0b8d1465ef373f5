"""The boxes of an attempt and their undo history, as a fold of box events.

A box is never taken out of the list: deleting marks it, so that undoing brings it back and a
model's untouched value stays beside what became of it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field
from typing_extensions import TypedDict  # pydantic needs it on Python 3.11

from pagetrail.annotation.events import boxes as be
from pagetrail.annotation.geometry.box import Box
from pagetrail.annotation.geometry.element import Element
from pagetrail.annotation.json_types import DumpOf

MAX_UNDO = 50
"""Changes of one page that can be undone."""

Verdict = Literal["added", "deleted", "corrected", "accepted", "open"]


class _State(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class PageBox(_State):
    """A box on a page."""

    id: str
    document: str
    page: int
    rect: Box = Field(description="x0, y0, x1, y1 in points on the displayed page")
    label: str | None
    content: str | None = None
    order: int | float | None = Field(
        default=None, description="sorts the boxes of a page, see reading_order; not yet 1…n"
    )
    attributes: dict[str, str] = Field(default_factory=dict)
    accepted: bool = Field(default=False, description="found right as it is")
    deleted: bool = False
    model: Element | None = Field(default=None, description="what a model gave, untouched")
    seq: int = Field(description="the event that made it")

    @property
    def differences(self) -> list[str]:
        """What differs from the model's element: rect, label, content, order, attributes."""
        if self.model is None:
            return []
        model = self.model
        pairs: list[tuple[str, Any, Any]] = [
            ("rect", tuple(self.rect), tuple(model.rect)),
            ("label", self.label, model.label),
            ("content", self.content or "", model.content or ""),
            ("order", self.order, model.order),
            ("attributes", self.attributes, model.attributes),
        ]
        return [name for name, value, model_value in pairs if value != model_value]

    @property
    def verdict(self) -> Verdict:
        """What became of the box; ``open`` is a model's element nobody has judged."""
        if self.deleted:
            return "deleted"
        if self.model is None:
            return "added"
        if self.differences:
            return "corrected"
        return "accepted" if self.accepted else "open"


class BoxPatch(TypedDict, total=False):
    """New values of a box, by the names of its attributes."""

    rect: Box
    label: str | None
    content: str | None
    order: int | float | None
    attributes: dict[str, str]
    accepted: bool
    deleted: bool


Patch = Annotated[dict[str, Any], DumpOf(BoxPatch)]


class Change(_State):
    """One step of a page's history: what to put back, and what to put again."""

    id: str = Field(description="client event id of the event that made the change")
    document: str
    page: int
    box: str
    before: Patch
    after: Patch


class Boxes(_State):
    """All boxes of an attempt, in the order they were made, and what can be undone or redone."""

    boxes: tuple[PageBox, ...] = ()
    undo: tuple[Change, ...] = ()
    redo: tuple[Change, ...] = ()

    def get(self, box: str) -> PageBox | None:
        """The box of that id, deleted or not."""
        return next((b for b in self.boxes if b.id == box), None)

    def on(self, document: str, page: int) -> list[PageBox]:
        """The boxes of a page that are not deleted."""
        return [
            b for b in self.boxes if b.document == document and b.page == page and not b.deleted
        ]

    def last(self, stack: Literal["undo", "redo"], document: str, page: int) -> Change | None:
        """The change of a page that would be undone, or redone, next."""
        changes = self.undo if stack == "undo" else self.redo
        return next(
            (c for c in reversed(changes) if c.document == document and c.page == page), None
        )


def apply_box(state: Boxes, payload: be.BoxEvent, seq: int, event_id: str) -> Boxes:
    """The boxes after one more event; an event on an unknown box changes nothing."""
    match payload:
        case be.ElementsSeeded():
            return _seeded(state, payload, seq)
        case be.BoxDrawn():
            return _with_drawn_box(state, payload, seq, event_id)
        case be.Undone():
            return _turned(state, payload, "undo")
        case be.Redone():
            return _turned(state, payload, "redo")
        case be.BoxChange():
            box = state.get(payload.box)
            if box is not None:
                return _changed(state, box, payload.new_values(), event_id)
    return state


def _seeded(state: Boxes, payload: be.ElementsSeeded, seq: int) -> Boxes:
    n_seeded = sum(box.model is not None for box in state.boxes)
    seeded = tuple(
        PageBox(
            id=f"e{number}",
            document=payload.document,
            page=payload.page,
            rect=element.rect,
            label=element.label,
            content=element.content,
            order=element.order,
            attributes=element.attributes,
            model=element,
            seq=seq,
        )
        for number, element in enumerate(payload.elements, start=n_seeded + 1)
    )
    return state.model_copy(update={"boxes": (*state.boxes, *seeded)})


def _with_drawn_box(state: Boxes, payload: be.BoxDrawn, seq: int, event_id: str) -> Boxes:
    if state.get(payload.box) is not None:
        return state
    source = state.get(payload.copy_of) if payload.copy_of else None
    box = PageBox(
        id=payload.box,
        document=payload.document,
        page=payload.page,
        rect=payload.rect,
        label=payload.label,
        content=source.content if source else None,
        order=payload.order,
        attributes=source.attributes if source else {},
        deleted=True,
        seq=seq,
    )
    grown = state.model_copy(update={"boxes": (*state.boxes, box)})
    return _changed(grown, box, {"deleted": False}, event_id)


def _changed(state: Boxes, box: PageBox, after: dict[str, Any], event_id: str) -> Boxes:
    before = {key: getattr(box, key) for key in after}
    change = Change(
        id=event_id,
        document=box.document,
        page=box.page,
        box=box.id,
        before=before,
        after=after,
    )

    def is_on_page(other: Change) -> bool:
        return other.document == box.document and other.page == box.page

    surplus = sum(map(is_on_page, state.undo)) - MAX_UNDO + 1
    undo = list(state.undo)
    if surplus > 0:
        undo.remove(next(filter(is_on_page, undo)))
    return Boxes(
        boxes=_patched(state.boxes, box.id, after),
        undo=(*undo, change),
        redo=tuple(other for other in state.redo if not is_on_page(other)),
    )


def _turned(state: Boxes, payload: be.Undone | be.Redone, stack: Literal["undo", "redo"]) -> Boxes:
    """Take the last change back, or make it again; another change than the last is left alone."""
    change = state.last(stack, payload.document, payload.page)
    if change is None or change.id != payload.change:
        return state
    if stack == "undo":
        return Boxes(
            boxes=_patched(state.boxes, change.box, change.before),
            undo=tuple(other for other in state.undo if other is not change),
            redo=(*state.redo, change),
        )
    return Boxes(
        boxes=_patched(state.boxes, change.box, change.after),
        undo=(*state.undo, change),
        redo=tuple(other for other in state.redo if other is not change),
    )


def _patched(boxes: Iterable[PageBox], box: str, patch: dict[str, Any]) -> tuple[PageBox, ...]:
    return tuple(b.model_copy(update=patch) if b.id == box else b for b in boxes)
