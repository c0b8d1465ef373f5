"""Payloads that the rules refuse: in what state, with what code, on which field."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pagetrail.annotation import events as ev
from pagetrail.annotation.protocols.protocol import parse, preset, with_overrides
from tests.annotation.events.elements import element
from tests.annotation.given_pages import B1, B2, TOML, box, given_driver, on_page, record_all
from tests.support.factory import AttemptDriver, memory_driver

NO_CONDITION = {"boxes.when": None, "boxes.required": False}
TABLE = """
[[fields]]
name = "points"
label = "Points"
kind = "records"
seed = "points"
columns = [
    { name = "x", label = "X", kind = "number" },
    { name = "of", label = "Series", editable = false },
    { name = "judged", label = "Judged", kind = "choice", options = ["right", "wrong"] },
]

[[fields]]
name = "fixed"
label = "Fixed"
kind = "records"
seed = "points"
add_rows = false
columns = [{ name = "x", label = "X" }]

[[fields]]
name = "legible"
label = "Legible"
kind = "boolean"

[[fields]]
name = "reason"
label = "Reason"
kind = "text"
when = { field = "legible", values = ["false"] }
"""


def boxes(**changes: Any) -> AttemptDriver:
    """Boxes on every given page; keywords change the part."""
    settings = NO_CONDITION | {f"boxes.{name}": value for name, value in changes.items()}
    return record_all(given_driver(with_overrides(preset("relevance"), settings)), box("a"))


def graded(value: str = "2") -> AttemptDriver:
    """The relevance preset with a good query, and one page graded."""
    return record_all(
        given_driver(preset("relevance")),
        ev.FieldSet(field="query_quality", value="good"),
        grade(value),
    )


def grade(value: str | None, page: tuple[str, int] = B1) -> ev.FieldSet:
    """The grade of a page."""
    return ev.FieldSet(field="relevance", **on_page(page), value=value)


def verifying() -> AttemptDriver:
    """Two given elements on page 2."""
    record = {"elements": [element(n).model_dump(mode="json") for n in (1, 2)]}
    return given_driver(preset("verify"), record)


def table() -> AttemptDriver:
    """A table of two given rows, and one that is fixed."""
    rows = [{"x": 1, "of": "A"}, {"x": "n/a", "of": "B"}]
    return given_driver(parse(TOML + TABLE, source="own.toml"), {"points": rows})


def locked() -> AttemptDriver:
    """A page that was opened after the question was judged by itself."""
    return record_all(
        given_driver(preset("qa_review")),
        ev.FieldSet(field="self_contained", value="yes"),
        ev.PageViewed(**on_page(B1), via="given"),
    )


@dataclass(frozen=True)
class Case:
    """A payload that is refused: with what code, on which field, in a sentence with what in it."""

    code: str
    field: str
    message: str
    driver: Callable[[], AttemptDriver]
    payload: ev.Payload


MOVED = (15.0, 20.0, 55.0, 50.0)
CASES = [
    Case("no_boxes", "boxes", "takes no boxes", lambda: given_driver(preset("oracle")), box("a")),
    Case("unknown_box", "boxes", "not exist", boxes, ev.BoxMoved(box="z", rect=MOVED)),
    Case("unknown_box", "boxes", "not exist", boxes, ev.BoxLabelled(box="z", label="Text")),
    Case("unknown_box", "boxes", "not exist", boxes, ev.BoxDeleted(box="z")),
    Case("unknown_box", "boxes", "not exist", verifying, ev.BoxAccepted(box="z")),
    Case("unknown_box", "boxes", "not exist", verifying, ev.BoxContentEdited(box="z", content="")),
    Case(
        "unknown_box",
        "boxes",
        "not exist",
        lambda: record_all(boxes(), ev.BoxDeleted(box="a")),
        ev.BoxMoved(box="a", rect=MOVED),
    ),
    Case("unknown_box", "boxes", "not exist", boxes, box("b", how="duplicated", copy_of="z")),
    Case("no_new_boxes", "boxes", "cannot be added", lambda: _no_adding(), box("b", B2)),
    Case("box_exists", "boxes", "exists already", boxes, box("a", B2)),
    Case("box_exists", "boxes", "exists already", verifying, box("e1", B2)),
    Case("unknown_label", "boxes", "Labels: Text, Table", boxes, box("b", label="Blob")),
    Case("unknown_label", "boxes", "'text'", boxes, ev.BoxLabelled(box="a", label="text")),
    Case("no_such_part", "boxes", "no reading order", boxes, box("b", order=1.5)),
    Case("outside_page", "boxes", "612 × 792", boxes, box("b", x=580)),
    Case("outside_page", "boxes", "page 1 of b.pdf", boxes, box("b", rect=(-1, 2, 50, 60))),
    Case("outside_page", "boxes", "-5", boxes, ev.BoxMoved(box="a", rect=(-5, 20, 35, 50))),
    Case("outside_page", "boxes", "800", boxes, ev.BoxResized(box="a", rect=(10, 20, 50, 800))),
    Case("too_small", "boxes", "3 points", boxes, box("b", rect=(1, 1, 3.9, 40))),
    Case("too_small", "boxes", "3 points", boxes, ev.BoxResized(box="a", rect=(10, 20, 12, 50))),
    Case("page_takes_no_boxes", "boxes", "unless “Relevance” is", lambda: graded("0"), box("b")),
    Case("page_takes_no_boxes", "boxes", "Fully relevant", graded, box("b", B2)),
    Case(
        "page_takes_no_boxes",
        "boxes",
        "the task has ended",
        lambda: record_all(graded(), ev.FieldSet(field="query_quality", value="poor")),
        box("b"),
    ),
    Case("too_many_boxes", "boxes", "Delete one", lambda: boxes(max_per_page=1), box("b")),
    Case("too_many_boxes", "boxes", "has had 1", lambda: boxes(max_per_task=1), box("b", B2)),
    Case(
        "not_a_move", "boxes", "keeps its size", boxes, ev.BoxMoved(box="a", rect=(10, 20, 51, 50))
    ),
    Case("no_such_part", "boxes", "no text", boxes, ev.BoxContentEdited(box="a", content="x")),
    Case("no_such_part", "boxes", "no reading order", boxes, ev.BoxOrdered(box="a", order=1)),
    Case(
        "no_such_part",
        "boxes",
        "no attributes",
        boxes,
        ev.BoxAttributesEdited(box="a", attributes={"a": "b"}),
    ),
    Case("not_given", "boxes", "given element", boxes, ev.BoxAccepted(box="a")),
    Case("nothing_to_undo", "boxes", "to undo", boxes, ev.Undone(**on_page(B2), change="c0002")),
    Case("nothing_to_undo", "boxes", "to redo", boxes, ev.Redone(**on_page(B1), change="c0002")),
    Case("not_last", "boxes", "elsewhere", boxes, ev.Undone(**on_page(B1), change="c0001")),
    Case(
        "not_last",
        "boxes",
        "nothing was undone",
        lambda: record_all(boxes(), ev.BoxLabelled(box="a", label="Table")),
        ev.Undone(**on_page(B1), change="c0002"),
    ),
    Case(
        "unknown_field",
        "colour",
        "Fields: query_quality",
        graded,
        ev.FieldSet(field="colour", value=1),
    ),
    Case(
        "unknown_field", "colour", "query_quality", graded, ev.RowDeleted(field="colour", row="r1")
    ),
    Case(
        "wrong_scope", "relevance", "each page", graded, ev.FieldSet(field="relevance", value="1")
    ),
    Case(
        "wrong_scope",
        "relevance",
        "each page",
        lambda: record_all(graded(), box("a")),
        ev.FieldSet(field="relevance", box="a", value="1"),
    ),
    Case(
        "wrong_scope",
        "query_quality",
        "each task",
        graded,
        ev.FieldSet(field="query_quality", **on_page(B1), value="good"),
    ),
    Case(
        "not_asked",
        "modalities",
        "this value of “Relevance”",
        lambda: record_all(graded(), ev.FieldSet(field="relevance", **on_page(B2), value=None)),
        ev.FieldSet(field="modalities", **on_page(B2), value=("text",)),
    ),
    Case(
        "not_asked",
        "relevance",
        "this value of “Query quality”",
        lambda: record_all(graded(), ev.FieldSet(field="query_quality", value="poor")),
        grade("1"),
    ),
    Case(
        "not_asked",
        "reason",
        "this value of “Legible”",
        lambda: record_all(table(), ev.FieldSet(field="legible", value=True)),
        ev.FieldSet(field="reason", value="smudged"),
    ),
    Case(
        "not_offered",
        "modalities",
        "“Text” cannot be chosen",
        lambda: graded("0"),
        ev.FieldSet(field="modalities", **on_page(B1), value=("text",)),
    ),
    Case(
        "not_offered",
        "modalities",
        "“N/A” cannot be chosen",
        graded,
        ev.FieldSet(field="modalities", **on_page(B1), value=("na",)),
    ),
    Case(
        "pages_were_opened",
        "self_contained",
        "have been opened",
        locked,
        ev.FieldSet(field="self_contained", value="no"),
    ),
    Case(
        "pages_were_opened",
        "self_contained",
        "before the pages",
        locked,
        ev.FieldSet(field="self_contained", value=None),
    ),
    Case("has_boxes", "relevance", "has a box", lambda: record_all(graded(), box("a")), grade("0")),
    Case(
        "has_boxes",
        "relevance",
        "2 boxes. Delete them",
        lambda: record_all(graded(), box("a"), box("b", x=90)),
        grade(None),
    ),
    Case("has_boxes", "relevance", "2 boxes", lambda: _graded_with_elements(), grade("0", B2)),
    Case(
        "not_a_table",
        "legible",
        "“Legible” is not a table",
        table,
        ev.RowSet(field="legible", row="r1", values={}),
    ),
    Case("unknown_row", "points", "not exist", table, ev.RowDeleted(field="points", row="r9")),
    Case(
        "unknown_row",
        "points",
        "not exist",
        lambda: record_all(table(), ev.RowDeleted(field="points", row="r1")),
        ev.RowDeleted(field="points", row="r1"),
    ),
    Case("fixed_rows", "fixed", "cannot be deleted", table, ev.RowDeleted(field="fixed", row="r1")),
    Case(
        "fixed_rows",
        "fixed",
        "cannot be added",
        table,
        ev.RowSet(field="fixed", row="r-1", values={"x": "1"}),
    ),
    Case(
        "too_many_rows",
        "points",
        "at most 3 rows",
        lambda: record_all(table(), ev.RowSet(field="points", row="r-1", values={})),
        ev.RowSet(field="points", row="r-2", values={}),
    ),
    Case(
        "too_many_answers",
        "answer",
        "at most 500 answers",
        memory_driver,
        ev.AnswerEdited(text="a\n" * 501),
    ),
]


def _no_adding() -> AttemptDriver:
    record = {"elements": [element(1).model_dump(mode="json")]}
    return given_driver(with_overrides(preset("verify"), {"boxes.add": False}), record)


def _graded_with_elements() -> AttemptDriver:
    record = {"elements": [element(n).model_dump(mode="json") for n in (1, 2)]}
    protocol = with_overrides(preset("relevance"), {"boxes.seed": True})
    return record_all(
        given_driver(protocol, record), ev.FieldSet(field="query_quality", value="good")
    )
