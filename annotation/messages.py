"""Translates the sentences that people see; the English sentence is the key (gettext).

``gettext`` and ``ngettext`` look a sentence up when it is shown, in the language of the current
request or screen run, which ``use_translations`` sets. Constants are made at import, before there
is a language: mark them with ``N_`` and pass them to ``gettext`` where they are shown.

Values are named placeholders in braces, so that a translator can reorder them. The command line,
logs, stored data and exported files stay English: nothing sets a language for them. Reports are
computed once, in worker processes, for screens in any language and for files: ``lazy_gettext`` and
``lazy_ngettext`` make their sentences, which are English strings until a screen passes them to
``translate``.

``python -m scripts.extract_messages`` collects all messages in ``app/locale/pagetrail.pot``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from gettext import NullTranslations
from typing import Any

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


class Message(str):
    """An English sentence that remembers how to translate itself.

    It can be pickled and copied. Every operation of ``str`` gives an ordinary string, which has no
    translation: compose messages with placeholders and ``join_messages``.
    """

    _translate: Callable[[], str]

    @classmethod
    def _make(cls, english: str, translate_: Callable[[], str]) -> Message:
        message = cls(english)
        message._translate = translate_
        return message


def lazy_gettext(message: str, /, **values: object) -> str:
    """A ``Message``: ``gettext`` in English now and in the reader's language in ``translate``."""
    return Message._make(
        message.format(**values) if values else message, partial(_gettext_nested, message, values)
    )


def lazy_ngettext(singular: str, plural: str, number: int, /, **values: object) -> str:
    """A ``Message``: ``ngettext`` in English now and in the reader's language in ``translate``."""
    form = singular if number == 1 else plural
    return Message._make(
        form.format(**{"number": number, **values}),
        partial(_ngettext_nested, singular, plural, number, values),
    )


def join_messages(messages: Sequence[str], separator: str = " ") -> str:
    """A ``Message`` of whole sentences, or of the items of a list, one after the other."""
    return Message._make(separator.join(messages), partial(_joined, messages, separator))


def translate(text: str) -> str:
    """A message, or a constant marked with ``N_``, in the language of the reader."""
    return text._translate() if isinstance(text, Message) else gettext(text)


def translate_message(value: Any) -> Any:
    """A message in the language of the reader; any other value, such as a name, as it is."""
    return value._translate() if isinstance(value, Message) else value


def _gettext_nested(message: str, values: dict[str, object]) -> str:
    return gettext(message, **_translated_values(values))


def _ngettext_nested(singular: str, plural: str, number: int, values: dict[str, object]) -> str:
    return ngettext(singular, plural, number, **_translated_values(values))


def _joined(messages: Sequence[str], separator: str) -> str:
    return separator.join(map(translate_message, messages))


def _translated_values(values: dict[str, object]) -> dict[str, object]:
    return {name: translate_message(value) for name, value in values.items()}


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
