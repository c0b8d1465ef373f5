"""A supervisor excludes a task: the annotator's list, progress and review follow, and come back."""

from __future__ import annotations

from pathlib import Path

import pyarrow.parquet as pq
from playwright.sync_api import expect

from pagetrail.exports.run import export
from pagetrail.storage.database.workspace import Workspace
from tests.e2e.conftest import OpenScreen
from tests.e2e.support.review_steps import submit_answer
from tests.e2e.support.screen import press, wait_until_drawn
from tests.e2e.support.small_workspace import CAMPAIGN

REASON = "two answers are right"


def test_an_excluded_task_leaves_and_comes_back(
    screen_of: OpenScreen, workspace: Workspace, tmp_path: Path
) -> None:
    """Whoever is at it is told, and what they type is stored; lists and reports count without it
    until it is included again."""
    submit_answer(workspace, "bruno", "q1", "42", (1,))
    alma = screen_of("alma", "q1")
    home = screen_of("alma", context=alma.page.context).page
    expect(home.get_by_text("7 tasks left in 3 open batches.")).to_be_visible()
    page = screen_of("sven", path="/administration?part=Campaigns").page
    press(page.get_by_role("combobox", name="Campaign"))
    press(page.get_by_role("option", name=CAMPAIGN, exact=True))
    press(page.get_by_text("Tasks", exact=True).last)
    table = page.get_by_test_id("stDataFrame").last
    expect(table.get_by_test_id("glide-cell-1-0")).to_have_text("q1")
    wait_until_drawn(page)
    table.click(position={"x": 16, "y": 36 + 17})
    press(page.get_by_role("button", name="Exclude…"))
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("textbox", name="Reason").fill(REASON)
    dialog.get_by_role("textbox", name="Reason").press("Tab")
    press(dialog.get_by_role("button", name="Exclude"))
    expect(page.get_by_text("Task q1 is excluded. 2 attempts at it are kept.")).to_be_visible()
    expect(page.get_by_text("Excluded from results by sven on")).to_contain_text(REASON)
    expect(page.get_by_text("Excluded only (1)")).to_be_visible()

    expect(alma.part("banner-excluded")).to_contain_text("counts in no results")
    alma.search("otters")
    alma.has("searched")
    expect(alma.part("task-next")).to_be_enabled()
    home.reload()
    expect(home.get_by_text("6 tasks left in 3 open batches.")).to_be_visible()
    assert "q1" not in _tasks(workspace, tmp_path / "without")
    progress = screen_of("sven", context=page.context, path="/").page
    expect(progress.get_by_text("Excluded: 1 task, which counts nowhere here.")).to_be_visible()
    progress.goto(f"{alma.url}/reviewing?task=1")
    notice = progress.get_by_test_id("excluded")
    expect(notice).to_contain_text("by sven")
    expect(notice).to_contain_text(f"{REASON} · Decisions on it are stored, but count only if")

    press(page.get_by_role("button", name="Include again…"))
    dialog.get_by_role("textbox", name="Reason").fill("settled")
    dialog.get_by_role("textbox", name="Reason").press("Tab")
    press(dialog.get_by_role("button", name="Include again"))
    expect(page.get_by_text("Task q1 counts again.")).to_be_visible()
    expect(alma.part("banner-excluded")).to_have_count(0)
    home.reload()
    expect(home.get_by_text("7 tasks left in 3 open batches.")).to_be_visible()
    assert "q1" in _tasks(workspace, tmp_path / "with")


def _tasks(workspace: Workspace, out: Path) -> set[str]:
    """The tasks in the export of scores."""
    export(workspace, CAMPAIGN, "scores", out)
    return set(pq.read_table(out / "scores.parquet").column("task").to_pylist())
