"""Tables as models and attackers write them."""

import random

import pytest

from pagetrail.annotation.tables.grid import GridTooLarge
from pagetrail.annotation.tables.parsing import (
    ParsedTable,
    parse_html_tables,
    parse_markdown_tables,
    parse_tables,
)


def only_table(html: str) -> ParsedTable:
    (table,) = parse_html_tables(html)
    return table


def texts(html: str) -> list[list[str]]:
    return only_table(html).grid.texts()


def assert_covers_itself(table: ParsedTable) -> None:
    grid = table.grid
    slots = [slot for cell in grid.cells for slot in cell.slots]
    assert sorted(slots) == [(r, c) for r in range(grid.n_rows) for c in range(grid.n_columns)]


def test_missing_end_tags_and_missing_cells():
    table = only_table("<TABLE><tr><th>A<th>B<tr><td>1")

    assert table.grid.texts() == [["A", "B"], ["1", ""]]
    assert table.repairs == ("cells_added",)


def test_cells_of_thead_are_headers():
    grid = only_table(
        "<table><thead><tr><td>A</td></tr></thead><tbody><tr><td>1</td></tr></tbody></table>"
    ).grid

    assert [cell.is_header for cell in grid.cells] == [True, False]


@pytest.mark.parametrize("span", ["1000000000", "999999999999999999999", "600"])
def test_absurd_spans_end_with_the_table(span):
    table = only_table(
        f"<table><tr><td colspan={span}>wide</td></tr>"
        f"<tr><td rowspan={span}>a</td><td>b</td></tr><tr><td>c</td></tr></table>"
    )

    assert table.grid.texts() == [["wide", "wide"], ["a", "b"], ["a", "c"]]
    assert table.repairs == ("spans_shortened",)


@pytest.mark.parametrize("span", ["0", "-3", "x", "", "1.5", "１"])
def test_spans_that_are_no_numbers_are_one(span):
    assert texts(f'<table><tr><td colspan="{span}">a</td><td>b</td></tr></table>') == [["a", "b"]]


def test_overlapping_spans_share_no_slot():
    table = only_table(
        "<table><tr><td>a</td><td rowspan=2>b</td><td>c</td></tr>"
        "<tr><td colspan=3>d</td></tr></table>"
    )

    assert_covers_itself(table)
    assert table.grid.texts() == [["a", "b", "c"], ["d", "b", ""]]
    assert "spans_shortened" in table.repairs


def test_row_span_of_zero_reaches_to_the_end_of_the_row_group():
    assert texts(
        "<table><tbody><tr><td rowspan=0>a</td><td>1</td></tr><tr><td>2</td></tr></tbody>"
        "<tbody><tr><td>b</td><td>3</td></tr></tbody></table>"
    ) == [["a", "1"], ["a", "2"], ["b", "3"]]


def test_a_table_in_a_cell_is_text_of_the_cell():
    table = only_table(
        "<table><tr><td>x<table><tr><td>1</td><td>2</td></tr><tr><td>3</td></tr></table>y</td>"
        "<td>z</td></tr></table>"
    )

    assert table.grid.texts() == [["x\n1 2\n3\ny", "z"]]
    assert table.repairs == ("nested_table",)


def test_a_table_that_begins_between_cells_ends_the_one_before():
    tables = parse_html_tables("<table><tr><td>1</td></tr><table><tr><td>2</td></tr></table>")

    assert [table.grid.texts() for table in tables] == [[["1"]], [["2"]]]


def test_text_outside_of_cells_is_kept():
    table = only_table("<table>a <b>&lt;</b> b <tr><td>a</td><td>b</td></tr></table>")

    assert table.grid.texts() == [["a < b", ""], ["a", "b"]]
    assert table.repairs == ("cells_added", "text_outside_cells")


def test_markup_is_text_or_gone():
    html = (
        "<table><tr><td onclick=alert(1)><b>a</b><script>alert(1)</script><br>1<sup>2</sup></td>"
        "<td>&lt;img src=x onerror=alert(1)&gt;&nbsp;H<sub>2</sub>O</td></tr></table>"
    )

    assert texts(html) == [["a\n1²", "<img src=x onerror=alert(1)> H₂O"]]


def test_too_large_tables_are_refused_with_a_way_out():
    with pytest.raises(GridTooLarge, match=r"2,001 rows.*split it"):
        parse_html_tables("<table>" + "<tr><td>1" * 2_001)
    with pytest.raises(GridTooLarge):
        parse_html_tables("<table><tr>" + "<td colspan=500>1" * 3)


def test_long_cells_are_cut_and_reported():
    table = only_table(f"<table><tr><td>{'x' * 20_001}</td></tr></table>")

    assert len(table.grid.cells[0].text) == 20_000
    assert table.repairs == ("text_shortened",)


def test_markdown_tables_with_and_without_outer_pipes():
    tables = parse_markdown_tables(
        "text\n\n| A | B |\n|:--|--:|\n| 1 | 2\\|3 |\nno table\n\na|b\n-|-\n"
    )

    assert [table.grid.texts() for table in tables] == [
        [["A", "B"], ["1", "2|3"]],
        [["a", "b"]],
    ]
    assert tables[0].grid.n_header_rows == 1


def test_markdown_cells_beyond_the_header_are_kept():
    (table,) = parse_markdown_tables("| A |\n|---|\n| 1 | 2 |\n|\n")

    assert table.grid.texts() == [["A", ""], ["1", "2"], ["", ""]]
    assert table.repairs == ("cells_added",)


def test_code_is_no_table():
    assert parse_markdown_tables("```\n| A |\n|---|\n```\n") == []


def test_tables_of_both_kinds_in_their_order():
    tables = parse_tables(
        "|a|\n|-|\n\n<table><tr><td>b</td></tr></table>\n\n|c|\n|-|\n\n<table><tr><td>d"
    )

    assert [table.grid.texts() for table in tables] == [[["a"]], [["b"]], [["c"]], [["d"]]]


def test_no_input_gives_anything_but_grids_or_a_typed_error():
    rng = random.Random(7)
    pieces = [
        "<table>", "</table>", "<tr>", "</tr>", "<td>", "<th rowspan=3>", "<td colspan=2>", "</td>",
        "<td rowspan=0>", "<thead>", "</thead>", "<tbody>", "<caption>", "</caption>", "x", " ",
        "<br>", "<script>", "</script>", "<!--", "-->", "<", "&#0;", "&#x110000;", "\x00", "<td",
        "|", "---", "\n", "\\", "<td colspan=99999>", "<p>", "]]>", "<![CDATA[",
    ]  # fmt: skip
    for _ in range(2_000):
        text = "".join(rng.choices(pieces, k=rng.randint(1, 40)))
        for table in parse_tables(text):
            assert_covers_itself(table)
