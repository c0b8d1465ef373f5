"""A judge's errors from a calibration sample, against implementations that go row by row."""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import pytest
from scipy.stats import beta

from pagetrail.annotation.errors import MeasureError
from pagetrail.annotation.metrics.judging.calibration import (
    CalibrationRow,
    CalibrationSample,
    Stratum,
    corrected_accuracy,
    judge_rates,
    plan_judgements,
)

CASES = 200
Z = NormalDist().inv_cdf(0.975)


@dataclass(frozen=True)
class Case:
    """A population of answers, all with the judge's verdict, of which some are judged."""

    sample: CalibrationSample
    share: float
    n: int
    systems: frozenset[str] | None


def generated_case(seed: int, *, by_verdict: bool, strata: int) -> Case:
    """Answers of two systems in categories; the judged ones are drawn stratum by stratum."""
    source = random.Random(seed)
    sensitivity, specificity = source.uniform(0.75, 1), source.uniform(0.75, 1)
    accuracy, size = source.uniform(0.25, 0.85), source.randrange(150, 900)
    population: list[CalibrationRow] = []
    for _ in range(size):
        right = source.random() < accuracy
        verdict = source.random() < (sensitivity if right else 1 - specificity)
        category = source.randrange(strata)
        name = (verdict, category) if by_verdict else category
        population.append(CalibrationRow(name, verdict, right, source.choice("ab")))
    by_stratum: dict[Any, list[CalibrationRow]] = {}
    for row in population:
        by_stratum.setdefault(row.stratum, []).append(row)
    rows, named = [], {}
    for name, members in by_stratum.items():
        drawn = min(len(members), source.randrange(12, 40))
        rows += source.sample(members, drawn)
        verdict = name[0] if by_verdict else None
        named[name] = Stratum(len(members), drawn, verdict)
    systems = source.choice([None, frozenset("a")])
    tested = [row for row in population if systems is None or row.system in systems]
    share = sum(row.verdict for row in tested) / len(tested)
    return Case(CalibrationSample(rows, named), share, len(tested), systems)


def weight(sample: CalibrationSample, row: CalibrationRow) -> float:
    """The inverse of the share of the stratum that is judged."""
    judged = sum(other.weight for other in sample.rows if other.stratum == row.stratum)
    return sample.strata[row.stratum].size / judged


def naive_rates(sample: CalibrationSample) -> tuple[float, float]:
    """Weighted sensitivity and specificity."""
    right = [(weight(sample, row), row.verdict) for row in sample.rows if row.judgement]
    wrong = [(weight(sample, row), not row.verdict) for row in sample.rows if not row.judgement]
    return (
        sum(w for w, holds in right if holds) / sum(w for w, _ in right),
        sum(w for w, holds in wrong if holds) / sum(w for w, _ in wrong),
    )


def naive_contributions(sample: CalibrationSample, theta: float) -> dict[tuple[bool, bool], float]:
    """What an answer adds to p + q0 − 1 − θ (q0 + q1 − 1), by verdict and judgement."""
    sensitivity, specificity = naive_rates(sample)
    right = sum(weight(sample, row) for row in sample.rows if row.judgement)
    wrong = sum(weight(sample, row) for row in sample.rows if not row.judgement)
    return {
        (verdict, True): -theta * (verdict - sensitivity) / right for verdict in (False, True)
    } | {
        (verdict, False): (1 - theta) * ((not verdict) - specificity) / wrong
        for verdict in (False, True)
    }


def naive_error_rate(
    sample: CalibrationSample, verdict: bool, rows: Sequence[CalibrationRow]
) -> float:
    """Share of a verdict that is wrong, in some rows, with two more rows of the overall rate."""
    overall = [row for row in sample.rows if row.verdict is verdict]
    mistaken = sum(weight(sample, row) for row in overall if row.judgement is not verdict)
    rate = mistaken / sum(weight(sample, row) for row in overall) if overall else 0
    own = [row for row in rows if row.verdict is verdict]
    errors = sum(row.judgement is not verdict for row in own)
    return (errors + 2 * rate) / (len(own) + 2)


def naive_stratum_variances(sample: CalibrationSample, theta: float) -> dict[bool | None, float]:
    """Variance due to judging only a part, by the verdict of the strata; None for mixed ones."""
    contributions = naive_contributions(sample, theta)
    variances: Counter[bool | None] = Counter()
    for name, stratum in sample.strata.items():
        rows = [row for row in sample.rows if row.stratum == name]
        probabilities = {}
        for verdict in (False, True):
            share = sum(row.verdict is verdict for row in rows) / len(rows)
            rate = naive_error_rate(sample, verdict, rows)
            probabilities[verdict, verdict] = share * (1 - rate)
            probabilities[verdict, not verdict] = share * rate
        mean = sum(p * contributions[cell] for cell, p in probabilities.items())
        spread = sum(p * (contributions[cell] - mean) ** 2 for cell, p in probabilities.items())
        freedom = max(len(rows) - 1, len(rows) / 2)
        left = 1 - len(rows) / stratum.size
        variances[stratum.verdict] += stratum.size**2 * left * spread / freedom
    return dict(variances)


def naive_question_variance(case: Case, theta: float) -> float:
    """Variance due to the choice of questions, which judging all answers would leave."""
    contributions = naive_contributions(case.sample, theta)
    variance = case.share * (1 - case.share) / case.n
    for row in case.sample.rows:
        own = contributions[row.verdict, row.judgement]
        total = own**2
        if case.systems is None or row.system in case.systems:
            total += 2 * own * (row.verdict - case.share) / case.n
        variance += weight(case.sample, row) * total
    return max(0.0, variance)


def naive_beta_limits(rate: float, n: float) -> tuple[float, float]:
    """Beta limits with a third of a success and of a failure."""
    a, b = rate * n + 1 / 3, (1 - rate) * n + 1 / 3
    return (
        0.0 if rate == 0 else min(rate, float(beta.ppf(0.025, a, b))),
        1.0 if rate == 1 else max(rate, float(beta.ppf(0.975, a, b))),
    )


def naive_wilson(share: float, n: float) -> tuple[float, float]:
    """The roots of (share − x)² = z² x (1 − x) / n."""
    a, b, c = 1 + Z * Z / n, -(2 * share + Z * Z / n), share * share
    root = math.sqrt(b * b - 4 * a * c)
    return (-b - root) / (2 * a), (-b + root) / (2 * a)


def naive_interval(case: Case) -> tuple[float, float, float, float]:
    """(estimate, standard error, lower, upper) of a sample stratified by verdict."""
    sample = case.sample
    sensitivity, specificity = naive_rates(sample)
    slope = sensitivity + specificity - 1
    raw = (case.share + specificity - 1) / slope
    theta = min(1.0, max(0.0, raw))
    contributions = naive_contributions(sample, theta)
    by_source = naive_stratum_variances(sample, theta)
    questions = naive_question_variance(case, theta)
    lower, upper = 0.0, 0.0
    for verdict in (False, True):
        rows = [row for row in sample.rows if row.verdict is verdict]
        mass = sum(weight(sample, row) for row in rows)
        mistaken = sum(weight(sample, row) for row in rows if row.judgement is not verdict)
        change = mass * (contributions[verdict, not verdict] - contributions[verdict, verdict])
        rate = mistaken / mass
        if by_source[verdict] > 0 and 0 < rate < 1:
            n = change**2 * rate * (1 - rate) / by_source[verdict]
        else:
            squares = sum(weight(sample, row) ** 2 * (1 - 1 / weight(sample, row)) for row in rows)
            n = mass**2 / squares if squares else 1e12
        ends = [change * (limit - rate) for limit in naive_beta_limits(rate, min(n, 1e12))]
        lower += min(ends) ** 2
        upper += max(ends) ** 2
    effective: float = case.n
    if questions > 0 and 0 < theta < 1:
        effective = theta * (1 - theta) * slope**2 / questions
    low, high = naive_wilson(theta, effective)
    return (
        theta,
        math.sqrt(sum(by_source.values()) + questions) / slope,
        max(0.0, raw - math.sqrt(lower / slope**2 + (theta - low) ** 2)),
        min(1.0, raw + math.sqrt(upper / slope**2 + (high - theta) ** 2)),
    )


@pytest.mark.parametrize("seed", range(CASES))
def test_a_sample_by_verdict_equals_the_row_by_row_computation(seed: int) -> None:
    """Rates, estimate, standard error and both ends."""
    case = generated_case(seed, by_verdict=True, strata=1 + seed % 4)
    rates = judge_rates(case.sample)
    estimate = corrected_accuracy(case.sample, case.share, case.n, systems=case.systems)
    assert (rates.sensitivity.value, rates.specificity.value) == pytest.approx(
        naive_rates(case.sample), abs=1e-12
    )
    assert estimate.interval is not None
    assert (estimate.value, estimate.se, *estimate.interval) == pytest.approx(
        naive_interval(case), abs=1e-9
    )


@pytest.mark.parametrize("seed", range(CASES))
def test_other_strata_equal_the_row_by_row_computation(seed: int) -> None:
    """Strata with both verdicts: rates, estimate and standard error."""
    case = generated_case(seed, by_verdict=False, strata=1 + seed % 4)
    sensitivity, specificity = naive_rates(case.sample)
    slope = sensitivity + specificity - 1
    theta = min(1.0, max(0.0, (case.share + specificity - 1) / slope))
    questions = naive_question_variance(case, theta)
    variance = sum(naive_stratum_variances(case.sample, theta).values()) + questions
    estimate = corrected_accuracy(case.sample, case.share, case.n, systems=case.systems)
    assert estimate.interval is not None
    assert (estimate.value, estimate.se) == pytest.approx(
        (theta, math.sqrt(variance) / slope), abs=1e-9
    )
    assert estimate.interval[0] <= theta <= estimate.interval[1]


def naive_lee(p: float, n: int, q0: float, q1: float, m0: int, m1: int) -> tuple[float, float]:
    """Interval of Lee et al. 2026, written from the paper."""
    p_tilde, n_tilde = (n * p + Z**2 / 2) / (n + Z**2), n + Z**2
    q0_tilde, q1_tilde = (m0 * q0 + 1) / (m0 + 2), (m1 * q1 + 1) / (m1 + 2)
    slope = q0_tilde + q1_tilde - 1
    theta = (p_tilde + q0_tilde - 1) / slope
    v0 = q0_tilde * (1 - q0_tilde) / (m0 + 2)
    v1 = q1_tilde * (1 - q1_tilde) / (m1 + 2)
    shift = 2 * Z**2 * (-(1 - theta) * v0 + theta * v1)
    variance = p_tilde * (1 - p_tilde) / n_tilde + (1 - theta) ** 2 * v0 + theta**2 * v1
    half = Z * math.sqrt(variance) / slope
    return max(0.0, theta + shift - half), min(1.0, theta + shift + half)


@pytest.mark.parametrize("seed", range(CASES))
def test_a_simple_sample_of_other_answers_has_the_published_interval(seed: int) -> None:
    """Estimate and interval of Lee et al."""
    source = random.Random(seed)
    cells = [
        (verdict, truth)
        for verdict, truth in itertools.product((False, True), repeat=2)
        for _ in range(source.randrange(20, 60) if verdict is truth else source.randrange(8))
    ]
    sample = CalibrationSample.simple([CalibrationRow("", *cell) for cell in cells], 10_000)
    share, n = source.uniform(0.2, 0.8), source.randrange(50, 2_000)
    counts = Counter(cells)
    m1, m0 = counts[True, True] + counts[False, True], counts[True, False] + counts[False, False]
    q1, q0 = counts[True, True] / m1, counts[False, False] / m0
    estimate = corrected_accuracy(sample, share, n, systems=frozenset({"other"}))
    assert estimate.method == "lee"
    assert estimate.unclipped == pytest.approx((share + q0 - 1) / (q0 + q1 - 1), abs=1e-12)
    assert estimate.interval == pytest.approx(naive_lee(share, n, q0, q1, m0, m1), abs=1e-9)


def half_and_half() -> CalibrationSample:
    """50 of 800 answers called right, of which 2 are wrong, and 50 of 200 called wrong, 9 right."""
    rows = [CalibrationRow("right", True, index >= 2) for index in range(50)]
    rows += [CalibrationRow("wrong", False, index < 9) for index in range(50)]
    return CalibrationSample(
        rows, {"right": Stratum(800, 50, True), "wrong": Stratum(200, 50, False)}
    )


def test_unweighted_rates_of_a_sample_by_verdict_are_wrong() -> None:
    """48 / 57 = 0.842 without weights; 48 × 16 / (48 × 16 + 9 × 4) = 0.955 with them."""
    sample = half_and_half()
    rates = judge_rates(sample)
    assert rates.sensitivity.value == pytest.approx(768 / 804, abs=1e-12)
    assert rates.specificity.value == pytest.approx(164 / 196, abs=1e-12)
    assert rates.sensitivity.counts == {"part": 48, "whole": 57}
    unweighted = judge_rates(CalibrationSample.simple(sample.rows, 1_000))
    assert unweighted.sensitivity.value == pytest.approx(48 / 57, abs=1e-12)


def test_a_sample_by_verdict_gives_the_stratified_estimate_of_accuracy() -> None:
    """0.8 × 48/50 + 0.2 × 9/50: the correction and the direct estimate are the same number."""
    estimate = corrected_accuracy(half_and_half(), 0.8, 1_000)
    assert estimate.value == pytest.approx(0.8 * 0.96 + 0.2 * 0.18, abs=1e-12)
    assert estimate.method == "two_phase"


def test_judging_everything_leaves_the_choice_of_questions() -> None:
    """The interval is Wilson's of the accuracy itself."""
    rows = [CalibrationRow("right", True, index >= 5) for index in range(60)]
    rows += [CalibrationRow("wrong", False, index < 9) for index in range(40)]
    strata = {"right": Stratum(60, 60, True), "wrong": Stratum(40, 40, False)}
    estimate = corrected_accuracy(CalibrationSample(rows, strata), 0.6, 100)
    assert estimate.value == pytest.approx(0.64, abs=1e-12)
    assert estimate.interval == pytest.approx(naive_wilson(0.64, 100), abs=1e-6)


def test_a_sample_without_a_mistake_has_an_interval() -> None:
    """Rates of 1, whose lower ends are below 1, and an interval wider than that of p alone."""
    rows = [CalibrationRow("right", True, True)] * 50 + [CalibrationRow("wrong", False, False)] * 50
    strata = {"right": Stratum(700, 50, True), "wrong": Stratum(300, 50, False)}
    sample = CalibrationSample(rows, strata)
    rates = judge_rates(sample)
    assert rates.sensitivity.value == rates.specificity.value == 1
    for rate in (rates.sensitivity, rates.specificity):
        assert rate.interval is not None and 0.8 < rate.interval[0] < 0.99 < rate.interval[1]
    estimate = corrected_accuracy(sample, 0.7, 1_000)
    low, high = naive_wilson(0.7, 1_000)
    assert estimate.interval is not None
    assert estimate.interval[0] < low - 0.001 and high + 0.001 < estimate.interval[1]


@pytest.mark.parametrize("verdict", [True, False])
def test_a_judge_with_one_verdict_has_intervals_in_a_simple_sample(verdict: bool) -> None:
    """Ten right and ten wrong answers: equal verdicts do not make the rates certain."""
    rows = [CalibrationRow("", verdict, n < 10) for n in range(20)]
    rates = judge_rates(CalibrationSample.simple(rows, 400))
    rightly, wrongly = rates.sensitivity, rates.specificity
    if not verdict:
        rightly, wrongly = wrongly, rightly
    end = float(beta.ppf(0.975, 1 / 3, 10 + 1 / 3))
    assert (rightly.value, wrongly.value) == (1, 0)
    assert rightly.interval == pytest.approx((1 - end, 1))
    assert wrongly.interval == pytest.approx((0, end))


def test_judges_who_share_a_weight_count_once() -> None:
    """Two people's judgements of each answer, at half a weight, equal one of each."""
    sample = half_and_half()
    doubled = CalibrationSample(
        [row._replace(weight=0.5) for row in sample.rows for _ in range(2)], sample.strata
    )
    first, second = (corrected_accuracy(each, 0.8, 1_000) for each in (sample, doubled))
    assert (first.value, first.interval, first.se) == (second.value, second.interval, second.se)


def test_the_order_of_rows_changes_nothing() -> None:
    """Not even the last digit, with weights of a third."""
    rows = [row._replace(weight=1 / 3) for row in half_and_half().rows for _ in range(3)]
    strata = half_and_half().strata
    mixed = rows.copy()
    random.Random(3).shuffle(mixed)
    first, second = (
        corrected_accuracy(CalibrationSample(some, strata), 0.8, 1_000) for some in (rows, mixed)
    )
    assert first == second


def test_a_stratum_not_judged_yet_is_represented_by_its_verdict() -> None:
    """Two strata called right, of which one is judged: it stands for both."""
    sample = half_and_half()
    strata = {
        "right": Stratum(500, 50, True),
        "right, later": Stratum(300, 10, True),
        "wrong": Stratum(200, 50, False),
    }
    partly = CalibrationSample(sample.rows, strata)
    assert judge_rates(partly).sensitivity.value == judge_rates(sample).sensitivity.value
    assert corrected_accuracy(partly, 0.8, 1_000).value == pytest.approx(0.804, abs=1e-12)


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ([], "no_correct_in_calibration"),
        ([("right", True, True)], "stratum_unjudged"),
        ([("right", True, True), ("wrong", False, True)], "no_incorrect_in_calibration"),
        ([("right", True, False), ("wrong", False, False)], "no_correct_in_calibration"),
        ([("right", True, False), ("wrong", False, True)], "judge_no_better_than_chance"),
    ],
)
def test_a_sample_that_says_nothing_is_undefined(rows: Any, reason: str) -> None:
    """No value, no interval, and why."""
    strata = {"right": Stratum(80, 10, True), "wrong": Stratum(20, 10, False)}
    sample = CalibrationSample([CalibrationRow(*row) for row in rows], strata)
    estimate = corrected_accuracy(sample, 0.8, 100)
    assert (estimate.value, estimate.interval, estimate.reason) == (None, None, reason)
    assert plan_judgements(sample, 0.8, 100, 4).more == 4
    assert corrected_accuracy(sample, 0.8, 0).reason == "no_rows"


def test_impossible_samples_are_refused() -> None:
    """The message names the stratum."""
    with pytest.raises(MeasureError, match="no stratum 'wrong'"):
        CalibrationSample([CalibrationRow("wrong", True, True)], {"right": Stratum(9, 1)})
    with pytest.raises(MeasureError, match="'right' has 1 answers, of which 2 are judged"):
        CalibrationSample([CalibrationRow("right", True, True)] * 2, {"right": Stratum(1, 1)})


def test_the_plan_says_what_to_judge_and_how_wide_it_will_be() -> None:
    """The uncertain stratum comes first, and the interval becomes narrower than in proportion."""
    rows = [CalibrationRow("right", True, index >= 1) for index in range(30)]
    rows += [CalibrationRow("wrong", False, index < 12) for index in range(30)]
    strata = {"right": Stratum(500, 30, True), "wrong": Stratum(500, 30, False)}
    sample = CalibrationSample(rows, strata)
    plan = plan_judgements(sample, 0.5, 1_000, 100)
    today = corrected_accuracy(sample, 0.5, 1_000)
    assert plan.accuracy == today
    assert [stratum.name for stratum in plan.strata] == ["wrong", "right"]
    assert plan.more == sum(stratum.more for stratum in plan.strata) == 100
    assert plan.width is not None and plan.proportional_width is not None
    assert today.width is not None and plan.width < plan.proportional_width < today.width
    assert plan_judgements(sample, 0.5, 1_000, 0).width == pytest.approx(today.width, abs=1e-12)


@pytest.mark.parametrize("by_verdict", [False, True])
def test_rates_cover_the_truth(by_verdict: bool) -> None:
    """In 1,000 drawn samples, the intervals of both rates contain the true ones in 93 % or more."""
    source = random.Random(5)
    truth = {"sensitivity": 0.9, "specificity": 0.85}
    covered: Counter[str] = Counter()
    for _ in range(1_000):
        population = []
        for _ in range(400):
            right = source.random() < 0.6
            verdict = source.random() < (0.9 if right else 0.15)
            population.append(CalibrationRow(verdict if by_verdict else "", verdict, right))
        rows: list[CalibrationRow] = []
        strata = {}
        for name in {row.stratum for row in population}:
            members = [row for row in population if row.stratum == name]
            drawn = 50 if by_verdict else 100
            rows += source.sample(members, drawn)
            strata[name] = Stratum(len(members), drawn, bool(name) if by_verdict else None)
        rates = judge_rates(CalibrationSample(rows, strata))
        for name, rate in (("sensitivity", rates.sensitivity), ("specificity", rates.specificity)):
            assert rate.interval is not None
            covered[name] += rate.interval[0] <= truth[name] <= rate.interval[1]
    assert min(covered.values()) >= 930
