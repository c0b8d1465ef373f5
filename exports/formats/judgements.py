"""Judgements of predicted answers, with the systems that made them: only here are they named.

``judgements.jsonl`` has one row per prediction and annotator. ``question_id`` is the question that
predictions of several systems share, ``task`` the task of one prediction; ``code`` is the verdict's
number (1 correct, 0.5 partial, 0 incorrect in the preset).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pagetrail.annotation.protocols.fields import FieldSpec
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.annotation.tasks.blinding import question_of
from pagetrail.exports.formats.export_format import Format
from pagetrail.exports.reading.attempts import Work, by_people
from pagetrail.exports.reading.source import Source, Written
from pagetrail.exports.reading.values import plain
from pagetrail.exports.writing.file_formats import JsonLines

FILE = "judgements.jsonl"


def write(source: Source, folder: Path) -> Written:
    """Write the judgements of all submitted attempts."""
    written = Written(counts={"rows": 0, "systems": 0, "annotators": 0})
    systems, annotators = set(), set()
    verdict = verdict_field(source.campaign.protocol)
    with JsonLines(folder / FILE) as lines:
        for work in by_people(source, written):
            if work.head.record.get("prediction") is None or verdict is None:
                written.leave_out("attempt", "nothing_judged", work.head.id)
                continue
            row = _judgement_row(work, verdict)
            lines.write(row)
            systems.add(row["system"])
            annotators.add(work.name)
        written.rows[FILE] = lines.rows
    written.counts = {
        "rows": lines.rows,
        "systems": len(systems),
        "annotators": len(annotators),
    }
    return written


FORMAT = Format(
    name="judgements",
    summary="verdicts on predicted answers, with the systems that made them",
    purpose="verdicts on predicted answers; the only format that names the systems",
    applies_to="judging of answers",
    write=write,
)


def verdict_field(protocol: Protocol) -> FieldSpec | None:
    """The field that is the judge's verdict: ``verdict``, or the first ordinal one of the task."""
    specs = protocol.scoped("task")
    named = [spec for spec in specs if spec.name == "verdict"]
    return next(iter([*named, *(spec for spec in specs if spec.kind == "ordinal")]), None)


def _judgement_row(work: Work, verdict: FieldSpec) -> dict[str, Any]:
    record, form = work.head.record, work.form
    prediction = record["prediction"]
    made = prediction if isinstance(prediction, dict) else {"answer": prediction}
    value = form.value(verdict)
    option = verdict.option(value)
    others = [s for s in form.protocol.scoped("task") if s.kind != "records" and s != verdict]
    values = {spec.name: plain(form.value(spec)) for spec in others}
    return {
        "question_id": question_of(work.head.task),
        "task": work.head.task,
        "question": record.get("question"),
        "system": made.get("system"),
        "predicted_answer": made.get("answer"),
        "verdict": plain(value),
        "code": option.code if option else None,
        "issue": values.pop("issue", None),
        "fields": values,
        "annotator": work.name,
        "attempt": work.head.id,
        "submitted_at": work.submitted_at,
    }
