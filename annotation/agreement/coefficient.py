"""The coefficients of agreement, one class each.

A class says everything about its coefficient: observed and chance agreement as functions of sums
over units, when it is undefined, its analytic standard error, which units count, and its heading,
explanation, formula and source. Estimates, bootstrap, reports and docs/metrics.md take them from
``COEFFICIENTS``. Which of interval and standard error a report shows is decided in
``exports.reports.cells.coefficient_cell``.

Sums have the leading shape ``(...)``, so the same code gives the coefficient of one table and of
2,000 resampled ones. Dividing by a sum that is 0 gives NaN.

Standard errors are first-order: a coefficient (p_a − p_e) / (1 − p_e) is linearised in the weights
of the units; with contributions u_i of mean 0 over n units, se² = Σ u_i² / (n (n − 1)) (Gwet 2008,
2014). For units that were rated once this differs from the R package irrCAC, which leaves a term
behind that inflates the error; it equals irrCAC where every unit was rated twice. Cohen's kappa has
its large-sample error instead, which divides by n² (Fleiss, Cohen & Everitt 1969).
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from typing import ClassVar, Literal, NamedTuple

import numpy as np

from pagetrail.annotation.agreement.alpha import (
    alpha_influences,
    alphas,
    observed_and_expected,
    packaged_alpha,
)
from pagetrail.annotation.agreement.rating_matrix import CodedRatings
from pagetrail.annotation.agreement.sufficient_statistics import UnitSums, ratio, times
from pagetrail.annotation.agreement.weights import Level, Matrix, Scale, Weights

Reason = Literal[
    "no_pairable_unit",
    "one_category_declared",
    "no_variation",
    "rater_without_ratings",
    "rater_identity_unknown",
    "not_two_raters",
    "no_level",
    "one_unit",
]

NO_VARIATION = 1e-12
"""Where 1 − p_e is not above this, a chance-corrected coefficient is undefined."""


class Design(NamedTuple):
    """What shapes a coefficient besides the ratings.

    Attributes:
        scale: the declared categories.
        weights: agreement weights, shape (q, q).
        level: Krippendorff's level of measurement; it shapes alpha alone.
    """

    scale: Scale
    weights: Matrix
    level: Level | None


class Study(NamedTuple):
    """A table of ratings with what all its coefficients share.

    Attributes:
        agreement: a_i of each unit, see ``unit_agreement``.
        sums: of the whole table, without leading dimensions.
    """

    table: CodedRatings
    design: Design
    agreement: Matrix
    sums: UnitSums


class Coefficient(ABC):
    """A coefficient (p_a − p_e) / (1 − p_e), by default with the weighted agreement of all raters.

    Attributes:
        name, chance_formula, source: its row in docs/metrics.md.
        heading, explanation: of its column in reports.
        corrects_for_chance: otherwise it is a plain proportion.
        counts_units_rated_once: whether units with one rating count, towards chance.
        needs_raters: it is undefined where it isn't known who rated, or somebody rated nothing.
        needs_two_raters, needs_level: undefined without exactly two raters, without a level.
        in_charts: shown in charts, not in tables alone.
    """

    key: ClassVar[str]
    name: ClassVar[str]
    chance_formula: ClassVar[str]
    source: ClassVar[str]
    heading: ClassVar[str]
    explanation: ClassVar[str]
    corrects_for_chance: ClassVar[bool] = True
    counts_units_rated_once: ClassVar[bool] = False
    needs_raters: ClassVar[bool] = False
    needs_two_raters: ClassVar[bool] = False
    needs_level: ClassVar[bool] = False
    in_charts: ClassVar[bool] = False

    @abstractmethod
    def chance(self, sums: UnitSums, design: Design) -> Matrix:
        """p_e, shape (...)."""

    def chance_contributions(self, study: Study) -> Matrix:
        """Contribution of each unit to p_e, shape (n_units,), with mean 0.

        Zero where p_e does not depend on the ratings.
        """
        return np.zeros(study.table.n_units)

    def heading_for(self, weights: Weights, level: Level | None) -> str:
        """The heading of a column computed with these weights and level."""
        return self.heading

    def undefined_reason(
        self, table: CodedRatings, level: Level | None, raters_known: bool
    ) -> Reason | None:
        """Why it is undefined whatever the raters chose; None where it may be defined."""
        if self.needs_level and level is None:
            return "no_level"
        if self.needs_raters and not raters_known:
            return "rater_identity_unknown"
        if self.needs_two_raters and table.n_raters != 2:
            return "not_two_raters"
        if not table.pairable.any():
            return "no_pairable_unit"
        if self.corrects_for_chance and table.scale.size == 1:
            return "one_category_declared"
        if self.needs_raters and not table.per_rater.all():
            return "rater_without_ratings"
        return None

    def observed_and_chance(self, sums: UnitSums, design: Design) -> tuple[Matrix, Matrix]:
        """(p_a, p_e), each of shape (...)."""
        return ratio(sums.agreement, sums.pairable), self.chance(sums, design)

    def has_no_variation(self, sums: UnitSums, expected: float) -> bool:
        """Whether the ratings of one table leave nothing to correct for."""
        return 1 - expected <= NO_VARIATION

    def value(self, study: Study, observed: float, expected: float) -> float:
        """The coefficient of one table."""
        return (observed - expected) / (1 - expected)

    def values(self, sums: UnitSums, design: Design) -> Matrix:
        """The coefficients of many tables, shape (...); NaN where undefined."""
        observed, expected = self.observed_and_chance(sums, design)
        possible_agreement = np.where(1 - expected > NO_VARIATION, 1 - expected, 0.0)
        return ratio(observed - expected, possible_agreement)

    def standard_error(self, study: Study, observed: float, expected: float) -> float:
        """Analytic standard error for one table, with 1 − p_e above 0."""
        pairable, n = study.table.pairable, study.table.n_units
        deviations = np.where(pairable, study.agreement - observed, 0.0)
        value = (observed - expected) / (1 - expected)
        contributions = n / pairable.sum() * deviations - (1 - value) * self.chance_contributions(
            study
        )
        variance = float(np.square(contributions).sum()) / (n * (n - 1))
        return math.sqrt(variance) / (1 - expected)

    def n_units(self, table: CodedRatings) -> int:
        """Units that the value rests on."""
        return table.n_units if self.counts_units_rated_once else int(table.pairable.sum())


class PercentAgreement(Coefficient):
    """Weighted percent agreement: nothing is put down to chance (Gwet 2014)."""

    key = "percent_agreement"
    name = "(weighted) percent agreement"
    chance_formula = "0"
    source = "Gwet 2014"
    heading = "Agreement"
    explanation = "Share of pairs of ratings that gave the same category."
    corrects_for_chance = False

    def chance(self, sums: UnitSums, design: Design) -> Matrix:
        return np.zeros_like(sums.pairable, dtype=np.float64)


class KrippendorffAlpha(Coefficient):
    """Krippendorff's alpha.

    The value is that of the reference package ``krippendorff``. It takes one whole table at a time
    and gives no errors, so replicates and standard errors are computed here, from sums.
    """

    key = "krippendorff_alpha"
    name = "Krippendorff's alpha"
    chance_formula = "see below"
    source = "Krippendorff 2004, 2011"
    heading = "α"
    explanation = "1 − observed by expected disagreement (Krippendorff 2011)."
    needs_level = True
    in_charts = True

    def heading_for(self, weights: Weights, level: Level | None) -> str:
        return f"{self.heading} ({level})"

    def chance(self, sums: UnitSums, design: Design) -> Matrix:
        return self.observed_and_chance(sums, design)[1]

    def observed_and_chance(self, sums: UnitSums, design: Design) -> tuple[Matrix, Matrix]:
        return observed_and_expected(sums.coincidences, design.scale, _level(design))

    def has_no_variation(self, sums: UnitSums, expected: float) -> bool:
        # 1 − p_e is relative to the largest difference between declared categories. One far away
        # that nobody used makes it tiny, though the used ones vary.
        return int((sums.coincidences.sum(axis=0) > 0).sum()) < 2

    def value(self, study: Study, observed: float, expected: float) -> float:
        return packaged_alpha(study.table, _level(study.design))

    def values(self, sums: UnitSums, design: Design) -> Matrix:
        return alphas(sums.coincidences, design.scale, _level(design))

    def standard_error(self, study: Study, observed: float, expected: float) -> float:
        # dα/dw_i is u_i / n for contributions to a mean over n units: Σ u_i² / (n (n − 1)) is
        # Σ (dα/dw_i)² · n / (n − 1).
        contributions = alpha_influences(study.table, study.sums.coincidences, _level(study.design))
        n = len(contributions)
        return math.sqrt(float(np.square(contributions).sum()) * n / (n - 1))


class GwetAC(Coefficient):
    """Gwet's AC1 and AC2 (Gwet 2008, 2014)."""

    key = "gwet_ac"
    name = "AC1 with identity weights, AC2 with any other"
    chance_formula = (
        "`T_w / (q (q−1)) · Σ_k π_k (1 − π_k)`, `π_k` the mean over rated units of `r_ik / r_i`"
    )
    source = "Gwet 2008, 2014"
    heading = "Gwet's AC"
    explanation = "Chance agreement from how evenly all categories are used (Gwet 2008, 2014)."
    counts_units_rated_once = True
    in_charts = True

    def heading_for(self, weights: Weights, level: Level | None) -> str:
        return f"{self.heading}{1 if weights == 'identity' else 2}"

    def chance(self, sums: UnitSums, design: Design) -> Matrix:
        shares, q = category_shares(sums), design.scale.size
        evenness: Matrix = (shares * (1 - shares)).sum(axis=-1)
        expected: Matrix = design.weights.sum() / max(q * (q - 1), 1) * evenness
        return expected

    def chance_contributions(self, study: Study) -> Matrix:
        weights, shares = study.design.weights, category_shares(study.sums)
        q = len(weights)
        slope = weights.sum() / (q * (q - 1)) * (1 - 2 * shares)
        return times(study.table.shares - shares, slope)


class FleissKappa(Coefficient):
    """Fleiss' kappa (Fleiss 1971; Gwet 2014)."""

    key = "fleiss_kappa"
    name = "Fleiss' kappa"
    chance_formula = "`Σ_kl w_kl π_k π_l`"
    source = "Fleiss 1971; Gwet 2014"
    heading = "Fleiss' κ"
    explanation = "Chance agreement from the shares of all raters together (Fleiss 1971)."
    counts_units_rated_once = True

    def chance(self, sums: UnitSums, design: Design) -> Matrix:
        shares = category_shares(sums)
        expected: Matrix = ((shares @ design.weights) * shares).sum(axis=-1)
        return expected

    def chance_contributions(self, study: Study) -> Matrix:
        shares = category_shares(study.sums)
        return times(study.table.shares - shares, 2 * (study.design.weights @ shares))


class CongerKappa(Coefficient):
    """Conger's kappa (Conger 1980; Gwet 2014)."""

    key = "conger_kappa"
    name = "Conger's kappa; Cohen's for two complete raters"
    chance_formula = (
        "mean over ordered pairs of raters g ≠ h of `Σ_kl w_kl p_gk p_hl`, `p_gk` the share of "
        "rater g's ratings in category k"
    )
    source = "Conger 1980; Gwet 2014"
    heading = "Conger's κ"
    explanation = "Chance agreement from each rater's own shares (Conger 1980)."
    counts_units_rated_once = True
    needs_raters = True

    def chance(self, sums: UnitSums, design: Design) -> Matrix:
        shares = rater_shares(sums)
        raters = shares.shape[-2]
        total, weights = shares.sum(axis=-2), design.weights
        all_pairs = ((total @ weights) * total).sum(axis=-1)
        self_pairs = ((shares @ weights) * shares).sum(axis=(-2, -1))
        expected: Matrix = (all_pairs - self_pairs) / max(raters * (raters - 1), 1)
        return expected

    def chance_contributions(self, study: Study) -> Matrix:
        """Contribution of each unit to p_e, shape (n_units,), with mean 0.

        With R raters, n units, n_g units of rater g, and r_igk = 1 if g put unit i into k:

            ∂p_e/∂p_gk = 2 / (R (R−1)) Σ_{h≠g} Σ_l w_kl p_hl
            u_i = Σ_g n/n_g Σ_k ∂p_e/∂p_gk (r_igk − p_gk), over the raters g of unit i
        """
        table, shares = study.table, rater_shares(study.sums)
        raters = len(shares)
        # ∂p_e/∂p_gk, shape (raters, q).
        slope = (shares.sum(axis=0) - shares) @ study.design.weights * 2 / (raters * (raters - 1))
        # p_gk is a mean over n_g units, contributions are to a mean over all n.
        slope *= (table.n_units / table.per_rater)[:, None]
        # Now Σ_k slope_gk (r_igk − p_gk) is the entry of the category that g chose.
        slope -= (shares * slope).sum(axis=1, keepdims=True)
        # One pass over the ratings, so that many raters with few ratings each cost little.
        contributions: Matrix = np.zeros(table.n_units)
        contributions += np.bincount(table.unit, slope[table.rater, table.category], table.n_units)
        return contributions


class BrennanPrediger(Coefficient):
    """Brennan–Prediger (1981)."""

    key = "brennan_prediger"
    name = "Brennan–Prediger"
    chance_formula = "`T_w / q²`"
    source = "Brennan & Prediger 1981"
    heading = "Brennan–Prediger"
    explanation = "Chance agreement as if all categories were equally likely (1981)."

    def chance(self, sums: UnitSums, design: Design) -> Matrix:
        expected = design.weights.sum() / design.scale.size**2
        return np.full_like(sums.pairable, expected, dtype=np.float64)


class CohenKappa(Coefficient):
    """Cohen's kappa over the units both raters rated (Cohen 1960, weighted 1968)."""

    key = "cohen_kappa"
    name = "Cohen's kappa, over units that both of two raters rated; `p_a` too is taken over these"
    chance_formula = "the product of the two raters' margins, weighted"
    source = "Cohen 1960, 1968"
    heading = "Cohen's κ"
    explanation = "Two raters alone, on the units both rated (Cohen 1960, 1968)."
    needs_raters = True
    needs_two_raters = True

    def chance(self, sums: UnitSums, design: Design) -> Matrix:
        joint = _joint_shares(sums)
        first, second = joint.sum(axis=-1), joint.sum(axis=-2)
        expected: Matrix = ((first @ design.weights) * second).sum(axis=-1)
        return expected

    def observed_and_chance(self, sums: UnitSums, design: Design) -> tuple[Matrix, Matrix]:
        observed = (_joint_shares(sums) * design.weights).sum(axis=(-2, -1))
        return observed, self.chance(sums, design)

    def standard_error(self, study: Study, observed: float, expected: float) -> float:
        return cohen_standard_error(study.sums.crossed, study.design.weights, observed, expected)


COEFFICIENTS: dict[str, Coefficient] = {
    coefficient.key: coefficient
    for coefficient in (
        PercentAgreement(),
        KrippendorffAlpha(),
        GwetAC(),
        FleissKappa(),
        CongerKappa(),
        BrennanPrediger(),
        CohenKappa(),
    )
}
"""All coefficients by key, in the order in which they are read."""


def category_shares(sums: UnitSums) -> Matrix:
    """π_k: mean over rated units of the share of its ratings in category k, shape (..., q)."""
    return ratio(sums.shares, sums.rated[..., None])


def rater_shares(sums: UnitSums) -> Matrix:
    """p_gk: share of rater g's ratings in category k, shape (..., raters, q)."""
    return ratio(sums.by_rater, sums.by_rater.sum(axis=-1, keepdims=True))


def cohen_standard_error(
    crossed: Matrix, weights: Matrix, observed: float, expected: float
) -> float:
    """Large-sample standard error of Cohen's kappa (Fleiss, Cohen & Everitt 1969).

    Args:
        crossed: units by the two raters' categories, shape (q, q).
    """
    n = crossed.sum()
    joint = crossed / n
    value = (observed - expected) / (1 - expected)
    margins = (weights @ joint.sum(axis=0))[:, None] + (joint.sum(axis=1) @ weights)[None, :]
    contributions = weights - (1 - value) * margins
    # Their mean is p_a − 2 (1 − κ) p_e; taking it off first loses no digits where raters agree.
    variance = (joint * (contributions - (joint * contributions).sum()) ** 2).sum()
    return math.sqrt(float(variance) / n) / (1 - expected)


def _joint_shares(sums: UnitSums) -> Matrix:
    return ratio(sums.crossed, sums.crossed.sum(axis=(-2, -1))[..., None, None])


def _level(design: Design) -> Level:
    assert design.level is not None, "undefined_reason excludes alpha without a level"
    return design.level
