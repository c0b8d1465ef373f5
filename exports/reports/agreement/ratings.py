"""The section on ratings: agreement on every field, laid out like ViDoRe V3's table of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pagetrail.annotation.ratings.schemes import Scheme
from pagetrail.annotation.ratings.tables import FieldRatings
from pagetrail.exports.reports.agreement.coefficients import Coefficients, Line, coefficients
from pagetrail.exports.reports.agreement.columns import (
    cells_of,
    columns_of,
    file_keys,
    keys_of,
    label_of,
    points_of,
)
from pagetrail.exports.reports.agreement.groups import Groups
from pagetrail.exports.reports.agreement.options import options
from pagetrail.exports.reports.agreement.overview import overview, prevalence
from pagetrail.exports.reports.cells import coefficient_cell
from pagetrail.exports.reports.charts.estimates import agreement_chart
from pagetrail.exports.reports.model import Chart, Column, Section, Table
from pagetrail.exports.reports.resampling import Resampling

NOTES = (
    "A unit is what was rated: a task, a page of it, or an element or row of it. Units rated by "
    "one person count towards what AC, Fleiss' and Conger's coefficients expect by chance, and "
    "towards nothing else.",
    "Categories are those that the field declares, used or not. Where a field was not asked, or "
    "was left blank, there is no rating.",
    "Intervals are 95 % percentile intervals over resampled tasks, since the pages of one task "
    "are not independent; fewer than 50 tasks are too few to rely on them. The standard error is "
    "analytic and takes units as independent.",
    "Pooled takes all units together; macro is the mean of the groups above it, each counting "
    "the same. Published tables differ on which of the two they call overall.",
    "Where one category is much more frequent than the others, alpha and kappa fall although "
    "raters agree, and AC does not: read both beside how often each category was chosen.",
)
MOST_IN_CHART = 25
"""Groups that a chart can show; with more of them it shows all together alone."""

NOTHING_RATED = (
    "Nothing that people choose among is asked in this campaign, so there is nothing to rate."
)


def ratings_section(
    tables: Sequence[FieldRatings], groups: Groups, draws: Resampling, *, editable: bool
) -> Section:
    """Agreement on everything that was rated.

    Args:
        editable: whether people write questions of their own, which nobody else rates.
    """
    if not tables:
        own_questions = (
            "Everyone writes questions of their own here, so no two people rate the same thing."
        )
        return Section("Ratings", [], [own_questions if editable else NOTHING_RATED])
    plain = [table for table in tables if table.scheme.kind != "multi"]
    measured = {table.scheme.key: coefficients(table, groups, draws) for table in plain}
    measured |= {
        table.scheme.key: coefficients(table, groups.overall(), draws)
        for table in tables
        if table.scheme.kind == "multi"
    }
    keys = file_keys(table.scheme for table in tables)
    parts: list[Table | Chart] = []
    if len(plain) > 1:
        parts.append(overview(plain, measured, groups.clusters))
    if any(table.scheme.categories for table in plain):
        parts.append(prevalence(plain))
    for related in _by_field(tables).values():
        key = keys[related[0].scheme.key]
        if related[0].scheme.kind == "multi":
            parts += options(related, measured, groups.clusters, key)
        else:
            parts += _field(related[0], measured[related[0].scheme.key], groups, key)
    return Section("Ratings", parts, NOTES)


def _by_field(tables: Iterable[FieldRatings]) -> dict[str, list[FieldRatings]]:
    by_field: dict[str, list[FieldRatings]] = {}
    for table in tables:
        scheme = table.scheme
        name = str(scheme.field) if scheme.kind == "multi" else scheme.key
        by_field.setdefault(name, []).append(table)
    return by_field


def _field(
    ratings: FieldRatings, results: Coefficients, groups: Groups, name: str
) -> list[Table | Chart]:
    scheme, keys = ratings.scheme, keys_of(ratings.scheme)
    rows = {name: cells_of(line, keys) for name, line in results.lines.items()}
    table = Table.from_rows(
        key=name,
        title=f"Agreement on “{scheme.label}”",
        question=f"How far do annotators agree on “{scheme.label}”?",
        columns=[
            Column("group", groups.heading, "text"),
            *columns_of(scheme, keys, groups.clusters),
        ],
        rows=groups.rows(rows, cells_of(results.pooled, keys), keys),
        notes=[*_choices(scheme), *_undefined(results.pooled, keys, scheme)],
    )
    charted = results.lines if len(results.lines) <= MOST_IN_CHART else {}
    points = points_of({**charted, "Pooled": results.pooled}, scheme)
    if not points:
        return [table]
    title = f"How far do annotators agree on “{scheme.label}”?"
    return [table, agreement_chart(points, key=f"chart-{name}", title=title)]


def _choices(scheme: Scheme) -> list[str]:
    if scheme.kind == "number":
        return [
            "Numbers: alpha with squared differences; agreement is the share of pairs with the "
            "same number. Coefficients that count declared categories are undefined."
        ]
    labels = ", ".join(scheme.category_labels)
    weights = "every difference counts the same"
    if scheme.weights != "identity":
        weights = f"{scheme.weights} weights, alpha with its own ordinal differences"
    return [f"{len(scheme.categories)} declared categories ({labels}); {weights}."]


def _undefined(line: Line, keys: Sequence[str], scheme: Scheme) -> list[str]:
    """The number of draws in which a value of the pooled row was undefined."""
    counts = {
        label_of(key, scheme): line.intervals[key].n_undefined
        for key in keys
        if line.intervals[key].n_undefined
        and coefficient_cell(line.intervals[key], line.clusters).low is not None
    }
    if not counts:
        return []
    undefined = ", ".join(f"{label} {n:,}" for label, n in counts.items())
    n_replicates = line.intervals["percent_agreement"].n_replicates
    return [
        f"Undefined in some of the {n_replicates:,} draws behind the intervals of all units, which "
        f"leave them out: {undefined}."
    ]
