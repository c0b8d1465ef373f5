"""Formatting of values for people, the same in every form: digits, units, intervals, footnotes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pagetrail.annotation.messages import join_messages, lazy_gettext
from pagetrail.exports.reports.charts.style import clean
from pagetrail.exports.reports.model import Cell, Column, Report, Row, Table, Value
from pagetrail.exports.reports.render.reasons import flag_words, reason_words
from pagetrail.exports.writing.left_out import counted_words

UNDEFINED = "–"
MINUS = "\u2212"
MARKERS = "abcdefghijklmnopqrstuvwxyz"
_DIGITS = {"share": 1, "score": 3, "number": 2, "seconds": 1, "money": 4, "whole": 0}


@dataclass(frozen=True)
class FormattedCell:
    """A cell as it is shown.

    Attributes:
        value: digits, words, ``UNDEFINED``, or nothing where there is nothing to say.
        interval: ``[low, high]``, or nothing.
        undecided: number of undecided answers of a range, in words, or nothing.
        marker: letter of its footnote, or nothing.
        note: what the footnote says, or nothing.
    """

    value: str
    interval: str = ""
    marker: str = ""
    note: str = ""
    undecided: str = ""

    def joined(self, separator: str = " ") -> str:
        """Value, interval and number undecided in one."""
        return separator.join(part for part in (self.value, self.interval, self.undecided) if part)


class Footnotes:
    """The footnotes of one table, lettered in order of first use."""

    def __init__(self) -> None:
        self._letters: dict[str, str] = {}

    def letter(self, note: str) -> str:
        """The letter of a footnote; equal notes share one."""
        number = len(self._letters)
        # After z come aa, ab and so on.
        fresh = MARKERS[number] if number < 26 else MARKERS[number // 26 - 1] + MARKERS[number % 26]
        return self._letters.setdefault(note, fresh)

    @property
    def all(self) -> list[tuple[str, str]]:
        """(letter, words) in order."""
        return [(letter, note) for note, letter in self._letters.items()]


def heading(column: Column) -> str:
    """The column's label with its unit, unless the label includes it."""
    label = clean(column.label)
    unit = {"share": "%", "seconds": "s"}.get(column.kind)
    has_unit = unit is None or "%" in label or label.endswith((" s", "(s)")) or "second" in label
    return label if has_unit else f"{label} ({unit})"


def format_cell(cell: Cell, column: Column, notes: Footnotes, basis: str = "") -> FormattedCell:
    """A cell with the column's digits, and a footnote if it is undefined or flagged.

    Args:
        basis: as of ``basis_words``.
    """
    if cell.value is None:
        if cell.reason is None:
            return FormattedCell("")
        words = lazy_gettext("undefined: {reason}", reason=reason_words(cell.reason))
        return FormattedCell(UNDEFINED, marker=notes.letter(words), note=words)
    value, undecided = digits(cell.value, column), ""
    low, high = cell.low, cell.high
    if cell.undecided:
        value = range_words(digits(cell.lower, column), digits(cell.upper, column))
        undecided = undecided_words(cell.undecided)
        low, high = cell.lower_low, cell.upper_high
    interval = ""
    if low is not None and high is not None:
        interval = f"[{digits(low, column)}, {digits(high, column)}]"
    notes_of = [join_messages([basis, *_excluded(cell)], ", ")] if basis else []
    notes_of += [flag_words(cell.flag)] if cell.flag else []
    if cell.reason is not None:
        # There is a value, but no interval.
        notes_of.append(lazy_gettext("no interval: {reason}", reason=reason_words(cell.reason)))
    words = join_messages(notes_of, "; ")
    marker = notes.letter(words) if words else ""
    return FormattedCell(value, interval, marker, words, undecided)


def range_words(lower: str, upper: str) -> str:
    """Both ends of a range: "60.0–75.0", and in words where an end has a sign."""
    if MINUS in lower + upper:
        return lazy_gettext("{lower} to {upper}", lower=lower, upper=upper)
    return f"{lower}–{upper}"


def undecided_words(number: int) -> str:
    """How many answers of a range nothing decided."""
    return lazy_gettext("({number:,} undecided)", number=number)


def basis_words(table: Table, row: Row, cell: Cell) -> str:
    """The number of cases behind a value, if it differs from the row's."""
    if table.unit_column is None or cell.value is None or cell.n is None:
        return ""
    tasks = row.cells["tasks"].value if "tasks" in row.cells else cell.tasks
    in_row = (row.cells[table.unit_column].value, tasks)
    if (cell.n, tasks if cell.tasks is None else cell.tasks) == in_row:
        return ""
    units = counted_words(table.unit_column.removesuffix("s"), cell.n)
    if cell.tasks is None:
        return lazy_gettext("n = {units}", units=units)
    return lazy_gettext(
        "n = {units} at {tasks}", units=units, tasks=counted_words("task", cell.tasks)
    )


def _excluded(cell: Cell) -> list[str]:
    excluded = (cell.excluded or {}).items()
    return [
        lazy_gettext("{number:,} left out: {reason}", number=n, reason=reason_words(reason))
        for reason, n in excluded
    ]


def digits(value: Value, column: Column) -> str:
    """A value with its column's digits; words on one line."""
    if isinstance(value, bool):
        return lazy_gettext("yes") if value else lazy_gettext("no")
    if value is None or isinstance(value, str):
        return clean(value) if value else ""
    if column.kind in ("text", "count"):
        text = f"{value:,}" if isinstance(value, int) else f"{value:,g}"
    else:
        number = 100 * value if column.kind == "share" else value
        text = f"{number:,.{_DIGITS[column.kind]}f}"
    # A value that rounds to 0 has no sign.
    bare = text.lstrip("-") if not text.strip("-0.,") else text
    return bare.replace("-", MINUS)


def rows_shown(table: Table) -> tuple[list[list[FormattedCell]], list[tuple[str, str]]]:
    """All cells of a table, row by row, and its footnotes."""
    notes = Footnotes()
    rows = [
        [
            format_cell(cell, column, notes, basis_words(table, row, cell))
            for column, cell in zip(table.columns, row.cells.values(), strict=True)
        ]
        for row in table.rows
    ]
    return rows, notes.all


def label(name: str) -> str:
    """The name of a fact or a choice as a label."""
    words = clean(name).replace("_", " ")
    return words[:1].upper() + words[1:]


def plain_value(value: Value | Sequence[Value]) -> str:
    """A choice as words."""
    if value is None:
        return lazy_gettext("none")
    if isinstance(value, bool):
        return lazy_gettext("yes") if value else lazy_gettext("no")
    if isinstance(value, str):
        return clean(value) if value else lazy_gettext("none")
    if isinstance(value, int | float):
        return f"{value:,}" if abs(value) < 10_000 else f"{value}"
    return (
        join_messages([plain_value(item) for item in value], ", ")
        if value
        else lazy_gettext("none")
    )


def definitions(report: Report) -> list[tuple[str, str]]:
    """(heading, explanation) of every column with an explanation, without repeats, in order."""
    columns = {
        (heading(column), column.help): None
        for table in report.tables
        for column in table.columns
        if column.help
    }
    return list(columns)


READING = (
    lazy_gettext(
        "{undefined} is an undefined value, and its letter says why; it is never counted as 0. An "
        "empty cell has nothing to say.",
        undefined=UNDEFINED,
    ),
    lazy_gettext("[low, high] is an interval of 95 % unless the choices say otherwise."),
    lazy_gettext(
        "Two rows may stand for the whole: “pooled” takes all units together, “macro” is the mean "
        "of the rows above it."
    ),
)
"""How to read the values, below every report."""
