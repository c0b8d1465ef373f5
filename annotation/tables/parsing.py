"""Reads tables written as HTML or Markdown, however broken, into grids.

HTML is read for its texts and spans only: nothing of it is kept as markup. Every table is read with
the nearest meaning that has a grid, and ``ParsedTable.repairs`` says what was not as it should be.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html import unescape
from itertools import pairwise
from typing import Literal, NamedTuple

from pagetrail.annotation.messages import N_
from pagetrail.annotation.tables.grid import MAX_COLUMNS, Cell, Grid, check_size

MAX_CELL_CHARACTERS = 20_000

Repair = Literal[
    "cells_added", "spans_shortened", "nested_table", "text_outside_cells", "text_shortened"
]
REPAIRS: dict[Repair, str] = {
    "cells_added": N_("rows of different lengths: empty cells were added"),
    "spans_shortened": N_("cells that overlap others or reach beyond the table were shortened"),
    "nested_table": N_("a table within a cell became text of the cell"),
    "text_outside_cells": N_("text outside of cells got a row of its own"),
    "text_shortened": N_("cells of more than 20,000 characters were cut"),
}
"""What was repaired, in words."""

_TOKEN = re.compile(
    r"""(?P<comment><!--.*?(?:-->|\Z))
    |<(?P<end>/?)(?P<tag>[a-z][a-z0-9:-]*+)(?P<attributes>(?:[^<>"']|"[^"]*"|'[^']*')*+)>
    |<(?P<broken_end>/?)(?P<broken_tag>[a-z][a-z0-9:-]*+)(?P<broken_attributes>[^<>]*+)>
    |(?P<text>[^<]++|<)""",
    re.IGNORECASE | re.DOTALL | re.VERBOSE,
)
"""A comment, a tag, a tag with a quote that is not closed, or text. No alternative reads a
character more than a few times, so that broken input takes no longer than other."""
_ATTRIBUTE = re.compile(
    r"""(?<![^\s"'/])([^\s"'=/<>]++)\s*+=\s*+(?:"([^"]*)"|'([^']*)'|["']?([^\s"']*))"""
)
_SPAN = re.compile(r"\s*\+?(\d{1,12})")
_BLOCKS = frozenset({"p", "div", "li", "ul", "ol", "h1", "h2", "h3", "h4", "h5", "h6", "hr"})
_HIDDEN_TAGS = frozenset({"script", "style", "template", "head", "title", "noscript"})
_ROW_GROUPS = frozenset({"thead", "tbody", "tfoot"})
_SUPERSCRIPTS = str.maketrans("0123456789+-=()n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿ")
_SUBSCRIPTS = str.maketrans("0123456789+-=()", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎")
_TABLE_TAG = re.compile(r"<(/?)table\b", re.IGNORECASE)
_DELIMITER_ROW = re.compile(r"\|?:?-+:?(\|:?-+:?)*\|?")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_MARKDOWN_ESCAPE = re.compile(r"\\([\\|<&])|(<br\s*/?>)|(&#?\w{1,40};)", re.IGNORECASE)


class ParsedTable(NamedTuple):
    """A table that was read.

    Attributes:
        repairs: what was not as it should be, sorted.
    """

    grid: Grid
    repairs: tuple[Repair, ...] = ()


def parse_tables(text: str) -> list[ParsedTable]:
    """All tables in Markdown, in their order: those written in HTML and those with pipes.

    Raises:
        GridTooLarge: a table has more cells than a grid may have.
    """
    tables = []
    position = 0
    for start, end in _html_tables(text):
        tables += parse_markdown_tables(text[position:start]) + parse_html_tables(text[start:end])
        position = end
    return tables + parse_markdown_tables(text[position:])


def parse_html_tables(html: str) -> list[ParsedTable]:
    """The tables of an HTML text; tables within cells are text of these.

    Raises:
        GridTooLarge: a table has more cells than a grid may have.
    """
    reader = _TableReader()
    for token in _TOKEN.finditer(html):
        name = token["tag"] or token["broken_tag"]
        if token["text"]:
            reader.read_text(unescape(token["text"]))
        elif name and (token["end"] or token["broken_end"]):
            reader.read_end_tag(name.lower())
        elif name:
            attributes = token["attributes"] or token["broken_attributes"] or ""
            reader.read_start_tag(name.lower(), _attributes(attributes))
    reader.close_table()
    return [table.parse() for table in reader.tables]


def parse_markdown_tables(markdown: str) -> list[ParsedTable]:
    """The pipe tables of a Markdown text, outside of fenced code.

    As in GitHub Flavored Markdown, but cells beyond the header row are kept.

    Raises:
        GridTooLarge: a table has more cells than a grid may have.
    """
    tables = []
    rows: list[list[str]] = []
    lines = [*_lines_outside_code(markdown), "", ""]
    for line, next_line in pairwise(lines):
        if rows and "|" in line:
            rows.append(_markdown_cells(line))
        elif rows:
            tables.append(_markdown_table(rows))
            rows = []
        elif "|" in line and _DELIMITER_ROW.fullmatch("".join(next_line.split())):
            rows = [_markdown_cells(line)]
    return tables


def _attributes(text: str) -> dict[str, str]:
    return {
        match[1].lower(): unescape(match[2] or match[3] or match[4] or "")
        for match in reversed(list(_ATTRIBUTE.finditer(text)))
    }


def _html_tables(text: str) -> list[tuple[int, int]]:
    """Where HTML tables begin and end; a table that is not closed ends with the text."""
    spans = []
    depth = start = 0
    for tag in _TABLE_TAG.finditer(text):
        if not tag[1]:
            start = tag.start() if depth == 0 else start
            depth += 1
        elif depth:
            depth -= 1
            if depth == 0:
                end = text.find(">", tag.end())
                spans.append((start, len(text) if end < 0 else end + 1))
    if depth:
        spans.append((start, len(text)))
    return spans


def _lines_outside_code(markdown: str) -> list[str]:
    lines = []
    fence = ""
    for line in markdown.splitlines():
        opening = _FENCE.match(line)
        if opening and (not fence or line.strip().startswith(fence)):
            fence = "" if fence else opening[1]
            lines.append("")
        else:
            lines.append("" if fence else line)
    return lines


def _markdown_cells(line: str) -> list[str]:
    """The cells of a row; a backslash before a pipe makes it text."""
    texts = re.split(r"(?<!\\)((?:\\\\)*)\|", line.strip())
    # The backslashes before a separator, which the pattern captures, belong to the cell before it.
    cells = [text + slashes for text, slashes in zip(texts[::2], [*texts[1::2], ""], strict=True)]
    if not cells[0].strip():
        cells = cells[1:]
    if cells and not cells[-1].strip():
        cells = cells[:-1]
    return [_markdown_text(cell) for cell in cells]


def _markdown_text(cell: str) -> str:
    def unescaped(match: re.Match[str]) -> str:
        return match[1] or ("\n" if match[2] else unescape(match[3]))

    return _MARKDOWN_ESCAPE.sub(unescaped, cell.strip())


def _markdown_table(rows: list[list[str]]) -> ParsedTable:
    body = rows[2:]
    n_columns = max(map(len, [rows[0], *body]))
    check_size(len(body) + 1, n_columns)
    is_ragged = any(len(row) < n_columns for row in [rows[0], *body])
    texts = [[text[:MAX_CELL_CHARACTERS] for text in row] for row in [rows[0], *body]]
    repairs: list[Repair] = ["cells_added"] if is_ragged else []
    if any(len(text) > MAX_CELL_CHARACTERS for row in rows for text in row):
        repairs.append("text_shortened")
    padded_rows = [row + [""] * (n_columns - len(row)) for row in texts]
    return ParsedTable(Grid.from_texts(padded_rows, n_header_rows=1), tuple(sorted(repairs)))


@dataclass
class _OpenCell:
    is_header: bool
    rowspan: int
    colspan: int
    parts: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return _tidy_text("".join(self.parts))


@dataclass
class _OpenTable:
    rows: list[list[_OpenCell]] = field(default_factory=list)
    groups: list[int] = field(default_factory=list)
    group: int = 0
    is_in_head: bool = False
    cell: _OpenCell | None = None
    is_row_open: bool = False
    outside_cell: _OpenCell | None = None
    caption: list[str] = field(default_factory=list)
    is_caption_open: bool = False
    repairs: set[Repair] = field(default_factory=set)

    def open_row(self) -> None:
        self.close_cell()
        self.rows.append([])
        self.groups.append(self.group)
        self.is_row_open = True
        self.outside_cell = None

    def open_cell(self, cell: _OpenCell) -> None:
        self.close_cell()
        if not self.is_row_open:
            self.open_row()
        self.cell = cell
        self.outside_cell = None
        self.rows[-1].append(cell)

    def close_cell(self) -> None:
        self.cell = None
        self.is_caption_open = False

    def close_row(self) -> None:
        self.close_cell()
        self.is_row_open = False

    def begin_group(self, *, is_in_head: bool) -> None:
        self.close_row()
        self.group += 1
        self.is_in_head = is_in_head

    def write(self, text: str) -> None:
        if self.is_caption_open:
            self.caption.append(text)
        elif self.cell is not None:
            self.cell.parts.append(text)
        elif text.strip():
            self.repairs.add("text_outside_cells")
            if self.outside_cell is None:
                self.close_row()
                outside_cell = _OpenCell(is_header=False, rowspan=1, colspan=1)
                self.open_cell(outside_cell)
                self.close_row()
                self.outside_cell = outside_cell
            self.outside_cell.parts.append(text)

    def parse(self) -> ParsedTable:
        cells, n_columns = self._place_cells()
        grid = Grid.from_cells(cells, len(self.rows), n_columns, _tidy_text("".join(self.caption)))
        if len(grid.cells) > len(cells):
            self.repairs.add("cells_added")
        return ParsedTable(grid, tuple(sorted(self.repairs)))

    def _group_ends(self) -> list[int]:
        """For each row, the row that its row group ends before."""
        ends: list[int] = []
        for row in reversed(range(len(self.rows))):
            is_same_group = bool(ends) and self.groups[row] == self.groups[row + 1]
            ends.append(ends[-1] if is_same_group else row + 1)
        return ends[::-1]

    def _place_cells(self) -> tuple[list[Cell], int]:
        """Each cell in the first free slot of its row, with the span that is free.

        As the table model of HTML, except that no slot is given to two cells. A span of more
        columns than a table may have is that of the whole table.
        """
        covered_slots: set[tuple[int, int]] = set()
        placed_cells = []
        width = 0
        group_ends = self._group_ends()
        for row, cells in enumerate(self.rows):
            column = 0
            for cell in cells:
                while (row, column) in covered_slots:
                    column += 1
                rowspan = self._rowspan(cell, group_ends[row] - row)
                is_full_width = cell.colspan > MAX_COLUMNS
                colspan = 1 if is_full_width else cell.colspan
                free_colspan = next(
                    (n for n in range(1, colspan) if (row, column + n) in covered_slots), colspan
                )
                if free_colspan < colspan or is_full_width:
                    self.repairs.add("spans_shortened")
                check_size(len(self.rows), column + free_colspan)
                placed_cell = self._grid_cell(cell, row, column, rowspan, free_colspan)
                covered_slots.update(placed_cell.slots)
                placed_cells.append((placed_cell, is_full_width))
                column += free_colspan
                width = max(width, column)
        cells_at_width = [
            self._widen(cell, width, covered_slots) if is_full_width else cell
            for cell, is_full_width in placed_cells
        ]
        return cells_at_width, width

    def _widen(self, cell: Cell, width: int, covered_slots: set[tuple[int, int]]) -> Cell:
        end = cell.column + 1
        rows = range(cell.row, cell.row + cell.rowspan)
        while end < width and not any((row, end) in covered_slots for row in rows):
            end += 1
        widened = cell._replace(colspan=end - cell.column)
        covered_slots.update(widened.slots)
        return widened

    def _rowspan(self, cell: _OpenCell, n_rows: int) -> int:
        """Rows that a cell covers, of those left in its row group; 0 stands for all of them."""
        if cell.rowspan > n_rows:
            self.repairs.add("spans_shortened")
        return n_rows if cell.rowspan == 0 else min(cell.rowspan, n_rows)

    def _grid_cell(
        self, cell: _OpenCell, row: int, column: int, rowspan: int, colspan: int
    ) -> Cell:
        text = cell.text
        if len(text) > MAX_CELL_CHARACTERS:
            self.repairs.add("text_shortened")
            text = text[:MAX_CELL_CHARACTERS]
        return Cell(row, column, text, rowspan, colspan, cell.is_header)


class _TableReader:
    """Builds tables from the tags and texts of an HTML document."""

    def __init__(self) -> None:
        self.tables: list[_OpenTable] = []
        self._table: _OpenTable | None = None
        self._depth = 0
        self._hidden_depth = 0
        self._script: Literal["sup", "sub"] | None = None

    def close_table(self) -> None:
        if self._table is not None:
            self._table.close_row()
        self._table = None
        self._depth = 0

    def read_start_tag(self, tag: str, attributes: dict[str, str]) -> None:
        table = self._table
        if tag in ("table", "tr", "td", "th"):
            self._hidden_depth = 0
        if tag in _HIDDEN_TAGS:
            self._hidden_depth += 1
        elif tag == "table":
            self._begin_table()
        elif table is None:
            return
        elif self._depth > 1:
            self._write(_nested_space(tag))
        elif tag == "tr":
            table.close_row()
            table.open_row()
        elif tag in _ROW_GROUPS:
            table.begin_group(is_in_head=tag == "thead")
        elif tag in ("td", "th"):
            cell = _OpenCell(
                is_header=tag == "th" or table.is_in_head,
                rowspan=_span_of(attributes.get("rowspan"), least=0),
                colspan=_span_of(attributes.get("colspan"), least=1),
            )
            table.open_cell(cell)
        elif tag == "caption":
            table.close_row()
            table.is_caption_open = True
        elif tag in ("sup", "sub"):
            self._script = "sup" if tag == "sup" else "sub"
        elif tag == "img":
            self._write(attributes.get("alt", ""))
        elif tag == "br" or tag in _BLOCKS:
            self._break_line()

    def read_end_tag(self, tag: str) -> None:
        table = self._table
        if tag in _HIDDEN_TAGS:
            self._hidden_depth = max(0, self._hidden_depth - 1)
        elif table is None:
            return
        elif tag == "table":
            self._depth -= 1
            if self._depth == 0:
                self.close_table()
        elif self._depth > 1:
            self._write(_nested_space(tag))
        elif tag in ("td", "th", "caption"):
            table.close_cell()
        elif tag == "tr":
            table.close_row()
        elif tag in _ROW_GROUPS:
            table.begin_group(is_in_head=False)
        elif tag in ("sup", "sub"):
            self._script = None
        elif tag in _BLOCKS:
            self._break_line()

    def read_text(self, source: str) -> None:
        if self._table is None or self._hidden_depth:
            return
        # Line breaks of the source are spaces, as in HTML.
        text = re.sub(r"[ \t\r\n\f]+", " ", source)
        self._write(_as_script(text, self._script))

    def _begin_table(self) -> None:
        if self._table is not None and self._table.cell is not None:
            self._depth += 1
            self._table.repairs.add("nested_table")
            self._break_line()
            return
        self.close_table()
        self._script = None
        self._table = _OpenTable()
        self._depth = 1
        self.tables.append(self._table)

    def _write(self, text: str) -> None:
        if self._table is not None and text:
            self._table.write(text)

    def _break_line(self) -> None:
        if self._table is not None and self._table.cell is not None:
            self._table.write("\n")


def _nested_space(tag: str) -> str:
    """What separates the texts of a table within a cell."""
    return "\n" if tag in ("tr", "br") or tag in _BLOCKS else " " if tag in ("td", "th") else ""


def _span_of(value: str | None, least: int) -> int:
    number = _SPAN.match(value or "")
    return max(least, int(number[1])) if number else 1


def _as_script(text: str, script: Literal["sup", "sub"] | None) -> str:
    """Digits of ``<sup>`` and ``<sub>`` as Unicode has them: 1⁽²⁾ must not become 12."""
    if script is None or not text.strip():
        return text
    table = _SUPERSCRIPTS if script == "sup" else _SUBSCRIPTS
    if all(ord(character) in table for character in text.strip()):
        return text.translate(table)
    return text


def _tidy_text(text: str) -> str:
    """Lines without surrounding space, and no empty line at the ends or twice in a row."""
    lines = [" ".join(line.split()) for line in text.split("\n")]
    return re.sub(r"\n{2,}", "\n", "\n".join(lines)).strip("\n")
