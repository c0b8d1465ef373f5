"""How fast work comes in, and when it will be done if it goes on like that.

A day is a UTC day. The rate is the mean of the daily numbers over the last ``WINDOW`` whole days,
or since the first submission where that is later; days without work count, so that weekends do. Its
interval takes the days as a sample, with Student's t: work comes in bursts, which a Poisson
interval would be too short for. The end is what is left by the rate, and its interval what is left
by the ends of the rate's.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from pagetrail.annotation.statistics.student_t import two_sided_t

DAY_S = 86_400
WEEK = 7
WINDOW = 14
FEWEST_DAYS = 3
FURTHEST_DAYS = 3_650
"""An end further off than ten years is no forecast."""

NoEnd = Literal["done", "nothing_handed_in", "too_few_days", "no_work_lately", "too_far_off"]


@dataclass(frozen=True)
class Pace:
    """How fast, and until when.

    Attributes:
        handed: tasks submitted.
        per_day: mean since the first of them, its day and today included; None before there is any.
        last_week: tasks submitted during the last seven times 24 hours.
        end: days from now until everything is submitted; None where ``reason`` says why not.
        soonest, latest: ends of its 95 % interval; ``latest`` is None where there is no bound.
        reason: why there is no end.
    """

    handed: int
    per_day: float | None
    last_week: int
    end: float | None = None
    soonest: float | None = None
    latest: float | None = None
    reason: NoEnd | None = None


def pace(handed_s: Sequence[float] | NDArray[np.float64], left: int, now_s: float) -> Pace:
    """The pace of work that was submitted at these times.

    Args:
        handed_s: times, seconds since 1970, in any order.
        left: tasks still to be submitted.
        now_s: the current time.
    """
    finish_times = np.asarray(handed_s, dtype=np.float64)
    n = len(finish_times)
    if n == 0:
        return Pace(0, None, 0, reason="nothing_handed_in" if left else "done")
    today = math.floor(now_s / DAY_S)
    days = np.minimum(np.floor(finish_times / DAY_S).astype(np.int64), today)
    first = int(days.min())
    per_day = n / (today - first + 1)
    last_week = int((finish_times > now_s - WEEK * DAY_S).sum())
    if left <= 0:
        return Pace(n, per_day, last_week, reason="done")
    # Today is not over: it would pull the rate down every morning.
    window_start = max(first, today - WINDOW)
    n_days = today - window_start
    if n_days < FEWEST_DAYS:
        return Pace(n, per_day, last_week, reason="too_few_days")
    daily = np.bincount(
        days[(days >= window_start) & (days < today)] - window_start, minlength=n_days
    )
    rate = float(daily.mean())
    if rate == 0:
        return Pace(n, per_day, last_week, reason="no_work_lately")
    if left / rate > FURTHEST_DAYS:
        return Pace(n, per_day, last_week, reason="too_far_off")
    reach = two_sided_t(0.95, n_days - 1) * float(daily.std(ddof=1)) / math.sqrt(n_days)
    slowest = rate - reach
    latest = left / slowest if slowest > 0 else None
    return Pace(
        handed=n,
        per_day=per_day,
        last_week=last_week,
        end=left / rate,
        soonest=left / (rate + reach),
        latest=latest if latest is not None and latest <= FURTHEST_DAYS else None,
    )


def finished_per_day(handed_s: NDArray[np.float64], now_s: float) -> list[tuple[int, int]]:
    """(day since 1970, tasks submitted), from the first such day until today, empty days too."""
    if not len(handed_s):
        return []
    today = math.floor(now_s / DAY_S)
    days = np.minimum(np.floor(handed_s / DAY_S).astype(np.int64), today)
    first = int(days.min())
    return list(enumerate(np.bincount(days - first, minlength=today - first + 1).tolist(), first))
