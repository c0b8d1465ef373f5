"""``pagetrail verify``."""

from __future__ import annotations

from dataclasses import asdict

import typer

from pagetrail.app.cli.options import Json, WorkspaceFolder
from pagetrail.app.cli.progress_bar import progress_bar
from pagetrail.app.cli.terminal import print_message, show_json
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.maintenance.verify import verify

_MAX_PROBLEMS = 20


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command(
        "verify",
        help="Check everything stored: the database, every attempt against the event log, "
        "completeness of gold, originals of imported runs, every document's hash, and the "
        "search index against the collection. If the files are in a bucket, all of them are "
        "read. Changes nothing and may run while a server runs. Exit code 0 when all is "
        "well, else 1.",
        epilog="Example: pagetrail verify my-workspace",
    )(run)


def run(workspace: WorkspaceFolder, as_json: Json = False) -> None:
    with progress_bar() as bar:
        line = bar.add_task("Checking", total=None)
        checks = verify(
            Workspace.open(workspace),
            lambda check, completed, total: bar.update(
                line, description=f"Checking {check}", completed=completed, total=total or None
            ),
        )
    if as_json:
        show_json(
            {"ok": all(c.ok for c in checks), "checks": [{**asdict(c), "ok": c.ok} for c in checks]}
        )
    else:
        for check in checks:
            count = len(check.problems)
            outcome = "all well" if check.ok else f"{count:,} problem{'s' if count > 1 else ''}"
            print_message(f"{check.name}: {check.count:,} {check.unit} checked, {outcome}.")
            for note in check.notes:
                print_message(f"  {note}")
            for problem in check.problems[:_MAX_PROBLEMS]:
                print_message(f"  {problem}")
            if len(check.problems) > _MAX_PROBLEMS:
                print_message(
                    f"  and {len(check.problems) - _MAX_PROBLEMS:,} more (--json lists all)."
                )
    if not all(check.ok for check in checks):
        raise typer.Exit(1)
