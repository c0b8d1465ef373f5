"""Cells of a workbook whose text differs from their value, or that have none: formats and errors.

Reads what calamine leaves out: number formats, errors, and formulas that nothing has calculated.
Runs in a worker process.
"""

from __future__ import annotations

import posixpath
import re
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn
from xml.parsers.expat import ExpatError, ParserCreate
from zipfile import BadZipFile, ZipFile

from pagetrail.storage.importers.files.number_formats import (
    BUILT_IN,
    GENERAL,
    UnreadableFormatError,
    shown_number,
)

UNREADABLE: tuple[type[Exception], ...] = (ExpatError, ValueError, KeyError, BadZipFile, zlib.error)
"""Raised for a workbook whose parts are missing or damaged."""
_CHUNK = 2**16
_REFERENCE = re.compile(r"([A-Z]{1,3})([0-9]{1,7})")
_TEXT_TYPES = frozenset({"s", "str", "inlineStr"})
_MAX_SHOWN = 40
_CALCULATE = "Open the workbook in Excel or LibreOffice and save it"

Place = tuple[int, int]
"""Row and column, from 1."""
StartElement = Callable[[str, Mapping[str, str]], None]


@dataclass
class SheetCells:
    """Cells of a sheet that are not simply their value.

    Attributes:
        shown: texts of the numbers with a format.
        problems: why a cell cannot be read, as the end of a sentence about it.
    """

    shown: dict[Place, str] = field(default_factory=dict)
    problems: dict[Place, str] = field(default_factory=dict)


@dataclass
class _Book:
    """Parts of the workbook by the names of the sheets, and what holds for all of them."""

    parts: dict[str, str] = field(default_factory=dict)
    from_1904: bool = False
    calculates_on_load: bool = False


def read_cells(path: Path) -> dict[str, SheetCells]:
    """The cells of each worksheet.

    Raises:
        UNREADABLE: a part is missing or damaged.
    """
    with ZipFile(path) as archive:
        book = _read_book(archive)
        codes = _read_format_codes(archive)
        return {
            name: _read_sheet(archive, part, codes, book)
            for name, part in book.parts.items()
            if part in archive.namelist()
        }


def place_name(place: Place) -> str:
    """The name of a cell, such as ``C17``."""
    row, column = place
    letters = ""
    while column:
        column, letter = divmod(column - 1, 26)
        letters = chr(ord("A") + letter) + letters
    return f"{letters}{row}"


def _read_book(archive: ZipFile) -> _Book:
    root = _targets(archive, "_rels/.rels", "")
    main = next((target for kind, target in root.values() if kind == "officeDocument"), "")
    main = main or "xl/workbook.xml"
    folder, _, name = main.rpartition("/")
    targets = _targets(archive, f"{folder}/_rels/{name}.rels", folder)
    book = _Book()

    def start(element: str, attributes: Mapping[str, str]) -> None:
        if element == "sheet":
            id_ = next((v for k, v in attributes.items() if _local(k) == "id"), "")
            book.parts[attributes.get("name", "")] = targets.get(id_, ("", ""))[1]
        elif element == "workbookPr":
            book.from_1904 = attributes.get("date1904") in ("1", "true")
        elif element == "calcPr":
            book.calculates_on_load = attributes.get("fullCalcOnLoad") in ("1", "true")

    _parse(archive, main, start)
    return book


def _targets(archive: ZipFile, part: str, folder: str) -> dict[str, tuple[str, str]]:
    """Relationships by id: the last word of their type, and the part they lead to."""
    targets: dict[str, tuple[str, str]] = {}

    def start(element: str, attributes: Mapping[str, str]) -> None:
        if element == "Relationship":
            kind = attributes.get("Type", "").rpartition("/")[2]
            target = posixpath.normpath(posixpath.join("/", folder, attributes.get("Target", "")))
            targets[attributes.get("Id", "")] = kind, target.lstrip("/")

    if part in archive.namelist():
        _parse(archive, part, start)
    return targets


def _read_format_codes(archive: ZipFile) -> list[str]:
    """The number format of each style of a cell."""
    codes, styles = dict(BUILT_IN), list[str]()
    within = False

    def start(element: str, attributes: Mapping[str, str]) -> None:
        nonlocal within
        if element in ("cellXfs", "cellStyleXfs"):
            within = element == "cellXfs"
        elif element == "numFmt":
            codes[int(attributes["numFmtId"])] = attributes.get("formatCode", "")
        elif element == "xf" and within:
            number = int(attributes.get("numFmtId", "0"))
            styles.append(codes.get(number, f"number {number}"))
        elif element == "dxfs":
            within = False

    name = next((name for name in archive.namelist() if name.endswith("xl/styles.xml")), None)
    if name is not None:
        _parse(archive, name, start)
    return styles


class _SheetReader:
    """Collects the cells of a sheet from the events of its XML."""

    def __init__(self, codes: list[str], book: _Book) -> None:
        self.cells = SheetCells()
        self._codes = codes
        self._book = book
        self._place = (0, 0)
        self._type = ""
        self._style = 0
        self._has_formula = False
        self._value: list[str] = []
        self._is_value = False

    def start(self, element: str, attributes: Mapping[str, str]) -> None:
        """Note a row, a cell, its formula or the beginning of its value."""
        if element == "row":
            self._place = int(attributes.get("r", self._place[0] + 1)), 0
        elif element == "c":
            match = _REFERENCE.fullmatch(attributes.get("r", ""))
            row, column = self._place
            self._place = (int(match[2]), _column(match[1])) if match else (row, column + 1)
            self._type = attributes.get("t", "n")
            self._style = int(attributes.get("s", "0"))
            self._has_formula = False
            self._value.clear()
        elif element == "f":
            self._has_formula = True
        elif element == "v":
            self._is_value = True

    def text(self, text: str) -> None:
        """Add to the value of the cell."""
        if self._is_value:
            self._value.append(text)

    def end(self, element: str) -> None:
        """Add the cell that ends here."""
        if element == "v":
            self._is_value = False
        elif element == "c":
            self._add("".join(self._value).strip())

    def _add(self, value: str) -> None:
        if self._type in _TEXT_TYPES:
            return
        is_uncalculated = not value or (self._book.calculates_on_load and value == "0")
        if self._has_formula and is_uncalculated:
            self.cells.problems[self._place] = f"is a formula without a value. {_CALCULATE}"
        elif self._type == "e":
            self.cells.problems[self._place] = f"is the error {value[:_MAX_SHOWN]}"
        elif self._type == "n" and value:
            self._add_number(value)

    def _add_number(self, value: str) -> None:
        code = self._codes[self._style] if self._style < len(self._codes) else GENERAL
        if code in (GENERAL, "@", ""):
            return
        try:
            shown = shown_number(float(value), code, from_1904=self._book.from_1904)
        except UnreadableFormatError:
            self.cells.problems[self._place] = (
                f"is {value[:_MAX_SHOWN]} in the number format {code[:_MAX_SHOWN]}, which is not "
                "read. Give the cell another format, or save the sheet as CSV UTF-8"
            )
            return
        if shown != value:
            self.cells.shown[self._place] = shown


def _read_sheet(archive: ZipFile, part: str, codes: list[str], book: _Book) -> SheetCells:
    reader = _SheetReader(codes, book)
    _parse(archive, part, reader.start, reader.end, reader.text)
    return reader.cells


def _column(letters: str) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number


def _local(name: str) -> str:
    return name.rpartition(":")[2]


def _parse(
    archive: ZipFile,
    part: str,
    start: StartElement,
    end: Callable[[str], None] | None = None,
    text: Callable[[str], None] | None = None,
) -> None:
    """Call the functions for the elements and texts of a part; a document type is refused."""
    parser = ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler = lambda name, attributes: start(_local(name), attributes)
    if end is not None:
        parser.EndElementHandler = lambda name: end(_local(name))
    parser.CharacterDataHandler = text
    parser.StartDoctypeDeclHandler = _refuse_doctype
    with archive.open(part) as file:
        while chunk := file.read(_CHUNK):
            parser.Parse(chunk)
        parser.Parse(b"", True)


def _refuse_doctype(*_: object) -> NoReturn:
    raise ValueError("a part has a document type")
