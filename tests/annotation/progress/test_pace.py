"""Pace: what comes in a day, and when it will be done."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagetrail.annotation.progress.pace import DAY_S, Pace, finished_per_day, pace

NOON = 20_000 * DAY_S + DAY_S / 2
"""Noon of a day."""


def days_ago(*counts: int) -> list[float]:
    """Moments of submissions: so many on each day, the last of them yesterday."""
    first = 20_000 - len(counts)
    return [
        (first + day) * DAY_S + 60.0 * n for day, count in enumerate(counts) for n in range(count)
    ]


def test_an_even_pace_ends_when_it_must() -> None:
    """Ten a day for four days, forty left: four more days, and no spread means no interval."""
    forecast = pace(days_ago(10, 10, 10, 10), 40, NOON)
    assert (forecast.handed, forecast.last_week, forecast.per_day) == (40, 40, 8.0)
    assert (forecast.end, forecast.soonest, forecast.latest) == (4.0, 4.0, 4.0)
    assert forecast.reason is None


def test_an_uneven_pace_has_an_interval_computed_by_hand() -> None:
    """8, 12 and 10 a day: mean 10, standard error 2/√3, t(2) = 4.3027."""
    forecast = pace(days_ago(8, 12, 10), 30, NOON)
    reach = 4.302652729749464 * 2 / 3**0.5
    assert forecast.end == pytest.approx(3)
    assert forecast.soonest == pytest.approx(30 / (10 + reach))
    assert forecast.latest == pytest.approx(30 / (10 - reach))


def test_days_that_differ_too_much_leave_the_end_open() -> None:
    """The slow end of the rate is not above 0: there is no latest day."""
    forecast = pace(days_ago(1, 40, 2), 30, NOON)
    assert forecast.end is not None and forecast.soonest is not None and forecast.latest is None


@pytest.mark.parametrize(
    ("submission_times", "left", "reason"),
    [
        ([], 5, "nothing_handed_in"),
        ([], 0, "done"),
        (days_ago(4, 4, 4), 0, "done"),
        (days_ago(4, 4), 9, "too_few_days"),
        (days_ago(5, *[0] * 14), 9, "no_work_lately"),
        (days_ago(1, *[0] * 12), 9_999, "too_far_off"),
    ],
)
def test_why_there_is_no_end(submission_times: list[float], left: int, reason: str) -> None:
    """Each reason, and none of them comes with a date."""
    forecast = pace(submission_times, left, NOON)
    assert forecast.reason == reason
    assert (forecast.end, forecast.soonest, forecast.latest) == (None, None, None)


def test_today_does_not_pull_the_rate_down() -> None:
    """What was submitted today counts as work, and not as a whole day."""
    today = [20_000 * DAY_S + 5.0]
    assert pace([*days_ago(10, 10, 10), *today], 20, NOON).end == 2.0


@given(st.lists(st.floats(0, 40 * DAY_S), max_size=60), st.integers(0, 500))
def test_an_end_lies_within_its_interval(ages: list[float], left: int) -> None:
    """For whatever was submitted: an end or a reason; days add up; the interval holds the end."""
    submission_times = [NOON - age for age in ages]
    forecast = pace(submission_times, left, NOON)
    assert (forecast.end is None) == (forecast.reason is not None)
    assert (
        sum(n for _, n in finished_per_day(np.array(submission_times), NOON))
        == len(submission_times)
        == forecast.handed
    )
    assert forecast.last_week == sum(age < 7 * DAY_S for age in ages)
    if forecast.end is not None:
        assert forecast.soonest is not None and forecast.soonest <= forecast.end
        assert forecast.latest is None or forecast.latest >= forecast.end
    assert isinstance(forecast, Pace)
