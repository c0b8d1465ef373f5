"""What people made of what a model gave, read once for all tables."""

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
    """What people made of what the model gave.

    Attributes:
        boxes: task → the boxes of each attempt, deleted ones included.
        rows: field → task → the rows of each attempt.
        changed: label of what was verified → (task, whether anything was changed) of each attempt.
    """

    protocol: Protocol
    boxes: dict[str, list[Sequence[PageBox]]] = field(default_factory=dict)
    rows: dict[str, dict[str, list[Sequence[RecordRow]]]] = field(default_factory=dict)
    changed: dict[str, list[tuple[str, bool]]] = field(default_factory=dict)


def read(source: Source, written: WrittenFiles) -> Verified:
    """The submitted work of people in a campaign; what gives nothing to verify is left out."""
    protocol = source.campaign.protocol
    found = Verified(protocol)
    seeded = [spec for spec in protocol.fields if spec.kind == "records" and spec.seed]
    for work in works_by_people(source, written):
        if not protocol.boxes.seed and not seeded:
            written.leave_out("attempt", "nothing_given", work.head.id)
            continue
        written.count("attempts")
        task = work.head.task
        if protocol.boxes.seed:
            boxes = work.state.boxes.boxes
            found.boxes.setdefault(task, []).append(boxes)
            found.changed.setdefault("Elements", []).append((task, _boxes_changed(boxes)))
        for spec in seeded:
            rows = _judged_rows(work, spec)
            found.rows.setdefault(spec.name, {}).setdefault(task, []).append(rows)
            found.changed.setdefault(spec.label, []).append((task, any(map(_row_changed, rows))))
    return found


def _boxes_changed(boxes: Sequence[PageBox]) -> bool:
    """Whether anything was corrected, deleted or added."""
    return any(
        box.verdict in ("corrected", "deleted") or (box.model is None and not box.deleted)
        for box in boxes
    )


def _judged_rows(work: ReadAttempt, spec: FieldSpec) -> list[RecordRow]:
    """Rows that the model gave, and those that were added and stayed."""
    return [row for row in work.form.rows(spec) if row.model is not None or not row.deleted]


def _row_changed(row: RecordRow) -> bool:
    """Whether the row is not as the model gave it, or a patch was approved."""
    return row.model is None or row.deleted or corrected(row) or "approve" in row.values.values()


def corrected(row: RecordRow) -> bool:
    """Whether a cell differs from the model's."""
    model = row.model or {}
    return any(row.values.get(name) != cell for name, cell in model.items())
