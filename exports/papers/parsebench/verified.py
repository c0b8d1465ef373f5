"""People's verdicts on a model's output, read once for all tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from pagetrail.annotation.attempts.boxes import PageBox
from pagetrail.annotation.attempts.form_state import RecordRow
from pagetrail.annotation.protocols.fields import FieldSpec
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.exports.reading.attempts import ReadAttempt, works_by_people
from pagetrail.exports.reading.source import Source, WrittenFiles
from pagetrail.exports.reports.model import Column

CAMPAIGN = Column("campaign", "Campaign", "text")
POOLED = (
    "Counts are over all attempts. In shares, attempts are weighted by 1/(annotators per task). "
    "Intervals: 95 % bootstrap, tasks resampled."
)


@dataclass
class Verified:
    """People's verdicts on a model's output.

    Attributes:
        boxes: task → the boxes of each attempt, deleted ones included.
        rows: field → task → the rows of each attempt.
        changed: label of what was verified → (task, whether anything was changed) of each attempt.
    """

    protocol: Protocol
    boxes: dict[str, list[Sequence[PageBox]]] = field(default_factory=dict)
    rows: dict[str, dict[str, list[Sequence[RecordRow]]]] = field(default_factory=dict)
    changed: dict[str, list[tuple[str, bool]]] = field(default_factory=dict)


def read(source: Source, tally: WrittenFiles) -> Verified:
    """Verdicts of people's submitted attempts; attempts without output of a model are left out."""
    protocol = source.campaign.protocol
    verified = Verified(protocol)
    seeded = [spec for spec in protocol.fields if spec.kind == "records" and spec.seed]
    for attempt in works_by_people(source, tally):
        if not protocol.boxes.seed and not seeded:
            tally.leave_out("attempt", "nothing_given", attempt.head.id)
            continue
        tally.count("attempts")
        task = attempt.head.task
        if protocol.boxes.seed:
            boxes = attempt.state.boxes.boxes
            verified.boxes.setdefault(task, []).append(boxes)
            verified.changed.setdefault("Elements", []).append((task, _boxes_changed(boxes)))
        for spec in seeded:
            rows = _judged_rows(attempt, spec)
            verified.rows.setdefault(spec.name, {}).setdefault(task, []).append(rows)
            verified.changed.setdefault(spec.label, []).append((task, any(map(_row_changed, rows))))
    return verified


def _boxes_changed(boxes: Sequence[PageBox]) -> bool:
    """Whether anything was corrected, deleted or added."""
    return any(
        box.verdict in ("corrected", "deleted") or (box.model is None and not box.deleted)
        for box in boxes
    )


def _judged_rows(attempt: ReadAttempt, spec: FieldSpec) -> list[RecordRow]:
    """Rows of the model, and added rows that were not deleted."""
    return [row for row in attempt.form.rows(spec) if row.model is not None or not row.deleted]


def _row_changed(row: RecordRow) -> bool:
    """Whether the row differs from the model's, or is an approved patch."""
    return row.model is None or row.deleted or corrected(row) or "approve" in row.values.values()


def corrected(row: RecordRow) -> bool:
    """Whether a cell differs from the model's."""
    model = row.model or {}
    return any(row.values.get(name) != cell for name, cell in model.items())
