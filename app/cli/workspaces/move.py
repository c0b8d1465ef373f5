"""``pagetrail move``."""

from __future__ import annotations

from typing import Annotated

import typer

from pagetrail.annotation.clock import SystemClock
from pagetrail.app.cli.options import Json, WorkspaceFolder
from pagetrail.app.cli.progress_bar import progress_bar
from pagetrail.app.cli.terminal import print_message, show_json
from pagetrail.storage.database.location import DATABASE_URL
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.maintenance.move import move_to_folder, move_to_postgresql

FOLDER = "folder"


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command(
        "move",
        help="Move the database into an empty PostgreSQL database, or back into the folder. Stop "
        "the server first. Every row is compared on both ends before anything changes. The "
        "old database is kept, renamed or in PostgreSQL. Files stay in the folder.",
        epilog="Example: pagetrail move my-workspace --to postgresql://pagetrail@/pagetrail",
    )(move)


def move(
    workspace: WorkspaceFolder,
    to: Annotated[
        str,
        typer.Option(
            help="postgresql://user@host/database, or folder to move it back. A password is better "
            "in ~/.pgpass: commands are visible to others on the machine.",
            metavar="URL",
        ),
    ],
    as_json: Json = False,
) -> None:
    opened = Workspace.open(workspace)
    with progress_bar() as bar:
        line = bar.add_task("Moving rows", total=None)

        def progress(completed: int, total: int) -> None:
            bar.update(line, completed=completed, total=total)

        if to == FOLDER:
            tables = move_to_folder(opened, progress)
        else:
            tables = move_to_postgresql(opened, to, SystemClock(), progress)
    if as_json:
        show_json({"tables": {name: vars(table) for name, table in tables.items()}})
        return
    rows = sum(table.rows for table in tables.values())
    print_message(
        f"Moved {rows:,} rows, {tables['event'].rows:,} of them events; both ends are the same."
    )
    if to == FOLDER:
        print_message(f"The database is in {workspace} again. Unset {DATABASE_URL} to serve it.")
    else:
        print_message(f"Set {DATABASE_URL} to this address for the server and all commands.")
