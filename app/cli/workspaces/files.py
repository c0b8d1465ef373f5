"""``pagetrail files``."""

from __future__ import annotations

from typing import Annotated

import typer

from pagetrail.annotation.errors import ConflictError
from pagetrail.app.cli.options import Json, WorkspaceFolder
from pagetrail.app.cli.progress_bar import progress_bar
from pagetrail.app.cli.terminal import print_message, show_json
from pagetrail.app.services.pending_uploads import pending_uploads
from pagetrail.exports.writing.export_list import finished_exports
from pagetrail.exports.writing.stored_exports import fetch_export, store_export, stored_exports
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.files.location import FILES_URL
from pagetrail.storage.maintenance.move_files import move_files_to_bucket, move_files_to_folder

FOLDER = "folder"


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command(
        "files",
        help="Move documents and exports into an S3-compatible bucket, or back into the folder. "
        "Stop all servers first. Each document is compared with its hash, and nothing "
        "changes before all have been copied. The originals stay where they were.",
        epilog="Example: pagetrail files my-workspace --to s3://bucket/my-workspace",
    )(files)


def files(
    workspace: WorkspaceFolder,
    to: Annotated[
        str,
        typer.Option(
            help="s3://bucket/prefix, or folder to move them back. Credentials, region and "
            "endpoint come from the environment (AWS_ACCESS_KEY_ID, …).",
            metavar="URL",
        ),
    ],
    as_json: Json = False,
) -> None:
    opened = Workspace.open(workspace)
    if files_waiting := pending_uploads(opened):
        raise ConflictError(
            f"{len(files_waiting)} uploaded files wait to be ingested. Ingest or discard them "
            "first, under Collection."
        )
    with progress_bar() as bar:
        line = bar.add_task("Moving documents", total=None)

        def progress(completed: int, total: int) -> None:
            bar.update(line, completed=completed, total=total)

        if to == FOLDER:
            for name in stored_exports(opened).all():
                fetch_export(opened, name)
            count = move_files_to_folder(opened, progress)
        else:
            count = move_files_to_bucket(opened, to, progress)
            moved = Workspace.open(workspace, to)
            for export in finished_exports(moved.exports_dir):
                store_export(moved, export.name)
    if as_json:
        show_json({"documents": count, "to": to})
    elif to == FOLDER:
        print_message(f"{workspace} has all {count:,} documents. Unset {FILES_URL}.")
    else:
        print_message(f"{count:,} documents are in {to}.")
        print_message(f"Set {FILES_URL} to this address for the server and all commands.")
