"""CSV files of the administration's tables."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from decimal import Decimal

from pagetrail.storage.people.accounts import Person
from pagetrail.storage.progress.hours import Hours, Unit

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


HOURS_COLUMNS = (
    "name", "pseudonym", "group", "submitted", "skipped", "hours", "rate", "paid_per", "payment",
)  # fmt: skip


def hours_rows(
    found: Iterable[Hours], paid: tuple[Decimal, Unit] | None
) -> list[tuple[str | int, ...]]:
    """A row for each person; without a rate the last three cells are empty."""
    return [
        (each.name, each.pseudonym, each.group, each.submitted, each.skipped, str(each.hours))
        + (("", "", "") if paid is None else (str(paid[0]), paid[1], str(each.payment(*paid))))
        for each in found
    ]


def hours_csv(found: Iterable[Hours], paid: tuple[Decimal, Unit] | None) -> bytes:
    """Hours and payment as a CSV file."""
    return csv_file(HOURS_COLUMNS, hours_rows(found, paid))


def _guarded(cell: object) -> object:
    if isinstance(cell, str) and cell.lstrip(" ").startswith(_FORMULA):
        return f"'{cell}"
    return cell
