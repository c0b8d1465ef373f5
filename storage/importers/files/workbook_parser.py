"""Parses Excel workbooks. Runs in a worker process, so it imports as little as possible."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from python_calamine import (
    CalamineError,
    CalamineWorkbook,
    PasswordError,
    SheetTypeEnum,
    SheetVisibleEnum,
    XmlError,
    ZipError,
)

from pagetrail.storage.importers.files.workbook_cells import (
    UNREADABLE,
    Place,
    SheetCells,
    read_cells,
)

_UNREADABLE: tuple[type[Exception], ...] = (
    CalamineError,
    XmlError,
    ZipError,
    OSError,
    *UNREADABLE,
)
_DIGITS = 15
"""Digits of a number that a spreadsheet shows; further ones are its rounding errors."""


class Sheet(NamedTuple):
    """A worksheet.

    Attributes:
        first: row and column of the first cell, as Excel counts.
        rows: rows from there on, all of the same length; empty cells are empty strings.
        cells: cells whose text is not their value, or that cannot be read.
    """

    name: str
    first: Place
    rows: list[list[Any]]
    cells: SheetCells


class Workbook(NamedTuple):
    """The visible, non-empty worksheets, and the names of other sheets with content."""

    sheets: list[Sheet]
    unread: list[str]


def parse_workbook(path: Path) -> Workbook | str:
    """The workbook, or the reason why it cannot be read (a sentence without its subject)."""
    try:
        return _parse_sheets(path)
    except PasswordError:
        return "is protected by a password. Save it without."
    except _UNREADABLE as error:
        return f"is not readable as an Excel workbook: {error}."


def _parse_sheets(path: Path) -> Workbook:
    workbook = CalamineWorkbook.from_path(path)
    cells = read_cells(path)
    parsed = Workbook([], [])
    for index, metadata in enumerate(workbook.sheets_metadata):
        if metadata.typ != SheetTypeEnum.WorkSheet:
            parsed.unread.append(metadata.name)
            continue
        sheet = workbook.get_sheet_by_index(index)
        if sheet.start is None:
            continue
        if metadata.visible != SheetVisibleEnum.Visible:
            parsed.unread.append(metadata.name)
            continue
        rows = [list(map(_storable, row)) for row in sheet.to_python(skip_empty_area=True)]
        row, column = sheet.start
        special = cells.get(metadata.name, SheetCells())
        parsed.sheets.append(Sheet(metadata.name, (row + 1, column + 1), rows, special))
    return parsed


def _storable(cell: Any) -> Any:
    """The cell if it is text, a number or a date; truth values as shown, time spans as text."""
    if isinstance(cell, bool):
        return str(cell).upper()
    if isinstance(cell, float):
        return float(f"{cell:.{_DIGITS}g}")
    if isinstance(cell, str | int | float) or hasattr(cell, "isoformat"):
        return cell
    return str(cell)
