"""Judgements of predicted answers, with the systems that made them, which no other format names.

``judgements.jsonl`` has one row per prediction and annotator. ``question_id`` is the question that
predictions of several systems share, ``task`` the task of one prediction; ``code`` is the verdict's
number (1 correct, 0.5 partial, 0 incorrect in the preset). If the campaign's tasks were drawn with
``pagetrail sample``, each row has the ``stratum`` of its task and its ``inclusion_probability``.
``own_answer`` marks judgements of the annotator's own answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pagetrail.annotation.protocols.fields import FieldSpec
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.annotation.tasks.blind_judging import names_of_answers, question_of
from pagetrail.exports.formats.export_format import Format
from pagetrail.exports.reading.attempts import ReadAttempt, works_by_people
from pagetrail.exports.reading.source import Source, WrittenFiles
from pagetrail.exports.reading.values import json_value
from pagetrail.exports.writing.file_formats import JsonLines
from pagetrail.storage.snapshot.rows import AttemptHead

FILE = "judgements.jsonl"


def write(source: Source, folder: Path) -> WrittenFiles:
    """Write the judgements of all submitted attempts."""
    tally = WrittenFiles(counts={"rows": 0, "systems": 0, "annotators": 0})
    systems, annotators = set(), set()
    verdict = verdict_field(source.campaign.protocol)
    sample = source.database.sample(source.campaign.id)
    with JsonLines(folder / FILE) as lines:
        for attempt in works_by_people(source, tally):
            if attempt.head.record.get("prediction") is None or verdict is None:
                tally.leave_out("attempt", "nothing_judged", attempt.head.id)
                continue
            row = _judgement_row(attempt, verdict)
            if sample is not None:
                row |= sample.description(attempt.head.task)
            lines.write(row)
            systems.add(row["system"])
            annotators.add(attempt.name)
        tally.rows[FILE] = lines.rows
    tally.counts = {
        "rows": lines.rows,
        "systems": len(systems),
        "annotators": len(annotators),
    }
    return tally


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
    named_verdict = [spec for spec in specs if spec.name == "verdict"]
    return next(iter([*named_verdict, *(spec for spec in specs if spec.kind == "ordinal")]), None)


def is_own_answer(head: AttemptHead) -> bool:
    """Whether the attempt judges an answer of the person who made it."""
    author = prediction_of(head.record).get("system")
    return author in names_of_answers(head.user, head.pseudonym)


def prediction_of(record: Mapping[str, Any]) -> dict[str, Any]:
    """The answer that a task judges, and its system if the record names it."""
    prediction = record.get("prediction")
    return prediction if isinstance(prediction, dict) else {"answer": prediction}


def _judgement_row(attempt: ReadAttempt, verdict: FieldSpec) -> dict[str, Any]:
    record, form = attempt.head.record, attempt.form
    predicted = prediction_of(record)
    value = form.value(verdict)
    option = verdict.option(value)
    other_fields = [s for s in form.protocol.scoped("task") if s.kind != "records" and s != verdict]
    values = {spec.name: json_value(form.value(spec)) for spec in other_fields}
    return {
        "question_id": question_of(attempt.head.task),
        "task": attempt.head.task,
        "question": record.get("question"),
        "system": predicted.get("system"),
        "predicted_answer": predicted.get("answer"),
        "verdict": json_value(value),
        "code": option.code if option else None,
        "issue": values.pop("issue", None),
        "fields": values,
        "annotator": attempt.name,
        "attempt": attempt.head.id,
        "submitted_at": attempt.submitted_at,
        "own_answer": is_own_answer(attempt.head),
    }
