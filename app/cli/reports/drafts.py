"""``pagetrail drafts``."""

from __future__ import annotations

import typer

from pagetrail.app.cli.report_output import add_report_command
from pagetrail.exports.reports.drafts.report import drafts


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    add_report_command(
        app,
        "drafts",
        drafts,
        description="Report how often reviewers took models' drafts of gold unchanged, edited or "
        "rejected them, by model and kind, and whether seeing them made a difference.",
        example="pagetrail drafts my-workspace --campaign baseline",
    )
