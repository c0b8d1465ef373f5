"""Opening a task under review as a supervisor."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext

from pagetrail.annotation.events import Event
from tests.e2e.support.review_steps import Review, review_of
from tests.e2e.support.screen import Watch
from tests.e2e.support.server_process import ServerProcess


@pytest.fixture
def reviewing(
    tasks: dict[str, int],
    new_context: Callable[..., BrowserContext],
    server: ServerProcess,
    stored: Callable[[str], list[Event]],
    watch: Watch,
) -> Callable[..., Review]:
    """Opens a task of the module's fixture ``tasks``: ``reviewing("q1")``."""
    watch.allow(r"/reviewing/_stcore/")
    return lambda key, name="sven": review_of(new_context(), server.url, stored, name, tasks[key])
