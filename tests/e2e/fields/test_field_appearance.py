"""Fields, strip and material fit, can be read, and are named, in every state they show."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import OpenScreen
from tests.e2e.support import grading_workspace as grading
from tests.e2e.support.appearance import AA, CONTRAST, NAMED_ROLES, nodes_of
from tests.e2e.support.grading_workspace import GRADING, JUDGING, REPORT, REVIEW
from tests.e2e.support.screen import Screen

_GRADED = [
    *(".field-label", ".todo:not(.done)", ".option", ".option kbd", ".page-count"),
    *(".section-title", ".film-page", ".film-name", ".film-grade", ".field-help dt"),
    *(".field-help dd", ".results-heading", ".field-error", ".film-marks span"),
]


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The workspace's folder, made once; each test works on a copy."""
    workspace = grading.build(tmp_path_factory.mktemp("grading"))
    workspace.engine.dispose()
    return workspace.root


def _graded(screen: Screen) -> None:
    """Pages with each grade, help open, and a page with fields still to set."""
    screen.painted(REPORT, 1)
    screen.page.keyboard.press("y")
    for page, key in enumerate("210", start=2):
        screen.page.keyboard.press(key)
        screen.painted(REPORT, page)
    screen.page.keyboard.press("Home")
    screen.painted(REPORT, 1)
    screen.page.get_by_role("button", name="What “Relevance” means").click()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_contrast_of_fields_and_film(scheme: str, screen_of: OpenScreen) -> None:
    """Labels, options, marks, grades and sentences reach WCAG AA, light and dark."""
    screen = screen_of("alma", "saale", campaign=GRADING, color_scheme=scheme)
    _graded(screen)
    assert screen.part("workspace").get_attribute("data-theme") == scheme
    # A sentence under a field, without bringing a refusal about.
    screen.page.locator("[data-testid=field-error][data-field=relevance]").evaluate(
        "node => { node.hidden = false; node.firstChild.textContent = 'A sentence.'; }"
    )
    ratios = screen.page.evaluate(CONTRAST, _GRADED)
    assert sorted(ratios) == sorted(_GRADED)
    assert {k: round(v, 2) for k, v in ratios.items() if v < AA} == {}
    screen.page.keyboard.press("n")
    expect(screen.part("ended")).to_be_visible()
    ratios = screen.page.evaluate(CONTRAST, [".ended"])
    assert ratios[".ended"] >= AA


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_contrast_of_material(scheme: str, screen_of: OpenScreen) -> None:
    """So do cards beside the question, open and locked."""
    screen = screen_of("alma", "spring", campaign=JUDGING, color_scheme=scheme)
    ratios = screen.page.evaluate(CONTRAST, [".material h2", ".material-body", ".optional"])
    locked = screen_of("alma", "pair", campaign=REVIEW, color_scheme=scheme)
    ratios |= locked.page.evaluate(CONTRAST, [".material-locked", ".empty .lead"])
    assert len(ratios) >= 4
    assert {k: round(v, 2) for k, v in ratios.items() if v < AA} == {}


@pytest.mark.parametrize("size", [(1366, 768), (683, 384)])
def test_grading_fits(size: tuple[int, int], screen_of: OpenScreen) -> None:
    """The page itself never scrolls; on a laptop the grades and the strip are in sight at once."""
    width, height = size
    screen = screen_of(
        "alma", "saale", campaign=GRADING, viewport={"width": width, "height": height}
    )
    _graded(screen)
    overflow = screen.page.evaluate(
        "() => { const e = document.scrollingElement;"
        " return [e.scrollHeight - innerHeight, e.scrollWidth - innerWidth]; }"
    )
    assert max(overflow) <= 0
    if width < 1280:
        return
    for part in ("question", "films", "pages-graded", "page-pane", "submit"):
        inside = screen.part(part).bounding_box()
        assert inside is not None
        assert inside["y"] >= 0 and inside["y"] + inside["height"] <= height, part
        assert inside["x"] >= 0 and inside["x"] + inside["width"] <= width, part
    pane = screen.part("page-pane").bounding_box()
    assert pane is not None and pane["height"] >= 300, "the page is what the work is about"


def test_fields_have_names_and_states(screen_of: OpenScreen) -> None:
    """Groups carry their field's label; options say whether they are chosen; cards say it all."""
    screen = screen_of("alma", "saale", campaign=GRADING)
    _graded(screen)
    nodes = nodes_of(screen)
    roles = NAMED_ROLES | {"radiogroup", "radio", "group"}
    nameless = [
        n["role"]["value"]
        for n in nodes
        if n["role"]["value"] in roles and not n.get("name", {}).get("value", "").strip()
    ]
    assert nameless == []
    names = {n["name"]["value"] for n in nodes if n["role"]["value"] in ("radiogroup", "group")}
    assert {"Query quality", "Relevance", "Modalities of the relevant content"} <= names
    chosen = screen.page.get_by_role("radio", name="Fully relevant", checked=True)
    expect(chosen).to_have_count(1)
    cards = screen.part("film")
    expect(cards.nth(1)).to_have_accessible_name(
        f"{REPORT}, page 2; Critically relevant; missing: Modalities of the relevant content, a box"
    )
    expect(cards.nth(2)).to_have_accessible_name(f"{REPORT}, page 3; Not relevant")
