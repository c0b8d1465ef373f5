"""From a key, click or released mouse button until what it changed is painted, in a real browser.

One person works on search tasks and grades the pages of a long document, over the workspace of
``load --prepare`` if ``--prepared`` names it, else over the PDFs. The clock starts at Chromium's
time stamp of the input and stops in the task after the frame in which the screen has changed: a
page painted, results listed, a citation pressed. Actions are about half a second apart, so that
neighbouring pages can be prefetched.
"""

from __future__ import annotations

import itertools
import json
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Page

from benchmarks.harness import Benchmark, Measurement, Setup
from benchmarks.load import WORKSPACE
from benchmarks.reading import longest_document
from benchmarks.support import (
    CAMPAIGN,
    PASSWORD,
    browser,
    person_name,
    serving,
    signed_in_page,
)
from pagetrail.app.services.composition import Services
from pagetrail.app.workspace.annotator_actions import open_assignment
from pagetrail.storage.attempts import queries
from pagetrail.storage.batches import my_batches
from pagetrail.storage.batches.assignments import assign
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.tasks.importer import import_tasks
from pagetrail.storage.people.accounts import add_user, find_person
from tests.e2e.support.browsers import wait_for
from tests.e2e.support.readiness import wait_until_judgeable

GRADING = "Grading"
SUPERVISOR = "chief"
TIMES = 30
PAUSE_MS = 250
TARGET_P95_MS = 60
PATIENCE_MS = 10_000
_WORDS = ("report", "total", "increase", "cost", "market", "table", "risk", "share", "result")

_WATCH = """() => {
  const root = [...document.querySelectorAll("*")].map((e) => e.shadowRoot)
    .find((r) => r?.querySelector(".pt"));
  const all = (id) => [...root.querySelectorAll(`[data-testid=${id}]`)];
  const signatures = {
    results: () => all("result").map((e) => e.dataset.document + e.dataset.page).join(),
    citation: () => all("cite")[0]?.getAttribute("aria-pressed"),
    grades: () => all("film").map((e) => e.dataset.grade).join(),
    boxes: () => all("box").length,
    answer: () => all("answer")[0]?.value,
    question: () => all("question")[0]?.textContent,
    comments: () => all("comment").length,
  };
  let watched = null;
  let since = 0;
  window.durations = [];
  window.isWaiting = () => watched !== null;
  const finish = () => {
    window.durations.push(performance.now() - since);
    watched = null;
  };
  window.watch = (kind) => {
    watched = { kind, before: signatures[kind]?.() };
    since = 0;
  };
  const look = () => {
    if (watched === null) return;
    if (signatures[watched.kind]() === watched.before) requestAnimationFrame(look);
    else {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = finish;
      port2.postMessage(null);
    }
  };
  const begin = (event) => {
    if (watched === null || since) return;
    since = event.timeStamp;
    if (watched.kind !== "page") requestAnimationFrame(look);
  };
  for (const type of ["keydown", "click", "pointerup"]) addEventListener(type, begin, true);
  addEventListener("pagetrail:painted", () => {
    if (watched?.kind === "page" && since) finish();
  });
}"""


@dataclass(frozen=True)
class Interaction:
    """Something that a person does many times.

    Attributes:
        change: what is watched, a name of ``signatures`` in the page's script, or ``page``.
        act: does it once more, given how often it was done.
        prepare: what is done before, which is not measured.
    """

    name: str
    change: str
    act: Callable[[Page, int], object]
    prepare: Callable[[Page, int], object] = lambda _page, _count: None


def _press(key: str) -> Callable[[Page, int], object]:
    return lambda page, _count: page.keyboard.press(key)


def _type_query(page: Page, count: int) -> None:
    pairs = list(itertools.combinations(_WORDS, 2))
    page.keyboard.press("/")
    page.get_by_test_id("search-input").fill(" ".join(pairs[count % len(pairs)]))


def _search_again(page: Page, count: int) -> None:
    _type_query(page, count)
    page.evaluate("() => window.watch('results')")
    page.keyboard.press("Enter")
    wait_for(page, "() => !window.isWaiting()", timeout_ms=PATIENCE_MS)
    page.evaluate("() => window.durations.pop()")
    page.wait_for_timeout(PAUSE_MS)


def _draw(page: Page, count: int) -> None:
    image = page.get_by_test_id("page-pane").locator("canvas").first.bounding_box()
    assert image is not None
    left = image["x"] + image["width"] * (0.08 + 0.17 * (count % 5))
    top = image["y"] + 20 + 36 * (count // 5)
    page.mouse.move(left, top)
    page.mouse.down()
    page.mouse.move(left + 60, top + 24, steps=4)
    page.mouse.up()


def _begin_answer(page: Page, count: int) -> None:
    if count == 0:
        page.get_by_test_id("answer").focus()


def _begin_reply(page: Page, count: int) -> None:
    page.get_by_test_id("reply").fill(f"Reply {count}")


SEARCHING = (
    Interaction("search, from Enter to the results", "results", _press("Enter"), _type_query),
    Interaction("first result opened by Enter", "page", _press("Enter"), _search_again),
    Interaction(
        "citation set or removed",
        "citation",
        _press("c"),
        lambda page, count: None if count else page.get_by_test_id("page-pane").focus(),
    ),
    Interaction("citation undone", "citation", _press("Control+z")),
    Interaction("a letter typed into the answer", "answer", _press("x"), _begin_answer),
    Interaction("comment sent", "comments", _press("Control+Enter"), _begin_reply),
)
READING = (Interaction("page turned, prefetched", "page", _press("ArrowRight")),)
GRADES = (
    Interaction(
        "page graded, to the grade",
        "grades",
        _press("0"),
        lambda page, _count: wait_until_judgeable(page),
    ),
)
BOXES = (
    Interaction("box drawn, from the mouse's release", "boxes", _draw),
    Interaction("box undone", "boxes", _press("Control+z")),
)
TASKS = (
    Interaction(
        "next task, to its question",
        "question",
        lambda page, _count: page.get_by_role("button", name="Next task").click(),
    ),
)


def measure(setup: Setup) -> Iterator[Measurement]:
    """Do everything ``TIMES`` times in one tab."""
    with _workspace(setup) as root, serving(root) as server, browser() as chromium:
        document = longest_document(root).name
        searching, grading = _attempts(root)
        page = signed_in_page(chromium, server, person_name(0))
        for attempt, query, interactions in (
            (searching[0], "", SEARCHING),
            (searching[0], f"&document={document}&page=1", READING),
            (grading[0], "", GRADES),
            (grading[1], "", BOXES),
            (searching[0], "", TASKS),
        ):
            page.goto(f"{server.url}task?attempt={attempt}{query}")
            page.get_by_test_id("question").wait_for()
            page.wait_for_timeout(4 * PAUSE_MS)
            page.evaluate(_WATCH)
            if interactions is BOXES:
                wait_until_judgeable(page)
                page.keyboard.press("2")
                page.keyboard.press("b")
                page.wait_for_timeout(PAUSE_MS)
            for interaction in interactions:
                yield _measurement(page, interaction)


def _measurement(page: Page, interaction: Interaction) -> Measurement:
    for count in range(TIMES):
        interaction.prepare(page, count)
        page.evaluate("(kind) => window.watch(kind)", interaction.change)
        interaction.act(page, count)
        wait_for(page, "() => !window.isWaiting()", timeout_ms=PATIENCE_MS)
        page.wait_for_timeout(PAUSE_MS)
    durations = page.evaluate("() => window.durations.splice(0)")
    return Measurement.of_durations(
        interaction.name,
        [duration / 1000 for duration in durations],
        target_p95_ms=TARGET_P95_MS,
    )


@contextmanager
def _workspace(setup: Setup) -> Iterator[Path]:
    """A copy of the workspace with a campaign of pages to grade and a commented task."""
    prepared: Path | None = setup.options.prepared
    with tempfile.TemporaryDirectory(prefix="pagetrail-bench-") as folder:
        root = Path(folder) / WORKSPACE
        shutil.copytree(prepared / WORKSPACE if prepared else setup.workspace(), root)
        _add_grading(root)
        yield root


def _add_grading(root: Path) -> None:
    document = longest_document(root)
    workspace = Workspace.open(root)
    pages = range(1, min(document.n_pages, TIMES + 1) + 1)
    candidates = [{"document": document.name, "page": number} for number in pages]
    file = root.parent / "grading.jsonl"
    rows = [
        {"id": f"g{number}", "question": "What is said of costs?", "candidates": candidates}
        for number in range(2)
    ]
    file.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    import_tasks(
        workspace,
        file,
        campaign=GRADING,
        protocol="relevance",
        settings={"max_pages": len(candidates), "boxes.max_per_page": TIMES + 1},
        batch_size=len(rows),
        overlap=1,
        assign=False,
    )
    person = find_person(workspace, person_name(0))
    assign(workspace, GRADING, [person.name])
    services = Services(workspace)
    for row in my_batches.assignments(workspace.engine, person.id):
        open_assignment(services, person, row.assignment_id)
    add_user(workspace, SUPERVISOR, "supervisor", PASSWORD)
    searching, _ = _attempts_in(workspace)
    services.reviews.comment(searching[0], SUPERVISOR, "Which year?", "comment-1")
    services.close()
    workspace.engine.dispose()


def _attempts(root: Path) -> tuple[list[str], list[str]]:
    """The person's attempts at search tasks and at pages to grade."""
    workspace = Workspace.open(root)
    attempts = _attempts_in(workspace)
    workspace.engine.dispose()
    return attempts


def _attempts_in(workspace: Workspace) -> tuple[list[str], list[str]]:
    person = find_person(workspace, person_name(0))
    attempts = {
        row.campaign: [
            task.attempt_id for task in queries.batch_tasks(workspace.engine, row.assignment_id)
        ]
        for row in my_batches.assignments(workspace.engine, person.id)
    }
    return attempts[CAMPAIGN], attempts[GRADING]


BENCHMARK = Benchmark("interactions", measure)
