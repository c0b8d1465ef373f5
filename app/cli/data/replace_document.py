"""``pagetrail replace-document``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer
from rich.console import Console

from pagetrail.annotation.errors import InputFileError
from pagetrail.app.cli.data.ingest import ingest_progress, print_report
from pagetrail.app.cli.options import WorkspaceFolder
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.ingest.command import replace_documents
from pagetrail.storage.ingest.replacement import Replacing


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command(
        "replace-document",
        help="Replace documents by corrected files of the same name; earlier versions are kept. "
        "Work on them says which version it saw, and replays show that one. A file without pages "
        "that tasks, gold, drafts or work refer to is refused, with these pages, unless "
        "--accept-missing-pages is given.",
        epilog="Example: pagetrail replace-document my-workspace corrected/report.pdf",
    )(run)


def run(
    workspace: WorkspaceFolder,
    files: Annotated[
        list[Path],
        typer.Argument(metavar="PDF...", help="Files with the names of documents."),
    ],
    document: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="The document, if the one file has another name."),
    ] = None,
    accept_missing_pages: Annotated[
        bool,
        typer.Option(
            "--accept-missing-pages",
            help="Also if work refers to pages that the new file does not have.",
        ),
    ] = False,
    ocr: Annotated[
        Literal["auto", "never", "always"], typer.Option(help="As for ingest.")
    ] = "auto",
    ocr_lang: Annotated[
        str, typer.Option(help="Tesseract languages, joined by +, e.g. eng+deu.")
    ] = "eng",
) -> None:
    if document is not None and len(files) != 1:
        raise InputFileError("--document names the document of one file. Give one.")
    replacing = Replacing(document, None, accept_missing_pages)
    opened = Workspace.open(workspace)
    with ingest_progress() as progress:
        report = replace_documents(
            opened, files, replacing, ocr=ocr, ocr_lang=ocr_lang, progress=progress
        )
    print_report(Console(stderr=True), report)
    if report.interrupted:
        raise typer.Exit(130)
    if report.failed:
        raise typer.Exit(1)
