"""Imports as jobs: agents' runs, verdicts, models' elements; files that were sent are removed."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from pagetrail.annotation.errors import PagetrailError
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.runs.importer import RunImportReport, import_run
from pagetrail.storage.importers.tasks.element_importer import ElementsReport, import_elements
from pagetrail.storage.importers.verdicts.importer import import_verdicts

MOST_ROWS = 1_000
"""Rows of a job's result; its message has the number of all."""

Tell = Callable[[str, int, int], None]
Outcome = tuple[str, str, dict[str, Any]]


def import_agent_run(workspace: Workspace, order: Mapping[str, Any], tell: Tell) -> Outcome:
    """Import a file or folder of runs; each run is stored by itself, so that a cancelled import is
    completed by importing again."""
    folder = Path(order["folder"])
    stored = 0

    def progress(done: int) -> None:
        nonlocal stored
        stored = done
        tell("Importing runs", done, 0)

    try:
        files = sorted(folder.iterdir())
        report = import_run(
            workspace,
            files[0] if len(files) == 1 else folder,
            campaign=order["campaign"],
            system=order["system"],
            strict=order["strict"],
            search_tools=order.get("search_tools", ()),
            other_tools=order.get("other_tools", ()),
            progress=progress,
        )
    except KeyboardInterrupt:
        many = "1 run was" if stored == 1 else f"{stored:,} runs were"
        return "cancelled", f"Cancelled: {many} stored. Import again for the others.", {}
    except PagetrailError as error:
        raise _without_folder(error, folder) from error
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    rows = [
        [note.file, note.line, note.id or "", kind, note.reason]
        for kind, notes in (("left out", report.left_out), ("check", report.warnings))
        for note in notes
    ]
    state = "done" if report.imported + report.already_there and not report.stopped else "failed"
    return state, _run_message(report), {"campaign": report.campaign, "rows": rows[:MOST_ROWS]}


def import_verdict_file(workspace: Workspace, order: Mapping[str, Any], tell: Tell) -> Outcome:
    """Import a file of verdicts: all of it in one transaction."""
    folder = Path(order["folder"])
    tell("Importing verdicts", 0, 0)
    try:
        (path,) = folder.iterdir()
        report = import_verdicts(workspace, path, campaign=order["campaign"], name=order["name"])
    except PagetrailError as error:
        raise _without_folder(error, folder) from error
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    rows = [[path.name, row.line, "", "left out", row.reason] for row in report.left_out]
    there, out = report.already_there, len(report.left_out)
    said = f"{_n(report.imported, 'verdict')} imported as {report.name}"
    said += f", {there:,} already existed" if there else ""
    said += f", {out:,} left out" if out else ""
    state = "done" if report.imported + there else "failed"
    return state, f"{said}.", {"campaign": report.campaign, "rows": rows[:MOST_ROWS]}


def import_element_files(workspace: Workspace, order: Mapping[str, Any], tell: Tell) -> Outcome:
    """Import files of elements: all tasks in one transaction."""
    folder = Path(order["folder"])
    tell("Reading elements", 0, 0)
    protocol = order.get("protocol")
    try:
        report = import_elements(
            workspace,
            sorted(folder.iterdir()),
            campaign=order["campaign"],
            protocol=None if protocol is None else Protocol.model_validate(protocol),
            document=order["document"] or None,
            annotator=order["annotator"] or None,
            grouping=order["per"],
            mapping=order["mapping"],
            skip_bad=order["skip_bad"],
            seed=order.get("seed"),
            guidelines=order.get("guidelines"),
            new=protocol is not None,
        )
    except PagetrailError as error:
        raise _without_folder(error, folder) from error
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    rows: list[list[Any]] = [
        [Path(bad.file).name, bad.line or "", bad.id or "", "left out", bad.reason]
        for bad in report.bad
    ]
    rows += [["", row.line, row.id or "", "left out", row.reason] for row in report.tasks.bad]
    rows += [["", "", "", "check", note.replace(f"{folder}/", "")] for note in report.notes]
    state = "done" if report.tasks.imported else "failed"
    return (
        state,
        _elements_message(report),
        {"campaign": order["campaign"], "rows": rows[:MOST_ROWS]},
    )


def _without_folder(error: PagetrailError, folder: Path) -> PagetrailError:
    """The error without the server's folder in its sentence."""
    error.message = error.message.replace(f"{folder}/", "").replace(str(folder), "The files")
    return error


def _run_message(report: RunImportReport) -> str:
    if report.stopped:
        return f"Nothing was imported: {_n(len(report.left_out), 'run')} would be left out."
    said = [f"{_n(report.imported, 'run')} of {report.system} ({report.format}) imported"]
    if report.runs:
        said.append(f"each epoch by itself ({', '.join(report.runs)})")
    if report.matched_by_text or report.unmatched or report.ambiguous:
        said.append(f"{report.matched_by_id:,} matched by id")
    for number, what in (
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
        if number:
            said.append(f"{number:,} {what}")
    return f"{', '.join(said)}."


def _elements_message(report: ElementsReport) -> str:
    left_out = f"{_n(len(report.bad), 'element or file', 'elements or files')} left out"
    if not report.tasks.imported:
        refused = f", {_n(len(report.tasks.bad), 'task')} refused" if report.tasks.bad else ""
        return f"Nothing was imported: {left_out}{refused}."
    batches = _n(len(report.tasks.batches), "batch", "batches")
    made = f"{_n(report.tasks.imported, 'task')} in {batches}"
    return f"{made} with {_n(report.elements, 'element')}, {left_out}."


def _n(number: int, noun: str, plural: str = "") -> str:
    return f"{number:,} {noun if number == 1 else plural or f'{noun}s'}"
