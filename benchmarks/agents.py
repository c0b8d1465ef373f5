"""What an agent's tool call costs beside the bare search: over the Python call and over MCP.

The same queries go to the search service alone, to an ``AgentClient`` of this process (rights,
protocol, the event in the log with its fsync), and through a client session to ``pagetrail mcp`` in
a process of its own. The last is also asked for pages, as text and with their image.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Sequence
from pathlib import Path

import anyio

from benchmarks.harness import Benchmark, Measurement, Setup, duration
from benchmarks.support import CAMPAIGN, documents_to_turn
from pagetrail.app.agents import AgentClient
from pagetrail.app.services.composition import Services
from pagetrail.storage.database.workspace import Workspace
from tests.app.agents.session import connected

CALLS = 100
PAGES = 30
WORDS = ("revenue", "total", "water", "report", "table", "year", "cost", "people", "plan", "data")
TASK = "q001"


def measure(setup: Setup) -> list[Measurement]:
    """Measure searches of the service alone and of agents, and an agent's reading of pages."""
    root = setup.workspace()
    queries = [f"{WORDS[n % len(WORDS)]} OR {WORDS[n * 7 % len(WORDS)]}" for n in range(CALLS)]
    services = Services(Workspace.open(root))
    services.search.start()
    service_alone = [
        duration(lambda q=query: services.search.search(q, 5))  # type: ignore[misc]
        for query in queries
    ]
    with AgentClient(services, CAMPAIGN, "bench-python") as client:
        attempt = client.open(TASK)
        python_calls = [
            duration(lambda q=query: attempt.search_documents(q))  # type: ignore[misc]
            for query in queries
        ]
    services.close()
    services.workspace.engine.dispose()
    ((document, _),) = documents_to_turn(root, 1, PAGES)
    mcp_calls, page_texts, page_images = anyio.run(_measure_mcp, root, queries, document)
    reference = ("search alone", service_alone)
    return [
        Measurement.of_durations("agent's search, Python call", python_calls, reference=reference),
        Measurement.of_durations("agent's search, MCP", mcp_calls, reference=reference),
        Measurement.of_durations("agent reads a page's text, MCP", page_texts),
        Measurement.of_durations("… with its image, not drawn before", page_images),
    ]


async def _measure_mcp(
    root: Path, queries: Sequence[str], document: str
) -> tuple[list[float], list[float], list[float]]:
    """Seconds of searches, of reading pages as text, and of reading them with their image."""
    async with connected(root, CAMPAIGN, "bench-mcp") as client:
        await client.do("open_task", task=TASK)
        searches = [
            await _duration(client.do("search_documents", query=query)) for query in queries
        ]
        texts, images = [
            [
                await _duration(client.do("read_page", file=document, page=page, image=with_image))
                for page in range(1, PAGES + 1)
            ]
            for with_image in (False, True)
        ]
    return searches, texts, images


async def _duration(call: Awaitable[object]) -> float:
    """Seconds until the call has returned."""
    started = time.perf_counter()
    await call
    return time.perf_counter() - started


BENCHMARK = Benchmark("agents", measure)
