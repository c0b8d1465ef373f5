"""A judge's errors measured on a sample that people judged, and accuracy corrected for them.

The sample may be simple or stratified, also by the judge's verdict. A stratified sample is weighted
by inverse inclusion probabilities (Horvitz & Thompson 1952, *JASA* 47); without the weights, a
sample of as many answers called right as called wrong gives a wrong sensitivity and specificity.

* Estimate: θ = (p + q0 − 1) / (q0 + q1 − 1) (Rogan & Gladen 1978), with the weighted sensitivity
  q1 and specificity q0.
* A simple random sample of other answers than those whose accuracy is corrected has the interval of
  Lee et al. 2026 (arXiv 2511.21140), as published.
* Otherwise the variance is that of two-phase sampling (Särndal, Swensson & Wretman 1992, *Model
  Assisted Survey Sampling*, chapter 9), linearised: the answers are a sample of all that could have
  been asked, and the judged answers are a stratified sample of them. Since the judged answers are
  among those whose share p is known, p, q0 and q1 are correlated, which Lee et al. exclude.
* Its interval combines the limits of three independent sources of error by the squares of their
  distances (Zou & Donner 2008, *Statistics in Medicine* 27; for strata Yan & Su 2010, *Statistics
  in Biopharmaceutical Research* 2): answers called right by mistake, answers called wrong by
  mistake, and the choice of questions. The first two have the beta limits of Kerman 2011
  (*Electronic Journal of Statistics* 5), the third Wilson's, each with its effective sample size,
  so that a sample without a mistake has an interval, too.
* Which strata to judge next: the allocation of Neyman 1934, in whole answers (Wright 2012, *The
  American Statistician* 66).
"""

from __future__ import annotations

import math
from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pagetrail.annotation.errors import MeasureError
from pagetrail.annotation.metrics.judging.bias import Interval, rogan_gladen
from pagetrail.annotation.metrics.result import Result
from pagetrail.annotation.statistics.allocation import allocate
from pagetrail.annotation.statistics.beta_limits import LARGEST_EFFECTIVE_N, beta_limits
from pagetrail.annotation.statistics.wilson import wilson_limits

Array = NDArray[np.float64]

BORROWED_ROWS = 2.0
"""How many rows the error rate of all strata counts for in the variance of a stratum.

A stratum with few judged answers and no mistake among them would otherwise have no variance.
"""

STRATUM_UNJUDGED = "stratum_unjudged"
"""Nothing is judged in any stratum of one verdict, so nothing says how often it is wrong."""


class CalibrationRow(NamedTuple):
    """An answer that people judged.

    Attributes:
        stratum: where it was drawn from.
        verdict: whether the judge calls it right.
        judgement: whether people find it right.
        system: who answered.
        weight: less than 1 if several answers share one weight (docs/metrics.md, Weights).
    """

    stratum: Hashable
    verdict: bool
    judgement: bool
    system: str = ""
    weight: float = 1.0


@dataclass(frozen=True)
class Stratum:
    """A part of the answers from which some were drawn at random.

    Attributes:
        size: answers in it, or their weight.
        drawn: those that were drawn, judged or not.
        verdict: the judge's verdict on each of them, if the sample was stratified by it.
    """

    size: float
    drawn: float
    verdict: bool | None = None

    @property
    def inclusion_probability(self) -> float:
        """Probability with which each answer of it was drawn."""
        return self.drawn / self.size


@dataclass(frozen=True)
class CalibrationSample:
    """The judged answers of a random sample, with its design.

    Answers that were drawn and not judged yet count as missing at random within their stratum:
    those judged represent all of it. A stratum in which nothing is judged is represented by the
    others with its verdict.

    Raises:
        MeasureError: a row of a stratum that is not named, more judged than there are, or a stratum
            without answers.
    """

    rows: Sequence[CalibrationRow]
    strata: Mapping[Hashable, Stratum]

    def __post_init__(self) -> None:
        """Checks the rows against the strata."""
        for row in self.rows:
            if row.stratum not in self.strata:
                raise MeasureError(f"The sample has no stratum {row.stratum!r}.")
        judged = self.judged_weights()
        for name, stratum in self.strata.items():
            if stratum.size <= 0 or judged[name] > stratum.size * (1 + 1e-9):
                raise MeasureError(
                    f"Stratum {name!r} has {stratum.size:g} answers, of which {judged[name]:g} are "
                    "judged."
                )

    @classmethod
    def simple(cls, rows: Sequence[CalibrationRow], size: float) -> CalibrationSample:
        """A simple random sample of ``size`` answers; the rows' own strata are not used."""
        in_one = [row._replace(stratum="") for row in rows]
        return cls(in_one, {"": Stratum(size, math.fsum(row.weight for row in rows))})

    @property
    def is_simple(self) -> bool:
        """Whether every answer was drawn with the same chance, without strata."""
        return len(self.strata) == 1

    @property
    def is_by_verdict(self) -> bool:
        """Whether it was stratified by the judge's verdict."""
        return len(self.strata) > 1 and all(
            stratum.verdict is not None for stratum in self.strata.values()
        )

    def judged_weights(self) -> dict[Hashable, float]:
        """Stratum → weight of its judged answers."""
        by_stratum: dict[Hashable, list[float]] = {name: [] for name in self.strata}
        for row in self.rows:
            by_stratum[row.stratum].append(row.weight)
        return {name: math.fsum(row_weights) for name, row_weights in by_stratum.items()}

    def expansion_weights(self) -> dict[Hashable, float]:
        """Judged stratum → how many answers each judged one of it stands for."""
        judged = self.judged_weights()
        sizes = self._sizes().tolist()
        return {
            name: size / judged[name] for name, size in zip(self._judged_strata, sizes, strict=True)
        }

    @cached_property
    def _judged_strata(self) -> list[Hashable]:
        judged = {row.stratum for row in self.rows}
        return [name for name in self.strata if name in judged]

    def _counts(self, systems: Collection[str] | None = None) -> Array:
        """Weights of the rows by stratum, verdict and judgement."""
        positions = {name: index for index, name in enumerate(self._judged_strata)}
        by_cell: dict[tuple[int, int, int], list[float]] = {}
        for row in self.rows:
            if systems is None or row.system in systems:
                cell = positions[row.stratum], int(row.verdict), int(row.judgement)
                by_cell.setdefault(cell, []).append(row.weight)
        counts = np.zeros((len(positions), 2, 2))
        for cell, row_weights in by_cell.items():
            counts[cell] = math.fsum(row_weights)
        return counts

    def _sizes(self) -> Array:
        """Sizes of the judged strata, scaled up to represent those in which nothing is judged."""
        judged = set(self._judged_strata)
        totals: dict[bool | None, list[float]] = {}
        for name, stratum in self.strata.items():
            verdict_totals = totals.setdefault(stratum.verdict, [0.0, 0.0])
            verdict_totals[0] += stratum.size
            verdict_totals[1] += stratum.size if name in judged else 0.0
        strata = [self.strata[name] for name in self._judged_strata]
        return np.array(
            [
                stratum.size * totals[stratum.verdict][0] / totals[stratum.verdict][1]
                for stratum in strata
            ]
        )

    def _undefined(self) -> str | None:
        counts = self._counts()
        verdicts = {stratum.verdict for stratum in self.strata.values()}
        if self.rows and verdicts - {self.strata[name].verdict for name in self._judged_strata}:
            return STRATUM_UNJUDGED
        if not counts[..., 1].sum():
            return "no_correct_in_calibration"
        return None if counts[..., 0].sum() else "no_incorrect_in_calibration"


@dataclass(frozen=True, kw_only=True)
class JudgeRate(Result):
    """Sensitivity or specificity. Its counts are ``part`` and ``whole``, numbers of judged rows.

    Attributes:
        interval: of all answers that could have been asked; None where the rate is undefined.
        se: linearised standard error.
    """

    interval: Interval | None = None
    se: float | None = None


@dataclass(frozen=True)
class JudgeRates:
    """How a judge compares with people.

    Attributes:
        sensitivity: q1, the weighted share called right of the answers that are right.
        specificity: q0, the weighted share called wrong of the answers that are wrong.
        judged: number of rows.
        strata: how many the sample has; 1 for a simple random sample.
    """

    sensitivity: JudgeRate
    specificity: JudgeRate
    judged: int
    strata: int


@dataclass(frozen=True, kw_only=True)
class CorrectedAccuracy(Result):
    """Accuracy corrected for a judge's errors, in [0, 1].

    Undefined for the reasons of ``rogan_gladen``, and for ``stratum_unjudged``.

    Attributes:
        interval: with the uncertainty of the calibration sample; None for few rows and a judge
            hardly better than chance.
        se: linearised standard error, with both.
        unclipped: the estimate before it was clipped to [0, 1].
        method: ``lee``, the published interval for a simple random sample of other answers, or
            ``two_phase``.
    """

    interval: Interval | None = None
    se: float | None = None
    unclipped: float | None = None
    method: str = "two_phase"

    @property
    def width(self) -> float | None:
        """From end to end of the interval."""
        return None if self.interval is None else self.interval[1] - self.interval[0]


@dataclass(frozen=True)
class NextStratum:
    """What judging more of a stratum would do.

    Attributes:
        judged: weight of its judged answers.
        spread: standard deviation of what its answers contribute to the estimate.
        more: how many of the next answers to judge are in it.
    """

    name: Hashable
    stratum: Stratum
    judged: float
    spread: float
    more: int


@dataclass(frozen=True)
class NextJudgements:
    """What to judge next.

    Attributes:
        strata: those of the sample, largest ``more`` first.
        more: how many answers the plan has, at most those that were asked for.
        accuracy: today's estimate.
        width: expected width of its interval after them; None where it is undefined.
        proportional_width: if as many are judged in proportion to the strata's sizes.
    """

    strata: Sequence[NextStratum]
    more: int
    accuracy: CorrectedAccuracy
    width: float | None
    proportional_width: float | None


def judge_rates(sample: CalibrationSample, *, level: float = 0.95) -> JudgeRates:
    """Sensitivity and specificity, weighted by inverse inclusion probabilities."""
    return JudgeRates(
        sensitivity=_rate(sample, True, level),
        specificity=_rate(sample, False, level),
        judged=len(sample.rows),
        strata=len(sample.strata),
    )


def corrected_accuracy(
    sample: CalibrationSample,
    share: float,
    n: float,
    *,
    systems: Collection[str] | None = None,
    level: float = 0.95,
) -> CorrectedAccuracy:
    """Accuracy corrected for the errors of a judge.

    Args:
        share: of the answers that the judge calls right.
        n: these answers, or their weight.
        systems: whose answers these are, if the sample was drawn from them and others; None if it
            was drawn from all of them. None of them in the sample: it was drawn from other answers.

    Raises:
        MeasureError: a share outside [0, 1], a negative count, or a level outside (0, 1).
    """
    counts = sample._counts()
    q0, q1, m0, m1 = _weighted_rates(counts, sample._sizes())
    published = rogan_gladen(share, n, q0, q1, m0, m1, level=level)
    counted = {"judged": len(sample.rows), "strata": len(sample.strata)}
    reason = published.reason if n == 0 else sample._undefined() or published.reason
    if reason:
        return CorrectedAccuracy(
            value=None, reason=reason, counts=counted, choices=published.choices
        )
    tested = sample._counts(systems)
    if sample.is_simple and not tested.any():
        return CorrectedAccuracy(
            value=published.value,
            interval=published.interval,
            se=published.se,
            unclipped=published.unclipped,
            method="lee",
            counts=counted,
            choices=published.choices,
        )
    estimate = two_phase_estimate(
        counts, sample._sizes(), tested, share, n, level=level, by_verdict=sample.is_by_verdict
    )
    return CorrectedAccuracy(
        value=published.value,
        interval=(float(estimate.low), float(estimate.high)),
        se=float(estimate.se),
        unclipped=published.unclipped,
        counts=counted,
        choices=published.choices,
    )


def plan_judgements(
    sample: CalibrationSample,
    share: float,
    n: float,
    more: int,
    *,
    systems: Collection[str] | None = None,
    level: float = 0.95,
) -> NextJudgements:
    """Which strata to judge next, and how wide the interval is expected to be afterwards.

    Each further answer goes to the stratum in which it reduces the variance most, which gives
    Neyman's allocation in whole numbers. The expected width assumes that rates stay as they are.
    A stratum in which nothing is judged yet is expected to be like the others.
    """
    accuracy = corrected_accuracy(sample, share, n, systems=systems, level=level)
    names = list(sample.strata)
    sizes = [sample.strata[name].size for name in names]
    judged = sample.judged_weights()
    spreads = _spreads(sample, accuracy)
    judged_counts = [judged[name] for name in names]
    influences = [size * spreads[name] for size, name in zip(sizes, names, strict=True)]
    added = allocate(influences, sizes, judged_counts, more)
    in_proportion = allocate(sizes, sizes, judged_counts, more)

    def expected_width(added: Sequence[int]) -> float | None:
        if accuracy.value is None:
            return None
        targets = {name: judged[name] + extra for name, extra in zip(names, added, strict=True)}
        expected = CalibrationSample(_expected_rows(sample, targets), sample.strata)
        return corrected_accuracy(expected, share, n, systems=systems, level=level).width

    strata = [
        NextStratum(name, sample.strata[name], judged[name], spreads[name], extra)
        for name, extra in zip(names, added, strict=True)
    ]
    return NextJudgements(
        sorted(strata, key=lambda stratum: (-stratum.more, str(stratum.name))),
        sum(added),
        accuracy,
        expected_width(added),
        expected_width(in_proportion),
    )


class TwoPhaseEstimate(NamedTuple):
    """Estimates of a batch of samples, all of the leading shape (…).

    Attributes:
        theta: the estimate, not clipped.
        low, high: limits of its interval, clipped to [0, 1].
        se: standard error.
    """

    theta: Any
    low: Any
    high: Any
    se: Any


def two_phase_estimate(
    counts: Array,
    sizes: Array,
    tested: Array,
    share: Any,
    n: Any,
    *,
    level: float = 0.95,
    by_verdict: bool | None = None,
) -> TwoPhaseEstimate:
    """Corrected accuracy with its interval, for one sample or many at once.

    Reports have one; ``benchmarks.judge_coverage`` estimates thousands in leading dimensions.
    Formulas and their symbols are those of docs/metrics.md, Calibration samples.

    Args:
        counts: judged answers, of shape (…, strata, verdict, judgement). Index 1 of the last two
            is "right", 0 is "wrong".
        sizes: of the strata, (…, strata).
        tested: those of ``counts`` that are among the ``n`` answers, of the same shape.
        share: p, the share of answers that the judge calls right, (…).
        n: of how many answers, (…).
        by_verdict: whether the sample was stratified by the judge's verdict; by default, whether
            no stratum has answers of both verdicts.
    """
    share, n = np.asarray(share, dtype=float), np.asarray(n, dtype=float)
    design = _Design(counts, sizes, by_verdict)
    slope = design.q0 + design.q1 - 1
    theta = (share + design.q0 - 1) / slope
    clipped = np.clip(theta, 0, 1)
    influence = _accuracy_influence(design, clipped)
    verdicts = np.array([0.0, 1.0])[:, None]
    # a = (v − p) / n: what an answer contributes to p itself, (…, verdict, 1).
    direct = (verdicts - share[..., None, None]) / n[..., None, None]
    tested_weights = (tested * design.weights[..., None, None]).sum(-3)
    # V_questions = Σ (a + c)² over all answers = p(1−p)/n + Σ w c² + 2 Σ w a c. The last sum is
    # over the tested answers alone, since a is 0 elsewhere.
    question_variance = share * (1 - share) / n
    question_variance = question_variance + (design.weighted_counts * influence**2).sum((-1, -2))
    question_variance = question_variance + 2 * (tested_weights * direct * influence).sum((-1, -2))
    # The first term is known and the other two are estimated, so the sum can fall below 0.
    question_variance = np.maximum(question_variance, 0.0)
    down, up = design.error_distances(influence, level)
    with np.errstate(divide="ignore", invalid="ignore"):
        effective_n = np.where(
            (question_variance > 0) & (clipped > 0) & (clipped < 1),
            clipped * (1 - clipped) * slope**2 / question_variance,
            n,
        )
    low, high = wilson_limits(clipped, effective_n, level)
    variance = (design.variance(influence) + question_variance) / slope**2
    # down and up are squared distances of p + q0 − 1 − θ (q0 + q1 − 1), which changes ``slope``
    # times as fast as θ. Wilson's limits are limits of θ already: effective_n has the slope in it.
    return TwoPhaseEstimate(
        theta,
        np.clip(theta - np.sqrt(down / slope**2 + (clipped - low) ** 2), 0, 1),
        np.clip(theta + np.sqrt(up / slope**2 + (high - clipped) ** 2), 0, 1),
        np.sqrt(variance),
    )


class _Design:
    """The judged answers of a batch of samples, with their weights.

    Attributes:
        counts: judged answers, (…, strata, verdict, judgement).
        sizes: N_h, answers of each stratum, (…, strata).
        judged: m_h, judged answers of each stratum, (…, strata).
        weights: w = N_h / m_h of an answer of each stratum, (…, strata).
        weighted_counts: weighted answers, (…, verdict, judgement).
        finite_population_factor: 1 − m_h / N_h, the share of each stratum that is not judged, by
            which the variance of its judged answers is multiplied, (…, strata); 1 where the
            answers stand for all that could have been asked (``finite_population`` is False).
        q0, q1: specificity and sensitivity, (…).
        right, wrong: weighted answers that are right, and wrong, (…).
        by_verdict: as of ``two_phase_estimate``.
    """

    def __init__(
        self,
        counts: Array,
        sizes: Array,
        by_verdict: bool | None = None,
        *,
        finite_population: bool = True,
    ) -> None:
        self.counts = counts
        self.sizes = sizes
        self.judged = counts.sum((-1, -2))
        with np.errstate(divide="ignore", invalid="ignore"):
            self.weights = np.where(self.judged > 0, sizes / self.judged, 0.0)
            unjudged_share = np.clip(1 - self.judged / sizes, 0, 1)
            self.finite_population_factor = (
                unjudged_share if finite_population else np.ones_like(unjudged_share)
            )
            self.weighted_counts = (counts * self.weights[..., None, None]).sum(-3)
            self.right = self.weighted_counts[..., 1].sum(-1)
            self.wrong = self.weighted_counts[..., 0].sum(-1)
            self.q1 = self.weighted_counts[..., 1, 1] / self.right
            self.q0 = self.weighted_counts[..., 0, 0] / self.wrong
        if by_verdict is None:
            has_verdict = counts.sum(-1) > 0
            by_verdict = not bool((has_verdict[..., 0] & has_verdict[..., 1]).any())
        self.by_verdict = by_verdict

    def variance(self, influence: Array) -> Any:
        """V_judged: variance of the estimated total of ``influence``, (…).

        Args:
            influence: what an answer contributes, of shape (…, verdict, judgement).
        """
        return self._variance_components(influence).sum((-1, -2))

    def _variance_components(self, influence: Array) -> Array:
        """N_h² (1 − m_h/N_h) S_h² / (m_h − 1) by stratum and verdict, (…, strata, verdict).

        The variance between the verdicts of a stratum has no verdict of its own. It is added to
        that of verdict 0, which changes nothing: it is 0 in strata by verdict, and elsewhere only
        the sum over both verdicts is used.
        """
        with np.errstate(divide="ignore", invalid="ignore"):
            # m_h / 2 below two answers, where m_h − 1 is 0 or negative; equal to it at two.
            freedom = np.maximum(self.judged - 1, self.judged / 2)
            scale = self.sizes**2 * self.finite_population_factor / freedom
            scale = np.where(self.judged > 0, scale, 0.0)
        within, between = self._verdict_variances(influence)
        within[..., 0] += between
        components: Array = scale[..., None] * within
        return components

    def variance_in_strata(self, influence: Array) -> Array:
        """S_h²: variance of ``influence`` among the answers of each stratum, (…, strata)."""
        within, between = self._verdict_variances(influence)
        variance: Array = within.sum(-1) + between
        return variance

    def _verdict_variances(self, influence: Array) -> tuple[Array, Array]:
        """Variance of ``influence`` within the verdicts of each stratum, and between them.

        S_h² = Σ_v s_v e_v (1 − e_v) (c_mistaken − c_correct)²  +  Σ_v s_v (c̄_v − c̄)²

        with s_v the share of verdict v in the stratum and e_v its error rate, which borrows
        ``BORROWED_ROWS`` rows from the other strata.

        Returns:
            The first sum by verdict, (…, strata, verdict), and the second, (…, strata).
        """
        by_verdict = self.counts.sum(-1)
        # Verdict 0 is a mistake on an answer that is right, verdict 1 on one that is wrong.
        errors = np.stack([self.counts[..., 0, 1], self.counts[..., 1, 0]], -1)
        weighted = self.weights[..., None]
        with np.errstate(divide="ignore", invalid="ignore"):
            overall = np.nan_to_num(
                (weighted * errors).sum(-2) / (weighted * by_verdict).sum(-2), nan=0.0
            )
            shares = np.nan_to_num(by_verdict / self.judged[..., None], nan=0.0)
        rates = (errors + BORROWED_ROWS * overall[..., None, :]) / (by_verdict + BORROWED_ROWS)
        correct = np.stack([influence[..., 0, 0], influence[..., 1, 1]], -1)[..., None, :]
        mistaken = np.stack([influence[..., 0, 1], influence[..., 1, 0]], -1)[..., None, :]
        within = shares * rates * (1 - rates) * (mistaken - correct) ** 2
        means = correct + rates * (mistaken - correct)
        middle = (shares * means).sum(-1, keepdims=True)
        return within, (shares * (means - middle) ** 2).sum(-1)

    def error_distances(self, influence: Array, level: float) -> tuple[Any, Any]:
        """Squared distances of the lower and the upper limit, from both kinds of mistakes, (…).

        In strata by verdict, mistakes are counted among the answers with a verdict, since the
        design fixes how many of these are judged; otherwise among those that are right, or wrong.
        Each kind of mistake has a rate, and a change of that rate by 1 changes the estimate by
        ``total * change``: all of these answers turn from correct to mistaken verdicts.
        """
        variances = self._variance_components(influence).sum(-2)
        if self.by_verdict:
            judged = [self.counts[..., 1, :].sum(-1), self.counts[..., 0, :].sum(-1)]
            totals = [
                self.weighted_counts[..., 1, :].sum(-1),
                self.weighted_counts[..., 0, :].sum(-1),
            ]
            changes = [
                influence[..., 1, 0] - influence[..., 1, 1],
                influence[..., 0, 1] - influence[..., 0, 0],
            ]
            variances_by_error = [variances[..., 1], variances[..., 0]]
        else:
            judged = [self.counts[..., 0].sum(-1), self.counts[..., 1].sum(-1)]
            totals = [self.wrong, self.right]
            changes = [
                influence[..., 1, 0] - influence[..., 0, 0],
                influence[..., 0, 1] - influence[..., 1, 1],
            ]
            # Strata mix both kinds, so V_judged is divided in proportion to Σ w c².
            squared_influence = (self.weighted_counts * influence**2).sum(-2)
            with np.errstate(divide="ignore", invalid="ignore"):
                share_of_wrong = squared_influence[..., 0] / squared_influence.sum(-1)
            share_of_wrong = np.nan_to_num(share_of_wrong, nan=0.0)
            total = variances.sum(-1)
            variances_by_error = [total * share_of_wrong, total * (1 - share_of_wrong)]
        mistakes = [self.weighted_counts[..., 1, 0], self.weighted_counts[..., 0, 1]]
        squared_lower = squared_upper = np.zeros_like(self.q0)
        for source in zip(judged, totals, mistakes, variances_by_error, changes, strict=True):
            lower, upper = self._mistake_limits(*source, level)
            # More mistakes of a kind may raise or lower the estimate.
            squared_lower = squared_lower + np.minimum(lower, upper) ** 2
            squared_upper = squared_upper + np.maximum(lower, upper) ** 2
        return squared_lower, squared_upper

    def _mistake_limits(
        self, judged: Array, total: Any, mistaken: Any, variance: Any, change: Any, level: float
    ) -> tuple[Any, Any]:
        """Change of the estimate if mistakes were as rare, or as frequent, as their limits say.

        Args:
            judged: answers among which a mistake can occur, (…, strata).
            total: their weight, (…).
            mistaken: weight of the mistakes among them, (…).
            variance: of the estimate through these mistakes, (…).
            change: of the estimate if one answer is mistaken, (…).
        """
        slope = total * change
        with np.errstate(divide="ignore", invalid="ignore"):
            rate = np.clip(np.nan_to_num(mistaken / total, nan=0.0), 0, 1)
            # Kish's effective number, (Σ w)² / Σ w² (1 − m_h/N_h), of which the limits are taken
            # where no mistake was seen; infinite where all answers are judged.
            squared = (self.weights**2 * judged * self.finite_population_factor).sum(-1)
            kish_n = np.where(squared > 0, total**2 / squared, LARGEST_EFFECTIVE_N)
            # Otherwise as many as give a binomial proportion this variance.
            binomial = slope**2 * rate * (1 - rate)
            effective_n = np.where((variance > 0) & (binomial > 0), binomial / variance, kish_n)
        low, high = beta_limits(rate, np.minimum(effective_n, LARGEST_EFFECTIVE_N), level)
        return slope * (low - rate), slope * (high - rate)


def _rate(sample: CalibrationSample, judgement: bool, level: float) -> JudgeRate:
    counts = sample._counts()
    truth = int(judgement)
    of_truth = [row for row in sample.rows if row.judgement is judgement]
    counted = {
        "part": sum(row.verdict is judgement for row in of_truth),
        "whole": len(of_truth),
    }
    if not of_truth:
        reason = "no_correct_in_calibration" if judgement else "no_incorrect_in_calibration"
        return JudgeRate(value=None, reason=reason, counts=counted)
    if sample._undefined() == STRATUM_UNJUDGED:
        return JudgeRate(value=None, reason=STRATUM_UNJUDGED, counts=counted)
    design = _Design(counts, sample._sizes(), sample.is_by_verdict, finite_population=False)
    rate = float(design.q1 if judgement else design.q0)
    # Linearised ratio Σ w v y / Σ w y: (v − q) / Σ w y for an answer of this judgement, else 0.
    influence = np.zeros((2, 2))
    class_weight = float(design.right if judgement else design.wrong)
    influence[truth, truth] = (1 - rate) / class_weight
    influence[1 - truth, truth] = -rate / class_weight
    down, up = design.error_distances(influence, level)
    return JudgeRate(
        value=rate,
        interval=(max(0.0, rate - math.sqrt(down)), min(1.0, rate + math.sqrt(up))),
        se=math.sqrt(float(design.variance(influence))),
        counts=counted,
    )


def _accuracy_influence(design: _Design, theta: Any) -> Array:
    """c: what an answer adds to p + q0 − 1 − θ (q0 + q1 − 1) by q0 and q1.

    c = (1−θ) (1−y) (1−v−q0) / Σ w (1−y)  −  θ y (v−q1) / Σ w y

    Returns:
        Shape (…, verdict v, judgement y).
    """
    right, wrong = theta / design.right, (1 - theta) / design.wrong
    called_wrong = np.stack([wrong * (1 - design.q0), right * design.q1], -1)
    called_right = np.stack([-wrong * design.q0, -right * (1 - design.q1)], -1)
    return np.stack([called_wrong, called_right], -2)


def _weighted_rates(counts: Array, sizes: Array) -> tuple[float, float, float, float]:
    """q0, q1, and the judged answers that are wrong and right; 0 where there are none."""
    design = _Design(counts, sizes)
    m0, m1 = float(counts[..., 0].sum()), float(counts[..., 1].sum())
    return (
        float(np.clip(design.q0, 0, 1)) if m0 else 0.0,
        float(np.clip(design.q1, 0, 1)) if m1 else 0.0,
        m0,
        m1,
    )


def _spreads(sample: CalibrationSample, accuracy: CorrectedAccuracy) -> dict[Hashable, float]:
    """Standard deviation of the influence in each stratum; 1 everywhere without an estimate.

    A stratum in which nothing is judged has the largest.
    """
    if accuracy.value is None:
        return dict.fromkeys(sample.strata, 1.0)
    design = _Design(sample._counts(), sample._sizes())
    variances = design.variance_in_strata(_accuracy_influence(design, accuracy.value))
    spreads = dict(zip(sample._judged_strata, np.sqrt(variances).tolist(), strict=True))
    return {name: spreads.get(name, max(spreads.values())) for name in sample.strata}


def _expected_rows(
    sample: CalibrationSample, targets: Mapping[Hashable, float]
) -> list[CalibrationRow]:
    """The rows as they are expected to be once as much is judged of each stratum.

    The judged rows of a stratum stand for those that follow; in a stratum without any, all rows
    with its verdict do.
    """
    by_stratum: dict[Hashable, list[CalibrationRow]] = {name: [] for name in sample.strata}
    for row in sample.rows:
        by_stratum[row.stratum].append(row)
    expected = []
    for name, target in targets.items():
        verdict = sample.strata[name].verdict
        models = by_stratum[name] or [
            row for row in sample.rows if verdict is None or row.verdict is verdict
        ]
        weight = math.fsum(row.weight for row in models)
        expected += [
            row._replace(stratum=name, weight=row.weight * target / weight)
            for row in models
            if target
        ]
    return expected
