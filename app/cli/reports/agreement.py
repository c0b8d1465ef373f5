"""``pagetrail agreement``."""

from __future__ import annotations

import math
from typing import Annotated

import typer

from pagetrail.annotation.errors import PagetrailError
from pagetrail.annotation.statistics.task_bootstrap import REPLICATES, SEED
from pagetrail.app.cli.options import CampaignName, Json, SubmissionChoice, WorkspaceFolder
from pagetrail.app.cli.report_output import (
    Identify,
    OutFolder,
    Overwrite,
    Replicates,
    Seed,
    make_report,
)
from pagetrail.exports.reports.agreement.groups import AGREEMENT_FIELDS
from pagetrail.exports.reports.agreement.report import agreement


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
    )(run)


def run(
    workspace: WorkspaceFolder,
    campaign: CampaignName,
    by: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FIELD",
            help=f"Break down by a field: {', '.join(AGREEMENT_FIELDS)}, or another field of "
            "the task records. Two fields (FIELD,FIELD) give a cross table; FIELD:10:20 sets the "
            "limits of groups of numbers. Default: domain, if any task has one.",
        ),
    ] = None,
    submission: SubmissionChoice = "first",
    out: OutFolder = None,
    overwrite: Overwrite = False,
    identify: Identify = False,
    dpi: Annotated[
        float | None,
        typer.Option(
            metavar="N",
            help="Round box edges to pixels at this resolution. Default: exact areas.",
        ),
    ] = None,
    replicates: Replicates = REPLICATES,
    seed: Seed = SEED,
    as_json: Json = False,
) -> None:
    if dpi is not None and not (math.isfinite(dpi) and dpi > 0):
        raise PagetrailError(
            f"{dpi:g} dpi is not a resolution: give a positive number.", code="invalid_dpi"
        )
    make_report(
        workspace,
        campaign,
        "agreement",
        lambda source: agreement(source, by=by, dpi=dpi, replicates=replicates, seed=seed),
        out=out,
        overwrite=overwrite,
        identify=identify,
        submission=submission,
        as_json=as_json,
    )
