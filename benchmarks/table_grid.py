"""A large table in a real browser: opened, moved in, corrected, and given rows and columns.

The table has 200 rows and 40 columns, with merged headers. Opening is from the click on the task
until its first cells are painted. The reference of a key is the same key in an empty text area.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pymupdf

from benchmarks.harness import Benchmark, Measurement, Setup
from benchmarks.key_paints import click_paints, key_paints, watch_paints
from benchmarks.support import (
    PASSWORD,
    attempts_by_task,
    browser,
    person_name,
    serving,
    signed_in_page,
)
from pagetrail.annotation.events.tables import TableEdited
from pagetrail.annotation.tables.grid import Cell, Grid
from pagetrail.app.services.composition import Services
from pagetrail.app.workspace.annotator_actions import open_assignment
from pagetrail.storage.attempts.event_log import SqlEventLog
from pagetrail.storage.batches import my_batches
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.tasks.importer import import_tasks
from pagetrail.storage.ingest.command import ingest
from pagetrail.storage.people.accounts import add_user, find_person
from pagetrail.storage.search.store import ensure_index

DOCUMENT = "statistics.pdf"
ROWS, COLUMNS = 200, 40
OPENINGS = 7
CORRECTIONS = 20
INSERTIONS = 10
TARGET_OPENING_MS = 300
TARGET_KEY_P95_MS = 50
TARGET_INSERTION_MS = 150

_OPEN = """async (attempt) => {
  const all = (root, id) => [...root.querySelectorAll("*")].flatMap((node) => [
    ...(node.dataset?.testid === id ? [node] : []),
    ...(node.shadowRoot ? all(node.shadowRoot, id) : []),
  ]);
  const began = performance.now();
  all(document, "task-dot").find((dot) => dot.dataset.attempt === attempt).click();
  const isOpen = () => all(document, "table-grid").some((grid) => grid.ariaRowCount === "ROWS");
  const frame = () => new Promise(requestAnimationFrame);
  while (!isOpen()) await frame();
  await frame();
  return performance.now() - began;
}""".replace("ROWS", str(ROWS))
_PLAIN = """() => {
  const area = document.createElement("textarea");
  area.style = "position: fixed; inset: 0 auto auto 0; z-index: 9";
  document.body.append(area);
  area.focus();
}"""


def measure(_setup: Setup) -> list[Measurement]:
    """Open the table, walk through it, correct cells, and insert rows and columns."""
    with table_workspace() as root, browser() as chromium, serving(root) as server:
        page = signed_in_page(chromium, server, person_name(0))
        attempts = attempts_by_task(root, person_name(0))
        small, large = attempts["small"], attempts["large"]
        openings = []
        for _ in range(OPENINGS):
            page.goto(f"{server.url}task?attempt={small}")
            page.get_by_test_id("table-grid").wait_for()
            page.wait_for_timeout(1_500)
            openings.append(page.evaluate(_OPEN, large) / 1000)
        watch_paints(page)
        page.locator("[data-cell='5,2']").click()
        moved = key_paints(page, ["ArrowDown"] * 60 + ["ArrowRight"] * 36 + ["ArrowUp"] * 30)
        far = key_paints(page, ["Control+End", "Control+Home"] * 10, pause_ms=200)
        page.keyboard.press("Control+Home")
        page.keyboard.press("PageDown")
        corrected = key_paints(page, ["Enter", "7", "Enter"] * CORRECTIONS)
        inserted = click_paints(page, "row-below", INSERTIONS)
        widened = click_paints(page, "column-right", INSERTIONS)
        stored = _stored_changes(root, large)
        page.evaluate(_PLAIN)
        plain = key_paints(page, ["7"] * CORRECTIONS)
        page.context.close()
    return [
        Measurement.of_durations(
            f"table of {ROWS} × {COLUMNS} cells: opened",
            openings[1:],
            target_ms=TARGET_OPENING_MS,
        ),
        Measurement.of_durations(
            "… moved by an arrow key, to paint",
            moved,
            target_p95_ms=TARGET_KEY_P95_MS,
            reference=("plain text area", plain),
        ),
        Measurement.of_durations("… moved from corner to corner", far),
        Measurement.of_durations(
            "… keys that correct a cell: Enter, a digit, Enter",
            corrected,
            target_p95_ms=TARGET_KEY_P95_MS,
            reference=("plain text area", plain),
        ),
        Measurement.of_durations(
            "… row or column inserted",
            inserted + widened,
            target_longest_ms=TARGET_INSERTION_MS,
        ),
        Measurement("… changes that are not stored", CORRECTIONS + 2 * INSERTIONS - stored, "", 0),
    ]


def _stored_changes(root: Path, attempt: str) -> int:
    workspace = Workspace.open(root)
    events = list(SqlEventLog(workspace.engine).events(attempt))
    workspace.engine.dispose()
    return sum(isinstance(event.payload, TableEdited) for event in events)


@contextmanager
def table_workspace() -> Iterator[Path]:
    """A workspace with two tasks of one person: a small table, then the large one."""
    with tempfile.TemporaryDirectory(prefix="pagetrail-bench-") as folder:
        root = Path(folder)
        workspace = Workspace.create(root / "ws")
        (root / "pdfs").mkdir()
        with pymupdf.open() as document:
            document.new_page().insert_text((40, 40), "Harbour statistics")
            document.save(root / "pdfs" / DOCUMENT)
        ingest(workspace, [root / "pdfs"], ocr="never", workers=1)
        ensure_index(workspace)
        add_user(workspace, person_name(0), "annotator", PASSWORD)
        tasks = [_task("small", large_table(3, 4)), _task("large", large_table(ROWS, COLUMNS))]
        path = root / "tasks.jsonl"
        path.write_text("".join(json.dumps(task) + "\n" for task in tasks), encoding="utf-8")
        import_tasks(
            workspace,
            path,
            campaign="tables",
            protocol="verify_table",
            settings={"study.order": "batch"},
            batch_size=2,
            overlap=1,
        )
        person = find_person(workspace, person_name(0))
        for row in my_batches.assignments(workspace.engine, person.id):
            open_assignment(Services(workspace), person, row.assignment_id)
        workspace.engine.dispose()
        yield root / "ws"


def large_table(rows: int, columns: int) -> Grid:
    """Numbers under headers in two rows, of which the upper ones span two columns."""
    upper = [Cell(0, c, f"Harbour {c}", colspan=2, is_header=True) for c in range(0, columns, 2)]
    lower = [Cell(1, c, str(2020 + c % 2), is_header=True) for c in range(columns)]
    numbers = [
        Cell(row, column, f"{row * columns + column:,}")
        for row in range(2, rows)
        for column in range(columns)
    ]
    return Grid.from_cells([*upper, *lower, *numbers])


def _task(name: str, table: Grid) -> dict[str, object]:
    return {
        "id": name,
        "question": "Make the table say what the page says.",
        "candidates": [{"document": DOCUMENT, "page": 1}],
        "tables": [{"id": "t1", "html": table.to_html()}],
        "model": "grid-1",
    }


BENCHMARK = Benchmark("table_grid", measure)
