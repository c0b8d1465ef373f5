"""``pagetrail export``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from app.terminal import say, show_json, show_table
from exports.files import file_name
from exports.manifest import Manifest
from exports.run import FORMATS, export
from storage.workspace import Workspace

_PLURALS = {"attempt": "attempts", "task": "tasks", "search": "searches"}
_REASONS = {
    "never_opened": "never opened",
    "status_open": "not submitted",
    "status_skipped": "skipped",
    "no_gold": "without gold",
    "refused": "refused, no page was shown",
}


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command(
        "export",
        help="Write a campaign to a folder of files with a manifest.json. Formats: "
        "[bold]madqa[/] (results of submitted attempts, as that benchmark's evaluate.py reads "
        "them), [bold]trajectories[/] (every event, and one row an attempt with derived times, as "
        "JSONL and Parquet), [bold]gold[/] (tasks with their answers and evidence). The same "
        "database gives the same bytes. Annotators appear under pseudonyms; what they wrote "
        "themselves is exported as it is.",
        epilog="Example: pagetrail export my-workspace --campaign baseline --format madqa "
        "--out results",
    )(run)


def run(
    workspace: Annotated[Path, typer.Argument(metavar="WS", help="The workspace folder.")],
    campaign: Annotated[str, typer.Option(help="The campaign's name.")],
    format_: Annotated[
        str, typer.Option("--format", metavar="FORMAT", help=f"{', '.join(FORMATS)}.")
    ],
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="A new or empty folder. Default: WS/exports/CAMPAIGN-FORMAT.",
        ),
    ] = None,
    identify: Annotated[
        bool, typer.Option("--identify", help="Annotators under their names, not pseudonyms.")
    ] = False,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace an earlier export in that folder.")
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the manifest as JSON on standard output.")
    ] = False,
) -> None:
    opened = Workspace.open(workspace)
    folder = out if out is not None else opened.exports_dir / file_name(f"{campaign}-{format_}")
    bar = Progress(
        TextColumn("Exporting"),
        BarColumn(),
        MofNCompleteColumn(),
        console=Console(stderr=True),
        transient=True,
        disable=not sys.stderr.isatty(),
    )
    with bar:
        line = bar.add_task("export", total=None)
        manifest = export(
            opened,
            campaign,
            format_,
            folder,
            identify=identify,
            overwrite=overwrite,
            progress=lambda done, total: bar.update(line, completed=done, total=total),
        )
    if as_json:
        show_json(manifest.to_json())
    else:
        _show(manifest, folder)


def _show(manifest: Manifest, folder: Path) -> None:
    show_table(
        ("file", "rows", "bytes"),
        [(file["path"], file["rows"], file["bytes"]) for file in manifest.files],
        title=str(folder),
    )
    for entry in manifest.left_out:
        what = entry.what if entry.count == 1 else _PLURALS[entry.what]
        say(f"Left out: {entry.count:,} {what} ({_REASONS.get(entry.reason, entry.reason)}).")
    if manifest.identified:
        say("Annotators appear under their own names. Do not publish this folder as it is.")
