"""``pagetrail mcp``."""

from __future__ import annotations

import logging
import sys
from importlib import import_module
from types import ModuleType
from typing import Annotated

import typer

from pagetrail.annotation.errors import PagetrailError
from pagetrail.annotation.extras import install_command
from pagetrail.app.agents.client import AgentClient
from pagetrail.app.cli.options import CampaignName, WorkspaceFolder
from pagetrail.app.cli.terminal import print_message

_PACKAGES = ("mcp", "mcp_types", "anyio")

_HELP = """Run an MCP server through which an agent answers a campaign's tasks.

The agent gets the tools list_tasks, open_task, search_documents, read_page,
submit_answer and skip_task, with the same search, pages and limits as people,
and its work is logged as the same events, under the system's name. The server
for people may run on the same workspace at the same time.
Standard output belongs to the protocol; messages go to standard error.

It needs the extra "agents" (see README, Extras).

Configure a client like this:

\b
{
  "mcpServers": {
    "pagetrail": {
      "command": "pagetrail",
      "args": \\["mcp", "my-workspace",
               "--campaign", "baseline", "--system", "my-agent"]
    }
  }
}"""


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command(
        "mcp",
        help=_HELP,
        epilog="Example: pagetrail mcp my-workspace --campaign baseline --system my-agent",
    )(run)


def run(
    workspace: WorkspaceFolder,
    campaign: CampaignName,
    system: Annotated[str, typer.Option(help="The name under which the agent's work is stored.")],
) -> None:
    server = _server_module()
    logging.basicConfig(
        stream=sys.stderr, level=logging.WARNING, format="%(name)s %(levelname)s %(message)s"
    )
    with AgentClient(workspace, campaign, system) as client:
        print_message(
            f"{client.system} works in {client.campaign} of {workspace}, over standard input."
        )
        server.serve(client)


def _server_module() -> ModuleType:
    """The server, which needs a package that is not always installed.

    Raises:
        PagetrailError: it is not (code ``missing_package``).
    """
    try:
        return import_module("pagetrail.app.agents.mcp_server")
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in _PACKAGES:
            raise
        raise PagetrailError(
            f"The MCP server needs the package mcp. Install it with: {install_command('agents')}",
            code="missing_package",
        ) from error
