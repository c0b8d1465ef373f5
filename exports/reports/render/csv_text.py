"""A table as CSV: every value with all its digits, and next to it what qualifies it."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable

from pagetrail.exports.reports.charts.style import safe
from pagetrail.exports.reports.model import Cell, Table, Value

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")

_BESIDE: dict[str, Callable[[Cell], Value]] = {
    "low": lambda cell: cell.low,
    "high": lambda cell: cell.high,
    "se": lambda cell: cell.se,
    "reason": lambda cell: cell.reason,
    "flag": lambda cell: cell.flag,
    "n": lambda cell: cell.n,
    "tasks": lambda cell: cell.tasks,
    "excluded": lambda cell: _excluded(cell),
}


def csv_text(table: Table) -> str:
    """The table as CSV, UTF-8, lines ending in a line feed.

    The first column, ``row_kind``, tells rows from ``pooled`` and ``macro``. After each column come
    ``_low``, ``_high``, ``_se``, ``_reason``, ``_flag``, and what the value rests on: ``_n``,
    ``_tasks`` and ``_excluded``; those that any row has. Shares are 0–1.
    Texts that a spreadsheet would run as a formula get an apostrophe in front.
    """
    names, rows = table_values(table)
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([_guarded(name) for name in names])
    for row in rows:
        writer.writerow([_guarded(value) for value in row])
    return out.getvalue()


def table_values(table: Table) -> tuple[list[str], list[list[Value]]]:
    """Names of columns as ``csv_text`` has them, and the values of each row; None is empty."""
    fields: list[tuple[str, str, Callable[[Cell], Value]]] = []
    empty = Cell()
    for column in table.columns:
        fields.append((column.key, column.key, lambda cell: cell.value))
        fields += [
            (f"{column.key}_{name}", column.key, read)
            for name, read in _BESIDE.items()
            if any(read(row.cells.get(column.key, empty)) is not None for row in table.rows)
        ]
    return ["row_kind", *(name for name, _, _ in fields)], [
        [row.kind, *(read(row.cells.get(key, empty)) for _, key, read in fields)]
        for row in table.rows
    ]


def _excluded(cell: Cell) -> str | None:
    return "; ".join(f"{reason}: {n}" for reason, n in (cell.excluded or {}).items()) or None


def _guarded(value: Value) -> Value:
    if isinstance(value, bool):
        return "true" if value else "false"
    if not isinstance(value, str):
        return value
    text = "".join(c if c in "\n\t" else safe(c) for c in value)
    return f"'{text}" if text.lstrip(" ").startswith(_FORMULA) else text
