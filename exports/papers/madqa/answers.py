"""People's answers as text, with question and gold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pagetrail.annotation.metrics.correctness import Rule
from pagetrail.exports.gold.adjudicated_gold import RecordOf, records_of_tasks
from pagetrail.exports.reading.source import Source
from pagetrail.exports.reports.metrics.input_rows import Gold
from pagetrail.exports.reports.per_task.reading import measured_attempts
from pagetrail.storage.people.system_roles import SYSTEM
from pagetrail.storage.snapshot.rows import AttemptHead

_SEPARATOR = "; "


@dataclass(frozen=True)
class Texts:
    """Question, first accepted answer and submitted answer; lists joined in one line."""

    question: str
    gold: str
    answer: str


Answers = Mapping[str, Texts]
"""Texts by attempt."""


def people_answers(sources: Sequence[Source], rule: Rule, gold: Gold) -> Answers:
    """The submitted answers of people, with the gold that counts."""
    texts: dict[str, Texts] = {}
    for source in sources:
        records = records_of_tasks(source, adjudicated=gold == "adjudicated")

        def record_of(head: AttemptHead, stored_record_of: RecordOf = records) -> dict[str, Any]:
            return stored_record_of(head.task, head.record)

        for head, measured_attempt in measured_attempts(source, rule, gold, record_of):
            if head.role != SYSTEM and measured_attempt.status == "submitted":
                record = record_of(head)
                texts[head.id] = Texts(
                    question=str(record.get("question") or ""),
                    gold=_joined(next(iter(record.get("answer_variants") or ()), ())),
                    answer=_SEPARATOR.join(measured_attempt.answer),
                )
    return texts


def _joined(variant: object) -> str:
    return _SEPARATOR.join(map(str, variant)) if isinstance(variant, list | tuple) else str(variant)
