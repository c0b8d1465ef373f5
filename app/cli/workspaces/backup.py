"""``pagetrail backup`` and ``pagetrail restore``."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from pagetrail.annotation.clock import SystemClock
from pagetrail.app.cli.options import Json, WorkspaceFolder
from pagetrail.app.cli.progress_bar import progress_bar
from pagetrail.app.cli.terminal import print_message, show_json
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.maintenance.archive import Manifest, Progress
from pagetrail.storage.maintenance.backup import back_up
from pagetrail.storage.maintenance.restore import restore

BackupPath = Annotated[Path, typer.Argument(metavar="FILE", help="The backup, a tar archive.")]


def register(app: typer.Typer) -> None:
    """Add the commands to the program."""
    app.command(
        "backup",
        help="Write the database and all documents to one file. It may run while a server is "
        "running; the file appears once it is complete.",
        epilog="Example: pagetrail backup my-workspace backups/2026-03-01.tar",
    )(run)
    app.command(
        "restore",
        help="Create a workspace from a backup, in a new folder. Every file is checked first.",
        epilog="Example: pagetrail restore backups/2026-03-01.tar my-workspace-restored",
    )(run_restore)


def run(workspace: WorkspaceFolder, file: BackupPath, as_json: Json = False) -> None:
    opened = Workspace.open(workspace)
    with _progress("Backing up") as progress:
        manifest = back_up(opened, file, SystemClock(), progress)
    _report(manifest, as_json, f"Backed up to {file}")


def run_restore(
    file: BackupPath,
    workspace: Annotated[Path, typer.Argument(metavar="WS", help="A new or empty folder.")],
    replace: Annotated[
        bool,
        typer.Option(
            "--replace", help="WS may be a workspace; it is moved aside. Stop its server first."
        ),
    ] = False,
    as_json: Json = False,
) -> None:
    with _progress("Restoring") as progress:
        manifest = restore(file, workspace, SystemClock(), replace=replace, progress=progress)
    _report(manifest, as_json, f"Restored to {workspace}, as of {manifest.created_at}")


@contextmanager
def _progress(description: str) -> Iterator[Progress]:
    with progress_bar() as bar:
        line = bar.add_task(description, total=None)
        yield lambda completed, total: bar.update(line, completed=completed, total=total)


def _report(manifest: Manifest, as_json: bool, description: str) -> None:
    if as_json:
        show_json({**manifest.model_dump(exclude={"files"}), "bytes": manifest.size})
    else:
        print_message(
            f"{description}: {manifest.documents:,} documents, {manifest.events:,} events, "
            f"{manifest.size / 1e6:,.1f} MB."
        )
