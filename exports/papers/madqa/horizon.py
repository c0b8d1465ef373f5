"""Time horizons of systems against people, beside MADQA's own tables (Kwa et al. 2025)."""

from __future__ import annotations

from collections.abc import Sequence

from pagetrail.exports.papers.charts import horizon_curves
from pagetrail.exports.papers.material import Material
from pagetrail.exports.papers.model import Figure
from pagetrail.exports.reports.metrics.horizon import (
    SYSTEM,
    bins_table,
    curve_table,
    fitted_pairs,
    horizon_table,
    joint_table,
)
from pagetrail.exports.reports.model import Column, Table


def time_horizon(material: Material) -> Sequence[Table | Figure] | str:
    """Horizons, their figure, and what people and systems achieve together, or why not."""
    pairs = fitted_pairs(material.participants, material.options)
    if isinstance(pairs, str):
        return pairs
    horizons = horizon_table(pairs)
    data = Table.from_rows(
        key="figure-time-horizon",
        title="Success over people's time per task",
        question="How does success decline with the time that tasks take people?",
        columns=(
            SYSTEM,
            Column("kind", "Point", "text", "A point of the fitted curve, or a bin of tasks."),
            Column("minutes", "Time, min", "number", "People's time; its geometric mean in bins."),
            Column("tasks", "Tasks", "count", "Tasks in the bin."),
            Column("rate", "Accuracy", "share", "Fitted, or observed in the bin."),
        ),
        rows=[
            {**row.cells, "kind": kind}
            for kind, table in (
                ("curve", curve_table(pairs)),
                ("bin", bins_table(pairs, material.options)),
            )
            for row in table.rows
        ],
        notes=[
            "Bins double in width: 1–2, 2–4, 4–8 minutes and so on. Intervals resample tasks.",
            *horizons.notes,
        ],
    )
    figures = [Figure(data, horizon_curves)] if data.rows else []
    return [horizons, *figures, joint_table(pairs, material.options)]
