"""CSV files of the administration's tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from decimal import Decimal

from pagetrail.exports.writing.spreadsheet_csv import spreadsheet_csv
from pagetrail.storage.people.accounts import Person
from pagetrail.storage.progress.hours import Hours


def mapping_csv(people: Iterable[Person]) -> bytes:
    """Pseudonyms and the names behind them."""
    rows = [(person.pseudonym, person.name, person.role) for person in people]
    return spreadsheet_csv(("pseudonym", "name", "role"), rows)


HOURS_COLUMNS = (
    "name", "pseudonym", "group", "submitted", "skipped", "hours", "rate", "paid_per", "payment",
    "currency", "campaign", "active_ms", "time_corrected",
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
            entry.time_corrected,
        )
        for entry in hours
    ]


def hours_csv(hours: Iterable[Hours]) -> bytes:
    """Hours and payment as a CSV file."""
    return spreadsheet_csv(HOURS_COLUMNS, hours_rows(hours))


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
