"""Rows of the element list and stored boxes, for tests of verification."""

from __future__ import annotations

from playwright.sync_api import Locator

from pagetrail.annotation.attempts.boxes import PageBox
from pagetrail.annotation.attempts.state import fold
from tests.e2e.support.readiness import click_verdict
from tests.e2e.support.screen import Screen


def element(screen: Screen, box: str) -> Locator:
    """An element's row in the list."""
    return screen.part("element").and_(screen.page.locator(f"[data-id={box}]"))


def label(screen: Screen, name: str) -> None:
    """Give the selected box a label in the inspector."""
    choice = screen.part("element-label-choice")
    click_verdict(choice.and_(screen.page.locator(f"[data-label='{name}']")))


def boxes(screen: Screen) -> dict[str, PageBox]:
    """The stored boxes by id."""
    return {box.id: box for box in fold(screen.events()).boxes.boxes}


def verdicts(screen: Screen) -> dict[str, str]:
    """The verdict of each stored box."""
    return {name: box.verdict for name, box in boxes(screen).items()}
