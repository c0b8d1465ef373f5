"""Pace: what comes in a day, and when it will be done."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagetrail.annotation.progress.pace import DAY_S, FinishedDay, Pace, finished_per_day, pace

NOON = 20_000 * DAY_S + DAY_S / 2
"""Noon of a day."""


def days_ago(*counts: int) -> list[float]:
    """Moments of submissions: so many on each day, the last of them yesterday."""
    first = 20_000 - len(counts)
    return [
        (first + day) * DAY_S + 60.0 * n for day, count in enumerate(counts) for n in range(count)
    ]


def pace_of(submission_times: list[float], left: int) -> Pace:
    """The pace at noon if nothing was skipped."""
    submitted = np.ones(len(submission_times), dtype=np.bool_)
    return pace(np.array(submission_times), submitted, left, NOON)


def test_an_even_pace_ends_when_it_must() -> None:
    """Ten a day for four days, forty left: four more days, and no spread means no interval."""
    forecast = pace_of(days_ago(10, 10, 10, 10), 40)
    assert (forecast.submitted, forecast.submitted_last_week) == (40, 40)
    assert (forecast.submitted_per_day, forecast.skipped_per_day) == (8.0, 0.0)
    assert (forecast.end, forecast.soonest, forecast.latest) == (4.0, 4.0, 4.0)
    assert forecast.reason is None


def test_an_uneven_pace_has_an_interval_computed_by_hand() -> None:
    """8, 12 and 10 a day: mean 10, standard error 2/√3, t(2) = 4.3027."""
    forecast = pace_of(days_ago(8, 12, 10), 30)
    reach = 4.302652729749464 * 2 / 3**0.5
    assert forecast.end == pytest.approx(3)
    assert forecast.soonest == pytest.approx(30 / (10 + reach))
    assert forecast.latest == pytest.approx(30 / (10 - reach))


def test_days_that_differ_too_much_leave_the_end_open() -> None:
    """The slow end of the rate is not above 0: there is no latest day."""
    forecast = pace_of(days_ago(1, 40, 2), 30)
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
    forecast = pace_of(submission_times, left)
    assert forecast.reason == reason
    assert (forecast.end, forecast.soonest, forecast.latest) == (None, None, None)


def test_today_does_not_pull_the_rate_down() -> None:
    """What was submitted today counts as work, and not as a whole day."""
    today = [20_000 * DAY_S + 5.0]
    assert pace_of([*days_ago(10, 10, 10), *today], 20).end == 2.0


def test_skips_are_counted_apart_and_bring_the_end_closer() -> None:
    """Of 12 tasks finished in three days, 3 are skips: 9 submitted, and the rest ends as if all
    were.
    """
    times = np.array(days_ago(4, 4, 4))
    submitted = np.arange(12) % 4 > 0
    forecast = pace(times, submitted, 8, NOON)
    assert (forecast.submitted, forecast.skipped, forecast.submitted_last_week) == (9, 3, 9)
    assert (forecast.submitted_per_day, forecast.skipped_per_day) == (9 / 4, 3 / 4)
    assert forecast.end == 2.0
    days = finished_per_day(times, submitted, NOON)
    assert days == [FinishedDay(19_997 + n, 3, 1) for n in range(3)] + [FinishedDay(20_000, 0, 0)]


@given(
    st.lists(st.tuples(st.floats(0, 40 * DAY_S), st.booleans()), max_size=60), st.integers(0, 500)
)
def test_an_end_lies_within_its_interval(attempts: list[tuple[float, bool]], left: int) -> None:
    """For whatever was finished: an end or a reason; days add up; the interval holds the end."""
    finish_times = np.array([NOON - age for age, _ in attempts])
    submitted = np.array([is_submitted for _, is_submitted in attempts], dtype=np.bool_)
    forecast = pace(finish_times, submitted, left, NOON)
    assert (forecast.end is None) == (forecast.reason is not None)
    days = finished_per_day(finish_times, submitted, NOON)
    assert sum(day.submitted for day in days) == submitted.sum() == forecast.submitted
    assert sum(day.skipped for day in days) == (~submitted).sum() == forecast.skipped
    assert forecast.submitted_last_week == sum(
        age < 7 * DAY_S for age, is_submitted in attempts if is_submitted
    )
    if forecast.end is not None:
        assert forecast.soonest is not None and forecast.soonest <= forecast.end
        assert forecast.latest is None or forecast.latest >= forecast.end
    assert isinstance(forecast, Pace)
