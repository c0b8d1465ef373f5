"""Quality of the model's elements that people verified, as JSON and CSV.

``model_quality.json`` holds the results of ``annotation.metrics.element_quality`` over all
submitted attempts, and the overall ones of each annotator; ``classes.csv`` a line for all classes
and one per class, and ``confusion.csv`` the counts of model class against human class. An attempt
at a task without model elements counts as well: elements added there are misses.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from pagetrail.annotation.attempts.boxes import PageBox
from pagetrail.annotation.geometry.overlap import LOCALISED_PREDICTION, LOCALISED_TRUTH
from pagetrail.annotation.metrics.element_quality import PARTS, Quality, Report, model_quality
from pagetrail.annotation.protocols.conditions import under_condition
from pagetrail.exports.formats.export_format import Format
from pagetrail.exports.reading.attempts import ReadAttempt, works_by_people
from pagetrail.exports.reading.source import Source, WrittenFiles
from pagetrail.exports.writing.file_formats import save_csv, save_json

REPORT, CLASSES, CONFUSION = "model_quality.json", "classes.csv", "confusion.csv"

_RATES = (
    "precision",
    "recall",
    "acceptance",
    "iou_corrected",
    "localised",
    "localised_with_class",
)
_COUNTS = ("given", "accepted", "corrected", "deleted", "added", "unjudged")


def write(source: Source, folder: Path) -> WrittenFiles:
    """Write the report on the elements that submitted attempts verified."""
    tally = WrittenFiles(counts={"attempts": 0, "given": 0, "added": 0})
    verified: list[_VerifiedAttempt] = []
    for attempt in works_by_people(source, tally):
        if not under_condition(attempt.form.protocol, attempt.head.setting).boxes.seed:
            tally.leave_out("attempt", "no_elements_given", attempt.head.id)
            continue
        boxes = attempt.state.boxes.boxes
        verified.append(
            _VerifiedAttempt(attempt.name, attempt.head.task, boxes, len(_pages(attempt)))
        )
        tally.count("attempts")
    report = _report(verified)
    names = sorted({attempt.name for attempt in verified})
    reports = {name: _report([a for a in verified if a.name == name]) for name in names}
    tally.counts |= {"given": report.overall.given, "added": report.overall.added}
    tally.choices = {
        "unit": "box",
        "pooled_over": "attempts",
        "weights": "1 / attempts at the task",
        "localised": {"ioa_of_truth": LOCALISED_TRUTH, "ioa_of_prediction": LOCALISED_PREDICTION},
    }
    save_json(
        folder / REPORT,
        {
            **report.model_dump(mode="json"),
            "annotators": {
                name: annotator_report.overall.model_dump(mode="json")
                for name, annotator_report in reports.items()
            },
        },
    )
    lines = [("(all)", report.overall), *report.classes.items()]
    columns = ["class", *_COUNTS, *(f"corrected_{part}" for part in PARTS)]
    columns += [column for rate in _RATES for column in (rate, f"{rate}_of")]
    tally.rows = {
        REPORT: 1,
        CLASSES: save_csv(folder / CLASSES, columns, [_quality_line(*line) for line in lines]),
        CONFUSION: save_csv(
            folder / CONFUSION, ("model", "human", "count"), _confusion_cells(report)
        ),
    }
    return tally


FORMAT = Format(
    name="model-quality",
    summary="how good the elements were that people verified (JSON, CSV)",
    purpose="how good a model's elements were, by what people made of them",
    applies_to="verification of elements",
    write=write,
)


class _VerifiedAttempt(NamedTuple):
    name: str
    task: str
    boxes: tuple[PageBox, ...]
    pages: int


def _report(verified: list[_VerifiedAttempt]) -> Report:
    return model_quality(
        [attempt.boxes for attempt in verified],
        sum(attempt.pages for attempt in verified),
        [attempt.task for attempt in verified],
    )


def _pages(attempt: ReadAttempt) -> set[tuple[str, int]]:
    boxes = attempt.state.boxes.boxes
    return {*(attempt.form.given or ()), *((box.document, box.page) for box in boxes)}


def _quality_line(name: str, quality: Quality) -> list[Any]:
    rates = [getattr(quality, rate) for rate in _RATES]
    return [
        name,
        *(getattr(quality, count) for count in _COUNTS),
        *(quality.corrected_parts[part] for part in PARTS),
        *(cell for rate in rates for cell in (rate.value, rate.of[1])),
    ]


def _confusion_cells(report: Report) -> list[tuple[str, str, int]]:
    return [
        (model, human, n) for model, row in report.confusion.items() for human, n in row.items()
    ]
