"""Parses Excel workbooks, in a process of its own, which imports as little as it can."""

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


class Sheet(NamedTuple):
    """A worksheet.

    Attributes:
        first_row: the number of the first row that is not empty, as Excel counts.
        rows: from there on, each with the same number of cells; an empty cell is an empty text.
    """

    name: str
    first_row: int
    rows: list[list[Any]]


class Workbook(NamedTuple):
    """The visible worksheets that are not empty, and the names of all others with content."""

    sheets: list[Sheet]
    unread: list[str]


def parse_workbook(path: Path) -> Workbook | str:
    """The workbook, or the sentence why it cannot be read, without its subject."""
    try:
        return _parse(path)
    except PasswordError:
        return "is protected by a password. Save it without."
    except (CalamineError, XmlError, ZipError, OSError) as error:
        return f"is not readable as an Excel workbook: {error}."


def _parse(path: Path) -> Workbook:
    workbook = CalamineWorkbook.from_path(path)
    found = Workbook([], [])
    for place, about in enumerate(workbook.sheets_metadata):
        if about.typ != SheetTypeEnum.WorkSheet:
            found.unread.append(about.name)
            continue
        sheet = workbook.get_sheet_by_index(place)
        if sheet.start is None:
            continue
        if about.visible != SheetVisibleEnum.Visible:
            found.unread.append(about.name)
            continue
        rows = [list(map(_storable, row)) for row in sheet.to_python(skip_empty_area=True)]
        found.sheets.append(Sheet(about.name, sheet.start[0] + 1, rows))
    return found


def _storable(cell: Any) -> Any:
    """A cell as JSON can hold it, or a date; a span of time becomes text."""
    if isinstance(cell, str | int | float) or hasattr(cell, "isoformat"):
        return cell
    return str(cell)
