"""The recipe "An event type" of docs/extending.md: one class, and everything else follows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import pytest
from pydantic import Field

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.state import fold
from pagetrail.annotation.replay.timeline import timeline
from scripts.event_schema import PAGE, event_schema, with_event_tables
from scripts.javascript_types import declarations
from tests.support.factory import memory_driver


@pytest.fixture
def page_rotated() -> Iterator[type[ev.Payload]]:
    """A toy event type, registered for one test."""

    class PageRotated(ev.Payload):
        """A page of the document was turned for everybody."""

        type: Literal["page_rotated"] = "page_rotated"
        lane = "page"
        is_content = True
        degrees: Literal[90, 180, 270] = Field(description="clockwise")

        def sentence(self) -> str:
            return f"Turned the page by {self.degrees}°"

    yield PageRotated
    del ev.EVENT_TYPES["page_rotated"]


def test_an_event_type_is_one_class(page_rotated: type[ev.Payload]) -> None:
    """Parsing, log, fold, timeline, traits, schema, docs and browser types have it."""
    payload = ev.parse_payload("page_rotated", {"degrees": 90})
    assert isinstance(payload, page_rotated)
    assert ev.read_payload("page_rotated", '{"degrees": 90}') == payload
    assert "page_rotated" in ev.event_types(lane="page", is_content=True)
    assert "page_rotated" not in ev.event_types(server_only=True)

    driver = memory_driver()
    driver.do(ev.Opened(session="t"))
    driver.do(payload)
    assert driver.state == fold(driver.events)
    assert [entry.text for entry in timeline(driver.events)][-1] == "Turned the page by 90°"

    schema = event_schema()
    assert "page_rotated" in schema["properties"]["type"]["enum"]
    assert schema["$defs"]["page_rotated"]["required"] == ["degrees"]
    docs = with_event_tables(PAGE.read_text(encoding="utf-8"))
    assert (
        "| `page_rotated` | A page of the document was turned for everybody. "
        "| `degrees`: clockwise (`90`, `180`, `270`) |" in docs
    )
    assert "page_rotated: PageRotated;" in declarations()


def test_nothing_of_the_toy_type_stays() -> None:
    """Other tests see the types of the product only."""
    assert "page_rotated" not in ev.EVENT_TYPES
    with pytest.raises(ValueError, match="page_rotated"):
        ev.parse_payload("page_rotated", {"degrees": 90})
