"""The translations of every language, held to the template: what a translator can get wrong."""

from __future__ import annotations

import sys
from io import BytesIO
from string import Formatter

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po

from pagetrail.annotation.messages import use_translations
from pagetrail.annotation.protocols.personal_keys import (
    changeable_keys,
    parse_press,
    press_name,
    press_text,
)
from pagetrail.app.services.languages import languages, translations
from scripts.extract_messages import LOCALES, POT

MAX_UNTRANSLATED = 0.1
"""Share of the messages that may be English; a new sentence need not wait for its translation."""

LANGUAGES = languages()[1:]


def _texts(message: Message) -> tuple[list[str], list[str]]:
    """The English forms and the translated ones, without those that are empty."""
    english = [message.id] if isinstance(message.id, str) else list(message.id)
    forms = [message.string] if isinstance(message.string, str) else list(message.string or ())
    return english, [form for form in forms if form]


def _placeholders(text: str) -> set[tuple[str, str, str]]:
    """Name, format and conversion of each."""
    return {
        (name, spec or "", conversion or "")
        for _, name, spec, conversion in Formatter().parse(text)
        if name is not None
    }


def _space_around(text: str) -> tuple[bool, bool]:
    return text != text.lstrip(), text != text.rstrip()


def _catalog(language: str) -> Catalog:
    po = LOCALES / language / "LC_MESSAGES" / "pagetrail.po"
    return read_po(BytesIO(po.read_bytes()), locale=language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_has_the_messages_of_the_template(language: str) -> None:
    """None more or fewer, and none marked fuzzy, which nobody would see."""
    template = read_po(BytesIO(POT.read_bytes()))
    catalog = _catalog(language)
    assert {message.id for message in catalog} == {message.id for message in template}
    assert not catalog.obsolete
    assert [message.id for message in catalog if message.id and message.fuzzy] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_translations_have_the_placeholders_of_the_english(language: str) -> None:
    """All of them, formatted alike; the form for one thing may leave the number out."""
    wrong = []
    for message in _catalog(language):
        english, translated = _texts(message)
        if not message.id or not translated:
            continue
        expected = set().union(*map(_placeholders, english))
        optional = {placeholder for placeholder in expected if len(english) > 1}
        for form in translated:
            placeholders = _placeholders(form)
            if not expected - optional <= placeholders <= expected:
                wrong.append((message.id, form))
    assert wrong == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_plurals_have_all_forms_of_the_language(language: str) -> None:
    """Or none, where the message is not translated."""
    catalog = _catalog(language)
    plurals = [message for message in catalog if message.id and not isinstance(message.id, str)]
    assert plurals
    forms = {message.id: len(_texts(message)[1]) for message in plurals}
    assert {id_: n for id_, n in forms.items() if n not in (0, catalog.num_plurals)} == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_translations_keep_the_space_around_a_text(language: str) -> None:
    """Otherwise words run together where texts are joined, such as options by " or "."""
    wrong = []
    for message in _catalog(language):
        english, translated = _texts(message)
        if message.id and any(
            _space_around(form) != _space_around(english[0]) for form in translated
        ):
            wrong.append(message.id)
    assert wrong == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_most_messages_are_translated(language: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The others are shown in English; their number is printed."""
    messages = [message for message in _catalog(language) if message.id]
    untranslated = [message for message in messages if not _texts(message)[1]]
    with capsys.disabled():
        sys.stdout.write(
            f"\n{language}: {len(untranslated):,} of {len(messages):,} messages are English\n"
        )
    assert len(untranslated) <= MAX_UNTRANSLATED * len(messages)


@pytest.mark.parametrize("typed", ["Strg+Umschalt+Entf", "ctrl+shift+del"])
def test_keys_have_german_names(typed: str) -> None:
    """They are printed and can be typed; what is stored is the same in every language."""
    (cite,) = (key for key in changeable_keys("Workspace", {}) if key.command == "cite")
    with use_translations(translations("de")):
        press = parse_press(typed, cite)
        assert press_name(press) == "Strg+Umschalt+Entf"
    assert press_text(press) == press_name(press) == "Ctrl+Shift+Del"
