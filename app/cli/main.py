"""The ``pagetrail`` command: one module per command under ``app/cli``.

A module is imported only when its command runs: reading PDFs, searching and drawing need large
libraries, and ``--help`` or a small command should not wait for them.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from importlib.metadata import version
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_group

from pagetrail.annotation.errors import ACCESS_ERRNOS, FULL_ERRNOS, PagetrailError
from pagetrail.app.cli.terminal import print_message
from pagetrail.app.operations.registry import OPERATIONS
from pagetrail.storage.database.storable_text import printable
from pagetrail.storage.workers.garbage import collect_rarely

COMMANDS = {
    "init": (
        "workspaces.init",
        "Create a workspace: a folder with database, corpus, index, cache and exports.",
    ),
    "ingest": (
        "data.ingest",
        "Read PDF files, and all PDF files in folders, into the workspace.",
    ),
    "replace-document": (
        "data.replace_document",
        "Replace documents by corrected files of the same name; earlier versions are kept.",
    ),
    "remove-document": (
        "data.remove_document",
        "Remove documents from the collection, with their files, texts and images.",
    ),
    "download": (
        "data.download",
        "Download the PDF files named in a link file, for ingestion.",
    ),
    "search": (
        "data.search",
        "Search the pages, with the same ranking as the benchmark's agents.",
    ),
    "index": (
        "data.search",
        "Build the search index if the corpus or the engine changed, and report on it.",
    ),
    **{name: ("operations", OPERATIONS[name]) for name in OPERATIONS if name != "assign"},
    "sample": (
        "campaigns.sample",
        "Draw a random sample into a campaign: answers of systems for people to judge, tasks of a "
        "pool, or pages of the collection.",
    ),
    "prices": (
        "data.prices",
        "Show or replace the workspace's price table: dollars per million tokens of each model, "
        "by which reports price runs that state tokens only, and rates of currencies.",
    ),
    "protocol": (
        "campaigns.protocol",
        "List, show and check protocols: what a campaign asks of its annotators.",
    ),
    "users": (
        "workspaces.users",
        "Manage the accounts of annotators, supervisors and admins.",
    ),
    "remind": (
        "campaigns.remind",
        "Send an e-mail to everybody whose batches are overdue or due soon, once per deadline.",
    ),
    "assign": ("operations", OPERATIONS["assign"]),
    "batches": (
        "campaigns.batches",
        "Manage a campaign's batches: list, assign, withdraw, move, rebalance.",
    ),
    "campaigns": (
        "campaigns.campaign_list",
        "List the campaigns with their tasks, batches, assignments and progress.",
    ),
    "campaign": (
        "campaigns.campaign",
        "Create, close, reopen or archive a campaign, and change its guidelines, review rule and "
        "hidden checks.",
    ),
    "pilot": (
        "campaigns.pilot",
        "Show everybody's results in a pilot",
    ),
    "review": (
        "campaigns.review",
        "List the tasks of a campaign that need a reviewer, the largest differences first",
    ),
    "export": (
        "data.export",
        "Write a campaign to a folder of files with a manifest.json.",
    ),
    "agreement": (
        "reports.agreement",
        "Report how much annotators agree on ratings, boxes, answers and evidence, with intervals "
        "over resampled tasks.",
    ),
    "metrics": (
        "reports.metrics",
        "Report how people and systems did in a campaign: answers, evidence, effort, errors, "
        "search.",
    ),
    "quality": (
        "reports.quality",
        "Report each person's work while a campaign runs: accuracy on hidden gold, agreement with "
        "themselves on repeated tasks and with others, time per task, trends and alerts.",
    ),
    "suspects": (
        "reports.suspects",
        "Report gold that is probably wrong: tasks to check, decisions on them, the error that "
        "remains, and scores before and after.",
    ),
    "rounds": (
        "reports.rounds",
        "Report the rounds of texts and tables: tasks by round and state, and per round the "
        "patches accepted and rejected and characters edited, or the cells flagged, changed and "
        "confirmed, and active minutes.",
    ),
    "drafts": (
        "reports.drafts",
        "Report how often reviewers took models' drafts of gold unchanged, edited or rejected "
        "them, by model and kind, and whether seeing them made a difference.",
    ),
    "recheck": (
        "reports.recheck",
        "List what later corrections of Pagetrail change in collected work, campaign by campaign: "
        "answers whose verdict differs under the new rule of correctness, verdicts given in under "
        "0.4 s (estimated from the times of events), drawings that were undone and yet exported, "
        "and judgements of one's own answer.",
    ),
    "report": (
        "reports.report",
        "Write the tables and figures of a benchmark's paper from your campaigns.",
    ),
    "replay": (
        "reports.replay",
        "Print an attempt's trajectory as a readable timeline: what happened when, how long each "
        "page was viewed, and how the time was spent.",
    ),
    "rebuild": (
        "workspaces.rebuild",
        "Rebuild the stored state of every attempt from the event log, and report any that "
        "differed from the log.",
    ),
    "verify": (
        "workspaces.verify",
        "Check everything stored: the database, every attempt against the event log, completeness "
        "of gold, originals of imported runs, every document's hash, and the search index against "
        "the collection.",
    ),
    "backup": (
        "workspaces.backup",
        "Write the database and all documents to one file.",
    ),
    "restore": (
        "workspaces.backup",
        "Create a workspace from a backup, in a new folder.",
    ),
    "files": (
        "workspaces.files",
        "Move documents and exports into an S3-compatible bucket, or back into the folder.",
    ),
    "move": (
        "workspaces.move",
        "Move the database into an empty PostgreSQL database, or back into the folder.",
    ),
    "serve": (
        "workspaces.serve",
        "Serve a workspace to browsers, for any number of people.",
    ),
    "mcp": (
        "workspaces.mcp",
        "Run an MCP server through which an agent answers a campaign's tasks.",
    ),
    "demo": (
        "workspaces.demo",
        "Create a demo workspace with invented documents and open it in the browser.",
    ),
}
"""Command → (module under ``pagetrail.app.cli``, the first sentence of its help)."""


class LazyGroup(TyperGroup):
    """Lists the commands from the table above and loads the one that is run."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.commands = {
            name: TyperCommand(name=name, help=summary) for name, (_, summary) in COMMANDS.items()
        }

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Load the command that is run from its module."""
        name, command, rest = super().resolve_command(ctx, args)
        return name, command and load(str(command.name)), rest


def load(name: str) -> Any:
    """Import and return the command of that name."""
    standalone = typer.Typer(rich_markup_mode="rich")
    module = import_module(f"pagetrail.app.cli.{COMMANDS[name][0]}")
    if name in OPERATIONS:
        module.register_operation(standalone, name)
    else:
        module.register(standalone)
    return get_group(standalone).commands[name]


ONE_THREAD = dict.fromkeys(("OPENBLAS_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"), "1")
"""Environment in which NumPy multiplies matrices in one thread. Several round products differently:
the last digits of a report would depend on the machine's number of cores."""

app = typer.Typer(
    name="pagetrail",
    cls=LazyGroup,
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
)


def _show_version(requested: bool) -> None:
    if requested:
        typer.echo(f"pagetrail {version('pagetrail')}")
        raise typer.Exit


@app.callback()
def _pagetrail(
    _: Annotated[
        bool,
        typer.Option(
            "--version", callback=_show_version, is_eager=True, help="Show the version and exit."
        ),
    ] = False,
) -> None:
    """Human annotation and human baselines over collections of PDF documents."""


def main() -> None:
    """Run the command line; a known error is one sentence on standard error and exit code 1.

    What a command or the server writes is its owner's only: documents, answers, names.
    """
    os.umask(0o077)
    os.environ.update(ONE_THREAD)  # before NumPy is loaded, here and in worker processes
    collect_rarely()
    try:
        app()
    except PagetrailError as error:
        print_message(f"Error: {error.message}", style="red")
        sys.exit(1)
    except BrokenPipeError:
        sys.exit(141)
    except OSError as error:
        if error.errno not in (*ACCESS_ERRNOS, *FULL_ERRNOS):
            raise
        file = "A file" if error.filename is None else printable(str(error.filename))
        print_message(
            f"Error: {file} cannot be read or written: {error.strerror}. The user that runs "
            "Pagetrail needs access to the workspace's folder and all files in it, and space on "
            "its disk.",
            style="red",
        )
        sys.exit(1)
