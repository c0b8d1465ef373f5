"""Accuracy of answers of which a rule decided some and left others undecided, by judged ones.

A rule with three verdicts has no sensitivity and specificity. What people say of a random share of
each verdict's answers does: accuracy is the sum over verdicts of the share of answers with this
verdict times the share of these that are right, the post-stratified estimate (Cochran 1977,
*Sampling Techniques*, 5A.9; docs/metrics.md, Calibration samples).

Its interval adds the squared distances of the limits of independent sources (Zou & Donner 2008,
*Statistics in Medicine* 27): the judged answers of each verdict, with the beta limits of Kerman
2011, and the choice of questions, with Wilson's (1927).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from pagetrail.annotation.metrics.judging.accuracy import JudgedAccuracy
from pagetrail.annotation.metrics.judging.bias import Interval
from pagetrail.annotation.metrics.judging.calibration import STRATUM_UNJUDGED
from pagetrail.annotation.metrics.result import Result
from pagetrail.annotation.statistics.attempt_weights import Unit, weights
from pagetrail.annotation.statistics.beta_limits import LARGEST_EFFECTIVE_N, beta_limits
from pagetrail.annotation.statistics.wilson import wilson, wilson_limits

RuleVerdict = Literal["correct", "incorrect", "undecided"]
RULE_VERDICTS: tuple[RuleVerdict, ...] = ("correct", "incorrect", "undecided")

Outcome = RuleVerdict | Literal["exact", "unanswered"]
"""A verdict, or what needs none: an exact match is right, and no answer is wrong."""


class JudgedVerdict(NamedTuple):
    """An answer of a drawn sample that people judged.

    Attributes:
        verdict: of the rule.
        is_right: by people.
        weight: how many answers it stands for: the inverse of the share of its stratum that is
            judged, times what it shares with others (docs/metrics.md, Weights).
        unjudged: share of its stratum that is not judged.
    """

    verdict: RuleVerdict
    is_right: bool
    weight: float
    unjudged: float


@dataclass(frozen=True, kw_only=True)
class RightShare(Result):
    """The weighted share of right answers among those with a verdict; undefined if none is judged.

    Its counts are ``part`` and ``whole``, numbers of judged answers.

    Attributes:
        interval: None where the share is undefined.
        effective_n: judged answers of equal weight, drawn with replacement, that would say as much.
    """

    interval: Interval | None = None
    effective_n: float = 0.0


class RuleAnswer(NamedTuple):
    """An answer and what the rule says of it.

    Attributes:
        unit: what its weight of 1 is shared with.
    """

    unit: Unit
    outcome: Outcome


def right_share(answers: Sequence[JudgedVerdict], *, level: float = 0.95) -> RightShare:
    """What people say of the answers with one verdict.

    Args:
        answers: those of one verdict that people judged.
    """
    counts = {"part": sum(answer.is_right for answer in answers), "whole": len(answers)}
    if not answers:
        return RightShare(value=None, reason=STRATUM_UNJUDGED, counts=counts)
    total = math.fsum(answer.weight for answer in answers)
    right = math.fsum(answer.weight for answer in answers if answer.is_right)
    value = min(right / total, 1.0)
    # Kish's effective number, (Σ w)² / Σ w² (1 − m_h/N_h); infinite where all answers are judged.
    squared = math.fsum(answer.weight**2 * answer.unjudged for answer in answers)
    effective_n = min(total**2 / squared, LARGEST_EFFECTIVE_N) if squared else LARGEST_EFFECTIVE_N
    low, high = beta_limits(value, effective_n, level)
    return RightShare(
        value=value, interval=(float(low), float(high)), effective_n=effective_n, counts=counts
    )


def accuracy_by_verdict(
    answers: Iterable[RuleAnswer],
    shares: Mapping[RuleVerdict, RightShare],
    *,
    level: float = 0.95,
) -> JudgedAccuracy:
    """Accuracy over answers of which a rule decided some.

    ``raw`` takes undecided answers as wrong; ``undecided`` counts them, and ``upper`` is ``raw`` if
    all of them are right. Undefined without answers (``no_rows``), and where nothing is judged of a
    verdict that some answer has (``stratum_unjudged``).

    Args:
        shares: verdict → what people say of the answers with this verdict.
    """
    all_answers = list(answers)
    if not all_answers:
        return JudgedAccuracy(value=None, reason="no_rows")
    weighted = list(zip(weights([answer.unit for answer in all_answers]), all_answers, strict=True))
    n = math.fsum(weight for weight, _ in weighted)

    def share_of(*outcomes: Outcome) -> float:
        return math.fsum(w for w, answer in weighted if answer.outcome in outcomes) / n

    raw = share_of("exact", "correct")
    undecided = sum(answer.outcome == "undecided" for answer in all_answers)
    upper = share_of("exact", "correct", "undecided") if undecided else None
    raw_interval = wilson(min(raw, 1.0) * n, n)
    value, variance, down, up = share_of("exact"), 0.0, 0.0, 0.0
    for verdict in RULE_VERDICTS:
        share = share_of(verdict)
        if not share:
            continue
        right = shares[verdict]
        if right.value is None or right.interval is None:
            return JudgedAccuracy(
                value=None,
                reason=right.reason,
                raw=raw,
                raw_interval=raw_interval,
                undecided=undecided,
                upper=upper,
            )
        value += share * right.value
        variance += share**2 * right.value * (1 - right.value) / right.effective_n
        down += (share * (right.value - right.interval[0])) ** 2
        up += (share * (right.interval[1] - right.value)) ** 2
    value = min(value, 1.0)
    low, high = map(float, wilson_limits(value, n, level))
    return JudgedAccuracy(
        value=value,
        raw=raw,
        raw_interval=raw_interval,
        undecided=undecided,
        upper=upper,
        interval=(
            max(0.0, value - math.sqrt(down + (value - low) ** 2)),
            min(1.0, value + math.sqrt(up + (high - value) ** 2)),
        ),
        se=math.sqrt(variance + value * (1 - value) / n),
    )
