"""Price tables: what they price, and how a mistake in one is named."""

from __future__ import annotations

import pytest

from pagetrail.annotation.costs.price_table import PriceTable
from pagetrail.annotation.errors import InputFileError
from pagetrail.annotation.events.model_usage import ModelUsage

TABLE = """
name = "List prices"
date = 2026-11-01
source = "https://example.org/prices"

[models."m-1"]
input = 2
cached_input = 0.5
cache_write = 2.5
output = 10
aliases = ["vendor/m-1"]

[models.plain]
input = 1.0
output = 4.0

[rates]
EUR = 1.08
"""


def test_each_kind_of_token_has_its_price() -> None:
    """1,000 of 10,000 input tokens are cached and 2,000 written; output has the reasoning."""
    price = PriceTable.parse(TABLE, "prices.toml").models["m-1"]
    usage = ModelUsage(
        input_tokens=10_000,
        cached_tokens=1_000,
        cache_write_tokens=2_000,
        output_tokens=500,
        reasoning_tokens=400,
    )
    assert price.dollars(usage) == pytest.approx((7_000 * 2 + 500 + 5_000 + 5_000) / 1e6)


def test_without_prices_for_the_cache_all_input_costs_the_same() -> None:
    """The table names no price for cached tokens of this model."""
    price = PriceTable.parse(TABLE, "prices.toml").models["plain"]
    usage = ModelUsage(input_tokens=1_000, cached_tokens=900, output_tokens=0)
    assert price.dollars(usage) == pytest.approx(0.001)


def test_more_cached_tokens_than_input_have_no_price() -> None:
    """They contradict each other, so neither is believed."""
    price = PriceTable.parse(TABLE, "prices.toml").models["plain"]
    assert price.dollars(ModelUsage(input_tokens=1, cached_tokens=2, output_tokens=0)) is None


@pytest.mark.parametrize("name", ["m-1", "M-1", "vendor/M-1"])
def test_models_are_found_by_name_and_alias(name: str) -> None:
    """Whatever the case."""
    table = PriceTable.parse(TABLE, "prices.toml")
    assert table.find(name) is table.models["m-1"]
    assert table.find("m-10") is None


def test_reports_name_the_table_with_its_date_and_digest() -> None:
    """The digest is of the file's text."""
    table = PriceTable.parse(TABLE, "prices.toml")
    assert str(table) == f"List prices, 2026-11-01 (SHA-256 {table.sha256[:12]})"
    assert table.to_json()["rates"] == {"EUR": 1.08}


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("output = 10", "output = -10", "models.m-1.output"),
        ("output = 10", "", "models.m-1.output"),
        ("output = 10", 'output = "10"', "models.m-1.output"),
        ("output = 10", "output = nan", "models.m-1.output"),
        ("output = 10", "outputs = 10\noutput = 10", "models.m-1.outputs"),
        ("date = 2026-11-01", "", "date"),
        ('name = "List prices"', "", "name"),
        ("EUR = 1.08", "EUR = 0", "rates.EUR"),
        ("EUR = 1.08", "euro = 1.08", "rates.euro"),
        ("EUR = 1.08", "USD = 1.0", "remove USD"),
        ("vendor/m-1", "PLAIN", "'plain' names both 'm-1' and 'plain'"),
        ("[rates]", "[rates", "prices.toml:17: is not TOML"),
    ],
)
def test_a_mistake_is_named_with_its_entry(old: str, new: str, message: str) -> None:
    """The file is refused as a whole: a report priced by half of it would look complete."""
    with pytest.raises(InputFileError) as refused:
        PriceTable.parse(TABLE.replace(old, new), "prices.toml")
    assert message in refused.value.message
