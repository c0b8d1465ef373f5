"""Kuiper's statistic over effort, and wasted effort."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagetrail.annotation.errors import MeasureError
from pagetrail.annotation.metrics.effort import CurvePoint, kuiper, wasted_effort

INF, NAN = math.inf, math.nan
HALF = [True] * 5 + [False] * 5


@dataclass(frozen=True)
class Case:
    """A case that was run through MADQA's evaluator.

    ``file_order``, ``range`` and ``waste`` (ratio, mean of right, mean of wrong) are output of
    MADQA's own evaluator (eval/metrics.py); ``k`` and ``normalised`` are
    those of docs/metrics.md, Effort.
    """

    name: str
    steps: list[float]
    correct: list[Any]
    k: float
    normalised: float
    file_order: float
    range: tuple[float, float]
    waste: tuple[float, float, float] | None


CASES = [
    Case(
        "no_ties_perfectly_ordered",
        [*range(1, 11)],
        HALF,
        2.5,
        1.5811388300841895,
        2.5,
        (2.5, 0),
        (2.6666666666666665, 3, 8),
    ),
    Case("all_tied_correct_first", [3] * 10, HALF, 0, 0, 2.5, (2.5, 0), (1, 3, 3)),
    Case("all_tied_incorrect_first", [3] * 10, HALF[::-1], 0, 0, 2.5, (0, -2.5), (1, 3, 3)),
    Case("all_tied_alternating", [3] * 10, [True, False] * 5, 0, 0, 0.5, (0.5, 0), (1, 3, 3)),
    Case(
        "ties_two_levels_order_a",
        [1, 1, 1, 2, 2, 2],
        [True, False, True, False, True, False],
        0.5,
        0.4082482904638631,
        0.5,
        (0.5, 0),
        (1.2500000000000002, 1.3333333333333333, 1.6666666666666667),
    ),
    Case(
        "zero_effort_dropped",
        [0, 0, 1, 2, 3],
        [True, True, True, False, True],
        0.6666666666666666,
        0.816496580927726,
        0.6666666666666666,
        (0.33333333333333337, -0.33333333333333326),
        (1, 2, 2),
    ),
    Case(
        "partial_score_truthy",
        [1, 2, 3, 4],
        [0.5, 0, 1.0, 0.25],
        0.75,
        0.8660254037844387,
        0.75,
        (0.25, -0.5),
        (0.75, 2.6666666666666665, 2),
    ),
    Case(
        "nan_inf_effort",
        [NAN, INF, 2, 3],
        [True, False, True, False],
        0.6666666666666667,
        0.8164965809277261,
        0.6666666666666666,
        (0.6666666666666667, 0),
        None,
    ),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_kuiper_of_the_reference_cases(case: Case) -> None:
    """The tie-invariant value, its normalised form and MADQA's file-order value, to 1e-9."""
    statistic = kuiper(case.steps, case.correct)
    assert statistic.value == pytest.approx(case.k, abs=1e-9)
    assert statistic.normalised == pytest.approx(case.normalised, abs=1e-9)
    assert statistic.file_order == pytest.approx(case.file_order, abs=1e-9)
    assert statistic.file_order_range == pytest.approx(case.range, abs=1e-9)


@pytest.mark.parametrize("case", [c for c in CASES if c.waste], ids=lambda case: case.name)
def test_wasted_effort_of_the_reference_cases(case: Case) -> None:
    """Ratio and both means, to 1e-9."""
    wasted = wasted_effort(case.steps, case.correct)
    waste = (wasted.value, wasted.mean_correct, wasted.mean_incorrect)
    assert waste == pytest.approx(case.waste, abs=1e-9)


def test_a_row_without_a_verdict_leaves_both_samples() -> None:
    """In the reference's two-row case the evaluator raises for one measure and counts the row as
    wrong for the other; as wrong it gives the reference's 0.5, undecided it leaves, with a count.
    """
    assert kuiper([1, 2], [True, False]).value == 0.5
    assert kuiper([1, 2], [True, False]).normalised == pytest.approx(0.7071067811865475)
    for measure in (kuiper([1, 2, 3], [True, None, False]), wasted_effort([1, 2, 3], [1, None, 0])):
        assert measure.counts["n"] == 2
        assert measure.counts["left_out_undecided"] == 1


@pytest.mark.parametrize(
    ("efforts", "correct", "reason"),
    [
        ([2], [True], "no_variation"),
        ([2, 4, 6], [True] * 3, "no_variation"),
        ([2, 4, 6], [False] * 3, "no_variation"),
        ([0, -1], [True, False], "no_rows"),
        ([], [], "no_rows"),
    ],
)
def test_kuiper_without_variation_is_undefined(
    efforts: list[float], correct: list[bool], reason: str
) -> None:
    """Where the evaluator returns NaN: no value of any kind, and a reason."""
    statistic = kuiper(efforts, correct)
    assert (statistic.value, statistic.normalised, statistic.file_order) == (None, None, None)
    assert statistic.reason == reason


@pytest.mark.parametrize(
    ("efforts", "correct", "reason"),
    [
        ([2, 4], [True, True], "none_incorrect"),
        ([2, 4], [False, False], "none_correct"),
        ([2, INF], [True, False], "infinite_effort"),
        ([0], [True], "no_rows"),
    ],
)
def test_wasted_effort_of_one_kind_is_undefined(
    efforts: list[float], correct: list[bool], reason: str
) -> None:
    """Where the evaluator prints 0 or infinity."""
    wasted = wasted_effort(efforts, correct)
    assert (wasted.value, wasted.reason) == (None, reason)


def test_what_leaves_the_sample_is_counted() -> None:
    """Effort 0, below 0, missing, NaN, and a row that nobody decided."""
    statistic = kuiper([0, -1, None, NAN, 1, 2, 3], [True, True, True, True, True, False, None])
    assert statistic.counts == {
        "n": 2,
        "correct": 1,
        "incorrect": 1,
        "distinct_efforts": 2,
        "left_out_effort_not_positive": 2,
        "left_out_effort_missing": 2,
        "left_out_undecided": 1,
    }


def test_the_curve_by_hand() -> None:
    """Efforts 1, 1, 2, 4 with right, wrong, right, right: ȳ = 3/4; D = 1 − 1.5, 2 − 2.25, 0."""
    statistic = kuiper([4, 1, 2, 1], [True, True, True, False], effort="active_s")
    assert statistic.curve == (
        CurvePoint(0, 0, 0, 0),
        CurvePoint(1, 2, 2, -0.5),
        CurvePoint(2, 3, 3, -0.25),
        CurvePoint(4, 4, 4, 0),
    )
    assert (statistic.value, statistic.success) == (0.5, 0.75)
    assert statistic.choices == {"effort": "active_s", "ties": "together"}


def test_people_of_a_task_share_its_weight() -> None:
    """Three people at q1 (efforts 1 right, 2 wrong, 2 wrong) weigh 1/3 each, one at q2 (effort 3,
    right) weighs 1: ȳ = (1/3 + 1) / 2 = 2/3. D = 1/3 − 2/9 = 1/9, then 1/3 − 2/3 = −1/3, then 0.
    """
    efforts, correct = [1, 2, 2, 3], [True, False, False, True]
    statistic = kuiper(efforts, correct, ["q1", "q1", "q1", "q2"])
    assert statistic.success == pytest.approx(2 / 3)
    assert statistic.weight == 2
    assert [(p.effort, p.n, p.weight, p.deviation) for p in statistic.curve] == [
        (0, 0, 0, 0),
        (1, 1, pytest.approx(1 / 3), pytest.approx(1 / 9)),
        (2, 3, 1, pytest.approx(1 / 3 - 2 / 3)),
        (3, 4, 2, 0),
    ]
    assert statistic.value == pytest.approx(4 / 9)
    assert statistic.normalised == pytest.approx((4 / 9) / math.sqrt(2 * (2 / 3) * (1 / 3)))
    # MADQA's value counts every row once: ȳ = 1/2, D = 1/2, 0, −1/2, 0.
    assert statistic.file_order == 1
    waste = wasted_effort(efforts, correct, ["q1", "q1", "q1", "q2"])
    assert waste.mean_correct == pytest.approx((1 / 3 + 3) / (4 / 3))
    assert waste.mean_incorrect == pytest.approx(2)
    assert waste.value == pytest.approx(2 / 2.5)


def test_each_row_needs_an_effort() -> None:
    """Columns of different length are refused, with both lengths."""
    with pytest.raises(MeasureError, match="2 efforts and 1 rows"):
        kuiper([1, 2], [True])


ROWS = st.lists(
    st.tuples(st.sampled_from([0, 1, 2, 2.5, 7, None]), st.sampled_from([True, False, None])),
    max_size=30,
)


@given(ROWS, st.randoms())
def test_file_order_changes_nothing(
    rows: list[tuple[float | None, bool | None]], random: Any
) -> None:
    """Shuffled rows give the same K, curve, counts and waste, to the last bit."""
    shuffled = list(rows)
    random.shuffle(shuffled)
    original, reordered = (
        kuiper([effort for effort, _ in sample], [right for _, right in sample])
        for sample in (rows, shuffled)
    )
    assert (original.value, original.normalised, original.curve) == (
        reordered.value,
        reordered.normalised,
        reordered.curve,
    )
    assert (original.reason, original.counts) == (reordered.reason, reordered.counts)
    waste = [
        wasted_effort([effort for effort, _ in sample], [right for _, right in sample])
        for sample in (rows, shuffled)
    ]
    assert waste[0] == waste[1]


@given(ROWS)
def test_kuiper_has_its_bounds(rows: list[tuple[float | None, bool | None]]) -> None:
    """0 ≤ K ≤ N ȳ (1 − ȳ), and never above the file-order value; the curve ends where it began."""
    statistic = kuiper([effort for effort, _ in rows], [right for _, right in rows])
    if statistic.curve:
        assert statistic.curve[-1].deviation == 0
    if (
        statistic.value is not None
        and statistic.success is not None
        and statistic.file_order is not None
    ):
        bound = statistic.counts["n"] * statistic.success * (1 - statistic.success)
        assert 0 <= statistic.value <= bound + 1e-9
        assert statistic.value <= statistic.file_order


@given(ROWS)
def test_only_the_order_of_efforts_matters(rows: list[tuple[float | None, bool | None]]) -> None:
    """Efforts squared keep their order, and K."""
    squared = [None if effort is None else effort**2 for effort, _ in rows]
    right = [is_correct for _, is_correct in rows]
    assert kuiper(squared, right).value == kuiper([effort for effort, _ in rows], right).value
