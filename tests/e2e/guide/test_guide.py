"""The guide is one page with contents, which the keyboard and the browser's search can use."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.e2e.conftest import OpenScreen
from tests.e2e.guide.conftest import GRADING
from tests.e2e.support.appearance import axe_findings
from tests.e2e.support.browsers import wait_for
from tests.e2e.support.screen import PATIENCE_MS, wait_until_drawn
from tests.e2e.support.small_workspace import AIDED, CAMPAIGN, SINGLE

SECTIONS = [
    "The screen",
    "How the search reads your words",
    "Finishing a task",
    "Saving",
    "The clock",
    "Guidelines of your campaigns",
]
CAMPAIGNS = sorted([CAMPAIGN, AIDED, SINGLE, GRADING])


def test_guide_is_one_page_with_contents(screen_of: OpenScreen) -> None:
    """At 200 % as well: each line of the contents leads to its heading, and back."""
    screen = screen_of("alma", path="/guide", viewport={"width": 683, "height": 384})
    page = screen.page
    expect(page.get_by_role("heading", name="Contents")).to_be_visible(timeout=PATIENCE_MS)
    wait_until_drawn(page)
    expect(page.get_by_role("tab")).to_have_count(0)
    expect(page.get_by_role("heading", level=1)).to_have_count(1)
    for name in [*SECTIONS, *CAMPAIGNS]:
        expect(page.get_by_role("heading", name=name, exact=True)).to_have_count(1)
        link = page.get_by_role("link", name=name, exact=True)
        link.focus()
        page.keyboard.press("Enter")
        wait_for(page, "() => location.hash !== '' && location.hash !== '#contents'")
        expect(page.get_by_role("heading", name=name, exact=True)).to_be_in_viewport()
        page.evaluate("() => history.replaceState(null, '', location.pathname)")
    back = page.get_by_role("link", name="Back to the contents").last
    back.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Contents")).to_be_in_viewport()
    assert page.evaluate("() => window.find('One answer per line')")  # in a campaign's guidelines
    wait_for(page, "() => document.documentElement.scrollWidth <= innerWidth")
    assert axe_findings(screen.page) == []
