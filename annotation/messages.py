"""Translates the sentences that people see; the English sentence is the key (gettext).

``gettext`` and ``ngettext`` look a sentence up when it is shown, in the language of the current
request or screen run, which ``use_translations`` sets. Constants are made at import, before there
is a language: mark them with ``N_`` and pass them to ``gettext`` where they are shown.

Values are named placeholders in braces, so that a translator can reorder them. The command line,
logs, stored data and exported files stay English: nothing sets a language for them.
``python -m scripts.extract_messages`` collects all messages in ``app/locale/pagetrail.pot``.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from gettext import NullTranslations

_TRANSLATIONS: ContextVar[NullTranslations] = ContextVar(
    "translations",
    default=NullTranslations(),  # noqa: B039  never changed
)


def gettext(message: str, /, **values: object) -> str:
    """The sentence with the values in place of ``{name}``."""
    translated = _TRANSLATIONS.get().gettext(message) if message else ""
    return translated.format(**values) if values else translated


def ngettext(singular: str, plural: str, number: int, /, **values: object) -> str:
    """The sentence for that number; ``{number}`` is the number, or the text passed for it."""
    translated = _TRANSLATIONS.get().ngettext(singular, plural, number)
    return translated.format(**{"number": number, **values})


def N_(message: str, /) -> str:
    """Mark a constant for the catalogue; translated with ``gettext`` where it is shown."""
    return message


def current_language() -> str:
    """The language's code, such as ``de`` or ``pt_BR``."""
    return _TRANSLATIONS.get().info().get("language") or "en"


@contextmanager
def use_translations(translations: NullTranslations) -> Iterator[None]:
    """Translate with these until the block ends; other threads and requests are not affected."""
    token = _TRANSLATIONS.set(translations)
    try:
        yield
    finally:
        _TRANSLATIONS.reset(token)
