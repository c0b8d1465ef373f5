"""What can be opened from a brief."""

from __future__ import annotations

from typing import Any

import pytest

from pagetrail.annotation.authoring.brief import brief_places

NAMES = ["a.pdf", "b.pdf"]


@pytest.mark.parametrize(
    ("record", "pages"),
    [
        ({"question": "Ask about b.pdf.", "summary": "See a.pdf."}, [("b.pdf", 1), ("a.pdf", 1)]),
        ({"question": "Ask.", "candidates": [{"document": "a.pdf", "page": 3}]}, [("a.pdf", 3)]),
        ({"question": "Ask about c.pdf.", "summary": None}, []),
    ],
)
def test_a_brief_names_what_can_be_opened(
    record: dict[str, Any], pages: list[tuple[str, int]]
) -> None:
    """Its pages, or else the documents in its words that the collection has."""
    assert brief_places(record, NAMES) == pages
