"""A supervisor reads a campaign's results in the browser and takes files away."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Locator, Page, expect

from pagetrail.app.demo.build import CAMPAIGN
from pagetrail.exports.reading.open_source import open_source
from pagetrail.exports.reports.agreement.report import agreement
from pagetrail.exports.reports.metrics.report import metrics
from pagetrail.exports.reports.model import Table
from pagetrail.exports.reports.render.csv_text import csv_text
from pagetrail.storage.people.accounts import add_user
from tests.e2e.support.journeys import Site
from tests.e2e.support.screen import Screen, press, wait_until_drawn
from tests.e2e.support.small_workspace import PASSWORD

SUPERVISOR = "svea"
DUTCH = "sven"


@pytest.fixture(scope="module")
def supervisor(demo: Site) -> str:
    """A supervisor, who may see results."""
    add_user(demo.workspace, SUPERVISOR, "supervisor", PASSWORD)
    return SUPERVISOR


@pytest.fixture
def screen(site: Site, supervisor: str) -> Screen:
    """The supervisor's tab at the results of the demo's search campaign."""
    screen = site.sign_in(supervisor, f"/results?campaign={quote(CAMPAIGN)}")
    expect(screen.page.get_by_role("heading", name="Results", exact=True)).to_be_visible()
    return screen


def table(site: Site, kind: str, key: str) -> Table:
    """A table of the report, computed for comparison."""
    with open_source(site.workspace, CAMPAIGN) as source:
        report = agreement(source) if kind == "agreement" else metrics(source)
    (report_table,) = (t for t in report.tables if t.key == key)
    return report_table


def cell(frame: Locator, column: int, row: int) -> Locator:
    """A cell of a table on screen, both counted from 0."""
    return frame.get_by_test_id(f"glide-cell-{column}-{row}")


def first_frame(page: Page) -> Locator:
    """The first table on screen."""
    frame = page.get_by_test_id("stDataFrame").first
    expect(frame).to_be_visible()
    return frame


def open_metrics(page: Page) -> None:
    """Switch to the other view and wait until the first one is gone."""
    press(page.get_by_role("radio", name="Accuracy and effort"))
    expect(page.get_by_role("tab", name="Comparison")).to_be_visible()
    wait_until_drawn(page)


def test_numbers_on_screen_match_the_report(site: Site, screen: Screen) -> None:
    """A search campaign opens on accuracy with the report's numbers; the other view opens with one
    click and keeps its address."""
    page = screen.page
    expect(page.get_by_role("tab", name="Comparison")).to_be_visible()
    expected_table = table(site, "metrics", "results")
    column_index = [column.key for column in expected_table.columns].index("accuracy")
    frame = first_frame(page)
    for number, row in enumerate(expected_table.rows):
        expect(cell(frame, 0, number)).to_have_text(str(row.cells["side"].value))
        value = row.cells["accuracy"].value
        assert isinstance(value, float)
        expect(cell(frame, column_index, number)).to_contain_text(f"{100 * value:.1f}")
    press(page.get_by_role("radio", name="Agreement"))
    expect(page.get_by_role("tab", name="Annotators")).to_be_visible()
    page.reload()
    expect(page.get_by_role("tab", name="Annotators")).to_be_visible()


def test_numbers_follow_the_browsers_locale(site: Site, tmp_path: Path) -> None:
    """Tables and charts on a Dutch browser's screen; the downloaded table is the same for all."""
    add_user(site.workspace, DUTCH, "supervisor", PASSWORD)
    screen = site.new_screen("nl-NL")
    screen.sign_in(DUTCH, f"/results?campaign={quote(CAMPAIGN)}")
    page = screen.page
    open_metrics(page)
    expected_table = table(site, "metrics", "results")
    column_index = [column.key for column in expected_table.columns].index("accuracy")
    value = expected_table.rows[0].cells["accuracy"].value
    assert isinstance(value, float)
    dutch_number = f"{100 * value:.1f}".replace(".", ",")
    expect(cell(first_frame(page), column_index, 0)).to_contain_text(dutch_number)
    with page.expect_download() as download:
        press(page.get_by_role("button", name="CSV").first)
    download.value.save_as(tmp_path / "results.csv")
    assert (tmp_path / "results.csv").read_text(encoding="utf-8") == csv_text(expected_table)
    press(page.get_by_role("tab", name="Comparison"))
    drawn_texts = page.get_by_test_id("stVegaLiteChart").first.locator("svg text")
    expect(drawn_texts.filter(has_text=re.compile(r"^\d+,\d$")).first).to_be_visible()
    expect(drawn_texts.filter(has_text=re.compile(r"\d\.\d"))).to_have_count(0)


def test_files_are_created_on_request(site: Site, screen: Screen, tmp_path: Path) -> None:
    """A table's CSV has the bytes that the command writes; the report is one whole file."""
    page = screen.page
    open_metrics(page)
    with page.expect_download() as download:
        press(page.get_by_role("button", name="CSV").first)
    assert download.value.suggested_filename.endswith("-metrics-results.csv")
    download.value.save_as(tmp_path / "results.csv")
    expected_csv = csv_text(table(site, "metrics", "results"))
    assert (tmp_path / "results.csv").read_text(encoding="utf-8") == expected_csv
    with page.expect_download() as download:
        press(page.get_by_role("button", name="Report (HTML)"))
    download.value.save_as(tmp_path / "report.html")
    text = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert CAMPAIGN in text
    assert "<svg" in text
    assert "<script" not in text
