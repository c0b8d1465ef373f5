"""The text of a page in a real browser: opening it, typing in it, and deciding many patches.

The page has 20,000 characters and 200 patches. The clock of a key starts at its time stamp, which
Chromium gives it, and stops in the task after the next frame, when what it changed is painted. The
reference is the same keys in a plain text area of the same text, as an editor without Pagetrail
would be. Opening is from the click on the task until its text is in the editor.
"""

from __future__ import annotations

import json
import random
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pymupdf
from playwright.sync_api import Page

from benchmarks.harness import Benchmark, Measurement, Setup
from benchmarks.support import (
    PASSWORD,
    browser,
    person_name,
    serving,
    signed_in_page,
)
from pagetrail.annotation.events.transcripts import TextEdited
from pagetrail.app.services.composition import Services
from pagetrail.app.workspace.annotator_actions import open_assignment
from pagetrail.storage.attempts import queries
from pagetrail.storage.attempts.event_log import SqlEventLog
from pagetrail.storage.batches import my_batches
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.tasks.importer import import_tasks
from pagetrail.storage.ingest.command import ingest
from pagetrail.storage.people.accounts import add_user, find_person
from pagetrail.storage.search.store import ensure_index
from tests.e2e.support.browsers import wait_for

DOCUMENT = "long.pdf"
CHARACTERS = 20_000
PATCHES = 200
KEYS = 150
DECISIONS = 40
OPENINGS = 7
TARGET_KEY_P95_MS = 50
TARGET_OPENING_MS = 300
TARGET_DECISION_P95_MS = 100
PATIENCE_MS = 20_000
_WORDS = "harbour report table north quarter figure of the and in measured annual"

_WATCH = """() => {
  window.paints = [];
  addEventListener("keydown", (event) => {
    const since = event.timeStamp;
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => window.paints.push(performance.now() - since);
      port2.postMessage(null);
    });
  }, true);
  const area = document.createElement("textarea");
  area.id = "plain";
  area.style = "position: fixed; inset: 0 auto auto 0; width: 30rem; height: 20rem; z-index: 9";
  area.hidden = true;
  document.body.append(area);
}"""
_OPEN = """async (attempt) => {
  const all = (root, id) => [...root.querySelectorAll("*")].flatMap((node) => [
    ...(node.dataset?.testid === id ? [node] : []),
    ...(node.shadowRoot ? all(node.shadowRoot, id) : []),
  ]);
  const began = performance.now();
  all(document, "task-dot").find((dot) => dot.dataset.attempt === attempt).click();
  const isOpen = () => all(document, "transcript-editor")
    .some((node) => node.textContent.startsWith("Long "));
  const frame = () => new Promise(requestAnimationFrame);
  while (!isOpen()) await frame();
  await frame();
  return performance.now() - began;
}"""


def measure(_setup: Setup) -> list[Measurement]:
    """Open the text, type in the middle of it, and decide its patches."""
    with text_workspace() as root, browser() as chromium, serving(root) as server:
        page = signed_in_page(chromium, server, person_name(0))
        attempts = _attempts_by_key(root)
        short, long = attempts["short"], attempts["long"]
        openings = []
        for _ in range(OPENINGS):
            page.goto(f"{server.url}task?attempt={short}")
            page.get_by_test_id("transcript-editor").wait_for()
            page.wait_for_timeout(1_500)
            openings.append(page.evaluate(_OPEN, long) / 1000)
        page.evaluate(_WATCH)
        typed = _typing(page)
        plain = _plain_typing(page)
        decided = _decisions(page)
        page.context.close()
        stored = _stored_characters(root, long)
    return [
        Measurement.of_durations(
            f"text of {CHARACTERS:,} characters and {PATCHES} patches: opened",
            openings[1:],
            target_ms=TARGET_OPENING_MS,
        ),
        Measurement.of_durations(
            "… key to paint while typing",
            typed,
            target_p95_ms=TARGET_KEY_P95_MS,
            reference=("plain text area", plain),
        ),
        Measurement("… characters typed that are not stored", KEYS - stored, "", 0),
        Measurement.of_durations(
            "… patch accepted or rejected by a key, to paint",
            decided,
            target_p95_ms=TARGET_DECISION_P95_MS,
        ),
    ]


def _typing(page: Page) -> list[float]:
    editor = page.get_by_test_id("transcript-editor")
    editor.click(position={"x": 200, "y": 200})
    page.keyboard.press("End")
    return _paints(page, ["x" if n % 6 else " " for n in range(KEYS)])


def _plain_typing(page: Page) -> list[float]:
    page.evaluate("""() => {
      const area = document.querySelector("#plain");
      area.value = "Long text of many words. ".repeat(800);
      area.hidden = false;
      area.focus();
      area.setSelectionRange(9000, 9000);
    }""")
    paints = _paints(page, ["x" if n % 6 else " " for n in range(KEYS)])
    page.evaluate("""() => { document.querySelector("#plain").hidden = true; }""")
    return paints


def _decisions(page: Page) -> list[float]:
    page.get_by_test_id("page-pane").focus()
    page.keyboard.press("j")
    return _paints(page, ["vx"[n % 2] for n in range(DECISIONS)])


def _paints(page: Page, keys: list[str]) -> list[float]:
    """Seconds from each key to its paint; the keys come at the pace of a quick typist."""
    page.wait_for_timeout(1_000)
    page.evaluate("() => { window.paints.length = 0; }")
    for key in keys:
        page.keyboard.press("Space" if key == " " else key)
        page.wait_for_timeout(60)
    page.wait_for_timeout(1_500)
    _wait_saved(page)
    return [ms / 1000 for ms in page.evaluate("window.paints")]


def _wait_saved(page: Page) -> None:
    wait_for(
        page,
        "(node) => !node.classList.contains('busy')",
        page.get_by_test_id("saved").element_handle(),
        PATIENCE_MS,
    )


def _attempts_by_key(root: Path) -> dict[str, str]:
    """The person's attempts by the ids of their tasks."""
    workspace = Workspace.open(root)
    person = find_person(workspace, person_name(0))
    attempts = {
        task.key: task.attempt_id
        for row in my_batches.assignments(workspace.engine, person.id)
        for task in queries.batch_tasks(workspace.engine, row.assignment_id)
    }
    workspace.engine.dispose()
    return attempts


def _stored_characters(root: Path, attempt: str) -> int:
    """Characters that the stored events of typing insert."""
    workspace = Workspace.open(root)
    events = list(SqlEventLog(workspace.engine).events(attempt))
    workspace.engine.dispose()
    return sum(
        event.payload.added_chars for event in events if isinstance(event.payload, TextEdited)
    )


@contextmanager
def text_workspace() -> Iterator[Path]:
    """A workspace with two tasks of one person: a short text, then a long one with many patches."""
    with tempfile.TemporaryDirectory(prefix="pagetrail-bench-") as folder:
        root = Path(folder)
        workspace = Workspace.create(root / "ws")
        text = long_text()
        (root / "pdfs").mkdir()
        _write_document(root / "pdfs" / DOCUMENT, text)
        ingest(workspace, [root / "pdfs"], ocr="never", workers=1)
        ensure_index(workspace)
        add_user(workspace, person_name(0), "annotator", PASSWORD)
        tasks = [_task("short", "Short text.", 0), _task("long", text, PATCHES)]
        path = root / "tasks.jsonl"
        path.write_text("".join(json.dumps(task) + "\n" for task in tasks), encoding="utf-8")
        import_tasks(
            workspace,
            path,
            campaign="texts",
            protocol="transcribe",
            settings={"study.order": "batch"},
            batch_size=2,
            overlap=1,
        )
        person = find_person(workspace, person_name(0))
        for row in my_batches.assignments(workspace.engine, person.id):
            open_assignment(Services(workspace), person, row.assignment_id)
        workspace.engine.dispose()
        yield root / "ws"


def long_text() -> str:
    """Paragraphs of words, from the same seed each time."""
    rng = random.Random(30)
    words = _WORDS.split()
    paragraphs = [" ".join(rng.choices(words, k=60)) for _ in range(80)]
    return ("Long text.\n\n" + "\n\n".join(paragraphs))[:CHARACTERS]


def _task(name: str, text: str, patches: int) -> dict[str, object]:
    step = len(text) // max(1, patches)
    places = [text.index(" ", step * number) + 1 for number in range(patches)]
    return {
        "id": name,
        "question": "Make the text say what the page says.",
        "candidates": [{"document": DOCUMENT, "page": 1}],
        "transcript": text,
        "patches": [
            {
                "at": at,
                "old": text[at : at + 2],
                "new": text[at : at + 2].upper(),
                "reason": "Capitals.",
            }
            for at in places
        ],
        "model": "scribe-1",
    }


def _write_document(path: Path, text: str) -> None:
    with pymupdf.open() as document:
        page = document.new_page(width=595, height=842)
        page.insert_textbox((20, 20, 575, 822), text, fontsize=4)
        document.save(path)


BENCHMARK = Benchmark("text_editor", measure)
