"""Accuracy of answers of which a rule decided some, by a stratified sample of judged ones."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations

import pytest

from pagetrail.annotation.metrics.judging.accuracy_by_verdict import (
    RULE_VERDICTS,
    JudgedVerdict,
    Outcome,
    RightShare,
    RuleAnswer,
    RuleVerdict,
    accuracy_by_verdict,
    right_share,
)
from pagetrail.annotation.statistics.beta_limits import beta_limits
from pagetrail.annotation.statistics.wilson import wilson


def answers(**counts: int) -> list[RuleAnswer]:
    """So many answers of one system with each outcome."""
    outcomes: list[Outcome] = [
        outcome
        for outcome in (*RULE_VERDICTS, "exact", "unanswered")
        for _ in range(counts.get(outcome, 0))
    ]
    return [RuleAnswer((f"q{n}", "gpt"), outcome) for n, outcome in enumerate(outcomes)]


def judged_share(verdict: RuleVerdict, right: int, n: int, size: int) -> RightShare:
    """Of a stratum of that size, ``n`` are judged, of which so many are right."""
    return right_share(
        [JudgedVerdict(verdict, i < right, size / n, 1 - n / size) for i in range(n)]
    )


def test_the_estimate_is_the_stratified_one() -> None:
    """(10 exact + 30 · 9/10 + 20 · 1/5 + 30 · 12/15) / 100; undecided ones may all be right."""
    shares = {
        "correct": judged_share("correct", 9, 10, 30),
        "incorrect": judged_share("incorrect", 1, 5, 20),
        "undecided": judged_share("undecided", 12, 15, 30),
    }
    result = accuracy_by_verdict(
        answers(exact=10, correct=30, incorrect=20, undecided=30, unanswered=10), shares
    )
    assert result.value == pytest.approx((10 + 27 + 4 + 24) / 100)
    assert (result.raw, result.undecided, result.upper) == (
        pytest.approx(0.4),
        30,
        pytest.approx(0.7),
    )
    assert result.interval is not None and result.raw_interval == wilson(40, 100)
    low, high = wilson(65, 100) or (0, 0)
    down, up = [(0.65 - low) ** 2], [(high - 0.65) ** 2]
    for share, rate, n_judged, size in ((0.3, 0.9, 10, 30), (0.2, 0.2, 5, 20), (0.3, 0.8, 15, 30)):
        effective_n = n_judged / (1 - n_judged / size)
        ends = beta_limits(rate, effective_n, 0.95)
        down.append((share * (rate - ends[0])) ** 2)
        up.append((share * (ends[1] - rate)) ** 2)
    expected = 0.65 - math.sqrt(sum(down)), 0.65 + math.sqrt(sum(up))
    assert result.interval == pytest.approx(expected)


def test_its_mean_over_all_samples_is_the_truth() -> None:
    """Every sample of two of three decided and two of four undecided answers, once."""
    decided, undecided = (1, 1, 0), (0, 0, 1, 0)
    estimates = []
    for of_decided in combinations(decided, 2):
        for of_undecided in combinations(undecided, 2):
            result = accuracy_by_verdict(
                answers(correct=3, undecided=4),
                {
                    "correct": judged_share("correct", sum(of_decided), 2, 3),
                    "undecided": judged_share("undecided", sum(of_undecided), 2, 4),
                },
            )
            estimates.append(Fraction(result.value or 0).limit_denominator(1000))
    assert sum(estimates) / len(estimates) == Fraction(3, 7)


def test_where_all_are_judged_only_the_questions_are_a_sample() -> None:
    result = accuracy_by_verdict(
        answers(undecided=20), {"undecided": judged_share("undecided", 15, 20, 20)}
    )
    assert result.value == 0.75
    assert result.interval == pytest.approx(wilson(15, 20))


def test_a_verdict_of_which_nothing_is_judged_leaves_it_undefined() -> None:
    """But not if nobody has an answer with it."""
    shares: dict[RuleVerdict, RightShare] = {
        "correct": judged_share("correct", 4, 4, 8),
        "incorrect": right_share([]),
        "undecided": right_share([]),
    }
    undefined = accuracy_by_verdict(answers(correct=8, undecided=1), shares)
    assert (undefined.value, undefined.reason) == (None, "stratum_unjudged")
    assert (undefined.raw, undefined.undecided, undefined.upper) == (pytest.approx(8 / 9), 1, 1.0)
    assert accuracy_by_verdict(answers(correct=8), shares).value == 1
    assert accuracy_by_verdict([], shares).reason == "no_rows"


def test_people_of_one_task_share_its_weight() -> None:
    """Two people's undecided answers to one task count as much as a system's one."""
    by_people = [RuleAnswer(("q1", None), "undecided"), RuleAnswer(("q1", None), "undecided")]
    result = accuracy_by_verdict(
        [*by_people, RuleAnswer(("q1", "gpt"), "exact")],
        {"undecided": judged_share("undecided", 1, 2, 2)},
    )
    assert (result.value, result.undecided, result.upper) == (0.75, 2, 1.0)
