"""How fast work comes in, and when it will be done if it goes on like that.

A task is finished when it is submitted or skipped. A day is a UTC day. The rate is the mean of the
tasks finished per day over the last ``WINDOW`` whole days, or since the first finished task where
that is later; days without work count, so that weekends do. Its interval takes the days as a
sample, with Student's t: work comes in bursts, which a Poisson interval would be too short for. The
end is what is left by the rate, and its interval what is left by the ends of the rate's.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

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
        submitted, skipped: finished tasks.
        submitted_per_day, skipped_per_day: means since the first finished task, its day and today
            included; None before there is any.
        submitted_last_week: tasks submitted during the last seven times 24 hours.
        end: days from now until everything is finished; None where ``reason`` says why not.
        soonest, latest: ends of its 95 % interval; ``latest`` is None where there is no bound.
        reason: why there is no end.
    """

    submitted: int
    skipped: int
    submitted_per_day: float | None
    skipped_per_day: float | None
    submitted_last_week: int
    end: float | None = None
    soonest: float | None = None
    latest: float | None = None
    reason: NoEnd | None = None


def pace(
    finish_times: NDArray[np.float64], submitted: NDArray[np.bool_], left: int, now_s: float
) -> Pace:
    """The pace of work that was finished at these times.

    Args:
        finish_times: seconds since 1970, in any order, shape (finished tasks,).
        submitted: whether each was submitted; otherwise it was skipped.
        left: tasks still to be finished.
        now_s: the current time.
    """
    n = len(finish_times)
    if n == 0:
        return Pace(0, 0, None, None, 0, reason="nothing_handed_in" if left else "done")
    today = math.floor(now_s / DAY_S)
    days = _days(finish_times, today)
    first = int(days.min())
    n_submitted = int(submitted.sum())
    so_far = Pace(
        submitted=n_submitted,
        skipped=n - n_submitted,
        submitted_per_day=n_submitted / (today - first + 1),
        skipped_per_day=(n - n_submitted) / (today - first + 1),
        submitted_last_week=int((finish_times[submitted] > now_s - WEEK * DAY_S).sum()),
    )
    if left <= 0:
        return replace(so_far, reason="done")
    # Today is not over: it would pull the rate down every morning.
    window_start = max(first, today - WINDOW)
    n_days = today - window_start
    if n_days < FEWEST_DAYS:
        return replace(so_far, reason="too_few_days")
    daily = np.bincount(
        days[(days >= window_start) & (days < today)] - window_start, minlength=n_days
    )
    rate = float(daily.mean())
    if rate == 0:
        return replace(so_far, reason="no_work_lately")
    if left / rate > FURTHEST_DAYS:
        return replace(so_far, reason="too_far_off")
    reach = two_sided_t(0.95, n_days - 1) * float(daily.std(ddof=1)) / math.sqrt(n_days)
    slowest = rate - reach
    latest = left / slowest if slowest > 0 else None
    return replace(
        so_far,
        end=left / rate,
        soonest=left / (rate + reach),
        latest=latest if latest is not None and latest <= FURTHEST_DAYS else None,
    )


class FinishedDay(NamedTuple):
    """The tasks finished on one UTC day, ``day`` days after the first of 1970."""

    day: int
    submitted: int
    skipped: int


def finished_per_day(
    finish_times: NDArray[np.float64], submitted: NDArray[np.bool_], now_s: float
) -> list[FinishedDay]:
    """Each day from the first with a finished task until today, empty days too."""
    if not len(finish_times):
        return []
    today = math.floor(now_s / DAY_S)
    days = _days(finish_times, today)
    first = int(days.min())
    counts = (
        np.bincount(days[kind] - first, minlength=today - first + 1).tolist()
        for kind in (submitted, ~submitted)
    )
    return [
        FinishedDay(day, n_submitted, n_skipped)
        for day, (n_submitted, n_skipped) in enumerate(zip(*counts, strict=True), first)
    ]


def _days(finish_times: NDArray[np.float64], today: int) -> NDArray[np.int64]:
    return np.minimum(np.floor(finish_times / DAY_S).astype(np.int64), today)
