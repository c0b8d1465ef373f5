"""The gold of a task as one more submission, to be compared like a person's.

It counts as it is stated: a value does so whether or not the gold also states what its field
depends on, and what the gold leaves open is compared with nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from pagetrail.annotation.answers.question import NO_QUESTION, Question
from pagetrail.annotation.attempts.boxes import Boxes, PageBox
from pagetrail.annotation.attempts.form_state import FieldValue, RecordRow
from pagetrail.annotation.attempts.forms import TASK, Form, Target
from pagetrail.annotation.attempts.page_state import Citation
from pagetrail.annotation.attempts.state import AttemptState
from pagetrail.annotation.attempts.submission import Submission
from pagetrail.annotation.events.work import Outcome
from pagetrail.annotation.protocols.fields import FieldSpec, Value
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.annotation.tables.grid import Grid
from pagetrail.annotation.tasks.gold import Gold, gold_of, gold_rows, gold_value
from pagetrail.annotation.tasks.task import question_of


@dataclass(frozen=True)
class GoldSubmission(Submission):
    """Gold in the shape of a submission.

    Attributes:
        gold: of fields, pages and boxes, as the task's record has it.
        variants: accepted answers.
        question: of the task, as its answers are compared.
    """

    gold: Gold = field(default_factory=Gold)
    variants: tuple[tuple[str, ...], ...] = ()
    question: Question = NO_QUESTION

    @property
    def accepted(self) -> tuple[tuple[str, ...], ...]:
        """The accepted answers; none where the gold says nothing, or that there is none."""
        return self.variants

    @property
    def transcript(self) -> str | None:
        """The text of the page as it is stated."""
        return self.gold.transcript

    @cached_property
    def tables(self) -> dict[str, Grid]:
        """The tables that are stated, by id."""
        return {table.id: table.grid for table in self.gold.tables or ()}

    @property
    def boxes(self) -> tuple[PageBox, ...]:
        """The boxes as they are stated."""
        return self.form.state.boxes.boxes

    def states(self, part: Literal["answer", "evidence", "boxes"]) -> bool:
        """Whether the gold says anything of the part; where it ends the task, of none."""
        stated_parts = {
            "answer": bool(self.variants),
            "evidence": bool(self.form.state.citations),
            "boxes": self.gold.boxes is not None,
        }
        return stated_parts[part] and not self.form.ended

    def targets(self, spec: FieldSpec) -> list[Target]:
        """What the gold states the field of."""
        if self.form.ended and not self.form.is_asked(spec, TASK):
            return []
        if spec.scope == "task":
            return [TASK] if spec.name in self.gold.fields else []
        pages = self.gold.pages if spec.scope == "page" else ()
        return [Target(*page.key) for page in pages if spec.name in page.fields]

    def value(self, spec: FieldSpec, target: Target) -> Value:
        """The value as it is stated."""
        return self.form.stored(spec, target)


def gold_submission(protocol: Protocol, record: dict[str, Any]) -> GoldSubmission:
    """The gold in a task's record, read under this protocol.

    The pages that its fields are asked of are those that have gold of their own. An unanswerable
    task has no evidence.

    Raises:
        ValueError: the gold is not of its form; the importer lets no such record in.
    """
    gold = gold_of(record)
    variants = () if record.get("unanswerable") else record.get("answer_variants") or ()
    outcome: Outcome | None = "answered" if variants else None
    if record.get("unanswerable"):
        outcome = "unanswerable" if protocol.answer.unanswerable else "not_found"
    state = AttemptState(
        outcome=outcome,
        citations=() if record.get("unanswerable") else _evidence(record),
        fields=_gold_field_values(protocol, gold),
        rows=tuple(
            RecordRow(field=name, row=str(number), values=values, seq=0)
            for name, value in gold.fields.items()
            if (spec := protocol.field(name)) and spec.kind == "records"
            for number, values in enumerate(gold_rows(value))
        ),
        boxes=Boxes(
            boxes=tuple(
                PageBox(
                    id=f"gold{number}",
                    document=box.document,
                    page=box.page,
                    rect=box.rect,
                    label=box.label,
                    seq=0,
                )
                for number, box in enumerate(gold.boxes or ())
            )
        ),
    )
    return GoldSubmission(
        Form(protocol, state, [page.key for page in gold.pages]),
        name="gold",
        gold=gold,
        variants=tuple(tuple(variant) for variant in variants),
        question=question_of(record, protocol.answer),
    )


def _evidence(record: dict[str, Any]) -> tuple[Citation, ...]:
    pages = [(str(p["document"]), int(p["page"])) for p in record.get("evidence") or []]
    return tuple(Citation(document=name, page=page, seq=0) for name, page in dict.fromkeys(pages))


def _gold_field_values(protocol: Protocol, gold: Gold) -> tuple[FieldValue, ...]:
    stated_fields = [
        (None, None, gold.fields),
        *((p.document, p.page, p.fields) for p in gold.pages),
    ]
    return tuple(
        FieldValue(field=name, document=document, page=page, value=gold_value(spec, value), seq=0)
        for document, page, values in stated_fields
        for name, value in values.items()
        if (spec := protocol.field(name)) and spec.kind != "records"
    )
