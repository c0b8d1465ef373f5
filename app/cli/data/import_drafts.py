"""``pagetrail import-drafts``."""

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
from pagetrail.storage.importers.drafts.importer import DraftReport, import_drafts


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command(
        "import-drafts",
        help="Import a model's drafts of gold: JSONL, JSON, CSV, Parquet or Excel with task, model "
        "and what the model proposes: answer, evidence, page_grades, fields, pages, boxes, "
        "transcript or tables, with its reasons and scores. Reviewers see them as one more column, "
        "marked as a machine's, and can take from them; annotators never see them. Importing again "
        "changes nothing; another draft of a task by the same model takes the place of the earlier "
        "one.\n\n"
        "Exit code: 0 when drafts were imported or already existed, else 1.",
        epilog="Example: pagetrail import-drafts my-workspace merged.jsonl --campaign baseline "
        "--model qwen2.5-vl-32b",
    )(run)


def run(
    workspace: WorkspaceFolder,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The drafts.")],
    campaign: CampaignName,
    model: Annotated[
        str | None, typer.Option(help="The model, for rows that do not state theirs.")
    ] = None,
    version: Annotated[
        str | None,
        typer.Option(help="Version of the model or of its prompt, likewise."),
    ] = None,
    as_json: Json = False,
) -> None:
    report = import_in_worker(_import, workspace, file, campaign, model, version)
    rows = [(str(row.line), row.reason) for row in report.left_out]
    list_some(("line", "what"), rows, "Left out")
    for note in report.notes:
        print_message(f"Note: {note}")
    by_models = f" by {', '.join(report.models)}" if report.models else ""
    print_message(
        f"{count_noun(report.imported, 'draft')}{by_models} imported into campaign "
        f"{report.campaign}, {report.superseded:,} in place of earlier ones; "
        f"{report.already_there:,} already existed."
    )
    tell_not_kept(report.not_kept)
    if as_json:
        show_json(asdict(report))
    if not report.imported + report.already_there:
        raise typer.Exit(1)


def _import(
    workspace: Path, file: Path, campaign: str, model: str | None, version: str | None
) -> DraftReport:
    """In a process of its own."""
    opened_workspace = Workspace.open(workspace)
    return import_drafts(opened_workspace, file, campaign=campaign, model=model, version=version)
