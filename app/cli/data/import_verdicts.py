"""``pagetrail import-verdicts``."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from pagetrail.annotation.sentences import count_noun
from pagetrail.app.cli.import_output import import_in_worker, list_some, tell_not_kept
from pagetrail.app.cli.options import CampaignName, Json, WorkspaceFolder
from pagetrail.app.cli.terminal import print_message, show_json
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.verdicts.importer import VerdictReport, import_verdicts


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command(
        "import-verdicts",
        help="Import an external judge's or dataset's verdicts on a campaign's answers: CSV, "
        "JSONL, Parquet or Excel with task, system and verdict, and optionally confidence "
        "and rationale. They become a named set, which metrics and the scores export can "
        "use. Importing again changes nothing.\n\n"
        "Exit code: 0 when verdicts were imported or already existed, else 1.",
        epilog="Example: pagetrail import-verdicts my-workspace labels.csv --campaign baseline "
        "--name gpt-judge",
    )(run)


def run(
    workspace: WorkspaceFolder,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The verdicts.")],
    campaign: CampaignName,
    name: Annotated[str, typer.Option(help="Name of the set of verdicts.")],
    as_json: Json = False,
) -> None:
    report = import_in_worker(_import, workspace, file, campaign, name)
    rows = [(str(row.line), row.reason) for row in report.left_out]
    list_some(("line", "what"), rows, "Left out")
    print_message(
        f"{count_noun(report.imported, 'verdict')} imported as {report.name} into campaign "
        f"{report.campaign}; {report.already_there:,} already existed."
    )
    tell_not_kept(report.not_kept)
    if as_json:
        show_json(asdict(report))
    if not report.imported + report.already_there:
        raise typer.Exit(1)


def _import(workspace: Path, file: Path, campaign: str, name: str) -> VerdictReport:
    """In a process of its own."""
    return import_verdicts(Workspace.open(workspace), file, campaign=campaign, name=name)
