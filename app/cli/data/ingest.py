"""``pagetrail ingest``."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Literal

import typer
from rich.console import Console
from rich.progress import TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from pagetrail.app.cli.options import Json, WorkspaceFolder
from pagetrail.app.cli.progress_bar import progress_bar
from pagetrail.app.cli.terminal import show_json
from pagetrail.storage.corpus.thumbnails import ThumbnailReport, draw_thumbnails
from pagetrail.storage.database.storable_text import printable
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.ingest.command import ingest
from pagetrail.storage.ingest.report import IngestReport, Progress

_HELP = (
    "Read PDF files, and all PDF files in folders, into the workspace.\n\n"
    "The same file twice is one document. Two different files of the same name are an error. "
    "Pages without a text layer, and scans whose text layer is only a stamp or page number, are "
    "read with Tesseract (--ocr), also in documents that exist already. After Ctrl-C or a crash, "
    "run the same command to continue. Thumbnails of the pages are drawn last; after Ctrl-C, the "
    "server draws the rest when it is idle.\n\n"
    "Exit code: 0 when the run finished and at least one file is in the workspace or nothing "
    "failed, 1 when all files failed or the run could not start, 130 after Ctrl-C."
)


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command(
        "ingest",
        help=_HELP,
        epilog="Example: pagetrail ingest my-workspace reports/ extra.pdf --ocr-lang eng+deu",
    )(run)


def run(
    workspace: WorkspaceFolder,
    paths: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="[PDF_OR_FOLDER]...",
            help="PDF files and folders. May be omitted with --text-jsonl.",
        ),
    ] = None,
    ocr: Annotated[
        Literal["auto", "never", "always"],
        typer.Option(
            help="Recognise text on pages without a text layer or with only a stamp, on no page, "
            "or on all pages."
        ),
    ] = "auto",
    ocr_lang: Annotated[
        str, typer.Option(help="Tesseract languages, joined by +, e.g. eng+deu.")
    ] = "eng",
    text_jsonl: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="MADQA OCR JSONL (plain or .gz): its texts replace those of the named pages, and "
            "its order becomes that of the search index.",
        ),
    ] = None,
    normalise_text: Annotated[
        bool,
        typer.Option(
            "--normalise-text",
            help="Have words whole in the texts of all pages, also of documents ingested before or "
            "later: letters for ligatures, no soft hyphens, words joined that a line end divides. "
            "Searches of people and agents then find them. Cannot be undone.",
        ),
    ] = False,
    workers: Annotated[
        int | None, typer.Option(min=1, help="Worker processes; by default one per core.")
    ] = None,
    timeout: Annotated[
        float | None,
        typer.Option(
            min=0.1,
            help="Seconds allowed for reading one document, or 64 pages of a long one, not "
            "counting OCR; by default 60, and 2 more per MiB, at most 300.",
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    console = Console(stderr=True)
    opened = Workspace.open(workspace)
    with ingest_progress() as progress:
        report = ingest(
            opened,
            paths or [],
            ocr=ocr,
            ocr_lang=ocr_lang,
            text_jsonl=text_jsonl,
            normalise_text=normalise_text,
            workers=workers,
            timeout_s=timeout,
            progress=progress,
        )
    print_report(console, report)
    thumbnails = ThumbnailReport()
    if not report.interrupted:
        with progress_bar(TimeElapsedColumn()) as bar:
            task = bar.add_task("Thumbnails", total=None)
            thumbnails = draw_thumbnails(
                opened,
                report.documents,
                lambda done, total: bar.update(task, completed=done, total=total),
            )
        if sentence := thumbnails.sentence():
            console.print(sentence, highlight=False)
    if as_json:
        show_json({**report.as_json(), "thumbnails": thumbnails.as_json()})
    if report.interrupted or (thumbnails.missing and not thumbnails.problem):
        console.print("Interrupted. Run the same command again to continue.", style="bold")
        raise typer.Exit(130)
    if report.failed and not report.ingested and not report.duplicates:
        raise typer.Exit(1)


@contextmanager
def ingest_progress() -> Iterator[Callable[[Progress], None]]:
    """A progress bar; yields what is called at each step."""
    with progress_bar(TextColumn("{task.fields[detail]}"), TimeElapsedColumn()) as bar:
        task = bar.add_task("Documents", total=None, detail="")

        def show(now: Progress) -> None:
            detail = f"{now.pages} pages read"
            if now.ocr_total:
                detail += f", OCR {now.ocr_pages}/{now.ocr_total}"
            bar.update(task, completed=now.files, total=now.files_total, detail=detail)

        yield show


def print_report(console: Console, report: IngestReport) -> None:
    """Print the outcome of each file, and totals."""
    table = Table("File", "Result", "Pages", "Notes", show_edge=False, pad_edge=False)
    table.columns[2].justify = "right"
    for new in report.ingested:
        recognised = (f"Through OCR: {new.ocr_pages}.",) if new.ocr_pages else ()
        notes = " ".join((*recognised, *new.notes))
        table.add_row(
            _terminal_text(new.document), "ingested", str(new.pages), _terminal_text(notes)
        )
    for duplicate in report.duplicates:
        table.add_row(
            _terminal_text(duplicate.file), "already exists", "", _terminal_text(duplicate.reason)
        )
    for failed in report.failed:
        table.add_row(
            _terminal_text(failed.file),
            Text("failed", "bold red"),
            "",
            _terminal_text(failed.problem),
        )
    if table.row_count:
        console.print(table)
    for note in report.notes:
        console.print(Text("Note: ", "yellow").append_text(_terminal_text(note)))
    pages = sum(new.pages for new in report.ingested)
    parts = [
        f"{len(report.ingested)} ingested ({pages} pages)",
        f"{len(report.duplicates)} already exist",
        f"{len(report.failed)} failed",
    ]
    if report.text_pages:
        parts.append(f"{report.text_pages} page texts from the text file")
    if report.ignored:
        parts.append(f"{report.ignored} other files ignored")
    if report.pending:
        parts.append(f"{len(report.pending)} not finished")
    console.print(", ".join(parts) + ".", highlight=False)


def _terminal_text(value: str) -> Text:
    return Text(printable(value), overflow="fold")
