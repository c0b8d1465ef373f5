"""Effort against success: whether more effort goes where it pays (Kuiper), and what goes to waste.

Sources: the range of cumulative differences after Kuiper 1960 (Indag. Math. 63), as a measure of
calibration in Arrieta-Ibarra et al. 2022 (JMLR 23/351); over effort in MADQA, Borchmann et al.
2026, arXiv 2603.12180. Wasted effort is MADQA's.

Efforts are numbers of any unit, larger is more. Rows with an effort of 0 or less, without an
effort, or that nobody could decide leave the sample, and are counted. Where rows have a unit, those
of one unit that are in the sample share a weight of 1 (docs/metrics.md, Weights).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from operator import itemgetter, mul
from typing import NamedTuple

from pagetrail.annotation.errors import MeasureError
from pagetrail.annotation.metrics.result import Result
from pagetrail.annotation.statistics.attempt_weights import weights, whole_weights

LEFT_OUT = ("effort_not_positive", "effort_missing", "undecided")


class CurvePoint(NamedTuple):
    """The cumulative difference after all rows up to one effort.

    Attributes:
        effort: of the last rows that are in; 0 at the start of the curve.
        n: rows that are in.
        weight: of these rows; the whole curve has that of all units.
        deviation: weighted right answers among them, less what the mean success would give.
    """

    effort: float
    n: int
    weight: float
    deviation: float


@dataclass(frozen=True, kw_only=True)
class Kuiper(Result):
    """K = max D − min D over the efforts; 0 where success does not depend on effort.

    ``value`` looks at D only between distinct efforts, so that the order of rows within one effort
    cannot move it. Undefined: ``no_rows``; ``no_variation``, where all rows are right or all wrong.

    Attributes:
        normalised: K / √(N ȳ (1 − ȳ)) with N units, since K grows with √N.
        success: ȳ, the weighted share of right rows; None without rows.
        weight: N, the number of units; None without rows.
        file_order: K as MADQA computes it, where rows of one effort keep the file's order, and
            every row counts once.
        file_order_range: the highest and the lowest D of that.
        curve: D between distinct efforts, from the start to the end; empty without rows.
    """

    normalised: float | None = None
    success: float | None = None
    weight: float | None = None
    file_order: float | None = None
    file_order_range: tuple[float, float] | None = None
    curve: tuple[CurvePoint, ...] = ()


@dataclass(frozen=True, kw_only=True)
class WastedEffort(Result):
    """Mean effort of wrong rows / mean effort of right ones; above 1, failures cost more.

    Both means are weighted. Undefined: ``no_rows``, ``none_correct``, ``none_incorrect``,
    ``infinite_effort``.

    Attributes:
        mean_correct, mean_incorrect: the mean efforts; None where there are no such rows or one
            of them is infinite.
    """

    mean_correct: float | None = None
    mean_incorrect: float | None = None


def kuiper(
    efforts: Iterable[float | None],
    correct: Iterable[bool | None],
    units: Iterable[Hashable] | None = None,
    *,
    effort: str = "searches",
) -> Kuiper:
    """Kuiper's statistic of success over effort.

    Args:
        efforts: one per row; None and NaN are missing; infinity is the largest.
        correct: whether each row is right, None where undecided. A score is not right because it
            is above 0: apply the threshold before.
        units: what each row shares a weight of 1 with; unless given, every row weighs 1.
        effort: what the effort is, for the result.

    Raises:
        MeasureError: not as many efforts or units as rows.
    """
    rows, counts = _sample(efforts, correct, units)
    choices = {"effort": effort, "ties": "together"}
    if not rows:
        counts |= {"distinct_efforts": 0}
        return Kuiper(value=None, reason="no_rows", counts=counts, choices=choices)
    rows.sort(key=itemgetter(0))
    sorted_efforts, successes, row_units = zip(*rows, strict=True)
    # In whole numbers, so that nothing is rounded before the one division at the end.
    row_weights, scale = whole_weights(row_units)
    weights_so_far = list(accumulate(row_weights))
    right_so_far = list(accumulate(map(mul, row_weights, successes)))
    total, right = weights_so_far[-1], right_so_far[-1]
    # The last row of each effort; behind the last row of all there is no other effort.
    ends = [k for k, pair in enumerate(pairwise((*sorted_efforts, None))) if pair[0] != pair[1]]
    counts |= {"distinct_efforts": len(ends)}
    # D_k = Σ_{j≤k} w_j (y_j − ȳ), times total * scale, which makes it a whole number.
    differences = [0, *(right_so_far[k] * total - weights_so_far[k] * right for k in ends)]
    curve = [CurvePoint(0.0, 0, 0.0, 0.0)]
    curve += [
        CurvePoint(
            float(sorted_efforts[k]),
            k + 1,
            weights_so_far[k] / scale,
            difference / (total * scale),
        )
        for k, difference in zip(ends, differences[1:], strict=True)
    ]
    statistic = Kuiper(
        value=None,
        reason="no_variation",
        success=right / total,
        weight=total / scale,
        curve=tuple(curve),
        counts=counts,
        choices=choices,
    )
    if right in (0, total):
        return statistic
    value = (max(differences) - min(differences)) / (total * scale)
    # N ȳ (1 − ȳ) = right (total − right) / (total · scale), with N = total / scale.
    highest, lowest = _file_order_range(successes)
    return replace(
        statistic,
        value=value,
        reason=None,
        normalised=value / math.sqrt(right * (total - right) / (total * scale)),
        file_order=highest - lowest,
        file_order_range=(highest, lowest),
    )


def wasted_effort(
    efforts: Iterable[float | None],
    correct: Iterable[bool | None],
    units: Iterable[Hashable] | None = None,
    *,
    effort: str = "searches",
) -> WastedEffort:
    """Effort of wrong answers compared with right ones. Arguments and errors as of ``kuiper``."""
    rows, counts = _sample(efforts, correct, units)
    row_weights = weights([unit for _, _, unit in rows])
    weighted = list(zip(row_weights, rows, strict=True))
    right = [(weight, value) for weight, (value, success, _) in weighted if success]
    wrong = [(weight, value) for weight, (value, success, _) in weighted if not success]
    mean_right, mean_wrong = _mean(right), _mean(wrong)
    reason = (
        "no_rows"
        if not rows
        else "none_correct"
        if not right
        else "none_incorrect"
        if not wrong
        else "infinite_effort"
    )
    value = None if mean_right is None or mean_wrong is None else mean_wrong / mean_right
    return WastedEffort(
        value=value,
        reason=reason if value is None else None,
        mean_correct=mean_right,
        mean_incorrect=mean_wrong,
        counts=counts,
        choices={"effort": effort},
    )


_SampledRow = tuple[float, bool, Hashable]
"""Effort, whether it is correct, and unit."""


def _sample(
    efforts: Iterable[float | None],
    correct: Iterable[bool | None],
    units: Iterable[Hashable] | None,
) -> tuple[list[_SampledRow], dict[str, int]]:
    """The rows that take part, in the file's order, and the counts of all."""
    columns = list(efforts), list(correct)
    shared = list(range(len(columns[1])) if units is None else units)
    if not len(columns[0]) == len(columns[1]) == len(shared):
        raise MeasureError(
            f"{len(columns[0])} efforts and {len(columns[1])} rows: each row has one effort."
        )
    rows: list[_SampledRow] = []
    left = Counter[str]()
    for value, success, unit in zip(*columns, shared, strict=True):
        if success is None:
            left["undecided"] += 1
        elif value is None or math.isnan(value):
            left["effort_missing"] += 1
        elif value <= 0:
            left["effort_not_positive"] += 1
        else:
            rows.append((value, bool(success), unit))
    right = sum(success for _, success, _ in rows)
    counts = {"n": len(rows), "correct": right, "incorrect": len(rows) - right}
    return rows, counts | {f"left_out_{name}": left[name] for name in LEFT_OUT}


def _file_order_range(correct: Sequence[bool]) -> tuple[float, float]:
    """Highest and lowest D after each row, with every row counted once."""
    n, right = len(correct), sum(correct)
    differences = list(accumulate((success * n - right for success in correct), initial=0))
    return max(differences) / n, min(differences) / n


def _mean(weighted: Sequence[tuple[float, float]]) -> float | None:
    if not weighted or any(math.isinf(value) for _, value in weighted):
        return None
    return math.fsum(weight * value for weight, value in weighted) / math.fsum(
        weight for weight, _ in weighted
    )
