"""``pagetrail rounds``."""

from __future__ import annotations

import typer

from pagetrail.app.cli.report_output import add_report_command
from pagetrail.exports.reports.rounds.report import rounds


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    add_report_command(
        app,
        "rounds",
        rounds,
        description="Report the rounds of texts and tables: tasks by round and state, and per "
        "round the patches accepted and rejected and characters edited, or the cells flagged, "
        "changed and confirmed, and active minutes.",
        example="pagetrail rounds my-workspace --campaign pages",
    )
