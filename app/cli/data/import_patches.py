"""``pagetrail import-patches``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pagetrail.annotation.sentences import count_noun
from pagetrail.app.cli.import_output import import_in_worker, list_some
from pagetrail.app.cli.options import CampaignName, Json, WorkspaceFolder
from pagetrail.app.cli.terminal import print_message, show_json
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.transcripts.importer import PatchReport, import_patches


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command(
        "import-patches",
        help="Begin the next round of transcriptions with a model's patches for the texts that "
        "`export --format transcripts` wrote. The file is JSONL with task, text_sha256 and patches "
        "(old, new, and optionally at, reason and id), and optionally annotator, round and model. "
        "The pages go back to the people who submitted them. An empty list begins a round, "
        "too. Rows for other texts, and patches that do not apply, are listed with the way out; "
        "the rest is imported. Importing again changes nothing.\n\n"
        "Exit code: 0 when a round began or the rows were imported before, else 1.",
        epilog="Example: pagetrail import-patches my-workspace patches.jsonl --campaign pages "
        "--model scribe-2",
    )(run)


def run(
    workspace: WorkspaceFolder,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The patches.")],
    campaign: CampaignName,
    model: Annotated[str | None, typer.Option(help="The model, where a row names none.")] = None,
    reopen_accepted: Annotated[
        bool,
        typer.Option(
            "--reopen-accepted",
            help="Begin a round for pages that were accepted without an edit, too.",
        ),
    ] = False,
    as_json: Json = False,
) -> None:
    report = import_in_worker(_import, workspace, file, campaign, model, reopen_accepted)
    rounds = report.rounds
    rows = [
        (str(entry.line), entry.task or "", entry.patch or "", entry.reason)
        for entry in report.left_out
    ]
    list_some(("line", "task", "patch", "reason"), rows, "Left out")
    for number, pages in sorted(rounds.started.items()):
        print_message(f"Round {number} began for {count_noun(pages, 'page')}.")
    print_message(
        f"{count_noun(report.patches, 'patch', 'patches')} for "
        f"{count_noun(rounds.imported, 'page')} imported into campaign {rounds.campaign}; "
        f"{count_noun(rounds.already_there, 'page')} had been imported before."
    )
    if rounds.imported:
        print_message(
            "Annotators find the pages in My batches. Export the transcripts again once they have "
            "submitted them."
        )
    if as_json:
        show_json(
            {
                "campaign": rounds.campaign,
                "pages": rounds.started,
                "patches": report.patches,
                "already_there": rounds.already_there,
                "left_out": [entry._asdict() for entry in report.left_out],
            }
        )
    if not rounds.imported + rounds.already_there:
        raise typer.Exit(1)


def _import(
    workspace: Path, file: Path, campaign: str, model: str | None, reopen_accepted: bool
) -> PatchReport:
    """In a process of its own."""
    return import_patches(
        Workspace.open(workspace),
        file,
        campaign=campaign,
        model=model,
        reopen_accepted=reopen_accepted,
    )
