"""``pagetrail quality``."""

from __future__ import annotations

from typing import Annotated, cast

import typer

from pagetrail.annotation.progress.quality import Period
from pagetrail.app.cli.options import CampaignName, Json, SubmissionChoice, WorkspaceFolder
from pagetrail.app.cli.report_output import Identify, OutFolder, Overwrite, make_report
from pagetrail.exports.reports.quality.report import quality


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command(
        "quality",
        help="Report each person's work while a campaign runs: accuracy on hidden gold, agreement "
        "with themselves on repeated tasks and with others, time per task, trends and "
        "alerts. Prints the tables, and writes a folder as the other reports do.",
        epilog="Example: pagetrail quality my-workspace --campaign baseline --by week --identify",
    )(run)


def run(
    workspace: WorkspaceFolder,
    campaign: CampaignName,
    by: Annotated[
        str,
        typer.Option(
            metavar="PERIOD", help="Periods: tenth of each person's work, or calendar week."
        ),
    ] = "tenth",
    submission: SubmissionChoice = "first",
    out: OutFolder = None,
    overwrite: Overwrite = False,
    identify: Identify = False,
    as_json: Json = False,
) -> None:
    make_report(
        workspace,
        campaign,
        "quality",
        lambda source: quality(source, by=cast(Period, by)),
        out=out,
        overwrite=overwrite,
        identify=identify,
        submission=submission,
        as_json=as_json,
    )
