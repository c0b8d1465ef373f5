"""Grids: records by column header, and what they are written as."""

import pytest

from pagetrail.annotation.tables.grid import Cell, Grid, GridTooLarge
from pagetrail.annotation.tables.parsing import parse_html_tables, parse_markdown_tables

REVENUE = """
<table><caption>Revenue</caption>
<tr><th rowspan="2">Region</th><th colspan="2">2023</th></tr>
<tr><th>Q1</th><th>Q2</th></tr>
<tr><td>Europe</td><td>1.0</td><td>2.0</td></tr>
<tr><td>Asia</td><td colspan="2">n/a</td></tr>
</table>
"""


def revenue() -> Grid:
    return parse_html_tables(REVENUE)[0].grid


def test_records_are_keyed_by_all_headers_of_their_column():
    assert revenue().records() == [
        {"Region": "Europe", "2023 Q1": "1.0", "2023 Q2": "2.0"},
        {"Region": "Asia", "2023 Q1": "n/a", "2023 Q2": "n/a"},
    ]


def test_a_title_row_names_no_column():
    titled = Grid.from_cells(
        [
            Cell(0, 0, "Rates", colspan=2, is_header=True),
            Cell(1, 0, "Year", is_header=True),
            Cell(1, 1, "Rate", is_header=True),
            Cell(2, 0, "2023"),
            Cell(2, 1, "5 %"),
        ]
    )

    assert titled.records() == [{"Year": "2023", "Rate": "5 %"}]


def test_columns_without_or_with_equal_headers_have_distinct_keys():
    grid = Grid.from_texts([["A", "A", "", "A_0"], ["1", "2", "3", "4"]], n_header_rows=1)

    assert grid.column_keys() == ["A_1", "A_2", "col_2", "A_0"]
    assert Grid.from_texts([["1", "2"]]).records() == [{"col_0": "1", "col_1": "2"}]


def test_row_headers_are_values():
    grid = Grid.from_cells([Cell(0, 0, "Europe", is_header=True), Cell(0, 1, "4")])

    assert grid.n_header_rows == 0
    assert grid.records() == [{"col_0": "Europe", "col_1": "4"}]


def test_html_is_read_back_as_the_same_grid():
    grid = revenue()

    assert parse_html_tables(grid.to_html())[0].grid == grid


def test_html_escapes_texts():
    grid = Grid.from_texts([["<img src=x onerror=alert(1)>", "a & b\nc"]])

    assert "<img" not in grid.to_html()
    assert parse_html_tables(grid.to_html())[0].grid == grid


def test_markdown_has_one_header_row_and_is_read_back():
    markdown = revenue().to_markdown()

    assert markdown.splitlines() == [
        "| Region | 2023 Q1 | 2023 Q2 |",
        "| --- | --- | --- |",
        "| Europe | 1.0 | 2.0 |",
        "| Asia | n/a | n/a |",
    ]
    hostile = [["a", "b"], ["x|y \\ z", "1\n2 <br> &lt; &amp;"]]
    parsed = parse_markdown_tables(Grid.from_texts(hostile, n_header_rows=1).to_markdown())
    assert parsed[0].grid.texts() == hostile


def test_csv_repeats_spanned_texts():
    assert revenue().to_csv() == "Region,2023,2023\nRegion,Q1,Q2\nEurope,1.0,2.0\nAsia,n/a,n/a\n"


def test_cells_that_overlap_or_are_too_many_are_refused():
    with pytest.raises(ValueError, match="same slot"):
        Grid.from_cells([Cell(0, 0, colspan=2), Cell(0, 1)])
    with pytest.raises(GridTooLarge, match="split it"):
        Grid.from_cells([Cell(0, 0, rowspan=10**9)])
