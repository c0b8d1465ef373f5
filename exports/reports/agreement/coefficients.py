"""The coefficients of one rating table: by group, pooled and macro-averaged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pagetrail.annotation.agreement import COEFFICIENTS, Interval, Weights, breakdown
from pagetrail.annotation.ratings.tables import FieldRatings
from pagetrail.exports.reports.agreement.groups import Groups
from pagetrail.exports.reports.resampling import Resampling

WEIGHTED = "weighted_agreement"
"""Key of percent agreement with the scheme's weights, next to that of exact matches."""

Intervals = dict[str, Interval]


@dataclass(frozen=True)
class Line:
    """The coefficients of one group, or of all units.

    Attributes:
        units: rated by two people or more.
        rated_once: by one.
        clusters: tasks or questions with a unit that was rated by two or more.
        intervals: by column; ``percent_agreement`` counts the same category alone, and
            ``weighted_agreement``, where it is there, nearness as well.
    """

    units: int
    rated_once: int
    pairs: int
    clusters: int
    intervals: Mapping[str, Interval]


@dataclass(frozen=True)
class Coefficients:
    """The lines of one table.

    Attributes:
        lines: by group, in the order of the groups; empty where there are no groups.
    """

    lines: Mapping[str, Line]
    pooled: Line


@dataclass(frozen=True)
class _Study:
    """A table with the cluster and the group of each unit; no groups where none are wanted."""

    ratings: FieldRatings
    clusters: Sequence[str]
    groups: Sequence[str] | None
    draws: Resampling


def coefficients(ratings: FieldRatings, groups: Groups, draws: Resampling) -> Coefficients:
    """All coefficients of a table."""
    names = ratings.groups(groups.group_of) if groups.by else [""] * len(ratings.units)
    group_names = groups.ordered(names) if groups.by else []
    group_numbers = {name: number for number, name in enumerate(group_names)}
    member = np.array([group_numbers.get(name, 0) for name in names], dtype=np.intp)
    clusters = [groups.cluster(unit.task) for unit in ratings.units]
    study = _Study(ratings, clusters, names if groups.by else None, draws)
    rows, pooled = (_numbers if ratings.scheme.kind == "number" else _categories)(study)
    lines = {
        name: _coefficient_line(study, member == number, rows[name])
        for number, name in enumerate(group_names)
    }
    all_units = np.ones(len(names), dtype=np.bool_)
    return Coefficients(lines, _coefficient_line(study, all_units, pooled))


def _categories(study: _Study) -> tuple[dict[str, Intervals], Intervals]:
    weights = study.ratings.scheme.weights
    rows, pooled = _drawn_intervals(study, weights, tuple(COEFFICIENTS))
    if weights == "identity":
        return rows, pooled
    exact, all_exact = _drawn_intervals(study, "identity", ("percent_agreement",))

    def merged(weighted: Intervals, exact: Intervals) -> Intervals:
        return weighted | {WEIGHTED: weighted["percent_agreement"]} | exact

    merged_rows = {name: merged(row, exact[name]) for name, row in rows.items()}
    return merged_rows, merged(pooled, all_exact)


def _drawn_intervals(
    study: _Study, weights: Weights, keys: Sequence[str]
) -> tuple[dict[str, Intervals], Intervals]:
    scheme, draws = study.ratings.scheme, study.draws
    choices: dict[str, Any] = {
        "categories": range(len(scheme.categories)),
        "weights": weights,
        "level": scheme.level,
        "clusters": study.clusters,
        "keys": keys,
    }
    if study.groups is None:
        return {}, _by_name(draws.coefficients(study.ratings.rating_matrix, **choices))
    by_group = breakdown(
        study.ratings.rating_matrix, groups=study.groups, intervals_of=draws.coefficients, **choices
    )
    rows = {str(name): _by_name(row.intervals) for name, row in by_group.rows.items()}
    return rows, _by_name(by_group.pooled.intervals)


def _numbers(study: _Study) -> tuple[dict[str, Intervals], Intervals]:
    values, draws = study.ratings.rating_matrix, study.draws

    def row(units: list[int]) -> Intervals:
        own_clusters = [study.clusters[unit] for unit in units]
        own_values = values[np.array(units, dtype=np.intp)]
        return _by_name(draws.numbers(own_values, own_clusters))

    members: dict[str, list[int]] = {}
    for unit, name in enumerate(study.groups or ()):
        members.setdefault(name, []).append(unit)
    return {name: row(units) for name, units in members.items()}, row(list(range(len(values))))


def _by_name(intervals: Mapping[str, Interval]) -> Intervals:
    return {str(key): interval for key, interval in intervals.items()}


def _coefficient_line(study: _Study, mask: NDArray[np.bool_], intervals: Intervals) -> Line:
    per_unit = study.ratings.per_unit[mask]
    rated_twice = np.flatnonzero(mask & (study.ratings.per_unit >= 2))
    return Line(
        units=len(rated_twice),
        rated_once=int((per_unit == 1).sum()),
        pairs=int((per_unit * (per_unit - 1) // 2).sum()),
        clusters=len({study.clusters[unit] for unit in rated_twice.tolist()}),
        intervals=intervals,
    )
