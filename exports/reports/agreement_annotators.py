"""The section on annotators: who agrees with whom on the campaign's main question."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from annotation.agreement import coefficients
from annotation.metrics.interval import mean_interval
from annotation.ratings import FieldRatings
from annotation.ratings_schemes import RatedKind
from exports.reports.agreement_cells import count, mean_cell, text
from exports.reports.agreement_figures import Draws
from exports.reports.charts import agreement_chart
from exports.reports.model import Cell, Chart, Column, Row, Section, Table

_MAIN: tuple[tuple[RatedKind, ...], ...] = (
    ("ordinal",),
    ("choice", "boolean"),
    ("verdict",),
    ("outcome",),
    ("column",),
)
MOST_IN_CHART = 40

Places = NDArray[np.float64]


def main_table(tables: Sequence[FieldRatings]) -> FieldRatings | None:
    """The campaign's main question: its first scale, else its first choice, verdict or outcome."""
    for kinds in _MAIN:
        found = next((table for table in tables if table.scheme.kind in kinds), None)
        if found is not None:
            return found
    return None


def annotators_section(tables: Sequence[FieldRatings], draws: Draws) -> Section | None:
    """How each annotator agrees with all others, and with each; None where nothing is rated."""
    main = main_table(tables)
    if main is None:
        return None
    places = main.places
    parts: list[Table | Chart] = [_each(main, places, draws), *_chart(main, places, draws)]
    parts.append(_pairs(main, places))
    note = f"All figures are of “{main.scheme.label}”, the main question of this campaign."
    return Section("Annotators", parts, [note])


def _with_others(main: FieldRatings, places: Places, rater: int) -> list[tuple[str, float]]:
    """(task, share of the others who said the same) of each unit the rater shared."""
    own = places[:, rater]
    others = np.delete(places, rater, axis=1)
    n = (~np.isnan(others)).sum(axis=1)
    same = (others == own[:, None]).sum(axis=1)
    shared = np.flatnonzero(~np.isnan(own) & (n > 0))
    return [(main.units[unit].task, float(same[unit] / n[unit])) for unit in shared.tolist()]


def _each(main: FieldRatings, places: Places, draws: Draws) -> Table:
    rows = []
    for rater, name in enumerate(main.raters):
        scored = _with_others(main, places, rater)
        rows.append(
            Row(
                {
                    "annotator": text(name),
                    "rated": count(int((~np.isnan(places[:, rater])).sum())),
                    "shared": count(len(scored)),
                    "agreement": _agreement(scored, draws),
                }
            )
        )
    return Table(
        key="annotators",
        title="Each annotator against all others",
        question="Who differs from the others?",
        columns=[
            Column("annotator", "Annotator", "text"),
            Column("rated", "Units rated", "count"),
            Column("shared", "Rated by others too", "count"),
            Column("agreement", "Agreement", "share", "Share of the others who said the same."),
        ],
        rows=rows,
    )


def _agreement(scored: Sequence[tuple[str, float]], draws: Draws) -> Cell:
    interval = mean_interval(scored, per_task=False, replicates=draws.replicates, seed=draws.seed)
    mean = sum(value for _, value in scored) / len(scored) if scored else None
    return mean_cell(mean, interval, "no_pairable_unit")


def _chart(main: FieldRatings, places: Places, draws: Draws) -> list[Chart]:
    if not 2 <= len(main.raters) <= MOST_IN_CHART:
        return []
    points = []
    for rater, name in enumerate(main.raters):
        cell = _agreement(_with_others(main, places, rater), draws)
        if isinstance(cell.value, float):
            points.append((name, "Agreement with the others", cell.value, cell.low, cell.high))
    title = f"Who differs from the others on “{main.scheme.label}”?"
    return [agreement_chart(points, key="chart-annotators", title=title)] if points else []


def _pairs(main: FieldRatings, places: Places) -> Table:
    rows, apart = [], 0
    for a, b in combinations(range(len(main.raters)), 2):
        both = ~np.isnan(places[:, a]) & ~np.isnan(places[:, b])
        if not both.any():
            apart += 1
            continue
        pair = places[both][:, [a, b]]
        kappa = coefficients(
            pair,
            categories=range(len(main.scheme.categories)),
            weights=main.scheme.weights,
        )["cohen_kappa"]
        tasks = {main.units[unit].task for unit in np.flatnonzero(both).tolist()}
        rows.append(
            Row(
                {
                    "a": text(main.raters[a]),
                    "b": text(main.raters[b]),
                    "units": count(len(pair)),
                    "tasks": count(len(tasks)),
                    "agreement": Cell(float((pair[:, 0] == pair[:, 1]).mean())),
                    "kappa": Cell(kappa.value, kappa.reason, se=kappa.se)
                    if kappa.value is None
                    else Cell(kappa.value, se=kappa.se),
                }
            )
        )
    weighted = main.scheme.weights != "identity"
    notes = [f"Kappa has {main.scheme.weights} weights: near grades count in part."]
    notes = notes if weighted else []
    if apart:
        notes.append(f"{apart:,} pairs of annotators share nothing and are not listed.")
    return Table(
        key="annotator-pairs",
        title="Pairs of annotators",
        question="Which two annotators differ most?",
        columns=[
            Column("a", "Annotator", "text"),
            Column("b", "Annotator", "text"),
            Column("units", "Units", "count", "Units that both rated."),
            Column("tasks", "Tasks", "count", "Tasks with such a unit."),
            Column("agreement", "Agreement", "share", "Share of units with the same category."),
            Column("kappa", "Cohen's κ", "score", "Cohen 1960, weighted 1968."),
        ],
        rows=rows,
        notes=notes,
    )
