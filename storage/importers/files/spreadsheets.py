"""Reads the rows of Excel workbooks (.xlsx), which are parsed in a separate process.

A small workbook may unpack to gigabytes, or have a cell in the last row and column. The parser does
not expand entities or run anything in the workbook.
"""

from __future__ import annotations

from pathlib import Path

from pagetrail.annotation.sentences import join_first
from pagetrail.storage.database.storable_text import printable
from pagetrail.storage.importers.files.bounded_reading import read_in_worker
from pagetrail.storage.importers.files.field_types import without_fraction
from pagetrail.storage.importers.files.rows import TaskFile, refuse
from pagetrail.storage.importers.files.table_rows import UnnamedColumns, add_row, check_header
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
    for number, cells in enumerate(selected.rows[1:], start=selected.first_row + 1):
        if any(str(cell).strip() for cell in cells):
            add_row(file, number, unnamed.named_cells(header, list(map(without_fraction, cells))))
    file.notes += unnamed.notes()
    unread_sheets = [sheet.name for sheet in sheets if sheet is not selected] + unread
    if unread_sheets:
        names = [printable(name)[:60] for name in unread_sheets]
        file.notes.append(
            f"Only the sheet {printable(selected.name)[:60]} is read, not "
            f"{join_first(names, _MAX_NAMES)}."
        )
    return file


def _header_names(sheet: Sheet) -> list[str]:
    return [str(without_fraction(cell)).strip() for cell in sheet.rows[0]]


def _parse_in_worker(path: Path) -> Workbook:
    if is_zip(path) and (unpacked_bytes := unpacked_size(path)) > MAX_UNPACKED_BYTES:
        refuse(path, f"unpacks to {unpacked_bytes / 2**30:,.1f} GiB. {_WAY_OUT}")
    parsed = read_in_worker(parse_workbook, path, advice=_WAY_OUT)
    if isinstance(parsed, str):
        refuse(path, parsed)
    return parsed
