"""``pagetrail import-tasks``."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from pagetrail.app.cli.operations import print_parts
from pagetrail.app.cli.options import (
    BatchSize,
    CampaignName,
    CampaignSeed,
    Changes,
    GuidelinesFile,
    Json,
    NoAssign,
    Overlap,
    Predictions,
    SkipBad,
    WorkspaceFolder,
    markdown,
    settings_of,
    systems_of,
)
from pagetrail.app.cli.terminal import show_json
from pagetrail.app.operations.task_reports import task_report
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.tasks.importer import import_tasks

_HELP = "\n\n".join(
    (
        "Import questions from JSONL, JSON, CSV, Parquet or Excel into a campaign, in batches.",
        "A test collection for retrieval (BEIR, TREC or ViDoRe) is a folder, a zip of one, or a "
        "file of queries with --qrels: judged pages become candidates and gold.",
        "A new campaign is created; an existing one gets the tasks as new batches. Rows that "
        "cannot be imported are listed with line and reason, and nothing is imported unless "
        "--skip-bad is given. New batches are assigned to the active annotators at once, --overlap "
        "annotators per task.",
        "Exit code: 0 when tasks were imported, else 1.",
    )
)


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command(
        "import-tasks",
        help=_HELP,
        epilog="Example: pagetrail import-tasks my-workspace questions.jsonl --campaign baseline "
        "--protocol search --overlap 2 --set search.top_k=10",
    )(run)


def run(
    workspace: WorkspaceFolder,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The tasks: a file, folder or zip.")],
    campaign: CampaignName,
    protocol: Annotated[
        str | None,
        typer.Option(
            help="A preset's name or the path of a TOML file; "
            "default: the existing campaign's, or search."
        ),
    ] = None,
    batch_size: BatchSize = None,
    overlap: Overlap = None,
    seed: CampaignSeed = None,
    changes: Changes = None,
    guidelines: GuidelinesFile = None,
    predictions: Predictions = None,
    pages_from: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="The number that a document's first page has in the file, 0 or 1; default: 1, or "
            "what a test collection says.",
        ),
    ] = None,
    qrels: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Judged pages of the queries: qrels of TREC, BEIR or ViDoRe."
        ),
    ] = None,
    corpus: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The corpus that maps the page ids in --qrels to pages."),
    ] = None,
    skip_bad: SkipBad = False,
    no_assign: NoAssign = False,
    as_json: Json = False,
) -> None:
    report = import_tasks(
        Workspace.open(workspace),
        file,
        campaign=campaign,
        protocol=protocol,
        settings=settings_of(changes),
        batch_size=batch_size,
        overlap=overlap,
        seed=seed,
        skip_bad=skip_bad,
        guidelines=None if guidelines is None else markdown(guidelines),
        predictions=systems_of(predictions),
        pages_from=pages_from,
        qrels=qrels,
        corpus=corpus,
        assign=not no_assign,
    )
    print_parts(task_report(report))
    if as_json:
        show_json(asdict(report))
    if not report.imported:
        raise typer.Exit(1)
