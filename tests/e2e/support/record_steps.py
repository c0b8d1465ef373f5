"""Steps in tables of records."""

from __future__ import annotations

from playwright.sync_api import Locator

from pagetrail.annotation.attempts.form_state import RecordRow
from pagetrail.annotation.attempts.state import fold
from tests.e2e.support.readiness import click_verdict
from tests.e2e.support.screen import Screen


def row(screen: Screen, number: int) -> Locator:
    """A row, counted from 1."""
    return screen.part("row").nth(number - 1)


def cell(screen: Screen, number: int, column: str) -> Locator:
    """A cell of a row."""
    return (
        row(screen, number)
        .get_by_test_id("cell")
        .and_(screen.page.locator(f"[data-column={column}]"))
    )


def choose(screen: Screen, number: int, column: str, option: str) -> None:
    """Press the button of an option once the row has been seen."""
    click_verdict(cell(screen, number, column).locator(f"[data-value={option}]"))


def rows(screen: Screen, attempt: str | None = None) -> dict[str, RecordRow]:
    """The stored rows by id."""
    return {row.row: row for row in fold(screen.events(attempt)).rows}
