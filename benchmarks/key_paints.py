"""Tasks of one page, worked on by keys in a real browser: opened, and from a key to its paint.

The clock of a key starts at its time stamp, which Chromium gives it, and stops in the task after
the next frame, when what it changed is painted. The reference is the same keys in a plain text
area, as a page without Pagetrail would have it.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import pymupdf
from playwright.sync_api import Page

from benchmarks.support import PASSWORD, RunningServer, person_name
from pagetrail.annotation.events import Payload
from pagetrail.app.services.composition import Services
from pagetrail.app.workspace.annotator_actions import open_assignment
from pagetrail.storage.attempts.event_log import SqlEventLog
from pagetrail.storage.batches import my_batches
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.tasks.importer import import_tasks
from pagetrail.storage.ingest.command import ingest
from pagetrail.storage.people.accounts import add_user, find_person
from pagetrail.storage.search.store import ensure_index
from tests.e2e.support.browsers import wait_for

PATIENCE_MS = 20_000
OPENINGS = 7
_DOCUMENT = "page.pdf"
_WATCH = """() => {
  window.paints = [];
  const measure = (event) => {
    const since = event.timeStamp;
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => window.paints.push(performance.now() - since);
      port2.postMessage(null);
    });
  };
  addEventListener("keydown", measure, true);
  addEventListener("click", measure, true);
}"""
_OPEN = """async ([attempt, testid, condition]) => {
  const all = (root, id) => [...root.querySelectorAll("*")].flatMap((node) => [
    ...(node.dataset?.testid === id ? [node] : []),
    ...(node.shadowRoot ? all(node.shadowRoot, id) : []),
  ]);
  const isOpen = new Function("node", `return ${condition}`);
  const began = performance.now();
  all(document, "task-dot").find((dot) => dot.dataset.attempt === attempt).click();
  const frame = () => new Promise(requestAnimationFrame);
  while (!all(document, testid).some(isOpen)) await frame();
  await frame();
  return performance.now() - began;
}"""
_PLAIN = """(text) => {
  const area = document.createElement("textarea");
  area.style = "position: fixed; inset: 0 auto auto 0; width: 30rem; height: 20rem; z-index: 9";
  area.value = text;
  document.body.append(area);
  area.focus();
  area.setSelectionRange(text.length / 2, text.length / 2);
}"""


@contextmanager
def page_workspace(
    protocol: str, text: str, tasks: Sequence[Mapping[str, object]]
) -> Iterator[Path]:
    """A workspace with one page of that text, and one person's batch of these tasks of it."""
    with tempfile.TemporaryDirectory(prefix="pagetrail-bench-") as folder:
        root = Path(folder)
        workspace = Workspace.create(root / "ws")
        (root / "pdfs").mkdir()
        with pymupdf.open() as document:
            page = document.new_page(width=595, height=842)
            page.insert_textbox((20, 20, 575, 822), text, fontsize=4)
            document.save(root / "pdfs" / _DOCUMENT)
        ingest(workspace, [root / "pdfs"], ocr="never", workers=1)
        ensure_index(workspace)
        add_user(workspace, person_name(0), "annotator", PASSWORD)
        given = {"candidates": [{"document": _DOCUMENT, "page": 1}]}
        path = root / "tasks.jsonl"
        path.write_text(
            "".join(json.dumps({**given, **task}) + "\n" for task in tasks), encoding="utf-8"
        )
        import_tasks(
            workspace,
            path,
            campaign="pages",
            protocol=protocol,
            settings={"study.order": "batch"},
            batch_size=len(tasks),
            overlap=1,
        )
        person = find_person(workspace, person_name(0))
        for row in my_batches.assignments(workspace.engine, person.id):
            open_assignment(Services(workspace), person, row.assignment_id)
        workspace.engine.dispose()
        yield root / "ws"


def stored_payloads(root: Path, attempt: str) -> list[Payload]:
    """What the stored events of the attempt say."""
    workspace = Workspace.open(root)
    payloads = [event.payload for event in SqlEventLog(workspace.engine).events(attempt)]
    workspace.engine.dispose()
    return payloads


def seconds_to_open(
    page: Page, server: RunningServer, attempts: tuple[str, str], testid: str, condition: str
) -> list[float]:
    """Seconds from the click on a task until a part of the screen is as it should be.

    Args:
        attempts: the one that is on screen before, and the one that is opened.
        condition: JavaScript that is true of the part, ``node``, once the task is open.
    """
    before, opened = attempts
    openings = []
    for _ in range(OPENINGS):
        page.goto(f"{server.url}task?attempt={before}")
        page.get_by_test_id(testid).wait_for()
        page.wait_for_timeout(1_500)
        openings.append(page.evaluate(_OPEN, [opened, testid, condition]) / 1000)
    return openings[1:]


def watch_paints(page: Page) -> None:
    """Measure keys and clicks from now on."""
    page.evaluate(_WATCH)


def key_paints(
    page: Page,
    keys: Sequence[str],
    *,
    pause_ms: int = 60,
    before: Callable[[Page], object] = lambda _page: None,
) -> list[float]:
    """Seconds from each key to its paint; they come at the pace of a quick typist.

    Args:
        page: where ``watch_paints`` was called.
        keys: one after the other.
        pause_ms: after each.
        before: waits until the next key is taken.
    """
    page.wait_for_timeout(1_000)
    page.evaluate("() => { window.paints.length = 0; }")
    for key in keys:
        before(page)
        page.keyboard.press("Space" if key == " " else key)
        page.wait_for_timeout(pause_ms)
    return measured_paints(page)


def click_paints(page: Page, testid: str, clicks: int) -> list[float]:
    """Seconds from each click on a button to its paint."""
    page.wait_for_timeout(1_000)
    page.evaluate("() => { window.paints.length = 0; }")
    for _ in range(clicks):
        page.get_by_test_id(testid).click()
        page.wait_for_timeout(300)
    return measured_paints(page)


def measured_paints(page: Page) -> list[float]:
    """Seconds of what was measured, once all of it is saved."""
    page.wait_for_timeout(1_500)
    wait_for(
        page,
        "(node) => !node.classList.contains('busy')",
        page.get_by_test_id("saved").element_handle(),
        PATIENCE_MS,
    )
    return [ms / 1000 for ms in page.evaluate("window.paints")]


def plain_paints(page: Page, keys: Sequence[str], text: str = "") -> list[float]:
    """Seconds from each key to its paint in the middle of a plain text area."""
    page.evaluate(_PLAIN, text)
    paints = key_paints(page, keys)
    page.evaluate("() => document.body.lastElementChild.remove()")
    return paints
