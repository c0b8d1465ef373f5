"""Points of charts: labels split and merged, printed numbers taken as values."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, expect

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


def number(screen: Screen, text: str) -> Locator:
    """The mark of a number that is printed on the page."""
    return screen.part("printed-numbers").locator(f"[data-number='{text}']")


def test_a_click_on_a_printed_number_puts_it_into_the_value(chart: Screen) -> None:
    """It is logged where it was printed; the focus stays, also after moving the page."""
    page = chart.page
    marks = chart.part("printed-numbers").locator("rect")
    expect(marks).to_have_count(0)
    value = cell(chart, 3, "value")
    value.focus()
    expect(chart.part("stage-hint")).to_contain_text("printed numbers are marked")
    number(chart, "17").click()
    expect(value).to_have_value("17")
    expect(value).to_be_focused()
    expect(row(chart, 3)).to_have_attribute("data-state", "changed")
    chart.part("page-pane").focus()
    number(chart, "42").click()
    expect(value).to_have_value("42")
    expect(value).to_be_focused()
    cell(chart, 3, "tolerance").focus()
    expect(marks).to_have_count(0)
    chart.wait_until_saved()
    copied = [event.fields() for event in of_type(chart.events(), "text_copied")]
    assert [(fields["text"], fields["to"]) for fields in copied] == [("17", "row"), ("42", "row")]
    x0, y0, x1, y1 = copied[0]["rect"]
    assert 0 < x0 < x1 < 420 and 0 < y0 < y1 < 560

    other = Screen(page.context.new_page(), chart.url, chart.events)
    other.page.goto(page.url)
    other.wait_until_ready()
    expect(cell(other, 3, "value")).to_have_value("42")
    cell(other, 3, "value").focus()
    number(other, "17").click()
    other.wait_until_saved()
    other.page.close()
    expect(value).to_have_value("17")
    page.reload()
    chart.wait_until_ready()
    expect(cell(chart, 3, "value")).to_have_value("17")
    chart.part("page-pane").focus()
    page.keyboard.press("Control+z")
    expect(cell(chart, 3, "value")).to_have_value("42")


def test_printed_numbers_are_chosen_by_keys(chart: Screen) -> None:
    """From the number that the value holds; Esc and typing choose none; Enter takes it."""
    page, hint = chart.page, chart.part("stage-hint")
    present = chart.part("printed-numbers").locator(".present")
    value = cell(chart, 1, "value")
    value.focus()
    expect(number(chart, "42")).to_have_count(1)
    page.keyboard.press("Alt+n")
    expect(present).to_have_attribute("data-number", "42")
    expect(hint).to_contain_text("42, 2 of ")
    page.keyboard.press("Escape")
    expect(present).to_have_count(0)
    expect(value).to_be_focused()
    page.keyboard.press("Alt+n")
    page.keyboard.press("ArrowDown")
    expect(present).to_have_attribute("data-number", "17")
    page.keyboard.press("Enter")
    expect(value).to_have_value("17")
    expect(hint).to_have_text("The value is now 17.")
    expect(value).to_be_focused()
    page.keyboard.press("Enter")
    expect(cell(chart, 2, "value")).to_be_focused()
    page.keyboard.press("Alt+n")
    expect(present).to_have_count(1)
    page.keyboard.press("End")
    page.keyboard.type("8")
    page.keyboard.press("Enter")
    expect(cell(chart, 2, "value")).to_have_value("578")
    expect(cell(chart, 3, "value")).to_be_focused()
    chart.wait_until_saved()
    assert [event.fields()["text"] for event in of_type(chart.events(), "text_copied")] == ["17"]
    assert {row.values["value"] for row in rows(chart).values()} == {"17", "578", "71"}


def test_a_page_without_words_says_why_no_number_is_offered(chart: Screen) -> None:
    """When the value gets the focus, and again by key."""
    hint = chart.part("stage-hint")
    chart.page.route("**/words?*", lambda route: route.fulfill(json={"words": []}))
    chart.page.reload()
    chart.wait_until_painted(SURVEY, 1)
    cell(chart, 1, "value").focus()
    expect(hint).to_contain_text("This page has no text, and none was recognised")
    chart.page.keyboard.press("Escape")
    cell(chart, 2, "value").focus()
    chart.page.keyboard.press("Alt+n")
    expect(hint).to_contain_text("no numbers are offered. Type the value.")
    expect(cell(chart, 2, "value")).to_be_focused()
