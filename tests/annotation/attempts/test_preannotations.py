"""What a model left: which events it becomes, when they are appended, and what they hold."""

from __future__ import annotations

from typing import Any

import pytest

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.preannotations import (
    cell_text,
    rows_of,
    seed_payloads,
    state_once_started,
)
from pagetrail.annotation.attempts.recorder import Command
from pagetrail.annotation.attempts.state import AttemptState, fold
from pagetrail.annotation.protocols.protocol import preset, with_overrides
from tests.annotation.events.elements import element
from tests.annotation.given_pages import code_and_field, given_driver, on_page, record_all

VERIFY = preset("verify")
CHART = preset("verify_chart")
ELEMENTS = {
    "elements": [
        element(1).model_dump(mode="json"),
        element(2).model_dump(mode="json"),
        element(3, page=1).model_dump(mode="json"),
        element(4).model_dump(mode="json"),
    ]
}
POINTS = {"data_points": [{"labels": ["2019", "Oslo"], "value": 4.0, "note": "?"}, {"value": 5}]}


def test_elements_become_one_event_a_run_of_a_page() -> None:
    """In the order of the record; nothing is lost where a page comes up twice."""
    payloads = seed_payloads(VERIFY, ELEMENTS)
    assert all(isinstance(payload, ev.ElementsSeeded) for payload in payloads)
    assert [(p.page, [e.id for e in p.elements]) for p in payloads] == [  # type: ignore[union-attr]
        (2, ["m1", "m2"]),
        (1, ["m3"]),
        (2, ["m4"]),
    ]


def test_rows_become_one_event_a_table() -> None:
    """Cells are texts; those of unknown columns are left out; rows without an id are numbered."""
    (payload,) = seed_payloads(CHART, POINTS)
    assert isinstance(payload, ev.RowsSeeded)
    assert (payload.field, payload.page, payload.box) == ("data_points", None, None)
    assert [(row.id, row.values) for row in payload.rows] == [
        ("1", {"labels": "2019; Oslo", "value": "4"}),
        ("2", {"value": "5"}),
    ]


def test_nothing_is_given_where_the_protocol_gives_nothing() -> None:
    """Elements in a record stay there without `seed`, and empty lists make no event."""
    assert seed_payloads(preset("relevance"), ELEMENTS | POINTS) == []
    assert (
        seed_payloads(VERIFY, {"elements": []})
        == seed_payloads(VERIFY, {})
        == seed_payloads(CHART, {})
        == []
    )
    assert seed_payloads(CHART, {"data_points": "4"}) == []


@pytest.mark.parametrize(
    ("cell", "text"),
    [(4.0, "4"), (4.5, "4.5"), (True, "true"), ("x", "x"), ([1, "b", 2.0], "1; b; 2"), (0, "0")],
)
def test_a_cell_as_text(cell: Any, text: str) -> None:
    """Numbers without a needless point, lists joined, truths as the forms name them."""
    assert cell_text(cell) == text


def test_rows_that_are_no_objects_are_left_out() -> None:
    """The rest keep their numbers."""
    rows = rows_of([{"value": 1}, "junk", None, {"id": 7, "value": None}], {"value"})
    assert [(row.id, row.values) for row in rows] == [("1", {"value": "1"}), ("7", {})]


def test_an_attempt_begins_with_what_was_given() -> None:
    """Right after the opening, once, however often the task is opened."""
    driver = given_driver(VERIFY, ELEMENTS)
    record_all(driver, ev.Opened(session="tab-2"))
    assert [e.type for e in driver.events] == ["opened", *["elements_seeded"] * 3, "opened"]
    assert [e.client_event_id for e in driver.events][:3] == [
        "c0001",
        "c0001/seed-1",
        "c0001/seed-2",
    ]
    assert {e.actor for e in driver.events} == {"Ada"}
    assert [b.id for b in driver.state.boxes.boxes] == ["e1", "e2", "e3", "e4"]


def test_a_repeated_first_event_gives_nothing_twice() -> None:
    """Sent again after a lost answer, the opening is answered and nothing is appended."""
    driver = given_driver(VERIFY, ELEMENTS, opened=False)
    opening = Command("x", ev.Opened(session="t"))
    for _ in range(3):
        driver.recorder.record(driver.context, [opening, opening])
    assert [e.type for e in driver.events] == ["opened", *["elements_seeded"] * 3]


def test_a_refused_first_event_gives_nothing() -> None:
    """Nothing is stored, so the attempt has not started."""
    driver = given_driver(VERIFY, ELEMENTS, opened=False)
    assert code_and_field(driver, ev.Resumed()) == ("not_paused", None)
    assert driver.state == AttemptState()


def test_work_without_an_opening_finds_what_was_given() -> None:
    """The elements come before the work on them, whatever a client sends first."""
    driver = given_driver(VERIFY, ELEMENTS, opened=False)
    record_all(driver, ev.BoxLabelled(box="e2", label="Table"))
    assert [e.type for e in driver.events] == [*["elements_seeded"] * 3, "box_labelled"]
    assert [b.label for b in driver.state.boxes.boxes] == ["Text", "Table", "Text", "Text"]


def test_a_task_cannot_be_handed_in_before_it_begins() -> None:
    """A submission as the very first event is measured against what was given."""
    driver = given_driver(VERIFY, ELEMENTS, opened=False)
    assert code_and_field(driver, ev.Submitted(outcome="completed")) == ("incomplete", "boxes")
    chart = given_driver(CHART, POINTS, opened=False)
    assert code_and_field(chart, ev.Submitted(outcome="completed"))[0] == "incomplete"


def test_what_is_given_keeps_the_time_of_an_opening_while_offline() -> None:
    """The time line begins at the opening, and what followed it keeps its place."""
    driver = given_driver(VERIFY, ELEMENTS, opened=False)
    commands = [
        Command("1", ev.Opened(session="t"), age_ms=30_000),
        Command("2", ev.BoxAccepted(box="e1"), age_ms=20_000),
        Command("3", ev.BoxAccepted(box="e2")),
    ]
    assert driver.recorder.record(driver.context, commands).refusals == {}
    assert [e.elapsed_ms for e in driver.events] == [0, 0, 0, 0, 10_000, 30_000]


def test_the_preview_is_what_the_attempt_will_begin_with() -> None:
    """Before anything is recorded the screen shows the boxes and rows that will be recorded."""
    for protocol, record in ((VERIFY, ELEMENTS), (CHART, POINTS)):
        preview = state_once_started(AttemptState(), seed_payloads(protocol, record))
        state = given_driver(protocol, record).state
        assert preview.boxes.model_dump() == state.boxes.model_dump()
        assert preview.rows == state.rows
        assert preview.status == "new" and preview.last_seq == 0


def test_each_table_counts_its_own_rows() -> None:
    """r1, r2, … by field, over several events."""
    first = seed_payloads(CHART, POINTS)[0]
    other = first.model_copy(update={"field": "other"})
    driver = given_driver(CHART, POINTS)
    events = driver.events
    more = [
        events[1].model_copy(update={"seq": n, "payload": p}) for n, p in ((3, first), (4, other))
    ]
    rows = fold([*events, *more]).rows
    assert [(r.field, r.row) for r in rows] == [
        *[("data_points", f"r{n}") for n in (1, 2, 3, 4)],
        ("other", "r1"),
        ("other", "r2"),
    ]


def test_the_model_element_is_kept_with_the_changed_box() -> None:
    """A corrected row and a deleted element keep the model's own value."""
    driver = given_driver(CHART, POINTS)
    record_all(driver, ev.RowSet(field="data_points", row="r1", values={"value": "7"}))
    assert (driver.state.rows[0].values["value"], driver.state.rows[0].model) == (
        "7",
        {"labels": "2019; Oslo", "value": "4"},
    )
    protocol = with_overrides(VERIFY, {"boxes.max_per_page": 3})
    full = given_driver(protocol, ELEMENTS)
    record_all(full, ev.BoxDeleted(box="e1"))
    deleted = full.state.boxes.boxes[0]
    assert deleted.model is not None and deleted.model.id == "m1"
    record_all(full, ev.Undone(**on_page(("b.pdf", 2)), change=full.state.boxes.undo[-1].id))
