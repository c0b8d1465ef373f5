"""``pagetrail rebuild``."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from app.terminal import say, show_json
from storage.projections import RebuildReport, rebuild
from storage.workspace import Workspace

_SHOWN = 20


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command(
        "rebuild",
        help="Drop the stored state of every attempt and make it anew from the event log, and say "
        "whether any differed from what the log says. May run beside a server. Exit code with "
        "--check: 0 when everything agrees, else 1.",
        epilog="Example: pagetrail rebuild my-workspace --check",
    )(run)


def run(
    workspace: Annotated[Path, typer.Argument(metavar="WS", help="The workspace folder.")],
    check: Annotated[bool, typer.Option("--check", help="Only compare; change nothing.")] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the report as JSON on standard output.")
    ] = False,
) -> None:
    bar = Progress(
        TextColumn("Replaying"),
        BarColumn(),
        MofNCompleteColumn(),
        console=Console(stderr=True),
        transient=True,
        disable=not sys.stderr.isatty(),
    )
    with bar:
        line = bar.add_task("rebuild", total=None)
        report = rebuild(
            Workspace.open(workspace).engine,
            check=check,
            progress=lambda done, total: bar.update(line, completed=done, total=total),
        )
    if as_json:
        show_json({**asdict(report), "clean": report.clean})
    else:
        _say(report)
    if check and not report.clean:
        raise typer.Exit(1)


def _say(report: RebuildReport) -> None:
    done = "made anew" if report.rewritten else "compared with the log"
    say(f"{report.attempts:,} attempts {done}.")
    for attempts, what in (
        (report.differed, "differed from the log"),
        (report.missing, "had no stored state"),
        (report.orphaned, "had a stored state and no event"),
        (report.tasks_differed, "tasks stood otherwise in review than the log says"),
    ):
        if attempts:
            more = f" and {len(attempts) - _SHOWN:,} more" if len(attempts) > _SHOWN else ""
            say(f"{len(attempts):,} {what}: {', '.join(attempts[:_SHOWN])}{more}.")
    if report.clean:
        say("Every stored state was what the log says.")
