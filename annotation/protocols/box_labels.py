"""Other labels for a protocol's boxes, as changes that ``override`` takes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from pagetrail.annotation.protocols.fields import FieldSpec, Option
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.annotation.protocols.sections import BoxLabel

_MAX_VALUE = 60


def label_changes(protocol: Protocol, labels: Sequence[BoxLabel]) -> dict[str, Any]:
    """The settings to change, by dotted key, so that boxes have these labels.

    Fields that must match the boxes (``FieldSpec.matches_boxes``) get the same options: those of
    labels that are gone go, and new labels get one each, under the condition of the others.
    Options without a namesake among the labels of before stay.
    """
    changes: dict[str, Any] = {"boxes.labels": [label.model_dump() for label in labels]}
    before = {label.name.lower() for label in protocol.boxes.labels}
    for spec in protocol.fields:
        if spec.matches_boxes:
            options = _matching_options(spec, before, [label.name for label in labels])
            changes[f"fields.{spec.name}.options"] = [option.model_dump() for option in options]
    return changes


def _matching_options(spec: FieldSpec, before: set[str], names: Sequence[str]) -> list[Option]:
    options_by_label = {option.label.lower(): option for option in spec.options}
    model = next((option for option in spec.options if option.label.lower() in before), None)
    other_options = [option for option in spec.options if option.label.lower() not in before]
    values = {option.value for option in spec.options}
    options: list[Option] = []
    for name in names:
        option = options_by_label.get(name.lower())
        if option is None:
            value = _free_value(name, values)
            values.add(value)
            option = Option(value=value, label=name, when=model.when if model else None)
        options.append(option)
    return [*options, *(option for option in other_options if option not in options)]


def _free_value(name: str, used_values: set[str]) -> str:
    plain = re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")[:_MAX_VALUE] or "label"
    number, value = 1, plain
    while value in used_values:
        number += 1
        value = f"{plain}_{number}"
    return value
