"""The charts of progress, as specifications."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagetrail.annotation.progress.pace import FinishedDay
from pagetrail.annotation.progress.summary import Counts
from pagetrail.exports.reports.progress.charts import (
    DAY_LABELS,
    FEWEST_DAYS,
    days_chart,
    far_chart,
)


@given(first=st.integers(18_000, 21_000), counts=st.lists(st.integers(0, 50), min_size=1))
def test_each_day_below_the_bars_is_named_once(first: int, counts: list[int]) -> None:
    """Few days are all named, many at even steps; no day twice, and none that is not drawn."""
    days = [FinishedDay(first + n, count, n % 2) for n, count in enumerate(counts)]
    labels = days_chart(days).spec["encoding"]["x"]["axis"]["values"]
    assert all(label["utc"] for label in labels)
    dates = [
        datetime(label["year"], label["month"], label["date"], label["hours"], tzinfo=UTC)
        for label in labels
    ]
    assert len({date.date() for date in dates}) == len(dates) <= DAY_LABELS
    assert len(dates) == len(days) or len(days) > DAY_LABELS
    assert all(date.hour == 12 for date in dates), "in the middle of the day's bar"
    assert {int(date.timestamp()) // 86_400 for date in dates} <= {day.day for day in days}


@pytest.mark.parametrize("days", [1, 3, FEWEST_DAYS, 40])
def test_a_few_days_do_not_fill_the_axis(days: int) -> None:
    """A bar is at most a tenth of the axis, and the axis holds all bars."""
    first = 20_780
    x = days_chart([FinishedDay(first + n, 1, 0) for n in range(days)]).spec["encoding"]["x"]
    start, end = (
        datetime(date["year"], date["month"], date["date"], date["hours"], tzinfo=UTC).timestamp()
        // 86_400
        for date in (x["scale"]["domainMin"], x["scale"]["domainMax"])
    )
    assert end - start == max(days, FEWEST_DAYS)
    assert start <= first and first + days <= end


def test_the_caption_of_a_single_day_is_a_sentence() -> None:
    """One day is no plural, and has no day on which most was done; skips are counted apart."""
    assert (
        days_chart([FinishedDay(20_780, 3, 0)]).caption
        == "3 answers submitted on one day, 2026-11-23."
    )
    assert (
        days_chart([FinishedDay(20_780, 3, 1), FinishedDay(20_781, 2, 4)]).caption
        == "5 answers submitted on 2 days; the most, 3, on 2026-11-23. 5 more were skipped."
    )


def test_the_caption_says_how_many_were_skipped() -> None:
    """What is skipped is done, and was not submitted."""
    some_skipped = Counts(expected=4, submitted=2, skipped=1, begun=0, flagged=0)
    none_skipped = Counts(expected=4, submitted=3, skipped=0, begun=0, flagged=0)
    assert [
        far_chart({}, counts, key="people", title="t").caption
        for counts in (some_skipped, none_skipped)
    ] == [
        "3 of 4 answers are submitted or skipped, 1 of them skipped (75 %).",
        "3 of 4 answers are submitted (75 %).",
    ]
