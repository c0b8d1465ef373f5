"""Intervals of agreement coefficients by resampling clusters of units.

Pages of one question are not independent: intervals that take units as independent are too short.
Whole clusters (questions) are drawn with replacement, as many as there are, and the percentiles of
the coefficients of the drawn tables are the interval (Efron & Tibshirani 1993, *An Introduction to
the Bootstrap*, ch. 13; Davison & Hinkley 1997, *Bootstrap Methods*, §3.8 for clusters). Every
coefficient is a function of sums over clusters, so no table is ever rebuilt.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from pagetrail.annotation.agreement.coefficient import COEFFICIENTS, Design
from pagetrail.annotation.agreement.estimation import (
    CoefficientEstimate,
    estimate_all,
    prepare_table,
)
from pagetrail.annotation.agreement.rating_matrix import CodedRatings, Index, RatingTable
from pagetrail.annotation.agreement.sufficient_statistics import UnitSums, unit_agreement, unit_sums
from pagetrail.annotation.agreement.weights import Level, Matrix, Weights
from pagetrail.annotation.errors import RatingError
from pagetrail.annotation.statistics.task_bootstrap import (
    REPLICATES,
    SEED,
    percentile_interval,
    replicate_counts,
    resampled_clusters,
)


@dataclass(frozen=True, slots=True)
class BootstrappedCoefficient:
    """A coefficient with its interval over resampled clusters.

    Attributes:
        coefficient: the value, the analytic standard error and the counts of the whole table.
        ci: percentile interval at the coefficient's confidence; None where it is undefined.
        reason: why ``ci`` is None.
        n_clusters: clusters with a rating.
        n_replicates: tables drawn.
        n_undefined: drawn tables in which the coefficient is undefined; they are left out.
        seed: of the draws.
    """

    coefficient: CoefficientEstimate
    ci: tuple[float, float] | None
    reason: str | None
    n_clusters: int
    n_replicates: int
    n_undefined: int
    seed: int

    @property
    def value(self) -> float | None:
        """The coefficient of the whole table."""
        return self.coefficient.value


def bootstrap(
    ratings: RatingTable,
    *,
    categories: Sequence[Hashable],
    weights: Weights = "identity",
    level: Level | None = None,
    clusters: Sequence[Hashable] | None,
    keys: Sequence[str] | None = None,
    replicates: int = REPLICATES,
    seed: int = SEED,
    confidence: float = 0.95,
    raters_known: bool = True,
) -> dict[str, BootstrappedCoefficient]:
    """Intervals of the coefficients named in ``keys``; of all by default.

    The same ratings and seed give the same interval, in whatever order the units come.

    Args:
        ratings: shape (units, raters); None or NaN where there is no rating.
        categories, weights, level, confidence, raters_known: as of ``coefficients``.
        clusters: the cluster of each unit, shape (units,), as the id of its question; None where
            units are independent.
        replicates: number of tables to draw.

    Raises:
        RatingError: as ``coefficients`` does, or where clusters and units differ in number, or
            fewer than two replicates are asked for.
    """
    table, matrix, choices = prepare_table(ratings, categories, weights, level, confidence)
    if replicates < 2:
        raise RatingError(f"{replicates} replicates have no spread: ask for 2,000 or more.")
    keys = tuple(COEFFICIENTS) if keys is None else keys
    for key in keys:
        if key not in COEFFICIENTS:
            known_keys = ", ".join(COEFFICIENTS)
            raise RatingError(f"There is no coefficient {key!r}. Choose from {known_keys}.")
    group, n_clusters = _groups(table, clusters, len(ratings))
    estimated = estimate_all(table, matrix, choices, raters_known)
    without_interval = {
        key: BootstrappedCoefficient(
            coefficient=estimated[key],
            ci=None,
            reason=estimated[key].reason if estimated[key].value is None else None,
            n_clusters=n_clusters,
            n_replicates=replicates,
            n_undefined=0,
            seed=seed,
        )
        for key in keys
    }
    defined = [key for key in keys if without_interval[key].reason is None]
    if n_clusters < 2:
        return {
            key: replace(interval, reason=interval.reason or "one_cluster")
            for key, interval in without_interval.items()
        }
    if not defined:
        return without_interval
    sums = unit_sums(table, unit_agreement(table, matrix), group, n_clusters).in_order()
    if not any(COEFFICIENTS[key].needs_raters for key in defined):
        # Dropped where no coefficient reads it: (replicates, raters, q) is the largest array.
        sums = replace(sums, by_rater=sums.by_rater[:, :0])
    design = Design(table.scale, matrix, level)
    replicate_values = _replicates(sums, design, defined, replicates, seed)
    return without_interval | {
        key: interval_over(without_interval[key], replicate_values[key]) for key in defined
    }


def _groups(
    table: CodedRatings, clusters: Sequence[Hashable] | None, n_units: int
) -> tuple[Index, int]:
    """(cluster of each rated unit, number of clusters)."""
    if clusters is not None and len(clusters) != n_units:
        raise RatingError(
            f"{len(clusters)} clusters were given for {n_units} units: every unit needs one."
        )
    if clusters is None:
        group = np.arange(table.n_units)
    else:
        number: dict[Hashable, int] = {}
        group = np.array(
            [number.setdefault(clusters[row], len(number)) for row in table.rows.tolist()],
            dtype=np.intp,
        )
    n_clusters = int(group.max()) + 1 if len(group) else 0
    return group, n_clusters


def _replicates(
    sums: UnitSums, design: Design, keys: Sequence[str], replicates: int, seed: int
) -> dict[str, Matrix]:
    """The coefficients of the drawn tables, shape (replicates,) each; NaN where undefined."""
    n_clusters = len(sums.rated)
    blocks: dict[str, list[Matrix]] = {key: [] for key in keys}
    for clusters_drawn in resampled_clusters(n_clusters, replicates, seed):
        replicate_sums = sums.weighted(replicate_counts(clusters_drawn, n_clusters))
        for key in keys:
            blocks[key].append(COEFFICIENTS[key].values(replicate_sums, design))
    return {key: np.concatenate(parts) for key, parts in blocks.items()}


def interval_over(
    without_interval: BootstrappedCoefficient, replicate_values: Matrix
) -> BootstrappedCoefficient:
    """The interval filled in from the replicates; those that are NaN are left out and counted."""
    defined_values = replicate_values[~np.isnan(replicate_values)]
    undefined = len(replicate_values) - len(defined_values)
    if len(defined_values) < 2:
        return replace(without_interval, reason="no_defined_replicate", n_undefined=undefined)
    ci, _ = percentile_interval(defined_values, without_interval.coefficient.choices.confidence)
    return replace(without_interval, ci=ci, n_undefined=undefined)
