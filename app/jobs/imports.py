"""Import jobs: agents' runs, verdicts, models' drafts and elements. Uploaded files are deleted."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pagetrail.annotation.errors import PagetrailError
from pagetrail.annotation.messages import N_
from pagetrail.annotation.sentences import count_noun
from pagetrail.app.jobs.progress import JobOutcome, JobProgress
from pagetrail.app.jobs.requests import (
    BoxImportRequest,
    DraftImportRequest,
    ElementImportRequest,
    PatchImportRequest,
    RunImportRequest,
    VerdictImportRequest,
)
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.drafts.importer import import_drafts
from pagetrail.storage.importers.preannotations.system_boxes import BoxesReport, import_boxes
from pagetrail.storage.importers.runs.importer import RunImportReport, import_run
from pagetrail.storage.importers.tasks.element_importer import ElementsReport, import_elements
from pagetrail.storage.importers.transcripts.importer import import_patches
from pagetrail.storage.importers.verdicts.importer import import_verdicts

MAX_ROWS = 1_000
"""Maximum number of rows in a job's result; its message has the number of all rows."""


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


def import_agent_run(
    workspace: Workspace, request: RunImportRequest, progress: JobProgress
) -> JobOutcome:
    """Import a file or folder of runs.

    Each run is stored by itself, so that a cancelled import is completed by importing again.
    """
    stored = 0

    def report_progress(runs: int) -> None:
        nonlocal stored
        stored = runs
        progress.update(N_("Importing runs"), runs, 0)

    try:
        with uploaded_files(request.folder) as folder:
            files = sorted(folder.iterdir())
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
        return JobOutcome("cancelled", message)
    rows = [
        [note.file, note.line, note.id or "", kind, note.reason]
        for kind, notes in (("left out", report.left_out), ("check", report.warnings))
        for note in notes
    ]
    state = "done" if report.imported + report.already_there and not report.stopped else "failed"
    details = {"campaign": report.campaign, "rows": rows[:MAX_ROWS]}
    return JobOutcome(state, _run_message(report), details)


def import_verdict_file(
    workspace: Workspace, request: VerdictImportRequest, progress: JobProgress
) -> JobOutcome:
    """Import a file of verdicts in one transaction."""
    progress.update(N_("Importing verdicts"), 0, 0)
    with uploaded_files(request.folder) as folder:
        (path,) = folder.iterdir()
        report = import_verdicts(
            workspace, path, campaign=request.campaign, name=request.name, judge=request.judge
        )
    rows = [[path.name, row.line, "", "left out", row.reason] for row in report.left_out]
    existing, left_out = report.already_there, len(report.left_out)
    names = ", ".join(report.sets) or report.name
    message = f"{count_noun(report.imported, 'verdict')} imported as {names}"
    message += f", {existing:,} already existed" if existing else ""
    message += f", {left_out:,} left out" if left_out else ""
    state = "done" if report.imported + existing else "failed"
    details = {"campaign": report.campaign, "rows": rows[:MAX_ROWS]}
    return JobOutcome(state, f"{message}.", details)


def import_draft_file(
    workspace: Workspace, request: DraftImportRequest, progress: JobProgress
) -> JobOutcome:
    """Import a file of models' drafts in one transaction."""
    progress.update(N_("Importing drafts"), 0, 0)
    with uploaded_files(request.folder) as folder:
        (path,) = folder.iterdir()
        report = import_drafts(
            workspace,
            path,
            campaign=request.campaign,
            model=request.model or None,
            version=request.version or None,
        )
    rows: list[list[Any]] = [
        [path.name, row.line, "", "left out", row.reason] for row in report.left_out
    ]
    rows += [[path.name, "", "", "check", note] for note in report.notes]
    existing, left_out = report.already_there, len(report.left_out)
    message = f"{count_noun(report.imported, 'draft')} imported"
    message += f" by {', '.join(report.models)}" if report.models else ""
    message += f", {report.superseded:,} in place of earlier ones" if report.superseded else ""
    message += f", {existing:,} already existed" if existing else ""
    message += f", {left_out:,} left out" if left_out else ""
    state = "done" if report.imported + existing else "failed"
    details = {"campaign": report.campaign, "rows": rows[:MAX_ROWS]}
    return JobOutcome(state, f"{message}.", details)


def import_patch_file(
    workspace: Workspace, request: PatchImportRequest, progress: JobProgress
) -> JobOutcome:
    """Import a file of patches; each page is stored by itself."""
    progress.update(N_("Importing patches"), 0, 0)
    with uploaded_files(request.folder) as folder:
        (path,) = folder.iterdir()
        report = import_patches(
            workspace,
            path,
            campaign=request.campaign,
            model=request.model or None,
            reopen_accepted=request.reopen_accepted,
            actor=request.by,
        )
    rows: list[list[Any]] = [
        [path.name, entry.line, entry.task or "", entry.patch or "row", entry.reason]
        for entry in report.left_out
    ]
    existing, left_out = report.rounds.already_there, len(report.left_out)
    message = (
        f"{count_noun(report.patches, 'patch', 'patches')} for "
        f"{count_noun(report.rounds.imported, 'page')} imported"
    )
    message += f", {existing:,} had been imported before" if existing else ""
    message += f", {left_out:,} left out" if left_out else ""
    state = "done" if report.rounds.imported + existing else "failed"
    details = {"campaign": report.rounds.campaign, "rows": rows[:MAX_ROWS]}
    return JobOutcome(state, f"{message}.", details)


def import_element_files(
    workspace: Workspace, request: ElementImportRequest, progress: JobProgress
) -> JobOutcome:
    """Import files of elements, with all tasks in one transaction."""
    progress.update(N_("Reading elements"), 0, 0)
    with uploaded_files(request.folder) as folder:
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
    rows: list[list[Any]] = [
        [Path(element.file).name, element.line or "", element.id or "", "left out", element.reason]
        for element in report.bad
    ]
    rows += [["", row.line, row.id or "", "left out", row.reason] for row in report.tasks.bad]
    rows += [["", "", "", "check", note.replace(f"{folder}/", "")] for note in report.notes]
    state = "done" if report.tasks.imported else "failed"
    details = {"campaign": request.campaign, "rows": rows[:MAX_ROWS]}
    return JobOutcome(state, _elements_message(report), details)


def import_box_files(
    workspace: Workspace, request: BoxImportRequest, progress: JobProgress
) -> JobOutcome:
    """Import files of a system's boxes; each attempt is stored by itself."""
    progress.update(N_("Reading boxes"), 0, 0)
    with uploaded_files(request.folder) as folder:
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
    rows: list[list[Any]] = [
        [Path(box.file).name, box.line or box.place, box.id or "", "left out", box.reason]
        for box in report.bad
    ]
    rows += [["", "", task, "left out", reason] for task, reason in report.left_out.items()]
    rows += [["", "", "", "check", note.replace(f"{folder}/", "")] for note in report.notes]
    state = "done" if report.imported + report.already_there else "failed"
    details = {"campaign": report.campaign, "rows": rows[:MAX_ROWS]}
    return JobOutcome(state, _boxes_message(report), details)


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
