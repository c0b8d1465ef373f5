"""Workspace, review and replay in another language: no English sentence is left on them."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path

import pytest
from babel.messages.pofile import read_po, write_po
from playwright.sync_api import BrowserContext, Locator, Page, expect

from pagetrail.app.workspace.payload import QUESTION_PREVIEW
from pagetrail.storage.database.workspace import Workspace
from scripts.extract_messages import POT
from tests.e2e.support import review_steps as reviewed
from tests.e2e.support import small_workspace as collection
from tests.e2e.support.review_steps import SECOND
from tests.e2e.support.screen import Screen, task_path
from tests.e2e.support.server_process import ServerProcess

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(
        sys.platform != "linux", reason="the server's languages are set as it forks"
    ),
]

_TEXTS = """root => {
  const attributes = ["aria-label", "aria-valuetext", "alt", "placeholder", "title"];
  const texts = [];
  const nodes = document.createTreeWalker(root, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
  for (let node = nodes.nextNode(); node; node = nodes.nextNode()) {
    if (node.nodeType === Node.ELEMENT_NODE)
      texts.push(...attributes.map((name) => node.getAttribute(name)));
    else if (node.textContent.trim() && !node.parentElement.closest("kbd, style, code"))
      texts.push(node.parentElement.textContent); // a sentence may have elements in it
  }
  return texts.filter(Boolean);
}"""
_TRANSLATED = re.compile(r"⟦[^⟦⟧]*⟧")
_DATA = re.compile(
    "|".join(
        map(
            re.escape,
            (
                *collection.QUESTIONS.values(),
                *(question[:QUESTION_PREVIEW] for question in collection.QUESTIONS.values()),
                collection.STUDY,
                collection.REPORT,
                collection.TURNED,
                "plain.pdf",
                "otters counted in spring: 42",
                "otters counted in autumn: 57",
                "most otters live in the Saale river",
                "otters otters method and thanks",
                "42 otters",
                "57 otters",
                collection.CAMPAIGN,
                "Aquarius",
                "Search and answer",
                "otters",
                # The two halves of a name that is cut in the middle.
                *collection.STUDY.split(),
                SECOND,
                *(name for name, _ in collection.PEOPLE),
            ),
        )
    )
)
"""What people wrote, and names of documents, people, campaigns and batches."""


@pytest.fixture
def server(workspace: Workspace, port: int, tmp_path: Path) -> Iterator[ServerProcess]:
    """A server whose German is the English sentence between brackets."""
    process = ServerProcess(workspace.root, port)
    process.locales = tmp_path / "locale"
    _write_pseudo_translation(process.locales / "de" / "LC_MESSAGES" / "pagetrail.po")
    with process:
        yield process
    assert "Traceback" not in process.log, process.log


def _write_pseudo_translation(path: Path) -> None:
    catalog = read_po(BytesIO(POT.read_bytes()), locale="de")
    for message in catalog:
        if isinstance(message.id, str):
            message.string = f"⟦{message.id}⟧" if message.id else ""
        else:
            message.string = tuple(f"⟦{form}⟧" for form in message.id)
    path.parent.mkdir(parents=True)
    with path.open("wb") as out:
        write_po(out, catalog)


@pytest.fixture
def open_page(
    new_context: Callable[..., BrowserContext], server: ServerProcess
) -> Callable[[str, str], Page]:
    """Signs a person in with a German browser and opens a path."""

    def sign_in(name: str, path: str) -> Page:
        page = new_context(locale="de-DE").new_page()
        Screen(page, server.url, lambda _: []).sign_in(name, path)
        return page

    return sign_in


def _untranslated(screen: Locator) -> list[str]:
    """Texts and names with words outside the brackets, apart from data."""
    untranslated = set()
    for text in screen.evaluate(_TEXTS):
        rest = _DATA.sub("", text)
        while _TRANSLATED.search(rest):
            rest = _TRANSLATED.sub("", rest)
        if re.search(r"[^\W\d_]{2,}", rest):
            untranslated.add(text.strip())
    return sorted(untranslated)


def test_the_workspace(open_page: Callable[[str, str], Page], workspace: Workspace) -> None:
    """Searching, reading and citing, and the dialogs before a task is left."""
    page = open_page("alma", task_path(collection.attempts(workspace, "alma")["q1"]))
    screen = page.locator(".pt")
    expect(page.get_by_test_id("connection")).to_have_text("⟦Online⟧")
    assert _untranslated(screen) == []
    page.get_by_test_id("search-input").fill("otters")
    page.get_by_test_id("search-run").click()
    page.get_by_test_id("result").first.click()
    expect(page.get_by_test_id("cite")).to_be_enabled()
    page.get_by_test_id("cite").click()
    expect(page.get_by_test_id("citation")).to_have_count(1)
    assert _untranslated(screen) == []
    for opener, dialog in (
        ("flag", "flag-dialog"),
        ("skip", "skip-dialog"),
        ("submit", "submit-dialog"),
    ):
        page.get_by_test_id(opener).click()
        expect(page.get_by_test_id(dialog)).to_be_visible()
        assert _untranslated(screen) == []
        page.keyboard.press("Escape")
        expect(page.get_by_test_id(dialog)).to_have_count(0)


def test_the_review(
    workspace: Workspace, new_context: Callable[..., BrowserContext], request: pytest.FixtureRequest
) -> None:
    """A task in conflict, and sending it back."""
    tasks = reviewed.plant(workspace)
    open_page = request.getfixturevalue("open_page")
    page = open_page("sven", f"/reviewing?task={tasks['q1']}")
    screen = page.locator(".pt")
    expect(page.get_by_test_id("matrix").get_by_test_id("part").first).to_be_visible()
    assert _untranslated(screen) == []


def test_the_replay(open_page: Callable[[str, str], Page], workspace: Workspace) -> None:
    """The events, the state that they lead to, and what plays them."""
    attempt = collection.attempts(workspace, "alma")["q1"]
    reviewed.submit_answer(workspace, "alma", "q1", "42 otters", (1, 2))
    page = open_page("sven", f"/trajectory?attempt={attempt}")
    screen = page.locator(".pt")
    expect(page.get_by_test_id("replay-time")).to_be_visible()
    assert _untranslated(screen) == []
