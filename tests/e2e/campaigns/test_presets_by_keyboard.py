"""Every preset from sign-in to submission without a mouse: keys and Tab alone."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from pagetrail.app.demo.build import CAMPAIGN
from pagetrail.app.demo.campaigns import build
from tests.e2e.support.journeys import OSKAR, Site
from tests.e2e.support.screen import Screen, task_path
from tests.e2e.support.small_workspace import PASSWORD

_HAS_FOCUS = """(selector) => {
  let focused = document.activeElement;
  while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
  return focused?.matches(selector) ?? false;
}"""
MANY_TABS = 120


def press(screen: Screen, *keys: str) -> None:
    """Press keys one after the other."""
    for key in keys:
        screen.page.keyboard.press(key)


def tab_to(screen: Screen, selector: str) -> None:
    """Press Tab until what matches a CSS selector has the focus."""
    for _ in range(MANY_TABS):
        if screen.page.evaluate(_HAS_FOCUS, selector):
            return
        press(screen, "Tab")
    raise AssertionError(f"Tab does not lead to {selector}")


def choose(screen: Screen, name: str, value: str) -> None:
    """Choose an option of a field."""
    option = f"[data-testid=option][data-field={name}][data-value='{value}']"
    tab_to(screen, f"[data-testid=option][data-field={name}]")
    for _ in range(12):
        if screen.page.evaluate(_HAS_FOCUS, option):
            break
        press(screen, "ArrowDown")
    if not screen.page.locator(f"{option}:is([aria-checked=true], [aria-pressed=true])").count():
        screen.judge("Space")
    expect(
        screen.page.locator(f"{option}:is([aria-checked=true], [aria-pressed=true])")
    ).to_have_count(1)


def open_first_result(screen: Screen, query: str) -> None:
    """Search and open the first result."""
    press(screen, "/")
    screen.page.keyboard.type(query)
    press(screen, "Enter")
    expect(screen.part("result").first).to_be_visible()
    press(screen, "Enter")
    expect(screen.part("page-pane")).to_be_focused()
    expect(screen.part("page-pane")).to_have_attribute("aria-busy", "false")


def answer(screen: Screen, text: str) -> None:
    """Type an answer."""
    press(screen, "a")
    expect(screen.part("answer")).to_be_focused()
    screen.page.keyboard.type(text)


def count_rows(screen: Screen) -> int:
    """How many rows there are; waits until keys judge the first one."""
    expect(screen.part("row").first.get_by_test_id("cell").locator(":focus")).to_have_count(1)
    return screen.part("row").count()


def _oracle(screen: Screen) -> None:
    expect(screen.part("page-pane")).to_have_attribute("aria-busy", "false")
    press(screen, "c")
    answer(screen, "sprinklers")


def _search(screen: Screen) -> None:
    open_first_result(screen, "leakage")
    press(screen, "c")
    answer(screen, "14.2")


def _relevance(screen: Screen) -> None:
    cards = screen.part("film")
    expect(screen.part("page-pane")).to_have_attribute("aria-busy", "false")
    screen.judge("y", "2")
    press(screen, "b", "ArrowDown", "Enter", "1")
    expect(screen.part("confirm-proposal")).to_be_visible()
    screen.judge("v")
    for number in range(1, cards.count()):
        expect(cards.nth(number)).to_have_attribute("aria-current", "true")
        screen.judge("0")
        expect(cards.nth(number)).to_have_attribute("data-grade", "0")
    answer(screen, "approved with conditions")


def _verify(screen: Screen) -> None:
    tab_to(screen, "[data-testid=accept-remaining]")
    screen.wait_until_judgeable()
    press(screen, "Enter")
    expect(screen.page.get_by_role("button", name="Keep checking")).to_be_focused()
    press(screen, "Tab", "Enter")
    expect(screen.part("accept-remaining")).to_be_disabled()


def _chart(screen: Screen) -> None:
    screen.judge(*["r"] * count_rows(screen), "y")


def _transcript(screen: Screen) -> None:
    screen.judge(*["a"] * count_rows(screen))


def _pairs(screen: Screen) -> None:
    cards = screen.part("film")
    screen.judge("1")
    expect(cards.first).to_be_visible()
    screen.judge(*["1"] * 4)
    for number in range(cards.count()):
        expect(cards.nth(number)).to_have_attribute("aria-current", "true")
        screen.judge("1")
        expect(cards.nth(number)).to_have_attribute("data-grade", "required")


def _author(screen: Screen) -> None:
    open_first_result(screen, "band homes police")
    press(screen, "c")
    answer(screen, "12,470")
    tab_to(screen, "[data-testid=question-input]")
    screen.page.keyboard.type(
        "What number of dwellings does the police precept for band B refer to?"
    )
    checks = screen.part("check")
    expect(checks).not_to_have_count(0)
    for check in checks.all():
        expect(check).to_have_attribute("data-status", "ok")
    choose(screen, "hop", "single")


def _judge(screen: Screen) -> None:
    screen.judge("1")


def _trajectory(screen: Screen) -> None:
    screen.judge(*["u"] * count_rows(screen), "1")


def _text(screen: Screen) -> None:
    expect(screen.page.locator(".cm-content")).to_be_visible()
    press(screen, "j")
    screen.judge("v", "Shift+V")
    expect(screen.part("patch-accept")).to_be_hidden()


def _table(screen: Screen) -> None:
    tab_to(screen, "[data-testid=table-grid] [tabindex='0']")
    press(screen, "ArrowDown", "ArrowRight", "Enter", "Control+a")
    screen.page.keyboard.type("1,234")
    press(screen, "Enter")
    expect(screen.part("table-grid").get_by_text("1,234", exact=True)).to_be_visible()
    choose(screen, "complete", "yes")
    choose(screen, "records", "yes")


def _blind(screen: Screen) -> None:
    tab_to(screen, "[data-testid=question-input]")
    screen.page.keyboard.type("Why did the homes in band B pay more than those in band A?")


def _variant(screen: Screen) -> None:
    choose(screen, "same_answer", "yes")
    choose(screen, "natural", "yes")


PRESETS: dict[str, tuple[str, str | None, Callable[[Screen], None]]] = {
    "oracle": ("Organisations: evidence given", "rail-01", _oracle),
    "search": (CAMPAIGN, "water-02", _search),
    "relevance": (build.RELEVANCE, "form-02", _relevance),
    "verify": (build.VERIFY, "tarn-valley-water-annual-report-2024-p5", _verify),
    "verify_chart": (build.CHARTS, "chart-leakage", _chart),
    "verify_transcript": (build.PATCHES, "patches-promises", _transcript),
    "qa_review": (build.PAIRS, "rail-01", _pairs),
    "author": (build.AUTHOR, "brief-01", _author),
    "judge": (build.JUDGE, "water-05#3", _judge),
    "transcribe": (build.TEXTS, "text-tax", _text),
    "verify_table": (build.TABLES, "table-prices", _table),
    "author_blind": (build.BLIND, "summary-01", _blind),
    "variants": (build.VARIANTS, "rail-01-obscured", _variant),
    # Nobody gets their own, so that who gets which is drawn.
    "trajectory": (build.TRAJECTORIES, None, _trajectory),
}


@pytest.mark.parametrize("preset", PRESETS)
def test_from_sign_in_to_submission(site: Site, preset: str) -> None:
    """Sign in at the task's address, do what the preset asks, submit: it is stored."""
    campaign, key, work = PRESETS[preset]
    attempts = site.attempts(campaign, OSKAR)
    attempt = attempts[min(attempts) if key is None else key]
    screen = site.signed_out(task_path(attempt))
    tab_to(screen, "input[name=name]")
    screen.page.keyboard.type(OSKAR)
    press(screen, "Tab")
    screen.page.keyboard.type(PASSWORD)
    press(screen, "Enter")
    screen.wait_until_ready()
    work(screen)
    press(screen, "Control+Enter")
    expect(screen.part("confirm-submit")).to_be_focused()
    press(screen, "Enter")
    screen.has("submitted", attempt=attempt)
