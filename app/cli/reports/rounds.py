"""``pagetrail rounds``."""

from __future__ import annotations

import typer

from pagetrail.app.cli.options import CampaignName, Json, WorkspaceFolder
from pagetrail.app.cli.report_output import Identify, OutFolder, Overwrite, make_report
from pagetrail.exports.reports.rounds.report import rounds


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command(
        "rounds",
        help="Report the rounds of transcriptions: pages by round and state, and per round the "
        "patches accepted and rejected, characters edited and active minutes. Prints the tables, "
        "and writes a folder as the other reports do.",
        epilog="Example: pagetrail rounds my-workspace --campaign pages",
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
        "rounds",
        rounds,
        out=out,
        overwrite=overwrite,
        identify=identify,
        submission="final",
        as_json=as_json,
    )
