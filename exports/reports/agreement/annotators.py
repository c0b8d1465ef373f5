"""The section on annotators: who agrees with whom on the campaign's main question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean

import numpy as np
from numpy.typing import NDArray

from pagetrail.annotation.agreement.coefficient import NO_VARIATION, cohen_standard_error
from pagetrail.annotation.agreement.weights import declared_scale, weight_matrix
from pagetrail.annotation.messages import lazy_gettext
from pagetrail.annotation.ratings.schemes import RatedKind, Scheme
from pagetrail.annotation.ratings.tables import FieldRatings
from pagetrail.exports.reports.agreement.field_agreement import label_of
from pagetrail.exports.reports.agreement.groups import Groups
from pagetrail.exports.reports.cells import coefficient_cell, mean_cell
from pagetrail.exports.reports.charts.estimates import agreement_chart
from pagetrail.exports.reports.model import Cell, Chart, Column, RowValues, Section, Table
from pagetrail.exports.reports.resampling import Resampling

_AFTER_FIELDS: tuple[RatedKind, ...] = ("verdict", "outcome", "column")
MOST_IN_CHART = 40

CategoryNumbers = NDArray[np.float64]


def main_table(tables: Sequence[FieldRatings]) -> FieldRatings | None:
    """The campaign's main question: its first scale, else its first choice, verdict or outcome."""
    candidates = [table for table in tables if _can_be_main(table.scheme)]
    return min(candidates, key=lambda table: _main_rank(table.scheme), default=None)


def _can_be_main(scheme: Scheme) -> bool:
    return not scheme.is_numeric and scheme.kind not in ("multi", "label")


def _main_rank(scheme: Scheme) -> int:
    if scheme.kind in _AFTER_FIELDS:
        return 2 + _AFTER_FIELDS.index(scheme.kind)
    return 0 if scheme.level == "ordinal" else 1


def annotators_section(
    tables: Sequence[FieldRatings], groups: Groups, draws: Resampling
) -> Section | None:
    """Agreement of each annotator with all others and with each other one; None without ratings."""
    main = main_table(tables)
    if main is None:
        return None
    ratings = main.rating_matrix
    clusters = [groups.cluster(unit.task) for unit in main.units]
    agreement_of = {
        name: _against_others(main, ratings, clusters, rater, draws)
        for rater, name in enumerate(main.raters)
    }
    chart = annotator_chart(
        {name: agreement.gwet_ac for name, agreement in agreement_of.items()},
        label=lazy_gettext(
            "{coefficient} with the others", coefficient=label_of("gwet_ac", main.scheme)
        ),
        title=lazy_gettext("Who differs from the others on “{label}”?", label=main.scheme.label),
    )
    parts: list[Table | Chart] = [_annotator_table(main, agreement_of), *chart]
    parts.append(_pairs(main, ratings, clusters, groups))
    note = lazy_gettext(
        "All results are of “{label}”, the main question of this campaign.", label=main.scheme.label
    )
    return Section("Annotators", parts, [note])


@dataclass(frozen=True)
class _Against:
    """One annotator compared with all others.

    Attributes:
        rated: number of units that the annotator rated.
        shared: number of these that others also rated.
        agreement: share of the others who chose the same, mean over the shared units.
        gwet_ac: over all pairs of the annotator's rating and another person's.
    """

    rated: int
    shared: int
    agreement: Cell
    gwet_ac: Cell


def _against_others(
    main: FieldRatings,
    ratings: CategoryNumbers,
    clusters: Sequence[str],
    rater: int,
    draws: Resampling,
) -> _Against:
    own_ratings = ratings[:, rater]
    other_ratings = np.delete(ratings, rater, axis=1)
    is_pair = ~np.isnan(other_ratings) & ~np.isnan(own_ratings)[:, None]
    n = is_pair.sum(axis=1)
    shared = np.flatnonzero(n > 0)
    n_same = (other_ratings == own_ratings[:, None]).sum(axis=1)
    scored = [(clusters[unit], float(n_same[unit] / n[unit])) for unit in shared.tolist()]
    unit, other = np.nonzero(is_pair)
    pairs = np.column_stack([own_ratings[unit], other_ratings[unit, other]])
    clusters_of_pairs = [clusters[number] for number in unit.tolist()]
    coefficient_interval = draws.coefficients(
        pairs,
        categories=range(len(main.scheme.categories)),
        weights=main.scheme.weights,
        clusters=clusters_of_pairs,
        keys=("gwet_ac",),
    )["gwet_ac"]
    interval = draws.mean(scored, per_task=False)
    mean = fmean(value for _, value in scored) if scored else None
    return _Against(
        rated=int((~np.isnan(own_ratings)).sum()),
        shared=len(shared),
        agreement=mean_cell(mean, interval, "no_pairable_unit"),
        gwet_ac=coefficient_cell(coefficient_interval, len(set(clusters_of_pairs))),
    )


def _annotator_table(main: FieldRatings, agreement_of: Mapping[str, _Against]) -> Table:
    rows = [
        {
            "annotator": name,
            "rated": agreement.rated,
            "shared": agreement.shared,
            "agreement": agreement.agreement,
            "gwet_ac": agreement.gwet_ac,
        }
        for name, agreement in agreement_of.items()
    ]
    label = label_of("gwet_ac", main.scheme)
    columns = [
        Column("rated", "Units rated", "count"),
        Column("shared", "Rated by others too", "count"),
        Column("agreement", "Agreement", "share", "Share of the others who said the same."),
        Column("gwet_ac", label, "score", "Over all pairs with another's rating."),
    ]
    return annotator_table(columns, rows)


def annotator_table(
    columns: Sequence[Column], rows: Sequence[RowValues], notes: Sequence[str] = ()
) -> Table:
    """The table of how each annotator agrees with all others."""
    return Table.from_rows(
        key="annotators",
        title="Each annotator against all others",
        question="Who differs from the others?",
        columns=[Column("annotator", "Annotator", "text"), *columns],
        rows=rows,
        notes=notes,
    )


def pair_table(columns: Sequence[Column], rows: Sequence[RowValues], notes: Sequence[str]) -> Table:
    """The table of how each two annotators agree."""
    return Table.from_rows(
        key="annotator-pairs",
        title="Pairs of annotators",
        question="Which two annotators differ most?",
        columns=[
            Column("a", "Annotator", "text"),
            Column("b", "Annotator", "text"),
            *columns,
        ],
        rows=rows,
        notes=notes,
    )


def annotator_chart(
    agreement_of: Mapping[str, Cell], *, label: str, title: str, axis: str | None = None
) -> list[Chart]:
    """The chart of how each annotator agrees with all others; none for two people or many."""
    # With two people, both have the same agreement.
    if not 3 <= len(agreement_of) <= MOST_IN_CHART:
        return []
    points = [
        (name, label, cell.value, cell.low, cell.high)
        for name, cell in agreement_of.items()
        if isinstance(cell.value, float)
    ]
    if not points:
        return []
    options = {} if axis is None else {"axis": axis}
    return [agreement_chart(points, key="chart-annotators", title=title, **options)]


def _pairs(
    main: FieldRatings, ratings: CategoryNumbers, clusters: Sequence[str], groups: Groups
) -> Table:
    weights = weight_matrix(declared_scale(range(len(main.scheme.categories))), main.scheme.weights)
    rows, n_unpaired = [], 0
    for a, b in combinations(range(len(main.raters)), 2):
        is_shared = ~np.isnan(ratings[:, a]) & ~np.isnan(ratings[:, b])
        if not is_shared.any():
            n_unpaired += 1
            continue
        pair = ratings[is_shared][:, [a, b]]
        shared = {clusters[unit] for unit in np.flatnonzero(is_shared).tolist()}
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
    notes = []
    if main.scheme.weights != "identity":
        notes.append(
            lazy_gettext(
                "Kappa has {weights} weights: near grades count in part.",
                weights=main.scheme.weights,
            )
        )
    if n_unpaired:
        notes.append(
            lazy_gettext(
                "Not listed, since they rated nothing in common: {n_unpaired:,} of all pairs.",
                n_unpaired=n_unpaired,
            )
        )
    columns = [
        Column("units", "Units", "count", "Units that both rated."),
        Column("clusters", groups.clusters, "count", "Those with such a unit."),
        Column("agreement", "Agreement", "share", "Share of units with the same category."),
        Column("kappa", "Cohen's κ", "score", "Cohen 1960, weighted 1968."),
    ]
    return pair_table(columns, rows, notes)


def _kappa(pair: CategoryNumbers, weights: CategoryNumbers) -> Cell:
    """Cohen's kappa of two raters. Computed alone, since many people make many pairs.

    Args:
        pair: indices of the two raters' categories, shape (units, 2).
    """
    q = len(weights)
    cell_numbers = pair[:, 0].astype(np.intp) * q + pair[:, 1].astype(np.intp)
    crossed = np.bincount(cell_numbers, minlength=q * q).reshape(q, q).astype(np.float64)
    joint = crossed / crossed.sum()
    observed = float((joint * weights).sum())
    expected = float(joint.sum(axis=1) @ weights @ joint.sum(axis=0))
    if 1 - expected <= NO_VARIATION:
        return Cell(reason="no_variation")
    value = (observed - expected) / (1 - expected)
    if len(pair) < 2:
        return Cell(value, flag="one_unit")
    return Cell(value, se=cohen_standard_error(crossed, weights, observed, expected))
