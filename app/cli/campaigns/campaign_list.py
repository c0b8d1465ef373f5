"""``pagetrail campaigns``."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from pagetrail.annotation.protocols.hot_keys import replaced_keys
from pagetrail.app.cli.options import Json, WorkspaceFolder
from pagetrail.app.cli.terminal import print_message, show_json, show_table
from pagetrail.storage.campaigns.lookup import (
    CampaignSummary,
    list_campaigns,
    protocol_of_campaign,
)
from pagetrail.storage.database.workspace import Workspace


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command(
        "campaigns",
        help="List the campaigns with their tasks, batches, assignments and progress.",
        epilog="Example: pagetrail campaigns my-workspace",
    )(run)


def run(
    workspace: WorkspaceFolder,
    archived: Annotated[
        bool, typer.Option("--archived", help="List archived campaigns too.")
    ] = False,
    as_json: Json = False,
) -> None:
    opened = Workspace.open(workspace)
    campaigns = list_campaigns(opened, archived=archived)
    if as_json:
        show_json([asdict(campaign) for campaign in campaigns])
    elif not campaigns:
        print_message("There are no campaigns yet. Create one with `pagetrail import-tasks`.")
    else:
        show_table(
            (
                "campaign",
                "protocol",
                "tasks",
                "batches",
                "assigned",
                "submitted",
                "skipped",
                "flagged",
            ),
            [_campaign_row(campaign) for campaign in campaigns],
        )
    for campaign in campaigns:
        for sentence in replaced_keys(protocol_of_campaign(opened, campaign.name)):
            print_message(f"{campaign.name}: {sentence}")


def _campaign_row(campaign: CampaignSummary) -> tuple[object, ...]:
    share = f" ({campaign.submitted / campaign.expected:.0%})" if campaign.expected else ""
    closed = "" if campaign.status == "open" else f" ({campaign.status})"
    return (
        campaign.name + closed,
        campaign.protocol,
        campaign.tasks,
        campaign.batches,
        f"{campaign.assignments:,} of {campaign.assignments + campaign.open_places:,}",
        f"{campaign.submitted:,} of {campaign.expected:,}{share}",
        campaign.skipped,
        campaign.flagged,
    )
