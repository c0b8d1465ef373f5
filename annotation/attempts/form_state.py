"""What the fields and tables of an attempt hold, and what checks and feedback said."""

from __future__ import annotations

import math
from collections.abc import Sequence

from pydantic import Field

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.base import State
from pagetrail.annotation.protocols.check_results import Finding
from pagetrail.annotation.protocols.fields import Value


class FieldValue(State):
    """What a field holds: of the task, of a page, or of a box."""

    field: str
    document: str | None = None
    page: int | None = None
    box: str | None = None
    value: Value
    seq: int = Field(description="the event that set it")


class Confirmation(State):
    """A page whose field and boxes differ, confirmed as it was: see ``contradictions``."""

    field: str
    document: str
    page: int
    chosen: tuple[str, ...]
    drawn: tuple[str, ...]
    seq: int = Field(description="the event that confirmed it")


class RecordRow(State):
    """One row of a table of records."""

    field: str
    document: str | None = None
    page: int | None = None
    box: str | None = None
    row: str
    values: dict[str, str] = Field(description="cell by column")
    model: dict[str, str] | None = Field(default=None, description="a model's cells, untouched")
    deleted: bool = False
    seq: int = Field(description="the event that made it")


class Checks(State):
    """The last run of the live checks."""

    at_seq: int = Field(description="the last event that they have seen")
    findings: tuple[Finding, ...]


class Feedback(State):
    """The last comparison of a pilot task with its gold."""

    right: bool
    score: float
    parts: tuple[ev.PartScore, ...]

    @classmethod
    def of_parts(cls, parts: Sequence[ev.PartScore]) -> Feedback:
        """Right where all parts are; the score is the mean of the decided ones, or 0."""
        scores = [part.score for part in parts if not part.undecided]
        return cls(
            right=all(part.right for part in parts),
            score=math.fsum(scores) / len(scores) if scores else 0.0,
            parts=tuple(parts),
        )

    @property
    def is_undecided(self) -> bool:
        """Whether it is right if its undecided parts are."""
        is_open = any(part.undecided for part in self.parts)
        return is_open and all(part.right or part.undecided for part in self.parts)

    @property
    def decided_score(self) -> float | None:
        """The score; None where nothing is decided."""
        is_decided = not self.parts or any(not part.undecided for part in self.parts)
        return self.score if is_decided else None


def with_value(
    fields: tuple[FieldValue, ...], payload: ev.FieldSet, seq: int
) -> tuple[FieldValue, ...]:
    """The values after one was set or cleared."""
    other_values = tuple(v for v in fields if not _same_target(v, payload))
    if payload.value is None:
        return other_values
    value = FieldValue(
        field=payload.field,
        document=payload.document,
        page=payload.page,
        box=payload.box,
        value=payload.value,
        seq=seq,
    )
    return (*other_values, value)


def with_confirmation(
    confirmed: tuple[Confirmation, ...], payload: ev.ContradictionConfirmed, seq: int
) -> tuple[Confirmation, ...]:
    """The confirmations after one more; the last one of a page's field counts."""
    at = (payload.field, payload.document, payload.page)
    other_confirmations = tuple(c for c in confirmed if (c.field, c.document, c.page) != at)
    return (
        *other_confirmations,
        Confirmation(**payload.model_dump(exclude={"type", "seen_ms"}), seq=seq),
    )


def with_moved_row(rows: tuple[RecordRow, ...], payload: ev.RowMoved) -> tuple[RecordRow, ...]:
    """The rows after one was moved; as they are where it, or the row to follow it, is not there."""
    others = [row for row in rows if row.row != payload.row or not _same_target(row, payload)]
    moved_row = next((row for row in rows if row not in others), None)
    positions = [i for i, row in enumerate(others) if _same_target(row, payload)]
    following = [i for i in positions if others[i].row == payload.before]
    if moved_row is None or (payload.before is not None and not following):
        return rows
    place = following[0] if following else max(positions, default=-1) + 1
    return (*others[:place], moved_row, *others[place:])


def with_set_rows(rows: tuple[RecordRow, ...], payload: ev.RowsSet) -> tuple[RecordRow, ...]:
    """The rows after cells of several were set; deleted ones stay as they are."""
    return tuple(
        row.model_copy(update={"values": row.values | payload.rows[row.row]})
        if row.row in payload.rows and not row.deleted and _same_target(row, payload)
        else row
        for row in rows
    )


def with_rows(
    rows: tuple[RecordRow, ...], payload: ev.RowSet | ev.RowDeleted | ev.RowsSeeded, seq: int
) -> tuple[RecordRow, ...]:
    """The rows of all tables after some were set, deleted or given by a model."""
    target = {
        "field": payload.field,
        "document": payload.document,
        "page": payload.page,
        "box": payload.box,
    }
    if isinstance(payload, ev.RowsSeeded):
        n_seeded = sum(_same_target(row, payload) and row.model is not None for row in rows)
        seeded = [
            RecordRow(**target, row=f"r{n}", values=row.values, model=row.values, seq=seq)
            for n, row in enumerate(payload.rows, start=n_seeded + 1)
        ]
        return (*rows, *seeded)

    def is_it(row: RecordRow) -> bool:
        return row.row == payload.row and _same_target(row, payload)

    if isinstance(payload, ev.RowDeleted):
        return tuple(r.model_copy(update={"deleted": True}) if is_it(r) else r for r in rows)
    if not any(map(is_it, rows)):
        return (*rows, RecordRow(**target, row=payload.row, values=payload.values, seq=seq))
    return tuple(
        r.model_copy(update={"values": r.values | payload.values, "deleted": False})
        if is_it(r)
        else r
        for r in rows
    )


def _same_target(stored: FieldValue | RecordRow, payload: ev.Targeted) -> bool:
    return (stored.field, stored.document, stored.page, stored.box) == (
        payload.field,
        payload.document,
        payload.page,
        payload.box,
    )
