"""``pagetrail import-tables``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pagetrail.annotation.sentences import count_noun
from pagetrail.app.cli.import_output import import_in_worker, list_some
from pagetrail.app.cli.options import CampaignName, Json, WorkspaceFolder
from pagetrail.app.cli.terminal import print_message, show_json
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.tables.importer import TableReport, import_tables


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command(
        "import-tables",
        help="Begin the next round of table verification with the tables that a model fixed, for "
        "the requests that `export --format table-fixes` wrote. JSONL with task, tables_sha256 and "
        "tables (id, and html or markdown), and optionally annotator and model. The tasks go back "
        "to the people who submitted them, who confirm what changed. Rows for other tables are "
        "listed with the way out; the rest is imported. Importing again changes nothing.\n\n"
        "Exit code: 0 when a round began or the rows were imported before, else 1.",
        epilog="Example: pagetrail import-tables my-workspace fixed.jsonl --campaign tables "
        "--model grid-2",
    )(run)


def run(
    workspace: WorkspaceFolder,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The fixed tables.")],
    campaign: CampaignName,
    model: Annotated[str | None, typer.Option(help="The model, where a row names none.")] = None,
    as_json: Json = False,
) -> None:
    report = import_in_worker(_import, workspace, file, campaign, model)
    rounds = report.rounds
    for title, entries in (("Left out", report.left_out), ("Repaired", report.repaired)):
        rows = [(str(entry.line), entry.task or "", entry.reason) for entry in entries]
        list_some(("line", "task", "reason"), rows, title)
    for number, tasks in sorted(rounds.started.items()):
        print_message(f"Round {number} began for {count_noun(tasks, 'task')}.")
    print_message(
        f"{count_noun(report.changes, 'change')} to confirm in "
        f"{count_noun(rounds.imported, 'task')} of campaign {rounds.campaign}; "
        f"{count_noun(rounds.already_there, 'task')} had been imported before."
    )
    if as_json:
        show_json(
            {
                "campaign": rounds.campaign,
                "tasks": rounds.started,
                "changes": report.changes,
                "already_there": rounds.already_there,
                "repaired": [entry._asdict() for entry in report.repaired],
                "left_out": [entry._asdict() for entry in report.left_out],
            }
        )
    if not rounds.imported + rounds.already_there:
        raise typer.Exit(1)


def _import(workspace: Path, file: Path, campaign: str, model: str | None) -> TableReport:
    """In a process of its own."""
    return import_tables(Workspace.open(workspace), file, campaign=campaign, model=model)
