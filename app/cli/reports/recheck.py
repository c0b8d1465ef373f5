"""``pagetrail recheck``."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from pagetrail.app.cli.options import Json, WorkspaceFolder
from pagetrail.app.cli.report_output import Identify
from pagetrail.app.cli.terminal import print_message, show_json, show_table
from pagetrail.exports.reading.open_source import open_source
from pagetrail.exports.reports.recheck.findings import ADVICE, FINDING_KINDS, LABELS, recheck
from pagetrail.storage.campaigns.lookup import list_campaigns
from pagetrail.storage.database.workspace import Workspace


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command(
        "recheck",
        help="List what later corrections of Pagetrail change in collected work, campaign by "
        "campaign: answers whose verdict differs under the new rule of correctness, verdicts given "
        "in under 0.4 s (estimated from the times of events), drawings that were undone and yet "
        "exported, and judgements of one's own answer. Nothing is changed. Annotators appear "
        "under pseudonyms.",
        epilog="Example: pagetrail recheck my-workspace --campaign baseline",
    )(run)


def run(
    workspace: WorkspaceFolder,
    campaign: Annotated[
        str | None, typer.Option(help="Only this campaign. Default: all, archived ones too.")
    ] = None,
    identify: Identify = False,
    as_json: Json = False,
) -> None:
    opened = Workspace.open(workspace)
    summaries = list_campaigns(opened, archived=True)
    names = [summary.name for summary in summaries] if campaign is None else [campaign]
    rechecks = []
    for name in names:
        with open_source(opened, name, identify=identify, submission="final") as source:
            rechecks.append(recheck(source))
    if as_json:
        show_json(
            [
                {
                    "campaign": entry.campaign,
                    "counts": {kind: len(entry.of_kind(kind)) for kind in FINDING_KINDS},
                    "findings": [asdict(finding) for finding in entry.findings],
                }
                for entry in rechecks
            ]
        )
        return
    for entry in rechecks:
        for kind in FINDING_KINDS:
            findings = entry.of_kind(kind)
            if findings:
                show_table(
                    ("task", "attempt", "annotator", "detail"),
                    [(row.task, row.attempt, row.participant, row.detail) for row in findings],
                    title=f"{entry.campaign}: {LABELS[kind]} ({len(findings):,})",
                )
                print_message(ADVICE[kind])
    if not any(entry.findings for entry in rechecks):
        print_message("Nothing that was collected is affected.")
