"""The workspace screen as a test uses it: parts by test id, actions, and the stored events."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar
from urllib.parse import parse_qs, quote, urlsplit

from playwright.sync_api import (
    BrowserContext,
    ConsoleMessage,
    Dialog,
    Locator,
    Page,
    Response,
    WebError,
    expect,
)

from pagetrail.annotation.events import Event
from tests.e2e.support.browsers import wait_for
from tests.e2e.support.readiness import wait_until_judgeable
from tests.e2e.support.small_workspace import PASSWORD

PATIENCE_MS = 60_000
# A busy server refuses drawings first, and screens ask again; journeys wait for pages that matter.
_REFUSED_DRAWINGS = r"503 .*/pagetrail/page/"
T = TypeVar("T")


@dataclass
class Watch:
    """What went wrong in a browser: page errors, console errors, failed requests, dialogs."""

    problems: list[str] = field(default_factory=list)
    allowed: list[str] = field(default_factory=lambda: [_REFUSED_DRAWINGS])
    _pages: list[Page] = field(default_factory=list)

    def context(self, context: BrowserContext) -> None:
        """Listen to all future pages of a context."""
        context.on("page", self.page)
        context.on("weberror", self._page_error)

    def leave(self, context: BrowserContext) -> None:
        """Stop listening."""
        context.remove_listener("page", self.page)
        context.remove_listener("weberror", self._page_error)
        for page in self._pages:
            for event, listener in self._listeners:
                page.remove_listener(event, listener)  # type: ignore[arg-type]
        self._pages.clear()

    def page(self, page: Page) -> None:
        """Listen to a page."""
        self._pages.append(page)
        for event, listener in self._listeners:
            page.on(event, listener)  # type: ignore[call-overload]

    def allow(self, *patterns: str) -> None:
        """Allow problems that match these regular expressions."""
        self.allowed += patterns

    @property
    def _listeners(self) -> tuple[tuple[str, Callable[..., None]], ...]:
        listeners = (("console", self._console), ("response", self._response))
        return (*listeners, ("dialog", self._dialog))

    @property
    def unexpected(self) -> list[str]:
        """The problems that the test did not allow."""
        return [p for p in self.problems if not any(re.search(a, p) for a in self.allowed)]

    def _dialog(self, dialog: Dialog) -> None:
        self.problems.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def _page_error(self, error: WebError) -> None:
        self.problems.append(f"page error: {error.error}")

    def _console(self, message: ConsoleMessage) -> None:
        # Streamlit warns of each web socket that closes, as with a page that is left.
        is_closing = message.type == "warning" and message.text.startswith("WebSocket onclose")
        if message.type in ("error", "warning") and not is_closing:
            self.problems.append(f"console: {message.text} ({message.location.get('url', '')})")

    def _response(self, response: Response) -> None:
        if response.status >= 400:
            self.problems.append(f"{response.status} {response.request.method} {response.url}")


_TURNS = ("submitted", "skipped", "reopened")


class Screen:
    """One tab of one person.

    Args:
        page: the tab.
        url: the server's address without a slash at the end.
        events: returns an attempt's stored events.
    """

    def __init__(self, page: Page, url: str, events: Callable[[str], list[Event]]) -> None:
        self.page = page
        self.url = url
        self._events = events

    def part(self, testid: str) -> Locator:
        """A part of the screen."""
        return self.page.get_by_test_id(testid)

    def sign_in(self, name: str, path: str = "/") -> None:
        """Post what the sign-in form posts, and open ``path``; ``test_rights`` fills the form."""
        # A screen of somebody else would ask for their pages in the new person's name.
        self.page.goto("about:blank")
        reply = self.page.request.post(
            f"{self.url}/pagetrail/login",
            form={"name": name, "password": PASSWORD, "next": path},
            headers={"Origin": self.url},
            max_redirects=0,
            # The server may just be closing the idle connection that this uses; browsers ask again.
            max_retries=2,
        )
        assert reply.status == 303, reply.text()
        self.page.goto(f"{self.url}{path}")

    def open(self, attempt: str, *, document: str | None = None, page: int | None = None) -> None:
        """Open a task by its address, perhaps at a page."""
        self.page.goto(f"{self.url}{task_path(attempt, document, page)}")
        self.wait_until_ready()

    def go(self, attempt: str, *, document: str | None = None, page: int | None = None) -> None:
        """Go to another task as Back and Forward do, without loading the screen again.

        After a submission it is loaded: the screen may be about to go on by itself.
        """
        turns = [e.type for e in self._events(self.attempt) if e.type in _TURNS]
        if turns[-1:] not in ([], ["reopened"]):
            self.open(attempt, document=document, page=page)
            return
        self.page.evaluate(
            """(path) => {
              history.pushState({}, "", path);
              dispatchEvent(new PopStateEvent("popstate"));
            }""",
            task_path(attempt, document, page),
        )
        dot = f"[data-testid=task-dot][data-attempt='{attempt}'][aria-current=true]"
        expect(self.page.locator(dot)).to_be_attached(timeout=PATIENCE_MS)
        self.wait_until_ready()

    def wait_until_ready(self) -> None:
        """Wait until a question is on screen and the connection is online."""
        expect(self.part("question")).not_to_be_empty(timeout=PATIENCE_MS)
        expect(self.part("connection")).to_have_text("Online")
        # Until Streamlit's run has ended, it may mount the screen once more.
        wait_until_drawn(self.page)

    @property
    def attempt(self) -> str:
        """The attempt in the address bar."""
        return parse_qs(urlsplit(self.page.url).query)["attempt"][0]

    def search(self, query: str) -> None:
        """Type a query and run it with the button."""
        self.part("search-input").fill(query)
        self.part("search-run").click()
        expect(self.part("search-run")).to_have_text("Search")

    def result(self, number: int) -> Locator:
        """A result card, counted from 1."""
        return self.part("result").nth(number - 1)

    def open_result(self, number: int) -> tuple[str, int]:
        """Click a result and wait until its page is painted; returns (document, page)."""
        self.show_context()
        card = self.result(number)
        document = card.get_attribute("data-document") or ""
        page = int(card.get_attribute("data-page") or 0)
        card.click()
        self.wait_until_painted(document, page)
        return document, page

    def show_context(self) -> None:
        """Unfold question and results if they were folded for an open page.

        Without a page the screen has no button for it.
        """
        toggle = self.part("context-toggle")
        if toggle.count() and toggle.get_attribute("aria-expanded") == "false":
            toggle.click()
            expect(toggle).to_have_attribute("aria-expanded", "true")

    def wait_until_painted(self, document: str, page: int) -> None:
        """Wait until a page's image is in the viewer and the visit is in the outbox."""
        wait_until_drawn(self.page)
        pane = self.page.get_by_role("region", name=f"Page {page} of {document}", exact=True)
        expect(pane.locator("canvas")).to_be_visible(timeout=PATIENCE_MS)
        expect(pane).to_have_attribute("aria-busy", "false", timeout=PATIENCE_MS)
        expect(self.part("page-number")).to_have_value(str(page))

    def wait_until_judgeable(self) -> None:
        """Wait until what is under decision has been seen long enough for a verdict."""
        wait_until_judgeable(self.page)

    def judge(self, *keys: str) -> None:
        """Press keys that give verdicts, each as soon as it is taken."""
        for key in keys:
            self.wait_until_judgeable()
            self.page.keyboard.press(key)

    def page_image_box(self) -> dict[str, float]:
        """Where the open page's image is, in client pixels: ``x``, ``y``, ``width``, ``height``.

        Read in one step, since a sharper image may take its place at any moment.
        """
        box: dict[str, float] = self.part("page-pane").evaluate(
            """(pane) => {
              const { x, y, width, height } = pane.querySelector("canvas").getBoundingClientRect();
              return { x, y, width, height };
            }"""
        )
        return box

    def wait_for_focus(self) -> None:
        """Wait until an element of the workspace has the focus."""
        wait_for(
            self.page,
            """() => {
              let focused = document.activeElement;
              while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
              return focused?.closest(".pt") && focused.checkVisibility();
            }""",
        )

    def wait_until_saved(self) -> None:
        """Wait until the server has acknowledged everything."""
        expect(self.part("saved")).to_have_text(re.compile(r"^Saved \d\d:\d\d:\d\d$"))
        expect(self.part("connection")).to_have_text("Online")

    def events(self, attempt: str | None = None) -> list[Event]:
        """The stored events of the attempt on screen, or of another."""
        return self._events(attempt or self.attempt)

    def kinds(self, attempt: str | None = None) -> list[str]:
        """The types of the stored events."""
        return [event.type for event in self.events(attempt)]

    def wait_for_events(
        self, condition: Callable[[list[Event]], bool], attempt: str | None = None
    ) -> list[Event]:
        """Wait until the stored events meet a condition; returns them."""
        attempt = attempt or self.attempt
        return wait_until(self.page, lambda: self._events(attempt), condition)

    def has(self, kind: str, count: int = 1, attempt: str | None = None) -> list[Event]:
        """Wait until at least ``count`` events of a type are stored; returns them."""
        events = self.wait_for_events(lambda events: len(of_type(events, kind)) >= count, attempt)
        return of_type(events, kind)


def of_type(events: list[Event], *kinds: str) -> list[Event]:
    """The events of these types."""
    return [event for event in events if event.type in kinds]


def task_path(attempt: str, document: str | None = None, page: int | None = None) -> str:
    """The address of a task below the server's."""
    page_query = "" if document is None else f"&document={quote(document, safe='')}&page={page}"
    return f"/task?attempt={attempt}{page_query}"


def wait_until_drawn(page: Page) -> None:
    """Wait until Streamlit has drawn the screen."""
    app = page.get_by_test_id("stApp")
    expect(app).to_have_attribute("data-test-script-state", "notRunning", timeout=PATIENCE_MS)


def press(button: Locator) -> None:
    """Wait until Streamlit has finished drawing, then click; drawing again would undo the click."""
    expect(button).to_be_visible(timeout=PATIENCE_MS)  # drawn by the run that is waited for
    wait_until_drawn(button.page)
    button.click()


def wait_until(page: Page, read: Callable[[], T], condition: Callable[[T], bool]) -> T:
    """Read a value repeatedly until it meets the condition; the browser keeps running.

    Raises:
        AssertionError: the condition is not met in time; names the last value.
    """
    give_up = time.monotonic() + PATIENCE_MS / 1000
    while True:
        value = read()
        if condition(value):
            return value
        if time.monotonic() > give_up:
            raise AssertionError(f"waited in vain; the last value is {value}")
        page.wait_for_timeout(25)
