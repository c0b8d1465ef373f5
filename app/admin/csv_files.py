"""CSV files of the administration's tables."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

from pagetrail.storage.people.accounts import Person

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")


def csv_file(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> bytes:
    """CSV in UTF-8; a text that a spreadsheet would run as a formula gets an apostrophe."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    for row in rows:
        writer.writerow([_guarded(cell) for cell in row])
    return out.getvalue().encode("utf-8", "backslashreplace")


def mapping_csv(people: Iterable[Person]) -> bytes:
    """Pseudonyms and the names behind them."""
    rows = [(person.pseudonym, person.name, person.role) for person in people]
    return csv_file(("pseudonym", "name", "role"), rows)


def _guarded(cell: object) -> object:
    if isinstance(cell, str) and cell.lstrip(" ").startswith(_FORMULA):
        return f"'{cell}"
    return cell
