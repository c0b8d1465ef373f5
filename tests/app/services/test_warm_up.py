"""The server says that it is ready once nobody would be the first to wait."""

from __future__ import annotations

import sys
from threading import Event

from starlette.testclient import TestClient

from pagetrail.app.services.composition import Services
from pagetrail.app.services.warm_up import WarmUp, modules_of_screens

LONG_S = 60.0


class StartingPool:
    """Processes that are ready when a test says so."""

    def __init__(self) -> None:
        self.started = Event()
        self.free = Event()

    def start(self) -> None:
        """Note it."""
        self.started.set()

    def ready(self, timeout: float) -> bool:
        """Whether the test has said so."""
        return self.free.wait(timeout)


def test_it_is_ready_when_a_process_of_each_kind_is(client: TestClient, services: Services) -> None:
    """And the modules of the first screens are imported."""
    pages, comparisons = StartingPool(), StartingPool()
    services.warm_up = WarmUp([pages, comparisons])
    assert client.get("/readyz").status_code == 200, "a command's process starts nothing"
    services.warm_up.start()
    for pool in (pages, comparisons):
        assert pool.started.wait(LONG_S)
        reply = client.get("/readyz")
        assert (reply.status_code, reply.json()["reason"]) == (503, "The server is starting.")
        pool.free.set()
    assert services.warm_up.wait(LONG_S)
    assert client.get("/readyz").status_code == 200
    assert "pagetrail.app.results.report_view" in modules_of_screens()
    assert set(modules_of_screens()) <= set(sys.modules)


def test_the_first_comparison_finds_its_process(services: Services) -> None:
    """It has imported what it needs, and opened the database."""
    comparisons = services.comparisons
    services.warm_up = WarmUp([comparisons.pool])
    services.warm_up.start()
    assert services.warm_up.wait(LONG_S)
    assert comparisons.pool.ready(0)
