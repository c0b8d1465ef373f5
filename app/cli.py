"""The ``pagetrail`` command: one module a command under ``app/commands``."""

from __future__ import annotations

import sys
from importlib import import_module

import typer

from annotation.errors import PagetrailError
from app.terminal import say

COMMANDS = (
    "init",
    "ingest",
    "search",
    "import_tasks",
    "users",
    "assign",
    "campaigns",
    "export",
    "replay",
    "rebuild",
    "serve",
    "demo",
)

app = typer.Typer(
    name="pagetrail",
    help="Human annotation and human baselines over collections of PDF documents.",
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
)
for _name in COMMANDS:
    import_module(f"app.commands.{_name}").register(app)


def main() -> None:
    """Run the command line; a known error is one sentence on standard error and exit code 1."""
    try:
        app()
    except PagetrailError as error:
        say(f"Error: {error.message}", style="red")
        sys.exit(1)
    except BrokenPipeError:
        sys.exit(141)
