"""Fits a small laptop, can be read, and tells assistive technology what everything is."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.e2e.support.appearance import (
    AA,
    NAMED_ROLES,
    SCHEMES,
    axe_findings,
    contrasts,
    expect_height,
    expect_in_sight,
    expect_no_overflow,
    nodes_of,
)
from tests.e2e.support.reused_tab import TaskOf
from tests.e2e.support.screen import Screen, wait_until
from tests.e2e.support.small_workspace import CAMPAIGN

SMALL = ((960, 540, 280), (683, 384, 220))
"""Width, height, and the least height of the page; the last is a laptop at 200 % zoom."""

_TEXTS = [
    *(".question-text", ".position", ".saved", ".connection", ".batch-count", ".quiet"),
    *(".card-name", ".card-page", ".card-rank", ".row-title", ".row-note", ".empty-line"),
    *(".button", ".button.primary", ".cite", ".document-name", ".zoom-level", ".time"),
    *(".home", ".results-heading", "textarea", ".search-input", ".dot", ".thumb-number"),
]


def _cite_and_answer(screen: Screen) -> None:
    screen.search("otters")
    screen.open_result(1)
    screen.part("cite").click()
    expect(screen.part("citation")).to_have_count(1)
    screen.part("answer").fill("42")
    screen.wait_until_saved()
    screen.page.keyboard.press("Escape")


def test_screen_fits_is_readable_and_labelled(task_of: TaskOf) -> None:
    """One screen, worked on: its focus, its names, its sizes and its contrast."""
    screen = task_of("q1", CAMPAIGN)
    _cite_and_answer(screen)
    _focus_is_visible_wherever_it_goes(screen)
    _everything_to_operate_has_a_name(screen)
    _it_fits_without_scrolling_and_can_be_read(screen)


def _it_fits_without_scrolling_and_can_be_read(screen: Screen) -> None:
    """Nothing scrolls but the panels, also at 200 % zoom; text reaches WCAG AA, light and dark."""
    for width, height, least in (*((1366, 768, 460), (1280, 720, 410)), *SMALL):
        screen.page.set_viewport_size({"width": width, "height": height})
        expect_no_overflow(screen)
        _expect_window_used(screen, width, height)
        for part in ("question", "page-pane", "cite", "position", "saved"):
            expect_in_sight(screen, part)
        expect_height(screen, "page-pane", least)
        screen.page.keyboard.press("a")
        expect(screen.part("answer")).to_be_focused()
        expect_in_sight(screen, "answer")
        if width >= 960:
            expect_in_sight(screen, "submit")
        screen.page.keyboard.press("Escape")
    screen.page.set_viewport_size({"width": 1366, "height": 768})
    screen.show_context()
    for scheme in SCHEMES:
        assert axe_findings(screen.page) == [], scheme
        ratios = contrasts(screen, scheme, _TEXTS)
        assert len(ratios) >= len(_TEXTS) - 2, sorted(set(_TEXTS) - set(ratios))
        assert {k: round(v, 2) for k, v in ratios.items() if v < AA} == {}, scheme
    screen.part("answer").fill("")
    screen.part("submit").click()
    expect(screen.part("submit-dialog")).to_be_visible()
    for scheme in SCHEMES:
        texts = [".missing li", ".dialog h2", ".link", ".dialog .quiet"]
        ratios = contrasts(screen, scheme, texts)
        assert {k: round(v, 2) for k, v in ratios.items() if v < AA} == {}, scheme


def _expect_window_used(screen: Screen, width: int, height: int) -> None:
    """Wait until the workspace reaches from edge to edge and down to the end of the window."""
    wait_until(
        screen.page,
        screen.part("workspace").bounding_box,
        lambda box: (
            box is not None
            and (box["x"], box["width"]) == (0, width)
            and box["y"] + box["height"] == height
        ),
    )


def _everything_to_operate_has_a_name(screen: Screen) -> None:
    """Buttons, links and fields carry an accessible name as the browser computes it."""
    for opening in (None, "submit", "help", "guidelines", "flag", "skip"):
        if opening:
            screen.part(opening).click()
            expect(screen.page.get_by_role("dialog")).to_be_visible()
        nodes = [n for n in nodes_of(screen) if n["role"]["value"] in NAMED_ROLES]
        nameless = [n for n in nodes if not n.get("name", {}).get("value", "").strip()]
        assert len(nodes) >= (20 if opening is None else 2)
        assert not nameless, [(n["role"]["value"], n.get("properties")) for n in nameless]
        if opening:
            screen.page.keyboard.press("Escape")
            expect(screen.page.get_by_role("dialog")).to_have_count(0)
    headings = [n["name"]["value"] for n in nodes_of(screen) if n["role"]["value"] == "heading"]
    assert "Citations 1" in headings


def _focus_is_visible_wherever_it_goes(screen: Screen) -> None:
    """Tab reaches the main controls, and each shows that it has the focus."""
    focused_controls = set()
    for _ in range(70):
        screen.page.keyboard.press("Tab")
        focus = screen.page.evaluate(
            """() => {
              let e = document.activeElement;
              while (e?.shadowRoot?.activeElement) e = e.shadowRoot.activeElement;
              const inside = e?.closest(".pt");
              if (!inside) return null;
              const style = getComputedStyle(e);
              return [e.dataset.testid ?? e.className, style.outlineStyle, style.outlineWidth];
            }"""
        )
        if focus:
            name, style, width = focus
            assert style != "none" and float(width.removesuffix("px")) >= 2, focus
            focused_controls.add(name)
    assert {"search-input", "page-previous", "cite", "answer", "note", "submit"} <= focused_controls
    expect(screen.page.locator("[data-testid=thumb][tabindex='0']")).to_have_count(1)
    assert screen.kinds().count("submitted") == 0
