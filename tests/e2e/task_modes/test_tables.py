"""The grid of a table: keys, large tables, interruptions, two tabs, and a model's next round."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from pagetrail.annotation.attempts.state import fold
from pagetrail.annotation.attempts.table_state import Table
from pagetrail.storage.attempts import queries
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.tables.importer import import_tables
from tests.e2e.support.preset_workspace import (
    LARGE_COLUMNS,
    LARGE_ROWS,
    MERGED_COUNTS,
    SURVEY,
    TABLES,
)
from tests.e2e.support.readiness import click_verdict
from tests.e2e.support.reused_tab import TaskOf
from tests.e2e.support.screen import Screen, Watch
from tests.e2e.support.server_process import CONNECTION_LOST, ServerProcess
from tests.e2e.support.small_workspace import IMAGE

_ROWS_AND_SPANS = """(table) => {
  const [body] = table.tBodies;
  return [
    [...body.rows].filter((row) => row.ariaRowIndex !== null).length,
    [...body.querySelectorAll("th")].reduce((sum, header) => sum + header.rowSpan, 0),
  ];
}"""
"""How many rows are drawn, and how many the cells of the first column span, at one moment."""


@pytest.fixture
def screen(task_of: TaskOf) -> Screen:
    """The task of the small table, its page painted."""
    screen = task_of("merged", TABLES)
    screen.wait_until_painted(SURVEY, 1)
    expect(screen.part("table-grid")).to_be_visible()
    return screen


def cell(screen: Screen, row: int, column: int) -> Locator:
    """A cell by its place, counted from 0."""
    return screen.part("table-grid").locator(f"[data-cell='{row},{column}']")


def press(screen: Screen, *keys: str) -> None:
    """Press keys one after the other."""
    for key in keys:
        screen.page.keyboard.press(key)


def correct(screen: Screen, row: int, column: int, text: str) -> None:
    """Type another text into a cell, without leaving it."""
    cell(screen, row, column).click()
    press(screen, "Enter")
    expect(screen.part("cell-editor")).to_be_focused()
    press(screen, "Control+a")
    screen.page.keyboard.type(text)


def stored_table(screen: Screen) -> Table:
    """The table as stored once everything is saved."""
    screen.wait_until_saved()
    return fold(screen.events()).tables.tables[0]


def stored_text(screen: Screen, row: int, column: int) -> str:
    """The stored text of a cell."""
    cells = stored_table(screen).cells
    (text,) = (c.text for c in cells if (c.row, c.column) == (row, column))
    return text


def test_typing_survives_a_reload_and_its_undo_too(screen: Screen) -> None:
    """A reload in the middle of typing keeps the text; undo leads back to the model's table."""
    cell(screen, 2, 1).click()
    press(screen, "Shift+ArrowRight", "m")
    (merged,) = screen.has("table_edited")
    correct(screen, 3, 1, "177")
    screen.page.reload()
    screen.wait_until_ready()
    screen.has("table_edited", 2)
    expect(cell(screen, 3, 1)).to_have_text("177")
    expect(cell(screen, 2, 1)).to_have_text("42 51")
    assert stored_text(screen, 3, 1) == "177"
    cell(screen, 3, 1).click()
    press(screen, "Control+z", "Control+z")
    expect(cell(screen, 3, 1)).to_have_text("17")
    expect(cell(screen, 2, 2)).to_have_text("51")
    undone = screen.has("table_edited", 4)[-1]
    assert undone.fields()["undoes"] == merged.client_event_id
    assert stored_text(screen, 2, 1) == "42"


@pytest.mark.parametrize("kind", ["offline", "killed"])
def test_work_goes_on_without_connection(
    kind: str, screen: Screen, watch: Watch, server: ServerProcess
) -> None:
    """What is typed and flagged meanwhile is stored once, whether network or server was gone."""
    watch.allow(*CONNECTION_LOST)
    context = screen.page.context
    context.set_offline(True) if kind == "offline" else server.kill()
    correct(screen, 2, 2, "52")
    press(screen, "Enter")
    expect(cell(screen, 3, 2)).to_be_focused()
    press(screen, "f")
    expect(screen.part("cell-flag-note")).to_be_focused()
    screen.page.keyboard.type("The page says 17.")
    press(screen, "Control+Enter")
    expect(cell(screen, 3, 2)).to_have_attribute("data-flagged", "true")
    expect(screen.part("table-flags")).to_have_text("1 flag")
    context.set_offline(False) if kind == "offline" else server.start()
    screen.has("cell_flagged")
    assert len(screen.has("table_edited")) == 1
    assert stored_text(screen, 2, 2) == "52"
    assert stored_table(screen).cells[-1].flag is not None


def test_a_change_of_another_tab_is_not_overwritten(screen: Screen, watch: Watch) -> None:
    """Both tabs show both texts; a change that no longer fits the table is refused, and said."""
    watch.allow(*CONNECTION_LOST, "ERR_FAILED")
    second = Screen(screen.page.context.new_page(), screen.url, screen.events)
    second.open(screen.attempt)
    correct(second, 2, 1, "43")
    press(second, "Enter")
    second.has("table_edited")
    screen.page.bring_to_front()
    expect(cell(screen, 2, 1)).to_have_text("43")
    second.page.route("**/pagetrail/attempts/**", lambda route: route.abort())
    correct(second, 3, 1, "18")
    press(second, "Enter")
    expect(second.part("connection")).not_to_have_text("Online")
    screen.part("column-right").click()
    screen.has("table_edited", 2)
    second.page.unroute("**/pagetrail/attempts/**")
    second.page.bring_to_front()
    expect(second.page.get_by_text("changed elsewhere meanwhile")).to_be_visible()
    expect(cell(second, 3, 2)).to_have_text("17")
    expect(second.part("table-grid")).to_have_attribute("aria-colcount", "4")
    second.page.close()
    screen.page.bring_to_front()
    assert stored_text(screen, 3, 2) == "17"
    assert stored_text(screen, 2, 2) == "43"


def test_the_next_round_asks_only_for_what_changed(
    screen: Screen, workspace: Workspace, tmp_path: Path
) -> None:
    """A model answers the flag: one cell waits for confirmation, and nothing else does."""
    attempt = screen.attempt
    cell(screen, 3, 2).click()
    press(screen, "f")
    expect(screen.part("cell-flag-note")).to_be_focused()
    screen.page.keyboard.type("The page says 17.")
    press(screen, "Control+Enter")
    for field in ("complete", "records"):
        option = f"[data-testid=option][data-field={field}][data-value=yes]"
        click_verdict(screen.page.locator(option))
    screen.part("submit").click()
    screen.part("confirm-submit").click()
    screen.has("submitted", attempt=attempt)
    row = queries.attempt(workspace.engine, attempt)
    answer = {
        "task": row.key,
        "tables_sha256": fold(screen.events(attempt)).tables.sha256,
        "model": "grid-2",
        "tables": [{"id": "t1", "html": MERGED_COUNTS.replace("<td>71", "<td>17")}],
    }
    (tmp_path / "fixed.jsonl").write_text(json.dumps(answer), encoding="utf-8")
    report = import_tables(workspace, tmp_path / "fixed.jsonl", campaign=row.campaign)
    assert (report.rounds.imported, report.changes) == (1, 1)

    screen.open(attempt)
    expect(screen.part("table-round")).to_have_text("Round 2")
    expect(screen.part("table-changes")).to_contain_text("1 change to confirm")
    expect(screen.part("table-grid").locator("[data-fix]")).to_have_count(1)
    screen.part("next-change").click()
    expect(cell(screen, 3, 2)).to_be_focused()
    expect(screen.part("cell-line")).to_contain_text("The page says 17.")
    screen.judge("c")
    screen.has("cell_confirmed")
    expect(screen.part("table-changes")).to_contain_text("Nothing left to confirm")
    expect(cell(screen, 3, 2)).to_be_focused()
    press(screen, "Control+Enter")
    expect(screen.part("confirm-submit")).to_be_focused()
    press(screen, "Enter")
    screen.has("submitted", 2, attempt=attempt)


def test_text_of_any_direction_and_markup_stays_text(screen: Screen) -> None:
    """Cells have the direction of their words; tags in them are shown as they are written."""
    hebrew = cell(screen, 3, 0).locator(".cell-text")
    assert hebrew.evaluate("(node) => getComputedStyle(node).direction") == "rtl"
    assert (
        cell(screen, 3, 1).locator(".cell-text").evaluate("(n) => getComputedStyle(n).direction")
        == "ltr"
    )
    expect(cell(screen, 2, 0)).to_have_text(f"Saale {IMAGE}")
    correct(screen, 3, 0, "ירדן <script>window.hacked = 1</script>")
    editor = screen.part("cell-editor")
    assert editor.evaluate("(node) => getComputedStyle(node).direction") == "rtl"
    press(screen, "Enter")
    assert stored_text(screen, 3, 0) == "ירדן <script>window.hacked = 1</script>"
    assert screen.part("tables").locator("img, script").count() == 0
    assert screen.page.evaluate("window.hacked") is None


def test_cells_that_are_not_drawn_are_found(task_of: TaskOf) -> None:
    """The focus stays in the field; Escape puts it on the cell that was found."""
    screen = task_of("large", TABLES)
    row, column = LARGE_ROWS - 2, LARGE_COLUMNS - 2
    wanted, field = cell(screen, row, column), screen.part("table-find")
    cell(screen, 4, 1).click()
    expect(wanted).not_to_be_attached()
    press(screen, "Control+f")
    expect(field).to_be_focused()
    screen.page.keyboard.type(f"{row}.")
    hits = screen.part("table-hits")
    expect(hits).to_have_text(f"{LARGE_COLUMNS - 1} hits")
    screen.page.keyboard.type(f"{column}")
    expect(hits).to_have_text("1 hit")
    expect(wanted).to_be_in_viewport()
    expect(wanted).to_have_attribute("aria-selected", "true")
    expect(field).to_be_focused()
    field.fill("column")
    expect(hits).to_have_text(f"{LARGE_COLUMNS} hits")
    expect(cell(screen, 0, 0)).to_have_attribute("aria-selected", "true")
    press(screen, "Enter", "Enter", "Shift+Enter")
    expect(cell(screen, 0, 1)).to_have_attribute("aria-selected", "true")
    press(screen, "Shift+Enter", "Shift+Enter")
    expect(cell(screen, 0, LARGE_COLUMNS - 1)).to_be_in_viewport()
    field.fill("nowhere")
    expect(hits).to_have_text("Not in the table")
    press(screen, "Escape")
    expect(field).not_to_be_attached()
    expect(cell(screen, 0, LARGE_COLUMNS - 1)).to_be_focused()


def test_a_large_table_is_drawn_where_it_is_read(task_of: TaskOf) -> None:
    """Keys reach every cell, and the focus stays with its cell wherever the table is scrolled."""
    screen = task_of("large", TABLES)
    grid = screen.part("table-grid")
    expect(grid).to_have_attribute("aria-rowcount", str(LARGE_ROWS))
    expect(grid).to_have_attribute("aria-colcount", str(LARGE_COLUMNS))
    assert grid.locator("tr").count() < LARGE_ROWS
    expect(grid.locator("thead th").first).to_have_text("Column 0")
    cell(screen, 4, 1).click()
    press(screen, "Control+End")
    last = cell(screen, LARGE_ROWS - 1, LARGE_COLUMNS - 1)
    expect(last).to_be_focused()
    expect(last).to_be_in_viewport()
    expect(last).to_have_attribute("aria-colindex", str(LARGE_COLUMNS))
    assert last.locator("..").get_attribute("aria-rowindex") == str(LARGE_ROWS)
    expect(grid.get_by_text("Column 0", exact=True)).to_be_attached()
    grid.locator("xpath=..").evaluate("(scroller) => scroller.scrollTo(0, 0)")
    expect(cell(screen, 1, 0)).to_be_in_viewport()
    expect(last).to_be_focused()
    press(screen, "Enter")
    expect(last).to_be_in_viewport()
    screen.page.keyboard.type("0")
    press(screen, "Enter")
    (edited,) = screen.has("table_edited")
    assert edited.fields()["change"]["was"] == f"{LARGE_ROWS - 1}.{LARGE_COLUMNS - 1}"
    press(screen, "Control+Home")
    expect(cell(screen, 0, 0)).to_be_focused()
    for _ in range(5):  # a cell of three rows is drawn wherever one of them is
        press(screen, "PageDown")
        drawn, spanned = grid.evaluate(_ROWS_AND_SPANS)
        assert spanned == drawn
