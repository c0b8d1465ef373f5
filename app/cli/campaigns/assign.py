"""``pagetrail assign``."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from pagetrail.app.cli.operations import print_parts
from pagetrail.app.cli.options import CampaignName, Json, OnlyAnnotators, WorkspaceFolder
from pagetrail.app.cli.terminal import print_message, show_json, show_table
from pagetrail.app.operations.task_reports import passed_over, shortfall_sentence
from pagetrail.storage.batches.assignments import assign, kept_from_sentences
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.audit import COMMAND_LINE
from pagetrail.storage.people.profiles import StaffingRequirements


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command(
        "assign",
        help="Assign a campaign's batches until each has as many annotators as the campaign's "
        "overlap. Existing assignments stay; new ones balance the load. Running it again "
        "does nothing until there are new batches or people. A pilot is assigned to "
        "everybody, and a campaign that requires a pilot to those who have passed it. "
        "--language, --skill and --group limit the assignment to annotators who match; "
        "--max-tasks limits each annotator's tasks.",
        epilog="Example: pagetrail assign my-workspace --campaign baseline --annotator Ada "
        "--annotator Grace",
    )(run)


def run(
    workspace: WorkspaceFolder,
    campaign: CampaignName,
    annotator: OnlyAnnotators = None,
    language: Annotated[
        list[str] | None,
        typer.Option(
            metavar="TAG", help="Only annotators with this language; if repeated, with any of them."
        ),
    ] = None,
    skill: Annotated[
        list[str] | None,
        typer.Option(
            metavar="TAG", help="Only annotators with this skill; if repeated, with all of them."
        ),
    ] = None,
    group: Annotated[
        list[str] | None,
        typer.Option(
            metavar="TAG", help="Only annotators in this group; if repeated, in any of them."
        ),
    ] = None,
    max_tasks: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Maximum number of the campaign's tasks per annotator, including earlier ones.",
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    report = assign(
        Workspace.open(workspace),
        campaign,
        annotator or None,
        requirements=StaffingRequirements(
            tuple(language or ()), tuple(skill or ()), tuple(group or ())
        ),
        most_tasks=max_tasks,
        by=COMMAND_LINE,
    )
    if as_json:
        show_json(asdict(report))
    else:
        new = [name for _, name in report.created]
        show_table(
            ("annotator", "new batches", "batches"),
            [(name, new.count(name), load) for name, load in report.loads.items()],
            title=f"Campaign {report.campaign}",
        )
    print_parts(passed_over(report) + kept_from_sentences(report))
    if not report.loads:
        print_message("There are no active annotators. Add them with `pagetrail users`.")
    elif report.shortfall:
        print_message(shortfall_sentence(report))
