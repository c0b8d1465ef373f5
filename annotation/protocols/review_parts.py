"""The parts in which people's work on a task is compared."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pagetrail.annotation.messages import N_
from pagetrail.annotation.protocols.fields import FieldSpec

if TYPE_CHECKING:
    from pagetrail.annotation.protocols.protocol import Protocol

PART_LABELS = {
    "question": N_("Question"),
    "outcome": N_("Outcome"),
    "answer": N_("Answer"),
    "evidence": N_("Evidence pages"),
    "transcript": N_("Text of the page"),
    "tables": N_("Tables"),
    "boxes": N_("Boxes"),
    "content": N_("Text of elements"),
    "order": N_("Reading order"),
}
"""What the parts besides fields are called."""


def is_remark(spec: FieldSpec) -> bool:
    """Whether a field holds comments, which may differ without disagreement."""
    return spec.kind == "text" and not spec.required


def review_parts(protocol: Protocol) -> dict[str, str]:
    """Every part in which two people's work can differ, in the screen's order: name → label."""
    is_asked = {
        "question": protocol.question.kind == "editable",
        "outcome": True,
        "answer": protocol.answer.kind != "off",
        "evidence": protocol.evidence.enabled,
        "transcript": protocol.transcript.enabled,
        "tables": protocol.tables.enabled,
    }
    box_parts = {
        "boxes": protocol.boxes.enabled,
        "content": protocol.boxes.enabled and protocol.boxes.content,
        "order": protocol.boxes.enabled and protocol.boxes.order,
    }
    fields = {spec.name: spec.label for spec in protocol.fields if not is_remark(spec)}
    return (
        {part: PART_LABELS[part] for part, is_asked in is_asked.items() if is_asked}
        | fields
        | {part: PART_LABELS[part] for part, is_drawn in box_parts.items() if is_drawn}
    )
