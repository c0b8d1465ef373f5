"""Accuracy corrected for the judge's errors.

Sources: Rogan and Gladen 1978 (Am. J. Epidemiol. 107) for the estimate; Lee et al. 2026, "How to
correctly report LLM-as-a-judge evaluations", arXiv 2511.21140, for the interval, which for the
prevalence of a disease is that of Lang and Reiczigel 2014 (Preventive Veterinary Medicine 113).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np

from pagetrail.annotation.errors import MeasureError
from pagetrail.annotation.metrics.result import Choice, Result

Interval = tuple[float, float]


@dataclass(frozen=True, kw_only=True)
class RoganGladen(Result):
    """Accuracy corrected for the judge's errors, in [0, 1].

    Undefined: ``no_rows``; ``no_correct_in_calibration`` and ``no_incorrect_in_calibration``, where
    the judge's sensitivity or specificity was measured on nothing; ``judge_no_better_than_chance``,
    where the two sum to 1 or less.

    Attributes:
        interval: of Lee et al., with the uncertainty of the judged rows and of the calibration
            sample. Its centre is shifted a little against ``value``, as the paper has it. None
            where the paper's adjustment of few calibration rows leaves a judge no better than
            chance.
        se: standard error of the estimate, with both.
        interval_test_only, se_test_only: the same without the calibration sample's uncertainty,
            which is what MADQA's evaluator prints where q0 + q1 > 1.9; too narrow.
        unclipped: the estimate before it was clipped to [0, 1].
    """

    interval: Interval | None = None
    se: float | None = None
    interval_test_only: Interval | None = None
    se_test_only: float | None = None
    unclipped: float | None = None


def rogan_gladen(
    p: float, n: float, q0: float, q1: float, m0: float, m1: float, *, level: float = 0.95
) -> RoganGladen:
    """θ = (p + q0 − 1) / (q0 + q1 − 1), clipped to [0, 1].

    Args:
        p: share of rows that the judge calls right, or the mean of its scores.
        n: rows judged, or their weight.
        q0, q1: the judge's specificity and sensitivity.
        m0, m1: calibration rows that people found wrong, and right; or their weights.
        level: of the interval.

    Raises:
        MeasureError: a share outside [0, 1], a negative count, or a level outside (0, 1).
    """
    _check_shares_and_counts(p, n, q0, q1, m0, m1, level)
    choices: dict[str, Choice] = {"p": p, "q0": q0, "q1": q1, "level": level}
    choices |= {"n": n, "m0": m0, "m1": m1}
    reason = _undefined(n, q0, q1, m0, m1)
    if reason:
        return RoganGladen(value=None, reason=reason, choices=choices)
    z = NormalDist().inv_cdf((1 + level) / 2)
    theta = _theta(p, q0, q1)
    se_test = math.sqrt(p * (1 - p) / n) / (q0 + q1 - 1)
    return RoganGladen(
        value=_clip(theta),
        interval=_interval(p, n, q0, q1, m0, m1, z),
        se=float(_se(theta, p, n, q0, q1, m0, m1)),
        interval_test_only=(_clip(theta - z * se_test), _clip(theta + z * se_test)),
        se_test_only=se_test,
        unclipped=theta,
        choices=choices,
    )


def published_interval(
    p: Any, n: Any, q0: Any, q1: Any, m0: Any, m1: Any, z: float
) -> tuple[Any, Any]:
    """The interval of Lee et al. 2026 of one evaluation, or of arrays of them; unclipped.

    With the adjusted shares p', q0', q1' of n', m0', m1' rows and the estimate θ' from them:

        θ' + shift ± z se(θ'),  shift = 2 z² [θ' q1'(1−q1')/m1' − (1−θ') q0'(1−q0')/m0']

    The shift corrects the centre for the error of q0' and q1' in the denominator of θ', which a
    first-order standard error does not have (Lang & Reiczigel 2014).

    Args:
        p, n, q0, q1, m0, m1: as of ``rogan_gladen``.
        z: standard normal quantile of the level.

    Returns:
        Lower and upper limits; NaN where the adjusted judge is no better than chance.
    """
    # p is adjusted as in the interval of Agresti & Coull 1998, which has Wilson's centre. q0 and
    # q1 come from fewer rows and are often 1: one success and one failure more (Laplace) keep
    # their variance above 0.
    p_adjusted, n_adjusted = (n * p + z * z / 2) / (n + z * z), n + z * z
    q0_adjusted, m0_adjusted = (m0 * q0 + 1) / (m0 + 2), m0 + 2
    q1_adjusted, m1_adjusted = (m1 * q1 + 1) / (m1 + 2), m1 + 2
    theta = _theta(p_adjusted, q0_adjusted, q1_adjusted)
    right_part = theta * q1_adjusted * (1 - q1_adjusted) / m1_adjusted
    wrong_part = (1 - theta) * q0_adjusted * (1 - q0_adjusted) / m0_adjusted
    shift = 2 * z * z * (right_part - wrong_part)
    se = _se(theta, p_adjusted, n_adjusted, q0_adjusted, q1_adjusted, m0_adjusted, m1_adjusted)
    half_width = np.where(q0_adjusted + q1_adjusted > 1, z * se, np.nan)
    return theta + shift - half_width, theta + shift + half_width


def _interval(
    p: float, n: float, q0: float, q1: float, m0: float, m1: float, z: float
) -> Interval | None:
    with np.errstate(divide="ignore", invalid="ignore"):
        low, high = published_interval(np.float64(p), n, np.float64(q0), np.float64(q1), m0, m1, z)
    return None if np.isnan(low) else (_clip(float(low)), _clip(float(high)))


def _theta(p: Any, q0: Any, q1: Any) -> Any:
    return (p + q0 - 1) / (q0 + q1 - 1)


def _se(theta: Any, p: Any, n: Any, q0: Any, q1: Any, m0: Any, m1: Any) -> Any:
    """Delta method: ∂θ/∂p = 1/s, ∂θ/∂q0 = (1−θ)/s and ∂θ/∂q1 = −θ/s, with s = q0 + q1 − 1."""
    variance = (
        p * (1 - p) / n + (1 - theta) ** 2 * q0 * (1 - q0) / m0 + theta**2 * q1 * (1 - q1) / m1
    )
    return np.sqrt(variance) / (q0 + q1 - 1)


def _undefined(n: float, q0: float, q1: float, m0: float, m1: float) -> str | None:
    if n == 0:
        return "no_rows"
    if m1 == 0:
        return "no_correct_in_calibration"
    if m0 == 0:
        return "no_incorrect_in_calibration"
    return "judge_no_better_than_chance" if q0 + q1 - 1 <= 1e-12 else None


def _check_shares_and_counts(
    p: float, n: float, q0: float, q1: float, m0: float, m1: float, level: float
) -> None:
    for name, value in (("p", p), ("q0", q0), ("q1", q1)):
        if not 0 <= value <= 1:
            raise MeasureError(f"{name} is {value!r}: a share is between 0 and 1.")
    for name, count in (("n", n), ("m0", m0), ("m1", m1)):
        if count < 0:
            raise MeasureError(f"{name} is {count!r}: a number of rows is 0 or more.")
    if not 0 < level < 1:
        raise MeasureError(f"The level is {level!r}: it must be between 0 and 1, such as 0.95.")


def _clip(value: float) -> float:
    return min(1.0, max(0.0, value))
