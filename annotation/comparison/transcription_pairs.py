"""How far two versions of a page have the same text, tables and points of charts.

People are compared pair by pair, without regard to who is right, or each with the gold;
docs/metrics.md defines the measures. What a task's pairs make is averaged first, so that a task of
many annotators weighs no more than one of two.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import combinations

from pagetrail.annotation.agreement.chart_points import ChartPoint, point_overlap
from pagetrail.annotation.agreement.table_similarity import (
    cell_f1,
    grits_content,
    table_record_match,
)
from pagetrail.annotation.agreement.text_error_rates import text_difference
from pagetrail.annotation.attempts.submission import Submission
from pagetrail.annotation.comparison.gold_submission import GoldSubmission
from pagetrail.annotation.protocols.fields import FieldSpec
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.annotation.tables.grid import Grid


@dataclass(frozen=True)
class TranscriptionScores:
    """Two versions of a page, each measure in [0, 1]; None where there is nothing to compare.

    Attributes:
        character_error_rate, word_error_rate: of the texts; 0 is agreement.
        table_record_match, cell_f1, grits: means over the tables that either has.
        point_f1: of points of charts with the same labels and values within tolerance.
        label_f1: of points with the same labels.
    """

    character_error_rate: float | None
    word_error_rate: float | None
    table_record_match: float | None
    cell_f1: float | None
    grits: float | None
    point_f1: float | None
    label_f1: float | None


@dataclass(frozen=True)
class TaskTranscriptions:
    """All pairs of people of one task.

    Attributes:
        means: of each measure over the pairs that have it; None where none has.
        compared: pairs that have a measure.
    """

    task: str
    n_pairs: int
    means: dict[str, float | None]
    compared: dict[str, int]


_NO_TABLE = Grid(0, 0, ())
MEASURES: tuple[str, ...] = tuple(measure.name for measure in fields(TranscriptionScores))
TEXT_MEASURES = ("character_error_rate", "word_error_rate")
TABLE_MEASURES = ("table_record_match", "cell_f1", "grits")
CHART_MEASURES = ("point_f1", "label_f1")


def measures_of(protocol: Protocol) -> tuple[str, ...]:
    """The measures that a campaign's work can have; none where nothing of it is transcribed."""
    is_asked = {
        TEXT_MEASURES: protocol.transcript.enabled,
        TABLE_MEASURES: protocol.tables.enabled,
        CHART_MEASURES: any(spec.is_chart for spec in protocol.fields),
    }
    return tuple(name for names, asked in is_asked.items() if asked for name in names)


def transcription_pair(a: Submission, b: Submission) -> TranscriptionScores:
    """How far two people agree on a task; the same whichever comes first."""
    points = point_overlap(_chart_points(a), _chart_points(b))
    return TranscriptionScores(
        *_text_rates(a.transcript, b.transcript),
        *_table_scores(a.tables, b.tables),
        point_f1=points.values.f1,
        label_f1=points.labels.f1,
    )


def scores_against_gold(submission: Submission, gold: GoldSubmission) -> TranscriptionScores:
    """How far a person's work agrees with the gold; None for what the gold does not state.

    Values of charts agree within the gold's tolerance, whatever the person's is.
    """
    has_tables = gold.form.protocol.tables.enabled and gold.gold.tables is not None
    charts = [
        spec
        for spec in gold.form.protocol.fields
        if spec.is_chart and spec.name in gold.gold.fields
    ]
    read_points = [point._replace(tolerance=0.0) for point in _chart_points(submission, charts)]
    points = point_overlap(read_points, _chart_points(gold, charts))
    return TranscriptionScores(
        *_text_rates(submission.transcript, gold.transcript),
        *(_table_scores(submission.tables, gold.tables) if has_tables else (None, None, None)),
        point_f1=points.values.f1,
        label_f1=points.labels.f1,
    )


def _text_rates(text: str | None, other: str | None) -> tuple[float | None, float | None]:
    """Error rates of characters and words."""
    if text is None or other is None:
        return None, None
    difference = text_difference(text, other)
    return difference.characters.rate, difference.words.rate


def _table_scores(
    tables: Mapping[str, Grid], others: Mapping[str, Grid]
) -> tuple[float | None, float | None, float | None]:
    """TableRecordMatch, cell F1 and GriTS over the tables of either."""
    grids = [
        (tables.get(table_id, _NO_TABLE), others.get(table_id, _NO_TABLE))
        for table_id in dict.fromkeys((*tables, *others))
    ]
    records = [(grid.records(), other.records()) for grid, other in grids]
    return (
        _mean(table_record_match(*pair) for pair in records),
        _mean(cell_f1(*pair) for pair in records),
        _mean(grits_content(grid.texts(), other.texts()) for grid, other in grids),
    )


def task_transcriptions(task: str, submissions: Sequence[Submission]) -> TaskTranscriptions | None:
    """The pairs of one task; None of fewer than two people, or where nothing is transcribed."""
    if len(submissions) < 2 or not measures_of(submissions[0].form.protocol):
        return None
    pairs = [transcription_pair(a, b) for a, b in combinations(submissions, 2)]
    values = {name: [getattr(pair, name) for pair in pairs] for name in MEASURES}
    return TaskTranscriptions(
        task=task,
        n_pairs=len(pairs),
        means={name: _mean(scores) for name, scores in values.items()},
        compared={
            name: sum(score is not None for score in scores) for name, scores in values.items()
        },
    )


def _chart_points(
    submission: Submission, charts: Iterable[FieldSpec] | None = None
) -> list[ChartPoint]:
    """The points of these charts, or of all charts of the task."""
    if charts is None:
        charts = (spec for spec in submission.form.protocol.fields if spec.is_chart)
    return [
        ChartPoint.parse(
            row.values.get("labels", ""),
            row.values.get("value", ""),
            row.values.get("tolerance", ""),
            spec.relative_tolerance,
        )
        for spec in charts
        for _, row in submission.rows(spec)
    ]


def _mean(values: Iterable[float | None]) -> float | None:
    scores = [value for value in values if value is not None]
    return math.fsum(scores) / len(scores) if scores else None
