"""``pagetrail word-boxes``."""

from __future__ import annotations

from typing import Annotated

import typer

from pagetrail.app.cli.options import JsonReport, WorkspaceFolder
from pagetrail.app.cli.progress_bar import progress_bar
from pagetrail.app.cli.terminal import say, show_json
from pagetrail.storage.database.storable_text import printable
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.ingest.word_boxes import add_word_boxes


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command(
        "word-boxes",
        help="Recognise scanned pages again whose words have no boxes, because they were read by "
        "an older version: highlights, snapping and text selection then work on them. Page texts, "
        "searches and the index stay as they are, unless --replace-text is given. After Ctrl-C, "
        "run the same command to continue. Exit code: 130 after Ctrl-C.",
        epilog="Example: pagetrail word-boxes my-workspace --ocr-lang eng+deu",
    )(run)


def run(
    workspace: WorkspaceFolder,
    document: Annotated[
        str | None, typer.Option(metavar="NAME", help="Only this document; default: all.")
    ] = None,
    ocr_lang: Annotated[
        str, typer.Option(help="Tesseract languages, joined by +, e.g. eng+deu.")
    ] = "eng",
    replace_text: Annotated[
        bool,
        typer.Option(
            "--replace-text",
            help="Also store text that is read differently now. Searches may then find other "
            "pages than before, and the corpus revision changes.",
        ),
    ] = False,
    workers: Annotated[
        int | None, typer.Option(min=1, help="Worker processes; by default one per core.")
    ] = None,
    as_json: JsonReport = False,
) -> None:
    with progress_bar() as bar:
        line = bar.add_task("Pages", total=None)
        report = add_word_boxes(
            Workspace.open(workspace),
            document=document,
            ocr_lang=ocr_lang,
            replace_text=replace_text,
            workers=workers,
            progress=lambda done, total: bar.update(line, completed=done, total=total),
        )
    for problem in report.failed:
        say(printable(problem))
    say(report.sentence())
    if as_json:
        show_json(report.as_json())
    if report.interrupted:
        raise typer.Exit(130)
