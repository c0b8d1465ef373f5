"""Imports of uploaded files as jobs: runs, verdicts, drafts, texts, tables, elements and boxes.

``FILE_IMPORTS`` has one entry per import, by which the screen offers it and the job runs it.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple

from pagetrail.annotation.errors import PagetrailError
from pagetrail.annotation.messages import N_
from pagetrail.annotation.sentences import count_noun
from pagetrail.app.jobs.progress import JobOutcome, JobProgress
from pagetrail.app.jobs.requests import (
    BoxImportRequest,
    DraftImportRequest,
    ElementImportRequest,
    ImportRequest,
    PatchImportRequest,
    RunImportRequest,
    TableImportRequest,
    VerdictImportRequest,
)
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.drafts.importer import import_drafts
from pagetrail.storage.importers.files.row_files import ROW_SUFFIXES
from pagetrail.storage.importers.files.rows import RowError
from pagetrail.storage.importers.preannotations.system_boxes import BoxesReport, import_boxes
from pagetrail.storage.importers.rounds import RoundReport
from pagetrail.storage.importers.runs.importer import RunImportReport, import_run
from pagetrail.storage.importers.tables.importer import import_tables
from pagetrail.storage.importers.tasks.element_importer import ElementsReport, import_elements
from pagetrail.storage.importers.transcripts.importer import import_patches
from pagetrail.storage.importers.verdicts.importer import import_verdicts

MAX_ROWS = 1_000
"""Maximum number of rows in a job's result; its message has the number of all rows."""
_JSON = ("jsonl", "ndjson", "json")
_LEFT_OUT, _CHECK = "left out", "check"

ReportedRow = tuple[str, Any, str, str, str]
"""File, line, id, ``left out`` or ``check``, and the reason."""


class ImportOutcome(NamedTuple):
    """How an import ended.

    Attributes:
        message: what was imported, in a sentence.
        rows: that were left out, or should be checked.
    """

    state: Literal["done", "failed", "cancelled"]
    message: str
    rows: list[ReportedRow]


@dataclass(frozen=True)
class FileImport:
    """An import of uploaded files into a campaign.

    Attributes:
        request: what its job is asked to do.
        title: of the job, with fields of the request in braces.
        phase: what the job does, as it shows while it runs.
        suffixes: endings of the files that can be uploaded.
        takes_several: whether more than one file can be uploaded.
        run: imports the files of a folder.
    """

    request: type[ImportRequest]
    title: str
    phase: str
    suffixes: tuple[str, ...]
    takes_several: bool
    run: Callable[[Workspace, Path, Any, JobProgress], ImportOutcome]

    @property
    def kind(self) -> str:
        """Kind of its job."""
        return str(self.request.model_fields["do"].default)


def import_files(workspace: Workspace, request: ImportRequest, progress: JobProgress) -> JobOutcome:
    """Import uploaded files, and delete them."""
    file_import = FILE_IMPORTS[request.do]
    progress.update(file_import.phase, 0, 0)
    with uploaded_files(request.folder) as folder:
        outcome = file_import.run(workspace, folder, request, progress)
    rows = [[*row[:4], row[4].replace(f"{request.folder}/", "")] for row in outcome.rows[:MAX_ROWS]]
    details = {"campaign": request.campaign, "rows": rows}
    return JobOutcome(outcome.state, outcome.message, details)


@contextmanager
def uploaded_files(folder_path: str) -> Iterator[Path]:
    """The folder with the uploaded files, which is deleted; errors do not name it."""
    folder = Path(folder_path)
    try:
        yield folder
    except PagetrailError as error:
        # The message without the server's folder.
        error.message = error.message.replace(f"{folder}/", "").replace(str(folder), "The files")
        raise
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _state(n_stored: int) -> Literal["done", "failed"]:
    return "done" if n_stored else "failed"


def _counted(n_already_there: int, n_left_out: int, already: str = "already existed") -> str:
    """The end of a sentence about what was imported."""
    counted = f", {n_already_there:,} {already}" if n_already_there else ""
    return f"{counted}{f', {n_left_out:,} left out' if n_left_out else ''}."


def _left_out_rows(path: Path, errors: Iterable[RowError]) -> list[ReportedRow]:
    return [(path.name, error.line, "", _LEFT_OUT, error.reason) for error in errors]


def _note_rows(notes: Iterable[str], file: str = "") -> list[ReportedRow]:
    return [(file, "", "", _CHECK, note) for note in notes]


def _import_runs(
    workspace: Workspace, folder: Path, request: RunImportRequest, progress: JobProgress
) -> ImportOutcome:
    """Each run is stored by itself, so that importing again completes a cancelled import."""
    stored = 0

    def report_progress(runs: int) -> None:
        nonlocal stored
        stored = runs
        progress.update(N_("Importing runs"), runs, 0)

    files = sorted(folder.iterdir())
    try:
        report = import_run(
            workspace,
            files[0] if len(files) == 1 else folder,
            campaign=request.campaign,
            system=request.system,
            strict=request.strict,
            search_tools=request.search_tools,
            other_tools=request.other_tools,
            progress=report_progress,
        )
    except KeyboardInterrupt:
        runs = count_noun(stored, "run was", "runs were")
        message = f"Cancelled: {runs} stored. Import again for the others."
        return ImportOutcome("cancelled", message, [])
    rows: list[ReportedRow] = [
        (note.file, note.line, note.id or "", kind, note.reason)
        for kind, notes in ((_LEFT_OUT, report.left_out), (_CHECK, report.warnings))
        for note in notes
    ]
    n_stored = 0 if report.stopped else report.imported + report.already_there
    return ImportOutcome(_state(n_stored), _run_message(report), rows)


def _import_verdicts(
    workspace: Workspace, folder: Path, request: VerdictImportRequest, _progress: JobProgress
) -> ImportOutcome:
    (path,) = folder.iterdir()
    report = import_verdicts(
        workspace, path, campaign=request.campaign, name=request.name, judge=request.judge
    )
    rows = _left_out_rows(path, report.left_out)
    names = ", ".join(report.sets) or report.name
    message = f"{count_noun(report.imported, 'verdict')} imported as {names}"
    message += _counted(report.already_there, len(report.left_out))
    return ImportOutcome(_state(report.imported + report.already_there), message, rows)


def _import_drafts(
    workspace: Workspace, folder: Path, request: DraftImportRequest, _progress: JobProgress
) -> ImportOutcome:
    (path,) = folder.iterdir()
    report = import_drafts(
        workspace,
        path,
        campaign=request.campaign,
        model=request.model or None,
        version=request.version or None,
    )
    rows = _left_out_rows(path, report.left_out) + _note_rows(report.notes, path.name)
    message = f"{count_noun(report.imported, 'draft')} imported"
    message += f" by {', '.join(report.models)}" if report.models else ""
    message += f", {report.superseded:,} in place of earlier ones" if report.superseded else ""
    message += _counted(report.already_there, len(report.left_out))
    return ImportOutcome(_state(report.imported + report.already_there), message, rows)


def _import_patches(
    workspace: Workspace, folder: Path, request: PatchImportRequest, _progress: JobProgress
) -> ImportOutcome:
    """Each page is stored by itself."""
    (path,) = folder.iterdir()
    report = import_patches(
        workspace,
        path,
        campaign=request.campaign,
        model=request.model or None,
        reopen_accepted=request.reopen_accepted,
        actor=request.by,
    )
    rows: list[ReportedRow] = [
        (path.name, entry.line, entry.task or "", entry.patch or "row", entry.reason)
        for entry in report.left_out
    ]
    message = (
        f"{count_noun(report.patches, 'patch', 'patches')} for "
        f"{count_noun(report.rounds.imported, 'page')} imported"
    )
    return _round_outcome(report.rounds, message, rows, len(report.left_out))


def _import_tables(
    workspace: Workspace, folder: Path, request: TableImportRequest, _progress: JobProgress
) -> ImportOutcome:
    """Each task is stored by itself."""
    (path,) = folder.iterdir()
    report = import_tables(
        workspace, path, campaign=request.campaign, model=request.model or None, actor=request.by
    )
    rows: list[ReportedRow] = [
        (path.name, entry.line, entry.task or "", kind, entry.reason)
        for kind, entries in ((_LEFT_OUT, report.left_out), (_CHECK, report.repaired))
        for entry in entries
    ]
    message = (
        f"Tables of {count_noun(report.rounds.imported, 'task')} imported, with "
        f"{count_noun(report.changes, 'change')} to confirm"
    )
    return _round_outcome(report.rounds, message, rows, len(report.left_out))


def _round_outcome(
    rounds: RoundReport, message: str, rows: list[ReportedRow], n_left_out: int
) -> ImportOutcome:
    message += _counted(rounds.already_there, n_left_out, "had been imported before")
    return ImportOutcome(_state(rounds.imported + rounds.already_there), message, rows)


def _import_elements(
    workspace: Workspace, folder: Path, request: ElementImportRequest, _progress: JobProgress
) -> ImportOutcome:
    """All tasks are stored in one transaction."""
    report = import_elements(
        workspace,
        sorted(folder.iterdir()),
        campaign=request.campaign,
        protocol=request.protocol,
        document=request.document or None,
        annotator=request.annotator or None,
        grouping=request.grouping,
        mapping=request.mapping,
        skip_bad=request.skip_bad,
        seed=request.seed,
        guidelines=request.guidelines,
        new=request.protocol is not None,
    )
    rows: list[ReportedRow] = [
        (
            Path(element.file).name,
            element.line or "",
            element.id or "",
            _LEFT_OUT,
            element.reason,
        )
        for element in report.bad
    ]
    rows += [("", row.line, row.id or "", _LEFT_OUT, row.reason) for row in report.tasks.bad]
    rows += _note_rows(report.notes)
    return ImportOutcome(_state(report.tasks.imported), _elements_message(report), rows)


def _import_boxes(
    workspace: Workspace, folder: Path, request: BoxImportRequest, _progress: JobProgress
) -> ImportOutcome:
    """Each attempt is stored by itself."""
    report = import_boxes(
        workspace,
        sorted(folder.iterdir()),
        campaign=request.campaign,
        system=request.system,
        document=request.document or None,
        annotator=request.annotator or None,
        mapping=request.mapping,
        label=request.label or None,
        all_tasks=request.all_tasks,
    )
    rows: list[ReportedRow] = [
        (Path(box.file).name, box.line or box.place, box.id or "", _LEFT_OUT, box.reason)
        for box in report.bad
    ]
    rows += [("", "", task, _LEFT_OUT, reason) for task, reason in report.left_out.items()]
    rows += _note_rows(report.notes)
    n_stored = report.imported + report.already_there
    return ImportOutcome(_state(n_stored), _boxes_message(report), rows)


def _boxes_message(report: BoxesReport) -> str:
    parts = [
        f"{count_noun(report.boxes, 'box', 'boxes')} of {report.system} imported at "
        f"{count_noun(report.imported, 'task')}"
    ]
    if report.without_boxes:
        parts.append(f"{report.without_boxes:,} of them without boxes")
    for count, noun, outcome in (
        (report.already_there, ("task",), "imported before"),
        (len(report.bad), ("box or file", "boxes or files"), "left out"),
        (len(report.left_out), ("task",), "left out"),
    ):
        if count:
            parts.append(f"{count_noun(count, *noun)} {outcome}")
    return f"{', '.join(parts)}."


def _run_message(report: RunImportReport) -> str:
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
        (report.unanswered, "without an answer"),
        (report.failed, "ended in an error"),
        (report.untimed, "without times"),
        (report.results_unknown, "without search results"),
    ):
        if count:
            parts.append(f"{count:,} {description}")
    return f"{', '.join(parts)}."


def _elements_message(report: ElementsReport) -> str:
    left_out = f"{count_noun(len(report.bad), 'element or file', 'elements or files')} left out"
    if not report.tasks.imported:
        refused = (
            f", {count_noun(len(report.tasks.bad), 'task')} refused" if report.tasks.bad else ""
        )
        return f"Nothing was imported: {left_out}{refused}."
    batches = count_noun(len(report.tasks.batches), "batch", "batches")
    imported = f"{count_noun(report.tasks.imported, 'task')} in {batches}"
    return f"{imported} with {count_noun(report.elements, 'element')}, {left_out}."


RUNS = FileImport(
    RunImportRequest,
    "Importing runs of {system} into {campaign}",
    N_("Importing runs"),
    (*_JSON, "eval", "zip"),
    True,
    _import_runs,
)
VERDICTS = FileImport(
    VerdictImportRequest,
    "Importing verdicts of {name} on {campaign}",
    N_("Importing verdicts"),
    ROW_SUFFIXES,
    False,
    _import_verdicts,
)
DRAFTS = FileImport(
    DraftImportRequest,
    "Importing drafts into {campaign}",
    N_("Importing drafts"),
    ROW_SUFFIXES,
    False,
    _import_drafts,
)
PATCHES = FileImport(
    PatchImportRequest,
    "Importing patches for {campaign}",
    N_("Importing patches"),
    _JSON,
    False,
    _import_patches,
)
TABLES = FileImport(
    TableImportRequest,
    "Importing fixed tables for {campaign}",
    N_("Importing tables"),
    _JSON,
    False,
    _import_tables,
)
ELEMENTS = FileImport(
    ElementImportRequest,
    "Importing elements into {campaign}",
    N_("Reading elements"),
    _JSON,
    True,
    _import_elements,
)
BOXES = FileImport(
    BoxImportRequest,
    "Importing boxes of {system} into {campaign}",
    N_("Reading boxes"),
    _JSON,
    True,
    _import_boxes,
)
FILE_IMPORTS: Mapping[str, FileImport] = {
    file_import.kind: file_import
    for file_import in (RUNS, VERDICTS, DRAFTS, PATCHES, TABLES, ELEMENTS, BOXES)
}
"""The imports by the kind of their job."""
