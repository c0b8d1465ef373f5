"""A supervisor sends a task file through the browser; hostile guidelines stay text in the preview.

What AppTest cannot show: Streamlit's door for files behind the server's own middleware, a click on
a row of a table that is drawn on a canvas, and what the browser makes of the preview.
"""

from __future__ import annotations

import json
from pathlib import Path

from playwright.sync_api import Page, expect

from pagetrail.storage.campaigns.lookup import list_campaigns, protocol_of_campaign
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.audit import audit_entries
from tests.e2e.conftest import OpenScreen
from tests.e2e.support.screen import press, wait_until_drawn
from tests.e2e.support.small_workspace import CAMPAIGN, REPORT


def administration(screen_of: OpenScreen, part: str) -> Page:
    """The supervisor's tab at a part of the administration."""
    page = screen_of("sven", path=f"/administration?part={part}").page
    expect(page.get_by_role("heading", name="Administration")).to_be_visible()
    return page


def test_a_campaign_is_made_from_a_file_that_is_sent(
    screen_of: OpenScreen, workspace: Workspace, tmp_path: Path
) -> None:
    """Sent, checked, confirmed: the tasks are stored, the bad row is named and left out."""
    rows = [
        {"id": "n1", "question": "One?", "evidence": [{"document": REPORT, "page": 1}]},
        {"id": "n2", "question": "Two?", "evidence": [{"document": REPORT, "page": 999}]},
    ]
    file = tmp_path / "questions.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    page = administration(screen_of, "Campaigns")
    press(page.get_by_role("button", name="New campaign"))
    page.get_by_role("textbox", name="Name").fill("Sent")
    page.get_by_role("textbox", name="Name").press("Tab")
    page.locator("input[type=file]").set_input_files(file)
    press(page.get_by_role("button", name="Check and create…"))
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("1 task from 1 file")
    expect(dialog.get_by_role("button", name="Create the campaign")).to_be_disabled()
    press(dialog.get_by_text("Leave these rows out"))
    wait_until_drawn(page)
    dialog.get_by_role("button", name="Create the campaign").dblclick()
    expect(dialog).to_contain_text("is created, with 1 task in 1 batch")
    press(dialog.get_by_role("button", name="Done"))
    expect(page.get_by_role("combobox", name="Campaign")).to_have_value("Sent")
    assert list_campaigns(workspace)[-1].tasks == 1
    creation_entries = [
        entry for entry in audit_entries(workspace) if entry.action == "campaign_created"
    ]
    assert len(creation_entries) == 1


def test_the_preview_of_hostile_guidelines_is_text(
    screen_of: OpenScreen, workspace: Workspace
) -> None:
    """A script, an image and a bad link of the campaign's guidelines become nothing but text."""
    page = administration(screen_of, "Campaigns")
    press(page.get_by_role("combobox", name="Campaign"))
    press(page.get_by_role("option", name=CAMPAIGN, exact=True))
    press(page.get_by_text("Guidelines", exact=True))
    preview = page.get_by_test_id("stMarkdown").filter(has_text="before you write")
    expect(preview).to_contain_text("<script>window.hacked=1;alert(1)</script>")
    expect(preview.get_by_role("link", name="a good one")).to_be_visible()
    assert preview.locator("script, img").count() == 0
    assert preview.locator("a[href^=javascript]").count() == 0
    assert page.evaluate("window.hacked") is None


def test_a_click_on_a_row_chooses_the_person(screen_of: OpenScreen) -> None:
    """The row's person is the one whose buttons are shown."""
    page = administration(screen_of, "People")
    table = page.get_by_test_id("stDataFrame").first
    expect(table.get_by_test_id("glide-cell-1-0")).to_have_text("alma")
    wait_until_drawn(page)
    table.click(position={"x": 16, "y": 36 + 17})
    expect(page.get_by_role("combobox", name="Person to change")).to_have_value("alma")
    expect(page.get_by_role("button", name="Reset password")).to_be_enabled()


def test_box_labels_are_edited_in_the_form(
    screen_of: OpenScreen, workspace: Workspace, tmp_path: Path
) -> None:
    """A label is changed in its cell; folded away it is kept, said, and in the campaign."""
    file = tmp_path / "pages.csv"
    file.write_text(f"question,candidate_document,candidate_page\nOne?,{REPORT},1\n")
    page = administration(screen_of, "Campaigns")
    press(page.get_by_role("button", name="New campaign"))
    page.get_by_role("textbox", name="Name").fill("Labelled")
    page.get_by_role("textbox", name="Name").press("Tab")
    press(page.get_by_role("combobox", name="What annotators do"))
    press(page.get_by_role("option", name="Grade pages for a query (relevance)"))
    press(page.get_by_text("Box labels", exact=True))
    wait_until_drawn(page)
    table = page.get_by_test_id("stDataFrame")
    table.click(position={"x": 120, "y": 53})
    page.keyboard.press("Enter")
    cell = page.locator("#portal textarea")
    expect(cell).to_be_focused()
    cell.fill("Prose")
    cell.press("Enter")
    expect(page.get_by_text("Boxes are labelled Prose, Table")).to_be_visible()
    press(page.get_by_text("Box labels", exact=True))
    expect(table).to_have_count(0)
    expect(page.get_by_text("Boxes are labelled Prose, Table")).to_be_visible()
    page.locator("input[type=file]").first.set_input_files(file)
    press(page.get_by_role("button", name="Check and create…"))
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Boxes are labelled Prose, Table")
    press(dialog.get_by_role("button", name="Create the campaign"))
    expect(dialog).to_contain_text("is created, with 1 task in 1 batch")
    protocol = protocol_of_campaign(workspace, "Labelled")
    assert protocol.boxes.labels[0].name == "Prose"
    field = protocol.field("modalities")
    assert field is not None and field.options[0].label == "Prose"


def test_pages_are_sampled_by_an_uploaded_table(
    screen_of: OpenScreen, workspace: Workspace, tmp_path: Path
) -> None:
    """The table's column is offered as a stratum; the drawn pages are tasks of a new campaign."""
    file = tmp_path / "fields.csv"
    file.write_text(f"document,habitat\n{REPORT},river\n", encoding="utf-8")
    page = administration(screen_of, "Campaigns")
    press(page.get_by_role("combobox", name="Campaign"))
    press(page.get_by_role("option", name=CAMPAIGN, exact=True))
    press(page.get_by_text("Sample", exact=True))
    press(page.get_by_text("Pages of the collection"))
    page.locator("input[type=file]").set_input_files(file)
    expect(page.get_by_text("Fields in the table: habitat")).to_be_visible()
    page.get_by_role("spinbutton", name="How many").fill("2")
    page.get_by_role("spinbutton", name="How many").press("Tab")
    page.get_by_role("textbox", name="Into campaign").fill("Drawn pages")
    page.get_by_role("textbox", name="Into campaign").press("Tab")
    expect(page.get_by_role("button", name="Draw the sample")).to_be_enabled()
    wait_until_drawn(page)
    strata = page.get_by_role("combobox", name="Stratify by")
    strata.click()
    strata.press_sequentially("habitat")
    page.get_by_role("option", name="habitat").click()
    page.keyboard.press("Escape")
    press(page.get_by_role("button", name="Draw the sample"))
    expect(page.get_by_text("2 tasks drawn from")).to_be_visible(timeout=60_000)
    assert list_campaigns(workspace)[-1].name == "Drawn pages"
    assert list_campaigns(workspace)[-1].tasks == 2
