"""``import-run``: an agent's runs on a campaign's tasks, as attempts of a system."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from pydantic import Field

from pagetrail.annotation.messages import N_
from pagetrail.annotation.options import option
from pagetrail.annotation.runs.names import run_name
from pagetrail.annotation.sentences import count_noun
from pagetrail.app.operations.forms import Form, Input
from pagetrail.app.operations.operation import JSON_SUFFIXES, Context, FileImport, Files
from pagetrail.app.operations.results import (
    CHECK,
    LEFT_OUT,
    Part,
    Problem,
    Problems,
    Refusal,
    Result,
    not_kept,
)
from pagetrail.storage.importers.runs.formats import FORMATS
from pagetrail.storage.importers.runs.importer import RunImportReport, RunNote, import_run
from pagetrail.storage.importers.runs.search_tools import SearchTools


class ImportRun(FileImport):
    """Import a file or folder of runs.

    Each run is stored by itself, so that importing again completes a cancelled import.
    """

    name = "import-run"
    about = (
        " MADQA results, conversations and traces are JSONL; a log is .eval or its JSON form; "
        "trajectories are one file, a list, JSONL, a folder or a zip.\n\n"
    ) + "\n\n".join(
        (
            "Calls of search_documents and of tools named with --search-tool count as searches. If "
            "another tool's name looks like a search, the import stops until the tool is named. "
            "Rows without an id are matched by their question. Each epoch of an Inspect log "
            "becomes a run of its own.",
            "Each run becomes an attempt of the system, replayed, measured and exported like a "
            "person's. Answers, citations, queries, search results and times are kept as they are "
            "in the file. Lines that cannot be imported are listed with the reason and the rest is "
            "imported, unless --strict is given. Importing again changes nothing, and completes an "
            "interrupted import.",
            "Exit code: 0 when runs were imported or already existed, else 1.",
        )
    )
    example = "results.jsonl --campaign baseline --system bm25-agent"
    files = Files(
        "FILE",
        "The results, or a folder of ATIF files.",
        (*JSON_SUFFIXES, "eval", "zip"),
        uploads_several=True,
    )
    title = "Importing runs of {system} into {campaign}"
    phase = N_("Importing runs")
    counts = "run"
    form = Form(
        "run",
        N_("Results, a zip, or all files of a folder of trajectories"),
        N_("Import the runs"),
        about=N_(
            "Results of an agent on this campaign’s tasks: MADQA results, an Inspect log, ATIF "
            "trajectories, conversations as OpenAI has them, or LangChain traces. Each run is "
            "replayed, measured and exported like a person’s work."
        ),
        closed=N_("Runs cannot be imported into a campaign that is {status}. Reopen it first."),
        above=[
            (
                Input(
                    "system",
                    N_("Name of the system"),
                    placeholder="bm25-agent",
                    max_chars=60,
                    width=320,
                ),
            )
        ],
        below=[
            (
                Input(
                    "search_tools",
                    N_("Tools that search"),
                    N_("In addition to search_documents; separate several with commas."),
                    "names",
                    placeholder="bm25_search",
                ),
                Input(
                    "other_tools",
                    N_("Other tools with search-like names"),
                    N_(
                        "The import stops at a tool whose name looks like a search and is in "
                        "neither list."
                    ),
                    "names",
                    placeholder="web_search",
                ),
            ),
            (Input("strict", N_("Import nothing if anything would be left out"), kind="toggle"),),
        ],
        required=("system",),
    )

    system: str = Field(description="The system's name.")
    run_id: str | None = option(
        None,
        "Id of this run if the system has several; it is stored as SYSTEM#ID.",
        flag="--run",
        metavar="ID",
    )
    format: str | None = option(
        None, f"{', '.join(FORMATS)}; default: recognised by content.", metavar="FORMAT"
    )
    search_tools: tuple[str, ...] = option(
        (),
        "A tool of the agent that searches the collection; may be repeated.",
        flag="--search-tool",
        metavar="NAME",
    )
    other_tools: tuple[str, ...] = option(
        (),
        "A tool that is not a search although its name looks like one; may be repeated.",
        flag="--other-tool",
        metavar="NAME",
    )
    without_documents: bool = option(
        False,
        "The model was given the questions alone. Its answers only tell which questions need the "
        "documents; it is in no other result.",
    )
    strict: bool = option(False, "Import nothing if anything would be left out.")

    def run(self, context: Context) -> Result:
        report = import_run(
            context.workspace,
            context.files[0] if len(context.files) == 1 else context.files[0].parent,
            campaign=self.campaign,
            system=run_name(self.system, self.run_id),
            format=self.format,
            strict=self.strict,
            tools=SearchTools(self.search_tools, self.other_tools),
            without_documents=self.without_documents,
            progress=context.on_progress,
        )
        is_done = not report.stopped and bool(report.imported + report.already_there)
        return Result(is_done, _parts(report), _message(report), asdict(report))


def _parts(report: RunImportReport) -> list[Part]:
    parts: list[Part] = [
        _problems(report.left_out, "Left out", LEFT_OUT),
        _problems(report.warnings, "Imported, but check these", CHECK),
    ]
    n_left_out = len(report.left_out)
    if report.stopped:
        lines = count_noun(n_left_out, "line")
        return [
            *parts, f"Nothing was imported: {lines} would be left out, and --strict is given.",
        ]  # fmt: skip
    if not report.imported and not report.already_there:
        return [*parts, Refusal(f"Nothing was imported: {count_noun(n_left_out, 'bad line')}.")]
    parts.append(
        f"{count_noun(report.imported, 'run')} of {report.system} ({report.format}) imported into "
        f"campaign {report.campaign}, with {count_noun(report.searches, 'search', 'searches')} and "
        f"{count_noun(report.steps, 'other step')}."
    )
    if report.runs:
        parts.append(f"Each epoch is a run of its own: {', '.join(report.runs)}.")
    if report.matched_by_text or report.unmatched or report.ambiguous:
        parts.append(
            f"{count_noun(report.matched_by_id, 'run')} matched by id, "
            f"{report.matched_by_text:,} by the text of the question; left out: "
            f"{report.unmatched:,} without a task, "
            f"{report.ambiguous:,} with several."
        )
    for number, note in (
        (report.already_there, "already existed."),
        (n_left_out, "left out."),
        (report.excluded, "of excluded tasks: kept, but in no result."),
        (report.unanswered, "without an answer."),
        (report.failed, "ended in an error and have no answer."),
        (report.untimed, "without times: left out of results about time."),
        (report.results_unknown, "without search results: left out of results about searching."),
    ):
        if number:
            parts.append(f"{number:,} {note}")
    return parts + list(not_kept(report.not_kept, "The stored originals have them."))


def _problems(notes: Sequence[RunNote], title: str, kind: str) -> Problems:
    problems = [Problem(note.reason, note.line, note.id, note.file) for note in notes]
    return Problems(title, ("line", "id", "file", "what"), problems, kind)


def _message(report: RunImportReport) -> str:
    if report.stopped:
        return f"Nothing was imported: {count_noun(len(report.left_out), 'run')} would be left out."
    parts = [f"{count_noun(report.imported, 'run')} of {report.system} ({report.format}) imported"]
    if report.runs:
        parts.append(f"each epoch by itself ({', '.join(report.runs)})")
    if report.matched_by_text or report.unmatched or report.ambiguous:
        parts.append(f"{report.matched_by_id:,} matched by id")
    for count, description in (
        (report.matched_by_text, "matched by the text of the question"),
        (report.already_there, "already existed"),
        (len(report.left_out), "left out"),
        (report.unmatched, "of these fit no task"),
        (report.ambiguous, "of these fit several tasks"),
        (report.excluded, "of excluded tasks, which count nowhere"),
        (report.unanswered, "without an answer"),
        (report.failed, "ended in an error"),
        (report.untimed, "without times"),
        (report.results_unknown, "without search results"),
    ):
        if count:
            parts.append(f"{count:,} {description}")
    return f"{', '.join(parts)}."


OPERATION = ImportRun
