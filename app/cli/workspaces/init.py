"""``pagetrail init``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from pagetrail.storage.database.location import address_wanted
from pagetrail.storage.database.workspace import Workspace


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command(
        "init",
        epilog="Example: pagetrail init my-workspace",
        help="Make a new workspace: a folder with database, corpus, index, cache and exports.",
    )(init)


def init(
    workspace: Annotated[Path, typer.Argument(metavar="WS", help="A new or empty folder.")],
) -> None:
    Workspace.create(workspace, address_wanted())
    Console(stderr=True).print(
        f"Workspace {workspace} is ready. Next: pagetrail ingest {workspace} FOLDER_OF_PDFS",
        highlight=False,
    )
