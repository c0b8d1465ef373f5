"""What an attempt cost, and why that is unknown."""

from __future__ import annotations

import pytest

from pagetrail.annotation import events as ev
from pagetrail.annotation.costs.attempt_cost import AttemptCost, pay_cost, run_cost
from pagetrail.annotation.costs.pay_rate import PayRate
from pagetrail.annotation.costs.price_table import PriceTable
from pagetrail.annotation.events.model_usage import ModelUsage
from tests.annotation.costs.test_price_table import TABLE

PRICES = PriceTable.parse(TABLE, "prices.toml")
TOKENS = ModelUsage(input_tokens=1_000_000, output_tokens=100_000)
DOLLARS = ModelUsage(cost_usd=0.25)


def total(model: str | None, usage: ModelUsage = TOKENS) -> ev.ModelTotal:
    """What one model used."""
    return ev.ModelTotal(model=model, usage=usage)


def test_stated_dollars_count_before_prices() -> None:
    """Even where the tokens would cost something else."""
    assert run_cost(0.5, [total("m-1")], PRICES) == AttemptCost(0.5, "USD", "stated")


def test_tokens_are_priced_by_model() -> None:
    """2 + 1 dollars for one model, 1 + 0.4 for the other, and 0.25 as stated."""
    parts = [total("m-1"), total("plain"), total("unknown", DOLLARS)]
    assert run_cost(None, parts, PRICES) == AttemptCost(pytest.approx(4.65), "USD", "prices")


@pytest.mark.parametrize(
    ("parts", "prices", "reason"),
    [
        ([], PRICES, "no_usage"),
        ([total("m-1", ModelUsage(latency_ms=5))], PRICES, "tokens_incomplete"),
        ([total("m-1", ModelUsage(total_tokens=5))], PRICES, "tokens_incomplete"),
        ([total("m-1"), total("m-1", ModelUsage())], PRICES, "tokens_incomplete"),
        ([total("m-1")], None, "no_price_table"),
        ([total(None)], PRICES, "no_model_name"),
        (
            [total("m-1", ModelUsage(input_tokens=1, output_tokens=1, cached_tokens=2))],
            PRICES,
            "tokens_contradict",
        ),
    ],
)
def test_an_unknown_cost_has_a_reason(
    parts: list[ev.ModelTotal], prices: PriceTable | None, reason: str
) -> None:
    """Nothing is guessed."""
    cost = run_cost(None, parts, prices)
    assert (cost.amount, cost.currency, cost.reason) == (None, None, reason)


def test_models_without_a_price_are_named() -> None:
    """Each once; the attempt has no cost, although one of its models has a price."""
    cost = run_cost(None, [total("m-1"), total("x"), total("y"), total("x")], PRICES)
    assert (cost.amount, cost.reason, cost.unpriced) == (None, "no_price", ("x", "y"))


def test_people_are_paid_by_the_hour_or_by_the_task() -> None:
    """18 euros an hour for 10 minutes, converted with a rate of the price table alone."""
    hourly = pay_cost(PayRate.parse("18", "hour", "EUR"), 600)
    assert hourly == AttemptCost(pytest.approx(3.0), "EUR", "pay_rate")
    assert hourly.in_dollars(PRICES) == AttemptCost(pytest.approx(3.24), "USD", "pay_rate")
    assert hourly.in_dollars(None) == hourly
    francs = pay_cost(PayRate.parse("2.50", "task", "CHF"), None)
    assert francs.in_dollars(PRICES) == francs == AttemptCost(2.5, "CHF", "pay_rate")


def test_without_a_rate_or_a_time_there_is_no_pay() -> None:
    """A rate per task needs no time."""
    assert pay_cost(None, 600).reason == "no_pay_rate"
    assert pay_cost(PayRate.parse("18", "hour", "EUR"), None).reason == "no_times"
