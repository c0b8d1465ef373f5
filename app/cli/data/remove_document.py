"""``pagetrail remove-document``."""

from __future__ import annotations

from typing import Annotated

import typer

from pagetrail.app.cli.options import WorkspaceFolder
from pagetrail.app.cli.terminal import print_message
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.ingest.removal import removal_sentence, remove_document


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command(
        "remove-document",
        help="Remove documents from the collection, with their files, texts and images. Refused "
        "while a task, gold, a draft, a run or anybody's work refers to one; the message says "
        "what does.",
        epilog="Example: pagetrail remove-document my-workspace draft-report.pdf",
    )(run)


def run(
    workspace: WorkspaceFolder,
    documents: Annotated[
        list[str], typer.Argument(metavar="DOCUMENT...", help="Names of documents.")
    ],
) -> None:
    opened = Workspace.open(workspace)
    for name in dict.fromkeys(documents):
        print_message(removal_sentence(remove_document(opened, None, name)))
