"""The cells of a table that people correct, and the changes that they make to it.

Every change can be undone: ``inverse`` is the change that puts back what a layout holds. The
browser applies the same changes (``app/components/frontend/workspace/tables/table_changes.ts``).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field

from pagetrail.annotation.messages import N_
from pagetrail.annotation.tables.grid import MAX_COLUMNS, MAX_ROWS, MAX_SLOTS, Cell, Grid

MAX_TEXT = 20_000
MAX_NOTE = 2_000
MAX_LINES = 100
"""Rows or columns that one change inserts or deletes."""
CELL_WEIGHT = 20
"""Characters that a cell without text counts as where the size of a history is limited."""

FlagKind = Literal["text", "header", "structure", "missing", "other"]
FLAG_KINDS: dict[FlagKind, str] = {
    "text": N_("Text or number is wrong"),
    "header": N_("Header is wrong"),
    "structure": N_("Rows, columns or merging are wrong"),
    "missing": N_("Something is missing"),
    "other": N_("Something else"),
}
"""What a flag says is wrong, in words."""

Text = Annotated[str, Field(max_length=MAX_TEXT)]
RowIndex = Annotated[int, Field(ge=0, lt=MAX_ROWS)]
ColumnIndex = Annotated[int, Field(ge=0, lt=MAX_COLUMNS)]
Anchor = tuple[RowIndex, ColumnIndex]
"""Row and column, 0-based, of a cell's upper left slot."""


def _omitted_if(default: Any, **constraints: Any) -> Any:
    """A field that is stored only where it differs: a table has thousands of cells."""
    return Field(default=default, exclude_if=lambda value: value == default, **constraints)


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class CellFlag(_Part):
    """What is wrong with a cell or a table, for whoever fixes it."""

    kind: FlagKind = Field(description="what is wrong")
    note: str = _omitted_if("", max_length=MAX_NOTE, description="what to fix, in words")


class CellFix(_Part):
    """How a model changed a cell between two rounds, for the annotator to confirm."""

    changed: Literal["new", "text", "header", "span", "nothing"] = Field(
        description="what differs from the round before; nothing where a flag was not followed"
    )
    was: Text = _omitted_if("", description="the text before")
    answered_flag: CellFlag | None = _omitted_if(None, description="the flag that it answers")


class TableCell(_Part):
    """A cell of a table that is being corrected."""

    row: RowIndex = Field(description="0-based, of its upper left slot")
    column: ColumnIndex = Field(description="0-based, of its upper left slot")
    text: Text = _omitted_if("")
    rowspan: int = _omitted_if(1, ge=1, le=MAX_ROWS)
    colspan: int = _omitted_if(1, ge=1, le=MAX_COLUMNS)
    header: bool = _omitted_if(False)
    model_text: str | None = _omitted_if(
        None, description="the text that a model gave, where it was changed"
    )
    added: bool = _omitted_if(False, description="made by the annotator")
    flag: CellFlag | None = _omitted_if(None)
    fix: CellFix | None = _omitted_if(None)
    confirmed: bool = _omitted_if(False, description="the fix was confirmed")

    @property
    def anchor(self) -> Anchor:
        """Row and column."""
        return self.row, self.column

    @property
    def needs_confirmation(self) -> bool:
        """Whether a model changed it and the annotator has not reacted to it yet."""
        is_open = self.fix is not None and not self.confirmed
        return is_open and self.flag is None and self.model_text is None

    def with_text(self, text: str) -> TableCell:
        """The cell with another text; what the model gave is kept with it."""
        model_text = self.text if self.model_text is None else self.model_text
        is_as_given = self.added or text == model_text
        return self.model_copy(
            update={"text": text, "model_text": None if is_as_given else model_text}
        )


class CellText(_Part):
    """A cell got another text."""

    kind: Literal["text"] = "text"
    row: RowIndex
    column: ColumnIndex
    text: Text
    was: Text = Field(description="the text before; refused where the cell holds another")


class HeaderMark(_Part):
    """Cells were marked as headers, or no longer are."""

    kind: Literal["header"] = "header"
    cells: tuple[Anchor, ...] = Field(min_length=1, max_length=MAX_SLOTS)
    header: bool


class CellsReplaced(_Part):
    """The cells of a rectangle were replaced: merged, split or pasted."""

    kind: Literal["cells"] = "cells"
    row: RowIndex
    column: ColumnIndex
    rowspan: int = Field(ge=1, le=MAX_ROWS)
    colspan: int = Field(ge=1, le=MAX_COLUMNS)
    cells: tuple[TableCell, ...] = Field(min_length=1, max_length=MAX_SLOTS)


class Extension(_Part):
    """A cell that reaches into inserted lines from behind or from before them."""

    row: RowIndex = Field(description="before the insertion")
    column: ColumnIndex = Field(description="before the insertion")
    lead: int = _omitted_if(0, ge=0, le=MAX_LINES, description="inserted lines before it")
    trail: int = _omitted_if(0, ge=0, le=MAX_LINES, description="inserted lines behind it")


Axis = Literal["row", "column"]


class LinesInserted(_Part):
    """Rows or columns were inserted; cells that span this position are stretched."""

    kind: Literal["insert"] = "insert"
    axis: Axis
    at: int = Field(ge=0, le=MAX_ROWS, description="place of the first inserted line")
    count: int = _omitted_if(1, ge=1, le=MAX_LINES)
    cells: tuple[TableCell, ...] = _omitted_if(
        (), max_length=MAX_SLOTS, description="those that begin there; others are empty"
    )
    extended: tuple[Extension, ...] = _omitted_if((), max_length=MAX_SLOTS)


class LinesDeleted(_Part):
    """Rows or columns were deleted; cells that reach beyond them are shortened."""

    kind: Literal["delete"] = "delete"
    axis: Axis
    at: int = Field(ge=0, lt=MAX_ROWS, description="the first deleted line")
    count: int = _omitted_if(1, ge=1, le=MAX_LINES)


class FlagSet(_Part):
    """A cell or the table was flagged, or a flag was withdrawn."""

    kind: Literal["flag"] = "flag"
    row: RowIndex | None = _omitted_if(None, description="None for the whole table")
    column: ColumnIndex | None = _omitted_if(None)
    flag: CellFlag | None = _omitted_if(None)


class FixesConfirmed(_Part):
    """A model's changes were confirmed, or a confirmation was withdrawn."""

    kind: Literal["confirm"] = "confirm"
    cells: tuple[Anchor, ...] = _omitted_if((), max_length=MAX_SLOTS)
    removed: bool = _omitted_if(False, description="whether it is about what was removed")
    confirmed: bool


LayoutChange = Annotated[
    CellText | HeaderMark | CellsReplaced | LinesInserted | LinesDeleted,
    Field(discriminator="kind"),
]
TableChange = Annotated[
    CellText | HeaderMark | CellsReplaced | LinesInserted | LinesDeleted | FlagSet | FixesConfirmed,
    Field(discriminator="kind"),
]


class Layout(NamedTuple):
    """Cells that cover a table's slots, each exactly once, by row and column."""

    n_rows: int
    n_columns: int
    cells: tuple[TableCell, ...]

    def cell(self, row: int | None, column: int | None) -> TableCell | None:
        """The cell whose upper left slot this is."""
        return next((cell for cell in self.cells if cell.anchor == (row, column)), None)

    def slots(self) -> dict[Anchor, TableCell]:
        """The cell of each slot."""
        return {slot: cell for cell in self.cells for slot in _cell_slots(cell)}

    def grid(self, caption: str = "") -> Grid:
        """The texts and spans alone."""
        cells = tuple(
            Cell(cell.row, cell.column, cell.text, cell.rowspan, cell.colspan, cell.header)
            for cell in self.cells
        )
        return Grid(self.n_rows, self.n_columns, cells, caption)


def table_cells(grid: Grid) -> tuple[TableCell, ...]:
    """The cells of a grid as a model gave them."""
    return tuple(
        TableCell(
            row=cell.row,
            column=cell.column,
            text=cell.text,
            rowspan=cell.rowspan,
            colspan=cell.colspan,
            header=cell.is_header,
        )
        for cell in grid.cells
    )


def is_structural(change: TableChange) -> bool:
    """Whether rows and columns mean other cells afterwards."""
    return isinstance(change, CellsReplaced | LinesInserted | LinesDeleted)


def apply_change(layout: Layout, change: TableChange) -> Layout | None:
    """The layout after a change of cells; None where the change does not apply."""
    match change:
        case CellText():
            cell = layout.cell(change.row, change.column)
            if cell is None or cell.text != change.was:
                return None
            return _put_cells(layout, [cell.with_text(change.text)])
        case HeaderMark():
            return _update_cells(layout, change.cells, {"header": change.header})
        case FlagSet():
            if change.row is None or change.column is None:
                return layout
            return _update_cells(layout, [(change.row, change.column)], {"flag": change.flag})
        case FixesConfirmed():
            return _update_cells(layout, change.cells, {"confirmed": change.confirmed})
        case CellsReplaced():
            return _replace_cells(layout, change)
        case LinesInserted():
            return _insert_lines(layout, change)
        case LinesDeleted():
            return _delete_lines(layout, change)


def inverse(
    layout: Layout, change: TableChange, flag: CellFlag | None = None
) -> TableChange | None:
    """The change that leads back to the layout; None where the change does not apply to it.

    Args:
        flag: of the whole table, before the change.
    """
    if apply_change(layout, change) is None:
        return None
    match change:
        case CellText():
            return change.model_copy(update={"text": change.was, "was": change.text})
        case HeaderMark():
            cells = layout.slots()
            differing = tuple(a for a in change.cells if cells[a].header != change.header)
            if not differing:
                return change
            return HeaderMark(cells=differing, header=not change.header)
        case FlagSet():
            cell = layout.cell(change.row, change.column)
            return change.model_copy(update={"flag": cell.flag if cell else flag})
        case FixesConfirmed():
            confirmed = {cell.anchor for cell in layout.cells if cell.confirmed}
            differing = tuple(a for a in change.cells if (a in confirmed) != change.confirmed)
            update = {"cells": differing, "confirmed": not change.confirmed}
            return change.model_copy(update=update)
        case CellsReplaced():
            replaced_cells = tuple(c for c in layout.cells if _is_inside(c, change))
            return change.model_copy(update={"cells": replaced_cells})
        case LinesInserted():
            return LinesDeleted(axis=change.axis, at=change.at, count=change.count)
        case LinesDeleted():
            return _reinsertion(layout, change)


def change_weight(change: TableChange) -> int:
    """Characters that a change counts as in a history."""
    match change:
        case CellText():
            return len(change.text) + len(change.was)
        case CellsReplaced() | LinesInserted():
            return sum(CELL_WEIGHT + len(cell.text) for cell in change.cells)
        case HeaderMark() | FixesConfirmed():
            return len(change.cells)
        case _:
            return 0


def _cell_slots(cell: TableCell) -> Iterable[Anchor]:
    for row in range(cell.row, cell.row + cell.rowspan):
        for column in range(cell.column, cell.column + cell.colspan):
            yield row, column


def _put_cells(layout: Layout, cells: Iterable[TableCell]) -> Layout:
    by_anchor = {cell.anchor: cell for cell in cells}
    return layout._replace(cells=tuple(by_anchor.get(c.anchor, c) for c in layout.cells))


def _update_cells(
    layout: Layout, anchors: Iterable[Anchor], update: dict[str, Any]
) -> Layout | None:
    anchor_set = set(anchors)
    cells = [cell for cell in layout.cells if cell.anchor in anchor_set]
    if len(cells) < len(anchor_set):
        return None
    return _put_cells(layout, [cell.model_copy(update=update) for cell in cells])


def _is_inside(cell: TableCell, area: CellsReplaced) -> bool:
    return (
        area.row <= cell.row
        and cell.row + cell.rowspan <= area.row + area.rowspan
        and area.column <= cell.column
        and cell.column + cell.colspan <= area.column + area.colspan
    )


def _replace_cells(layout: Layout, change: CellsReplaced) -> Layout | None:
    if not all(_is_inside(cell, change) for cell in change.cells):
        return None
    kept_cells = [cell for cell in layout.cells if not _is_inside(cell, change)]
    return _layout_of(layout.n_rows, layout.n_columns, [*kept_cells, *change.cells])


def _layout_of(n_rows: int, n_columns: int, cells: Iterable[TableCell]) -> Layout | None:
    """The layout of these cells; None unless they cover each slot exactly once."""
    sorted_cells = sorted(cells, key=lambda cell: cell.anchor)
    area = sum(cell.rowspan * cell.colspan for cell in sorted_cells)
    is_within = all(
        cell.row + cell.rowspan <= n_rows and cell.column + cell.colspan <= n_columns
        for cell in sorted_cells
    )
    if not is_within or area != n_rows * n_columns:
        return None
    covered_slots = {slot for cell in sorted_cells for slot in _cell_slots(cell)}
    if len(covered_slots) < area:
        return None
    return Layout(n_rows, n_columns, tuple(sorted_cells))


def _span(cell: TableCell, axis: Axis) -> tuple[int, int]:
    """First line and number of lines along an axis."""
    return (cell.row, cell.rowspan) if axis == "row" else (cell.column, cell.colspan)


def _with_span(cell: TableCell, axis: Axis, start: int, n_lines: int) -> TableCell:
    if _span(cell, axis) == (start, n_lines):
        return cell
    if axis == "row":
        return cell.model_copy(update={"row": start, "rowspan": n_lines})
    return cell.model_copy(update={"column": start, "colspan": n_lines})


def _insert_lines(layout: Layout, change: LinesInserted) -> Layout | None:
    axis, at, count = change.axis, change.at, change.count
    n_rows = layout.n_rows + (count if axis == "row" else 0)
    n_columns = layout.n_columns + (count if axis == "column" else 0)
    is_within = at <= (layout.n_rows if axis == "row" else layout.n_columns)
    if not is_within or n_rows > MAX_ROWS or n_columns > MAX_COLUMNS:
        return None
    if n_rows * n_columns > MAX_SLOTS:
        return None
    extensions = {(entry.row, entry.column): entry for entry in change.extended}
    cells = []
    for cell in layout.cells:
        start, n_lines = _span(cell, axis)
        extension = extensions.pop(cell.anchor, None)
        if extension is not None:
            lead, trail = extension.lead, extension.trail
            if (lead and start != at) or (trail and start + n_lines != at):
                return None
            if max(lead, trail) > count:
                return None
            cells.append(
                _with_span(
                    cell,
                    axis,
                    at + count - lead if start >= at else start,
                    n_lines + lead + trail,
                )
            )
        elif start >= at:
            cells.append(_with_span(cell, axis, start + count, n_lines))
        elif start + n_lines > at:
            cells.append(_with_span(cell, axis, start, n_lines + count))
        else:
            cells.append(cell)
    if extensions:
        return None
    cells += change.cells
    return _layout_of(n_rows, n_columns, [*cells, *_empty_cells(layout, change, cells)])


def _empty_cells(
    layout: Layout, change: LinesInserted, cells: Iterable[TableCell]
) -> list[TableCell]:
    """Empty cells for the free slots of inserted lines: headers between headers."""
    covered_slots = {slot for cell in cells for slot in _cell_slots(cell)}
    slots = layout.slots()
    empty_cells = []
    n_across = layout.n_columns if change.axis == "row" else layout.n_rows
    for across in range(n_across):
        neighbours = [
            slots.get((line, across) if change.axis == "row" else (across, line))
            for line in (change.at - 1, change.at)
        ]
        present_neighbours = [cell for cell in neighbours if cell is not None]
        is_header = all(cell.header for cell in present_neighbours)
        for line in range(change.at, change.at + change.count):
            row, column = (line, across) if change.axis == "row" else (across, line)
            if (row, column) not in covered_slots:
                empty_cells.append(TableCell(row=row, column=column, header=is_header, added=True))
    return empty_cells


def _delete_lines(layout: Layout, change: LinesDeleted) -> Layout | None:
    axis, at, count = change.axis, change.at, change.count
    n_lines = layout.n_rows if axis == "row" else layout.n_columns
    if at + count > n_lines or count >= n_lines:
        return None
    cells = []
    for cell in layout.cells:
        start, length = _span(cell, axis)
        overlap = _overlap(start, length, change)
        if overlap == length:
            continue
        new_start = start if start < at else max(at, start - count)
        cells.append(_with_span(cell, axis, new_start, length - overlap))
    n_rows = layout.n_rows - (count if axis == "row" else 0)
    n_columns = layout.n_columns - (count if axis == "column" else 0)
    return _layout_of(n_rows, n_columns, cells)


def _overlap(start: int, length: int, change: LinesDeleted) -> int:
    """Lines of a cell that are deleted."""
    end = min(start + length, change.at + change.count)
    return max(0, end - max(start, change.at))


def _reinsertion(layout: Layout, change: LinesDeleted) -> LinesInserted:
    deleted_cells = []
    extensions = []
    for cell in layout.cells:
        start, length = _span(cell, change.axis)
        overlap = _overlap(start, length, change)
        ends_inside = start + length <= change.at + change.count
        if overlap == length:
            deleted_cells.append(cell)
        elif overlap and start < change.at and ends_inside:
            extensions.append(Extension(row=cell.row, column=cell.column, trail=overlap))
        elif overlap and start >= change.at:
            row = change.at if change.axis == "row" else cell.row
            column = change.at if change.axis == "column" else cell.column
            extensions.append(Extension(row=row, column=column, lead=overlap))
    return LinesInserted(
        axis=change.axis,
        at=change.at,
        count=change.count,
        cells=tuple(deleted_cells),
        extended=tuple(extensions),
    )
