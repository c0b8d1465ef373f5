"""Columns of the tables on ratings, and a row of coefficients as their cells."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from pagetrail.annotation.agreement import COEFFICIENTS
from pagetrail.annotation.ratings.schemes import Scheme
from pagetrail.exports.reports.agreement.coefficients import WEIGHTED, Line
from pagetrail.exports.reports.cells import coefficient_cell
from pagetrail.exports.reports.model import Column, RowValues


def file_keys(schemes: Iterable[Scheme]) -> dict[str, str]:
    """What the tables are called, by the scheme's key; each once, the options of a field together.

    Tables of no field begin otherwise, so that none meets a field's.
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
        return "Weighted agreement"
    return COEFFICIENTS[key].heading_for(scheme.weights, scheme.level)


def help_of(key: str) -> str:
    """The explanation of a coefficient."""
    if key == WEIGHTED:
        return "Share of pairs, a near category counting in part (Gwet 2014, ordinal weights)."
    return COEFFICIENTS[key].explanation


def keys_of(scheme: Scheme) -> list[str]:
    """The columns of coefficients; weighted agreement only where it differs from the exact one."""
    plain, *corrected = COEFFICIENTS
    return [plain, *([] if scheme.weights == "identity" else [WEIGHTED]), *corrected]


def count_columns(clusters: str) -> list[Column]:
    """What coefficients rest on; ``clusters`` is resampled: Tasks, or Questions."""
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
    """The cells of those columns."""
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
    """(line, coefficient, value, low, high) for a chart; what is undefined is left out.

    Alpha and AC side by side; plain agreement has no zero that means chance, so is in tables alone.
    """
    points = []
    for name, line in lines.items():
        for key in (key for key, entry in COEFFICIENTS.items() if entry.in_charts):
            cell = coefficient_cell(line.intervals[key], line.clusters)
            if isinstance(cell.value, float):
                points.append((name, label_of(key, scheme), cell.value, cell.low, cell.high))
    return points
