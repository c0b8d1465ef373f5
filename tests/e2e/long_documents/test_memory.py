"""The browser's memory while somebody reads a long document."""

from __future__ import annotations

import sys

import pytest

from tests.e2e.conftest import OpenScreen
from tests.e2e.long_documents.conftest import LONG
from tests.e2e.support.renderer_memory import renderer_memory_mb

PAGES_READ = 50
PAGE_MB = 8.4
"""A decoded letter-size page at 150 dpi."""


@pytest.mark.skipif(sys.platform != "linux", reason="read from Linux's accounts of processes")
def test_pages_that_were_read_are_released(screen_of: OpenScreen) -> None:
    """What fifty pages leave behind is less than a third of what they take together."""
    screen = screen_of("alma", "q1")
    screen.open(screen.attempt, document=LONG, page=1)
    screen.wait_until_painted(LONG, 1)
    before = renderer_memory_mb(screen.page)
    for page in range(2, PAGES_READ + 2):
        screen.page.keyboard.press("ArrowRight")
        screen.wait_until_painted(LONG, page)
    assert renderer_memory_mb(screen.page) - before < PAGES_READ * PAGE_MB / 3
