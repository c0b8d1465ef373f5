"""Room for the page: tools in a menu, names cut in the middle, the search box always reachable."""

from __future__ import annotations

from playwright.sync_api import ViewportSize, expect

from tests.e2e.conftest import OpenScreen
from tests.e2e.support.appearance import expect_height
from tests.e2e.support.small_workspace import AIDED

TOOLS = ("read", "select-text", "find-open", "recent", "beside-toggle")
LAPTOP_AT_200_PERCENT: ViewportSize = {"width": 683, "height": 384}
LEAST_PAGE_HEIGHT = 300


def test_tools_results_and_search_leave_room_for_the_page(screen_of: OpenScreen) -> None:
    """On a laptop each tool has a button, and results shrink; at 200 % one can search."""
    screen = screen_of("alma", "q1", campaign=AIDED)
    screen.search("otters")
    document, _page = screen.open_result(1)
    expect(screen.part("document-name")).to_have_attribute("title", document)
    expect(screen.part("document-name")).to_have_text(document)
    for tool in TOOLS:
        expect(screen.part(tool)).not_to_be_visible()
    screen.part("more-tools").click()
    for tool in TOOLS:
        expect(screen.part(tool)).to_be_visible()
    screen.page.keyboard.press("Escape")
    expect(screen.part("read")).not_to_be_visible()
    screen.show_context()
    expect(screen.result(1)).to_be_visible()
    expect_height(screen, "page-pane", LEAST_PAGE_HEIGHT)
    screen.page.set_viewport_size(LAPTOP_AT_200_PERCENT)
    expect(screen.part("search-input")).to_be_in_viewport(ratio=1)
