"""Agreement on numbers, which have no declared list of categories.

Krippendorff's interval alpha needs none (Krippendorff 2004, *Content Analysis*, ch. 11): with
squared differences it is a function of the number, the sum and the sum of squares of the ratings of
each unit, so it costs the same however many different numbers there are. Percent agreement is the
share of pairs that gave the same number. What corrects for chance by counting declared categories,
or compares their use, is undefined.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from pagetrail.annotation.agreement import (
    COEFFICIENTS,
    BootstrappedCoefficient,
    Choices,
    CoefficientEstimate,
)
from pagetrail.annotation.agreement.by_group import Row
from pagetrail.annotation.agreement.rating_matrix import Index
from pagetrail.annotation.agreement.sufficient_statistics import ratio
from pagetrail.annotation.agreement.unit_bootstrap import interval_over
from pagetrail.annotation.agreement.weights import Matrix
from pagetrail.annotation.errors import RatingError
from pagetrail.annotation.statistics.task_bootstrap import (
    REPLICATES,
    SEED,
    resampled_clusters,
)

NO_CATEGORIES = "no_declared_categories"
_CONFIDENCE = 0.95


def number_row(
    values: Matrix,
    clusters: Sequence[Hashable],
    *,
    replicates: int = REPLICATES,
    seed: int = SEED,
) -> Row:
    """Interval alpha and percent agreement of numbers, with intervals over resampled clusters.

    Analytic standard errors are first-order, as for the other coefficients.

    Args:
        values: shape (units, raters); NaN where there is no rating.
        clusters: of each unit, shape (units,).

    Raises:
        RatingError: clusters and units differ in number.
    """
    if len(clusters) != len(values):
        raise RatingError(f"{len(clusters)} clusters were given for {len(values)} units.")
    is_rated = ~np.isnan(values)
    per_unit = is_rated.sum(axis=1)
    n_rated = int((per_unit > 0).sum())
    number: dict[Hashable, int] = {}
    cluster_numbers = [
        number.setdefault(clusters[u], len(number)) for u in np.flatnonzero(per_unit).tolist()
    ]
    pairable = per_unit >= 2
    pairs = int((per_unit * (per_unit - 1) // 2).sum())
    sums = _unit_sums(values[pairable], is_rated[pairable], per_unit[pairable])
    group = np.array(cluster_numbers, dtype=np.intp)[pairable[per_unit > 0]]
    values_of: dict[str, float] = {
        "percent_agreement": float(_percent(sums.sum(axis=0))),
        "krippendorff_alpha": float(_alpha(sums.sum(axis=0))),
    }
    errors = _standard_errors(sums, values_of, n_rated)
    estimates = {
        key: _coefficient(key, values_of, errors, int(pairable.sum()), pairs)
        for key in COEFFICIENTS
    }
    replicate_values = (
        _replicate_values(sums, group, len(number), replicates, seed) if len(number) >= 2 else None
    )
    intervals = {
        key: _interval(key, estimates[key], replicate_values, len(number), replicates, seed)
        for key in COEFFICIENTS
    }
    return Row(int(pairable.sum()), pairs, len(number), intervals)


def _unit_sums(values: Matrix, is_rated: NDArray[np.bool_], size: Index) -> Matrix:
    """One row a pairable unit: 1, equal pairs, ratings, Σx, Σx², and what it adds to D_o."""
    # Relative to the mean, so that large numbers close together lose no digits.
    centre = values[is_rated].mean() if is_rated.any() else 0.0
    moved = np.where(is_rated, values - centre, 0.0)
    total, squares = moved.sum(axis=1), (moved**2).sum(axis=1)
    own_mean = (total / size)[:, None]
    within_units = (np.where(is_rated, moved - own_mean, 0.0) ** 2).sum(axis=1) * size / (size - 1)
    equal = np.array(
        [
            _equal_pairs(row[rated_columns])
            for row, rated_columns in zip(values, is_rated, strict=True)
        ]
    )
    columns = [np.ones(len(values)), equal, size.astype(float), total, squares, within_units]
    sums: Matrix = np.column_stack(columns)
    return sums


def _equal_pairs(row: Matrix) -> float:
    """Share of the pairs of one unit that gave the same number."""
    _, counts = np.unique(row, return_counts=True)
    return float((counts * (counts - 1)).sum() / (len(row) * (len(row) - 1)))


def _percent(sums: Matrix) -> Matrix:
    return ratio(sums[..., 1], sums[..., 0])


def _alpha(sums: Matrix) -> Matrix:
    """1 − (n − 1) Σ_u m_u/(m_u − 1) Σ (x − x̄_u)² / (n Σx² − (Σx)²); NaN without variation."""
    n, total, squares, within_units = (sums[..., column] for column in (2, 3, 4, 5))
    spread = n * squares - total**2
    # Equal numbers have no spread; what is left is rounding.
    spread = np.where(spread > 1e-12 * n * squares, spread, 0.0)
    return 1 - ratio((n - 1) * within_units, spread)


def _standard_errors(sums: Matrix, values: dict[str, float], rated: int) -> dict[str, float]:
    """First order in the weights of units, as ``annotation.agreement.coefficient``."""
    n_pairable = len(sums)
    if n_pairable < 2:
        return {}
    deviations = rated / n_pairable * (sums[:, 1] - values["percent_agreement"])
    errors: dict[str, float] = {
        "percent_agreement": float(np.sqrt((deviations**2).sum() / (rated * (rated - 1))))
    }
    if not np.isnan(values["krippendorff_alpha"]):
        _, _, n, total, squares, within_units = sums.sum(axis=0)
        spread = n * squares - total**2
        change = (
            sums[:, 2] * within_units
            + n * sums[:, 5]
            - n
            * within_units
            / spread
            * (sums[:, 2] * squares + n * sums[:, 4] - 2 * total * sums[:, 3])
        )
        part = change / spread
        errors["krippendorff_alpha"] = float(
            np.sqrt((part**2).sum() * n_pairable / (n_pairable - 1))
        )
    return errors


def _coefficient(
    key: str,
    values: dict[str, float],
    errors: dict[str, float],
    n_pairable: int,
    pairs: int,
) -> CoefficientEstimate:
    choices = Choices((), "identity", "interval", _CONFIDENCE)
    undefined = CoefficientEstimate(None, None, None, n_pairable, pairs, None, None, choices)
    value = values.get(key)
    if value is None:
        return undefined
    if not n_pairable:
        return replace(undefined, reason="no_pairable_unit")
    if np.isnan(value):
        return replace(undefined, reason="no_variation")
    if key not in errors:
        return replace(undefined, value=value, reason="one_unit")
    return replace(undefined, value=value, se=errors[key])


def _replicate_values(
    sums: Matrix, group: Index, n_clusters: int, replicates: int, seed: int
) -> dict[str, Matrix]:
    per_cluster = np.zeros((n_clusters, sums.shape[1]))
    np.add.at(per_cluster, group, sums)
    # Sorted by their sums, so that the draws do not depend on the order of the units.
    per_cluster = per_cluster[np.lexsort(np.round(per_cluster, 9).T)]
    replicate_sums = np.concatenate(
        [
            per_cluster[clusters_drawn].sum(axis=1)
            for clusters_drawn in resampled_clusters(n_clusters, replicates, seed)
        ]
    )
    return {
        "percent_agreement": _percent(replicate_sums),
        "krippendorff_alpha": _alpha(replicate_sums),
    }


def _interval(
    key: str,
    coefficient: CoefficientEstimate,
    replicate_values: dict[str, Matrix] | None,
    n_clusters: int,
    replicates: int,
    seed: int,
) -> BootstrappedCoefficient:
    reason: str | None = coefficient.reason if coefficient.value is None else None
    if coefficient.value is None and reason is None:
        reason = NO_CATEGORIES
    without_interval = BootstrappedCoefficient(
        coefficient=coefficient,
        ci=None,
        reason=reason,
        n_clusters=n_clusters,
        n_replicates=replicates,
        n_undefined=0,
        seed=seed,
    )
    if reason is not None:
        return without_interval
    if replicate_values is None:
        return replace(without_interval, reason="one_cluster")
    return interval_over(without_interval, replicate_values[key])
