"""Tables of task files, and what a fixed table changes."""

import pytest

from pagetrail.annotation.tables.cells import CellFix, CellFlag, Layout, table_cells
from pagetrail.annotation.tables.comparison import align_lines, cell_agreement, compare_tables
from pagetrail.annotation.tables.grid import Cell, Grid
from pagetrail.annotation.tables.sources import read_table_sources

PAGES = [("a.pdf", 3), ("b.pdf", 1)]
TABLE = "<table><tr><td>1</td></tr></table>"


def layout_of(rows: list[list[str]]) -> Layout:
    grid = Grid.from_texts(rows, n_header_rows=1)
    return Layout(grid.n_rows, grid.n_columns, table_cells(grid))


def fixes(before: Layout, rows: list[list[str]]) -> dict[tuple[int, int], CellFix]:
    compared = compare_tables(before, Grid.from_texts(rows, n_header_rows=1))
    return {cell.anchor: cell.fix for cell in compared.cells if cell.fix}


def test_entries_are_texts_or_objects_and_may_hold_several_tables():
    sources = read_table_sources(
        [TABLE, {"id": 7, "markdown": f"|a|\n|-|\n\n{TABLE}", "document": "b.pdf"}], PAGES
    )

    assert [(source.id, source.page) for source in sources] == [
        ("t1", ("a.pdf", 3)),
        ("7", ("b.pdf", 1)),
        ("7-2", ("b.pdf", 1)),
    ]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        ([{"html": "no table"}], r"tables\[0\]: holds no table"),
        ([TABLE, {"html": TABLE, "page": 9}], r"tables\[1\]: page 9 of a.pdf is none"),
        ([{"html": TABLE, "markdown": "|a|\n|-|"}], "one of them"),
        ([{"html": 5}], "as text"),
        (["<table></table>"], "without cells"),
        ([{"id": "x", "html": TABLE}] * 2, "two tables have the id 'x'"),
        ([TABLE] * 51, "at most 50"),
        ([f"<table><tr>{'<td colspan=500>1' * 2}</table>"], r"tables\[0\]: .* split it"),
        (5, "must be a list"),
    ],
)
def test_what_cannot_be_read_is_named_with_its_place(data, reason):
    with pytest.raises(ValueError, match=reason):
        read_table_sources(data, PAGES)


def test_a_new_row_changes_no_cell_below_it():
    before = layout_of([["A", "B"], ["1", "2"], ["5", "6"]])

    assert fixes(before, [["A", "B"], ["1", "2"], ["3", "4"], ["5", "6"]]) == {
        (2, 0): CellFix(changed="new"),
        (2, 1): CellFix(changed="new"),
    }


def test_a_new_column_changes_no_cell_beside_it():
    before = layout_of([["A", "B"], ["1", "2"], ["5", "6"]])

    assert set(fixes(before, [["A", "C", "B"], ["1", "x", "2"], ["5", "y", "6"]])) == {
        (0, 1),
        (1, 1),
        (2, 1),
    }


def test_a_changed_text_says_what_it_was():
    before = layout_of([["A"], ["1"]])

    assert fixes(before, [["A"], ["2"]]) == {(1, 0): CellFix(changed="text", was="1")}


def test_a_flag_that_was_not_followed_asks_for_confirmation():
    before = layout_of([["A"], ["1"], ["2"]])
    flag = CellFlag(kind="text", note="is 3")
    cells = tuple(
        cell.model_copy(update={"flag": flag}) if cell.text == "1" else cell
        for cell in before.cells
    )

    assert fixes(before._replace(cells=cells), [["A"], ["1"], ["2"]]) == {
        (1, 0): CellFix(changed="nothing", was="1", answered_flag=flag)
    }


def test_merged_cells_and_headers_that_change():
    before = layout_of([["A", "B"], ["1", "2"]])
    after = Grid.from_cells([Cell(0, 0, "A", colspan=2), Cell(1, 0, "1"), Cell(1, 1, "2")])
    (cell,) = [cell for cell in compare_tables(before, after).cells if cell.fix]

    assert cell.fix == CellFix(changed="header", was="A")


def test_removed_rows_are_listed():
    before = layout_of([["A", "B"], ["1", "2"], ["5", "6"]])
    compared = compare_tables(before, Grid.from_texts([["A", "B"], ["5", "6"]], n_header_rows=1))

    assert compared.removed == ("1 | 2",)


def test_lines_without_anything_in_common_are_paired_in_their_order():
    assert align_lines([["a"], ["b"]], [["x"], ["y"]]) == [0, 1]
    assert align_lines([["a"]], [["x"], ["y"]]) == [0, None]
    assert align_lines([], [["x"]]) == [None]


def test_agreement_counts_equal_cells_of_both():
    left = Grid.from_texts([["A", "B"], ["1", "2"]], n_header_rows=1)

    assert cell_agreement(left, left) == 1
    assert cell_agreement(left, Grid.from_texts([["A", "B"], ["1 ", "3"]], 1)) == 2 * 3 / 8
    assert cell_agreement(left, Grid.from_texts([["A", "B"], ["1", "2"]])) == 2 * 2 / 8
