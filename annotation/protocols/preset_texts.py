"""Texts of presets, which belong to the product and are shown in the reader's language.

What the author of a campaign wrote is shown as it is, and stored values stay English.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from pagetrail.annotation.messages import current_language, gettext
from pagetrail.annotation.protocols.protocol import (
    Protocol,
    guidelines,
    guidelines_names,
    preset,
    preset_names,
)

_TEXT_KEYS = frozenset({"help", "label", "title"})
_LINE = re.compile(r"(?P<mark>(?:#{1,6} |[*-] |\d+\. )?)(?P<message>.*[A-Za-z].*)")
"""A line of guidelines with its Markdown mark; lines without letters have nothing to translate."""


@cache
def preset_texts(name: str) -> frozenset[str]:
    """The titles, labels, choices and explanations of a preset; empty for one's own protocol."""
    if name not in preset_names():
        return frozenset()
    return frozenset(_texts(preset(name).model_dump(mode="json")))


def translate_preset_text(name: str, text: str) -> str:
    """A text of the protocol of that name, translated if the preset has it too."""
    return gettext(text) if text in preset_texts(name) else text


def translated_json(protocol: Protocol) -> dict[str, Any]:
    """The protocol as JSON values with the texts that are unchanged from its preset translated.

    Stored values keep their names; where these are shown, the translation is added: ``title`` of a
    box label, ``option_titles`` of a column. An option that stands for boxes keeps its label as
    ``box_label``, by which it is matched with them.
    """
    values: dict[str, Any] = protocol.model_dump(mode="json")
    for spec in values["fields"]:
        if spec["matches_boxes"]:
            for option in spec["options"]:
                option["box_label"] = option["label"]
    for entry in _entries(values):
        for key in _TEXT_KEYS & entry.keys():
            entry[key] = translate_preset_text(protocol.name, entry[key])
    for label in values["boxes"]["labels"]:
        label["title"] = translate_preset_text(protocol.name, label["name"])
    for column in _columns(values):
        column["option_titles"] = {
            option: translate_preset_text(protocol.name, option) for option in column["options"]
        }
    return values


def translate_guidelines(text: str) -> str:
    """Guidelines with the pages that are Pagetrail's own translated, and all else as written.

    A page that the author of the campaign has changed is not translated.
    """
    if current_language() == "en":
        return text
    for name in guidelines_names():
        page = guidelines(name).strip()
        text = text.replace(page, "\n".join(map(_translate_line, page.splitlines())))
    return text


def guidelines_messages(name: str) -> Iterator[str]:
    """The lines of a page of guidelines that are to be translated, without their marks."""
    for line in guidelines(name).splitlines():
        if match := _LINE.fullmatch(line):
            yield match["message"]


def _translate_line(line: str) -> str:
    match = _LINE.fullmatch(line)
    if match is None:
        return line
    mark, message = match.groups()
    return mark + gettext(message)


def _texts(values: Mapping[str, Any]) -> Iterator[str]:
    for entry in _entries(values):
        for key in _TEXT_KEYS & entry.keys():
            if isinstance(entry[key], str) and entry[key]:
                yield entry[key]
    for label in values["boxes"]["labels"]:
        yield label["name"]
    for column in _columns(values):
        yield from column["options"]


def _columns(values: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for spec in values["fields"]:
        yield from spec["columns"]


def _entries(node: Any) -> Iterator[dict[str, Any]]:
    """All tables at any depth."""
    if isinstance(node, dict):
        yield node
        for child in node.values():
            yield from _entries(child)
    elif isinstance(node, list):
        for child in node:
            yield from _entries(child)
