"""``pagetrail quality``."""

from __future__ import annotations

import typer

from pagetrail.app.cli.model_options import with_model_options
from pagetrail.app.cli.options import CampaignName, CountedWork, WorkspaceFolder
from pagetrail.app.cli.report_output import ReportOutput, make_report
from pagetrail.exports.reports.quality.report import QualityOptions, quality


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command(
        "quality",
        help="Report each person's work while a campaign runs: accuracy on hidden gold, agreement "
        "with themselves on repeated tasks and with others, time per task, trends and "
        "alerts. Prints the tables, and writes a folder as the other reports do.",
        epilog="Example: pagetrail quality my-workspace --campaign baseline --by week --identify",
    )(with_model_options(run))


def run(
    workspace: WorkspaceFolder,
    campaign: CampaignName,
    options: QualityOptions,
    counted_work: CountedWork,
    output: ReportOutput,
) -> None:
    make_report(
        workspace,
        campaign,
        "quality",
        lambda source: quality(source, options),
        output,
        submission=counted_work.submission,
    )
