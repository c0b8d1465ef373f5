"""Agreement on fields of several options: each option is a question of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pagetrail.annotation.ratings.schemes import YES
from pagetrail.annotation.ratings.tables import FieldRatings
from pagetrail.exports.reports.agreement.coefficients import Coefficients
from pagetrail.exports.reports.agreement.columns import cells_of, columns_of, keys_of, points_of
from pagetrail.exports.reports.cells import macro_cells, value_cell
from pagetrail.exports.reports.charts.estimates import agreement_chart
from pagetrail.exports.reports.model import ROW_KIND, Cell, Chart, Column, RowValues, Table


def options(
    tables: Sequence[FieldRatings], measured: Mapping[str, Coefficients], clusters: str, name: str
) -> list[Table | Chart]:
    """The table and the chart of one field.

    Args:
        tables: one per option.
        measured: results by the scheme's key.
        clusters: what is resampled, as a heading.
        name: key of the table.
    """
    # An option that somebody could choose or leave; one that is only ever implied is no choice.
    rated = [table for table in tables if table.units] or list(tables)
    scheme, keys = rated[0].scheme, keys_of(rated[0].scheme)
    label = scheme.label.removesuffix(f": {scheme.option}")
    never = [str(table.scheme.option) for table in tables if table not in rated]
    rows: list[RowValues] = [
        {
            "option": str(table.scheme.option),
            "chosen": _share(table, YES),
            **cells_of(measured[table.scheme.key].pooled, keys),
        }
        for table in rated
    ]
    rows.append({ROW_KIND: "macro", "option": "Macro", **macro_cells(rows, keys)})
    chosen_column = Column(
        "chosen", "Chosen", "share", "Share of all ratings that chose the option."
    )
    table = Table.from_rows(
        key=name,
        title=f"Agreement on “{label}”, option by option",
        question=f"Which options of “{label}” do annotators agree on?",
        columns=[
            Column("option", "Option", "text"),
            chosen_column,
            *columns_of(scheme, keys, clusters),
        ],
        rows=rows,
        notes=[
            "Each option is a question of its own: chosen or not. It is rated where it was "
            "offered, and not where it was the only one; left blank where that is allowed, none is "
            "chosen. Macro is the mean over options.",
            *([f"Never a choice, so not rated: {', '.join(never)}."] if never else []),
        ],
    )
    by_option = {str(t.scheme.option): measured[t.scheme.key].pooled for t in rated}
    points = points_of(by_option, scheme)
    if not points:
        return [table]
    title = f"Which options of “{label}” do annotators agree on?"
    return [table, agreement_chart(points, key=f"chart-{name}", title=title)]


def _share(table: FieldRatings, category: str) -> Cell:
    counts = table.counts
    total = sum(counts)
    position = table.scheme.categories.index(category)
    return value_cell(counts[position] / total if total else None, "no_ratings")
