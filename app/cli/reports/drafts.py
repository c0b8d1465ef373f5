"""``pagetrail drafts``."""

from __future__ import annotations

import typer

from pagetrail.app.cli.options import CampaignName, Json, WorkspaceFolder
from pagetrail.app.cli.report_output import Identify, OutFolder, Overwrite, make_report
from pagetrail.exports.reports.drafts.report import drafts


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command(
        "drafts",
        help="Report how often reviewers took models' drafts of gold unchanged, edited or rejected "
        "them, by model and kind, and whether seeing them made a difference. Prints the tables, "
        "and writes a folder as the other reports do.",
        epilog="Example: pagetrail drafts my-workspace --campaign baseline",
    )(run)


def run(
    workspace: WorkspaceFolder,
    campaign: CampaignName,
    out: OutFolder = None,
    overwrite: Overwrite = False,
    identify: Identify = False,
    as_json: Json = False,
) -> None:
    make_report(
        workspace,
        campaign,
        "drafts",
        drafts,
        out=out,
        overwrite=overwrite,
        identify=identify,
        submission="final",
        as_json=as_json,
    )
