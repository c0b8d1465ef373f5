"""Prints a report in a terminal, with tables that fit the window."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich import box
from rich.cells import cell_len
from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.table import Table as Grid
from rich.text import Text

from pagetrail.exports.reports.charts.style import clean
from pagetrail.exports.reports.model import Chart, Column, Report, Section, Table
from pagetrail.exports.reports.render.formatting import (
    READING,
    FormattedCell,
    heading,
    label,
    plain_value,
    rows_shown,
)
from pagetrail.exports.writing.left_out import left_out_words

NARROWEST, WIDEST = 60, 120
LONGEST_NAME = 34
"""Width above which a text column is folded."""

_RAISED = str.maketrans("abcdefghijklmnoprstuvwxyz", "ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ")
_COLUMN_GAP = 2
"""Characters between columns."""


def show(report: Report, console: Console) -> None:
    """Print a report."""
    width = max(NARROWEST, min(WIDEST, console.width))
    for part in renderables(report, width):
        console.print(part, width=width, highlight=False)


def renderables(report: Report, width: int) -> Iterator[RenderableType]:
    """The parts to print, for a window of this width in characters."""
    yield Text(clean(report.title), style="bold")
    yield _labelled("Campaign", f"{clean(report.campaign)} (protocol {clean(report.protocol)})")
    yield _labelled("Rests on", "; ".join(f"{label(k)}: {n:,}" for k, n in report.facts.items()))
    if report.choices:
        choices = (f"{label(k)}: {plain_value(v)}" for k, v in report.choices.items())
        yield _labelled("Choices", "; ".join(choices))
    for section in report.sections:
        yield from _section(section, width)
    if report.left_out:
        yield _rule("Left out")
        yield from (Text(f"{left_out_words(entry)}.") for entry in report.left_out)
    yield _rule("Reading the results")
    yield from (Text(line, style="dim") for line in READING)


def _labelled(label: str, text: str) -> Text:
    return Text.assemble((f"{label}: ", "bold"), text)


def _rule(title: str) -> Text:
    return Text(f"\n{clean(title)}\n" + "─" * cell_len(clean(title)), style="bold")


def _section(section: Section, width: int) -> Iterator[RenderableType]:
    yield _rule(section.title)
    yield from (Text(clean(note)) for note in section.notes)
    for part in section.parts:
        if isinstance(part, Chart):
            yield Text.assemble("\n", ("Chart: ", "bold"), clean(part.title))
        else:
            yield from _terminal_table(part, width)


def _terminal_table(table: Table, width: int) -> Iterator[RenderableType]:
    rows, notes = rows_shown(table)
    title = Text.assemble("\n", (clean(table.title), "bold"))
    if table.question and table.question != table.title:
        title.append(f"\n{clean(table.question)}", style="italic")
    yield title
    if not rows:
        yield Text("Nothing to show.")
    else:
        yield from _grids(table, rows, width)
    beneath = [f"{letter.translate(_RAISED)} {note}" for letter, note in notes]
    beneath += [clean(note) for note in table.notes]
    if beneath:
        yield Padding(Text("\n".join(beneath), style="dim"), (0, 0, 0, 1))


def _grids(table: Table, rows: Sequence[Sequence[FormattedCell]], width: int) -> Iterator[Grid]:
    """The table in one piece; if it is too wide, headings wrap, then cells, then it is split."""
    for broken, stacked in ((False, False), (True, False), (True, True)):
        texts = [[_cell(cell, stacked) for cell in row] for row in rows]
        widths = [
            max(_heading_width(column, broken), *(_width(column, row[i]) for row in texts))
            for i, column in enumerate(table.columns)
        ]
        pieces = _pieces(table.columns, widths, width)
        if len(pieces) == 1:
            break
    for positions in pieces:
        yield _grid(table, texts, positions, widths, last=positions is pieces[-1])


def _heading_width(column: Column, broken: bool) -> int:
    """Width of the label on one line, or wrapped to about three."""
    words = heading(column)
    if not broken:
        return cell_len(words)
    return max(cell_len(words) // 3, *(cell_len(word) for word in words.split(" ")))


def _pieces(columns: Sequence[Column], widths: Sequence[int], room: int) -> list[list[int]]:
    """The columns of each piece; all begin with the columns that identify a row."""
    lead = 0
    while lead < min(2, len(columns) - 1) and columns[lead].kind == "text":
        lead += 1
    used = sum(widths[i] + _COLUMN_GAP for i in range(lead))
    pieces: list[list[int]] = [list(range(lead))]
    left = room - used
    for i in range(lead, len(columns)):
        need = widths[i] + _COLUMN_GAP
        if need > left and len(pieces[-1]) > lead:
            pieces.append(list(range(lead)))
            left = room - used
        pieces[-1].append(i)
        left -= need
    return pieces


def _grid(
    table: Table,
    texts: Sequence[Sequence[str]],
    positions: Sequence[int],
    widths: Sequence[int],
    *,
    last: bool,
) -> Grid:
    grid = Grid(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0), show_edge=False)
    for i in positions:
        column = table.columns[i]
        words = column.kind == "text"
        grid.add_column(
            Text(heading(column)),
            justify="left" if words else "right",
            overflow="fold",
            width=widths[i],
            vertical="top",
        )
    before = "row"
    for row, line in zip(table.rows, texts, strict=True):
        if row.kind != before == "row" and grid.row_count:
            grid.add_section()
        before = row.kind
        grid.add_row(*(Text(line[i]) for i in positions), style="" if row.kind == "row" else "bold")
    grid.caption = None if last else Text("continued below", style="dim italic")
    grid.caption_justify = "right"
    return grid


def _cell(cell: FormattedCell, stacked: bool) -> str:
    return cell.joined("\n" if stacked else " ") + cell.marker.translate(_RAISED)


def _width(column: Column, text: str) -> int:
    longest = max(cell_len(line) for line in text.split("\n"))
    if column.kind == "text":
        return min(longest, LONGEST_NAME)
    return longest
