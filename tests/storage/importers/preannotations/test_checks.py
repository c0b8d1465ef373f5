"""Elements against their pages: each kind of badness named with its line, the rest kept."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pagetrail.annotation.geometry.element import MAX_CONTENT, Element
from pagetrail.storage.importers.preannotations.labels import Labels
from pagetrail.storage.importers.preannotations.task_records import elements_to_tasks
from tests.storage.importers.preannotations.element_data import checked, plain, write

NAN = float("nan")
OUTSIDE = "is outside its page, which has 612 × 792 points"

BAD: list[tuple[dict[str, Any], str]] = [
    ({"rect": [10, 20, 614, 30]}, f"rect: {OUTSIDE}: 2 points right of it"),
    ({"rect": [-50, 20, 14, 30]}, f"rect: {OUTSIDE}: 50 points left of it"),
    ({"rect": [10, -5, 14, 30]}, f"rect: {OUTSIDE}: 5 points above it"),
    ({"rect": [10, 20, 14, 800]}, f"rect: {OUTSIDE}: 8 points below it"),
    ({"rect": [700, 20, 800, 30]}, "188 points right of it"),
    ({"rect": [10, 20, 1e308, 30]}, "1e+308 points right of it"),
    ({"rect": None, "bbox": [1e308, 1, 1e308, 1]}, "inf points right of it"),
    ({"rect": [110, 20, 10, 220]}, "the second corner (10, 220) must be right of and below"),
    ({"rect": [10, 220, 110, 20]}, "the second corner (110, 20) must be right of and below"),
    ({"rect": [10, 20, 10, 220]}, "must be right of and below the first (10, 20)"),
    ({"rect": None, "bbox": [10, 20, 0, 5]}, "width and height must be above 0, not 0 × 5"),
    ({"rect": None, "bbox": [10, 20, 5, -5]}, "width and height must be above 0, not 5 × -5"),
    ({"rect": [10, 20, 10.001, 220]}, "is thinner than 0.01 points"),
    ({"rect": [10, 20, NAN, 220]}, "rect[2]: must be a finite number, not NaN"),
    ({"rect": [float("-inf"), 20, 30, 220]}, "rect[0]: must be a finite number, not -Infinity"),
    ({"rect": [10**400, 20, 30, 220]}, "rect[0]: must be a finite number, not Infinity"),
    ({"rect": ["HUGE", 20, 30, 220]}, "rect[0]: must be a finite number, not Infinity"),
    ({"page": "HUGE"}, "page: must be a whole number, not Infinity"),
    ({"order": "HUGE"}, "order: must be a whole number, not Infinity"),
    ({"rect": ["10", 20, 30, 220]}, "rect[0]: must be a finite number, not '10'"),
    ({"rect": [True, 20, 30, 220]}, "rect[0]: must be a finite number, not True"),
    ({"rect": [None, 20, 30, 220]}, "rect[0]: must be a finite number, not None"),
    ({"rect": [10, 20, 30]}, "rect: must be a list of four numbers, not a list of 3 items"),
    ({"rect": {"x": 1}}, "rect: must be a list of four numbers, not an object"),
    ({"rect": "10 20 30 40"}, "rect: must be a list of four numbers"),
    ({"rect": None}, "has neither a rect [x0, y0, x1, y1] nor a bbox"),
    ({"bbox": [1, 2, 3, 4]}, "has both a rect and a bbox"),
    ({"rect": None, "bbox": [100, 200, 50, 50], "unit": "fraction"},
     "Fractions of the page are from 0 to 1; these look like points or pixels"),
    ({"unit": "inches"}, "unit: must be 'points', 'fraction' or 'pixels', not 'inches'"),
    ({"unit": "pixels"}, "dpi: is missing"),
    ({"unit": "pixels", "dpi": 0}, "dpi: must be a number from 1 to 10,000, not 0"),
    ({"label": "Tabel"}, "label: 'Tabel' is not a class of this campaign; did you mean Table?"),
    ({"label": "Stamp"}, "Classes: Text, Table, Picture, Page-Header, Page-Footer. You can map"),
    ({"label": 3}, "label: must be text, not 3"),
    ({"label": "Text\x1b[0m"}, "label: holds a control character"),
    ({"page": 10}, "page 10 of report.pdf does not exist: the document has 9 pages"),
    ({"page": 0}, "page 0 does not exist: pages are counted from 1"),
    ({"page": -1}, "page -1 does not exist"),
    ({"page": 1.5}, "page: must be a whole number, not 1.5"),
    ({"page": NAN}, "page: must be a whole number, not NaN"),
    ({"page": 10**30}, "page: is too large"),
    ({"page": [1]}, "page: must be a whole number, not a list of 1 item"),
    ({"page": None}, "page: is missing"),
    ({"document": "reprot.pdf"}, "there is no document reprot.pdf in this workspace; did you mean "
     "report.pdf?"),
    ({"document": "Report.PDF"}, "did you mean report.pdf?"),
    ({"document": "../etc/passwd"}, "there is no document ../etc/passwd in this workspace"),
    ({"document": "a\nb"}, r"there is no document a\nb"),
    ({"document": "x" * 5000}, "document: "),
    ({"document": 7}, "document: must be text, not 7"),
    ({"document": None}, "document: is missing"),
    ({"document": "\ud800"}, "document: holds half of a surrogate pair"),
    ({"id": "a"}, "id: 'a' is used in line 1 already"),
    ({"id": "x" * 101}, "id: "),
    ({"id": {}}, "id: must be text or a whole number, not an object"),
    ({"id": " "}, "id: is blank"),
    ({"id": "a\nb"}, "id: holds a control character or a line break"),
    ({"id": "\udc00"}, "id: holds half of a surrogate pair"),
    ({"content": "x" * (MAX_CONTENT + 1)}, "content: has 20,001 characters; 20,000 are allowed"),
    ({"content": ["x"]}, "content: must be text, not a list of 1 item"),
    ({"content": "\ud800"}, "content: holds half of a surrogate pair"),
    ({"order": "first"}, "order: must be a whole number, not 'first'"),
    ({"order": -1}, "order: "),
    ({"order": 10**40}, "order: "),
    ({"order": True}, "order: must be a whole number, not True"),
    ({"attributes": []}, "attributes: must be an object, not an empty list"),
    ({"attributes": {"a": []}}, "attributes.a: must be text, not an empty list"),
    ({"attributes": {"a": NAN}}, "attributes.a: must be text, not NaN"),
    ({"attributes": {"a": "x" * 1001}}, "attributes.a: "),
    ({"attributes": {"\ud800": 1}}, "attributes: holds half of a surrogate pair"),
    ({"attributes": {str(n): 1 for n in range(51)}}, "attributes: "),
    ({"score": NAN}, "score: must be a finite number, not NaN"),
    ({"score": "0.5"}, "score: must be a finite number, not '0.5'"),
]  # fmt: skip


@pytest.mark.parametrize(("fields", "reason"), BAD)
def test_a_bad_element_is_named_and_the_others_are_kept(
    tmp_path: Path, fields: dict[str, Any], reason: str
) -> None:
    """File, line and reason; the elements before and after it come through."""
    rows = [plain(id="a"), plain(**fields), plain(id="c")]
    # Python itself does not write an integer of thousands of digits.
    text = "".join(json.dumps(row) + "\n" for row in rows).replace('"HUGE"', "9" * 5_000)
    good, bad, _ = checked(write(tmp_path / "e.jsonl", text))
    assert [element["id"] for element in good] == ["a", "c"]
    assert [(entry.file, entry.line) for entry in bad] == [(str(tmp_path / "e.jsonl"), 2)]
    assert reason in bad[0].reason
    json.dumps(bad[0].reason).encode()
    assert bad[0].reason.isprintable()


def test_deep_nesting_anywhere_is_one_bad_element(tmp_path: Path) -> None:
    """Fields that are lists of lists of lists end neither the import nor the program."""
    deep: Any = []
    for _ in range(400):
        deep = [deep]
    names = ("id", "document", "page", "rect", "label", "content", "order", "attributes", "score")
    rows = [plain(**{name: deep}) for name in names] + [plain(unknown=deep)]
    good, bad, _ = checked(write(tmp_path / "e.jsonl", rows))
    assert (len(good), [entry.line for entry in bad]) == (1, list(range(1, 10)))


@pytest.mark.parametrize(
    ("rect", "clipped"),
    [
        ([-0.9, -0.9, 612.9, 792.9], [0.0, 0.0, 612.0, 792.0]),
        ([611.5, 0, 613, 10], [611.5, 0.0, 612.0, 10.0]),
        ([10, 20, 110, 220], None),
    ],
)
def test_boxes_up_to_a_point_outside_are_clipped(
    tmp_path: Path, rect: list[float], clipped: list[float] | None
) -> None:
    """Models round outwards; what is changed is counted."""
    good, bad, checker = checked(write(tmp_path / "e.jsonl", [plain(rect=rect)]))
    assert bad == []
    assert good[0]["rect"] == (clipped or rect)
    assert dict(checker.remarks) == ({"clipped to their page": 1} if clipped else {})


def test_control_characters_leave_the_content_and_nothing_else_does(tmp_path: Path) -> None:
    """Tabs, line ends, markup and emoji stay; NUL and escapes go, and are counted."""
    text = "a\tb\nc <script>alert(1)</script> 🦦 ½"
    rows = [plain(content=text), plain(content="x\x00\x1b[31my")]
    good, _, checker = checked(write(tmp_path / "e.jsonl", rows))
    assert [element["content"] for element in good] == [text, "x[31my"]
    assert dict(checker.remarks) == {"without control characters that their content had": 1}


@pytest.mark.parametrize(
    ("class_name", "label", "coarser"),
    [
        ("Table", "Table", False),
        ("page_header", "Page-Header", False),
        ("PAGE FOOTER", "Page-Footer", False),
        ("Title", "Text", True),
        ("Section-header", "Text", True),
        ("Key-Value Region", "Text", True),
        ("figure", "Picture", True),
        ("Logo", "Picture", False),
        ("Barcode", None, False),
        ("", None, False),
        ("--", None, False),
    ],
)
def test_classes_become_labels(class_name: str, label: str | None, coarser: bool) -> None:
    """Case and signs do not count; a mapping does first; the coarser class comes last."""
    names = ["Text", "Table", "Picture", "Page-Header", "Page-Footer"]
    assert Labels(names, {"logo": "Picture"}).read_label(class_name) == (label, coarser)
    assert Labels([*names, "Section"], {}).read_label("Title") == ("Section", True)
    assert Labels(None, {}).read_label("Anything") == ("Anything", False)


def test_ids_are_unique_in_their_task(tmp_path: Path) -> None:
    """The same id on two pages is one id twice only where the document is the task; made-up ids
    never take the place of one that comes later.
    """
    rows = [plain(page=1), plain(page=1, id="e1"), plain(page=2, id="e1"), plain(page=2)]
    file = write(tmp_path / "e.jsonl", rows)
    pages, bad, _ = checked(file)
    assert [(e["page"], e["id"]) for e in pages] == [(1, "e2"), (1, "e1"), (2, "e1"), (2, "e2")]
    assert bad == []
    document, bad, _ = checked(file, grouping="document")
    assert [e["id"] for e in document] == ["e2", "e1", "e3"]
    assert [(entry.line, entry.reason) for entry in bad] == [
        (3, "id: 'e1' is used in line 2 already")
    ]
    second_file = write(tmp_path / "f.jsonl", [plain(id="e1")])
    _, bad, _ = checked(file, second_file)
    assert [entry.reason for entry in bad] == [f"id: 'e1' is used in {file} line 2 already"]


def test_one_document_for_all_elements(tmp_path: Path) -> None:
    """What is said on the command line wins over the file; the page still comes from the file."""
    rows = [plain(document="report.pdf", page=1), {"image": "x_p1.png", "rect": [1, 2, 3, 4]}]
    good, bad, _ = checked(write(tmp_path / "e.jsonl", rows), document="plan.pdf")
    assert ([(e["document"], e["page"]) for e in good], bad) == ([("plan.pdf", 1)] * 2, [])


def test_tasks_have_their_elements_in_reading_order() -> None:
    """One per page or per document; by the model's order, then from top to bottom."""

    def element(name: str, page: int, top: float, order: int | None = None) -> Element:
        return Element(
            id=name, document="report.pdf", page=page, rect=(9, top, 99, top + 9), order=order
        )

    elements = [element("d", 2, 5), element("c", 1, 90), element("b", 1, 1), element("a", 1, 99, 0)]
    pages = elements_to_tasks(elements)
    assert [(t["id"], [e["id"] for e in t["elements"]]) for t in pages] == [
        ("report.pdf#p1", ["a", "b", "c"]), ("report.pdf#p2", ["d"]),
    ]  # fmt: skip
    assert pages[0]["question"] == "Check the elements of page 1 of report.pdf."
    assert pages[0]["candidates"] == [{"document": "report.pdf", "page": 1}]
    (document_task,) = elements_to_tasks(elements, grouping="document")
    assert (document_task["id"], document_task["question"]) == (
        "report.pdf",
        "Check the elements of report.pdf.",
    )
    assert [ref["page"] for ref in document_task["candidates"]] == [1, 2]
    assert [e["id"] for e in document_task["elements"]] == ["a", "b", "c", "d"]


def test_task_ids_of_long_names_differ() -> None:
    """Two names that begin alike, and are too long for an id, do not become one task."""
    elements = [
        Element(id="e", document="x" * 300 + end, page=1, rect=(1, 1, 2, 2)) for end in "ab"
    ]
    ids = [task["id"] for task in elements_to_tasks(elements)]
    assert len(set(ids)) == 2
    assert max(map(len, ids)) <= 200
