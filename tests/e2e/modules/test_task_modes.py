"""The pure parts of verifying, tables and writing, in a real browser."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page

from pagetrail.annotation.errors import Refusal
from pagetrail.annotation.protocols.fields import Column, FieldSpec, check_cells

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]


def call(modules: Page, module: str, name: str, *arguments: Any) -> Any:
    """What a module's function returns for JSON values."""
    return modules.evaluate(
        """async ([module, name, list]) => {
            const found = await import(`/${module}.js`);
            const value = found[name](...list);
            return value instanceof Map ? [...value] : value;
        }""",
        [module, name, list(arguments)],
    )


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        ("What does page 4 say?", [(10, 16)]),
        ("🦦🦦 in this document", [(6, 19)]),
        ("one two", []),
        ("whole", [(0, 5)]),
        ("ab", [(0, 1), (1, 2)]),
        ("e\u0301 on page 2", [(6, 12)]),
    ],
)
def test_spans_are_cut_as_python_counts(
    modules: Page, text: str, spans: list[tuple[int, int]]
) -> None:
    """Offsets from the server mark the same characters, beyond the first plane as well."""
    parts = call(
        modules, "workspace/panels/check_results", "cut", text, [list(span) for span in spans]
    )
    assert "".join(part["text"] for part in parts) == text
    marked = [part["text"] for part in parts if part["marked"]]
    assert marked == [text[start:end] for start, end in spans]


@pytest.mark.parametrize(
    "cell",
    [
        "",
        " ",
        "4",
        "4.5",
        "-1,234.5",
        "1e3",
        ".5",
        "5.",
        "+2",
        "abc",
        "1.2.3",
        "4 5",
        "nan",
        "inf",
        "1e999",
        "0x10",
        "--1",
        "½",
    ],
)
def test_number_cells_are_judged_as_on_the_server(modules: Page, cell: str) -> None:
    """What the browser lets through is stored, and what it stops would be refused."""
    spec = FieldSpec(
        name="points",
        label="Points",
        kind="records",
        columns=(Column(name="value", label="Value", kind="number"),),
    )
    try:
        check_cells(spec, {"value": cell}, new=True)
        refused = False
    except Refusal:
        refused = True
    wrong = call(modules, "workspace/fields/record_cells", "wrongCell", {"kind": "number"}, cell)
    assert bool(wrong) == refused, wrong


def test_each_option_has_a_key_of_its_own(modules: Page) -> None:
    """First letters where they are free, other letters and digits else."""
    keys = dict(
        call(
            modules,
            "workspace/fields/record_cells",
            "optionKeys",
            ["approve", "reject", "rewrite", "a", "100"],
        )
    )
    assert keys == {"approve": "a", "reject": "r", "rewrite": "e", "a": "4", "100": "5"}


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["10", "20", "30", "40"], {"rect": [10, 20, 40, 60]}),
        (["10,5", "20", "30", "40"], {"rect": [10.5, 20, 40.5, 60]}),
        (["0", "0", "100.04", "50"], {"rect": [0, 0, 100, 50]}),
        (["x", "0", "10", "10"], {"error": "“x” is not a number."}),
        (["", "0", "10", "10"], {"error": "One of the four numbers is missing."}),
        (["0", "0", "2", "10"], {"error": "A box must be at least 3 points wide and high."}),
        (
            ["95", "0", "10", "10"],
            {"error": "The box must lie on the page, which is 100 × 60 points."},
        ),
        (
            ["1e308", "0", "10", "10"],
            {"error": "The box must lie on the page, which is 100 × 60 points."},
        ),
    ],
)
def test_typed_positions(modules: Page, texts: list[str], expected: dict[str, Any]) -> None:
    """Four numbers make a rectangle on the page, or a sentence says why they do not."""
    assert (
        call(modules, "workspace/boxes/value_inputs", "typedRect", texts, [100, 60], 3) == expected
    )


@pytest.mark.parametrize(
    ("row", "state"),
    [
        ({"model": {"value": "1"}, "values": {"value": "1"}, "deleted": False}, "given"),
        (
            {
                "model": {"value": "1"},
                "values": {"value": "1", "verdict": "right"},
                "deleted": False,
            },
            "given",
        ),
        ({"model": {"value": "1"}, "values": {"value": "2"}, "deleted": False}, "changed"),
        (
            {"model": {"value": "1"}, "values": {"value": "1", "note": "n"}, "deleted": False},
            "changed",
        ),
        ({"model": {"value": "1"}, "values": {"value": "2"}, "deleted": True}, "deleted"),
        ({"model": None, "values": {}, "deleted": False}, "added"),
    ],
)
def test_what_became_of_a_row(modules: Page, row: dict[str, Any], state: str) -> None:
    """A decision about a row is no change of it."""
    assert (
        call(modules, "workspace/fields/record_row", "rowState", row, {"name": "verdict"}) == state
    )


@pytest.mark.parametrize(
    ("counts", "sentence"),
    [
        ((9, 2, 0.2), "2 of 9 questions on several pages (22 %; target 20 %)"),
        ((1, 0, None), "0 of 1 question on several pages (0 %)"),
        ((0, 0, 0.2), "No question handed in yet; target 20 % on several pages"),
        ((0, 0, None), ""),
    ],
)
def test_the_live_count_of_questions_on_several_pages(
    modules: Page, counts: tuple[int, int, float | None], sentence: str
) -> None:
    """Count, share and target in one sentence."""
    written, several, target = counts
    authored = {"written": written, "multi_hop": several, "target": target}
    assert call(modules, "workspace/panels/check_results", "hopSentence", authored) == sentence


def test_pages_of_the_answer_against_the_gold(modules: Page) -> None:
    """Each page is right, missing or too many."""
    a, b, c = ({"document": "a.pdf", "page": n} for n in (1, 2, 3))
    assert call(modules, "workspace/panels/pilot_feedback", "comparePages", [a, b], [b, c]) == {
        "shared": [b],
        "missing": [c],
        "superfluous": [a],
    }


def test_the_order_in_which_elements_are_gone_through(modules: Page) -> None:
    """By the reading order where there is one, else from top to bottom; other pages left out."""

    def box(name: str, top: float, order: int | None, page: int = 1) -> dict[str, Any]:
        rect = [10, top, 50, top + 5]
        return {"id": name, "document": "a.pdf", "page": page, "rect": rect, "order": order}

    boxes = [box("low", 90, 1), box("high", 5, 2), box("none", 50, None), box("else", 1, 1, 2)]
    place = {"document": "a.pdf", "page": 1}
    for part, expected in (
        ({"order": True}, ["low", "high", "none"]),
        ({"order": False}, ["high", "none", "low"]),
    ):
        found = call(
            modules, "workspace/boxes/element_list", "listed", {"boxes": boxes}, part, place
        )
        assert [entry["id"] for entry in found] == expected
