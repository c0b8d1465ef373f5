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
    "currency", "campaign",
)  # fmt: skip


def hours_rows(found: Iterable[Hours]) -> list[tuple[str | int, ...]]:
    """A row for each person and campaign; what a rate gives is empty without one."""
    return [
        (
            each.name, each.pseudonym, each.group, each.submitted, each.skipped, str(each.hours),
            *(
                ("", "", "", "")
                if (rate := each.rate) is None
                else (str(rate.amount), rate.unit, str(each.payment), rate.currency)
            ),
            each.campaign,
        )
        for each in found
    ]  # fmt: skip


def hours_csv(found: Iterable[Hours]) -> bytes:
    """Hours and payment as a CSV file."""
    return csv_file(HOURS_COLUMNS, hours_rows(found))


def totals(found: Iterable[Hours], written: Callable[[float, int], str]) -> str:
    """What is to be paid in each currency, such as ``1,250.00 EUR and 80.00 USD``; or empty.

    Args:
        written: an amount with so many decimal places, as the reader writes numbers.
    """
    sums: dict[str, Decimal] = {}
    for each in found:
        if each.rate is not None and each.payment is not None:
            sums[each.rate.currency] = sums.get(each.rate.currency, Decimal()) + each.payment
    return " and ".join(
        f"{written(float(amount), 2)} {currency}".strip()
        for currency, amount in sorted(sums.items())
    )


def _guarded(cell: object) -> object:
    if isinstance(cell, str) and cell.lstrip(" ").startswith(_FORMULA):
        return f"'{cell}"
    return cell
