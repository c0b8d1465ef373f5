"""The message catalogue of screens and server, which is English only.

The English sentence is the key (gettext). Values are named placeholders in braces, so that a
translation can put them in another order. ``python -m scripts.extract_messages`` collects all
sentences in ``messages.pot``. Browser code gets its messages as JSON from its component.
"""

from __future__ import annotations

from gettext import NullTranslations

_TRANSLATIONS = NullTranslations()


def gettext(message: str, /, **values: object) -> str:
    """The sentence with the values in place of ``{name}``."""
    translated = _TRANSLATIONS.gettext(message)
    return translated.format(**values) if values else translated


def ngettext(singular: str, plural: str, number: int, /, **values: object) -> str:
    """The sentence for that number; ``{number}`` is the number, or the text passed for it."""
    translated = _TRANSLATIONS.ngettext(singular, plural, number)
    return translated.format(**{"number": number, **values})
