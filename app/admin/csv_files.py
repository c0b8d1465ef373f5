"""CSV files of the administration's tables."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal

from pagetrail.storage.people.accounts import Person
from pagetrail.storage.progress.hours import Hours

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
    "currency", "campaign", "active_ms",
)  # fmt: skip


def hours_rows(hours: Iterable[Hours]) -> list[tuple[str | int, ...]]:
    """A row per person and campaign; without a rate, its columns are empty."""
    return [
        (
            entry.name,
            entry.pseudonym,
            entry.group,
            entry.submitted,
            entry.skipped,
            str(entry.hours),
            *(
                ("", "", "", "")
                if (rate := entry.rate) is None
                else (str(rate.amount), rate.unit, str(entry.payment), rate.currency)
            ),
            entry.campaign,
            entry.active_ms,
        )
        for entry in hours
    ]


def hours_csv(hours: Iterable[Hours]) -> bytes:
    """Hours and payment as a CSV file."""
    return csv_file(HOURS_COLUMNS, hours_rows(hours))


def payment_totals(hours: Iterable[Hours], format_amount: Callable[[float, int], str]) -> str:
    """Payment per currency, such as ``1,250.00 EUR and 80.00 USD``; may be empty.

    Args:
        format_amount: writes an amount with that many decimals.
    """
    sums: dict[str, Decimal] = {}
    for entry in hours:
        if entry.rate is not None and entry.payment is not None:
            sums[entry.rate.currency] = sums.get(entry.rate.currency, Decimal()) + entry.payment
    return " and ".join(
        f"{format_amount(float(amount), 2)} {currency}".strip()
        for currency, amount in sorted(sums.items())
    )


def _guarded(cell: object) -> object:
    if isinstance(cell, str) and cell.lstrip(" ").startswith(_FORMULA):
        return f"'{cell}"
    return cell
