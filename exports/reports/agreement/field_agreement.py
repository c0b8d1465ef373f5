"""Agreement on one field, by group and pooled, with its columns and cells."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from pagetrail.annotation.agreement import COEFFICIENTS, BootstrappedCoefficient, Weights, breakdown
from pagetrail.annotation.messages import lazy_gettext
from pagetrail.annotation.ratings.schemes import Scheme
from pagetrail.annotation.ratings.tables import FieldRatings
from pagetrail.exports.reports.agreement.groups import Groups
from pagetrail.exports.reports.cells import coefficient_cell
from pagetrail.exports.reports.model import Column, RowValues
from pagetrail.exports.reports.resampling import Resampling

WEIGHTED = "weighted_agreement"
"""Key of percent agreement with the scheme's weights, next to that of exact matches."""

Intervals = dict[str, BootstrappedCoefficient]


@dataclass(frozen=True)
class Line:
    """The coefficients of one group, or of all units.

    Attributes:
        units: number of units rated by at least two people.
        rated_once: number of units rated by one person.
        clusters: number of tasks or questions with a unit rated by at least two people.
        intervals: by column; ``percent_agreement`` counts the same category alone, and
            ``weighted_agreement``, where it is there, nearness as well.
    """

    units: int
    rated_once: int
    pairs: int
    clusters: int
    intervals: Mapping[str, BootstrappedCoefficient]


@dataclass(frozen=True)
class FieldAgreement:
    """The lines of one table.

    Attributes:
        lines: by group, in the order of the groups; empty without groups.
    """

    lines: Mapping[str, Line]
    pooled: Line


@dataclass(frozen=True)
class _Study:
    """A table with the cluster and the group of each unit; without groups if not grouped."""

    ratings: FieldRatings
    clusters: Sequence[str]
    groups: Sequence[str] | None
    draws: Resampling


def field_agreement(ratings: FieldRatings, groups: Groups, draws: Resampling) -> FieldAgreement:
    """All coefficients of a table."""
    names = ratings.groups(groups.group_of) if groups.by else [""] * len(ratings.units)
    group_names = groups.ordered(names) if groups.by else []
    group_numbers = {name: number for number, name in enumerate(group_names)}
    member = np.array([group_numbers.get(name, 0) for name in names], dtype=np.intp)
    clusters = [groups.cluster(unit.task) for unit in ratings.units]
    study = _Study(ratings, clusters, names if groups.by else None, draws)
    rows, pooled = (_numbers if ratings.scheme.is_numeric else _categories)(study)
    lines = {
        name: _coefficient_line(study, member == number, rows[name])
        for number, name in enumerate(group_names)
    }
    all_units = np.ones(len(names), dtype=np.bool_)
    return FieldAgreement(lines, _coefficient_line(study, all_units, pooled))


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


def _by_name(intervals: Mapping[str, BootstrappedCoefficient]) -> Intervals:
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


def file_keys(schemes: Iterable[Scheme]) -> dict[str, str]:
    """Unique file names of the tables by the scheme's key; the options of a field share one.

    Names of tables without a field have a prefix of their own, so that they cannot collide.
    """
    file_names: dict[str, str] = {}
    subjects: dict[str, str] = {}
    for scheme in schemes:
        kind = "work" if scheme.field is None else "rows" if scheme.kind == "column" else "ratings"
        subject = str(scheme.field) if scheme.kind == "multi" else scheme.key
        name = plain = f"{kind}-{re.sub('[^a-z0-9]+', '-', subject).strip('-')}"
        n = 1
        while subjects.setdefault(name, subject) != subject:
            n += 1
            name = f"{plain}-{n}"
        file_names[scheme.key] = name
    return file_names


def label_of(key: str, scheme: Scheme) -> str:
    """The heading of a coefficient."""
    if key == WEIGHTED:
        return lazy_gettext("Weighted agreement")
    return COEFFICIENTS[key].heading_for(scheme.weights, scheme.level)


def help_of(key: str) -> str:
    """The explanation of a coefficient."""
    if key == WEIGHTED:
        return lazy_gettext(
            "Share of pairs, a near category counting in part (Gwet 2014, ordinal weights)."
        )
    return COEFFICIENTS[key].explanation


def keys_of(scheme: Scheme) -> list[str]:
    """The coefficients to show; weighted agreement only if it differs from the exact one."""
    plain, *corrected = COEFFICIENTS
    return [plain, *([] if scheme.weights == "identity" else [WEIGHTED]), *corrected]


def count_columns(clusters: str) -> list[Column]:
    """Columns that count units, pairs and ``clusters``, the heading of what is resampled."""
    return [
        Column("units", "Units", "count", "Units rated by two people or more."),
        Column("once", "Rated once", "count", "Units rated by one person."),
        Column("pairs", "Pairs", "count", "Pairs of ratings of the same unit."),
        Column("clusters", clusters, "count", "Those with a unit rated by two people or more."),
    ]


def columns_of(scheme: Scheme, keys: Sequence[str], clusters: str) -> list[Column]:
    """The columns of counts and coefficients; ``clusters`` as of ``count_columns``."""
    return [
        *count_columns(clusters),
        *(Column(key, label_of(key, scheme), _unit_of(key), help_of(key)) for key in keys),
    ]


def _unit_of(key: str) -> Literal["share", "score"]:
    is_score = key in COEFFICIENTS and COEFFICIENTS[key].corrects_for_chance
    return "score" if is_score else "share"


def cells_of(line: Line, keys: Sequence[str]) -> RowValues:
    """The cells of the columns from ``columns_of``."""
    return {
        "units": line.units,
        "once": line.rated_once,
        "pairs": line.pairs,
        "clusters": line.clusters,
        **{key: coefficient_cell(line.intervals[key], line.clusters) for key in keys},
    }


def points_of(
    lines: Mapping[str, Line], scheme: Scheme
) -> list[tuple[str, str, float, float | None, float | None]]:
    """(line, coefficient, value, low, high) of defined values, for a chart.

    Only alpha and AC, whose zero means chance; plain agreement is in tables only.
    """
    points = []
    for name, line in lines.items():
        for key in (key for key, entry in COEFFICIENTS.items() if entry.in_charts):
            cell = coefficient_cell(line.intervals[key], line.clusters)
            if isinstance(cell.value, float):
                points.append((name, label_of(key, scheme), cell.value, cell.low, cell.high))
    return points
