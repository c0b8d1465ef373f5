"""``pagetrail report``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, cast

import typer

from pagetrail.annotation.attempts.submission import SubmissionVersion
from pagetrail.app.cli.model_options import with_model_options
from pagetrail.app.cli.options import OutsideVerdicts, PricedWork, WorkspaceFolder, only_verdicts
from pagetrail.app.cli.progress_bar import progress_bar
from pagetrail.app.cli.report_output import Identify, Overwrite
from pagetrail.app.cli.reports.metrics import list_unused_vectors
from pagetrail.app.cli.terminal import print_message
from pagetrail.exports.papers.folder import write_paper
from pagetrail.exports.papers.options import PaperOptions
from pagetrail.exports.papers.papers import paper_of
from pagetrail.exports.reading.open_source import open_source
from pagetrail.exports.writing.output_folder import require_free
from pagetrail.storage.campaigns.price_tables import read_price_table
from pagetrail.storage.database.workspace import Workspace

_HELP = """Write the tables and figures of a benchmark's paper from your campaigns.

A folder with each table as LaTeX (booktabs) and CSV, each figure as PDF, SVG
and PNG with its data as CSV, and README.txt and manifest.json with the definition,
the n, the interval and the exclusions of every number. What the campaigns cannot
give is listed there with the reason. The same database gives the same bytes."""


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command(
        "report",
        help=_HELP,
        epilog="Example: pagetrail report my-workspace --paper madqa --campaign baseline "
        "--campaign oracle --out figures",
    )(with_model_options(run))


def run(
    workspace: WorkspaceFolder,
    paper: Annotated[
        str, typer.Option(metavar="PAPER", help="madqa, vidore, unidoc or parsebench.")
    ],
    campaign: Annotated[
        list[str],
        typer.Option(
            metavar="NAME",
            help="A campaign; may be repeated: people, people given the gold pages, agents, or "
            "several data sets. madqa compares results of the same task across campaigns.",
        ),
    ],
    out: Annotated[Path, typer.Option(metavar="DIR", help="A new or empty folder.")],
    options: PaperOptions,
    counted_work: PricedWork,
    verdicts: OutsideVerdicts = None,
    identify: Identify = False,
    overwrite: Overwrite = False,
) -> None:
    paper_options = options.model_copy(update={"verdicts": only_verdicts(verdicts)})
    # Checked before the work rather than after it.
    require_free(out, overwrite)
    price_table = None if counted_work.prices is None else read_price_table(counted_work.prices)
    list_unused_vectors(paper_options)
    opened_workspace = Workspace.open(workspace)
    names = list(dict.fromkeys(campaign))
    with progress_bar() as bar:
        reading = bar.add_task("Reading", total=None)
        with open_source(
            opened_workspace,
            names[0],
            identify=identify,
            submission=cast(SubmissionVersion, counted_work.submission),
            prices=price_table,
            progress=lambda completed, total: bar.update(reading, completed=completed, total=total),
        ) as source:
            paper_report = paper_of(
                paper, [source, *map(source.for_campaign, names[1:])], paper_options
            )
        writing = bar.add_task("Drawing", total=None)
        write_paper(
            paper_report,
            out,
            overwrite=overwrite,
            progress=lambda completed, total: bar.update(writing, completed=completed, total=total),
        )
    figures = len(paper_report.figures)
    contents = [f"{len(paper_report.parts) - figures} tables as LaTeX and CSV"]
    if figures:
        contents.append(f"{figures} figures as PDF, SVG and PNG with their data as CSV")
    print_message(f"Written to {out}: {', '.join(contents)}, README.txt and manifest.json.")
    for missing_part in paper_report.not_given:
        print_message(f"Not given: {missing_part.what}: {missing_part.reason}.")
    if identify:
        print_message(
            "Annotators appear under their own names. Do not publish this folder as it is."
        )
