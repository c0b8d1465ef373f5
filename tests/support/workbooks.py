"""Excel workbooks as small as they can be, written part by part."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape
from zipfile import ZIP_DEFLATED, ZipFile

_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_STYLES = (
    f'<styleSheet xmlns="{_MAIN}"><cellXfs count="2"><xf numFmtId="0"/>'
    '<xf numFmtId="14" applyNumberFormat="1"/></cellXfs></styleSheet>'
)


def write_workbook(
    path: Path,
    sheets: Mapping[str, Sequence[Sequence[Any]]],
    *,
    hidden: Sequence[str] = (),
    first_row: int = 1,
) -> Path:
    """A workbook with these sheets: texts, numbers, booleans and dates; None is an empty cell."""
    parts = {
        f"xl/worksheets/sheet{n}.xml": sheet_xml(rows, first_row)
        for n, rows in enumerate(sheets.values(), 1)
    }
    return write_parts(path, list(sheets), parts, hidden)


def write_parts(
    path: Path, names: Sequence[str], sheets: Mapping[str, str], hidden: Sequence[str] = ()
) -> Path:
    """A workbook of the XML of its sheets."""
    numbered = list(enumerate(names, 1))
    sheet_list = "".join(
        f'<sheet name="{escape(name)}" sheetId="{n}" r:id="rId{n}"'
        f"{' state=' + chr(34) + 'hidden' + chr(34) if name in hidden else ''}/>"
        for n, name in numbered
    )
    kind = f"{_RELATIONS}/worksheet"
    related = "".join(
        f'<Relationship Id="rId{n}" Type="{kind}" Target="worksheets/sheet{n}.xml"/>'
        for n, _ in numbered
    )
    styles = f'<Relationship Id="rId99" Type="{_RELATIONS}/styles" Target="styles.xml"/>'
    root = f'<Relationship Id="r" Type="{_RELATIONS}/officeDocument" Target="xl/workbook.xml"/>'
    with ZipFile(path, "w", ZIP_DEFLATED) as archive:
        archive.writestr(
            "[Content_Types].xml",
            f'<Types xmlns="{_PACKAGE}/content-types"><Default Extension="xml" '
            'ContentType="application/xml"/></Types>',
        )
        archive.writestr("_rels/.rels", _relationships(root))
        archive.writestr(
            "xl/workbook.xml",
            f'<workbook xmlns="{_MAIN}" xmlns:r="{_RELATIONS}"><sheets>{sheet_list}</sheets>'
            "</workbook>",
        )
        archive.writestr("xl/_rels/workbook.xml.rels", _relationships(related + styles))
        archive.writestr("xl/styles.xml", _STYLES)
        for name, text in sheets.items():
            archive.writestr(name, text)
    return path


def sheet_xml(rows: Sequence[Sequence[Any]], first_row: int = 1) -> str:
    """A worksheet."""
    lines = [
        f'<row r="{n}">{"".join(map(_cell, row))}</row>' for n, row in enumerate(rows, first_row)
    ]
    return f'<worksheet xmlns="{_MAIN}"><sheetData>{"".join(lines)}</sheetData></worksheet>'


def _relationships(relationships: str) -> str:
    return f'<Relationships xmlns="{_PACKAGE}/relationships">{relationships}</Relationships>'


def _cell(value: Any) -> str:
    if value is None:
        return "<c/>"
    if isinstance(value, bool):
        return f'<c t="b"><v>{int(value)}</v></c>'
    if isinstance(value, date):
        return f'<c s="1"><v>{(value - date(1899, 12, 30)).days}</v></c>'
    if isinstance(value, str):
        return f'<c t="inlineStr"><is><t xml:space="preserve">{escape(value)}</t></is></c>'
    return f"<c><v>{value}</v></c>"
