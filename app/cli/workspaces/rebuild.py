"""``pagetrail rebuild``."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from pagetrail.app.cli.options import Json, WorkspaceFolder
from pagetrail.app.cli.progress_bar import progress_bar
from pagetrail.app.cli.terminal import print_message, show_json
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.projections import RebuildReport, rebuild

_MAX_ATTEMPTS = 20


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command(
        "rebuild",
        help="Rebuild the stored state of every attempt from the event log, and report any that "
        "differed from the log. May run while a server runs. Exit code with --check: 0 when "
        "everything agrees, else 1.",
        epilog="Example: pagetrail rebuild my-workspace --check",
    )(run)


def run(
    workspace: WorkspaceFolder,
    check: Annotated[bool, typer.Option("--check", help="Compare only; change nothing.")] = False,
    as_json: Json = False,
) -> None:
    with progress_bar() as bar:
        line = bar.add_task("Replaying", total=None)
        report = rebuild(
            Workspace.open(workspace).engine,
            check=check,
            progress=lambda completed, total: bar.update(line, completed=completed, total=total),
        )
    if as_json:
        show_json({**asdict(report), "clean": report.clean})
    else:
        _print_report(report)
    if check and not report.clean:
        raise typer.Exit(1)


def _print_report(report: RebuildReport) -> None:
    action = "rebuilt" if report.rewritten else "compared with the log"
    print_message(f"{report.attempts:,} attempts {action}.")
    for attempts, description in (
        (report.differed, "differed from the log"),
        (report.missing, "had no stored state"),
        (report.orphaned, "had a stored state and no event"),
        (report.tasks_differed, "tasks had another review status than in the log"),
    ):
        if attempts:
            more = (
                f" and {len(attempts) - _MAX_ATTEMPTS:,} more"
                if len(attempts) > _MAX_ATTEMPTS
                else ""
            )
            print_message(
                f"{len(attempts):,} {description}: {', '.join(attempts[:_MAX_ATTEMPTS])}{more}."
            )
    if report.clean:
        print_message("Every stored state agrees with the log.")
