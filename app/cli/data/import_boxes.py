"""``pagetrail import-boxes``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from pagetrail.annotation.sentences import count_noun
from pagetrail.app.cli.data.import_elements import list_bad_entries, mapped_labels
from pagetrail.app.cli.import_output import MAX_ROWS, import_in_worker, list_some
from pagetrail.app.cli.options import (
    CampaignName,
    Json,
    LabelMapping,
    SourceAnnotator,
    WorkspaceFolder,
)
from pagetrail.app.cli.terminal import print_message, show_json
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.preannotations.system_boxes import BoxesReport, import_boxes

_HELP = "\n\n".join(
    (
        "Import boxes that a system drew on a campaign's pages, as its attempts: they are compared "
        "with people's boxes in `pagetrail agreement` and `report --paper vidore`.",
        "Reads COCO JSON, ParseBench .test.json and its JSONL, Label Studio JSON, and JSON Lines "
        'such as {"task": "q1", "document": "report.pdf", "page": 3, "rect": [72, 90, 540, 300]}, '
        "recognised by content. A box belongs to the task named by `task` (of a COCO annotation or "
        "its image, a ParseBench rule, or a line), or to the only task that gives its page.",
        "Boxes that cannot be imported are listed with file, line and reason, and the rest is "
        "imported. Importing again changes nothing.",
        "Exit code: 0 when attempts were imported or already existed, else 1.",
    )
)


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command(
        "import-boxes",
        help=_HELP,
        epilog="Example: pagetrail import-boxes my-workspace boxes.json --campaign pages "
        "--system qwen3-vl --all-tasks",
    )(run)


def run(
    workspace: WorkspaceFolder,
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE...", help="Files or folders of boxes.")
    ],
    campaign: CampaignName,
    system: Annotated[str, typer.Option(help="The system's name.")],
    all_tasks: Annotated[
        bool,
        typer.Option(
            "--all-tasks",
            help="The system worked on every task: those without a box are attempts without boxes.",
        ),
    ] = False,
    document: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="The document of all boxes, overriding the files."),
    ] = None,
    annotator: SourceAnnotator = None,
    mapping: LabelMapping = None,
    label: Annotated[
        str | None,
        typer.Option(help="The label of boxes without a class, or with one that is not a label."),
    ] = None,
    as_json: Json = False,
) -> None:
    options = {
        "campaign": campaign,
        "system": system,
        "document": document,
        "annotator": annotator,
        "mapping": mapped_labels(mapping or ()),
        "label": label,
        "all_tasks": all_tasks,
    }
    report = import_in_worker(_import, workspace, files, options)
    _print_report(report)
    if as_json:
        show_json(asdict(report))
    if not report.imported + report.already_there:
        raise typer.Exit(1)


def _import(workspace: Path, files: Sequence[Path], options: Mapping[str, Any]) -> BoxesReport:
    """In a process of its own."""
    return import_boxes(Workspace.open(workspace), files, **options)


def _print_report(report: BoxesReport) -> None:
    list_bad_entries(report.bad, "Boxes and files that cannot be imported")
    list_some(("task", "reason"), list(report.left_out.items()), "Tasks left out")
    for note in report.notes[:MAX_ROWS]:
        print_message(f"Note: {note}")
    if not report.imported and not report.already_there:
        print_message("Nothing was imported: no box can be used.", style="bold")
        return
    without = f", {report.without_boxes:,} of them without boxes" if report.without_boxes else ""
    print_message(
        f"{count_noun(report.boxes, 'box', 'boxes')} of {report.system} imported into campaign "
        f"{report.campaign}, at {count_noun(report.imported, 'task')}{without}."
    )
    if report.already_there:
        print_message(f"Already there: {count_noun(report.already_there, 'task')}.")
