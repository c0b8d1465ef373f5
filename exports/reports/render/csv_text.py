"""A table as CSV: values with all digits, and their qualifiers in further columns."""

from __future__ import annotations

import csv
import io

from pagetrail.exports.reports.charts.style import safe
from pagetrail.exports.reports.model import Table, Value
from pagetrail.exports.writing.spreadsheet_csv import guarded


def csv_text(table: Table) -> str:
    """The table as CSV, UTF-8, lines ending in a line feed.

    The first column, ``row_kind``, tells rows from ``pooled`` and ``macro``. After each column come
    ``_low``, ``_high``, ``_se``, ``_reason``, ``_flag``, and what the value rests on: ``_n``,
    ``_tasks`` and ``_excluded``, and the ends of a range with its limits: ``_undecided``,
    ``_lower``, ``_upper``, ``_lower_low`` and ``_upper_high``, if any row has them. Shares are 0–1.
    Texts that a spreadsheet would run as a formula get an apostrophe in front.
    """
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([_cell(name) for name in table.frame])
    for record in table.records:
        writer.writerow([_cell(value) for value in record.values()])
    return out.getvalue()


def _cell(value: Value) -> Value:
    if isinstance(value, bool):
        return "true" if value else "false"
    if not isinstance(value, str):
        return value
    text = "".join(c if c in "\n\t" else safe(c) for c in value)
    return guarded(text)
