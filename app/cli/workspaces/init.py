"""``pagetrail init``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from pagetrail.storage.database.location import address_wanted
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.files.location import files_address

JOINED = (
    "{} was empty: it is one more folder of the workspace in the database, and gets copies of "
    "the files that are needed."
)


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command(
        "init",
        epilog="Example: pagetrail init my-workspace",
        help="Create a workspace: a folder with database, corpus, index, cache and exports.",
    )(init)


def init(
    workspace: Annotated[Path, typer.Argument(metavar="WS", help="A new or empty folder.")],
) -> None:
    if Workspace.join(workspace, address_wanted()):
        Console(stderr=True).print(JOINED.format(workspace), highlight=False)
        return
    Workspace.create(workspace, address_wanted(), files_address())
    Console(stderr=True).print(
        f"Workspace {workspace} is ready. Next: pagetrail ingest {workspace} FOLDER_OF_PDFS",
        highlight=False,
    )
