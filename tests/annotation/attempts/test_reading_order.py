"""The reading order: who stands where, the final numbers, and what two people put otherwise."""

from __future__ import annotations

import pytest

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.boxes import PageBox
from pagetrail.annotation.attempts.reading_order import effective_orders, final_order, moved_apart
from pagetrail.annotation.attempts.state import fold
from pagetrail.annotation.geometry.element import Element
from tests.support.factory import events_at


def page(*orders: int | None, changes: tuple[ev.Payload, ...] = ()) -> tuple[PageBox, ...]:
    """A model's elements e1, e2, … from top to bottom with these numbers, and what was done."""
    elements = tuple(
        Element(
            id=f"m{n}", document="a.pdf", page=1, rect=(10, 10 * n, 90, 10 * n + 9), order=order
        )
        for n, order in enumerate(orders, start=1)
    )
    seeded = ev.ElementsSeeded(document="a.pdf", page=1, elements=elements)
    steps = enumerate([seeded, *changes])
    return fold(events_at(*((float(n), step) for n, step in steps))).boxes.boxes


def draw_box(name: str, order: float | None, y: float = 0) -> ev.BoxDrawn:
    """A box that the model missed."""
    return ev.BoxDrawn(
        box=name, document="a.pdf", page=1, rect=(10, y, 90, y + 5), label="Text", order=order
    )


def in_order(boxes: tuple[PageBox, ...]) -> list[str]:
    """The ids by their final numbers."""
    positions = final_order(boxes)
    assert sorted(positions.values()) == list(range(1, len(positions) + 1))
    return sorted(positions, key=lambda name: positions[name])


def test_what_is_put_between_others_leaves_them_as_they_were() -> None:
    """A missed element and a moved one get numbers between; nothing else counts as corrected."""
    boxes = page(1, 2, 3, changes=(draw_box("new", 1.5), ev.BoxOrdered(box="e3", order=0)))
    assert in_order(boxes) == ["e3", "e1", "new", "e2"]
    assert {b.id: b.differences for b in boxes if b.model} == {"e1": [], "e2": [], "e3": ["order"]}


def test_a_deleted_box_has_no_number_and_leaves_no_gap() -> None:
    """The numbers are of those that are left; what was placed beside it stays where it was."""
    boxes = page(1, 2, 3, changes=(draw_box("new", 2.5), ev.BoxDeleted(box="e2")))
    assert in_order(boxes) == ["e1", "new", "e3"]
    assert effective_orders(boxes)["e2"] == 2


@pytest.mark.parametrize("order", [0, 4])
def test_elements_with_the_same_number_follow_by_position(order: int) -> None:
    """Others fit between them, and moving one does not touch the rest."""
    orders = (order, order, order, order + 1)
    first, second, third, last = effective_orders(page(*orders)).values()
    assert first is not None and second is not None and third is not None and last is not None
    assert first < second < third < last
    reorder = ev.BoxOrdered(box="e3", order=(first + second) / 2)
    moved = page(*orders, changes=(reorder,))
    assert in_order(moved) == ["e1", "e3", "e2", "e4"]
    assert [b.id for b in moved if b.differences] == ["e3"]


def test_what_the_model_left_out_of_the_order_stays_out_until_it_is_placed() -> None:
    """A header without a number is accepted without one."""
    assert in_order(page(1, None, 2)) == ["e1", "e3"]
    assert in_order(page(1, None, 2, changes=(ev.BoxOrdered(box="e2", order=1.5),))) == [
        "e1",
        "e2",
        "e3",
    ]


def test_old_events_keep_their_meaning() -> None:
    """Typed whole numbers sort as they did; a drawn box without one is in no order."""
    boxes = page(1, 2, 3, changes=(ev.BoxOrdered(box="e1", order=9), draw_box("new", None)))
    assert in_order(boxes) == ["e2", "e3", "e1"]
    assert effective_orders(boxes)["new"] is None
    assert in_order(page(1, 2, changes=(ev.BoxOrdered(box="e1", order=None),))) == ["e2"]


def test_numbers_are_stored_as_they_are_sent() -> None:
    """4.0 is 4 in the log, a place of 0 is kept, and events without one keep their bytes."""
    assert ev.BoxOrdered(box="e1", order=4.0).model_dump_json().endswith('"order":4}')
    assert draw_box("new", 0).model_dump(mode="json")["order"] == 0
    assert "order" not in draw_box("new", None).model_dump(mode="json")
    for wrong in (float("nan"), float("inf"), 2_000_001):
        with pytest.raises(ValueError, match="order"):
            ev.BoxOrdered(box="e1", order=wrong)


def test_moving_an_element_past_another_is_a_difference() -> None:
    """Elements shifted by a missed one, or moved to the same position, are in the same order."""
    initial_boxes = page(1, 2, 3, 4)

    def moved(*changes: ev.Payload) -> tuple[PageBox, ...]:
        return page(1, 2, 3, 4, changes=changes)

    assert moved_apart(initial_boxes, moved(draw_box("new", 0.5))) == set()
    swapped = moved(ev.BoxOrdered(box="e3", order=1.5))
    assert moved_apart(initial_boxes, swapped) == moved_apart(swapped, initial_boxes) == {"e3"}
    assert moved_apart(swapped, moved(ev.BoxOrdered(box="e3", order=1.25))) == set()
    assert moved_apart(swapped, moved(ev.BoxOrdered(box="e2", order=3.5))) == set()
    assert moved_apart(initial_boxes, moved(ev.BoxOrdered(box="e2", order=None))) == {"e2"}
    assert moved_apart(initial_boxes, moved(ev.BoxDeleted(box="e2"))) == set()


def test_pages_do_not_meet() -> None:
    """Each page has its own numbers."""
    other = ev.BoxDrawn(box="b", document="a.pdf", page=2, rect=(1, 1, 9, 9), label="T", order=1)
    assert final_order(page(1, 2, changes=(other,))) == {"e1": 1, "e2": 2, "b": 1}
