"""Rates of pay: an amount of money per hour at work, or per submitted task."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Literal, cast, get_args

from pagetrail.annotation.errors import PagetrailError
from pagetrail.annotation.messages import gettext

Unit = Literal["hour", "task"]
"""What is paid for: an hour at work, or a submitted task."""
MAX_AMOUNT = 1_000_000


@dataclass(frozen=True)
class PayRate:
    """An amount of money per unit of work.

    Attributes:
        currency: three capital letters (ISO 4217); empty for a rate that is not stored.
    """

    amount: Decimal
    unit: Unit
    currency: str = ""

    @classmethod
    def parse(cls, amount: str, unit: str, currency: str = "") -> PayRate:
        """Parse a rate that a person entered.

        Raises:
            PagetrailError: no amount, unit or currency (code ``invalid_rate``).
        """
        try:
            number = Decimal(amount.strip())
        except InvalidOperation:
            number = Decimal(-1)
        if not (number.is_finite() and 0 <= number <= MAX_AMOUNT):
            raise PagetrailError(
                gettext("{amount!r} is no rate. Give a number such as 15.50.", amount=amount[:40]),
                code="invalid_rate",
            )
        if unit not in get_args(Unit):
            raise PagetrailError(gettext("A rate is per hour or per task."), code="invalid_rate")
        code = currency.strip().upper()
        if code and not (len(code) == 3 and code.isascii() and code.isalpha()):
            raise PagetrailError(
                gettext(
                    "{currency!r} is no currency. Give its three letters, such as EUR.",
                    currency=currency[:40],
                ),
                code="invalid_rate",
            )
        return cls(number, cast(Unit, unit), code)

    def __str__(self) -> str:
        return self._words(str(self.amount))

    def formatted(self, number: Callable[[float, int], str]) -> str:
        """The rate in words; ``number`` formats the amount with a number of decimal places."""
        decimals = max(0, -int(self.amount.as_tuple().exponent))
        return self._words(number(float(self.amount), decimals))

    def _words(self, amount: str) -> str:
        return " ".join(filter(None, (amount, self.currency, f"per {self.unit}")))
