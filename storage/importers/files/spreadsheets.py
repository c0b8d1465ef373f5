"""The rows of Excel workbooks (.xlsx), which are parsed in a process of its own.

A small workbook may unpack to gigabytes, or claim a cell in the last row and column. The parser
does not expand entities and runs nothing that a workbook holds.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pagetrail.storage.database.storable_text import printable
from pagetrail.storage.importers.files.bounded_reading import read_in_worker
from pagetrail.storage.importers.files.rows import TaskFile, refuse
from pagetrail.storage.importers.files.table_rows import add_row, check_header
from pagetrail.storage.importers.files.workbook_parser import Sheet, Workbook, parse_workbook
from pagetrail.storage.importers.files.zip_members import is_zip, unpacked_size

MAX_BYTES = 64 * 2**20
MAX_UNPACKED_BYTES = 2**30
_WAY_OUT = "Delete empty rows and columns far from the others, or save it as CSV UTF-8."
_NAMED = 10


def read_xlsx(path: Path, column: str = "question") -> TaskFile:
    """The first visible sheet whose first row names this column; other sheets are noted."""
    if path.stat().st_size > MAX_BYTES:
        refuse(path, f"is larger than {MAX_BYTES // 2**20} MiB. Save it as CSV UTF-8.")
    sheets, unread = _parsed(path)
    chosen = next((sheet for sheet in sheets if column in _heading(sheet)), None)
    if chosen is None:
        if not sheets:
            refuse(path, "holds no rows.")
        chosen = sheets[0]
    header = _heading(chosen)
    check_header(path, [name for name in header if name], column)
    file = TaskFile()
    for number, cells in enumerate(chosen.rows[1:], start=chosen.first_row + 1):
        if any(str(cell).strip() for cell in cells):
            named = {name: cell for name, cell in zip(header, cells, strict=True) if name}
            add_row(file, number, {name: _plain(cell) for name, cell in named.items()})
    unnamed = [
        place
        for place, name in enumerate(header, start=1)
        if not name and any(str(row[place - 1]).strip() for row in chosen.rows[1:])
    ]
    if unnamed:
        numbers = ", ".join(map(str, unnamed[:_NAMED]))
        file.notes.append(f"Columns without a heading are not read: number {numbers}.")
    others = [sheet.name for sheet in sheets if sheet is not chosen] + unread
    if others:
        names = ", ".join(printable(name)[:60] for name in others[:_NAMED])
        more = f" and {len(others) - _NAMED:,} more" if len(others) > _NAMED else ""
        file.notes.append(
            f"Of the sheets only {printable(chosen.name)[:60]} is read, not {names}{more}."
        )
    return file


def _heading(sheet: Sheet) -> list[str]:
    return [str(_plain(cell)).strip() for cell in sheet.rows[0]]


def _plain(cell: Any) -> Any:
    """A whole number as one: Excel has only one kind."""
    return int(cell) if isinstance(cell, float) and cell.is_integer() else cell


def _parsed(path: Path) -> Workbook:
    if is_zip(path) and (size := unpacked_size(path)) > MAX_UNPACKED_BYTES:
        refuse(path, f"unpacks to {size / 2**30:,.1f} GiB. {_WAY_OUT}")
    parsed = read_in_worker(parse_workbook, path, way_out=_WAY_OUT)
    if isinstance(parsed, str):
        refuse(path, parsed)
    return parsed
