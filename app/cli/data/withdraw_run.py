"""``pagetrail withdraw-run``."""

from __future__ import annotations

from typing import Annotated

import typer

from pagetrail.app.cli.options import CampaignName, WorkspaceFolder
from pagetrail.app.cli.terminal import print_message
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.runs.withdrawal import set_run_withdrawn


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command(
        "withdraw-run",
        help="Withdraw a system's run of a campaign. It stays stored; reports and exports leave "
        "it out and say so. To replace it, import the new one with another --run.",
        epilog='Example: pagetrail withdraw-run my-workspace "agent#1" --campaign baseline '
        '--reason "wrong index"',
    )(run)


def run(
    workspace: WorkspaceFolder,
    system: Annotated[str, typer.Argument(metavar="SYSTEM", help="The system's name.")],
    campaign: CampaignName,
    reason: Annotated[str, typer.Option(help="The reason, for the audit log.")] = "",
    restore: Annotated[bool, typer.Option("--restore", help="Restore a withdrawn run.")] = False,
    delete_originals: Annotated[
        bool,
        typer.Option(
            "--delete-originals",
            help="Also delete the rows or samples it was read from. This cannot be undone.",
        ),
    ] = False,
) -> None:
    opened = Workspace.open(workspace)
    deleted = set_run_withdrawn(
        opened,
        campaign,
        system,
        withdrawn=not restore,
        reason=reason,
        delete_originals=delete_originals,
    )
    outcome = "counts again" if restore else "is withdrawn; it stays stored"
    print_message(f"The run of {system} in {campaign} {outcome}.")
    if delete_originals:
        print_message(f"{deleted:,} originals were deleted.")
