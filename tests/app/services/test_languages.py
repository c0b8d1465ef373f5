"""Languages: translations from files, the browser's choice, and its messages as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

import pytest
from starlette.testclient import TestClient
from streamlit.proto.ClientState_pb2 import ContextInfo
from streamlit.runtime.scriptrunner import RerunData

from pagetrail.annotation.messages import current_language, gettext, ngettext, use_translations
from pagetrail.app.server import session_runs
from pagetrail.app.server.session_runs import ChecksSession
from pagetrail.app.services import languages
from pagetrail.app.services.addresses import PREFIX
from scripts import extract_messages

_GERMAN = """
#: app/components/frontend/top_bar.tsx app/views/account.py
msgid "Sign out"
msgstr "Abmelden"

#: app/components/frontend/pages.ts
msgid "{number} page"
msgid_plural "{number} pages"
msgstr[0] "{number} Seite"
msgstr[1] "{number} Seiten"

#: app/static/login.html
msgid "Sign in"
msgstr "Anmelden <hier>"

#: app/views/account.py
msgid "New password"
msgstr "Neues Passwort"

#: app/components/frontend/pages.ts
#, fuzzy
msgid "Zoom in"
msgstr "Vergrößern?"

#: app/views/account.py
msgid "Signed in as {role}."
msgstr "Angemeldet als {rolle}."

#: app/views/account.py
msgid "Hello {name}"
msgstr "Hallo {name"
"""


@pytest.fixture
def german(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A German translation of a few messages, in place of the languages that there are."""
    monkeypatch.setattr(languages, "_LOCALES", tmp_path)
    monkeypatch.setattr(extract_messages, "LOCALES", tmp_path)
    _forget_languages()
    path = extract_messages.add_language("de", extract_messages.Catalog())
    path.write_text(path.read_text(encoding="utf-8") + _GERMAN, encoding="utf-8")
    yield path
    _forget_languages()


def _forget_languages() -> None:
    for function in (
        languages.languages,
        languages.translations,
        languages.preferred_language,
        languages.browser_messages,
        languages._catalog,
    ):
        function.cache_clear()


@pytest.mark.usefixtures("german")
def test_sentences_are_looked_up_when_they_are_shown() -> None:
    """Inside the block in German, outside in English; what has no translation stays English."""
    with use_translations(languages.translations("de")):
        assert current_language() == "de"
        assert gettext("Sign out") == "Abmelden"
        assert ngettext("{number} page", "{number} pages", 1) == "1 Seite"
        assert ngettext("{number} page", "{number} pages", 3) == "3 Seiten"
        assert gettext("Change password") == "Change password"
        assert gettext("Zoom in") == "Zoom in"
        assert gettext("") == ""
    assert current_language() == "en"
    assert gettext("Sign out") == "Sign out"


@pytest.mark.usefixtures("german")
def test_a_translation_with_other_placeholders_is_not_used() -> None:
    """A translator's mistake must not break a screen."""
    with use_translations(languages.translations("de")):
        assert gettext("Signed in as {role}.", role="admin") == "Signed in as admin."
        assert gettext("Hello {name}", name="Ada") == "Hello Ada"


@pytest.mark.usefixtures("german")
@pytest.mark.parametrize(
    ("accept_language", "language"),
    [
        ("de-CH,de;q=0.9,en;q=0.8", "de"),
        ("en-US,en;q=0.9,de;q=0.8", "en"),
        ("en;q=0.2,de;q=0.7", "de"),
        ("fr,de;q=0.3", "de"),
        ("fr", "en"),
        ("", "en"),
        ("de;q=x,*;q=,\x00", "en"),
    ],
)
def test_a_browser_gets_its_first_language_that_there_is(
    accept_language: str, language: str
) -> None:
    """English where there is none of them, whatever the header says."""
    assert languages.preferred_language(accept_language) == language


@pytest.mark.usefixtures("german")
def test_the_browser_gets_its_part_with_plural_forms_by_category() -> None:
    """Only messages of TypeScript that are translated; English has none."""
    assert languages.browser_messages("de") == {
        "language": "de",
        "messages": {
            "Sign out": "Abmelden",
            "{number} page": {"one": "{number} Seite", "other": "{number} Seiten"},
        },
    }
    assert languages.browser_messages("en") == {"language": "en", "messages": {}}


@pytest.mark.usefixtures("german")
@pytest.mark.parametrize(
    ("language", "forms"),
    [("pl", {"one": 0, "few": 1, "many": 2}), ("ja", {"other": 0}), ("pt_BR", {"one": 0})],
)
def test_plural_categories_are_those_of_the_browser(language: str, forms: dict[str, int]) -> None:
    """The form of every category that whole numbers have, by gettext's index."""
    extract_messages.add_language(language, extract_messages.Catalog())
    categories = languages._plural_categories(language)
    assert {name: categories[name] for name in forms} == forms


def test_updating_keeps_translations_and_drops_messages_that_are_gone(german: Path) -> None:
    """A new template reaches the file; the translator's work stays."""
    template = extract_messages.Catalog()
    template.add("Sign out", locations=[("app/views/account.py", 1)])
    template.add("Sign in", locations=[("app/static/login.html", 1)])
    text = extract_messages.updated_translations(template)[german].decode()
    assert 'msgstr "Abmelden"' in text and 'msgid "Sign in"' in text
    assert "Neues Passwort" not in text


@pytest.mark.parametrize("suffix", [".ts", ".tsx"])
def test_messages_of_typescript_are_extracted(tmp_path: Path, suffix: str) -> None:
    """``t`` and ``tn`` with values, generics, types, templates and, in tsx, elements."""
    source = tmp_path / f"module{suffix}"
    element = "const row = <p title={t('Page')}>{t(\"Cited {page}\", { page })}</p>;\n"
    source.write_text(
        "import { t, tn } from './messages';\n"
        "export const pages = new Map<string, Array<number>>();\n"
        "function label(count: number): string {\n"
        "  return count ? tn('{number} page', '{number} pages', count) : t(\"No page\");\n"
        "}\n"
        "const text = t(`Don't leave`);\n"
        "const both = t('One sentence, ' +\n  'two lines');\n"
        "const ratio = pages.size / 2; // t('not this')\n" + (element if suffix == ".tsx" else ""),
        encoding="utf-8",
    )
    messages = {message for _, message, _, _ in extract_messages._browser_messages(source)}
    expected = {("{number} page", "{number} pages"), "No page", "Don't leave"}
    if suffix == ".tsx":
        expected |= {"Page", "Cited {page}"}
    assert expected <= messages
    assert "not this" not in messages
    assert "One sentence, two lines" in messages


@pytest.mark.usefixtures("german")
def test_pages_are_in_the_language_of_the_browser(server_client: TestClient) -> None:
    """Texts are escaped, what has no translation is English, and the page names its language."""
    page = server_client.get(f"{PREFIX}/login", headers={"accept-language": "de-AT,de;q=0.9"}).text
    assert '<html lang="de">' in page
    assert '<button type="submit">Anmelden &lt;hier&gt;</button>' in page
    assert ">Password</label>" in page
    page = server_client.get(f"{PREFIX}/login", headers={"accept-language": "fr"}).text
    assert '<html lang="en">' in page and ">Sign in</button>" in page


class _Script:
    """In place of Streamlit's runner: notes the language of a run."""

    language = ""

    def _run_script(self, _rerun_data: RerunData) -> None:
        self.language = current_language()


class _Run(ChecksSession, _Script):
    _user_info: ClassVar[dict[str, str]] = {}


@pytest.mark.usefixtures("german", "services")
@pytest.mark.parametrize(("locale", "language"), [("de-CH", "de"), ("en-GB", "en"), ("", "en")])
def test_screens_run_in_the_language_of_the_browser(
    monkeypatch: pytest.MonkeyPatch, locale: str, language: str
) -> None:
    """Set for the run and not afterwards."""
    monkeypatch.setattr(session_runs, "may_run", lambda _user_info: True)
    run = _Run()
    run._run_script(RerunData(context_info=ContextInfo(locale=locale) if locale else None))
    assert run.language == language
    assert current_language() == "en"
