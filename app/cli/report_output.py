"""What the report commands share: building, printing and writing a report."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, cast

import typer
from pydantic import BaseModel
from rich.console import Console

from pagetrail.annotation.attempts.submission import SubmissionVersion
from pagetrail.annotation.options import option
from pagetrail.annotation.sentences import count_noun
from pagetrail.app.cli.model_options import with_model_options
from pagetrail.app.cli.options import CampaignName, WorkspaceFolder
from pagetrail.app.cli.progress_bar import progress_bar
from pagetrail.app.cli.terminal import print_message, show_json
from pagetrail.exports.reading.open_source import open_source
from pagetrail.exports.reading.source import Source
from pagetrail.exports.reports.model import Report
from pagetrail.exports.reports.render.json_text import report_json
from pagetrail.exports.reports.render.report_folder import write_report
from pagetrail.exports.reports.render.terminal import WIDEST, show
from pagetrail.exports.writing.file_formats import encoded_stem
from pagetrail.exports.writing.output_folder import require_free
from pagetrail.storage.campaigns.price_tables import read_price_table
from pagetrail.storage.database.workspace import Workspace

Overwrite = Annotated[
    bool, typer.Option("--overwrite", help="Replace an earlier report in that folder.")
]
Identify = Annotated[
    bool, typer.Option("--identify", help="Show annotators' names instead of pseudonyms.")
]


class ReportOutput(BaseModel):
    """Where a report goes, and whether people are named."""

    out: Path | None = option(
        None,
        "A new or empty folder. Default: WS/exports/CAMPAIGN-COMMAND, replacing an earlier report.",
        metavar="DIR",
    )
    overwrite: bool = option(False, "Replace an earlier report in that folder.")
    identify: bool = option(False, "Show annotators' names instead of pseudonyms.")
    as_json: bool = option(False, "Print JSON on standard output.", flag="--json")


def add_report_command(
    app: typer.Typer,
    kind: str,
    build: Callable[[Source], Report],
    *,
    description: str,
    example: str,
) -> None:
    """Add the command of a report that has no options of its own and counts all submissions.

    Args:
        kind: of the report, and the command's name.
        description: what it reports; help adds where it goes.
        example: of a command line.
    """

    def run(
        workspace: WorkspaceFolder,
        campaign: CampaignName,
        output: ReportOutput,
    ) -> None:
        make_report(workspace, campaign, kind, build, output, submission="final")

    help_text = f"{description} Prints the tables, and writes a folder as the other reports do."
    app.command(kind, help=help_text, epilog=f"Example: {example}")(with_model_options(run))


def make_report(
    folder: Path,
    campaign: str,
    kind: str,
    build: Callable[[Source], Report],
    output: ReportOutput,
    *,
    submission: str,
    prices: Path | None = None,
) -> None:
    """Build a report, print it, and write its files.

    Args:
        folder: of the workspace.
        kind: ends the name of the default folder.
        submission: ``first`` or ``final``.
        prices: file of a price table to use in place of the workspace's.
    """
    out = output.out
    price_table = None if prices is None else read_price_table(prices)
    workspace = Workspace.open(folder)
    target = out if out is not None else workspace.exports_dir / encoded_stem(f"{campaign}-{kind}")
    overwrite = output.overwrite or out is None
    # Checked before the work rather than after it.
    require_free(target, overwrite)
    with progress_bar() as bar:
        reading = bar.add_task("Reading", total=None)
        with open_source(
            workspace,
            campaign,
            identify=output.identify,
            submission=cast(SubmissionVersion, submission),
            prices=price_table,
            progress=lambda completed, total: bar.update(reading, completed=completed, total=total),
        ) as source:
            report = build(source)
        writing = bar.add_task("Writing", total=None)
        files = write_report(
            report,
            target,
            overwrite=overwrite,
            progress=lambda completed, total: bar.update(writing, completed=completed, total=total),
        )
    if output.as_json:
        show_json(report_json(report))
    else:
        console = Console()
        # Into a file or a pipe there is no window whose width would have to be kept.
        show(report, console if console.is_terminal else Console(width=WIDEST))
    _say_files(files, target)
    if report.identified:
        print_message(
            "Annotators appear under their own names. Do not publish this folder as it is."
        )


def _say_files(files: list[Path], target: Path) -> None:
    descriptions = ["report.html to read", "report.json"]
    for suffix, singular, form in (
        (".csv", "table", "CSV and LaTeX"),
        (".svg", "chart", "SVG, PNG and PDF"),
    ):
        if n := sum(path.suffix == suffix for path in files):
            descriptions.append(f"{count_noun(n, singular)} as {form}")
    print_message(f"Written to {target}: {', '.join(descriptions)}.")
