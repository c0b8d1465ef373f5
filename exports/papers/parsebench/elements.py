"""Elements of a model, by people's verdicts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pagetrail.annotation.metrics.element_quality import PARTS, Quality, Report, model_quality
from pagetrail.exports.papers.parsebench.verified import CAMPAIGN, POOLED, Verified
from pagetrail.exports.papers.ratios import TaskCount, ratio_cell
from pagetrail.exports.reports.metrics.cells import Options
from pagetrail.exports.reports.model import Cell, Column, RowValues, Table

_COUNTS = ("given", "accepted", "corrected", "deleted", "added", "unjudged")
_RATES = {
    "acceptance": ("Accepted", "Accepted unchanged, of the judged elements of the model."),
    "precision": ("Precision", "Kept, of the judged elements; by class, with that class."),
    "recall": ("Recall", "Kept, of the elements after verification."),
    "localised": ("Localised", "Verified elements localised by an element of the model."),
    "localised_with_class": ("With class", "Verified elements localised by one of the same class."),
}
_ALL = "All"


def elements(campaigns: Mapping[str, Verified], options: Options) -> Table:
    """Counts and rates by class.

    Args:
        campaigns: campaign → what was verified in it.
    """
    return Table.from_rows(
        "elements",
        "Elements verified",
        "How accurate are the model's elements, as verified by people?",
        (
            CAMPAIGN,
            Column(
                "class", "Class", "text", "Assigned by the model; by people for added elements."
            ),
            *(Column(name, name.capitalize(), "count", _COUNT_HELP[name]) for name in _COUNTS),
            *(
                Column(f"corrected_{part}", f"{part.capitalize()} corrected", "count")
                for part in PARTS
            ),
            *(
                Column(key, label, "share", definition)
                for key, (label, definition) in _RATES.items()
            ),
            Column(
                "iou_corrected",
                "IoU",
                "score",
                "Mean IoU of model and human box, over corrected boxes.",
            ),
        ),
        [
            row
            for campaign, verified in campaigns.items()
            if verified.boxes
            for row in _element_rows(campaign, verified, options)
        ],
        [POOLED, "Unjudged elements are left out of all rates."],
    )


_COUNT_HELP = {
    "given": "Elements of the model that were judged.",
    "accepted": "Accepted unchanged.",
    "corrected": "Corrected in any part.",
    "deleted": "Deleted: false positives.",
    "added": "Added by people: misses.",
    "unjudged": "Neither accepted, corrected nor deleted.",
}


def _element_rows(campaign: str, verified: Verified, options: Options) -> Iterator[RowValues]:
    report = _report(verified)
    task_reports = [(len(boxes), model_quality(boxes)) for boxes in verified.boxes.values()]
    for name, quality in [(_ALL, report.overall), *report.classes.items()]:
        qualities = [
            (attempts, task_quality)
            for attempts, report in task_reports
            if (task_quality := report.overall if name == _ALL else report.classes.get(name))
            is not None
        ]
        yield {
            "row_kind": "pooled" if name == _ALL else "row",
            "campaign": campaign,
            "class": name,
            **{count: getattr(quality, count) for count in _COUNTS},
            **{f"corrected_{part}": quality.corrected_parts[part] for part in PARTS},
            **{
                rate: _rate(quality, qualities, rate, options)
                for rate in (*_RATES, "iou_corrected")
            },
        }


def _rate(
    quality: Quality, task_qualities: Sequence[tuple[int, Quality]], rate: str, options: Options
) -> Cell:
    result = getattr(quality, rate)
    excluded = {"unjudged": quality.unjudged}
    return ratio_cell(
        [
            TaskCount(numerator, denominator, attempts)
            for attempts, task_quality in task_qualities
            for numerator, denominator in [getattr(task_quality, rate).of]
        ],
        options,
        result.reason or "no_rows",
        excluded,
    )


def _report(verified: Verified) -> Report:
    return model_quality(boxes for attempts in verified.boxes.values() for boxes in attempts)


def confusion(campaigns: Mapping[str, Verified]) -> Table:
    """Counts of model class against human class."""
    return Table.from_rows(
        "confusion",
        "Classes of model and people",
        "Which classes does the model confuse?",
        (
            CAMPAIGN,
            Column("model", "Model", "text", "Class by the model; (added): added by people."),
            Column("human", "People", "text", "Class by people; (deleted): false positive."),
            Column("count", "Elements", "count"),
        ),
        [
            {
                "campaign": campaign,
                "model": model,
                "human": human,
                "count": n,
            }
            for campaign, verified in campaigns.items()
            for model, row in _report(verified).confusion.items()
            for human, n in row.items()
        ],
        ["Counts are pooled over attempts."],
    )
