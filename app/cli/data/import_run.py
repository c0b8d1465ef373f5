"""``pagetrail import-run``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.progress import TextColumn

from pagetrail.annotation.runs.names import run_name
from pagetrail.annotation.sentences import count_noun
from pagetrail.app.cli.import_output import import_in_worker, list_some, tell_not_kept
from pagetrail.app.cli.options import CampaignName, Json, WorkspaceFolder
from pagetrail.app.cli.progress_bar import progress_bar
from pagetrail.app.cli.terminal import print_message, show_json
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.runs.formats import FORMATS
from pagetrail.storage.importers.runs.importer import RunImportReport, RunNote, import_run
from pagetrail.storage.workers.worker_main import send_progress

_HELP = "\n\n".join(
    (
        "Import an agent's run on a campaign's tasks: MADQA results, an Inspect log, ATIF "
        "trajectories, conversations in OpenAI's format, or LangChain traces. MADQA results, "
        "conversations and traces are JSONL; a log is .eval or its JSON form; trajectories are "
        "one file, a list, JSONL, a folder or a zip.",
        "Calls of search_documents and of tools named with --search-tool count as searches. If "
        "another tool's name looks like a search, the import stops until the tool is named. Rows "
        "without an id are matched by their question. Each epoch of an Inspect log becomes a run "
        "of its own.",
        "Each run becomes an attempt of the system, replayed, measured and exported like a "
        "person's. Answers, citations, queries, search results and times are kept as they are in "
        "the file. Lines that cannot be imported are listed with the reason and the rest is "
        "imported, unless --strict is given. Importing again changes nothing, and completes an "
        "interrupted import.",
        "Exit code: 0 when runs were imported or already existed, else 1.",
    )
)


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command(
        "import-run",
        help=_HELP,
        epilog="Example: pagetrail import-run my-workspace results.jsonl --campaign baseline "
        "--system bm25-agent",
    )(run)


def run(
    workspace: WorkspaceFolder,
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="The results, or a folder of ATIF files.")
    ],
    campaign: CampaignName,
    system: Annotated[str, typer.Option(help="The system's name.")],
    run_id: Annotated[
        str | None,
        typer.Option(
            "--run",
            metavar="ID",
            help="Id of this run if the system has several; it is stored as SYSTEM#ID.",
        ),
    ] = None,
    format_: Annotated[
        str | None,
        typer.Option(
            "--format",
            metavar="FORMAT",
            help=f"{', '.join(FORMATS)}; default: recognised by content.",
        ),
    ] = None,
    search_tool: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="A tool of the agent that searches the collection; may be repeated.",
        ),
    ] = None,
    other_tool: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="A tool that is not a search although its name looks like one; may be repeated.",
        ),
    ] = None,
    without_documents: Annotated[
        bool,
        typer.Option(
            "--without-documents",
            help="The model was given the questions alone. Its answers only tell which questions "
            "need the documents; it is in no other result.",
        ),
    ] = False,
    strict: Annotated[
        bool, typer.Option("--strict", help="Import nothing if anything would be left out.")
    ] = False,
    as_json: Json = False,
) -> None:
    options = {
        "campaign": campaign,
        "system": run_name(system, run_id),
        "format": format_,
        "strict": strict,
        "search_tools": search_tool or (),
        "other_tools": other_tool or (),
        "without_documents": without_documents,
    }
    with progress_bar(TextColumn("{task.completed:,} runs"), countable=False) as bar:
        line = bar.add_task("Importing …", total=None)
        report = import_in_worker(
            _import,
            workspace,
            file,
            options,
            on_progress=lambda completed: bar.update(line, completed=completed),
        )
    _print_report(report)
    if as_json:
        show_json(asdict(report))
    if report.stopped or not report.imported + report.already_there:
        raise typer.Exit(1)


def _import(workspace: Path, file: Path, options: Mapping[str, Any]) -> RunImportReport:
    """In a process of its own."""
    return import_run(Workspace.open(workspace), file, **options, progress=send_progress)


def _print_report(report: RunImportReport) -> None:
    _list(report.left_out, "Left out")
    _list(report.warnings, "Imported, but check these")
    if report.stopped:
        left_out = count_noun(len(report.left_out), "line")
        print_message(f"Nothing was imported: {left_out} would be left out, and --strict is given.")
        return
    if not report.imported and not report.already_there:
        print_message(
            f"Nothing was imported: {count_noun(len(report.left_out), 'bad line')}.", style="bold"
        )
        return
    print_message(
        f"{count_noun(report.imported, 'run')} of {report.system} ({report.format}) imported into "
        f"campaign {report.campaign}, with {count_noun(report.searches, 'search', 'searches')} and "
        f"{count_noun(report.steps, 'other step')}."
    )
    if report.runs:
        print_message(f"Each epoch is a run of its own: {', '.join(report.runs)}.")
    if report.matched_by_text or report.unmatched or report.ambiguous:
        print_message(
            f"{count_noun(report.matched_by_id, 'run')} matched by id, "
            f"{report.matched_by_text:,} by the text of the question; left out: "
            f"{report.unmatched:,} without a task, "
            f"{report.ambiguous:,} with several."
        )
    notes = (
        (report.already_there, "already existed."),
        (len(report.left_out), "left out."),
        (report.unanswered, "without an answer."),
        (report.failed, "ended in an error and have no answer."),
        (report.untimed, "without times: left out of results about time."),
        (
            report.results_unknown,
            "without search results: left out of results about searching.",
        ),
    )
    for number, note in notes:
        if number:
            print_message(f"{number:,} {note}")
    tell_not_kept(report.not_kept, "The stored originals have them.")


def _list(notes: Sequence[RunNote], title: str) -> None:
    list_some(
        ("line", "id", "file", "what"),
        [(str(note.line), note.id or "", note.file, note.reason) for note in notes],
        title,
    )
