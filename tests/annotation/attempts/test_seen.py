"""Verdicts on what cannot have been seen: refused, but for what needs no look."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.recorder import Command
from pagetrail.annotation.protocols.protocol import preset
from tests.annotation.attempts.work_validation_cases import graded, table, verifying
from tests.annotation.given_pages import B1, box, given_driver, on_page, record_all
from tests.support.factory import AttemptDriver

JUDGED = {"field": "points", "row": "r1"}


def refusal_of(
    driver: AttemptDriver, payload: ev.Payload, *, is_from_screen: bool = True
) -> str | None:
    """The code with which the payload is refused as an event of a screen; None if it is stored."""
    driver.sent += 1
    command = Command(f"s{driver.sent}", payload, is_from_screen=is_from_screen)
    recorded = driver.recorder.record(driver.context, [command])
    return next((refusal.code for refusal in recorded.refusals.values()), None)


@pytest.mark.parametrize(
    ("start", "verdict"),
    [
        (graded, ev.FieldSet(field="relevance", **on_page(B1), value="1")),
        (verifying, ev.BoxAccepted(box="e1")),
        (verifying, ev.BoxLabelled(box="e1", label="Table")),
        (verifying, ev.BoxDeleted(box="e1")),
        (table, ev.RowSet(**JUDGED, values={"judged": "wrong"})),
        (table, ev.RowDeleted(**JUDGED)),
    ],
    ids=lambda part: getattr(part, "type", ""),
)
def test_a_verdict_needs_a_look(
    start: Callable[[], AttemptDriver], verdict: ev.VerdictEvent
) -> None:
    """Too short a look is refused from everybody, a missing one from screens, which always say it;
    agents and screens of earlier versions do not.
    """
    for seen_ms, is_from_screen, code in (
        (0, False, "not_seen"),
        (ev.MIN_SEEN_MS - 1, True, "not_seen"),
        (None, True, "earlier_screen"),
        (None, False, None),
        (ev.MIN_SEEN_MS, True, None),
    ):
        payload = verdict.model_copy(update={"seen_ms": seen_ms})
        assert refusal_of(start(), payload, is_from_screen=is_from_screen) == code


@pytest.mark.parametrize(
    ("start", "payload"),
    [
        (lambda: record_all(verifying(), box("own")), ev.BoxDeleted(box="own")),
        (lambda: record_all(verifying(), box("own")), ev.BoxLabelled(box="own", label="Table")),
        (
            lambda: record_all(verifying(), ev.BoxAccepted(box="e1")),
            ev.BoxAccepted(box="e1", accepted=False, seen_ms=0),
        ),
        (graded, ev.FieldSet(field="relevance", **on_page(B1), value=None)),
        (graded, ev.FieldSet(field="modalities", **on_page(B1), value=("text",))),
        (table, ev.RowSet(**JUDGED, values={"x": "2"})),
        (table, ev.RowSet(field="points", row="new", values={})),
    ],
    ids=lambda part: getattr(part, "type", ""),
)
def test_what_needs_no_look(start: Callable[[], AttemptDriver], payload: ev.Payload) -> None:
    """Own boxes and rows, withdrawals, typed values, what follows from boxes."""
    assert refusal_of(start(), payload) is None


def test_undoing_needs_no_look() -> None:
    """Neither undoing nor redoing a verdict says how long something was seen."""
    driver = given_driver(preset("relevance"))
    good = ev.FieldSet(field="query_quality", value="good", seen_ms=ev.MIN_SEEN_MS)
    assert refusal_of(driver, good) is None
    undoes = driver.events[-1].client_event_id
    assert refusal_of(driver, ev.FieldSet(field="query_quality", value=None, undoes=undoes)) is None
    undoes = driver.events[-1].client_event_id
    again = ev.FieldSet(field="query_quality", value="good", undoes=undoes)
    assert refusal_of(driver, again) is None
