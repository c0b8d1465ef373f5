"""The table of outcomes of a model's values (docs/metrics.md, Shown values)."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from pagetrail.annotation.progress.quality import MeanEstimate, share_difference
from pagetrail.annotation.statistics.attempt_weights import weights
from pagetrail.annotation.statistics.clustered_mean import clustered_mean
from pagetrail.exports.reports.cells import estimate_cell
from pagetrail.exports.reports.model import Cell, Column, Table
from pagetrail.exports.reports.quality.reading import QualityInput

EVERYBODY_SAW_IT = "everybody_saw_it"


def shown_values_table(quality_input: QualityInput) -> Table:
    """One row per field, with intervals over tasks."""
    rows = []
    for name in dict.fromkeys(value.counts.field for value in quality_input.shown_values):
        field_values = [value for value in quality_input.shown_values if value.counts.field == name]
        with_model_values = [value for value in field_values if value.counts.kept is not None]
        unseen = [value for value in field_values if value.counts.kept is None]
        kept_share, same_share, unseen_share = (
            _share((value.task, value.counts.n, hits) for value, hits in pairs if hits is not None)
            for pairs in (
                [(value, value.counts.kept) for value in with_model_values],
                [(value, value.counts.same) for value in with_model_values],
                [(value, value.counts.same) for value in unseen],
            )
        )
        change = Cell(reason="no_variation" if unseen else EVERYBODY_SAW_IT)
        if same_share.low is not None and unseen_share.low is not None:
            change = estimate_cell(share_difference(unseen_share, same_share))
        rows.append(
            {
                "field": name,
                "kept": estimate_cell(kept_share),
                "same": estimate_cell(same_share),
                "without": estimate_cell(unseen_share)
                if unseen_share.n
                else Cell(reason=EVERYBODY_SAW_IT),
                "difference": change,
            }
        )
    return Table.from_rows(
        key="quality-shown-values",
        title="Shown values",
        question="Do annotators keep a model’s values because they see them?",
        columns=(
            Column("field", "Field", "text"),
            Column("kept", "Kept as shown", "share", "Share of values kept exactly as shown."),
            Column(
                "same",
                "Same value, shown",
                "share",
                "Share equal to the model’s value, kept or entered again.",
            ),
            Column(
                "without",
                "Same value, not shown",
                "share",
                "Share equal to the model’s value among annotators who did not see it.",
            ),
            Column("difference", "Difference", "share", "Shown minus not shown."),
        ),
        rows=rows,
        notes=[
            "n counts values (value × person); shares weight each by 1/(annotators of the task). "
            "Annotators in a condition of the study with boxes.seed off do not see the model’s "
            "values."
        ],
    )


def _share(counts: Iterable[tuple[str, int, int]]) -> MeanEstimate:
    """Of (task, values, hits) of attempts: the share of hits with its interval over tasks.

    A value weighs 1 / (attempts at its task that are listed).
    """
    all_counts = list(counts)
    numbers: dict[str, int] = {}
    values = [np.repeat([1.0, 0.0], [hits, n - hits]) for _, n, hits in all_counts]
    clusters = [np.full(n, numbers.setdefault(task, len(numbers))) for task, n, _ in all_counts]
    if not all_counts:
        return MeanEstimate(None, None, None, 0)
    attempt_weights = weights([task for task, _, _ in all_counts])
    value_weights = np.repeat(attempt_weights, [n for _, n, _ in all_counts])
    mean = clustered_mean(
        np.concatenate(values), np.concatenate(clusters), value_weights, share=True
    )
    return MeanEstimate(mean.value, mean.low, mean.high, mean.n)
