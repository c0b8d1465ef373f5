"""Two people whose tables differ: they are merged by keyboard, and exports have the gold."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Locator, expect

from pagetrail.annotation.events import Event
from pagetrail.exports.run import export
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.accounts import add_user
from tests.e2e.support.review_steps import SECOND, Review, gold_events, plant_page, review_of
from tests.e2e.support.screen import Watch
from tests.e2e.support.server_process import ServerProcess
from tests.e2e.support.small_workspace import PASSWORD, STUDY

pytestmark = pytest.mark.browser

CAMPAIGN = "Tables"
PAGE = {"document": STUDY, "page": 1}
MARKUP = '<img src="x" onerror="document.title=1">'
HTML = (
    "<table><tr><td>River</td><td>2004</td></tr><tr><td>Saale</td><td>1O</td></tr>"
    "<tr><td>Ilm</td><td>3</td></tr></table>"
)


def text_change(row: int, column: int, was: str, text: str) -> dict[str, Any]:
    return {"kind": "text", "row": row, "column": column, "was": was, "text": text}


CHANGES: dict[str, list[dict[str, Any]]] = {
    "alma": [
        text_change(1, 1, "1O", "10"),
        {"kind": "header", "cells": [[0, 0], [0, 1]], "header": True},
    ],
    "bruno": [
        text_change(1, 1, "1O", MARKUP),
        {
            "kind": "insert",
            "axis": "row",
            "at": 2,
            "cells": [
                {"row": 2, "column": 0, "text": "Unstrut", "added": True},
                {"row": 2, "column": 1, "text": "7", "added": True},
            ],
        },
    ],
}


@pytest.fixture
def task(workspace: Workspace) -> int:
    """The task, and a second supervisor; planted before the server starts."""
    add_user(workspace, SECOND, "supervisor", PASSWORD)
    answers = [("field_set", {"field": name, "value": "yes"}) for name in ("complete", "records")]
    place = {**PAGE, "table": "counts", "structure": 0}
    edits = {
        name: [*(("table_edited", {**place, "change": change}) for change in changes), *answers]
        for name, changes in CHANGES.items()
    }
    task_fields = {"tables": [{"id": "counts", "html": HTML}]}
    return plant_page(workspace, CAMPAIGN, "verify_table", task_fields, edits)


@pytest.fixture
def open_review(
    task: int,
    new_context: Callable[..., BrowserContext],
    server: ServerProcess,
    stored: Callable[[str], list[Event]],
    watch: Watch,
) -> Callable[..., Review]:
    """Opens the task under review in a new tab, as ``sven`` unless somebody else is named."""
    watch.allow(r"/review(ing)?/_stcore/")
    return lambda name="sven": review_of(new_context(), server.url, stored, name, task)


def tab_to(screen: Review, target: Locator) -> None:
    """Press Tab until the target has the focus."""
    for _ in range(40):
        if target.evaluate("element => element === element.getRootNode().activeElement"):
            return
        screen.press("Tab")
    raise AssertionError("Tab does not lead there.")


def test_tables_are_merged_by_keyboard_and_exported(
    open_review: Callable[..., Review], task: int, workspace: Workspace, tmp_path: Path
) -> None:
    """A row of one, the header of the other and a text of neither; markup stays text."""
    screen = open_review()
    progress = screen.part("table-progress")
    expect(progress).to_have_text("0 of 3 differences decided")
    gap = screen.page.locator("[data-part=tables]").get_by_test_id("gap")
    expect(gap).to_contain_text("Decide every difference")
    table = screen.part("merged-table")
    expect(table).to_contain_text(MARKUP)
    expect(table.locator("img")).to_have_count(0)
    next_open = screen.part("next-difference")
    next_open.focus()
    screen.press("Enter")
    header = screen.part("difference").nth(0)
    expect(header.get_by_test_id("take-left")).to_be_focused()
    expect(header.get_by_test_id("take-left")).to_have_text("header")
    screen.press("Enter")
    expect(progress).to_have_text("1 of 3 differences decided")
    text, row = screen.part("difference").nth(1), screen.part("difference").nth(2)
    tab_to(screen, text.get_by_test_id("write-text"))
    screen.press("Enter")
    expect(screen.part("written-text")).to_be_focused()
    screen.press("Control+a")
    screen.page.keyboard.type("10 <b>")
    tab_to(screen, screen.part("written-done"))
    screen.press("Enter")
    expect(progress).to_have_text("2 of 3 differences decided")
    tab_to(screen, row.get_by_test_id("take-right"))
    expect(row).to_contain_text("only 2 bruno")
    screen.press("Enter")
    expect(progress).to_have_text("3 of 3 differences decided")
    expect(screen.gold("tables")).to_contain_text("4 rows")
    screen.page.reload()
    screen.wait_for_task(task)
    expect(progress).to_have_text("3 of 3 differences decided")
    screen.press("Control+Enter")
    gold_events(workspace, screen.page, task, "adjudicated")
    (merged,) = gold_events(workspace, screen.page, task, "gold_merged")
    (choice,) = (choice for choice in merged.fields()["choices"] if choice["part"] == "tables")
    kinds = [decision["decision"] for decision in choice["text_decisions"]]
    assert kinds == ["left", "edited", "right"]
    export(workspace, CAMPAIGN, "pages", tmp_path / "pages", gold="adjudicated")
    (file,) = (tmp_path / "pages").rglob("*.csv")
    assert file.read_text("utf-8") == "River,2004\nSaale,10 <b>\nUnstrut,7\nIlm,3\n"
    export(workspace, CAMPAIGN, "adjudicated", tmp_path / "gold")
    (line,) = (tmp_path / "gold" / "gold.jsonl").read_text("utf-8").splitlines()
    (gold_table,) = json.loads(line)["gold"]["tables"]
    assert "<th>River</th>" in gold_table["html"]
    assert "<td>10 &lt;b&gt;</td>" in gold_table["html"]


def test_a_decision_in_another_tab_is_not_overwritten(
    open_review: Callable[..., Review], task: int, workspace: Workspace, watch: Watch
) -> None:
    watch.allow(r"409 POST .*/decide", r"status of 409")
    first, second = open_review(), open_review()
    for screen, side in ((first, "left"), (second, "right")):
        screen.part(f"rest-{side}").click()
        expect(screen.part("table-progress")).to_have_text("3 of 3 differences decided")
    first.press("Control+Enter")
    (merged,) = gold_events(workspace, first.page, task, "gold_merged")
    gold_events(workspace, first.page, task, "adjudicated")
    second.press("Control+Enter")
    expect(second.part("banners").first).to_contain_text("sven has decided this task")
    (stored,) = gold_events(workspace, second.page, task, "gold_merged")
    assert stored == merged
    (table,) = stored.fields()["tables"]
    assert [cell["text"] for cell in table["cells"]] == ["River", "2004", "Saale", "10", "Ilm", "3"]


def test_a_second_reviewer_is_told_who_has_the_table_and_loses_nothing(
    open_review: Callable[..., Review], task: int, workspace: Workspace, watch: Watch
) -> None:
    """Sven decides while Sigrid has the table open; then it is decided, and she is told."""
    watch.allow(r"409 POST .*/(take|decide|draft)", r"status of 409")
    sven, sigrid = open_review(), open_review(SECOND)
    sven.part("rest-left").click()
    expect(sven.part("holder")).to_have_text("Taken by you")
    sigrid.part("rest-right").click()
    expect(sigrid.part("table-progress")).to_have_text("3 of 3 differences decided")
    expect(sigrid.part("banners").first).to_contain_text("sven took this task")
    sven.press("Control+Enter")
    (merged,) = gold_events(workspace, sven.page, task, "gold_merged")
    gold_events(workspace, sven.page, task, "adjudicated")
    sigrid.press("Control+Enter")
    expect(sigrid.part("banners").first).to_contain_text("sven has decided this task")
    (stored,) = gold_events(workspace, sigrid.page, task, "gold_merged")
    assert stored == merged
