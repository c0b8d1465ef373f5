"""Accuracy where a judge decides some of the answers and the others need no judge.

Answers that match gold exactly never reach the judge (Borchmann et al. 2026, MADQA, appendix F.1),
and where nothing was answered there is nothing to judge. The judge's errors therefore concern the
rest alone: with the share d decided without the judge, of which s are correct, and the corrected
accuracy θ of the rest (``calibration``), accuracy is d s + (1 − d) θ.

Its interval combines those of d, s (Wilson 1927) and θ by variance recovery (MOVER; Zou and Donner
2008, Statistics in Medicine 27), linearised; the three are independent.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pagetrail.annotation.metrics.judging.bias import Interval
from pagetrail.annotation.metrics.judging.calibration import CorrectedAccuracy
from pagetrail.annotation.metrics.result import Result
from pagetrail.annotation.statistics.attempt_weights import Unit, weights
from pagetrail.annotation.statistics.wilson import wilson

Correction = Callable[[float, float], CorrectedAccuracy]
"""Corrects (share called correct, weight of the judged answers)."""


class DecidedAnswer(NamedTuple):
    """An answer and who decided it.

    Attributes:
        unit: what its weight of 1 is shared with.
        correct: None if it needs the judge and has no verdict.
        by_judge: whether it needs the judge.
    """

    unit: Unit
    correct: bool | None
    by_judge: bool


@dataclass(frozen=True, kw_only=True)
class JudgedAccuracy(Result):
    """Accuracy corrected for a judge's errors, in [0, 1].

    Undefined where the correction is, without answers (``no_rows``), and where none of the answers
    that need the judge has a verdict (``not_judged``).

    Attributes:
        raw: accuracy uncorrected; None likewise. Of it are ``undecided`` and ``upper``.
        raw_interval: of it.
        interval: includes the uncertainty of the calibration sample; None where the correction has
            none.
        se: standard error, likewise.
        is_clipped: whether the correction was outside [0, 1] and was clipped.
    """

    raw: float | None = None
    raw_interval: Interval | None = None
    interval: Interval | None = None
    se: float | None = None
    is_clipped: bool = False


class _Estimate(NamedTuple):
    value: float
    interval: Interval | None
    se: float


def judged_accuracy(answers: Iterable[DecidedAnswer], correction: Correction) -> JudgedAccuracy:
    """Accuracy over answers, corrected for the errors of the judge who decided some of them.

    Answers that need the judge and have no verdict are represented by those that have one.
    """
    all_answers = list(answers)
    if not all_answers:
        return JudgedAccuracy(value=None, reason="no_rows")
    units = [answer.unit for answer in all_answers]
    weighted = list(zip(weights(units), all_answers, strict=True))
    other_share = _Share.from_weighted(
        [(w, bool(a.correct)) for w, a in weighted if not a.by_judge]
    )
    judged_share = _Share.from_weighted(
        [(w, a.correct) for w, a in weighted if a.by_judge and a.correct is not None]
    )
    n_judge = math.fsum(w for w, a in weighted if a.by_judge)
    if n_judge and not judged_share.n:
        return JudgedAccuracy(value=None, reason="not_judged")
    if not n_judge:
        ends = other_share.interval
        return JudgedAccuracy(
            value=other_share.value,
            raw=other_share.value,
            raw_interval=ends,
            interval=ends,
            se=other_share.se,
        )
    uncorrected = _Estimate(judged_share.value, judged_share.interval, judged_share.se)
    raw = _joined(other_share, n_judge, uncorrected)
    estimate = correction(judged_share.value, judged_share.n)
    if estimate.value is None:
        return JudgedAccuracy(
            value=None, reason=estimate.reason, raw=raw.value, raw_interval=raw.interval
        )
    corrected = _joined(
        other_share, n_judge, _Estimate(estimate.value, estimate.interval, estimate.se or 0.0)
    )
    return JudgedAccuracy(
        value=corrected.value,
        raw=raw.value,
        raw_interval=raw.interval,
        interval=corrected.interval,
        se=corrected.se,
        is_clipped=estimate.unclipped not in (None, estimate.value),
    )


class _Share(NamedTuple):
    part: float
    n: float

    @classmethod
    def from_weighted(cls, weighted: Sequence[tuple[float, bool]]) -> _Share:
        part = math.fsum(weight for weight, correct in weighted if correct)
        n = math.fsum(weight for weight, _ in weighted)
        return cls(min(part, n), n)

    @property
    def value(self) -> float:
        return self.part / self.n

    @property
    def interval(self) -> Interval:
        ends = wilson(self.part, self.n)
        assert ends is not None  # n is positive
        return ends

    @property
    def se(self) -> float:
        return math.sqrt(self.value * (1 - self.value) / self.n)


def _joined(other_share: _Share, n_judge: float, estimate: _Estimate) -> _Estimate:
    """Accuracy of the answers decided without the judge and those that need it, together."""
    if not other_share.n:
        return estimate
    theta = estimate.value
    without_judge = _Share(other_share.n, other_share.n + n_judge)
    d, s = without_judge.value, other_share.value
    value = d * s + (1 - d) * theta
    # Each source times the derivative by it: ∂d is s − θ, ∂s is d, and ∂θ is 1 − d.
    se = math.hypot((s - theta) * without_judge.se, d * other_share.se, (1 - d) * estimate.se)
    if estimate.interval is None:
        return _Estimate(value, None, se)
    parts = (
        (s - theta, d, without_judge.interval),
        (d, s, other_share.interval),
        (1 - d, theta, estimate.interval),
    )
    distance_down = math.hypot(*(_reach(*part, down=True) for part in parts))
    distance_up = math.hypot(*(_reach(*part, down=False) for part in parts))
    return _Estimate(value, (max(0.0, value - distance_down), min(1.0, value + distance_up)), se)


def _reach(slope: float, estimate: float, ends: Interval, *, down: bool) -> float:
    """How far the ends of an estimate's interval move the result down or up."""
    low, high = ends
    distance = estimate - low if (slope >= 0) == down else high - estimate
    return abs(slope) * max(0.0, distance)
