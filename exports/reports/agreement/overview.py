"""Agreement on every field at a glance, and how often each category was chosen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pagetrail.annotation.ratings.tables import FieldRatings
from pagetrail.exports.reports.agreement.coefficients import Coefficients
from pagetrail.exports.reports.agreement.columns import cells_of, count_columns, help_of
from pagetrail.exports.reports.cells import value_cell
from pagetrail.exports.reports.model import Column, Table


def overview(
    tables: Sequence[FieldRatings], measured: Mapping[str, Coefficients], clusters: str
) -> Table:
    """One row per field; ``clusters`` is the heading for what is resampled."""
    keys = ("percent_agreement", "krippendorff_alpha", "gwet_ac")
    rows = []
    for table in tables:
        line = measured[table.scheme.key].pooled
        level = table.scheme.level
        rows.append({"field": table.scheme.label, "level": level} | cells_of(line, keys))
    help_ = "AC2 with ordinal weights where the level is ordinal, else AC1."
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
    )


def prevalence(tables: Sequence[FieldRatings]) -> Table:
    """One line a category of a field, those that nobody chose included."""
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
        question="Is one category so frequent that alpha and AC part?",
        columns=[
            Column("field", "Field", "text"),
            Column("category", "Category", "text"),
            Column("ratings", "Ratings", "count", "All ratings, of units rated once too."),
            Column("share", "Share", "share", "Of the field's ratings."),
        ],
        rows=rows,
    )
