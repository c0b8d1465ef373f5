"""Texts of presets are shown in the reader's language; what authors wrote stays as it is."""

from __future__ import annotations

import pytest

from pagetrail.annotation.messages import gettext, use_translations
from pagetrail.annotation.protocols.preset_texts import (
    guidelines_messages,
    preset_texts,
    translate_guidelines,
    translated_json,
)
from pagetrail.annotation.protocols.protocol import (
    campaign_guidelines,
    guidelines,
    guidelines_names,
    preset,
    preset_names,
    with_overrides,
)
from pagetrail.app.services.languages import translations

SAME_IN_GERMAN = {"Format", "Navigation", "Original", "Position", "Text"}
SAME_LINES = {"3. Markdown", "Markdown", "4. Text", "Text"}


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
    labels = values["boxes"]["labels"]
    assert [(label["name"], label["title"]) for label in labels][:2] == [
        ("Text", "Text"),
        ("Table", "Tabelle"),
    ]


def test_box_labels_and_choices_of_tables_keep_their_stored_names() -> None:
    """The translation is added; an option is matched with boxes by the stored name of its label."""
    with use_translations(translations("de")):
        relevance, chart = (
            translated_json(preset("relevance")),
            translated_json(preset("verify_chart")),
        )
    modalities = next(field for field in relevance["fields"] if field["name"] == "modalities")
    table = next(option for option in modalities["options"] if option["value"] == "table")
    assert (table["label"], table["box_label"]) == ("Tabelle", "Table")
    columns = {column["name"]: column for field in chart["fields"] for column in field["columns"]}
    assert columns["verdict"]["options"] == ["right", "corrected"]
    assert columns["verdict"]["option_titles"] == {"right": "richtig", "corrected": "korrigiert"}


@pytest.mark.parametrize("name", guidelines_names())
def test_guidelines_are_in_german(name: str) -> None:
    """Each line that is not the same in German has a translation, with its keys and columns."""
    with use_translations(translations("de")):
        for line in guidelines_messages(name):
            translated = gettext(line)
            assert translated != line or line in SAME_LINES, line
            assert translated.count("|") == line.count("|"), line
        assert translate_guidelines(guidelines(name)) != guidelines(name)


def test_guidelines_are_translated_unless_somebody_changed_them() -> None:
    """Those of a pilot have a part of their own; what was added stays as it was written."""
    pilot = campaign_guidelines(with_overrides(preset("search"), {"pilot.enabled": True}))
    changed = guidelines("search").replace("How to answer", "How we answer")
    with use_translations(translations("de")):
        translated = translate_guidelines(pilot)
        assert translated.startswith("# So beantworten Sie Fragen\n")
        assert "## Dies ist ein Pilot" in translated
        assert translate_guidelines(changed) == changed
        added = translate_guidelines(f"{guidelines('oracle')}\nAsk Sofia.")
        assert added.startswith("# So antworten Sie") and added.endswith("\nAsk Sofia.")
    assert translate_guidelines(pilot) == pilot


def test_a_protocol_of_ones_own_is_not_translated() -> None:
    """Not even where a text happens to be one of a preset."""
    protocol = preset("relevance").model_copy(update={"name": "ours"})
    english = translated_json(protocol)
    with use_translations(translations("de")):
        assert translated_json(protocol) == english


def test_english_readers_get_the_protocol_as_it_is() -> None:
    """Nothing changes without translations, and what is added says the same."""
    values = translated_json(preset("relevance"))
    for label in values["boxes"]["labels"]:
        assert label.pop("title") == label["name"]
    for field in values["fields"]:
        for option in field["options"] if field["matches_boxes"] else ():
            assert option.pop("box_label") == option["label"]
    assert values == preset("relevance").model_dump(mode="json")
