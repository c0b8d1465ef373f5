"""Agreement by group (data set, domain, query type), with the overall row in both its meanings.

Published tables mean two things by "overall": all units taken together, or the mean of the groups'
coefficients. Both rows are given and named. Every row uses the one declared list of categories. The
raters of a group are those who rated in it; the pooled row keeps every rater of the table.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

import numpy as np

from pagetrail.annotation.agreement.coefficient import COEFFICIENTS
from pagetrail.annotation.agreement.rating_matrix import RatingTable, without_idle_raters
from pagetrail.annotation.agreement.unit_bootstrap import BootstrappedCoefficient, bootstrap
from pagetrail.annotation.agreement.weights import Level, Weights
from pagetrail.annotation.errors import RatingError


@dataclass(frozen=True, slots=True)
class Row:
    """One group, or all units pooled.

    Attributes:
        n_units: units that the coefficients rest on, the largest number of any of them.
        n_pairs: pairs of ratings of the same unit.
        n_clusters: clusters with a rating.
        intervals: of each coefficient.
    """

    n_units: int
    n_pairs: int
    n_clusters: int
    intervals: dict[str, BootstrappedCoefficient]


@dataclass(frozen=True, slots=True)
class Macro:
    """Mean of the groups' coefficients, every group counting the same.

    Attributes:
        value: None where no group has the coefficient.
        n_groups: groups that have it; the others are left out.
        reason: ``"no_defined_group"`` where ``value`` is None.
    """

    value: float | None
    n_groups: int
    reason: str | None


@dataclass(frozen=True, slots=True)
class Breakdown:
    """Rows by group in the order the groups first come, then both overall rows."""

    rows: dict[Hashable, Row]
    pooled: Row
    macro: dict[str, Macro]


def breakdown(
    ratings: RatingTable,
    *,
    groups: Sequence[Hashable],
    categories: Sequence[Hashable],
    weights: Weights = "identity",
    level: Level | None = None,
    clusters: Sequence[Hashable] | None,
    keys: Sequence[str] | None = None,
    intervals_of: Callable[..., dict[str, BootstrappedCoefficient]] = bootstrap,
    **choices: Any,
) -> Breakdown:
    """Agreement of each group of units and of all together.

    Args:
        ratings: shape (units, raters).
        groups: the group of each unit, shape (units,).
        clusters: of each unit, as of ``bootstrap``; the rest likewise.
        intervals_of: what draws the intervals, called as ``bootstrap``.
        choices: further arguments of it.

    Raises:
        RatingError: as ``bootstrap`` does, or where groups and units differ in number.
    """
    if len(groups) != len(ratings):
        raise RatingError(
            f"{len(groups)} groups were given for {len(ratings)} units: every unit needs one."
        )
    members: dict[Hashable, list[int]] = {}
    for unit, group in enumerate(groups):
        members.setdefault(group, []).append(unit)

    def row(units: list[int] | None) -> Row:
        own_ratings, own_clusters = _selected_units(ratings, clusters, units)
        intervals = intervals_of(
            own_ratings,
            categories=categories,
            weights=weights,
            level=level,
            clusters=own_clusters,
            keys=keys,
            **choices,
        )
        return _interval_row(intervals)

    rows = {group: row(units) for group, units in members.items()}
    return Breakdown(rows, row(None), {key: _macro(key, rows) for key in keys or COEFFICIENTS})


def _selected_units(
    ratings: RatingTable, clusters: Sequence[Hashable] | None, units: list[int] | None
) -> tuple[RatingTable, Sequence[Hashable] | None]:
    if units is None:
        return ratings, clusters
    own_clusters = None if clusters is None else [clusters[unit] for unit in units]
    own_ratings = ratings[units] if isinstance(ratings, np.ndarray) else [ratings[u] for u in units]
    return without_idle_raters(own_ratings), own_clusters


def _interval_row(intervals: dict[str, BootstrappedCoefficient]) -> Row:
    estimates = [interval.coefficient for interval in intervals.values()]
    return Row(
        n_units=max((estimate.n_units for estimate in estimates), default=0),
        n_pairs=max((estimate.n_pairs for estimate in estimates), default=0),
        n_clusters=max((interval.n_clusters for interval in intervals.values()), default=0),
        intervals=intervals,
    )


def _macro(key: str, rows: dict[Hashable, Row]) -> Macro:
    values = [value for row in rows.values() if (value := row.intervals[key].value) is not None]
    if not values:
        return Macro(None, 0, "no_defined_group")
    return Macro(fmean(values), len(values), None)
