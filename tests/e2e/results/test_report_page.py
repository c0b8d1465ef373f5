"""The HTML report in a browser: opened from the disk, narrow, dark, and on paper."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from pagetrail.exports.reports.render.html_page import html_text
from tests.exports.reports.sample import report


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of a report written to a file."""
    path = tmp_path_factory.mktemp("report") / "report.html"
    path.write_text(html_text(report()), encoding="utf-8")
    return path.as_uri()


@pytest.fixture
def page(chromium: Browser, address: str) -> Iterator[Page]:
    """The open report; it requests nothing else and logs nothing in the browser."""
    page = chromium.new_page(viewport={"width": 1366, "height": 768})
    browser_events: list[str] = []
    page.on("console", lambda message: browser_events.append(message.text))
    page.on("dialog", lambda dialog: browser_events.append(dialog.message))
    page.on("request", lambda request: browser_events.append(request.url))
    page.goto(address)
    yield page
    page.close()
    assert [event for event in browser_events if not event.startswith("data:")] == [address]


@pytest.mark.parametrize("width", [1366, 683, 320])
def test_only_tables_scroll_sideways(page: Page, width: int) -> None:
    """At 200 % zoom and on a phone the page keeps to its width, whatever the names are."""
    page.set_viewport_size({"width": width, "height": 768})
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= width


def test_no_chart_is_cut(page: Page) -> None:
    """Each drawing ends within its frame and has a height."""
    boxes = page.evaluate(
        "[...document.querySelectorAll('.picture')].map(frame => {"
        " const svg = frame.querySelector('svg').getBoundingClientRect();"
        " return [svg.height, svg.right - frame.getBoundingClientRect().right]; })"
    )
    assert len(boxes) == len(report().charts)
    for height, overflow in boxes:
        assert height > 100 and overflow <= 1


def test_contents_lead_to_each_part(page: Page) -> None:
    """A link of the contents brings its part into sight."""
    link = page.get_by_role("navigation").get_by_role("link", name="How far do people agree")
    link.click()
    heading = page.get_by_role("heading", name="How far do people agree on relevance?")
    expect(heading).to_be_in_viewport()


def test_screen_reader_gets_numbers_and_images(page: Page) -> None:
    """Roles and names as assistive software gets them."""
    assert page.get_by_role("img").count() == len(report().charts)
    assert page.get_by_role("img", name="Where do attempts fail first?").count() == 1
    row = page.get_by_role("row", name="BM25 agent")
    assert row.get_by_role("rowheader", name="BM25 agent").count() == 1
    undefined = row.get_by_role("cell", name="undefined: there are no attempts to measure")
    assert undefined.count() == 1
    assert page.get_by_role("columnheader", name="Accuracy (%)").count() == 1


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_has_contrast_in_both_schemes(page: Page, scheme: str) -> None:
    """Ink and quiet words have the contrast of WCAG AA on paper and on panels."""
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    style = "getComputedStyle(document.documentElement).getPropertyValue('--{}').trim()"
    for words, ground in (
        ("ink", "paper"),
        ("ink", "panel"),
        ("quiet", "paper"),
        ("quiet", "panel"),
        ("accent", "paper"),
        ("warn", "warn-paper"),
    ):
        foreground, background = (page.evaluate(style.format(name)) for name in (words, ground))
        assert contrast(foreground, background) >= 4.5
    css_filter = page.locator(".picture svg").first.evaluate("one => getComputedStyle(one).filter")
    assert (css_filter != "none") is (scheme == "dark")


def test_paper_is_white_without_contents(page: Page) -> None:
    """In print, also from a dark screen: dark ink, no navigation, charts as drawn."""
    page.emulate_media(media="print", color_scheme="dark")
    assert not page.get_by_role("navigation").is_visible()
    body = page.locator("body").evaluate("one => getComputedStyle(one).backgroundColor")
    assert body == "rgb(255, 255, 255)"
    assert page.locator(".picture svg").first.evaluate("one => getComputedStyle(one).filter") == (
        "none"
    )


def contrast(first: str, second: str) -> float:
    """WCAG 2 contrast of two colours given as ``#rrggbb``."""

    def light(colour: str) -> float:
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        red, green, blue = (
            part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
        )
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    high, low = sorted((light(first), light(second)), reverse=True)
    return (high + 0.05) / (low + 0.05)
