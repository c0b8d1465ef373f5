"""Compares a table with its form of the round before, cell by cell, and says what changed.

Rows and columns are aligned first, so that an inserted row does not change all cells below it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from pagetrail.annotation.tables.cells import CellFix, Layout, TableCell, table_cells
from pagetrail.annotation.tables.grid import Cell, Grid

FloatArray = NDArray[np.float64]

MAX_PAIRS = 250_000
"""Pairs of lines that are compared; beyond that, lines are aligned by their number."""
_PAIRED = 0.001
"""What two different lines at the same place are worth: more than leaving both out."""


class ComparedTable(NamedTuple):
    """A table with what differs from before.

    Attributes:
        cells: those that changed, or had a flag, with a ``fix``.
        removed: texts of the rows and columns before that are gone.
    """

    cells: tuple[TableCell, ...]
    removed: tuple[str, ...]


def compare_tables(before: Layout, after: Grid) -> ComparedTable:
    """The cells of a table, each with how it differs from before."""
    texts_before, texts_after = before.grid().texts(), after.texts()
    rows = align_lines(texts_before, texts_after)
    columns = align_lines(_transposed(texts_before), _transposed(texts_after))
    slots = before.slots()
    cells = []
    for cell in table_cells(after):
        row, column = rows[cell.row], columns[cell.column]
        old_cell = None if row is None or column is None else slots[row, column]
        is_same_place = old_cell is not None and old_cell.anchor == (row, column)
        fix = _fix(old_cell if is_same_place else None, cell)
        cells.append(cell if fix is None else cell.model_copy(update={"fix": fix}))
    return ComparedTable(
        tuple(cells),
        (
            *_removed_lines(texts_before, rows),
            *_removed_lines(_transposed(texts_before), columns),
        ),
    )


@lru_cache(maxsize=32)
def cell_agreement(left: Grid, right: Grid) -> float:
    """Share of cells that agree: twice the number of equal cells over all cells of both.

    Rows and columns are aligned; two cells are equal if they have the same text but for white
    space, the same span, and are headers or not alike.
    """
    texts_left, texts_right = _plain_texts(left), _plain_texts(right)
    rows = align_lines(texts_left, texts_right)
    columns = align_lines(_transposed(texts_left), _transposed(texts_right))
    n_equal = 0
    for cell in right.cells:
        row, column = rows[cell.row], columns[cell.column]
        if row is not None and column is not None:
            other = left.slots[row, column]
            is_same_place = (other.row, other.column) == (row, column)
            n_equal += is_same_place and _appearance(other) == _appearance(cell)
    return 2 * n_equal / (len(left.cells) + len(right.cells))


def _plain_texts(grid: Grid) -> list[list[str]]:
    return [[" ".join(text.split()) for text in texts] for texts in grid.texts()]


def _appearance(cell: Cell) -> tuple[str, int, int, bool]:
    return " ".join(cell.text.split()), cell.rowspan, cell.colspan, cell.is_header


def align_lines(
    before: Sequence[Sequence[str]], after: Sequence[Sequence[str]]
) -> list[int | None]:
    """For each line after, its line before; None where it is new.

    Lines keep their order. The pairs are chosen so that as many texts as possible are in both
    lines of a pair, wherever in the line they are.
    """
    n_prefix = _common_length(before, after)
    n_suffix = _common_length(before[n_prefix:][::-1], after[n_prefix:][::-1])
    middle_before = before[n_prefix : len(before) - n_suffix]
    middle_after = after[n_prefix : len(after) - n_suffix]
    middle = [
        None if line is None else line + n_prefix for line in _aligned(middle_before, middle_after)
    ]
    shift = len(before) - len(after)
    suffix = [line + shift for line in range(len(after) - n_suffix, len(after))]
    return [*range(n_prefix), *middle, *suffix]


def _aligned(before: Sequence[Sequence[str]], after: Sequence[Sequence[str]]) -> list[int | None]:
    if len(before) * len(after) > MAX_PAIRS:
        return [line if line < len(before) else None for line in range(len(after))]
    similarity = (_PAIRED + _n_shared(after, before)).tolist()
    best = [[0.0] * (len(before) + 1) for _ in range(len(after) + 1)]
    for i in reversed(range(len(after))):
        for j in reversed(range(len(before))):
            best[i][j] = max(similarity[i][j] + best[i + 1][j + 1], best[i + 1][j], best[i][j + 1])
    pairs: list[int | None] = []
    j = 0
    for i in range(len(after)):
        while j < len(before) and best[i][j] == best[i][j + 1] > best[i + 1][j]:
            j += 1
        is_pair = j < len(before) and best[i][j] == similarity[i][j] + best[i + 1][j + 1]
        pairs.append(j if is_pair else None)
        j += is_pair
    return pairs


def _n_shared(lines: Sequence[Sequence[str]], others: Sequence[Sequence[str]]) -> FloatArray:
    """Texts in both lines of each pair; blank cells say little of which line it is."""
    numbers: dict[tuple[str, int], int] = {}

    def texts_by_line(lines: Sequence[Sequence[str]]) -> tuple[list[int], list[int]]:
        """Line and number of every text; a second one of the same has another number."""
        entries = [
            (line, numbers.setdefault((text, occurrence), len(numbers)))
            for line, texts in enumerate(lines)
            for text, count in Counter(filter(None, texts)).items()
            for occurrence in range(count)
        ]
        return [line for line, _ in entries], [number for _, number in entries]

    places = [texts_by_line(lines), texts_by_line(others)]
    bags = [
        csr_array((np.ones(len(place[0])), place), shape=(len(texts), len(numbers)))
        for place, texts in zip(places, (lines, others), strict=True)
    ]
    blanks = [[list(texts).count("") for texts in side] for side in (lines, others)]
    shared_texts: FloatArray = (bags[0] @ bags[1].T).toarray()
    return shared_texts + np.minimum.outer(*blanks) / 100


def _common_length(left: Sequence[Sequence[str]], right: Sequence[Sequence[str]]) -> int:
    pairs = zip(left, right, strict=False)
    n_shorter = min(len(left), len(right))
    return next((n for n, (line, other) in enumerate(pairs) if line != other), n_shorter)


def _transposed(texts: Sequence[Sequence[str]]) -> list[list[str]]:
    return [list(column) for column in zip(*texts, strict=True)]


def _removed_lines(texts: Sequence[Sequence[str]], kept_lines: Sequence[int | None]) -> list[str]:
    kept_indices = set(kept_lines)
    return [
        " | ".join(dict.fromkeys(filter(None, line)))
        for index, line in enumerate(texts)
        if index not in kept_indices
    ]


def _fix(before: TableCell | None, after: TableCell) -> CellFix | None:
    if before is None:
        return CellFix(changed="new")
    answered_flag = before.flag
    if before.text != after.text:
        return CellFix(changed="text", was=before.text, answered_flag=answered_flag)
    if before.header != after.header:
        return CellFix(changed="header", was=before.text, answered_flag=answered_flag)
    if (before.rowspan, before.colspan) != (after.rowspan, after.colspan):
        return CellFix(changed="span", was=before.text, answered_flag=answered_flag)
    return (
        CellFix(changed="nothing", was=before.text, answered_flag=answered_flag)
        if answered_flag
        else None
    )
