"""Fields, strip and material fit, can be read, and are named, in every state they show."""

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
    roles_without_name,
)
from tests.e2e.support.grading_workspace import GRADING, JUDGING, REPORT, REVIEW
from tests.e2e.support.reused_tab import TaskOf
from tests.e2e.support.screen import Screen

_GRADED = [
    *(".field-label", ".todo:not(.done)", ".option", ".option kbd", ".page-count"),
    *(".section-title", ".film-page", ".film-name", ".film-grade", ".field-help dt"),
    *(".field-help dd", ".results-heading", ".field-error", ".film-marks span"),
]


def _grade_pages(screen: Screen) -> None:
    """Give each grade to a page, open the help, and leave a page with missing fields."""
    screen.wait_until_painted(REPORT, 1)
    screen.judge("y")
    for page, key in enumerate("210", start=2):
        screen.judge(key)
        if key != "0":
            screen.page.keyboard.press("ArrowRight")
        screen.wait_until_painted(REPORT, page)
    screen.page.keyboard.press("Home")
    screen.wait_until_painted(REPORT, 1)
    screen.page.get_by_role("button", name="What “Relevance” means").click()


def test_material_can_be_read(task_of: TaskOf) -> None:
    """Cards beside the question reach WCAG AA, open and locked, light and dark."""
    for key, campaign, selectors in (
        ("spring", JUDGING, [".material h2", ".material-body", ".optional"]),
        ("pair", REVIEW, [".material-locked", ".empty .lead"]),
    ):
        screen = task_of(key, campaign)
        expect(screen.part("material")).not_to_have_count(0)
        for scheme in SCHEMES:
            ratios = contrasts(screen, scheme, selectors)
            assert len(ratios) >= 2
            assert {k: round(v, 2) for k, v in ratios.items() if v < AA} == {}, scheme


def test_grading_screen_fits_is_labelled_and_readable(task_of: TaskOf) -> None:
    """On a laptop the grades and the strip are in sight at once; options say what is chosen.

    The page itself never scrolls, and text reaches WCAG AA, light and dark.
    """
    screen = task_of("saale", GRADING)
    _grade_pages(screen)
    expect_no_overflow(screen)
    for part in ("question", "films", "pages-graded", "page-pane", "submit"):
        expect_in_sight(screen, part)
    expect_height(screen, "page-pane", 300)  # the page is what the work is about
    _check_accessible_names(screen)
    screen.page.set_viewport_size({"width": 683, "height": 384})
    expect_no_overflow(screen)
    screen.page.set_viewport_size({"width": 1366, "height": 768})
    # A sentence under a field, without bringing a refusal about.
    screen.page.locator("[data-testid=field-error][data-field=relevance]").evaluate(
        "node => { node.textContent = 'A sentence.'; }"
    )
    screen.show_context()
    for scheme in SCHEMES:
        ratios = contrasts(screen, scheme, _GRADED)
        assert axe_findings(screen.page) == [], scheme
        assert sorted(ratios) == sorted(_GRADED)
        assert {k: round(v, 2) for k, v in ratios.items() if v < AA} == {}, scheme
    screen.judge("n")
    expect(screen.part("ended")).to_be_visible()
    for scheme in SCHEMES:
        assert contrasts(screen, scheme, [".ended"])[".ended"] >= AA


def _check_accessible_names(screen: Screen) -> None:
    """Check that groups, options and cards have accessible names and states."""
    assert roles_without_name(screen, NAMED_ROLES | {"radiogroup", "radio", "group"}) == []
    nodes = nodes_of(screen)
    names = {n["name"]["value"] for n in nodes if n["role"]["value"] in ("radiogroup", "group")}
    assert {"Query quality", "Relevance", "Modalities of the relevant content"} <= names
    selected_option = screen.page.get_by_role("radio", name="Fully relevant", checked=True)
    expect(selected_option).to_have_count(1)
    cards = screen.part("film")
    expect(cards.nth(1)).to_have_accessible_name(
        f"{REPORT}, page 2; Critically relevant; missing: Modalities of the relevant content, a box"
    )
    expect(cards.nth(2)).to_have_accessible_name(f"{REPORT}, page 3; Not relevant")
