"""Screens in another language: with a pseudo-translation, no English sentence is left."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextvars import ContextVar
from gettext import NullTranslations
from io import BytesIO
from typing import Any

import pytest
from babel.messages.pofile import read_po
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Dataframe

from pagetrail.annotation import messages
from pagetrail.app.services.composition import Services
from pagetrail.exports.run import FORMATS
from scripts.extract_messages import POT
from tests.app.planted_results import plant_answers
from tests.app.screens import at_screen

_TRANSLATED = re.compile(r"⟦[^⟦⟧]*⟧")
_SHOWN = frozenset({"label", "help", "body", "placeholder", "text", "delta", "options", "captions"})
"""Fields of Streamlit's elements that people read."""
_MARKUP = re.compile(r"<style>.*</style>|^content: |:material/\w+:|:\w+\[", re.DOTALL)
_DATA = re.compile(
    r"\b(alma|bruno|sven|Otters|given|Aquarius|kB|English|Deutsch|SVG|PNG|PDF|CSV|LaTeX|first|tfidf-words)\b|"
    rf"^(?:{'|'.join(FORMATS)}): $|Search and answer|Answer from the evidence pages|"
    r"What does report .*"
)
"""People, campaigns, batches, units, languages, formats, settings, questions, protocols' titles."""


class Pseudo(NullTranslations):
    """Wraps every message of the catalogue, so that what is outside it is seen."""

    def __init__(self) -> None:
        super().__init__()
        catalog = read_po(BytesIO(POT.read_bytes()))
        ids = (message.id for message in catalog)
        self._messages = {id_ if isinstance(id_, str) else id_[0] for id_ in ids}

    def gettext(self, message: str) -> str:
        """The message between brackets."""
        return f"⟦{message}⟧" if message in self._messages else message

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        """The form for the number between brackets."""
        form = msgid1 if n == 1 else msgid2
        return f"⟦{form}⟧" if msgid1 in self._messages else form


@pytest.fixture
def pseudo(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every run of a screen is in the pseudo-language."""
    translations = Pseudo()
    language: ContextVar[NullTranslations] = ContextVar("pseudo", default=translations)
    monkeypatch.setattr(messages, "_TRANSLATIONS", language)


def _untranslated(at: AppTest) -> list[str]:
    """Texts with words outside the brackets, apart from data."""
    untranslated = []
    for text in _texts(at):
        rest = text
        while _TRANSLATED.search(rest):
            rest = _TRANSLATED.sub("", rest)
        if re.search(r"[A-Za-z]{2,}", _DATA.sub("", _MARKUP.sub("", rest))):
            untranslated.append(text)
    return untranslated


def _texts(at: AppTest) -> Iterator[str]:
    for element in _elements(at._tree):
        if isinstance(element, Dataframe) and "-table-" in element.proto.id:
            yield from _cells(element)
        proto = getattr(element, "proto", None)
        if proto is not None:
            yield from _shown_fields(proto)


def _elements(node: Any) -> Iterator[Any]:
    for child in getattr(node, "children", {}).values():
        yield child
        yield from _elements(child)


def _shown_fields(proto: Any) -> Iterator[str]:
    for field, value in proto.ListFields():
        if field.name == "columns" and isinstance(value, str):
            for column in json.loads(value or "{}").values():
                yield from (column[key] for key in ("label", "help") if column and column.get(key))
        elif field.name == "spec" and isinstance(value, str):
            yield from _chart_titles(json.loads(value))
        elif field.name in _SHOWN:
            yield from [value] if isinstance(value, str) else map(str, value)


def _chart_titles(spec: Any) -> Iterator[str]:
    """Titles of a chart, its axes, legends and tooltips."""
    if isinstance(spec, dict):
        title = spec.get("title")
        text = title.get("text") if isinstance(title, dict) else title
        if text:
            yield " ".join(text) if isinstance(text, list) else str(text)
        for part in spec.values():
            yield from _chart_titles(part)
    elif isinstance(spec, list):
        for part in spec:
            yield from _chart_titles(part)


def _cells(element: Any) -> Iterator[str]:
    """Words in the table of a report, below headings that are tested with it."""
    frame = element.value
    for column in frame.select_dtypes(exclude="number"):
        yield from (cell for cell in frame[column] if isinstance(cell, str))


@pytest.mark.usefixtures("pseudo")
@pytest.mark.parametrize(
    ("person", "screen"),
    [
        ("alma", "batches"),
        ("alma", "account"),
        ("sven", "progress"),
        ("sven", "review"),
        ("sven", "trajectory"),
        ("sven", "pilots"),
        ("sven", "results"),
    ],
)
def test_a_screen_has_no_english_sentence(
    services: Services, monkeypatch: pytest.MonkeyPatch, person: str, screen: str
) -> None:
    """Names, numbers and what people wrote stay."""
    plant_answers(services)
    at = at_screen(services, person, monkeypatch, screen).run()
    assert not at.exception
    assert _untranslated(at) == []


@pytest.mark.usefixtures("pseudo")
@pytest.mark.parametrize(
    "part", ["Setup", "People", "Campaigns", "Batches", "Collection", "Exports"]
)
def test_administration_has_no_english_sentence(
    services: Services, monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    """Each of its sections."""
    at = at_screen(services, "sven", monkeypatch, "administration").run()
    at.session_state["part"] = part
    at = at.run()
    assert not at.exception
    assert _untranslated(at) == []
