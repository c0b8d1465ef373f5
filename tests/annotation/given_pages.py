"""Attempts over given pages, for the tests of boxes, fields and rows."""

from __future__ import annotations

from typing import Any

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.preannotations import seed_payloads
from pagetrail.annotation.attempts.recorder import AttemptContext
from pagetrail.annotation.errors import Refusal
from pagetrail.annotation.protocols.protocol import Protocol
from tests.support.factory import AttemptDriver
from tests.support.memory_log import MemoryEventLog

B1, B2, A3 = ("b.pdf", 1), ("b.pdf", 2), ("annual report.pdf", 3)
GIVEN_PAGES = (B1, B2, A3)
TOML = """
name = "own"
title = "A protocol of one's own"
pages = "given"
browse = false
search.enabled = false
evidence.enabled = false
answer.kind = "off"
"""
"""A protocol that asks nothing, to be completed by a test; its pages are given."""


def given_driver(
    protocol: Protocol,
    record: dict[str, Any] | None = None,
    pages: tuple[tuple[str, int], ...] | None = GIVEN_PAGES,
    *,
    opened: bool = True,
) -> AttemptDriver:
    """A driver over given pages and a task's record, with the task on screen."""
    context = AttemptContext(
        attempt_id="a1",
        actor="Ada",
        protocol=protocol,
        pages=None if pages is None else frozenset(pages),
        given=pages,
        seeds=lambda: seed_payloads(protocol, record or {}),
    )
    driver = AttemptDriver(MemoryEventLog("a1"), context)
    if opened:
        driver.do(ev.Opened(session="tab-1"))
    return driver


def record_all(driver: AttemptDriver, *payloads: ev.Payload) -> AttemptDriver:
    """The driver after these, none of which may be refused."""
    for payload in payloads:
        recorded = driver.do(payload)
        assert recorded.refusals == {}, next(iter(recorded.refusals.values())).message
    return driver


def refused(driver: AttemptDriver, payload: ev.Payload) -> Refusal:
    """The refusal of a payload; checks that nothing was stored and that a sentence says why."""
    before = driver.events
    recorded = driver.do(payload)
    assert recorded.receipts == [], f"{payload.type} was accepted"
    assert driver.events == before
    (refusal,) = recorded.refusals.values()
    assert refusal.message[0].isupper() or refusal.message[0] in "“", refusal.message
    assert refusal.message.endswith("."), refusal.message
    return refusal


def code_and_field(driver: AttemptDriver, payload: ev.Payload) -> tuple[str, str | None]:
    """Code and field of the refusal of a payload."""
    refusal = refused(driver, payload)
    return refusal.code, refusal.field


def on_page(page: tuple[str, int]) -> dict[str, Any]:
    """Document and page as the fields of a payload."""
    return {"document": page[0], "page": page[1]}


def box(
    name: str, page: tuple[str, int] = B1, x: float = 10, label: str = "Text", **changes: Any
) -> ev.BoxDrawn:
    """A box of 40 × 30 points."""
    rect = changes.pop("rect", (x, 20.0, x + 40, 50.0))
    return ev.BoxDrawn(box=name, **on_page(page), rect=rect, label=label, **changes)


def undo(driver: AttemptDriver, page: tuple[str, int] = B1) -> ev.Undone:
    """The undoing of the page's last change."""
    change = driver.state.boxes.last("undo", *page)
    assert change is not None, "there is nothing to undo"
    return ev.Undone(**on_page(page), change=change.id)


def redo(driver: AttemptDriver, page: tuple[str, int] = B1) -> ev.Redone:
    """The redoing of the page's last undone change."""
    change = driver.state.boxes.last("redo", *page)
    assert change is not None, "there is nothing to redo"
    return ev.Redone(**on_page(page), change=change.id)


def rects(driver: AttemptDriver, page: tuple[str, int] = B1) -> dict[str, tuple[float, ...]]:
    """Where the boxes of a page are, by id."""
    return {b.id: tuple(b.rect) for b in driver.state.boxes.on(*page)}
