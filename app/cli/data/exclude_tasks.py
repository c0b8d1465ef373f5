"""``pagetrail exclude-tasks``."""

from __future__ import annotations

from typing import Annotated

import typer

from pagetrail.app.cli.options import CampaignName, WorkspaceFolder
from pagetrail.app.cli.terminal import print_message
from pagetrail.storage.campaigns.excluded_tasks import exclusion_sentence, set_excluded
from pagetrail.storage.database.workspace import Workspace


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command(
        "exclude-tasks",
        help="Exclude tasks of a campaign for the future, also after work on them began. The work "
        "stays in the log; results, agreement, review and progress leave the tasks out and say so, "
        "and nobody is given them any more.",
        epilog="Example: pagetrail exclude-tasks my-workspace q17 q18 --campaign baseline "
        '--reason "two answers are right"',
    )(run)


def run(
    workspace: WorkspaceFolder,
    tasks: Annotated[list[str], typer.Argument(metavar="TASK...", help="Ids of tasks.")],
    campaign: CampaignName,
    reason: Annotated[str, typer.Option(help="The reason, for exports and the audit log.")],
    restore: Annotated[bool, typer.Option("--restore", help="Include the tasks again.")] = False,
) -> None:
    exclusions = set_excluded(
        Workspace.open(workspace), None, campaign, tasks, reason, excluded=not restore
    )
    for exclusion in exclusions:
        print_message(exclusion_sentence(exclusion, excluded=not restore))
