"""On a laptop's small screen redundant parts are hidden, and nothing moves."""

from __future__ import annotations

from playwright.sync_api import expect

from pagetrail.app.demo.campaigns.build import RELEVANCE
from tests.e2e.support.form_steps import take_box_tool
from tests.e2e.support.journeys import OSKAR, Site, option
from tests.e2e.support.readiness import click_verdict
from tests.e2e.support.screen import Screen


def open_first_page(site: Site, task: str) -> Screen:
    """Open a task with pages to grade at its first page."""
    screen = site.open(RELEVANCE, task, OSKAR)
    candidate = site.record(RELEVANCE, task)["candidates"][0]
    screen.wait_until_painted(candidate["document"], candidate["page"])
    return screen


def test_thumbnails_next_to_a_strip_only_on_request(site: Site) -> None:
    """The strip shows all pages there are; the rail is shut, can be opened, and stays open."""
    screen = open_first_page(site, "water-03")
    expect(screen.part("rail")).to_be_hidden()
    expect(screen.part("rail-toggle")).to_have_attribute("aria-pressed", "false")
    screen.part("rail-toggle").click()
    expect(screen.part("rail")).to_be_visible()
    second = site.record(RELEVANCE, "water-03")["candidates"][1]
    screen.part("thumb").nth(1).click()
    screen.wait_until_painted(second["document"], second["page"])
    screen.page.reload()
    screen.wait_until_ready()
    expect(screen.part("thumb").first).to_be_visible()
    screen.part("rail-toggle").click()
    expect(screen.part("rail")).to_be_hidden()


def test_seven_labels_fit_in_one_row(site: Site) -> None:
    """With the key of each before it, too."""
    screen = open_first_page(site, "water-01")
    take_box_tool(screen)
    boxes = [chip.bounding_box() for chip in screen.part("box-label").all()]
    assert len(boxes) == 7
    assert len({box["y"] for box in boxes if box is not None}) == 1


def test_boxes_are_offered_only_where_asked_for(site: Site) -> None:
    """The empty list says on which pages; without a chosen box there is nothing to show of one."""
    screen = open_first_page(site, "rail-01")
    boxes = screen.part("elements")
    expect(boxes).to_contain_text(
        "Asked for where “Relevance” is “Critically relevant” or “Fully relevant”."
    )
    expect(screen.part("inspector")).to_be_hidden()
    click_verdict(option(screen, "relevance", "2"))
    expect(boxes).to_contain_text("Draw with box mode (b).")


def test_selecting_a_chip_does_not_shift_others(site: Site) -> None:
    """Chips are as wide when they are pressed."""
    screen = open_first_page(site, "form-02")
    click_verdict(option(screen, "relevance", "1"))
    chips = screen.page.locator("[data-testid=option][data-field=modalities]")
    expect(chips.first).to_be_enabled()
    read_offsets = "nodes => nodes.map(({ offsetLeft, offsetTop }) => [offsetLeft, offsetTop])"
    before = chips.evaluate_all(read_offsets)
    for number in range(3):
        click_verdict(chips.nth(number))
        expect(chips.nth(number)).to_have_attribute("aria-pressed", "true")
    assert chips.evaluate_all(read_offsets) == before
