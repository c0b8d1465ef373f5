"""``pagetrail pilot``."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from app.terminal import say, show_json, show_table
from storage.pilots import PilotResult, percent, results
from storage.workspace import Workspace

_VERDICTS = {True: "yes", False: "no", None: "not decided"}


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command(
        "pilot",
        help="Show how each person stands in a pilot: the batch, how many of its tasks are done, "
        "how many of them are right in every part, the mean score, and whether the pilot is "
        "passed. Who has failed can take it again only with new tasks: import them into the same "
        "campaign, and assign.",
        epilog='Example: pagetrail pilot my-workspace --campaign "Baseline pilot"',
    )(run)


def run(
    workspace: Annotated[Path, typer.Argument(metavar="WS", help="The workspace folder.")],
    campaign: Annotated[str, typer.Option(help="The pilot campaign's name.")],
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the results as JSON on standard output.")
    ] = False,
) -> None:
    found = results(Workspace.open(workspace).engine, campaign)
    if as_json:
        show_json([asdict(result) for result in found])
        return
    if not found:
        say(f"Nobody has a batch of {campaign} yet. Give them out with `pagetrail assign`.")
        return
    show_table(
        ("person", "batch", "done", "right", "score", "passed"),
        [_row(result) for result in found],
        title=f"{campaign}: {percent(found[0].pass_mark)} needed",
    )


def _row(result: PilotResult) -> tuple[object, ...]:
    return (
        result.user_name,
        result.code_name,
        f"{result.done:,} of {result.total:,}",
        f"{result.right:,} of {result.judged:,}",
        "" if result.score is None else f"{result.score:.2f}",
        _VERDICTS[result.passed],
    )
