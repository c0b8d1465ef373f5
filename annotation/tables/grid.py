"""A table as a grid of cells with spans, and as records; written as HTML, Markdown and CSV.

Texts are plain: nothing in a cell is markup, and ``to_html`` escapes everything.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape
from typing import NamedTuple

MAX_ROWS = 2_000
MAX_COLUMNS = 500
MAX_SLOTS = 50_000
"""Rows times columns of a grid."""


class GridTooLarge(ValueError):
    """A table with more rows, columns or slots than a grid may have."""

    def __init__(self, n_rows: int, n_columns: int) -> None:
        super().__init__(
            f"the table has {n_rows:,} rows and {n_columns:,} columns or more; at most "
            f"{MAX_ROWS:,} rows, {MAX_COLUMNS:,} columns and {MAX_SLOTS:,} cells are read: split it"
        )


class Cell(NamedTuple):
    """A cell and the slots it covers.

    Attributes:
        row: 0-based, of the upper left slot.
        column: 0-based, of the upper left slot.
        text: plain text; lines are separated by ``\\n``.
        rowspan: rows that it covers.
        colspan: columns that it covers.
        is_header: whether it names rows or columns.
    """

    row: int
    column: int
    text: str = ""
    rowspan: int = 1
    colspan: int = 1
    is_header: bool = False

    @property
    def slots(self) -> list[tuple[int, int]]:
        """Row and column of every slot that it covers."""
        return [
            (row, column)
            for row in range(self.row, self.row + self.rowspan)
            for column in range(self.column, self.column + self.colspan)
        ]


@dataclass(frozen=True)
class Grid:
    """Cells that cover ``n_rows`` × ``n_columns`` slots, each exactly once.

    Attributes:
        cells: by row, then by column.
        caption: text of ``<caption>``.
    """

    n_rows: int
    n_columns: int
    cells: tuple[Cell, ...]
    caption: str = ""

    @classmethod
    def from_cells(
        cls, cells: Iterable[Cell], n_rows: int = 0, n_columns: int = 0, caption: str = ""
    ) -> Grid:
        """The grid of these cells, made as large as they need; free slots get empty cells.

        Raises:
            GridTooLarge: more slots than a grid may have.
            ValueError: two cells cover a slot.
        """
        given_cells = sorted(cells)
        n_rows = max([n_rows, *(cell.row + cell.rowspan for cell in given_cells)])
        n_columns = max([n_columns, *(cell.column + cell.colspan for cell in given_cells)])
        check_size(n_rows, n_columns)
        covered_slots = [slot for cell in given_cells for slot in cell.slots]
        if len(set(covered_slots)) < len(covered_slots):
            raise ValueError("two cells cover the same slot")
        slots = {(row, column) for row in range(n_rows) for column in range(n_columns)}
        empty_cells = [Cell(row, column) for row, column in slots.difference(covered_slots)]
        return cls(n_rows, n_columns, tuple(sorted([*given_cells, *empty_cells])), caption)

    @classmethod
    def from_texts(cls, rows: Sequence[Sequence[str]], n_header_rows: int = 0) -> Grid:
        """The grid of texts by row, without spans; the first rows are headers."""
        return cls.from_cells(
            (
                Cell(row, column, text, is_header=row < n_header_rows)
                for row, texts in enumerate(rows)
                for column, text in enumerate(texts)
            ),
            n_rows=len(rows),
        )

    @cached_property
    def slots(self) -> dict[tuple[int, int], Cell]:
        """The cell of each slot, by row and column."""
        return {slot: cell for cell in self.cells for slot in cell.slots}

    def row_cells(self, row: int) -> list[Cell]:
        """The cell of each slot in a row; a cell that spans columns is repeated."""
        return [self.slots[row, column] for column in range(self.n_columns)]

    def texts(self) -> list[list[str]]:
        """The text of every slot by row; spanned slots repeat their cell's."""
        return [[cell.text for cell in self.row_cells(row)] for row in range(self.n_rows)]

    @cached_property
    def n_header_rows(self) -> int:
        """Leading rows in which every cell with text is a header, and at least one cell is."""
        for row in range(self.n_rows):
            cells = self.row_cells(row)
            if not any(cell.is_header for cell in cells) or any(
                cell.text and not cell.is_header for cell in cells
            ):
                return row
        return self.n_rows

    def column_keys(self) -> list[str]:
        """What each column is called: the texts of its headers from top to bottom, by spaces.

        A header that covers the whole width is a title and names no column if another header row
        follows. A column without header is called ``col_0``, ``col_1`` …, by its place; names that
        occur several times get ``_0``, ``_1`` … (ParseBench, 3.1 and its evaluation code).
        """
        header_rows = [
            row
            for row in range(self.n_header_rows)
            if not (self._is_title(row) and row + 1 < self.n_header_rows)
        ]
        keys = []
        for column in range(self.n_columns):
            headers = dict.fromkeys(self.slots[row, column] for row in header_rows)
            texts = [" ".join(cell.text.split()) for cell in headers]
            keys.append(" ".join(filter(None, texts)) or f"col_{column}")
        return _distinct(keys)

    def _is_title(self, row: int) -> bool:
        return self.n_columns > 1 and self.slots[row, 0].colspan == self.n_columns

    def records(self) -> list[dict[str, str]]:
        """Values by column key, one record per row below the header rows (ParseBench, 3.1)."""
        keys = self.column_keys()
        return [dict(zip(keys, texts, strict=True)) for texts in self.texts()[self.n_header_rows :]]

    def to_html(self) -> str:
        """An HTML table with ``rowspan`` and ``colspan``, one row per line."""
        cells_by_row: list[list[Cell]] = [[] for _ in range(self.n_rows)]
        for cell in self.cells:
            cells_by_row[cell.row].append(cell)
        rows = ["".join(map(_cell_html, cells)) for cells in cells_by_row]
        caption = f"<caption>{_text_html(self.caption)}</caption>\n" if self.caption else ""
        lines = "".join(f"<tr>{row}</tr>\n" for row in rows)
        return f"<table>\n{caption}{lines}</table>"

    def to_markdown(self) -> str:
        """A Markdown table below one row of column keys; spanned slots repeat their text."""
        keys = self.column_keys() if self.n_header_rows else [""] * self.n_columns
        rows = [keys, ["---"] * self.n_columns, *self.texts()[self.n_header_rows :]]
        return "\n".join(f"| {' | '.join(map(_text_markdown, texts))} |" for texts in rows)

    def to_csv(self) -> str:
        """All rows as CSV; spanned slots repeat their text."""
        file = io.StringIO()
        csv.writer(file, lineterminator="\n").writerows(self.texts())
        return file.getvalue()


def check_size(n_rows: int, n_columns: int) -> None:
    """Refuse a grid that is too large.

    Raises:
        GridTooLarge: see ``MAX_ROWS``, ``MAX_COLUMNS`` and ``MAX_SLOTS``.
    """
    if n_rows > MAX_ROWS or n_columns > MAX_COLUMNS or n_rows * n_columns > MAX_SLOTS:
        raise GridTooLarge(n_rows, n_columns)


def _distinct(keys: list[str]) -> list[str]:
    used = set(keys)
    numbers = dict.fromkeys(keys, 0)
    distinct_keys = []
    for key in keys:
        if keys.count(key) == 1:
            distinct_keys.append(key)
            continue
        while (name := f"{key}_{numbers[key]}") in used:
            numbers[key] += 1
        used.add(name)
        distinct_keys.append(name)
    return distinct_keys


def _cell_html(cell: Cell) -> str:
    tag = "th" if cell.is_header else "td"
    rowspan = f' rowspan="{cell.rowspan}"' if cell.rowspan > 1 else ""
    colspan = f' colspan="{cell.colspan}"' if cell.colspan > 1 else ""
    return f"<{tag}{rowspan}{colspan}>{_text_html(cell.text)}</{tag}>"


def _text_html(text: str) -> str:
    return escape(text).replace("\n", "<br>")


def _text_markdown(text: str) -> str:
    """A text within a row: pipes escaped, line breaks as ``<br>``; markup is shown as text."""
    return re.sub(r"([\\|<&])", r"\\\1", text).replace("\n", "<br>")
