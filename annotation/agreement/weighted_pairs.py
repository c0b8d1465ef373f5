"""Agreement of two raters on a sample whose units stand for unequal numbers of others.

Each unit weighs the inverse of its inclusion probability (Horvitz & Thompson 1952), so that the
table of both raters' categories, and every coefficient of it, estimates that of all units (Lin,
Kim, Williamson & Lesser 2012, *Survey Methodology* 38, on coefficients of agreement in surveys).
Clusters are resampled with their weights. The draws do not hold the strata fixed, which makes
intervals too wide rather than too narrow.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from pagetrail.annotation.agreement.coefficient import COEFFICIENTS, NO_VARIATION, Design
from pagetrail.annotation.agreement.sufficient_statistics import UnitSums
from pagetrail.annotation.agreement.weights import Matrix, Weights, declared_scale, weight_matrix
from pagetrail.annotation.statistics.task_bootstrap import (
    REPLICATES,
    SEED,
    percentile_interval,
    replicate_counts,
    resampled_clusters,
)


@dataclass(frozen=True)
class WeightedCoefficient:
    """A coefficient with its interval over resampled clusters.

    Attributes:
        value: None where ``reason`` says why it is undefined.
        low, high: None without an interval: a single cluster, or no variation.
    """

    value: float | None
    reason: str | None
    low: float | None
    high: float | None
    n_clusters: int


def weighted_coefficients(
    ratings: Sequence[tuple[Hashable, Hashable]],
    unit_weights: Sequence[float],
    clusters: Sequence[Hashable],
    *,
    categories: Sequence[Hashable],
    weights: Weights,
    keys: Sequence[str],
    replicates: int = REPLICATES,
    seed: int = SEED,
) -> dict[str, WeightedCoefficient]:
    """Coefficients of two raters who both rated every unit, in whatever order the units come.

    Args:
        unit_weights: of each unit, more than 0.
        clusters: of each unit, such as its task.
        categories, weights, keys: as of ``bootstrap``.

    Raises:
        RatingError: a category is declared twice, or weights have an unknown name.
    """
    scale = declared_scale(categories)
    design = Design(scale, weight_matrix(scale, weights), None)
    tables = _tables_by_cluster(
        [scale.index[first] for first, _ in ratings],
        [scale.index[second] for _, second in ratings],
        unit_weights,
        clusters,
        scale.size,
    )
    sums = _sums_of_tables(tables, design.weights)
    n_clusters = len(tables)
    values = {key: _value(key, sums.total(), design) for key in keys}
    drawn_values: dict[str, list[Matrix]] = {key: [] for key in keys}
    for clusters_drawn in resampled_clusters(n_clusters, replicates, seed):
        replicate_sums = sums.weighted(replicate_counts(clusters_drawn, n_clusters))
        for key in keys:
            drawn_values[key].append(COEFFICIENTS[key].values(replicate_sums, design))
    return {
        key: _with_interval(value, np.concatenate(drawn_values[key]), n_clusters)
        for key, value in values.items()
    }


def _tables_by_cluster(
    first: Sequence[int],
    second: Sequence[int],
    unit_weights: Sequence[float],
    clusters: Sequence[Hashable],
    q: int,
) -> Matrix:
    """Weights by cluster and both raters' categories; sorted, so that names make no difference."""
    number: dict[Hashable, int] = {}
    group = np.array([number.setdefault(name, len(number)) for name in clusters], dtype=np.intp)
    tables = np.zeros((len(number), q, q))
    np.add.at(tables, (group, np.array(first), np.array(second)), np.array(unit_weights))
    return tables[np.lexsort(np.round(tables.reshape(len(number), -1), 9).T)]


def _sums_of_tables(tables: Matrix, weights: Matrix) -> UnitSums:
    """The sums of each cluster, where both raters rated every unit.

    A unit of the categories k and l has the agreement w_kl, half of its shares in each category,
    and the coincidences (k, l) and (l, k).

    Args:
        tables: weights of units, shape (clusters, q, q).
    """
    margins = np.stack([tables.sum(axis=2), tables.sum(axis=1)], axis=1)
    total = tables.sum(axis=(1, 2))
    return UnitSums(
        by_rater=margins,
        crossed=tables,
        rated=total,
        pairable=total,
        agreement=(tables * weights).sum(axis=(1, 2)),
        shares=margins.mean(axis=1),
        coincidences=tables + tables.swapaxes(1, 2),
    )


def _value(key: str, sums: UnitSums, design: Design) -> float | None:
    observed, expected = map(float, COEFFICIENTS[key].observed_and_chance(sums, design))
    return None if 1 - expected <= NO_VARIATION else (observed - expected) / (1 - expected)


def _with_interval(
    value: float | None, drawn_values: Matrix, n_clusters: int
) -> WeightedCoefficient:
    if value is None:
        return WeightedCoefficient(None, "no_variation", None, None, n_clusters)
    defined = drawn_values[~np.isnan(drawn_values)]
    if n_clusters < 2 or len(defined) < 2 or np.ptp(defined) < NO_VARIATION:
        return WeightedCoefficient(value, None, None, None, n_clusters)
    (low, high), _ = percentile_interval(defined)
    return WeightedCoefficient(value, None, low, high, n_clusters)
