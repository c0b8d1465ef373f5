"""Texts of presets are shown in the reader's language; what authors wrote stays as it is."""

from __future__ import annotations

import pytest

from pagetrail.annotation.messages import gettext, use_translations
from pagetrail.annotation.protocols.preset_texts import preset_texts, translated_json
from pagetrail.annotation.protocols.protocol import preset, preset_names, with_overrides
from pagetrail.app.services.languages import translations

SAME_IN_GERMAN = {"Format", "Navigation", "Original", "Position", "Text"}


@pytest.mark.parametrize("name", preset_names())
def test_every_text_of_a_preset_is_in_german(name: str) -> None:
    """Titles, labels and explanations."""
    with use_translations(translations("de")):
        untranslated = {text for text in preset_texts(name) if gettext(text) == text}
    assert untranslated <= SAME_IN_GERMAN


def test_only_unchanged_texts_are_translated() -> None:
    """A campaign's own title, label and option are shown as they were written."""
    protocol = with_overrides(
        preset("relevance"),
        {
            "title": "Questions",
            "fields.query_quality.label": "Rows and columns, judged",
            "fields.relevance.options.1.label": "Half of it",
        },
    )
    with use_translations(translations("de")):
        values = translated_json(protocol)
    quality, relevance = (
        next(field for field in values["fields"] if field["name"] == name)
        for name in ("query_quality", "relevance")
    )
    assert (values["title"], quality["label"]) == ("Questions", "Rows and columns, judged")
    assert quality["options"][0] == {**quality["options"][0], "value": "good", "label": "Gut"}
    assert [option["label"] for option in relevance["options"]] == [
        "Vollständig relevant",
        "Half of it",
        "Nicht relevant",
    ]
    assert [label["name"] for label in values["boxes"]["labels"]][:2] == ["Text", "Table"]


def test_a_protocol_of_ones_own_is_not_translated() -> None:
    """Not even where a text happens to be one of a preset."""
    protocol = preset("relevance").model_copy(update={"name": "ours"})
    with use_translations(translations("de")):
        assert translated_json(protocol) == protocol.model_dump(mode="json")


def test_english_readers_get_the_protocol_as_it_is() -> None:
    """Nothing changes without translations."""
    assert translated_json(preset("author")) == preset("author").model_dump(mode="json")
