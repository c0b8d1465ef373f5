"""Reads the rows of Excel workbooks (.xlsx), which are parsed in a separate process.

A small workbook may unpack to gigabytes, or have a cell in the last row and column. The parser does
not expand entities or run anything in the workbook.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pagetrail.annotation.sentences import join_first
from pagetrail.storage.database.storable_text import printable
from pagetrail.storage.importers.files.bounded_reading import read_in_worker
from pagetrail.storage.importers.files.field_types import without_fraction
from pagetrail.storage.importers.files.rows import RowError, TaskFile, refuse
from pagetrail.storage.importers.files.table_rows import UnnamedColumns, add_row, check_header
from pagetrail.storage.importers.files.workbook_cells import place_name
from pagetrail.storage.importers.files.workbook_parser import Sheet, Workbook, parse_workbook
from pagetrail.storage.importers.files.zip_members import is_zip, unpacked_size

MAX_BYTES = 64 * 2**20
MAX_UNPACKED_BYTES = 2**30
_WAY_OUT = "Delete empty rows and columns far from the others, or save it as CSV UTF-8."
_MAX_NAMES = 10


def read_xlsx(path: Path, column: str = "question") -> TaskFile:
    """Read the first visible sheet with this column in its first row; note the other sheets."""
    if path.stat().st_size > MAX_BYTES:
        refuse(path, f"is larger than {MAX_BYTES // 2**20} MiB. Save it as CSV UTF-8.")
    sheets, unread = _parse_in_worker(path)
    if not sheets:
        refuse(path, "holds no rows.")
    selected = next((sheet for sheet in sheets if column in _header_names(sheet)), sheets[0])
    header = _header_names(selected)
    check_header(path, header, column)
    file = TaskFile()
    unnamed = UnnamedColumns()
    shown = ShownCells(selected, header)
    for number, cells in enumerate(selected.rows[1:], start=selected.first[0] + 1):
        texts, problem = shown.of_row(number, cells)
        if problem:
            file.errors.append(RowError(number, problem))
        elif any(str(text).strip() for text in texts):
            add_row(file, number, unnamed.named_cells(header, texts))
    file.notes += unnamed.notes() + shown.notes()
    unread_sheets = [sheet.name for sheet in sheets if sheet is not selected] + unread
    if unread_sheets:
        names = [printable(name)[:60] for name in unread_sheets]
        file.notes.append(
            f"Only the sheet {printable(selected.name)[:60]} is read, not "
            f"{join_first(names, _MAX_NAMES)}."
        )
    return file


class ShownCells:
    """The cells of a sheet as a reader sees them; counts those that are not their value."""

    def __init__(self, sheet: Sheet, header: list[str]) -> None:
        self._cells = sheet.cells
        self._name = printable(sheet.name)[:60]
        first = sheet.first[1]
        self._columns = range(first, first + len(header))
        self._named = [column for column, name in zip(self._columns, header, strict=True) if name]
        self._count = 0
        self._example = ""

    def of_row(self, row: int, cells: list[Any]) -> tuple[list[Any], str]:
        """The texts and numbers of a row, and what is wrong with one of its cells."""
        for column in self._named:
            if problem := self._cells.problems.get((row, column)):
                name = place_name((row, column))
                return [], f"{name} of the sheet {self._name} {printable(problem)}"
        texts = []
        for column, cell in zip(self._columns, cells, strict=True):
            value, shown = without_fraction(cell), self._cells.shown.get((row, column))
            if shown is None or (isinstance(value, int) and shown == str(value)):
                texts.append(value)
                continue
            texts.append(shown)
            if column in self._named:
                self._count += 1
                self._example = self._example or f"{place_name((row, column))} {shown}"
        return texts, ""

    def notes(self) -> list[str]:
        """Counts the numbers that are read as they are shown."""
        if not self._count:
            return []
        return [
            f"Numbers and dates read as the sheet {self._name} shows them: {self._count:,} (first: "
            f"{self._example})."
        ]


def _header_names(sheet: Sheet) -> list[str]:
    return [str(without_fraction(cell)).strip() for cell in sheet.rows[0]]


def _parse_in_worker(path: Path) -> Workbook:
    if is_zip(path) and (unpacked_bytes := unpacked_size(path)) > MAX_UNPACKED_BYTES:
        refuse(path, f"unpacks to {unpacked_bytes / 2**30:,.1f} GiB. {_WAY_OUT}")
    parsed = read_in_worker(parse_workbook, path, advice=_WAY_OUT)
    if isinstance(parsed, str):
        refuse(path, parsed)
    return parsed
