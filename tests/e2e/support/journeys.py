"""The demo workspace on a server, with two more annotators and access to their stored work."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pyarrow.parquet as pq
from playwright.sync_api import Browser, Error, Locator, Page, Response, WebSocket, expect
from sqlalchemy import select

from pagetrail.annotation.attempts.state import AttemptState, fold
from pagetrail.annotation.events import Event
from pagetrail.app.services.composition import Services
from pagetrail.app.workspace.annotator_actions import open_assignment
from pagetrail.exports.run import export
from pagetrail.storage.attempts import queries
from pagetrail.storage.attempts.event_log import SqlEventLog
from pagetrail.storage.batches import my_batches
from pagetrail.storage.batches.assignments import assign
from pagetrail.storage.campaigns.lookup import list_campaigns
from pagetrail.storage.database.tables import AttemptStateRow
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.accounts import add_user, find_person
from pagetrail.storage.people.administration import set_active
from tests.e2e.support.browsers import SIZE
from tests.e2e.support.readiness import click_verdict
from tests.e2e.support.screen import PATIENCE_MS, Screen, Watch, of_type, wait_until
from tests.e2e.support.server_process import ServerProcess
from tests.e2e.support.small_workspace import PASSWORD

NORA, OSKAR = "nora", "oskar"
DPI = 50
"""Of exported page images: small ones are quickly drawn."""


@dataclass
class Traffic:
    """Everything that a tab has received: response bodies and web socket frames."""

    texts: list[str] = field(default_factory=list)

    def listen(self, page: Page) -> None:
        """Record what the tab receives from now on."""
        page.on("response", self._reply)
        page.on("websocket", self._socket)

    def wait_for(self, page: Page, word: str) -> str:
        """Everything received, once the word is in it: bodies arrive after what they show."""
        return wait_until(page, lambda: "\n".join(self.texts), lambda received: word in received)

    def stop(self, page: Page) -> None:
        """Record no more: reading a reply whose body is gone requests it again."""
        page.remove_listener("response", self._reply)
        page.remove_listener("websocket", self._socket)

    def _reply(self, response: Response) -> None:
        kind = response.headers.get("content-type", "")
        if "/pagetrail/" in response.url and kind.startswith(("application/json", "text/")):
            with suppress(Error):  # the page was left before all of it had come
                self.texts.append(response.text())

    def _socket(self, socket: WebSocket) -> None:
        socket.on("framereceived", lambda frame: self.texts.append(_text(frame)))


class Site:
    """The demo in one browser.

    Args:
        workspace: as ``prepare`` made it.
        server: serves it.
        browser: the browser.
        out: an empty folder for exports.
    """

    def __init__(
        self, workspace: Workspace, server: ServerProcess, browser: Browser, out: Path
    ) -> None:
        self.workspace = workspace
        self.watch = Watch()
        self._log = SqlEventLog(workspace.engine)
        self._server, self._browser, self._out = server, browser, out
        self._screen: Screen | None = None
        self._name = ""

    def sign_in(self, name: str, path: str = "/") -> Screen:
        """The tab, with this person signed in, at that path: all share one, since another browser
        profile would compile all scripts again."""
        if self._screen is None:
            self._screen = self.new_screen("en-GB")
        self._name = name
        self._screen.sign_in(name, path)
        return self._screen

    def signed_out(self, path: str) -> Screen:
        """The tab at a path, where nobody is signed in."""
        screen = self._screen or self.at(NORA)
        self._name = ""
        screen.page.goto("about:blank")
        screen.page.context.clear_cookies()
        screen.page.goto(f"{screen.url}{path}")
        return screen

    def new_screen(self, locale: str) -> Screen:
        """A tab in a new browser profile with this locale."""
        context = self._browser.new_context(viewport=SIZE, locale=locale)
        context.set_default_timeout(PATIENCE_MS)
        self.watch.context(context)
        return Screen(context.new_page(), self._server.url, self.events)

    def at(self, name: str) -> Screen:
        """A person's tab; signs in if it was another person's."""
        if self._screen is not None and name == self._name:
            return self._screen
        screen = self.sign_in(name)
        expect(screen.page.get_by_role("heading", name="My batches")).to_be_visible()
        return screen

    def open(self, campaign: str, key: str, name: str = NORA) -> Screen:
        """Open a person's task; from another task, without loading the screen again."""
        screen = self.at(name)
        attempt = self.attempt(campaign, key, name)
        if urlsplit(screen.page.url).path == "/task":
            screen.page.keyboard.press("Escape")  # whatever the task before has left open
            screen.go(attempt)
        else:
            screen.open(attempt)
        return screen

    def batches(self, name: str) -> Screen:
        """The tab at a person's My batches."""
        screen = self.at(name)
        screen.page.goto(f"{screen.url}/")
        expect(screen.page.get_by_role("heading", name="My batches")).to_be_visible()
        return screen

    def attempt(self, campaign: str, key: str, name: str = NORA) -> str:
        """A person's attempt at a task."""
        return self.attempts(campaign, name)[key]

    def attempts(self, campaign: str, name: str) -> dict[str, str]:
        """A person's attempts at all tasks of a campaign, by the task's id."""
        engine = self.workspace.engine
        person = find_person(self.workspace, name)
        return {
            task.key: str(task.attempt_id)
            for row in my_batches.assignments(engine, person.id)
            if row.campaign == campaign
            for task in queries.batch_tasks(engine, row.assignment_id)
        }

    def record(self, campaign: str, key: str) -> dict[str, Any]:
        """A task's record."""
        return queries.attempt(self.workspace.engine, self.attempt(campaign, key)).record

    def close(self) -> None:
        """Close the tab."""
        if self._screen is not None:
            self._screen.page.context.close()

    def events(self, attempt: str) -> list[Event]:
        """The stored events."""
        return list(self._log.events(attempt))

    def submit(self, screen: Screen, *, button: str = "submit") -> tuple[list[Event], AttemptState]:
        """Submit the task on screen; returns its events and state."""
        attempt = screen.attempt
        screen.part(button).click()
        expect(screen.part("submit-dialog").locator(".missing")).to_have_count(0)
        screen.part("confirm-submit").click()
        screen.has("submitted", attempt=attempt)
        return self.events_and_state(attempt)

    def events_and_state(self, attempt: str) -> tuple[list[Event], AttemptState]:
        """Events and state of an attempt, after checking that the stored state is their fold."""
        with self.workspace.engine.connect() as connection:
            statement = select(AttemptStateRow.state).where(AttemptStateRow.attempt_id == attempt)
            stored = connection.execute(statement).scalar_one()
        last = AttemptState.model_validate_json(stored).last_seq
        # What is stored after the state was read, such as a pilot's feedback, is not in it.
        events = [event for event in self.events(attempt) if event.seq <= last]
        state = fold(events)
        assert AttemptState.model_validate_json(stored) == state
        assert [event.seq for event in events] == list(range(1, len(events) + 1))
        return events, state

    def export(self, campaign: str, format_: str) -> Path:
        """A new export of a campaign with the people's names."""
        folder = self._out / f"{len(list(self._out.iterdir()))}-{format_}"
        export(self.workspace, campaign, format_, folder, identify=True, dpi=DPI)
        return folder


def prepare(root: Path) -> Workspace:
    """Open the demo; nora and oskar take over from alma and bruno, who have left."""
    workspace = Workspace.open(root)
    for name in (NORA, OSKAR):
        add_user(workspace, name, "annotator", PASSWORD)
    for name in ("alma", "bruno"):
        set_active(workspace, None, name, False)
    for campaign in list_campaigns(workspace):
        assign(workspace, campaign.name)
    services = Services(workspace)
    try:
        for name in (NORA, OSKAR):
            person = find_person(workspace, name)
            for row in my_batches.assignments(workspace.engine, person.id):
                open_assignment(services, person, row.assignment_id)
    finally:
        services.close()
    return workspace


def option(screen: Screen, field_: str, value: str) -> Locator:
    """An option of a field."""
    return screen.page.locator(f"[data-testid=option][data-field={field_}][data-value='{value}']")


def choose(screen: Screen, **values: str) -> None:
    """Press an option of each of these fields and wait until it is pressed."""
    for name, value in values.items():
        button = option(screen, name, value)
        click_verdict(button)
        expect(
            button.and_(screen.page.locator("[aria-checked=true], [aria-pressed=true]"))
        ).to_have_count(1)


def film(screen: Screen, document: str, page: int) -> Locator:
    """A page's card in the strip."""
    cards = screen.part("films").get_by_test_id("film")
    return cards.and_(screen.page.locator(f"[data-document='{document}'][data-page='{page}']"))


def cite(screen: Screen) -> None:
    """Cite the open page."""
    screen.part("cite").click()
    expect(screen.part("cite")).to_have_text("Cited")


def find(screen: Screen, query: str, document: str, page: int) -> None:
    """Search and open a page from the results."""
    screen.search(query)
    selector = f"[data-document='{document}'][data-page='{page}']"
    screen.show_context()
    screen.part("result").and_(screen.page.locator(selector)).click()
    screen.wait_until_painted(document, page)


def values_set(events: Sequence[Event]) -> list[tuple[str, Any, Any]]:
    """(field, page, value) of each value that was set, in order."""
    sets = [event.fields() for event in of_type(list(events), "field_set")]
    return [(fields["field"], fields.get("page"), fields["value"]) for fields in sets]


def rows(path: Path, **values: Any) -> list[dict[str, Any]]:
    """The rows of a JSONL or Parquet file that have these values."""
    if path.suffix == ".parquet":
        all_rows = pq.read_table(path).to_pylist()
    else:
        all_rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [row for row in all_rows if all(row[name] == value for name, value in values.items())]


def load(path: Path) -> Any:
    """A JSON file."""
    return json.loads(path.read_text(encoding="utf-8"))


def _text(frame: str | bytes) -> str:
    return frame if isinstance(frame, str) else frame.decode("utf-8", errors="ignore")
