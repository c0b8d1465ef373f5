"""Accuracy under a budget, and accuracy by how long an answer took.

Source: the accuracy-effort analyses of MADQA, Borchmann et al. 2026, arXiv 2603.12180.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pagetrail.annotation.metrics.attempt_rows import EffortKind, Row
from pagetrail.annotation.metrics.result import (
    Choice,
    Result,
    Spread,
    weighted_share,
    weighted_spread,
)
from pagetrail.annotation.statistics.attempt_weights import AttemptScores
from pagetrail.annotation.timing.durations import DEFAULT_IDLE_CAP_S

STEP_KINDS: tuple[EffortKind, ...] = ("searches", "tool_steps", "iterations", "steps")
TOKEN_KINDS: tuple[EffortKind, ...] = ("total_tokens", "output_tokens")
TIME_KINDS: tuple[EffortKind, ...] = ("active_s", "wall_s", "submit_s", "execution_s")
FIRST_TIME_BUDGET_S = 60

BUCKETS = ("<1 min", "1–4 min", "4–10 min", ">10 min")


@dataclass(frozen=True, kw_only=True)
class WithinBudget(Result):
    """The weighted share of attempts that were right within the budget; later ones count as wrong.

    Its counts are ``part`` (right within it), ``whole`` (all) and ``within`` (ended within it).

    Attributes:
        budget: a number of steps, or seconds.
    """

    budget: float


@dataclass(frozen=True, kw_only=True)
class TimeBucket(Result):
    """The weighted share of right answers among those that took so long.

    An attempt weighs what it does among all attempts, so that the buckets' shares, weighted with
    their parts of the tasks, give the accuracy of all. Undefined: ``empty_bucket``.

    Attributes:
        name: e.g. ``1–4 min``.
        scores: of the decided rows with a time; those in another bucket have none.
    """

    name: str
    scores: AttemptScores


def accuracy_by_budget(
    rows: Iterable[Row],
    kind: EffortKind = "searches",
    budgets: Sequence[float] | None = None,
    idle_cap_s: int = DEFAULT_IDLE_CAP_S,
) -> tuple[WithinBudget, ...]:
    """Accuracy as a function of a budget of N searches, or of another effort.

    Args:
        budgets: unless given, every number of steps up to the largest, or 1, 2, 4, 8, … minutes
            until all attempts are in.

    Returns:
        One point a budget; with rising budgets it never falls. Rows that nobody decided are
        counted as ``left_out_undecided``, and of a budget of time those whose times are unknown as
        ``left_out_untimed``. Undefined: ``no_rows``, ``no_times``.
    """
    timed, left_out, reason = _decided(rows, kind, idle_cap_s)
    choices = _choices(kind, idle_cap_s)
    if budgets is None:
        budgets = _budgets(kind, max((effort for _, effort in timed), default=0))
    points = []
    for budget in budgets:
        point = weighted_share(
            _scores_within(timed, budget),
            reason,
            counts={"within": sum(spent <= budget for _, spent in timed)} | left_out,
            choices=choices,
        )
        points.append(WithinBudget(budget=float(budget), **vars(point)))
    return tuple(points)


def budget_scores(rows: Iterable[Row], searches: float) -> AttemptScores:
    """1 for each decided row that is right within so many searches, 0 for each other."""
    return _scores_within(_decided(rows, "searches", DEFAULT_IDLE_CAP_S)[0], searches)


def _scores_within(timed: Sequence[tuple[Row, float]], budget: float) -> AttemptScores:
    return AttemptScores(row.scored_answer(within=spent <= budget) for row, spent in timed)


def accuracy_by_time(
    rows: Iterable[Row], kind: EffortKind = "active_s", idle_cap_s: int = DEFAULT_IDLE_CAP_S
) -> tuple[TimeBucket, ...]:
    """Accuracy by time bucket (``BUCKETS``); every decided row with a time is in one bucket.

    Left out as for a budget. Undefined: ``empty_bucket``; ``no_times``, where no row has any.
    """
    timed, left_out, reason = _decided(rows, kind, idle_cap_s)
    empty = "no_times" if reason == "no_times" and not timed else "empty_bucket"
    choices = _choices(kind, idle_cap_s)
    return tuple(
        TimeBucket(
            name=name,
            scores=scores,
            **vars(weighted_share(scores, empty, counts=left_out, choices=choices)),
        )
        for name, scores in _bucket_scores(timed).items()
    )


def _bucket_scores(timed: Sequence[tuple[Row, float]]) -> dict[str, AttemptScores]:
    buckets = [time_bucket(seconds) for _, seconds in timed]
    return {
        name: AttemptScores(
            row.scored_answer() if bucket == name else row.scored(None)
            for (row, _), bucket in zip(timed, buckets, strict=True)
        )
        for name in BUCKETS
    }


def time_bucket(seconds: float) -> str:
    """The bucket of a time. It begins with its lower end; exactly 10 minutes are not above 10."""
    minutes = seconds / 60
    if minutes < 1:
        return BUCKETS[0]
    if minutes < 4:
        return BUCKETS[1]
    return BUCKETS[2] if minutes <= 10 else BUCKETS[3]


def time_spread(
    rows: Iterable[Row], kind: EffortKind = "active_s", idle_cap_s: int = DEFAULT_IDLE_CAP_S
) -> Spread:
    """Weighted mean and median time per attempt, seconds.

    Rows whose times are unknown are counted as ``left_out_untimed``. Undefined: ``no_rows``;
    ``no_times``, where no row has any.
    """
    scored = [row.scored(row.effort(kind, idle_cap_s)) for row in rows]
    untimed = sum(attempt.score is None for attempt in scored)
    return weighted_spread(
        scored,
        "no_times" if scored else "no_rows",
        counts={"left_out_untimed": untimed},
        choices=_choices(kind, idle_cap_s) | {"unit": "s"},
    )


def _decided(
    rows: Iterable[Row], kind: EffortKind, idle_cap_s: int
) -> tuple[list[tuple[Row, float]], dict[str, int], str]:
    """The rows that take part with their effort, how many do not, and why if none does."""
    all_rows = list(rows)
    decided = [row for row in all_rows if row.correct is not None]
    timed = [
        (row, effort) for row in decided if (effort := row.effort(kind, idle_cap_s)) is not None
    ]
    left_out = {"left_out_undecided": len(all_rows) - len(decided)}
    if kind in TIME_KINDS:
        left_out |= {"left_out_untimed": len(decided) - len(timed)}
    return timed, left_out, "no_times" if decided else "no_rows"


def _budgets(kind: EffortKind, largest: float) -> list[float]:
    if kind in STEP_KINDS:
        return [float(n) for n in range(int(largest) + 1)]
    budgets = [float(FIRST_TIME_BUDGET_S)]
    while budgets[-1] < largest:
        budgets.append(2 * budgets[-1])
    return budgets


def _choices(kind: EffortKind, idle_cap_s: int) -> dict[str, Choice]:
    capped: dict[str, Choice] = {"idle_cap_s": idle_cap_s} if kind == "active_s" else {}
    return {"effort": kind} | capped
