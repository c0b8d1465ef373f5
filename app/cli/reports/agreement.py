"""``pagetrail agreement``."""

from __future__ import annotations

import math

import typer

from pagetrail.annotation.errors import PagetrailError
from pagetrail.app.cli.model_options import with_model_options
from pagetrail.app.cli.options import CampaignName, CountedWork, WorkspaceFolder
from pagetrail.app.cli.report_output import ReportOutput, make_report
from pagetrail.exports.reports.agreement.report import AgreementOptions, agreement


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command(
        "agreement",
        help="Report how much annotators agree on ratings, boxes, answers and evidence, with "
        "intervals over resampled tasks. Prints the tables, and writes a folder with "
        "report.html, report.json, tables as CSV and LaTeX, and charts as SVG, PNG and PDF. "
        "Attempts of imported runs and agents are left out. The same database gives the same "
        "bytes. Annotators appear under pseudonyms.",
        epilog="Example: pagetrail agreement my-workspace --campaign relevance --by domain "
        "--out agreement",
    )(with_model_options(run))


def run(
    workspace: WorkspaceFolder,
    campaign: CampaignName,
    options: AgreementOptions,
    counted_work: CountedWork,
    output: ReportOutput,
) -> None:
    dpi = options.dpi
    if dpi is not None and not (math.isfinite(dpi) and dpi > 0):
        raise PagetrailError(
            f"{dpi:g} dpi is not a resolution: give a positive number.", code="invalid_dpi"
        )
    make_report(
        workspace,
        campaign,
        "agreement",
        lambda source: agreement(source, options),
        output,
        submission=counted_work.submission,
    )
