"""Agreement between raters over units: coefficients with analytic standard errors.

The formulas are in ``annotation.agreement.coefficient``, intervals in ``unit_bootstrap``; which
interval and error a report shows is decided in ``exports.reports.cells.coefficient_cell``.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from pagetrail.annotation.agreement.coefficient import (
    COEFFICIENTS,
    Coefficient,
    Design,
    Reason,
    Study,
)
from pagetrail.annotation.agreement.rating_matrix import CodedRatings, RatingTable, code_ratings
from pagetrail.annotation.agreement.sufficient_statistics import unit_agreement, unit_sums
from pagetrail.annotation.agreement.weights import (
    Level,
    Matrix,
    Weights,
    check_level,
    declared_scale,
    weight_matrix,
)
from pagetrail.annotation.errors import RatingError


@dataclass(frozen=True, slots=True)
class Choices:
    """What shaped a coefficient besides the ratings.

    Attributes:
        categories: the declared ones, in order.
        weights: name of the agreement weights; they shape every coefficient but alpha.
        level: Krippendorff's level of measurement; it shapes alpha alone.
        confidence: of intervals (``unit_bootstrap``).
    """

    categories: tuple[Hashable, ...]
    weights: Weights
    level: Level | None
    confidence: float


@dataclass(frozen=True, slots=True)
class CoefficientEstimate:
    """The estimate of a coefficient from one table.

    Attributes:
        value: None where it is undefined.
        se: analytic standard error of a coefficient of independent units; None where undefined.
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
) -> dict[str, CoefficientEstimate]:
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
    table, matrix, choices = prepare_table(ratings, categories, weights, level, confidence)
    return estimate_all(table, matrix, choices, raters_known)


def prepare_table(
    ratings: RatingTable,
    categories: Sequence[Hashable],
    weights: Weights,
    level: Level | None,
    confidence: float,
) -> tuple[CodedRatings, Matrix, Choices]:
    """The coded table, the matrix of its agreement weights, and what was chosen.

    Raises:
        RatingError: as ``coefficients`` does.
    """
    scale = declared_scale(categories)
    matrix = weight_matrix(scale, weights)
    if level is not None:
        check_level(scale, level)
    if not 0 < confidence < 1:
        raise RatingError(f"{confidence} is no confidence: give a value between 0 and 1.")
    return code_ratings(ratings, scale), matrix, Choices(scale.labels, weights, level, confidence)


def estimate_all(
    table: CodedRatings, matrix: Matrix, choices: Choices, raters_known: bool
) -> dict[str, CoefficientEstimate]:
    """All coefficients of a coded table."""
    agreement = unit_agreement(table, matrix)
    sums = unit_sums(table, agreement, np.zeros(table.n_units, dtype=np.intp), 1).total()
    study = Study(table, Design(table.scale, matrix, choices.level), agreement, sums)
    return {
        key: _estimate(coefficient, study, choices, raters_known)
        for key, coefficient in COEFFICIENTS.items()
    }


def _estimate(
    coefficient: Coefficient, study: Study, choices: Choices, raters_known: bool
) -> CoefficientEstimate:
    table = study.table
    undefined = CoefficientEstimate(
        value=None,
        se=None,
        reason=coefficient.undefined_reason(table, choices.level, raters_known),
        n_units=coefficient.n_units(table),
        n_pairs=int((table.per_unit * (table.per_unit - 1) / 2).sum()),
        pa=None,
        pe=None,
        choices=choices,
    )
    if undefined.reason is not None:
        return undefined
    pa, pe = map(float, coefficient.observed_and_chance(study.sums, study.design))
    if coefficient.has_no_variation(study.sums, pe):
        return replace(undefined, reason="no_variation", pa=pa, pe=pe)
    value = coefficient.value(study, pa, pe)
    estimate = replace(undefined, value=value, pa=pa, pe=pe)
    if table.pairable.sum() < 2:
        return replace(estimate, reason="one_unit")
    se = coefficient.standard_error(study, pa, pe)
    return replace(estimate, se=se)
