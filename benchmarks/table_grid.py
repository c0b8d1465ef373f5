"""A large table in a real browser: opened, moved in, corrected, and given rows and columns.

The table has 200 rows and 40 columns, with merged headers. Opening is from the click on the task
until its first cells are painted. The reference of a key is the same key in an empty text area.
"""

from __future__ import annotations

from benchmarks.harness import Benchmark, Measurement, Setup
from benchmarks.key_paints import (
    click_paints,
    key_paints,
    page_workspace,
    plain_paints,
    seconds_to_open,
    stored_payloads,
    watch_paints,
)
from benchmarks.support import attempts_by_task, browser, person_name, serving, signed_in_page
from pagetrail.annotation.events.tables import TableEdited
from pagetrail.annotation.tables.grid import Cell, Grid

ROWS, COLUMNS = 200, 40
CORRECTIONS = 20
INSERTIONS = 10
TARGET_OPENING_MS = 300
TARGET_KEY_P95_MS = 50
TARGET_INSERTION_MS = 150


def measure(_setup: Setup) -> list[Measurement]:
    """Open the table, walk through it, correct cells, and insert rows and columns."""
    tasks = [_task("small", large_table(3, 4)), _task("large", large_table(ROWS, COLUMNS))]
    with (
        page_workspace("verify_table", "Harbour statistics", tasks) as root,
        browser() as chromium,
        serving(root) as server,
    ):
        page = signed_in_page(chromium, server, person_name(0))
        attempts = attempts_by_task(root, person_name(0))
        small, large = attempts["small"], attempts["large"]
        is_open = f"node.ariaRowCount === '{ROWS}'"
        openings = seconds_to_open(page, server, (small, large), "table-grid", is_open)
        watch_paints(page)
        page.locator("[data-cell='5,2']").click()
        moved = key_paints(page, ["ArrowDown"] * 60 + ["ArrowRight"] * 36 + ["ArrowUp"] * 30)
        far = key_paints(page, ["Control+End", "Control+Home"] * 10, pause_ms=200)
        page.keyboard.press("Control+Home")
        page.keyboard.press("PageDown")
        corrected = key_paints(page, ["Enter", "7", "Enter"] * CORRECTIONS)
        inserted = click_paints(page, "row-below", INSERTIONS)
        widened = click_paints(page, "column-right", INSERTIONS)
        stored = sum(isinstance(p, TableEdited) for p in stored_payloads(root, large))
        plain = plain_paints(page, ["7"] * CORRECTIONS)
        page.context.close()
    return [
        Measurement.of_durations(
            f"table of {ROWS} × {COLUMNS} cells: opened",
            openings,
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
        "tables": [{"id": "t1", "html": table.to_html()}],
        "model": "grid-1",
    }


BENCHMARK = Benchmark("table_grid", measure)
