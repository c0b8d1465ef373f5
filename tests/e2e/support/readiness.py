"""Waiting, as the screen says it, until something may be judged."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect

PATIENCE_MS = 60_000
_NOT_READY = (
    "[data-verdict-ready=false]:not([inert]):not([data-testid=row]:not(:focus-within)):visible"
)
_UNIT = "xpath=ancestor-or-self::*[@data-verdict-ready][1]"


def wait_until_judgeable(page: Page) -> None:
    """Wait until what is under decision has been seen long enough for a verdict."""
    expect(page.locator(_NOT_READY)).to_have_count(0, timeout=PATIENCE_MS)


def click_verdict(button: Locator) -> None:
    """Wait until what a button judges has been seen long enough, then click."""
    unit = button.locator(_UNIT)
    unit.scroll_into_view_if_needed()
    expect(unit).to_have_attribute("data-verdict-ready", "true", timeout=PATIENCE_MS)
    button.click()
