"""The section on annotators: who agrees with whom on the campaign's main question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean

import numpy as np
from numpy.typing import NDArray

from pagetrail.annotation.agreement.coefficient import NO_VARIATION, cohen_standard_error
from pagetrail.annotation.agreement.weights import declared, weight_matrix
from pagetrail.annotation.ratings.schemes import RatedKind
from pagetrail.annotation.ratings.tables import FieldRatings
from pagetrail.exports.reports.agreement.columns import label_of
from pagetrail.exports.reports.agreement.groups import Groups
from pagetrail.exports.reports.cells import coefficient_cell, mean_cell
from pagetrail.exports.reports.charts.estimates import agreement_chart
from pagetrail.exports.reports.model import Cell, Chart, Column, Section, Table
from pagetrail.exports.reports.resampling import Resampling

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
    tables: Sequence[FieldRatings], groups: Groups, draws: Resampling
) -> Section | None:
    """How each annotator agrees with all others, and with each; None where nothing is rated."""
    main = main_table(tables)
    if main is None:
        return None
    places = main.places
    clusters = [groups.cluster(unit.task) for unit in main.units]
    each = {
        name: _against_others(main, places, clusters, rater, draws)
        for rater, name in enumerate(main.raters)
    }
    parts: list[Table | Chart] = [_annotator_table(main, each), *_chart(main, each)]
    parts.append(_pairs(main, places, clusters, groups))
    note = f"All results are of “{main.scheme.label}”, the main question of this campaign."
    return Section("Annotators", parts, [note])


@dataclass(frozen=True)
class _Against:
    """One annotator against all others.

    Attributes:
        rated: units that they rated.
        shared: those that others rated too.
        agreement: share of the others who said the same, mean over the shared units.
        gwet_ac: over all pairs of the annotator's rating and another's.
    """

    rated: int
    shared: int
    agreement: Cell
    gwet_ac: Cell


def _against_others(
    main: FieldRatings, places: Places, clusters: Sequence[str], rater: int, draws: Resampling
) -> _Against:
    own = places[:, rater]
    others = np.delete(places, rater, axis=1)
    there = ~np.isnan(others) & ~np.isnan(own)[:, None]
    n = there.sum(axis=1)
    shared = np.flatnonzero(n > 0)
    same = (others == own[:, None]).sum(axis=1)
    scored = [(clusters[unit], float(same[unit] / n[unit])) for unit in shared.tolist()]
    unit, other = np.nonzero(there)
    pairs = np.column_stack([own[unit], others[unit, other]])
    met = [clusters[place] for place in unit.tolist()]
    found = draws.coefficients(
        pairs,
        categories=range(len(main.scheme.categories)),
        weights=main.scheme.weights,
        clusters=met,
        keys=("gwet_ac",),
    )["gwet_ac"]
    interval = draws.mean(scored, per_task=False)
    mean = fmean(value for _, value in scored) if scored else None
    return _Against(
        rated=int((~np.isnan(own)).sum()),
        shared=len(shared),
        agreement=mean_cell(mean, interval, "no_pairable_unit"),
        gwet_ac=coefficient_cell(found, len(set(met))),
    )


def _annotator_table(main: FieldRatings, each: Mapping[str, _Against]) -> Table:
    rows = [
        {
            "annotator": name,
            "rated": found.rated,
            "shared": found.shared,
            "agreement": found.agreement,
            "gwet_ac": found.gwet_ac,
        }
        for name, found in each.items()
    ]
    label = label_of("gwet_ac", main.scheme)
    return Table.from_rows(
        key="annotators",
        title="Each annotator against all others",
        question="Who differs from the others?",
        columns=[
            Column("annotator", "Annotator", "text"),
            Column("rated", "Units rated", "count"),
            Column("shared", "Rated by others too", "count"),
            Column("agreement", "Agreement", "share", "Share of the others who said the same."),
            Column("gwet_ac", label, "score", "Over all pairs with another's rating."),
        ],
        rows=rows,
    )


def _chart(main: FieldRatings, each: Mapping[str, _Against]) -> list[Chart]:
    # Of two people each agrees with the other as the other does with them.
    if not 3 <= len(main.raters) <= MOST_IN_CHART:
        return []
    label = f"{label_of('gwet_ac', main.scheme)} with the others"
    points = [
        (name, label, found.gwet_ac.value, found.gwet_ac.low, found.gwet_ac.high)
        for name, found in each.items()
        if isinstance(found.gwet_ac.value, float)
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
            {
                "a": main.raters[a],
                "b": main.raters[b],
                "units": len(pair),
                "clusters": len(shared),
                "agreement": float((pair[:, 0] == pair[:, 1]).mean()),
                "kappa": _kappa(pair, weights),
            }
        )
    weighted = main.scheme.weights != "identity"
    notes = [f"Kappa has {main.scheme.weights} weights: near grades count in part."]
    notes = notes if weighted else []
    if apart:
        notes.append(f"Not listed, since they rated nothing in common: {apart:,} of all pairs.")
    return Table.from_rows(
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
    return Cell(value, se=cohen_standard_error(crossed, weights, observed, expected))
