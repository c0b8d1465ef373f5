"""The parts of a task's record that annotators see besides the question; they see no others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from pagetrail.annotation.attempts.completeness import missing_fields
from pagetrail.annotation.attempts.forms import Form
from pagetrail.annotation.messages import gettext
from pagetrail.annotation.protocols.preset_texts import translate_preset_text
from pagetrail.annotation.tasks.drawn_requests import drawn_options
from pagetrail.annotation.tasks.variants import VARIANT


class ShownMaterial(BaseModel):
    """One piece of material.

    Attributes:
        lines: its text, one entry per answer or paragraph; empty while it is locked.
        waits_for: labels of the task fields that must be set before it is shown.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    source: str
    title: str
    lines: list[str] = Field(default_factory=list)
    waits_for: list[str] = Field(default_factory=list)


def material(form: Form, record: dict[str, Any], *, locks: bool = True) -> list[ShownMaterial]:
    """The material of a task in a state, in the protocol's order, without empty parts.

    Args:
        locks: whether some of it waits for fields to be set; a reviewer sees what annotators saw in
            the end.
    """
    parts = []
    for part in form.protocol.material:
        title = translate_preset_text(form.protocol.name, part.title)
        waits = unset_fields(form, part.after) if locks else []
        if waits:
            parts.append(ShownMaterial(source=part.source, title=title, waits_for=waits))
            continue
        lines = [line for line in _lines_of_source(part.source, record) if line.strip()]
        if lines:
            parts.append(ShownMaterial(source=part.source, title=title, lines=lines))
    return parts


def unset_fields(form: Form, names: Sequence[str]) -> list[str]:
    """Labels of the required task fields without a value."""
    missing = missing_fields(form, names)
    return [translate_preset_text(form.protocol.name, spec.label) for spec in missing]


def _lines_of_source(source: str, record: dict[str, Any]) -> list[str]:
    match source:
        case "response":
            response = record.get("response")
            return _lines_of_value(response) if response else _variants(record)[:1]
        case "gold_answers":
            if record.get("unanswerable"):
                return [gettext("Unanswerable: the documents do not hold the answer.")]
            return _variants(record)
        case "prediction":
            prediction = record.get("prediction")
            answer = prediction.get("answer") if isinstance(prediction, dict) else prediction
            return _lines_of_value(answer) or ["(no answer)"]
        case "summary" | "description" | "original":
            return _lines_of_value(record.get(source))
        case _:
            return _request(record)


def _variants(record: dict[str, Any]) -> list[str]:
    variants = record.get("answer_variants") or []
    return ["; ".join(map(str, v)) if isinstance(v, list) else str(v) for v in variants]


def _lines_of_value(value: Any) -> list[str]:
    if value is None:
        return []
    if isinstance(value, list):
        return [str(item) for item in value]
    return str(value).splitlines()


def _request(record: dict[str, Any]) -> list[str]:
    names = {
        VARIANT: "Variant",
        "query_type": "Type",
        "query_format": "Format",
        "language": "Language",
    }
    drawn = drawn_options(record)  # shown with the numbers of the campaign
    parts = []
    for key, name in names.items():
        value = record.get(key)
        if value and key not in drawn:
            text = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
            parts.append(f"{name}: {text}")
    return parts
