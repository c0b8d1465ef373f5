"""``pagetrail demo``."""

from __future__ import annotations

import os
import socket
import threading
import webbrowser
from pathlib import Path
from time import monotonic, sleep
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from pagetrail.annotation.errors import WorkspaceError
from pagetrail.app.cli.workspaces.serve import prepare, run
from pagetrail.app.demo.build import PASSWORD, PEOPLE, build_demo
from pagetrail.app.services.environment import WORKSPACE_VARIABLE

_HOST = "127.0.0.1"


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command(
        "demo",
        epilog="Example: pagetrail demo --port 8600 --no-browser",
        help="Create a demo workspace with invented documents and open it in the browser.",
    )(demo)


def demo(
    workspace: Annotated[
        Path,
        typer.Argument(metavar="[WS]", help="Where to create it; the next run uses it again."),
    ] = Path("demo-workspace"),
    port: Annotated[
        int, typer.Option(help="Port to listen on; if it is in use, the next free one.")
    ] = 8501,
    browser: Annotated[bool, typer.Option(help="Open a browser window.")] = True,
    serve: Annotated[bool, typer.Option(help="Start the app; --no-serve only creates.")] = True,
) -> None:
    console = Console(stderr=True, highlight=False)
    with console.status("Creating the demo workspace") as status:
        build_demo(workspace, lambda step: status.update(f"{step} …"))
    table = Table("Name", "Role", "What you see", title=f"Sign in with the password {PASSWORD}")
    for name, role, sight in PEOPLE:
        table.add_row(name, role, sight)
    console.print(table)
    if not serve:
        return
    prepare(workspace)
    port = _free_port(port)
    url = f"http://localhost:{port}"
    console.print(f"Pagetrail is at [bold]{url}[/]  (Ctrl-C ends it)")
    os.environ[WORKSPACE_VARIABLE] = str(workspace.resolve())
    if browser:
        threading.Thread(target=_open_when_up, args=(url, port), daemon=True).start()
    run(port, _HOST)


def _free_port(first: int) -> int:
    for port in range(first, min(first + 50, 65_536)):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((_HOST, port))
            except OSError:
                continue
            return port
    raise WorkspaceError(f"No free port from {first} on. Name another with --port.")


def _open_when_up(url: str, port: int) -> None:
    give_up = monotonic() + 60
    while monotonic() < give_up:
        with socket.socket() as probe:
            if probe.connect_ex((_HOST, port)) == 0:
                webbrowser.open(url)
                return
        sleep(0.2)
