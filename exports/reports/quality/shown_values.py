"""The table of what becomes of the values that a model gave (docs/metrics.md, Shown values)."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from pagetrail.annotation.progress.quality import Found, share_difference
from pagetrail.annotation.statistics.attempt_weights import weights
from pagetrail.annotation.statistics.clustered_mean import clustered_mean
from pagetrail.exports.reports.model import Cell, Column, Table
from pagetrail.exports.reports.quality.reading import QualityInput

EVERYBODY_SAW_IT = "everybody_saw_it"


def shown_values_table(found: QualityInput) -> Table:
    """Field by field, intervals over tasks."""
    rows = []
    for name in dict.fromkeys(each.counts.field for each in found.shown):
        own = [each for each in found.shown if each.counts.field == name]
        seen = [each for each in own if each.counts.kept is not None]
        unseen = [each for each in own if each.counts.kept is None]
        kept, same, without = (
            _share((each.task, each.counts.n, hits) for each, hits in some if hits is not None)
            for some in (
                [(each, each.counts.kept) for each in seen],
                [(each, each.counts.same) for each in seen],
                [(each, each.counts.same) for each in unseen],
            )
        )
        change = Cell(reason="no_variation" if unseen else EVERYBODY_SAW_IT)
        if same.low is not None and without.low is not None:
            change = _cell(share_difference(without, same))
        rows.append(
            {
                "field": name,
                "kept": _cell(kept),
                "same": _cell(same),
                "without": _cell(without) if without.n else Cell(reason=EVERYBODY_SAW_IT),
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


def _share(counted: Iterable[tuple[str, int, int]]) -> Found:
    """Of (task, values, hits) of attempts: the share of hits with its interval over tasks.

    A value weighs 1 / (attempts at its task that are listed).
    """
    listed = list(counted)
    numbers: dict[str, int] = {}
    values = [np.repeat([1.0, 0.0], [hits, n - hits]) for _, n, hits in listed]
    clusters = [np.full(n, numbers.setdefault(task, len(numbers))) for task, n, _ in listed]
    if not listed:
        return Found(None, None, None, 0)
    attempt_weights = weights([task for task, _, _ in listed])
    value_weights = np.repeat(attempt_weights, [n for _, n, _ in listed])
    mean = clustered_mean(
        np.concatenate(values), np.concatenate(clusters), value_weights, share=True
    )
    return Found(mean.value, mean.low, mean.high, mean.n)


def _cell(found: Found) -> Cell:
    if found.value is None:
        return Cell(reason="no_rows", n=0)
    return Cell(found.value, low=found.low, high=found.high, n=found.n)
