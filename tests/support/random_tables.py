"""Random tables and changes of them, most of which apply."""

from __future__ import annotations

import random

from pagetrail.annotation.tables.cells import (
    Axis,
    CellFix,
    CellFlag,
    CellsReplaced,
    CellText,
    FixesConfirmed,
    FlagSet,
    HeaderMark,
    Layout,
    LinesDeleted,
    LinesInserted,
    TableCell,
    TableChange,
    apply_change,
)

TEXTS = ["", "1", "2.5 %", "Übersee 😀", "a\nb", "<b>x</b>"]


def random_layout(rng: random.Random) -> Layout:
    """A table of up to 6 × 6 with a few merged cells, headers and fixes."""
    n_rows, n_columns = rng.randint(1, 6), rng.randint(1, 6)
    cells = tuple(
        TableCell(
            row=row,
            column=column,
            text=rng.choice(TEXTS),
            header=row == 0,
            fix=rng.choice([None, None, CellFix(changed="text", was="0")]),
        )
        for row in range(n_rows)
        for column in range(n_columns)
    )
    layout = Layout(n_rows, n_columns, cells)
    for _ in range(3):
        layout = apply_change(layout, _merge(rng, layout)) or layout
    return layout


def random_change(rng: random.Random, layout: Layout) -> TableChange:
    """Any kind of change; some do not apply."""
    cell = rng.choice(layout.cells)
    axis: Axis = rng.choice(["row", "column"])
    at = rng.randint(0, layout.n_rows if axis == "row" else layout.n_columns)
    match rng.randint(0, 7):
        case 0 | 1:
            was = cell.text if rng.random() < 0.9 else "other"
            return CellText(row=cell.row, column=cell.column, text=rng.choice(TEXTS), was=was)
        case 2:
            cells = rng.sample(layout.cells, k=rng.randint(1, min(3, len(layout.cells))))
            anchors = tuple(cell.anchor for cell in cells)
            return HeaderMark(cells=anchors, header=rng.random() < 0.5)
        case 3:
            return _merge(rng, layout) if rng.random() < 0.7 else _split(cell)
        case 4:
            return LinesInserted(axis=axis, at=at, count=rng.randint(1, 2))
        case 5:
            return LinesDeleted(axis=axis, at=at, count=rng.randint(1, 2))
        case 6:
            flag = rng.choice([None, CellFlag(kind="text"), CellFlag(kind="other", note="why")])
            return FlagSet(row=cell.row, column=cell.column, flag=flag)
        case _:
            return FixesConfirmed(cells=(cell.anchor,), confirmed=not cell.confirmed)


def _merge(rng: random.Random, layout: Layout) -> CellsReplaced:
    row, column = rng.randrange(layout.n_rows), rng.randrange(layout.n_columns)
    rowspan = rng.randint(1, min(3, layout.n_rows - row))
    colspan = rng.randint(1, min(3, layout.n_columns - column))
    cell = TableCell(row=row, column=column, rowspan=rowspan, colspan=colspan, added=True)
    return CellsReplaced(row=row, column=column, rowspan=rowspan, colspan=colspan, cells=(cell,))


def _split(cell: TableCell) -> CellsReplaced:
    cells = tuple(
        TableCell(row=row, column=column, added=True)
        for row in range(cell.row, cell.row + cell.rowspan)
        for column in range(cell.column, cell.column + cell.colspan)
    )
    return CellsReplaced(
        row=cell.row, column=cell.column, rowspan=cell.rowspan, colspan=cell.colspan, cells=cells
    )
