"""The section on annotators: who agrees with whom on the campaign's main question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from statistics import fmean

import numpy as np
from numpy.typing import NDArray

from annotation.agreement.chance import NO_VARIATION
from annotation.agreement.scale import declared, weight_matrix
from annotation.agreement.standard_errors import of_cohen
from annotation.metrics.interval import mean_interval
from annotation.ratings import FieldRatings
from annotation.ratings_schemes import RatedKind
from exports.reports.agreement_cells import count, mean_cell, text
from exports.reports.agreement_figures import Draws
from exports.reports.agreement_groups import Groups
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


def annotators_section(
    tables: Sequence[FieldRatings], groups: Groups, draws: Draws
) -> Section | None:
    """How each annotator agrees with all others, and with each; None where nothing is rated."""
    main = main_table(tables)
    if main is None:
        return None
    places = main.places
    clusters = [groups.cluster(unit.task) for unit in main.units]
    each = {name: _with_others(places, clusters, rater) for rater, name in enumerate(main.raters)}
    agreement = {name: _agreement(scored, draws) for name, scored in each.items()}
    parts: list[Table | Chart] = [_each(main, places, each, agreement), *_chart(main, agreement)]
    parts.append(_pairs(main, places, clusters, groups))
    note = f"All figures are of “{main.scheme.label}”, the main question of this campaign."
    return Section("Annotators", parts, [note])


def _with_others(places: Places, clusters: Sequence[str], rater: int) -> list[tuple[str, float]]:
    """(cluster, share of the others who said the same) of each unit the rater shared."""
    own = places[:, rater]
    others = np.delete(places, rater, axis=1)
    n = (~np.isnan(others)).sum(axis=1)
    same = (others == own[:, None]).sum(axis=1)
    shared = np.flatnonzero(~np.isnan(own) & (n > 0))
    return [(clusters[unit], float(same[unit] / n[unit])) for unit in shared.tolist()]


def _each(
    main: FieldRatings,
    places: Places,
    scored: Mapping[str, Sequence[tuple[str, float]]],
    agreement: Mapping[str, Cell],
) -> Table:
    rows = []
    for rater, name in enumerate(main.raters):
        rows.append(
            Row(
                {
                    "annotator": text(name),
                    "rated": count(int((~np.isnan(places[:, rater])).sum())),
                    "shared": count(len(scored[name])),
                    "agreement": agreement[name],
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
    mean = fmean(value for _, value in scored) if scored else None
    return mean_cell(mean, interval, "no_pairable_unit")


def _chart(main: FieldRatings, agreement: Mapping[str, Cell]) -> list[Chart]:
    # Of two people each agrees with the other as the other does with them.
    if not 3 <= len(main.raters) <= MOST_IN_CHART:
        return []
    points = [
        (name, "Agreement with the others", cell.value, cell.low, cell.high)
        for name, cell in agreement.items()
        if isinstance(cell.value, float)
    ]
    title = f"Who differs from the others on “{main.scheme.label}”?"
    return [agreement_chart(points, key="chart-annotators", title=title)] if points else []


def _pairs(main: FieldRatings, places: Places, clusters: Sequence[str], groups: Groups) -> Table:
    weights = weight_matrix(declared(range(len(main.scheme.categories))), main.scheme.weights)
    rows, apart = [], 0
    for a, b in combinations(range(len(main.raters)), 2):
        both = ~np.isnan(places[:, a]) & ~np.isnan(places[:, b])
        if not both.any():
            apart += 1
            continue
        pair = places[both][:, [a, b]]
        shared = {clusters[unit] for unit in np.flatnonzero(both).tolist()}
        rows.append(
            Row(
                {
                    "a": text(main.raters[a]),
                    "b": text(main.raters[b]),
                    "units": count(len(pair)),
                    "clusters": count(len(shared)),
                    "agreement": Cell(float((pair[:, 0] == pair[:, 1]).mean())),
                    "kappa": _kappa(pair, weights),
                }
            )
        )
    weighted = main.scheme.weights != "identity"
    notes = [f"Kappa has {main.scheme.weights} weights: near grades count in part."]
    notes = notes if weighted else []
    if apart:
        notes.append(f"Not listed, since they rated nothing in common: {apart:,} of all pairs.")
    return Table(
        key="annotator-pairs",
        title="Pairs of annotators",
        question="Which two annotators differ most?",
        columns=[
            Column("a", "Annotator", "text"),
            Column("b", "Annotator", "text"),
            Column("units", "Units", "count", "Units that both rated."),
            Column("clusters", groups.clusters, "count", "Those with such a unit."),
            Column("agreement", "Agreement", "share", "Share of units with the same category."),
            Column("kappa", "Cohen's κ", "score", "Cohen 1960, weighted 1968."),
        ],
        rows=rows,
        notes=notes,
    )


def _kappa(pair: Places, weights: Places) -> Cell:
    """Cohen's kappa of units that both rated; by itself, since of many people there are many pairs.

    Args:
        pair: places of the two raters' categories, shape (units, 2).
    """
    q = len(weights)
    place = pair[:, 0].astype(np.intp) * q + pair[:, 1].astype(np.intp)
    crossed = np.bincount(place, minlength=q * q).reshape(q, q).astype(np.float64)
    joint = crossed / crossed.sum()
    observed = float((joint * weights).sum())
    expected = float(joint.sum(axis=1) @ weights @ joint.sum(axis=0))
    if 1 - expected <= NO_VARIATION:
        return Cell(reason="no_variation")
    value = (observed - expected) / (1 - expected)
    if len(pair) < 2:
        return Cell(value, flag="one_unit")
    return Cell(value, se=of_cohen(crossed, weights, observed, expected))
