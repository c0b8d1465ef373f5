"""Effort against success: whether more effort goes where it pays (Kuiper), and what goes to waste.

Sources: the range of cumulative differences after Kuiper 1960 (Indag. Math. 63), as a measure of
calibration in Arrieta-Ibarra et al. 2022 (JMLR 23/351); over effort in MADQA, Borchmann et al.
2026, arXiv 2603.12180. Wasted effort is MADQA's.

Efforts are numbers of any unit, larger is more. Rows with an effort of 0 or less, without an
effort, or that nobody could decide leave the sample, and are counted.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pagetrail.annotation.errors import MeasureError
from pagetrail.annotation.metrics.result import Result

LEFT_OUT = ("effort_not_positive", "effort_missing", "undecided")


@dataclass(frozen=True)
class CurvePoint:
    """The cumulative difference after all rows up to one effort.

    Attributes:
        effort: of the last rows that are in; 0 at the start of the curve.
        n: rows that are in.
        deviation: right answers among them, less what the mean success would give.
    """

    effort: float
    n: int
    deviation: float


@dataclass(frozen=True, kw_only=True)
class Kuiper(Result):
    """K = max D − min D over the efforts; 0 where success does not depend on effort.

    ``value`` looks at D only between distinct efforts, so that the order of rows within one effort
    cannot move it. Undefined: ``no_rows``; ``no_variation``, where all rows are right or all wrong.

    Attributes:
        normalised: K / √(N ȳ (1 − ȳ)), since K grows with √N.
        success: ȳ, the share of right rows; None without rows.
        file_order: K as MADQA computes it, where rows of one effort keep the file's order.
        file_order_range: the highest and the lowest D of that.
        curve: D between distinct efforts, from the start to the end; empty without rows.
    """

    normalised: float | None = None
    success: float | None = None
    file_order: float | None = None
    file_order_range: tuple[float, float] | None = None
    curve: tuple[CurvePoint, ...] = ()


@dataclass(frozen=True, kw_only=True)
class WastedEffort(Result):
    """Mean effort of wrong rows / mean effort of right ones; above 1, failures cost more.

    Undefined: ``no_rows``, ``none_correct``, ``none_incorrect``, ``infinite_effort``.

    Attributes:
        mean_correct, mean_incorrect: the mean efforts; None where there are no such rows or one
            of them is infinite.
    """

    mean_correct: float | None = None
    mean_incorrect: float | None = None


def kuiper(
    efforts: Iterable[float | None], correct: Iterable[bool | None], *, effort: str = "searches"
) -> Kuiper:
    """Kuiper's statistic of success over effort.

    Args:
        efforts: one per row; None and NaN are missing; infinity is the largest.
        correct: whether each row is right, None where undecided. A score is not right because it
            is above 0: apply the threshold before.
        effort: what the effort is, for the result.

    Raises:
        MeasureError: not as many efforts as rows.
    """
    rows, counts = _sample(efforts, correct)
    rows.sort(key=lambda row: row[0])
    n, right = len(rows), sum(success for _, success in rows)
    counts |= {"distinct_efforts": len({value for value, _ in rows})}
    choices = {"effort": effort, "ties": "together"}
    if n == 0:
        return Kuiper(value=None, reason="no_rows", counts=counts, choices=choices)
    # D_k · N is a whole number, so nothing is rounded before the one division at the end.
    seen = 0
    steps = [0]
    for k, (_, success) in enumerate(rows, start=1):
        seen += success
        steps.append(seen * n - k * right)
    ends = [k for k in range(1, n + 1) if k == n or rows[k][0] != rows[k - 1][0]]
    between = [0, *(steps[k] for k in ends)]
    curve = (
        CurvePoint(0.0, 0, 0.0),
        *(CurvePoint(float(rows[k - 1][0]), k, steps[k] / n) for k in ends),
    )
    mean_success = right / n
    if right in (0, n):
        return Kuiper(
            value=None,
            reason="no_variation",
            success=mean_success,
            curve=curve,
            counts=counts,
            choices=choices,
        )
    value = (max(between) - min(between)) / n
    return Kuiper(
        value=value,
        normalised=value / math.sqrt(right * (n - right) / n),
        success=mean_success,
        file_order=(max(steps) - min(steps)) / n,
        file_order_range=(max(steps) / n, min(steps) / n),
        curve=curve,
        counts=counts,
        choices=choices,
    )


def wasted_effort(
    efforts: Iterable[float | None], correct: Iterable[bool | None], *, effort: str = "searches"
) -> WastedEffort:
    """What wrong answers cost beside right ones. Arguments and errors as for ``kuiper``."""
    rows, counts = _sample(efforts, correct)
    right = [value for value, success in rows if success]
    wrong = [value for value, success in rows if not success]
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


def _sample(
    efforts: Iterable[float | None], correct: Iterable[bool | None]
) -> tuple[list[tuple[float, bool]], dict[str, int]]:
    """The rows that take part, in the file's order, and the counts of all."""
    columns = list(efforts), list(correct)
    if len(columns[0]) != len(columns[1]):
        raise MeasureError(
            f"{len(columns[0])} efforts and {len(columns[1])} rows: each row has one effort."
        )
    rows, left = [], Counter[str]()
    for value, success in zip(*columns, strict=True):
        if success is None:
            left["undecided"] += 1
        elif value is None or math.isnan(value):
            left["effort_missing"] += 1
        elif value <= 0:
            left["effort_not_positive"] += 1
        else:
            rows.append((value, bool(success)))
    right = sum(success for _, success in rows)
    counts = {"n": len(rows), "correct": right, "incorrect": len(rows) - right}
    return rows, counts | {f"left_out_{name}": left[name] for name in LEFT_OUT}


def _mean(values: Sequence[float]) -> float | None:
    if not values or any(map(math.isinf, values)):
        return None
    return math.fsum(values) / len(values)
