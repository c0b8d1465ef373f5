"""The section on ratings: agreement on every field, laid out like the table in ViDoRe V3."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from pagetrail.annotation.messages import join_messages, lazy_gettext, lazy_ngettext
from pagetrail.annotation.ratings.schemes import YES, Scheme
from pagetrail.annotation.ratings.tables import FieldRatings
from pagetrail.exports.reports.agreement.field_agreement import (
    FieldAgreement,
    Line,
    cells_of,
    columns_of,
    count_columns,
    field_agreement,
    file_keys,
    help_of,
    keys_of,
    label_of,
    points_of,
)
from pagetrail.exports.reports.agreement.groups import Groups
from pagetrail.exports.reports.breakdown import MAX_COLUMNS, TOO_WIDE, cross_columns
from pagetrail.exports.reports.cells import coefficient_cell, macro_cells, value_cell
from pagetrail.exports.reports.charts.estimates import agreement_chart
from pagetrail.exports.reports.charts.matrices import HeatCell, heat_map
from pagetrail.exports.reports.model import ROW_KIND, Cell, Chart, Column, RowValues, Section, Table
from pagetrail.exports.reports.resampling import Resampling

NOTES = (
    lazy_gettext(
        "A unit is what was rated: a task, a page of it, or an element or row of it. Units "
        "rated by one person count towards what AC, Fleiss' and Conger's coefficients "
        "expect by chance, and towards nothing else."
    ),
    lazy_gettext(
        "Categories are those that the field declares, used or not. Where a field was not "
        "asked, or was left blank, there is no rating."
    ),
    lazy_gettext(
        "Intervals are 95 % percentile intervals over resampled tasks, since the pages of "
        "one task are not independent; fewer than 50 tasks are too few to rely on them. The "
        "standard error is analytic and takes units as independent."
    ),
    lazy_gettext(
        "Pooled takes all units together; macro is the mean of the groups above it, each counting "
        "the same. Published tables differ on which of the two they call overall."
    ),
    lazy_gettext(
        "Where one category is much more frequent than the others, alpha and kappa fall although "
        "raters agree, and AC does not: compare both with how often each category was chosen."
    ),
)
_MACRO_OVER_OPTIONS = lazy_gettext(
    "Macro is the mean over the options that somebody chose. On the others everybody agrees, which "
    "says nothing of the field."
)
MOST_IN_CHART = 25
"""Maximum number of groups in a chart; with more, it shows only the pooled value."""

NOTHING_RATED = lazy_gettext(
    "Nothing that people choose among is asked in this campaign, so there is nothing to rate."
)


def ratings_section(
    tables: Sequence[FieldRatings], groups: Groups, draws: Resampling, *, editable: bool
) -> Section:
    """Agreement on everything that was rated.

    Args:
        editable: whether people write their own questions, which nobody else rates.
    """
    if not tables:
        own_questions = lazy_gettext(
            "Everyone writes questions of their own here, so no two people rate the same thing."
        )
        return Section("Ratings", [], [own_questions if editable else NOTHING_RATED])
    plain = [table for table in tables if table.scheme.kind != "multi"]
    measured = {table.scheme.key: field_agreement(table, groups, draws) for table in plain}
    measured |= {
        table.scheme.key: field_agreement(table, groups.overall(), draws)
        for table in tables
        if table.scheme.kind == "multi"
    }
    keys = file_keys(table.scheme for table in tables)
    parts: list[Table | Chart] = []
    by_field = list(_by_field(tables).values())
    if len(by_field) > 1:
        parts.append(_overview_table(by_field, measured, groups.clusters))
    if any(table.scheme.categories for table in plain):
        parts.append(_prevalence_table(plain))
    for related in by_field:
        key = keys[related[0].scheme.key]
        if related[0].scheme.kind == "multi":
            parts += _options_parts(related, measured, groups.clusters, key)
        else:
            ratings, results = related[0], measured[related[0].scheme.key]
            parts += _field_parts(ratings, results, groups, key)
            if len(groups.fields) > 1:
                parts += _cross_parts(ratings, results, groups, draws, key)
    has_cross_tables = any(part.key.startswith("cross-") for part in parts)
    notes = [*NOTES, TOO_WIDE] if len(groups.fields) > 1 and not has_cross_tables else NOTES
    return Section("Ratings", parts, notes)


def _by_field(tables: Iterable[FieldRatings]) -> dict[str, list[FieldRatings]]:
    by_field: dict[str, list[FieldRatings]] = {}
    for table in tables:
        scheme = table.scheme
        name = str(scheme.field) if scheme.kind == "multi" else scheme.key
        by_field.setdefault(name, []).append(table)
    return by_field


def _field_parts(
    ratings: FieldRatings, results: FieldAgreement, groups: Groups, name: str
) -> list[Table | Chart]:
    scheme, keys = ratings.scheme, keys_of(ratings.scheme)
    rows = {name: cells_of(line, keys) for name, line in results.lines.items()}
    table = Table.from_rows(
        key=name,
        title=lazy_gettext("Agreement on “{label}”", label=scheme.label),
        question=lazy_gettext("How far do annotators agree on “{label}”?", label=scheme.label),
        columns=[
            *groups.columns,
            *columns_of(scheme, keys, groups.clusters),
        ],
        rows=groups.rows(rows, cells_of(results.pooled, keys), keys),
        notes=[*_choices(scheme), *_undefined(results.pooled, keys, scheme)],
    )
    charted = results.lines if len(results.lines) <= MOST_IN_CHART else {}
    named_lines = {groups.label(group): line for group, line in charted.items()}
    points = points_of({**named_lines, lazy_gettext("Pooled"): results.pooled}, scheme)
    if not points:
        return [table]
    title = lazy_gettext("How far do annotators agree on “{label}”?", label=scheme.label)
    return [table, agreement_chart(points, key=f"chart-{name}", title=title)]


def _cross_parts(
    ratings: FieldRatings, results: FieldAgreement, groups: Groups, draws: Resampling, name: str
) -> list[Table | Chart]:
    """Gwet's AC by both fields, with one row and one column over all units of a group.

    Nothing for numbers, which have no AC, and with more columns than a page has room for.
    """
    scheme, coefficient = ratings.scheme, "krippendorff_alpha"
    if scheme.categories:
        coefficient = "gwet_ac"
    row_lines, column_lines = (
        {margin.names(key)[0]: line for key, line in lines.items()}
        for margin in (groups.by_field(0), groups.by_field(1))
        for lines in [field_agreement(ratings, margin, draws).lines]
    )
    if len(column_lines) > MAX_COLUMNS:
        return []
    inside = {groups.names(key): line for key, line in results.lines.items()}
    columns = cross_columns(groups.fields[1], column_lines, "score")

    def cell(line: Line | None) -> Cell:
        if line is None:
            return Cell()
        estimate = coefficient_cell(line.intervals[coefficient], line.clusters)
        return replace(estimate, n=line.units)

    rows: list[RowValues] = [
        {
            "group": row_name,
            **{
                column.key: cell(inside.get((row_name, column_name)))
                for column, column_name in zip(columns, column_lines, strict=True)
            },
            "all": cell(row_line),
        }
        for row_name, row_line in row_lines.items()
    ]
    margins = zip(columns, column_lines.values(), strict=True)
    rows.append(
        {
            ROW_KIND: "pooled",
            "group": lazy_gettext("All"),
            **{column.key: cell(line) for column, line in margins},
            "all": cell(results.pooled),
        }
    )
    first, second = groups.fields
    words = {
        "coefficient": label_of(coefficient, scheme),
        "label": scheme.label,
        "first": first.heading,
        "second": second.heading,
    }
    title = lazy_gettext(
        "{coefficient} on “{label}” by “{first}” (rows) and “{second}” (columns)", **words
    )
    table = Table.from_rows(
        key=f"cross-{name}",
        title=title,
        question=lazy_gettext(
            "Does agreement on “{label}” by “{first}” depend on “{second}”?", **words
        ),
        columns=[
            Column("group", first.heading, "text"),
            *columns,
            Column("all", lazy_gettext("All"), "score", help_of(coefficient)),
        ],
        rows=rows,
        notes=[
            lazy_gettext("Columns: “{field}”. All: pooled.", field=second.heading),
            lazy_gettext("n: units rated by two people or more."),
        ],
    )
    cells = [
        HeatCell(
            str(row.cells["group"].value),
            column.label,
            value := row.cells[column.key].value,  # type: ignore[arg-type]  # a coefficient
            "" if value is None else f"{value:.2f}".replace("-", "\u2212"),
        )
        for row in table.rows
        if row.kind == "row"
        for column in columns
    ]
    if all(cell.value is None for cell in cells):
        return [table]
    chart = heat_map(
        cells,
        key=f"chart-cross-{name}",
        title=title,
        legend_title=label_of(coefficient, scheme),
        domain=(0, 1),
    )
    return [table, chart]


def _choices(scheme: Scheme) -> list[str]:
    if scheme.is_numeric:
        return [
            lazy_gettext(
                "Numbers: alpha with squared differences; agreement is the share of pairs with the "
                "same number. Coefficients that count declared categories are undefined."
            )
        ]
    labels = ", ".join(scheme.category_labels)
    number = len(scheme.categories)
    if scheme.weights == "identity":
        return [
            lazy_ngettext(
                "{number} declared category ({labels}); every difference counts the same.",
                "{number} declared categories ({labels}); every difference counts the same.",
                number,
                labels=labels,
            )
        ]
    return [
        lazy_ngettext(
            "{number} declared category ({labels}); {weights} weights, alpha with its own ordinal "
            "differences.",
            "{number} declared categories ({labels}); {weights} weights, alpha with its own "
            "ordinal differences.",
            number,
            labels=labels,
            weights=scheme.weights,
        )
    ]


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
    undefined = join_messages(
        [
            lazy_gettext("{coefficient} {number:,}", coefficient=label, number=n)
            for label, n in counts.items()
        ],
        ", ",
    )
    n_replicates = line.intervals["percent_agreement"].n_replicates
    return [
        lazy_gettext(
            "Undefined in some of the {n_replicates:,} draws behind the intervals of all "
            "units, which leave them out: {undefined}.",
            n_replicates=n_replicates,
            undefined=undefined,
        )
    ]


def _overview_table(
    fields: Sequence[Sequence[FieldRatings]],
    measured: Mapping[str, FieldAgreement],
    clusters: str,
) -> Table:
    """One row of agreement per field, or per option of a field of several, with their macro mean.

    Args:
        fields: the tables of each field; several options have one each.
        clusters: heading of what is resampled.
    """
    keys = ("percent_agreement", "krippendorff_alpha", "gwet_ac")
    rows: list[RowValues] = []
    has_options = False
    for tables in fields:
        is_multi = tables[0].scheme.kind == "multi"
        rated = _rated_options(tables) if is_multi else tables
        lines: dict[str, RowValues] = {
            table.scheme.key: {
                "field": table.scheme.label,
                "level": table.scheme.level,
                **cells_of(measured[table.scheme.key].pooled, keys),
            }
            for table in rated
        }
        rows += lines.values()
        if is_multi:
            has_options = True
            chosen = [lines[table.scheme.key] for table in rated if _is_chosen(table)]
            label = lazy_gettext("{label}: macro", label=rated[0].scheme.field_label)
            rows.append({ROW_KIND: "macro", "field": label, **macro_cells(chosen, keys)})
    help_ = lazy_gettext("AC2 with ordinal weights where the level is ordinal, else AC1.")
    return Table.from_rows(
        key="agreement-overview",
        title="Agreement on every field, all units pooled",
        question="Which questions do annotators agree on, and which not?",
        columns=[
            Column("field", "Field", "text"),
            Column("level", "Level", "text", "Level of measurement."),
            *count_columns(clusters),
            Column("percent_agreement", "Agreement", "share", help_of("percent_agreement")),
            Column(
                "krippendorff_alpha", "Krippendorff's α", "score", help_of("krippendorff_alpha")
            ),
            Column("gwet_ac", "Gwet's AC", "score", help_),
        ],
        rows=rows,
        notes=[_MACRO_OVER_OPTIONS] if has_options else [],
    )


def _prevalence_table(tables: Sequence[FieldRatings]) -> Table:
    """How often each category of each field was chosen, unused categories included."""
    rows = []
    for table in tables:
        counts = table.counts
        total = sum(counts)
        for label, n in zip(table.scheme.category_labels, counts, strict=False):
            share = value_cell(n / total if total else None, "no_ratings")
            rows.append(
                {
                    "field": table.scheme.label,
                    "category": label,
                    "ratings": n,
                    "share": share,
                }
            )
    return Table.from_rows(
        key="agreement-prevalence",
        title="How often each category was chosen",
        question="Does one category dominate? Then alpha can be low while AC is high.",
        columns=[
            Column("field", "Field", "text"),
            Column("category", "Category", "text"),
            Column("ratings", "Ratings", "count", "All ratings, of units rated once too."),
            Column("share", "Share", "share", "Of the field's ratings."),
        ],
        rows=rows,
    )


def _options_parts(
    tables: Sequence[FieldRatings], measured: Mapping[str, FieldAgreement], clusters: str, name: str
) -> list[Table | Chart]:
    """The table and the chart of one field.

    Args:
        tables: one per option.
        measured: results by the scheme's key.
        clusters: heading of what is resampled.
        name: key of the table.
    """
    rated = _rated_options(tables)
    scheme, keys = rated[0].scheme, keys_of(rated[0].scheme)
    label = scheme.field_label or scheme.label
    never = [str(table.scheme.option) for table in tables if table not in rated]
    unchosen = [str(table.scheme.option) for table in rated if not _is_chosen(table)]
    rows: list[RowValues] = [
        {
            "option": str(table.scheme.option),
            "chosen": _share_choosing(table, YES),
            **cells_of(measured[table.scheme.key].pooled, keys),
        }
        for table in rated
    ]
    chosen = [row for row, table in zip(rows, rated, strict=True) if _is_chosen(table)]
    rows.append({ROW_KIND: "macro", "option": lazy_gettext("Macro"), **macro_cells(chosen, keys)})
    chosen_column = Column(
        "chosen", "Chosen", "share", "Share of all ratings that chose the option."
    )
    table = Table.from_rows(
        key=name,
        title=lazy_gettext("Agreement on “{label}”, option by option", label=label),
        question=lazy_gettext("Which options of “{label}” do annotators agree on?", label=label),
        columns=[
            Column("option", "Option", "text"),
            chosen_column,
            *columns_of(scheme, keys, clusters),
        ],
        rows=rows,
        notes=[
            "Each option is a question of its own: chosen or not. It is rated where it was "
            "offered, and not where it was the only one; left blank where that is allowed, none is "
            "chosen.",
            _MACRO_OVER_OPTIONS,
            *(
                [
                    lazy_gettext(
                        "Nobody chose, so not in macro: {options}.", options=", ".join(unchosen)
                    )
                ]
                if unchosen
                else []
            ),
            *(
                [lazy_gettext("Never a choice, so not rated: {never}.", never=", ".join(never))]
                if never
                else []
            ),
        ],
    )
    by_option = {str(t.scheme.option): measured[t.scheme.key].pooled for t in rated}
    points = points_of(by_option, scheme)
    if not points:
        return [table]
    title = lazy_gettext("Which options of “{label}” do annotators agree on?", label=label)
    return [table, agreement_chart(points, key=f"chart-{name}", title=title)]


def _rated_options(tables: Sequence[FieldRatings]) -> list[FieldRatings]:
    """Options that somebody could choose or not; an option that is always implied is no choice."""
    return [table for table in tables if table.units] or list(tables)


def _is_chosen(table: FieldRatings) -> bool:
    """Whether anybody chose the option: on one that nobody did, all agree without looking."""
    return bool(table.counts[table.scheme.categories.index(YES)])


def _share_choosing(table: FieldRatings, category: str) -> Cell:
    counts = table.counts
    total = sum(counts)
    position = table.scheme.categories.index(category)
    return value_cell(counts[position] / total if total else None, "no_ratings")
