"""All submitted values: fields, rows of tables, boxes and answers.

``labels`` has one row per field value that counts, as JSONL and Parquet; ``rows.jsonl`` one per
table row, ``boxes.jsonl`` one per box, deleted ones included, and ``attempts.jsonl`` one per
attempt. A value counts while its field is asked and its option offered
(``annotation.attempts.forms``); earlier values that no longer count are only in the trajectories.
"""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pyarrow as pa

from pagetrail.annotation.attempts.boxes import PageBox
from pagetrail.annotation.attempts.form_state import RecordRow
from pagetrail.annotation.attempts.forms import Target
from pagetrail.annotation.attempts.reading_order import reading_order
from pagetrail.annotation.attempts.submission import submitted_answer
from pagetrail.annotation.protocols.conditions import condition_of
from pagetrail.annotation.protocols.fields import FieldSpec
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.exports.formats.export_format import Format
from pagetrail.exports.reading.attempts import ReadAttempt, opened_works
from pagetrail.exports.reading.source import Source, WrittenFiles
from pagetrail.exports.reading.values import PresentValue, as_text
from pagetrail.exports.writing.file_formats import JsonLines, ParquetRows

VALUES, ROWS, BOXES, ATTEMPTS = "labels.jsonl", "rows.jsonl", "boxes.jsonl", "attempts.jsonl"
TABLE = "labels.parquet"

SCHEMA = pa.schema(
    [
        *(
            pa.field(name, pa.string(), nullable=False)
            for name in ("campaign", "task", "annotator", "attempt", "status")
        ),
        pa.field("outcome", pa.string()),
        pa.field("scope", pa.string(), nullable=False),
        pa.field("document", pa.string()),
        pa.field("page", pa.int64()),
        pa.field("box", pa.string()),
        pa.field("field", pa.string(), nullable=False),
        pa.field("kind", pa.string(), nullable=False),
        pa.field("value", pa.string()),
        pa.field("values", pa.list_(pa.string()), nullable=False),
        pa.field("code", pa.float64()),
        pa.field("implied", pa.bool_(), nullable=False),
        pa.field("set_at", pa.string()),
        pa.field("elapsed_ms", pa.int64()),
    ]
)

BOX_COLUMNS = (
    *("campaign", "task", "annotator", "attempt", "status", "outcome"),
    *("document", "page", "page_width", "page_height", "box", "rect", "label", "content"),
    *("order", "attributes", "verdict", "differences", "accepted", "deleted", "model", "made_at"),
)
"""Keys of a row of ``boxes.jsonl``, whose campaign has no conditions."""


def table_schema(protocol: Protocol) -> pa.Schema:
    """``SCHEMA``, with the condition that a value was set under where the campaign has any."""
    return (
        SCHEMA.append(pa.field("condition", pa.string())) if protocol.study.conditions else SCHEMA
    )


def write(source: Source, folder: Path) -> WrittenFiles:
    """Write the work of all attempts that have events, whatever their status."""
    tally = WrittenFiles(counts={"attempts": 0, "values": 0, "rows": 0, "boxes": 0})
    campaign = source.campaign.name
    schema = table_schema(source.campaign.protocol)
    with ExitStack() as stack:
        files = {
            name: stack.enter_context(JsonLines(folder / name))
            for name in (VALUES, ROWS, BOXES, ATTEMPTS)
        }
        table = stack.enter_context(ParquetRows(folder / TABLE, schema))
        for attempt in opened_works(source, tally):
            head = value_head(campaign, attempt)
            files[ATTEMPTS].write(head | _attempt(attempt))
            tally.count("attempts")
            for row in field_values(attempt):
                files[VALUES].write(head | row)
                table.write(head | row)
                tally.count("values")
            for row in record_rows(attempt):
                files[ROWS].write(head | row)
                tally.count("rows")
            order = reading_order(attempt.form)
            for box in attempt.state.boxes.boxes:
                files[BOXES].write(head | _box(source, attempt, box, order.get(box.id)))
                tally.count("boxes")
        tally.rows = {name: lines.rows for name, lines in files.items()}
        tally.rows[TABLE] = table.rows
    return tally


FORMAT = Format(
    name="labels",
    summary="every value of every field, rows of tables, and boxes with a model's own value",
    purpose="every value, box and table row; the only one of these formats that has unsubmitted "
    "attempts too",
    applies_to="any",
    write=write,
)


def value_head(campaign: str, attempt: ReadAttempt) -> dict[str, Any]:
    """The columns with which every row begins."""
    protocol = attempt.form.protocol
    condition = {"condition": condition_of(protocol.name, attempt.head.setting)}
    return {
        "campaign": campaign,
        "task": attempt.head.task,
        "annotator": attempt.name,
        "attempt": attempt.head.id,
        "status": attempt.state.status,
        "outcome": attempt.state.outcome,
        **(condition if protocol.study.conditions else {}),
    }


def _attempt(attempt: ReadAttempt) -> dict[str, Any]:
    state = attempt.state
    return {
        "answer": submitted_answer(state, attempt.form.protocol),
        "citations": [{"document": c.document, "page": c.page} for c in state.citations],
        "question": state.question_text,
        "skip_reason": state.skip_reason,
        "flag": state.flag,
        "note": state.note,
        "started_at": state.started_at,
        "updated_at": state.updated_at,
        "work_ms": state.work_ms,
    }


def field_values(attempt: ReadAttempt) -> list[dict[str, Any]]:
    """The values that count, in the order of the protocol's fields and their targets."""
    rows = []
    for spec in attempt.form.protocol.fields:
        if spec.kind == "records":
            continue
        for target in attempt.form.targets(spec):
            value = attempt.form.value(spec, target)
            if value is not None:
                rows.append(_value(attempt, spec, target, value))
    return rows


def _value(
    attempt: ReadAttempt, spec: FieldSpec, target: Target, value: PresentValue
) -> dict[str, Any]:
    values = list(value) if isinstance(value, tuple) else [as_text(value)]
    option = spec.option(value)
    implied = is_implied(attempt, spec, target)
    event = None if implied else attempt.event(_seq(attempt, spec, target))
    return {
        "scope": spec.scope,
        "document": target.document,
        "page": target.page,
        "box": target.box,
        "field": spec.name,
        "kind": spec.kind,
        "value": None if isinstance(value, tuple) else values[0],
        "values": values,
        "code": option.code if option is not None else None,
        "implied": implied,
        "set_at": event.server_ts if event else None,
        "elapsed_ms": event.elapsed_ms if event else None,
    }


def is_implied(attempt: ReadAttempt, spec: FieldSpec, target: Target) -> bool:
    """Whether a value counts without anyone having set it: the only option that is offered."""
    value, stored = attempt.form.value(spec, target), attempt.form.stored(spec, target)
    if isinstance(value, tuple) and isinstance(stored, tuple):
        return not set(value) & set(stored)
    return value != stored


def _seq(attempt: ReadAttempt, spec: FieldSpec, target: Target) -> int:
    """The event that set the value."""
    page_ref = (None, None) if target.box else (target.document, target.page)
    key = (spec.name, *page_ref, target.box)
    return next(v.seq for v in attempt.state.fields if (v.field, v.document, v.page, v.box) == key)


def record_rows(attempt: ReadAttempt) -> list[dict[str, Any]]:
    """The rows of all tables, deleted ones included; ``model`` holds a model's untouched cells."""
    rows = []
    for spec in attempt.form.protocol.fields:
        if spec.kind != "records":
            continue
        for target in attempt.form.targets(spec):
            for position, row in enumerate(attempt.form.rows(spec, target), start=1):
                rows.append(
                    {
                        "scope": spec.scope,
                        "document": target.document,
                        "page": target.page,
                        "box": target.box,
                        "field": spec.name,
                        "row": row.row,
                        "position": position,
                        "verdict": row_verdict(row),
                        "values": row.values,
                        "model": row.model,
                    }
                )
    return rows


def row_verdict(row: RecordRow) -> str:
    """``deleted``, ``added`` by the annotator, ``changed``, or ``given`` as the model had it."""
    if row.deleted:
        return "deleted"
    if row.model is None:
        return "added"
    return "given" if row.values == row.model else "changed"


def _box(source: Source, attempt: ReadAttempt, box: PageBox, order: int | None) -> dict[str, Any]:
    size = source.pages.size(box.document, box.page)
    return {
        "document": box.document,
        "page": box.page,
        "page_width": size.width if size else None,
        "page_height": size.height if size else None,
        "box": box.id,
        "rect": list(box.rect),
        "label": box.label,
        "content": box.content,
        "order": order,
        "attributes": box.attributes,
        "verdict": box.verdict,
        "differences": box.differences,
        "accepted": box.accepted,
        "deleted": box.deleted,
        "model": box.model.model_dump(mode="json") if box.model else None,
        "made_at": attempt.event(box.seq).server_ts,
    }
