"""Tables of records: chart points corrected cell by cell, transcript patches decided one by one."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.e2e.support.preset_workspace import CHANGES, CHART, PATCHES, RIVERS, SURVEY, TRIED
from tests.e2e.support.readiness import click_verdict
from tests.e2e.support.record_steps import cell, choose, row, rows
from tests.e2e.support.reused_tab import TaskOf
from tests.e2e.support.screen import Screen, of_type


@pytest.fixture
def chart(task_of: TaskOf) -> Screen:
    """The task of the chart's points."""
    chart = task_of("otters", CHART)
    chart.wait_until_painted(SURVEY, 1)
    return chart


@pytest.fixture
def patches(task_of: TaskOf) -> Screen:
    """The task of the transcript's patches."""
    patches = task_of("survey", PATCHES)
    patches.wait_until_painted(SURVEY, 1)
    return patches


def test_points_of_a_chart_from_first_to_last(chart: Screen) -> None:
    """Corrected, added, deleted and restored rows; only changed cells are sent; the model stays."""
    page = chart.page
    expect(chart.part("records-count")).to_have_text("0 of 3 decided")
    expect(cell(chart, 1, "labels")).to_have_value("Saale; spring")
    cell(chart, 3, "value").fill("17")
    expect(row(chart, 3)).to_contain_text("Model: 71")
    cell(chart, 3, "value").press("Enter")
    expect(row(chart, 3)).to_have_attribute("data-state", "changed")
    (edited,) = chart.has("row_set")
    changed = {"value": "17", "verdict": "corrected"}
    assert edited.fields() | {"row": "r3", "values": changed} == edited.fields()
    choose(chart, 3, "verdict", "right")
    expect(chart.part("records")).to_contain_text("from what the model read, so it is “corrected”.")

    choose(chart, 1, "verdict", "right")
    cell(chart, 2, "verdict").locator("button").first.focus()
    chart.judge("r")
    expect(chart.part("records-count")).to_have_text("3 of 3 decided")
    expect(row(chart, 1)).to_have_attribute("data-state", "given")

    chart.part("row-add").click()
    expect(cell(chart, 4, "labels")).to_be_focused()
    page.keyboard.type("Unstrut; autumn")
    cell(chart, 4, "value").fill("23")
    cell(chart, 4, "value").press("Shift+Enter")
    expect(cell(chart, 3, "value")).to_be_focused()
    choose(chart, 4, "verdict", "corrected")
    expect(row(chart, 4)).to_have_attribute("data-state", "added")

    click_verdict(row(chart, 2).get_by_test_id("row-delete"))
    expect(row(chart, 2)).to_have_attribute("data-state", "deleted")
    row(chart, 2).get_by_test_id("row-restore").click()
    expect(row(chart, 2)).to_have_attribute("data-state", "given")
    click_verdict(row(chart, 2).get_by_test_id("row-delete"))
    chart.wait_until_saved()

    page.reload()
    chart.wait_until_ready()
    expect(chart.part("row")).to_have_count(4)
    expect(cell(chart, 3, "value")).to_have_value("17")
    expect(row(chart, 2)).to_have_attribute("data-state", "deleted")
    option = chart.part("option").and_(page.locator("[data-value=yes]"))
    click_verdict(option)
    attempt = chart.attempt
    chart.part("submit").click()
    chart.part("confirm-submit").click()
    chart.has("submitted", attempt=attempt)

    stored = rows(chart, attempt)
    new = next(name for name in stored if not name.startswith("r") or "-" in name)
    assert {name: row.deleted for name, row in stored.items()} == {
        "r1": False,
        "r2": True,
        "r3": False,
        new: False,
    }
    assert stored["r3"].values == {
        "labels": "Unstrut; spring",
        "value": "17",
        "tolerance": "1",
        "verdict": "corrected",
    }
    assert stored["r3"].model == {"labels": "Unstrut; spring", "value": "71", "tolerance": "1"}
    assert stored[new].values == {
        "labels": "Unstrut; autumn",
        "value": "23",
        "verdict": "corrected",
    }
    (seeded,) = of_type(chart.events(attempt), "rows_seeded")
    assert [row["values"]["value"] for row in seeded.fields()["rows"]] == ["42", "57", "71"]


def test_invalid_value_stays_in_its_cell(chart: Screen) -> None:
    """A number that is none is named, kept, not recorded, and is in the way of submitting."""
    tolerance = cell(chart, 2, "tolerance")
    tolerance.fill("about 1")
    tolerance.press("Enter")
    expect(row(chart, 2)).to_contain_text("“about 1” is not a number.")
    for number in (1, 2, 3):
        choose(chart, number, "verdict", "right")
    click_verdict(chart.part("option").and_(chart.page.locator("[data-value=yes]")))
    chart.part("submit").click()
    expect(tolerance).to_be_focused()
    expect(chart.part("submit-dialog")).to_have_count(0)
    tolerance.fill("1.5")
    chart.part("submit").click()
    expect(chart.part("submit-dialog")).to_be_visible()
    chart.wait_until_saved()
    assert rows(chart)["r2"].values["tolerance"] == "1.5"
    sent = [event.fields()["values"] for event in of_type(chart.events(), "row_set")]
    assert all("about" not in str(values) for values in sent)


def test_a_row_without_its_cells_is_missing(chart: Screen) -> None:
    """What is missing is said by the table's name, and the link leads to the row."""
    choose(chart, 1, "verdict", "right")
    chart.part("submit").click()
    expect(chart.part("missing-data_points")).to_contain_text(
        "2 rows without Labels, Value, Judged"
    )
    chart.part("fix-data_points").click()
    expect(cell(chart, 2, "verdict").locator("button").first).to_be_focused()


def test_cells_of_a_lost_tab_come_back(chart: Screen) -> None:
    """Leaving in the middle of a cell loses nothing; nor does a crash."""
    page = chart.page
    cell(chart, 1, "value").fill("43")
    page.reload()
    chart.wait_until_ready()
    expect(cell(chart, 1, "value")).to_have_value("43")
    chart.has("row_set")
    draft = {"text": "Saale; Spring", "base": "Saale; spring", "seq": 0}
    page.evaluate(
        """([attempt, draft]) => {
            const key = `pagetrail:draft:${attempt}:cell:data_points:r1:labels`;
            localStorage.setItem(key, JSON.stringify(draft));
        }""",
        [chart.attempt, draft],
    )
    page.reload()
    chart.wait_until_ready()
    expect(cell(chart, 1, "labels")).to_have_value("Saale; Spring")
    chart.has("row_set", 2)
    chart.wait_until_saved()
    assert rows(chart)["r1"].values["labels"] == "Saale; Spring"
    left = page.evaluate("Object.keys(localStorage).filter((key) => key.includes(':cell:'))")
    assert left == []


def test_patches_are_decided_one_by_one(patches: Screen) -> None:
    """Differences are marked; a decision leads to the next row; comments are kept."""
    page = patches.page
    expect(cell(patches, 1, "old").locator("del")).to_have_text("p1ace")
    expect(cell(patches, 1, "new").locator("ins")).to_have_text("place")
    expect(patches.part("row-add")).to_be_hidden()
    expect(row(patches, 1).get_by_test_id("row-delete")).to_be_hidden()
    page.keyboard.press("j")
    expect(cell(patches, 1, "decision").locator("button").first).to_be_focused()
    patches.judge("a")
    expect(cell(patches, 2, "decision").locator("button").first).to_be_focused()
    expect(patches.part("records-count")).to_have_text("1 of 3 decided")
    page.keyboard.press("ArrowDown")
    expect(cell(patches, 3, "decision").locator("button").first).to_be_focused()
    patches.judge("a")
    expect(cell(patches, 2, "decision").locator("button").first).to_be_focused()
    choose(patches, 2, "decision", "reject")
    expect(row(patches, 2)).to_be_in_viewport()
    cell(patches, 2, "comment").fill("the page says counties")
    expect(patches.part("records-count")).to_have_text("3 of 3 decided")
    attempt = patches.attempt
    patches.part("submit").click()
    patches.part("confirm-submit").click()
    patches.has("submitted", attempt=attempt)
    stored = rows(patches, attempt)
    decisions = {name: row.values["decision"] for name, row in stored.items()}
    assert decisions == {"r1": "approve", "r2": "reject", "r3": "approve"}
    assert stored["r2"].values["comment"] == "the page says counties"
    assert [stored[f"r{n}"].model for n in (1, 2, 3)] == CHANGES


def test_first_open_row_has_the_focus_and_alone_prints_keys(task_of: TaskOf) -> None:
    """Its letters work on arrival and lead to the next row; without the focus none is printed."""
    patches = task_of("survey", PATCHES)
    patches.wait_until_painted(SURVEY, 1)
    printed = patches.part("records").locator("kbd:visible")
    expect(cell(patches, 1, "decision").locator("button").first).to_be_focused()
    expect(printed).to_have_count(2)
    patches.judge("r")
    expect(cell(patches, 1, "decision")).to_have_attribute("data-value", "reject")
    expect(cell(patches, 2, "decision").locator("button").first).to_be_focused()
    expect(row(patches, 2).locator("kbd:visible")).to_have_count(2)
    expect(printed).to_have_count(2)
    patches.part("page-pane").focus()
    expect(printed).to_have_count(0)


def test_chart_and_trajectory_begin_in_their_first_row(task_of: TaskOf) -> None:
    """The letter of a judgement works at once, and on the row that shows it."""
    chart = task_of("otters", CHART)
    chart.wait_until_painted(SURVEY, 1)
    expect(cell(chart, 1, "verdict").locator("button").first).to_be_focused()
    chart.judge("r")
    expect(cell(chart, 1, "verdict")).to_have_attribute("data-value", "right")
    steps = task_of("otters", TRIED)
    steps.wait_until_painted(RIVERS, 1)
    expect(cell(steps, 1, "mark").locator("button").first).to_be_focused()
    steps.judge("u")
    expect(cell(steps, 1, "mark")).to_have_attribute("data-value", "useful")
    expect(cell(steps, 2, "mark").locator("button").first).to_be_focused()


def test_rows_are_moved_by_key_and_button_and_moved_back(chart: Screen) -> None:
    """The cell keeps the focus, and the order is the server's."""
    labels = [cell(chart, number, "labels").input_value() for number in (1, 2, 3)]
    cell(chart, 1, "value").focus()
    chart.page.keyboard.press("Alt+ArrowDown")
    expect(cell(chart, 2, "labels")).to_have_value(labels[0])
    expect(cell(chart, 2, "value")).to_be_focused()

    row(chart, 3).get_by_test_id("row-up").click()
    expect(cell(chart, 2, "labels")).to_have_value(labels[2])
    chart.wait_until_saved()
    assert list(rows(chart)) == ["r2", "r3", "r1"]

    chart.page.keyboard.press("Control+z")
    chart.page.keyboard.press("Control+z")
    for number, text in enumerate(labels, start=1):
        expect(cell(chart, number, "labels")).to_have_value(text)
