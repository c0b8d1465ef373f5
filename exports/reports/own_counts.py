"""What each result of a row rests on, said wherever it is not what the row itself states."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from pagetrail.exports.reports.model import Cell

_UNITS = {"attempts": "attempt", "pairs": "pair", "pages": "page"}


def with_own_counts(cells: Mapping[str, Cell], unit: str) -> dict[str, Cell]:
    """The row's cells; those that rest on other numbers of units or tasks than it states say so.

    Args:
        unit: the column that counts what results are of: ``attempts``, ``pairs`` or ``pages``.
    """
    stated = (cells[unit].value, cells["tasks"].value)
    return {key: _with_basis(cell, stated, _UNITS[unit]) for key, cell in cells.items()}


def _with_basis(cell: Cell, stated: tuple[object, object], unit: str) -> Cell:
    own = (cell.n, stated[1] if cell.tasks is None else cell.tasks)
    if cell.value is None or cell.n is None or own == stated:
        return cell
    tasks = "" if cell.tasks is None else f" at {_counted(cell.tasks, 'task')}"
    return replace(cell, basis=f"n = {_counted(cell.n, unit)}{tasks}")


def _counted(n: int, noun: str) -> str:
    return f"{n:,} {noun}" if n == 1 else f"{n:,} {noun}s"
