"""Changes of a table's cells and their inverses."""

import random

import pytest

from pagetrail.annotation.tables.cells import (
    CellFix,
    CellFlag,
    CellsReplaced,
    CellText,
    FlagSet,
    HeaderMark,
    Layout,
    LinesDeleted,
    LinesInserted,
    TableCell,
    TableChange,
    apply_change,
    change_weight,
    inverse,
    table_cells,
)
from pagetrail.annotation.tables.grid import Cell, Grid
from tests.support.random_tables import random_change, random_layout


def layout_of(grid: Grid) -> Layout:
    return Layout(grid.n_rows, grid.n_columns, table_cells(grid))


def texts(layout: Layout | None) -> list[list[str]]:
    assert layout is not None
    return layout.grid().texts()


SPANNED = layout_of(
    Grid.from_cells(
        [
            Cell(0, 0, "a", rowspan=2, is_header=True),
            Cell(0, 1, "b", colspan=2, is_header=True),
            Cell(1, 1, "c", is_header=True),
            Cell(1, 2, "d", is_header=True),
            Cell(2, 0, "e"),
            Cell(2, 1, "f"),
            Cell(2, 2, "g"),
        ]
    )
)


def changed(change: TableChange, layout: Layout = SPANNED) -> Layout:
    after = apply_change(layout, change)
    assert after is not None
    return after


def test_a_row_inserted_through_a_merged_cell_stretches_it():
    after = changed(LinesInserted(axis="row", at=1))

    assert texts(after) == [["a", "b", "b"], ["a", "", ""], ["a", "c", "d"], ["e", "f", "g"]]
    assert [cell.header for cell in after.cells if cell.row == 1] == [True, True]


def test_a_row_behind_the_headers_has_no_headers():
    after = changed(LinesInserted(axis="row", at=2))

    assert [cell.header for cell in after.cells if cell.row == 2] == [False] * 3


def test_a_column_at_the_end_continues_the_header_row():
    after = changed(LinesInserted(axis="column", at=3, count=2))

    assert [cell.header for cell in after.cells if cell.column == 4] == [True, True, False]


def test_deleting_the_row_of_a_merged_cell_keeps_the_cell():
    assert texts(changed(LinesDeleted(axis="row", at=0))) == [["a", "c", "d"], ["e", "f", "g"]]


def test_a_table_keeps_a_row_and_a_column():
    assert apply_change(SPANNED, LinesDeleted(axis="row", at=0, count=3)) is None
    assert apply_change(SPANNED, LinesDeleted(axis="column", at=2, count=2)) is None


def test_merging_replaces_whole_cells_only():
    merged = CellsReplaced(
        row=1,
        column=1,
        rowspan=1,
        colspan=2,
        cells=(TableCell(row=1, column=1, text="c d", colspan=2),),
    )
    through_a = merged.model_copy(
        update={"column": 0, "cells": (TableCell(row=1, column=0, colspan=2),), "colspan": 2}
    )

    assert texts(changed(merged)) == [["a", "b", "b"], ["a", "c d", "c d"], ["e", "f", "g"]]
    assert apply_change(SPANNED, through_a) is None


def test_a_text_is_refused_where_the_cell_holds_another():
    assert apply_change(SPANNED, CellText(row=2, column=0, text="x", was="f")) is None
    assert apply_change(SPANNED, CellText(row=1, column=0, text="x", was="a")) is None


def test_the_text_of_the_model_is_kept_until_it_is_back():
    cell = TableCell(row=0, column=0, text="1")

    assert cell.with_text("2").model_text == "1"
    assert cell.with_text("2").with_text("3").model_text == "1"
    assert cell.with_text("2").with_text("1").model_text is None
    assert TableCell(row=0, column=0, added=True).with_text("2").model_text is None


def test_a_fix_is_open_until_confirmed_corrected_or_flagged():
    cell = TableCell(row=0, column=0, text="2", fix=CellFix(changed="text", was="1"))

    assert cell.needs_confirmation
    assert not cell.model_copy(update={"confirmed": True}).needs_confirmation
    assert not cell.with_text("3").needs_confirmation
    assert not cell.model_copy(update={"flag": CellFlag(kind="text")}).needs_confirmation


def test_the_inverse_of_a_flag_is_the_flag_before():
    flag = CellFlag(kind="text", note="is 4")
    flagged = changed(FlagSet(row=2, column=0, flag=flag))

    assert inverse(flagged, FlagSet(row=2, column=0)) == FlagSet(row=2, column=0, flag=flag)
    assert inverse(SPANNED, FlagSet(), flag) == FlagSet(flag=flag)


def test_headers_that_were_headers_stay_headers_when_marking_is_undone():
    mark = HeaderMark(cells=((0, 0), (2, 0)), header=True)

    assert inverse(SPANNED, mark) == HeaderMark(cells=((2, 0),), header=False)


@pytest.mark.parametrize("seed", range(20))
def test_every_change_is_undone_and_redone(seed):
    """Also where merged cells are cut by the rows and columns that are deleted."""
    rng = random.Random(seed)
    layout = random_layout(rng)
    for _ in range(60):
        change = random_change(rng, layout)
        after = apply_change(layout, change)
        undoing = inverse(layout, change)
        assert (after is None) == (undoing is None)
        if after is None or undoing is None:
            continue
        assert apply_change(after, undoing) == layout
        redoing = inverse(after, undoing)
        assert redoing is not None
        assert apply_change(layout, redoing) == after
        assert change_weight(undoing) >= 0
        slots = [slot for cell in after.grid().cells for slot in cell.slots]
        assert len(slots) == len(set(slots)) == after.n_rows * after.n_columns
        layout = after


def test_cells_are_stored_without_defaults():
    assert TableCell(row=0, column=1, text="x").model_dump(mode="json") == {
        "row": 0,
        "column": 1,
        "text": "x",
    }
