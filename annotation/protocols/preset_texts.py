"""Texts of presets, which belong to the product and are shown in the reader's language.

What the author of a campaign wrote is shown as it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from pagetrail.annotation.messages import gettext
from pagetrail.annotation.protocols.protocol import Protocol, preset, preset_names

_TEXT_KEYS = frozenset({"help", "label", "title"})


@cache
def preset_texts(name: str) -> frozenset[str]:
    """The titles, labels and explanations of a preset; empty for a protocol of one's own."""
    if name not in preset_names():
        return frozenset()
    return frozenset(_texts(preset(name).model_dump(mode="json")))


def translate_preset_text(name: str, text: str) -> str:
    """A text of the protocol of that name, translated if the preset has it too."""
    return gettext(text) if text in preset_texts(name) else text


def translated_json(protocol: Protocol) -> dict[str, Any]:
    """The protocol as JSON values with the texts that are unchanged from its preset translated."""
    values: dict[str, Any] = protocol.model_dump(mode="json")
    for entry in _entries(values):
        for key in _TEXT_KEYS & entry.keys():
            entry[key] = translate_preset_text(protocol.name, entry[key])
    return values


def _texts(values: Mapping[str, Any]) -> Iterator[str]:
    for entry in _entries(values):
        for key in _TEXT_KEYS & entry.keys():
            if isinstance(entry[key], str) and entry[key]:
                yield entry[key]


def _entries(node: Any) -> Iterator[dict[str, Any]]:
    """All tables at any depth."""
    if isinstance(node, dict):
        yield node
        for child in node.values():
            yield from _entries(child)
    elif isinstance(node, list):
        for child in node:
            yield from _entries(child)
