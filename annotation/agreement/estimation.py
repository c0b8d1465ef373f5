"""Agreement between raters over units: seven coefficients with standard errors and intervals."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from pagetrail.annotation.agreement import standard_errors
from pagetrail.annotation.agreement.alpha import observed_and_chance, packaged_alpha
from pagetrail.annotation.agreement.chance import CHANCE, KEYS, NO_VARIATION, Key
from pagetrail.annotation.agreement.rating_matrix import Coded, RatingTable, coded
from pagetrail.annotation.agreement.sufficient_statistics import Moments, moments, unit_agreement
from pagetrail.annotation.agreement.weights import (
    Level,
    Matrix,
    Weights,
    declared,
    differences,
    weight_matrix,
)
from pagetrail.annotation.errors import RatingError
from pagetrail.annotation.statistics.student_t import two_sided_t

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


@dataclass(frozen=True, slots=True)
class Choices:
    """What shaped a coefficient besides the ratings.

    Attributes:
        categories: the declared ones, in order.
        weights: name of the agreement weights; they shape every coefficient but alpha.
        level: Krippendorff's level of measurement; it shapes alpha alone.
        confidence: of the interval.
    """

    categories: tuple[Hashable, ...]
    weights: Weights
    level: Level | None
    confidence: float


@dataclass(frozen=True, slots=True)
class Coefficient:
    """One coefficient of one table.

    Attributes:
        value: None where it is undefined.
        se: analytic standard error of a coefficient of independent units; None where undefined.
        ci: value ± t · se, t with one degree of freedom less than there are rated units (Cohen:
            units both raters rated); the upper end is at most 1, the lower end is not cut.
        reason: why ``value`` is None; ``"one_unit"`` where there is a value, but a single unit to
            take its spread from. Otherwise None.
        n_units: units the value rests on: those with two ratings or more, and for AC, Fleiss' and
            Conger's kappa also those with one, which count towards chance.
        n_pairs: pairs of ratings of the same unit.
        pa: observed agreement p_a.
        pe: chance agreement p_e; the value is (p_a − p_e) / (1 − p_e).
    """

    value: float | None
    se: float | None
    ci: tuple[float, float] | None
    reason: Reason | None
    n_units: int
    n_pairs: int
    pa: float | None
    pe: float | None
    choices: Choices


def coefficients(
    ratings: RatingTable,
    *,
    categories: Sequence[Hashable],
    weights: Weights = "identity",
    level: Level | None = None,
    confidence: float = 0.95,
    raters_known: bool = True,
) -> dict[Key, Coefficient]:
    """All coefficients of a table of ratings.

    Sources: Gwet 2008, *British Journal of Mathematical and Statistical Psychology* 61, and Gwet
    2014, *Handbook of Inter-Rater Reliability*, 4th ed., for the forms with missing ratings;
    Fleiss 1971, Conger 1980, Brennan & Prediger 1981, Cohen 1960 and 1968, Krippendorff 2004.

    >>> table = [[1, 1], [2, 2], [2, 1], [2, 2]]
    >>> round(coefficients(table, categories=[1, 2])["cohen_kappa"].value, 3)
    0.5

    Args:
        ratings: shape (units, raters); None or NaN where there is no rating.
        categories: all a rater could choose from, used or not. Numbers are scores.
        weights: "identity" gives AC1, anything else AC2.
        level: of Krippendorff's alpha; without one alpha is left undefined.
        confidence: of the intervals, between 0 and 1.
        raters_known: False where the columns are no persons, only the ratings in any order: the
            kappas that need to know who rated are then undefined.

    Raises:
        RatingError: a rating is not among the categories, the table is not rectangular, a category
            is declared twice, a name is unknown, or ratio weights or level meet a negative score.
    """
    table, matrix, choices = prepared(ratings, categories, weights, level, confidence)
    return estimates(table, matrix, choices, raters_known)


def prepared(
    ratings: RatingTable,
    categories: Sequence[Hashable],
    weights: Weights,
    level: Level | None,
    confidence: float,
) -> tuple[Coded, Matrix, Choices]:
    """The coded table, the matrix of its agreement weights, and what was chosen.

    Raises:
        RatingError: as ``coefficients`` does.
    """
    scale = declared(categories)
    matrix = weight_matrix(scale, weights)
    if level is not None:
        differences(scale, level, np.zeros(scale.size))
    if not 0 < confidence < 1:
        raise RatingError(f"{confidence} is no confidence: give a value between 0 and 1.")
    return coded(ratings, scale), matrix, Choices(scale.labels, weights, level, confidence)


def estimates(
    table: Coded, matrix: Matrix, choices: Choices, raters_known: bool
) -> dict[Key, Coefficient]:
    """All coefficients of a coded table."""
    agreement = unit_agreement(table, matrix)
    sums = moments(table, agreement, np.zeros(table.n_units, dtype=np.intp), 1).whole()
    study = _Study(table, matrix, choices, raters_known, agreement, sums)
    return {key: _estimate(key, study) for key in KEYS}


def undefined_for(
    key: Key, table: Coded, level: Level | None, raters_known: bool = True
) -> Reason | None:
    """Why a coefficient is undefined whatever the raters chose; None where it may be defined."""
    needs_raters = key in ("conger_kappa", "cohen_kappa")
    if key == "krippendorff_alpha" and level is None:
        return "no_level"
    if needs_raters and not raters_known:
        return "rater_identity_unknown"
    if key == "cohen_kappa" and table.n_raters != 2:
        return "not_two_raters"
    if not table.pairable.any():
        return "no_pairable_unit"
    if key != "percent_agreement" and table.scale.size == 1:
        return "one_category_declared"
    if needs_raters and not table.per_rater.all():
        return "rater_without_ratings"
    return None


@dataclass(frozen=True, slots=True)
class _Study:
    """A table with what all its coefficients share."""

    table: Coded
    matrix: Matrix
    choices: Choices
    raters_known: bool
    agreement: Matrix
    sums: Moments


def _estimate(key: Key, study: _Study) -> Coefficient:
    table, choices = study.table, study.choices
    n_units, n_pairs = _unit_and_pair_counts(key, table)
    nothing = Coefficient(None, None, None, None, n_units, n_pairs, None, None, choices)
    reason = undefined_for(key, table, choices.level, study.raters_known)
    if reason is not None:
        return replace(nothing, reason=reason)
    pa, pe = _observed_and_chance(key, study)
    if _varies_not(key, study.sums, pe):
        return replace(nothing, reason="no_variation", pa=pa, pe=pe)
    if key == "krippendorff_alpha":
        assert choices.level is not None
        value = packaged_alpha(table, choices.level)
    else:
        value = (pa - pe) / (1 - pe)
    found = replace(nothing, value=value, pa=pa, pe=pe)
    if table.pairable.sum() < 2:
        return replace(found, reason="one_unit")
    se = _standard_error(key, study, pa, pe)
    rated = n_units if key == "cohen_kappa" else table.n_units
    reach = two_sided_t(choices.confidence, rated - 1) * se
    return replace(found, se=se, ci=(value - reach, min(1.0, value + reach)))


def _observed_and_chance(key: Key, study: _Study) -> tuple[float, float]:
    if key == "krippendorff_alpha":
        assert study.choices.level is not None
        both = observed_and_chance(study.sums.coincidences, study.table.scale, study.choices.level)
    else:
        both = CHANCE[key](study.sums, study.matrix)
    return float(both[0]), float(both[1])


def _varies_not(key: Key, sums: Moments, pe: float) -> bool:
    if key == "krippendorff_alpha":
        # Its differences have no common largest value: 1 − p_e may be tiny and still exact.
        return int((sums.coincidences.sum(axis=0) > 0).sum()) < 2
    return 1 - pe <= NO_VARIATION


def _standard_error(key: Key, study: _Study, pa: float, pe: float) -> float:
    table, sums = study.table, study.sums
    if key == "krippendorff_alpha":
        assert study.choices.level is not None
        return standard_errors.of_alpha(table, sums.coincidences, study.choices.level)
    if key == "cohen_kappa":
        return standard_errors.of_cohen(sums.crossed, study.matrix, pa, pe)
    return standard_errors.linearised(key, table, study.matrix, sums, study.agreement, pa, pe)


def _unit_and_pair_counts(key: Key, table: Coded) -> tuple[int, int]:
    """(units, pairs) that a coefficient is based on."""
    total = table.per_unit
    pairs = int((total * (total - 1) / 2).sum())
    rated_once_counts = key in ("gwet_ac", "fleiss_kappa", "conger_kappa")
    return table.n_units if rated_once_counts else int(table.pairable.sum()), pairs
