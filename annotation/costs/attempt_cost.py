"""What one attempt cost: dollars of a system's models, or pay of a person."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from pagetrail.annotation.costs.pay_rate import PayRate
from pagetrail.annotation.costs.price_table import DOLLARS, PriceTable
from pagetrail.annotation.events.agents import ModelTotal

CostBasis = Literal["stated", "prices", "pay_rate"]
"""Where an amount comes from: the run itself, the price table, or the campaign's rates of pay."""

SECONDS_PER_HOUR = 3_600

SEVERAL_CURRENCIES = "several_currencies"
"""Why amounts have no sum."""


@dataclass(frozen=True, slots=True)
class AttemptCost:
    """A cost, or why it is unknown.

    Attributes:
        currency: three letters; None where there is no amount.
        reason: ``no_usage``: neither dollars nor tokens are stated; ``tokens_incomplete``: some
            calls or kinds of tokens are missing; ``tokens_contradict``: more cached tokens than
            input; ``no_price_table``; ``no_model_name``; ``no_price``: not in the price table;
            ``no_pay_rate``; ``no_times``.
        unpriced: names of the models that are not in the price table.
    """

    amount: float | None = None
    currency: str | None = None
    basis: CostBasis | None = None
    reason: str | None = None
    unpriced: tuple[str, ...] = ()

    def in_dollars(self, prices: PriceTable | None) -> AttemptCost:
        """Converted where the price table has a rate for the currency; otherwise unchanged."""
        rate = None if prices is None else prices.rates.get(self.currency or "")
        if self.amount is None or rate is None:
            return self
        return AttemptCost(self.amount * rate, DOLLARS, self.basis)


def run_cost(
    stated_dollars: float | None, totals: Sequence[ModelTotal], prices: PriceTable | None
) -> AttemptCost:
    """Dollars of a run: as stated, else priced by its tokens.

    Args:
        stated_dollars: of the whole attempt.
        totals: usage by model; a part may state its own dollars.
    """
    if stated_dollars is not None:
        return AttemptCost(stated_dollars, DOLLARS, "stated")
    if not any(
        total.usage.all_tokens is not None or total.usage.cost_usd is not None for total in totals
    ):
        incomplete = any(not total.usage.is_empty for total in totals)
        return AttemptCost(reason="tokens_incomplete" if incomplete else "no_usage")
    unpriced = [total for total in totals if total.usage.cost_usd is None]
    if any(
        total.usage.input_tokens is None or total.usage.output_tokens is None for total in unpriced
    ):
        return AttemptCost(reason="tokens_incomplete")
    if prices is None:
        return AttemptCost(reason="no_price_table")
    if any(total.model is None for total in unpriced):
        return AttemptCost(reason="no_model_name")
    names = dict.fromkeys(total.model or "" for total in unpriced)
    unknown_models = tuple(name for name in names if prices.find(name) is None)
    if unknown_models:
        return AttemptCost(reason="no_price", unpriced=unknown_models)
    amounts = [_dollars(total, prices) for total in totals]
    known_amounts = [amount for amount in amounts if amount is not None]
    if len(known_amounts) < len(amounts):
        return AttemptCost(reason="tokens_contradict")
    return AttemptCost(math.fsum(known_amounts), DOLLARS, "prices")


def _dollars(total: ModelTotal, prices: PriceTable) -> float | None:
    price = prices.find(total.model or "")
    if total.usage.cost_usd is not None or price is None:
        return total.usage.cost_usd
    return price.dollars(total.usage)


def pay_cost(rate: PayRate | None, active_s: float | None) -> AttemptCost:
    """What a person is paid for a submitted attempt.

    Args:
        active_s: active time at the report's idle cap, for rates per hour.
    """
    if rate is None:
        return AttemptCost(reason="no_pay_rate")
    if rate.unit == "task":
        return AttemptCost(float(rate.amount), rate.currency, "pay_rate")
    if active_s is None:
        return AttemptCost(reason="no_times")
    hours = active_s / SECONDS_PER_HOUR
    return AttemptCost(float(rate.amount) * hours, rate.currency, "pay_rate")
