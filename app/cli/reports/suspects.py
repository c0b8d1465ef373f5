"""``pagetrail suspects``."""

from __future__ import annotations

import typer

from pagetrail.app.cli.model_options import with_model_options
from pagetrail.app.cli.options import (
    CampaignName,
    CountedWork,
    OutsideVerdicts,
    WorkspaceFolder,
    only_verdicts,
)
from pagetrail.app.cli.report_output import ReportOutput, make_report
from pagetrail.exports.reports.suspects.report import SuspectsOptions, suspects


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command(
        "suspects",
        help="Report gold that is probably wrong: tasks to check, decisions on them, the error "
        "that remains, and scores before and after. Prints the tables, and writes a folder as the "
        "other reports do.",
        epilog="Example: pagetrail suspects my-workspace --campaign baseline --verdicts gpt-judge",
    )(with_model_options(run))


def run(
    workspace: WorkspaceFolder,
    campaign: CampaignName,
    options: SuspectsOptions,
    counted_work: CountedWork,
    output: ReportOutput,
    verdicts: OutsideVerdicts = None,
) -> None:
    report_options = options.model_copy(update={"verdicts": only_verdicts(verdicts)})
    make_report(
        workspace,
        campaign,
        "suspects",
        lambda source: suspects(source, report_options),
        output,
        submission=counted_work.submission,
    )
