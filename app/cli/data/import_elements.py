"""``pagetrail import-elements``."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from pagetrail.annotation.errors import OutputError
from pagetrail.annotation.sentences import count_noun
from pagetrail.app.cli.import_output import (
    MAX_ROWS,
    import_in_worker,
    list_some,
    tell_imported,
    tell_not_kept,
)
from pagetrail.app.cli.options import (
    CampaignName,
    Changes,
    Json,
    LabelMapping,
    NoAssign,
    SourceAnnotator,
    WorkspaceFolder,
    settings_of,
)
from pagetrail.app.cli.terminal import print_message, show_json
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.preannotations.raw_elements import BadElement
from pagetrail.storage.importers.tasks.element_importer import ElementsReport, import_elements

_HELP = "\n\n".join(
    (
        "Import a model's elements (boxes on pages, with class, text and reading order) for "
        "people to verify: one task per page.",
        "With --protocol verify_chart or verify_transcript, ParseBench's data points of charts, or "
        "its rules about text as patches.",
        "Reads ParseBench .test.json and its JSONL, COCO JSON, Label Studio JSON, and JSON "
        'Lines such as {"document": "report.pdf", "page": 3, "rect": [72, 90, 540, 300], '
        '"label": "Table"}, recognised by content; in a folder, its .json, .jsonl and .ndjson '
        "files, or what our own export in it has.",
        "Elements that cannot be imported are listed with file, line and reason, and the rest is "
        "imported. Classes match the campaign's regardless of case and punctuation; ParseBench's "
        "finer classes are merged as ParseBench merges them.",
        "Exit code: 0 when tasks were imported, else 1.",
    )
)


class TaskUnit(StrEnum):
    """What becomes a task."""

    PAGE = "page"
    DOCUMENT = "document"


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command(
        "import-elements",
        help=_HELP,
        epilog="Example: pagetrail import-elements my-workspace layout/ --campaign layout "
        "--map Caption=Text",
    )(run)


def run(
    workspace: WorkspaceFolder,
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE...", help="Files or folders of elements.")
    ],
    campaign: CampaignName,
    protocol: Annotated[
        str | None,
        typer.Option(
            help="A preset's name or the path of a TOML file; "
            "default: the existing campaign's, or verify."
        ),
    ] = None,
    document: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="The document of all elements, overriding the files."),
    ] = None,
    annotator: SourceAnnotator = None,
    per: Annotated[
        TaskUnit, typer.Option(help="One task per page or per document.")
    ] = TaskUnit.PAGE,
    mapping: LabelMapping = None,
    changes: Changes = None,
    skip_bad: Annotated[
        bool,
        typer.Option(
            "--skip-bad", help="Import the other tasks if the campaign already has some of them."
        ),
    ] = False,
    no_assign: NoAssign = False,
    tasks_out: Annotated[
        Path | None,
        typer.Option(metavar="FILE.jsonl", help="Also write the tasks to a new task file."),
    ] = None,
    as_json: Json = False,
) -> None:
    if tasks_out is not None:
        _check_new(tasks_out)
    options = {
        "campaign": campaign,
        "protocol": protocol,
        "settings": settings_of(changes),
        "document": document,
        "annotator": annotator,
        "grouping": per.value,
        "mapping": mapped_labels(mapping or ()),
        "skip_bad": skip_bad,
        "assign": not no_assign,
    }
    report = import_in_worker(_import, workspace, files, options)
    if tasks_out is not None and report.records:
        _write(tasks_out, report.records)
    _print_report(report)
    if as_json:
        show_json(_as_json(report))
    if not report.tasks.imported:
        raise typer.Exit(1)


def mapped_labels(changes: Sequence[str]) -> dict[str, str]:
    """Class → label of ``OLD=NEW`` options."""
    return dict(map(_old_and_new, changes))


def _old_and_new(change: str) -> tuple[str, str]:
    old, equals, new = change.rpartition("=")
    if not equals or not old.strip() or not new.strip():
        raise typer.BadParameter(f"{change!r} is not OLD=NEW.", param_hint="--map")
    return old.strip(), new.strip()


def list_bad_entries(entries: Sequence[BadElement], title: str) -> None:
    """List what a file's entries say that cannot be imported, with their places."""
    list_some(
        ("file", "line", "place", "id", "reason"),
        [
            (
                entry.file,
                "" if entry.line is None else str(entry.line),
                entry.place,
                entry.id or "",
                entry.reason,
            )
            for entry in entries
        ],
        title,
    )


def _check_new(path: Path) -> None:
    if path.exists():
        raise OutputError(f"{path} already exists. Choose another name for --tasks-out.")
    if not path.absolute().parent.is_dir():
        raise OutputError(f"{path} cannot be written: there is no folder {path.parent}.")


def _write(path: Path, records: list[dict[str, Any]]) -> None:
    try:
        with path.open("x", encoding="utf-8") as file:
            file.writelines(json.dumps(record, ensure_ascii=False) + "\n" for record in records)
    except OSError as error:
        raise OutputError(f"{path} cannot be written: {error.strerror}.") from error


def _as_json(report: ElementsReport) -> dict[str, Any]:
    data = asdict(report)
    del data["records"]
    return data


def _import(workspace: Path, files: Sequence[Path], options: Mapping[str, Any]) -> ElementsReport:
    """In a process of its own."""
    return import_elements(Workspace.open(workspace), files, **options)


def _print_report(report: ElementsReport) -> None:
    list_bad_entries(report.bad, "Elements and files that cannot be imported")
    left_out = ", ".join(f"{n:,} {reason}" for reason, n in list(report.left_out.items())[:10])
    if left_out:
        print_message(f"Left out because they are not elements: {left_out}.")
    tell_not_kept(report.not_kept)
    for note in report.notes[:MAX_ROWS]:
        print_message(f"Note: {note}")
    list_some(
        ("task", "reason"),
        [(row.id or "", row.reason) for row in report.tasks.bad],
        "Tasks that cannot be imported",
    )
    if report.tasks.imported:
        read = sum(file.elements for file in report.files)
        print_message(
            f"{report.elements:,} of {count_noun(read, 'element')} in "
            f"{count_noun(len(report.files), 'file')} imported."
            + (f" {count_noun(report.rows, 'row')} of tables read." if report.rows else "")
        )
        tell_imported(report.tasks)
        return
    if report.tasks.bad:
        advice = "Import the other tasks with --skip-bad, or choose another campaign."
        print_message(f"Nothing was imported. {advice}", style="bold")
    else:
        print_message("Nothing was imported: no element can be used.", style="bold")
