"""The languages of screens and pages, and which of them a browser gets.

A language is a file of translations, ``app/locale/<language>/LC_MESSAGES/pagetrail.po``; it is
compiled when it is first used. Sentences without a translation, or with one whose placeholders the
English sentence does not have, are English.
"""

from __future__ import annotations

import logging
from functools import cache, lru_cache
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from pathlib import Path
from string import Formatter
from typing import Any

from babel import Locale, negotiate_locale
from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

ENGLISH = "en"
_log = logging.getLogger("pagetrail.languages")
_LOCALES = Path(__file__).parents[1] / "locale"
_NUMBERS = (*range(201), 1_000_000)
"""Enough to meet every plural category that whole numbers have in some language."""


@cache
def languages() -> tuple[str, ...]:
    """Codes such as ``de`` or ``pt_BR``, English first."""
    return (ENGLISH, *sorted(path.parents[1].name for path in _LOCALES.glob(_po_file("*"))))


@cache
def translations(language: str) -> NullTranslations:
    """The translations, for ``annotation.messages.use_translations``."""
    if language == ENGLISH:
        return NullTranslations()
    compiled = BytesIO()
    write_mo(compiled, _catalog(language))
    compiled.seek(0)
    return GNUTranslations(compiled)


def chosen_language(preference: str, accept_language: str) -> str:
    """The language that an account prefers, or the browser's if there is no such language.

    Args:
        preference: empty for none.
        accept_language: as of ``preferred_language``.
    """
    return preference if preference in languages() else preferred_language(accept_language)


def own_name(language: str) -> str:
    """A language's name in itself, such as ``Deutsch``."""
    locale = Locale.parse(language)
    name = locale.get_display_name(locale) or language
    return name[:1].upper() + name[1:]


@lru_cache(maxsize=256)
def preferred_language(accept_language: str) -> str:
    """The language for a browser.

    Args:
        accept_language: the header of that name, or one language tag.
    """
    if len(languages()) == 1:
        return ENGLISH
    choices = []
    for choice in accept_language.split(","):
        tag, _, weight = choice.partition(";q=")
        try:
            choices.append((-float(weight or 1), tag.strip()))
        except ValueError:  # the header comes from outside
            continue
    tags = [tag for _, tag in sorted(choices, key=lambda choice: choice[0])]
    by_tag = {language.replace("_", "-"): language for language in languages()}
    return by_tag.get(negotiate_locale(tags, list(by_tag), sep="-") or "", ENGLISH)


@cache
def browser_messages(language: str) -> dict[str, Any]:
    """The messages of the browser code as JSON values.

    ``{"language": "de", "messages": {"Save": "Speichern", "{number} page": {"one":
    "{number} Seite", "other": "{number} Seiten"}}}``: translations by English sentence; where a
    number chooses the form, by the English singular and the category that ``Intl.PluralRules``
    gives. Placeholders are in braces. A message that is missing has no translation yet: the browser
    shows the English one, whose forms are ``one`` for 1 and ``other``. For English there are no
    messages.
    """
    if language == ENGLISH:
        return {"language": ENGLISH, "messages": {}}
    categories = _plural_categories(language)
    messages: dict[str, Any] = {}
    for message in _catalog(language):
        is_shown_in_browser = any(path.endswith((".ts", ".tsx")) for path, _ in message.locations)
        if not is_shown_in_browser or message.fuzzy or not message.string:
            continue
        if isinstance(message.id, str):
            messages[message.id] = message.string
        elif all(message.string):
            singular = message.id[0]
            forms = message.string
            messages[singular] = {name: forms[index] for name, index in categories.items()}
    return {"language": language.replace("_", "-"), "messages": messages}


def _plural_categories(language: str) -> dict[str, int]:
    """Index of the plural form by category of Unicode CLDR."""
    form_index = translations(language).plural  # type: ignore[attr-defined]
    category_of = Locale.parse(language).plural_form
    return {category_of(number): form_index(number) for number in reversed(_NUMBERS)}


@cache
def _catalog(language: str) -> Catalog:
    catalog = read_po(BytesIO((_LOCALES / _po_file(language)).read_bytes()), locale=language)
    for message in catalog:
        if wrong := wrong_placeholders(message):
            _log.warning(
                "%s: %r has placeholders that are not filled: %s", language, message.id, wrong
            )
            message.string = "" if isinstance(message.id, str) else ("",) * catalog.num_plurals
    return catalog


def wrong_placeholders(message: Message) -> list[str]:
    """Placeholders of a translation that the English sentence does not have."""
    english, translated = (
        [text] if isinstance(text, str) else list(text or ())
        for text in (message.id, message.string)
    )
    try:
        return sorted(_placeholders(translated) - _placeholders(english))
    except ValueError as error:  # braces that do not close
        return [str(error)]


def _placeholders(texts: list[str]) -> set[str]:
    return {name for text in texts for _, name, _, _ in Formatter().parse(text) if name is not None}


def _po_file(language: str) -> str:
    return f"{language}/LC_MESSAGES/pagetrail.po"
