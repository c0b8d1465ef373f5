"""``pagetrail download``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from pagetrail.app.cli.options import Json
from pagetrail.app.cli.progress_bar import progress_bar
from pagetrail.app.cli.terminal import show_json
from pagetrail.storage.importers.links.download import DownloadReport, Limits, download

_HELP = (
    "Download the PDF files named in a link file, for ingestion.\n\n"
    "The link file is JSONL, JSON, CSV, Parquet or Excel with document and url, and sha256 if "
    "known. A link that fails is listed with the reason and does not stop the others. After "
    "Ctrl-C, or to try again, run the same command: complete files are kept, and partial ones are "
    "resumed.\n\n"
    "Exit code: 0 when there is at least one file, 1 when all links failed or the file cannot be "
    "used, 130 after Ctrl-C."
)


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command(
        "download",
        help=_HELP,
        epilog="Example: pagetrail download documents.jsonl --to pdfs && "
        "pagetrail ingest my-workspace pdfs",
    )(run)


def run(
    links: Annotated[Path, typer.Argument(metavar="LINKS", help="The link file.")],
    to: Annotated[Path, typer.Option(metavar="DIR", help="The folder; created if necessary.")],
    max_mb: Annotated[int, typer.Option(min=1, help="Maximum size of a file, in MiB.")] = 500,
    timeout: Annotated[float, typer.Option(min=1, help="Seconds allowed for one file.")] = 600.0,
    allow_private: Annotated[
        bool, typer.Option("--allow-private", help="Also fetch from hosts in private networks.")
    ] = False,
    as_json: Json = False,
) -> None:
    limits = Limits(max_mb * 2**20, timeout, allow_private)
    with progress_bar() as bar:
        task = bar.add_task("Documents", total=None)

        def show(completed: int, total: int) -> None:
            bar.update(task, completed=completed, total=total)

        report = download(links, to, limits, show)
    _print(Console(stderr=True), report)
    if as_json:
        show_json(report.as_json())
    if report.interrupted:
        raise typer.Exit(130)
    if report.failed and not report.downloaded and not report.already_there:
        raise typer.Exit(1)


def _print(console: Console, report: DownloadReport) -> None:
    table = Table("Line", "Document", "Reason", show_edge=False, pad_edge=False)
    for failed in report.failed:
        table.add_row(str(failed.line), Text(failed.document), Text(failed.reason))
    if table.row_count:
        console.print(table)
    for note in report.notes:
        console.print(Text(f"Note: {note}"))
    parts = [
        f"{len(report.downloaded)} downloaded ({report.bytes / 2**20:,.1f} MiB)",
        f"{len(report.already_there)} already there",
        f"{len(report.failed)} failed",
        *([f"{len(report.pending)} not reached"] if report.pending else []),
    ]
    console.print(", ".join(parts) + ".", highlight=False)
