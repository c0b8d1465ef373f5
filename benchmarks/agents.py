"""What an agent's tool call costs beside the bare search: over the Python call and over MCP.

The same queries go to the search service alone, to an ``AgentClient`` of this process (rights,
protocol, the event in the log with its fsync), and through a client session to ``pagetrail mcp`` in
a process of its own. The last is also asked for pages, as text and with their image.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import anyio

from benchmarks.support import CAMPAIGN, Measurement, documents_to_turn, milliseconds
from pagetrail.app.agents import AgentClient
from pagetrail.app.services.composition import Services
from pagetrail.storage.database.workspace import Workspace
from tests.app.agents.session import Client, connected

CALLS = 100
PAGES = 30
WORDS = ("revenue", "total", "water", "report", "table", "year", "cost", "people", "plan", "data")
TASK = "q001"


def main(root: Path) -> list[Measurement]:
    """Medians and 95th percentiles.

    Args:
        root: a workspace of ``support.bench_workspace``.
    """
    queries = [f"{WORDS[n % len(WORDS)]} OR {WORDS[n * 7 % len(WORDS)]}" for n in range(CALLS)]
    services = Services(Workspace.open(root))
    services.search.start()
    bare = milliseconds([_timed(lambda q=query: services.search.search(q, 5)) for query in queries])
    with AgentClient(services, CAMPAIGN, "bench-python") as client:
        attempt = client.open(TASK)
        python = milliseconds(
            [_timed(lambda q=query: attempt.search_documents(q)) for query in queries]
        )
    services.close()
    services.workspace.engine.dispose()
    ((document, _),) = documents_to_turn(root, 1, PAGES)
    found: dict[str, list[float]] = {}

    async def over_mcp() -> None:
        async with connected(root, CAMPAIGN, "bench-mcp") as client:
            await client.do("open_task", task=TASK)
            found["search"] = [
                await _awaited(lambda q=query: client.do("search_documents", query=q))
                for query in queries
            ]
            for name, image in (("text", False), ("picture", True)):
                found[name] = [
                    await _awaited(lambda p=page, i=image: _read(client, document, p, i))
                    for page in range(1, PAGES + 1)
                ]

    anyio.run(over_mcp)
    searched, text, picture = (milliseconds(found[name]) for name in ("search", "text", "picture"))
    reference = ("search alone", bare[0])
    return [
        Measurement("agent's search, Python call", python[0], "ms", reference=reference),
        Measurement("… p95", python[1], "ms", reference=("search alone", bare[1])),
        Measurement("agent's search, MCP", searched[0], "ms", reference=reference),
        Measurement("… p95", searched[1], "ms", reference=("search alone", bare[1])),
        Measurement("agent reads a page's text, MCP", text[0], "ms"),
        Measurement("… with its image, not drawn before", picture[0], "ms"),
    ]


async def _read(client: Client, document: str, page: int, image: bool) -> None:
    await client.do("read_page", file=document, page=page, image=image)


def _timed(call: Callable[[], object]) -> float:
    began = time.perf_counter()
    call()
    return time.perf_counter() - began


async def _awaited(call: Callable[[], Awaitable[object]]) -> float:
    began = time.perf_counter()
    await call()
    return time.perf_counter() - began
