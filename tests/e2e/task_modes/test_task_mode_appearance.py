"""Elements, tables, checks and feedback fit, can be read, and are named, in each state."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import OpenScreen
from tests.e2e.support.appearance import (
    AA,
    NAMED_ROLES,
    SCHEMES,
    accessibility_problems,
    contrasts,
    roles_without_name,
)
from tests.e2e.support.browsers import wait_for
from tests.e2e.support.preset_workspace import CHART, LAYOUT, PATCHES, PILOT, STRICT, SURVEY
from tests.e2e.support.readiness import click_verdict
from tests.e2e.support.screen import Screen, wait_until
from tests.e2e.support.verification_steps import element, label

ELEMENTS = [
    *(".elements-head h2", ".elements-head .count", ".element-label", ".element-words"),
    *(".element-number", ".verdict.open", ".verdict.accepted", ".verdict.corrected"),
    *(".verdict.deleted", ".label-chip", ".model-line", ".text-diff del", ".text-diff ins"),
    *(".coordinate-row label", ".number-input", ".inspector-head h2", "#pt-element-content"),
]
ROWS = [
    *(".records-help", ".row-number", ".row-state", ".cell-label", ".cell-input", ".choice"),
    *(".choice[aria-pressed=true]", ".record .field-error", ".record .model-line"),
]
PROPOSALS = [".fixed-text", ".fixed-text del", ".fixed-text ins", ".choice.big kbd"]
CHECKS = [
    *(".check-title", ".check-word", ".check-message", ".check-quote mark", ".hop-line"),
    *(".question-editor .count", ".checks .count"),
]
FEEDBACK = [
    *(".feedback-part .check-title", ".feedback-part .check-word", ".feedback-who"),
    *(".feedback-pair", ".feedback-progress", ".feedback-lead"),
]
HALF = {"width": 683, "height": 384}
"""The screen of 1366 × 768 at a zoom of 200 %."""
_STICKING_OUT = """(root) => {
  const panel = root.querySelector(".right-scroll");
  const edge = panel.getBoundingClientRect().right + 1;
  return [...panel.querySelectorAll("*")]
    .filter((e) => e.checkVisibility() && e.getBoundingClientRect().right > edge)
    .map((e) => e.className.baseVal ?? e.className);
}"""
"""The elements of the panel that are wider than it."""


def give_each_verdict(screen: Screen) -> None:
    """Give each verdict to an element and select the corrected one."""
    screen.wait_until_painted(SURVEY, 1)
    element(screen, "e1").click()
    click_verdict(screen.part("element-delete"))
    element(screen, "e4").click()
    click_verdict(screen.part("element-accept"))
    element(screen, "e3").click()
    label(screen, "Text")
    screen.part("element-content").fill("River | Otters\nSaale | 47\nUnstrut | 17")
    expect(element(screen, "e3")).to_have_attribute("data-verdict", "corrected")


def edit_and_decide_rows(screen: Screen) -> None:
    """Change a row to an invalid value and decide another one."""
    screen.wait_until_painted(SURVEY, 1)
    cells = screen.part("row").first.get_by_test_id("cell")
    cells.and_(screen.page.locator("[data-column=value]")).fill("43")
    cells.and_(screen.page.locator("[data-column=tolerance]")).fill("x")
    click_verdict(screen.part("row").nth(1).locator("[data-value=right]"))
    expect(screen.part("row").first).to_have_attribute("data-state", "changed")


def write_question_with_warning(screen: Screen) -> None:
    """Write a question with a blocking warning."""
    screen.part("question-input").fill("What does this document say about otters?")
    expect(screen.part("checks-status")).to_have_text("up to date")


def answer_wrongly(screen: Screen) -> None:
    """Submit a wrong answer with the right page."""
    screen.search("Saale otters counted")
    screen.open_result(1)
    screen.part("cite").click()
    screen.part("answer").fill("43")
    screen.part("submit").click()
    screen.part("confirm-submit").click()
    expect(screen.part("feedback-continue")).to_be_visible()


def leave_unchanged(screen: Screen) -> None:
    """Leave the task as it was opened."""
    screen.wait_until_painted(SURVEY, 1)


STATES: dict[str, tuple[str, str, Any, list[str]]] = {
    "elements": (LAYOUT, "two-pages", give_each_verdict, ELEMENTS),
    "rows": (CHART, "otters", edit_and_decide_rows, ROWS),
    "proposals": (PATCHES, "survey", leave_unchanged, PROPOSALS),
    "checks": (STRICT, "brief", write_question_with_warning, CHECKS),
    "feedback": (PILOT, "spring", answer_wrongly, FEEDBACK),
}


@pytest.mark.parametrize("state", STATES)
def test_screen_has_contrast_fits_and_has_names(state: str, screen_of: OpenScreen) -> None:
    """Text reaches WCAG AA, light and dark; the panel holds its parts, also at 200 %."""
    campaign, key, prepare, selectors = STATES[state]
    screen = screen_of("alma", key, campaign=campaign)
    prepare(screen)
    for scheme in SCHEMES:
        ratios = contrasts(screen, scheme, selectors)
        assert sorted(ratios) == sorted(selectors)
        assert {k: round(v, 2) for k, v in ratios.items() if v < AA} == {}, scheme
    assert accessibility_problems(screen.page, state) == []
    if state == "elements":
        screen.wait_until_judgeable()
        screen.part("accept-remaining").click()
        expect(screen.part("accept-dialog")).to_be_visible()
        assert accessibility_problems(screen.page, "accept-dialog") == []
        screen.page.keyboard.press("Escape")
        expect(screen.part("accept-dialog")).to_have_count(0)
    if state == "feedback":
        return
    for size in (None, HALF):
        if size is not None:
            screen.page.set_viewport_size(size)
        wait_until(
            screen.page,
            lambda: screen.part("workspace").evaluate(_STICKING_OUT),
            lambda elements: not elements,
        )
        wait_for(screen.page, "() => document.documentElement.scrollWidth <= innerWidth")
    assert roles_without_name(screen, NAMED_ROLES) == []
