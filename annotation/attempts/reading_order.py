"""The reading order of a page's boxes: which box is where, and the final numbers 1…n.

A model's element that nobody has moved is where the model had it among its other elements,
however many boxes were put between them. A box that somebody placed has a number between those of
its neighbours. So only what was moved differs from the model, and others need no new number. The
browser's copy is shared/reading_order.ts.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from pagetrail.annotation.attempts.boxes import PageBox
from pagetrail.annotation.attempts.forms import Form
from pagetrail.annotation.geometry.element import Element


def reading_order(form: Form) -> dict[str, int]:
    """By id the places of the boxes that are not deleted; as given where no order is asked for."""
    boxes = form.state.boxes.boxes
    if form.protocol.boxes.order:
        return final_order(boxes)
    return {box.id: int(box.order) for box in boxes if box.order is not None and not box.deleted}


def effective_orders(boxes: Iterable[PageBox]) -> dict[str, float | None]:
    """By id the number that sorts each box among those of its page; None where it has no place.

    A model's elements with the same number follow each other by position.

    Args:
        boxes: all of an attempt; deleted ones too, since others may be placed between them.
    """
    orders: dict[str, float | None] = {}
    for page_boxes in _by_page(boxes):
        seeded_orders = _seeded_orders(
            [(box.id, box.model) for box in page_boxes if box.model is not None]
        )
        for box in page_boxes:
            unmoved = box.model is not None and box.order == box.model.order
            orders[box.id] = seeded_orders.get(box.id) if unmoved else box.order
    return orders


def final_order(boxes: Iterable[PageBox]) -> dict[str, int]:
    """By id the place, 1…n on each page, of the boxes that have one and are not deleted.

    Args:
        boxes: all of an attempt, deleted ones included.
    """
    all_boxes = list(boxes)
    numbers = effective_orders(all_boxes)
    positions: dict[str, int] = {}
    for page_boxes in _by_page(all_boxes):
        placed = [
            (number, box.rect[1], box.rect[0], n, box.id)
            for n, box in enumerate(page_boxes)
            if not box.deleted and (number := numbers[box.id]) is not None
        ]
        positions |= {entry[-1]: position for position, entry in enumerate(sorted(placed), start=1)}
    return positions


def moved_apart(boxes: Iterable[PageBox], other_boxes: Iterable[PageBox]) -> set[str]:
    """The model's elements that two people kept and put in another order.

    An element counts if somebody moved it, and it comes before another one of its page for one of
    them and after it for the other, or has a place for one of them alone.

    Args:
        mine, theirs: all boxes of an attempt, deleted ones included.
    """
    both_lists = [list(boxes), list(other_boxes)]
    (a, b), (place_a, place_b) = map(effective_orders, both_lists), map(final_order, both_lists)
    elements_by_id = [
        {b.id: b for b in box_list if b.model is not None and not b.deleted}
        for box_list in both_lists
    ]
    shared = [box for name, box in elements_by_id[0].items() if name in elements_by_id[1]]
    moved: set[str] = set()
    for page_boxes in _by_page(shared):
        placed = [box.id for box in page_boxes if box.id in place_a and box.id in place_b]
        for name in (box.id for box in page_boxes if a[box.id] != b[box.id]):
            if name not in placed or any(
                (place_a[name] < place_a[other]) != (place_b[name] < place_b[other])
                for other in placed
            ):
                moved.add(name)
    return moved


def _by_page(boxes: Iterable[PageBox]) -> Iterable[list[PageBox]]:
    pages: dict[tuple[str, int], list[PageBox]] = {}
    for box in boxes:
        pages.setdefault((box.document, box.page), []).append(box)
    return pages.values()


def _seeded_orders(elements: list[tuple[str, Element]]) -> dict[str, float]:
    """Where the model had the elements that it numbered, each at a number of its own."""
    numbered = [
        (e.order, e.rect[1], e.rect[0], n)
        for n, (_, e) in enumerate(elements)
        if e.order is not None
    ]
    orders: dict[str, float] = {}
    for order, group in groupby(sorted(numbered), key=lambda entry: entry[0]):
        names = [elements[entry[-1]][0] for entry in group]
        orders |= {name: order + n / len(names) for n, name in enumerate(names)}
    return orders
