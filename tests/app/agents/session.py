"""A real MCP client session, with ``pagetrail mcp`` as a process or with its server in this one."""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import anyio
import psutil
from mcp import ClientSession, StdioServerParameters, stdio_client
from mcp.shared.memory import create_client_server_memory_streams
from mcp.types import CallToolResult, TextContent

from pagetrail.app.agents import AgentClient
from pagetrail.app.agents.mcp_server import build
from pagetrail.storage.search.worker import TIMEOUT_CODE

PATIENCE_S = 120
"""A busy machine takes its time; what is tested is that an answer comes, and which."""

BUSY = ("search_busy", TIMEOUT_CODE)
BUSY_TRIES = 50

ROOT = Path(__file__).parents[3]


class ToolRefused(Exception):
    """A tool error: its sentence, and its code."""

    def __init__(self, result: CallToolResult) -> None:
        super().__init__(text_of(result))
        self.code = result.structured_content["error"]["code"]


@dataclass
class Client:
    """An agent's end of the session; keeps the text of every reply."""

    session: ClientSession
    replies: list[str] = field(default_factory=list)

    async def raw(self, tool: str, **arguments: Any) -> CallToolResult:
        """Call a tool; errors come back as results."""
        result = await self.session.call_tool(tool, arguments)
        self.replies.append(result.model_dump_json())
        return result

    async def do(self, tool: str, **arguments: Any) -> Any:
        """Call a tool and return its structured result.

        Raises:
            ToolRefused: the tool reports an error.
        """
        result = await self.raw(tool, **arguments)
        if result.is_error:
            raise ToolRefused(result)
        return result.structured_content

    async def search(self, query: str) -> Any:
        """A search, again where this machine was too busy to answer within the search's limit."""
        for _ in range(BUSY_TRIES):
            result = await self.raw("search_documents", query=query)
            if not result.is_error:
                return result.structured_content
            if result.structured_content["error"]["code"] not in BUSY:
                break
        raise ToolRefused(result)

    async def code(self, tool: str, **arguments: Any) -> str:
        """The code of the error that a call must end in."""
        result = await self.raw(tool, **arguments)
        assert result.is_error, result
        assert "Traceback" not in text_of(result)
        return str(result.structured_content["error"]["code"])


def text_of(result: CallToolResult) -> str:
    """The text of a reply."""
    return "".join(part.text for part in result.content if isinstance(part, TextContent))


@asynccontextmanager
async def connected(root: Path, campaign: str, system: str) -> AsyncIterator[Client]:
    """A session with a server process of its own."""
    parameters = StdioServerParameters(
        command=sys.executable,
        args=[
            *("-m", "pagetrail"),
            *("mcp", str(root), "--campaign", campaign, "--system", system),
        ],
        cwd=ROOT,
    )
    with (root.parent / f"{system}.log").open("a", encoding="utf-8") as log:
        async with (
            stdio_client(parameters, errlog=log) as streams,
            ClientSession(*streams) as session,
        ):
            await session.initialize()
            yield Client(session)


@asynccontextmanager
async def in_memory_client(root: Path, campaign: str, system: str) -> AsyncIterator[Client]:
    """A session with a server in this process, which starts in no time."""
    with AgentClient(root, campaign, system) as client:
        server = build(client)
        async with (
            create_client_server_memory_streams() as (client_streams, server_streams),
            anyio.create_task_group() as group,
        ):
            group.start_soon(server.run, *server_streams, server.create_initialization_options())
            async with ClientSession(*client_streams) as session:
                await session.initialize()
                yield Client(session)
            group.cancel_scope.cancel()


def run(scenario: Callable[[], Awaitable[None]]) -> None:
    """Run a scenario, which must end."""

    async def bounded() -> None:
        with anyio.fail_after(PATIENCE_S):
            await scenario()

    anyio.run(bounded)


def server_processes(root: Path, system: str) -> list[psutil.Process]:
    """The server processes of a system over that workspace."""
    processes = []
    for process in psutil.Process().children(recursive=True):
        try:
            command = process.cmdline()
        except psutil.Error:  # it has ended
            continue
        if "mcp" in command and str(root) in command and system in command:
            processes.append(process)
    return processes


def queries_of(reply: dict[str, Any]) -> list[str]:
    """The queries that an opened task says were made."""
    return [search["query"] for search in reply["done_so_far"]["searches"]]


def as_json(result: CallToolResult) -> Any:
    """The JSON text of a reply."""
    return json.loads(text_of(result))
