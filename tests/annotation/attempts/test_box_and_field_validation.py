"""What may be recorded of boxes, fields and rows: every refusal, on its field, in a sentence."""

from __future__ import annotations

import ast
import inspect

import pytest

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.validation import boxes as box_rules
from pagetrail.annotation.attempts.validation import fields as field_rules
from pagetrail.annotation.protocols.protocol import parse, preset, with_overrides
from tests.annotation.attempts.work_validation_cases import (
    CASES,
    NO_CONDITION,
    Case,
    boxes,
    grade,
    graded,
    table,
)
from tests.annotation.events.elements import element
from tests.annotation.given_pages import (
    A3,
    B1,
    B2,
    TOML,
    box,
    code_and_field,
    given_driver,
    on_page,
    record_all,
    rects,
    redo,
    refused,
    undo,
)
from tests.support.factory import memory_driver, viewed


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.payload.type}-{case.code}")
def test_every_refusal(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    """Code, field and the telling part of the sentence; nothing is stored."""
    monkeypatch.setattr(field_rules, "MAX_ROWS", 3)
    refusal = refused(case.driver(), case.payload)
    assert (refusal.code, refusal.field) == (case.code, case.field)
    assert case.message in refusal.message


def test_every_rule_is_tried() -> None:
    """No code of the module is missing above, but the one of pages that the recorder sees first."""
    codes = {
        node.args[1].value
        for module in (box_rules, field_rules)
        for node in ast.walk(ast.parse(inspect.getsource(module)))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "refusal"
        and isinstance(node.args[1], ast.Constant)
    }
    assert codes - {case.code for case in CASES} == {"page_not_given"}


def test_a_page_of_another_task() -> None:
    """Where whole documents may be read, boxes and page fields still belong to given pages."""
    protocol = with_overrides(preset("relevance"), NO_CONDITION | {"browse": True})
    driver = memory_driver(protocol)
    context = driver.context
    driver.context = type(context)(context.attempt_id, context.actor, protocol, None, (B1,))
    record_all(
        driver, ev.Opened(session="t"), viewed(3), ev.FieldSet(field="query_quality", value="good")
    )
    assert code_and_field(driver, box("a", A3)) == ("page_not_given", "boxes")
    assert code_and_field(driver, grade("1", A3)) == ("page_not_given", "relevance")
    record_all(driver, box("a", B1), grade("1", B1))


def test_pages_that_do_not_exist_take_nothing() -> None:
    """Boxes and page fields name pages of the collection, and of the task."""
    driver = graded()
    for page, code in ((("no.pdf", 1), "unknown_document"), (("b.pdf", 4), "unknown_page")):
        assert code_and_field(driver, box("b", page)) == (code, None)
        assert code_and_field(driver, grade("1", page)) == (code, None)
    assert code_and_field(driver, box("b", ("b.pdf", 3))) == ("page_not_given", None)
    assert code_and_field(driver, grade("1", ("b.pdf", 3))) == ("page_not_given", None)


def test_nothing_is_done_to_pages_that_are_still_closed() -> None:
    """Before the question is judged by itself: no page, grade, box or row on any page."""
    protocol = with_overrides(
        preset("qa_review"), {"boxes.enabled": True, "boxes.labels": ({"name": "Text"},)}
    )
    driver = given_driver(protocol)
    required = ev.FieldSet(field="source_required", **on_page(B1), value="required")
    for payload in (ev.PageViewed(**on_page(B1), via="given"), required, box("a")):
        assert code_and_field(driver, payload) == ("pages_locked", "self_contained")
    record_all(driver, ev.FieldSet(field="self_contained", value="yes"), required, box("a"))


def test_a_box_may_stand_on_the_very_edge() -> None:
    """The whole page is a box; within the tolerance of rounding it may be outside."""
    driver = boxes()
    record_all(
        driver, box("b", rect=(0, 0, 612, 792)), box("c", rect=(-0.05, -0.05, 612.05, 792.05))
    )


def test_sides_as_short_as_allowed() -> None:
    """Rounded corners may take a hundredth off the shortest side; a small box may stay small."""
    driver = record_all(
        boxes(), box("b", rect=(1, 1, 3.99, 4)), ev.BoxMoved(box="b", rect=(2, 1, 5, 4))
    )
    small = {"elements": [element(1, rect=(1, 1, 2, 40)).model_dump(mode="json")]}
    driver = given_driver(preset("verify"), small)
    record_all(
        driver,
        ev.BoxMoved(box="e1", rect=(5, 1, 6, 40)),
        ev.BoxResized(box="e1", rect=(5, 1, 7, 9)),
    )
    assert code_and_field(driver, ev.BoxResized(box="e1", rect=(5, 1, 6.5, 9))) == (
        "too_small",
        "boxes",
    )


def test_a_model_s_small_box_can_be_gone_back_to() -> None:
    """A correction is undone even where the model's box is smaller than one may draw."""
    small = {"elements": [element(1, rect=(1, 1, 2, 40)).model_dump(mode="json")]}
    driver = given_driver(preset("verify"), small)
    record_all(driver, ev.BoxResized(box="e1", rect=(1, 1, 30, 40)))
    assert code_and_field(driver, ev.BoxResized(box="e1", rect=(1, 1, 2.5, 40))) == (
        "too_small",
        "boxes",
    )
    record_all(driver, ev.BoxResized(box="e1", rect=(1, 1, 2, 40)))
    assert driver.state.boxes.boxes[0].verdict == "open"


def test_a_full_page_does_not_take_a_restored_box() -> None:
    """Undoing a deletion, and redoing a drawing, need room on the page."""
    driver = boxes(max_per_page=1)
    record_all(driver, ev.BoxDeleted(box="a"))
    undo_deletion = undo(driver)
    record_all(driver, box("b"))
    assert code_and_field(driver, undo_deletion) == ("not_last", "boxes")
    record_all(driver, undo(driver))
    assert rects(driver) == {}
    record_all(driver, undo(driver))
    assert set(rects(driver)) == {"a"}


def test_a_deleted_box_does_not_come_back_to_a_page_graded_0() -> None:
    """The order box, deletion, grade 0, undo is refused at the undo, and allowed once regraded."""
    driver = record_all(graded(), box("a"), ev.BoxDeleted(box="a"), grade("0"))
    assert code_and_field(driver, undo(driver)) == ("page_takes_no_boxes", "boxes")
    record_all(driver, grade("1"), undo(driver))
    assert set(rects(driver)) == {"a"}


def test_a_redone_box_does_not_come_back_to_a_page_graded_0() -> None:
    """The same for a drawing that was undone."""
    driver = record_all(graded(), box("a"))
    record_all(driver, undo(driver))
    record_all(driver, grade("0"))
    assert code_and_field(driver, redo(driver)) == ("page_takes_no_boxes", "boxes")


def test_regrading_between_grades_that_allow_boxes() -> None:
    """From fully to critically relevant the boxes stay; boxes of other pages do not matter."""
    driver = record_all(graded(), grade("2", B2), box("a"), grade("1"), grade("0", B2))
    assert set(rects(driver)) == {"a"}


def test_a_poor_query_ends_the_task_with_boxes_on_its_pages() -> None:
    """Ending is always possible; undoing it brings everything back."""
    driver = record_all(graded(), box("a"), ev.FieldSet(field="query_quality", value="poor"))
    assert driver.context.form(driver.state).ended
    record_all(driver, ev.FieldSet(field="query_quality", value="good"), box("b", x=90))
    assert set(rects(driver)) == {"a", "b"}


def test_a_task_field_can_decide_over_boxes_too() -> None:
    """With boxes on a page, a value of the task with which no page may have any is refused."""
    fields = """
    fields = [ { name = "figures", label = "Has figures", kind = "boolean" } ]
    [boxes]
    enabled = true
    labels = [ { name = "Figure" } ]
    when = { field = "figures", values = ["true"] }
    """
    driver = given_driver(parse(TOML + fields, source="own.toml"))
    record_all(driver, ev.FieldSet(field="figures", value=True), box("a", label="Figure"))
    for value in (False, None):
        assert code_and_field(driver, ev.FieldSet(field="figures", value=value)) == (
            "has_boxes",
            "figures",
        )
    record_all(driver, ev.BoxDeleted(box="a"), ev.FieldSet(field="figures", value=False))


def test_clearing_is_always_possible_where_a_field_is_not_asked() -> None:
    """A value that does not count any more can be taken out, though none can be put in."""
    driver = record_all(
        table(),
        ev.FieldSet(field="legible", value=False),
        ev.FieldSet(field="reason", value="smudged"),
        ev.FieldSet(field="legible", value=True),
        ev.FieldSet(field="reason", value=None),
    )
    assert driver.state.value("reason") is None


def test_a_deleted_row_comes_back_with_its_next_cell() -> None:
    """A model's row keeps its cells and what the model gave."""
    driver = record_all(table(), ev.RowDeleted(field="points", row="r1"))
    record_all(driver, ev.RowSet(field="points", row="r1", values={"x": "2"}))
    (row, _) = driver.context.form(driver.state).rows(driver.context.protocol.fields[0])
    assert (row.deleted, row.values, row.model) == (
        False,
        {"x": "2", "of": "A"},
        {"x": "1", "of": "A"},
    )


@pytest.mark.parametrize(
    ("row", "values", "message"),
    [
        ("r1", {"of": "C"}, "Series cannot be changed"),
        ("r-1", {"y": "1"}, "columns: x, of, judged"),
        ("r1", {"x": "four"}, "'four' is not a number"),
        ("r1", {"x": "nan"}, "'nan' is not a number"),
        ("r1", {"x": "1e999"}, "is not a number"),
        ("r1", {"judged": "maybe"}, "not one of right, wrong"),
    ],
)
def test_cells_that_a_column_does_not_take(row: str, values: dict[str, str], message: str) -> None:
    """Locked, unknown, not a number, not an option: on the field, with what is allowed."""
    refusal = refused(table(), ev.RowSet(field="points", row=row, values=values))
    assert (refusal.code, refusal.field) == ("bad_value", "points")
    assert message in refusal.message


@pytest.mark.parametrize(
    ("rows", "code"),
    [
        ({"r1": {"x": "2"}, "r-1": {"x": "3"}}, "unknown_row"),
        ({"r1": {"x": "2"}, "r2": {"x": "3"}}, "unknown_row"),
        ({"r1": {"of": "C"}}, "bad_value"),
        ({"r1": {"x": "four"}}, "bad_value"),
    ],
)
def test_several_rows_are_set_only_together(rows: dict[str, dict[str, str]], code: str) -> None:
    """An unknown or deleted row, or a cell that is not taken, refuses the whole change."""
    driver = record_all(table(), ev.RowDeleted(field="points", row="r2"))
    refusal = refused(driver, ev.RowsSet(field="points", rows=rows))
    assert (refusal.code, refusal.field) == (code, "points")


def test_several_rows_are_set_and_undone_in_one_step() -> None:
    """Only the cells named; a later change of one of the rows stands in the way of undoing."""
    driver = table()

    def cells() -> dict[str, dict[str, str]]:
        return {row.row: row.values for row in driver.state.rows if row.field == "points"}

    before = cells()
    payload = ev.RowsSet(field="points", rows={"r1": {"x": "8"}, "r2": {"judged": "right"}})
    record_all(driver, payload)
    assert cells() == {
        "r1": before["r1"] | {"x": "8"},
        "r2": before["r2"] | {"judged": "right"},
    }
    (step,) = driver.state.undo
    undoing = ev.RowsSet(field="points", rows=step.rows, undoes=step.id)
    record_all(driver, ev.RowSet(field="points", row="r2", values={"judged": "wrong"}))
    assert refused(driver, undoing).code == "not_last"
    later_step = driver.state.undo[-1]
    undoing_later = {"row": "r2", "values": later_step.cells, "undoes": later_step.id}
    record_all(driver, ev.RowSet(field="points", **undoing_later), undoing)
    assert cells() == {"r1": before["r1"], "r2": before["r2"] | {"judged": ""}}
    assert not driver.state.undo and len(driver.state.redo) == 2


def test_cells_that_a_column_takes() -> None:
    """Numbers as people write them, empty cells, and locked columns in rows of one's own."""
    driver = table()
    for cell in ("4", " 4.5 ", "1,234.5", "-3e2", "", " "):
        record_all(driver, ev.RowSet(field="points", row="r1", values={"x": cell, "judged": ""}))
    record_all(driver, ev.RowSet(field="points", row="r-1", values={"of": "C", "judged": "right"}))
