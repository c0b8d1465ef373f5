"""The boxes of an attempt as a fold: what each event changes, and what undo gives back."""

from __future__ import annotations

from functools import reduce

import pytest

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.boxes import MAX_UNDO, Boxes, PageBox
from pagetrail.annotation.attempts.state import AttemptState, apply, fold
from pagetrail.annotation.protocols.protocol import Protocol, preset, with_overrides
from tests.annotation.events.elements import element
from tests.annotation.given_pages import (
    A3,
    B1,
    B2,
    box,
    given_driver,
    on_page,
    record_all,
    rects,
    redo,
    undo,
)
from tests.support.factory import AttemptDriver, events_at


def free() -> Protocol:
    """Boxes on every page, with text, order and attributes."""
    changes = {"boxes.when": None, "boxes.required": False, "boxes.max_per_page": 200}
    parts = {"boxes.content": True, "boxes.order": True, "boxes.attributes": True}
    return with_overrides(preset("relevance"), changes | parts)


def driver_with_boxes(*boxes: ev.BoxDrawn) -> AttemptDriver:
    """A driver with these boxes drawn."""
    return record_all(given_driver(free()), *boxes)


def current_box(driver: AttemptDriver, name: str = "a") -> PageBox:
    """The box of that id."""
    page_box = driver.state.boxes.get(name)
    assert page_box is not None
    return page_box


def test_a_drawn_box_has_the_values_of_its_event() -> None:
    """Rectangle, page and label are those of the event; it has no model and no text."""
    new_box = current_box(driver_with_boxes(box("a", B2, label="Chart")))
    assert (new_box.document, new_box.page, new_box.rect) == ("b.pdf", 2, (10, 20, 50, 50))
    assert (new_box.label, new_box.content, new_box.order, new_box.attributes) == (
        "Chart",
        None,
        None,
        {},
    )
    assert (new_box.model, new_box.verdict, new_box.seq) == (None, "added", 2)


CHANGES: list[tuple[ev.Payload, str, object]] = [
    (ev.BoxMoved(box="a", rect=(11, 20, 51, 50)), "rect", (11, 20, 51, 50)),
    (ev.BoxResized(box="a", rect=(10, 20, 90, 80)), "rect", (10, 20, 90, 80)),
    (ev.BoxLabelled(box="a", label="Image"), "label", "Image"),
    (ev.BoxContentEdited(box="a", content="a\nb"), "content", "a\nb"),
    (ev.BoxOrdered(box="a", order=3), "order", 3),
    (ev.BoxAttributesEdited(box="a", attributes={"bold": "yes"}), "attributes", {"bold": "yes"}),
    (ev.BoxDeleted(box="a"), "deleted", True),
]


@pytest.mark.parametrize(
    ("payload", "name", "value"), CHANGES, ids=lambda v: getattr(v, "type", "")
)
def test_each_change_touches_one_thing_and_can_be_undone_and_redone(
    payload: ev.Payload, name: str, value: object
) -> None:
    """Only that attribute of that box changes; undo gives the old value back, redo the new one."""
    driver = driver_with_boxes(box("other", x=200), box("a"))
    before = current_box(driver)
    record_all(driver, payload)
    after = current_box(driver)
    assert getattr(after, name) == value
    assert after == before.model_copy(update={name: value})
    record_all(driver, undo(driver))
    assert current_box(driver) == before
    record_all(driver, redo(driver))
    assert current_box(driver) == after
    assert current_box(driver, "other").seq == 2


def test_accepting_is_a_change_like_any_other() -> None:
    """A model's element is open, then accepted, open again by undo, and open when undone."""
    driver = given_driver(preset("verify"), {"elements": [element(1).model_dump(mode="json")]})
    assert current_box(driver, "e1").verdict == "open"
    record_all(driver, ev.BoxAccepted(box="e1"))
    assert current_box(driver, "e1").verdict == "accepted"
    record_all(driver, undo(driver, B2))
    assert current_box(driver, "e1").verdict == "open"
    record_all(driver, redo(driver, B2), ev.BoxAccepted(box="e1", accepted=False))
    assert current_box(driver, "e1").verdict == "open"


def test_the_verdict_on_a_models_element() -> None:
    """Accepted as it is, corrected in any part, accepted again when put back, deleted."""
    driver = given_driver(preset("verify"), {"elements": [element(1).model_dump(mode="json")]})
    untouched = current_box(driver, "e1").model
    record_all(driver, ev.BoxAccepted(box="e1"))
    for change, name in (
        (ev.BoxResized(box="e1", rect=(10, 20.5, 111, 60)), "rect"),
        (ev.BoxLabelled(box="e1", label="Table"), "label"),
        (ev.BoxContentEdited(box="e1", content="other"), "content"),
        (ev.BoxOrdered(box="e1", order=None), "order"),
        (ev.BoxAttributesEdited(box="e1", attributes={}), "attributes"),
    ):
        record_all(driver, change)
        assert (current_box(driver, "e1").verdict, current_box(driver, "e1").differences) == (
            "corrected",
            [name],
        )
        record_all(driver, undo(driver, B2))
        assert (current_box(driver, "e1").verdict, current_box(driver, "e1").differences) == (
            "accepted",
            [],
        )
    record_all(driver, ev.BoxDeleted(box="e1"))
    assert current_box(driver, "e1").verdict == "deleted"
    assert current_box(driver, "e1").model == untouched


def test_no_text_and_an_empty_text_are_the_same() -> None:
    """Emptying the text of an element that had none corrects nothing."""
    bare = element(1, content=None).model_dump(mode="json")
    driver = given_driver(preset("verify"), {"elements": [bare]})
    record_all(driver, ev.BoxContentEdited(box="e1", content=""))
    assert current_box(driver, "e1").differences == []


def test_undo_and_redo_go_back_and_forth_in_order() -> None:
    """Three steps back and three forward pass through the same states."""
    driver = given_driver(free())
    states = [rects(driver)]
    for payload in (
        box("a"),
        ev.BoxMoved(box="a", rect=(30, 20, 70, 50)),
        box("b", x=100),
        ev.BoxDeleted(box="a"),
    ):
        record_all(driver, payload)
        states.append(rects(driver))
    for state in reversed(states[:-1]):
        record_all(driver, undo(driver))
        assert rects(driver) == state
    for state in states[1:]:
        record_all(driver, redo(driver))
        assert rects(driver) == state
    assert driver.state.boxes.last("redo", *B1) is None


def test_each_page_has_a_history_of_its_own() -> None:
    """Undoing on one page leaves what was done later on another, and its redo, alone."""
    driver = driver_with_boxes(box("a", B1), box("b", B2), box("c", A3))
    record_all(driver, undo(driver, B1))
    assert (set(rects(driver, B1)), set(rects(driver, B2)), set(rects(driver, A3))) == (
        set(),
        {"b"},
        {"c"},
    )
    record_all(driver, ev.BoxLabelled(box="b", label="Table"))
    record_all(driver, redo(driver, B1))
    assert set(rects(driver, B1)) == {"a"}


def test_a_new_change_ends_what_could_be_redone_on_its_page() -> None:
    """After undo, a change on the page clears its redo; the other page keeps its own."""
    driver = driver_with_boxes(box("a"), box("z", B2))
    record_all(driver, undo(driver, B1), undo(driver, B2))
    record_all(driver, box("b", x=100))
    assert driver.state.boxes.last("redo", *B1) is None
    record_all(driver, redo(driver, B2))
    assert set(rects(driver, B2)) == {"z"}


def test_the_history_of_a_page_is_bounded() -> None:
    """The oldest step falls out at the bound, on that page only."""
    driver = driver_with_boxes(box("z", B2), box("a"))
    record_all(driver, *(ev.BoxMoved(box="a", rect=(n, 20, n + 40, 50)) for n in range(MAX_UNDO)))
    history = driver.state.boxes.undo
    assert [c.page for c in history] == [2] + [1] * MAX_UNDO
    for _ in range(MAX_UNDO):
        record_all(driver, undo(driver))
    assert rects(driver) == {"a": (10, 20, 50, 50)}
    assert driver.state.boxes.last("undo", *B1) is None
    assert len(driver.state.boxes.redo) == MAX_UNDO
    record_all(driver, undo(driver, B2))
    assert rects(driver, B2) == {}


def test_a_copy_takes_text_and_attributes_along() -> None:
    """A duplicate has its own place and label, and the text and attributes of its source."""
    driver = driver_with_boxes(box("a"))
    record_all(
        driver,
        ev.BoxContentEdited(box="a", content="words"),
        ev.BoxAttributesEdited(box="a", attributes={"bold": "yes"}),
        ev.BoxOrdered(box="a", order=4),
        box("b", x=60, label="Table", how="duplicated", copy_of="a"),
        ev.BoxContentEdited(box="a", content="changed since"),
    )
    copy = current_box(driver, "b")
    assert (copy.content, copy.attributes, copy.order) == ("words", {"bold": "yes"}, None)
    assert (copy.label, copy.rect, copy.model) == ("Table", (60, 20, 100, 50), None)


def test_a_copy_of_a_models_element_is_the_annotators_own() -> None:
    """Duplicating a given element makes no second given element."""
    driver = given_driver(preset("verify"), {"elements": [element(1).model_dump(mode="json")]})
    record_all(driver, box("b", B2, how="duplicated", copy_of="e1"))
    assert (current_box(driver, "b").model, current_box(driver, "b").verdict) == (None, "added")
    assert current_box(driver, "b").content == "paragraph 1"


def test_a_deleted_box_stays_in_the_list() -> None:
    """Undoing a drawing, or deleting, marks the box; its place in the list is kept."""
    driver = driver_with_boxes(box("a"), box("b", x=100))
    record_all(driver, ev.BoxDeleted(box="a"))
    assert [(b.id, b.deleted) for b in driver.state.boxes.boxes] == [("a", True), ("b", False)]
    record_all(driver, undo(driver))
    assert [b.id for b in driver.state.boxes.on(*B1)] == ["a", "b"]


def test_events_that_fit_nothing_change_nothing() -> None:
    """The fold is total: unknown boxes, a box drawn twice and stale undos leave the boxes alone."""
    start = fold(events_at((0, box("a")), (1, box("b", B2))))
    for payload in (
        ev.BoxMoved(box="none", rect=(1, 1, 2, 2)),
        ev.BoxDeleted(box="none"),
        ev.BoxAccepted(box="none"),
        box("a", A3),
        ev.Undone(**on_page(B1), change="c2"),
        ev.Undone(**on_page(A3), change="c1"),
        ev.Redone(**on_page(B1), change="c1"),
    ):
        event = events_at((0, payload))[0]
        assert apply(start, event).boxes == start.boxes, payload.type


def test_seeded_elements_are_numbered_through() -> None:
    """e1, e2, … over all pages, each with the model's value and not to be undone."""
    log = events_at(
        (0, ev.Opened(session="s")),
        (0, ev.ElementsSeeded(**on_page(B2), elements=(element(7), element(8)))),
        (0, ev.ElementsSeeded(**on_page(B1), elements=(element(9, page=1),))),
    )
    boxes = fold(log).boxes
    assert [(b.id, b.page, b.model and b.model.id) for b in boxes.boxes] == [
        ("e1", 2, "m7"),
        ("e2", 2, "m8"),
        ("e3", 1, "m9"),
    ]
    assert boxes.undo == ()


def test_a_state_stored_half_way_goes_on_as_if_it_had_not_been() -> None:
    """Every change, undo and redo give the same after a round trip through JSON."""
    driver = driver_with_boxes(box("a"), *(payload for payload, _, _ in CHANGES))
    for _ in range(4):
        record_all(driver, undo(driver))
    for _ in range(2):
        record_all(driver, redo(driver))
    log = driver.events
    for cut in range(len(log)):
        start = fold(log[:cut])
        stored = AttemptState.model_validate_json(start.model_dump_json())
        assert stored == start, f"after {log[cut - 1].type}"
        assert reduce(apply, log[cut:], stored) == driver.state


def test_boxes_are_found_by_id_and_page() -> None:
    """``get`` finds deleted ones too, ``on`` leaves them out."""
    driver = driver_with_boxes(box("a"), box("b", x=100))
    record_all(driver, ev.BoxDeleted(box="a"))
    boxes = driver.state.boxes
    assert boxes.get("a") is not None and boxes.get("c") is None
    assert [b.id for b in boxes.on(*B1)] == ["b"] and boxes.on(*B2) == []
    assert Boxes().last("undo", *B1) is None
