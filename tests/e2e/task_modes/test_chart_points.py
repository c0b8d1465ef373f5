"""Points of charts: labels split and merged."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.e2e.support.preset_workspace import CHART, SURVEY
from tests.e2e.support.record_steps import cell, choose, row, rows
from tests.e2e.support.reused_tab import TaskOf
from tests.e2e.support.screen import Screen, of_type

LABELS = ["Saale; spring", "Saale; autumn", "Unstrut; spring"]
MERGED = ["Saale spring", "Saale autumn", "Unstrut spring"]


@pytest.fixture
def chart(task_of: TaskOf) -> Screen:
    """The task of the chart's points."""
    chart = task_of("otters", CHART)
    chart.wait_until_painted(SURVEY, 1)
    return chart


def expect_labels(screen: Screen, *labels: str) -> None:
    """The labels on screen, by row."""
    for number, text in enumerate(labels, start=1):
        expect(cell(screen, number, "labels")).to_have_value(text)


def test_labels_of_all_points_are_merged_and_split_by_mouse(chart: Screen) -> None:
    """One step each; points that nobody has judged stay open; reload keeps what can be undone."""
    page = chart.page
    choose(chart, 1, "verdict", "right")
    expect(row(chart, 1).get_by_test_id("labels-split")).to_be_disabled()
    row(chart, 1).get_by_test_id("labels-merge").click()
    expect(chart.part("labels-choice").locator("label")).to_have_text(
        ["Saale + spring", "spring + Saale"]
    )
    chart.part("labels-scope").get_by_label("All rows like it (3 rows)").check()
    expect(chart.part("labels-preview").locator("li")).to_have_count(3)
    chart.part("labels-apply").click()
    expect_labels(chart, *MERGED)
    expect(cell(chart, 1, "verdict")).to_have_attribute("data-value", "corrected")
    expect(chart.part("records-count")).to_have_text("1 of 3 decided")
    (merged,) = chart.has("rows_set")
    assert merged.fields()["rows"]["r2"] == {"labels": "Saale autumn"}

    row(chart, 2).get_by_test_id("labels-split").click()
    chart.part("labels-scope").get_by_label("All rows like it (3 rows)").check()
    chart.part("labels-preview").locator("li").nth(2).get_by_role("checkbox").uncheck()
    chart.part("labels-apply").click()
    expect_labels(chart, *LABELS[:2], MERGED[2])
    chart.wait_until_saved()

    page.reload()
    chart.wait_until_ready()
    expect_labels(chart, *LABELS[:2], MERGED[2])
    chart.part("page-pane").focus()
    page.keyboard.press("Control+z")
    expect_labels(chart, *MERGED)
    page.keyboard.press("Control+z")
    expect_labels(chart, *LABELS)
    expect(cell(chart, 1, "verdict")).to_have_attribute("data-value", "right")
    page.keyboard.press("Control+Shift+z")
    expect_labels(chart, *MERGED)
    chart.wait_until_saved()
    assert [row.values["labels"] for row in rows(chart).values()] == MERGED


def test_labels_of_one_point_are_merged_and_split_by_keys(chart: Screen) -> None:
    """From the cell that is typed in; what was just typed counts; the focus comes back."""
    page = chart.page
    labels = cell(chart, 2, "labels")
    labels.focus()
    page.keyboard.press("End")
    page.keyboard.type(" 2024")
    page.keyboard.press("Alt+m")
    expect(chart.part("labels-choice").locator("input").first).to_be_focused()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(chart.part("labels-dialog")).to_have_count(0)
    expect(labels).to_have_value("autumn 2024 Saale")
    expect(labels).to_be_focused()
    page.keyboard.press("Alt+s")
    page.keyboard.press("Escape")
    expect(labels).to_have_value("autumn 2024 Saale")
    page.keyboard.press("Alt+s")
    expect(chart.part("labels-choice").locator("label")).to_have_text(
        ["autumn | 2024 Saale", "autumn 2024 | Saale"]
    )
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(labels).to_have_value("autumn 2024; Saale")
    chart.wait_until_saved()
    assert [event.type for event in of_type(chart.events(), "row_set")] == ["row_set"] * 3
    assert rows(chart)["r2"].values["verdict"] == "corrected"
    assert not of_type(chart.events(), "rows_set")


def test_labels_changed_in_another_tab_are_not_overwritten_by_undoing(chart: Screen) -> None:
    """The other tab shows the new labels; what was changed since is not undone."""
    page = chart.page
    row(chart, 1).get_by_test_id("labels-merge").click()
    chart.part("labels-scope").get_by_label("All rows like it (3 rows)").check()
    chart.part("labels-apply").click()
    chart.wait_until_saved()
    other = Screen(page.context.new_page(), chart.url, chart.events)
    other.page.goto(page.url)
    other.wait_until_ready()
    expect_labels(other, *MERGED)
    cell(other, 2, "labels").fill("Saale in autumn")
    cell(other, 2, "labels").press("Enter")
    other.wait_until_saved()
    other.page.close()
    expect(cell(chart, 2, "labels")).to_have_value("Saale in autumn")
    chart.part("page-pane").focus()
    page.keyboard.press("Control+z")
    expect_labels(chart, *MERGED)
    page.keyboard.press("Control+z")
    expect_labels(chart, *LABELS)
