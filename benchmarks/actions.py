"""Keys and drags per unit of work, recorded in a real browser over the practice tasks.

What is counted is what the page itself is told: every key pressed outside of typed text, every
drag and every click, from the moment a unit is in front of the person until it is done. What was
done is read from the events that the server has stored, so that a key that did nothing fails.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Page, expect

from benchmarks.harness import Benchmark, Measurement, Setup
from benchmarks.support import (
    bench_workspace,
    browser,
    person_name,
    serving,
    signed_in_page,
)
from pagetrail.annotation.attempts.state import AttemptState
from pagetrail.app.demo.corpus import FILES
from pagetrail.app.practice.start import start_practice
from pagetrail.app.services.composition import Services
from pagetrail.app.workspace.annotator_actions import open_assignment
from pagetrail.storage.batches import my_batches
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.tasks.importer import import_tasks
from pagetrail.storage.people.accounts import find_person
from tests.e2e.support.readiness import wait_until_judgeable

_RECORD = """() => {
  window.actions = { keys: [], drags: 0, clicks: 0 };
  const typed = (event) => {
    const into = event.composedPath()[0];
    return /^(INPUT|TEXTAREA)$/.test(into.tagName) && !event.ctrlKey
      && (event.key.length === 1 || event.key === "Backspace");
  };
  addEventListener("keydown", (event) => {
    const modifier = ["Control", "Shift", "Alt", "Meta"].includes(event.key);
    if (!modifier && !event.repeat && !typed(event)) window.actions.keys.push(event.key);
  }, true);
  let from = null;
  addEventListener("pointerdown", ({ clientX, clientY }) => { from = [clientX, clientY]; }, true);
  addEventListener("pointerup", ({ clientX, clientY }) => {
    const far = from && Math.hypot(clientX - from[0], clientY - from[1]) > 5;
    window.actions[far ? "drags" : "clicks"] += 1;
  }, true);
}"""
_SETTLE_MS = 250


@dataclass(frozen=True)
class Unit:
    """A unit of work.

    Attributes:
        preset: whose practice task it is done in; None for a search task submitted directly.
        perform: does the unit.
        is_done: whether the stored state shows that it was done.
        keys: target.
        prepare: brings the task to where the unit begins; not counted.
    """

    name: str
    preset: str | None
    perform: Callable[[Page], None]
    is_done: Callable[[AttemptState], bool]
    keys: int
    prepare: Callable[[Page], None] = lambda _page: None


def _press(page: Page, *keys: str) -> None:
    for key in keys:
        wait_until_judgeable(page)
        page.keyboard.press(key)
        page.wait_for_timeout(_SETTLE_MS)


def _type(page: Page, text: str) -> None:
    page.keyboard.type(text)
    page.wait_for_timeout(_SETTLE_MS)


def _search(page: Page) -> None:
    """Search, open the first result, cite it, answer, submit."""
    _type(page, "second battery Heron")
    _press(page, "Enter")
    expect(page.get_by_test_id("result").first).to_be_visible()
    _press(page, "Enter")
    expect(page.get_by_test_id("cite")).to_be_enabled()
    _press(page, "c", "a")
    _type(page, "£690")
    _press(page, "Control+Enter")


def _drag(page: Page, rect: tuple[float, float, float, float], size: tuple[float, float]) -> None:
    """Draw around a rectangle of the page, in points."""
    image = page.get_by_test_id("page-pane").locator("canvas").first.bounding_box()
    assert image is not None
    x0, y0, x1, y1 = (
        image["x" if axis % 2 == 0 else "y"]
        + value / size[axis % 2] * image["width" if axis % 2 == 0 else "height"]
        for axis, value in enumerate(rect)
    )
    page.mouse.move(x0, y0)
    page.mouse.down()
    page.mouse.move(x1, y1, steps=6)
    page.mouse.up()
    page.wait_for_timeout(2 * _SETTLE_MS)


_A4 = (595.28, 841.89)


def _grade(page: Page) -> None:
    _press(page, "2", "b")
    _drag(page, (60.0, 84.0, 530.0, 140.0), _A4)
    _press(page, "v")


def _review_pair(page: Page) -> None:
    _press(page, "1", "1", "1", "1", "2")
    for page_number, key in enumerate(("1", "0"), start=1):
        films = page.get_by_test_id("film")
        expect(films.nth(page_number - 1)).to_have_attribute("aria-current", "true")
        _press(page, key)


def _add_missed_element(page: Page) -> None:
    _press(page, "b")
    _drag(page, (60.0, 299.0, 396.0, 318.0), _A4)


UNITS = (
    Unit("a search task, submitted", None, _search, lambda s: s.status == "submitted", 5),
    Unit(
        "a page graded 2, with a box",
        "relevance",
        _grade,
        lambda s: len(s.boxes.boxes) == 1 and len(s.fields) == 4,
        4,
        lambda page: _press(page, "y", "0"),
    ),
    Unit(
        "a missed element, with its text and its place in the reading order",
        "verify",
        _add_missed_element,
        lambda s: any(
            (box.content or "").startswith("Signed") and box.order is not None
            for box in s.boxes.boxes
        ),
        2,
    ),
    Unit(
        "a selected element one place later in the reading order",
        "verify",
        lambda page: _press(page, "Alt+ArrowDown"),
        lambda s: any("order" in box.differences for box in s.boxes.boxes),
        1,
        lambda page: _press(page, "j"),
    ),
    Unit(
        "a question and answer with two sources",
        "qa_review",
        _review_pair,
        lambda s: len(s.fields) == 7,
        7,
    ),
    Unit(
        "a verdict: correct",
        "judge",
        lambda page: _press(page, "1"),
        lambda s: len(s.fields) == 1,
        1,
    ),
    Unit(
        "a verdict: incorrect, with the issue",
        "judge",
        lambda page: _press(page, "3", "5"),
        lambda s: len(s.fields) == 2,
        2,
    ),
)


def measure(_setup: Setup) -> list[Measurement]:
    """Do each unit once, each as another person.

    Raises:
        SystemExit: what was pressed did not do it.
    """
    measurements: list[Measurement] = []
    with ExitStack() as stack:
        root = stack.enter_context(bench_workspace(FILES, len(UNITS), 1))
        services = Services(Workspace.open(root))
        stack.callback(services.close)
        searching = _search_task(services, root.parent)
        server = stack.enter_context(serving(root))
        chromium = stack.enter_context(browser())
        for number, unit in enumerate(UNITS):
            person = find_person(services.workspace, person_name(number))
            if unit.preset is None:
                query, log = f"attempt={searching}", services.log
            else:
                attempt = start_practice(services, person, unit.preset)
                query, log = f"attempt={attempt}&practice=1", services.practice.open().log
            page = signed_in_page(chromium, server, person.name)
            page.goto(f"{server.url}task?{query}")
            expect(page.get_by_test_id("connection")).to_have_text("Online", timeout=60_000)
            page.wait_for_timeout(4 * _SETTLE_MS)
            unit.prepare(page)
            page.evaluate(_RECORD)
            unit.perform(page)
            actions = page.evaluate("() => window.actions")
            page.wait_for_timeout(4 * _SETTLE_MS)
            expect(page.get_by_test_id("saved")).to_contain_text("Saved")
            state = log.state(searching if unit.preset is None else attempt)
            if not unit.is_done(state) or actions["clicks"]:
                raise SystemExit(f"{unit.name}: not done by {actions}")
            page.context.close()
            drags = f" and {actions['drags']} drag" if actions["drags"] else ""
            measurements.append(
                Measurement(f"{unit.name}{drags}", len(actions["keys"]), "keys", unit.keys)
            )
    return measurements


def _search_task(services: Services, folder: Path) -> str:
    """The first person's attempt at a search task that is submitted without a question."""
    rows = folder / "search.jsonl"
    rows.write_text(json.dumps({"id": "s", "question": "What does a second battery cost?"}))
    import_tasks(
        services.workspace,
        rows,
        campaign="Direct",
        protocol="search",
        settings={"direct_submit": True},
        overlap=len(UNITS),
    )
    person = find_person(services.workspace, person_name(0))
    (assignment,) = (
        row.assignment_id
        for row in my_batches.assignments(services.workspace.engine, person.id)
        if row.campaign == "Direct"
    )
    return open_assignment(services, person, assignment)


BENCHMARK = Benchmark("actions", measure)
