"""The charts of progress, as specifications."""

from __future__ import annotations

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from pagetrail.exports.reports.progress.charts import DAY_LABELS, days_chart


@given(first=st.integers(18_000, 21_000), counts=st.lists(st.integers(0, 50), min_size=1))
def test_each_day_below_the_bars_is_named_once(first: int, counts: list[int]) -> None:
    """Few days are all named, many at even steps; no day twice, and none that is not drawn."""
    days = [(first + n, count) for n, count in enumerate(counts)]
    named = days_chart(days).spec["encoding"]["x"]["axis"]["values"]
    assert all(each["utc"] for each in named)
    dates = [
        datetime(each["year"], each["month"], each["date"], each["hours"], tzinfo=UTC)
        for each in named
    ]
    assert len({date.date() for date in dates}) == len(dates) <= DAY_LABELS
    assert len(dates) == len(days) or len(days) > DAY_LABELS
    assert all(date.hour == 12 for date in dates), "in the middle of the day's bar"
    assert {int(date.timestamp()) // 86_400 for date in dates} <= {day for day, _ in days}
