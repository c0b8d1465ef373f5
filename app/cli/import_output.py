"""What import commands share: a process with a memory limit, and output about tasks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from pagetrail.annotation.errors import InputFileError
from pagetrail.annotation.sentences import count_noun
from pagetrail.app.cli.terminal import print_message, show_table
from pagetrail.storage.batches.assignments import (
    AssignReport,
    kept_from_sentences,
    variants_sentence,
)
from pagetrail.storage.importers.files.kept_fields import format_counts
from pagetrail.storage.importers.tasks.importer import ImportReport
from pagetrail.storage.workers.memory import MEMORY_VARIABLE, limit_text, memory_limit
from pagetrail.storage.workers.pool import run_once
from pagetrail.storage.workers.process import WorkerCrashed, WorkerOutOfMemory

T = TypeVar("T")

MAX_ROWS = 50
"""Most rows of a list of problems; ``--json`` has all."""


def import_in_worker(
    function: Callable[..., T],
    workspace: Path,
    *args: object,
    on_progress: Callable[[Any], None] | None = None,
) -> T:
    """Call ``function(workspace, *args)`` in a process with the memory limit of readers of files.

    Not in this process: parsers written in other languages end it when memory is refused.

    Args:
        on_progress: called with what the function passes to ``send_progress``.

    Raises:
        InputFileError: the import needs more memory, or its process died.
    """
    limit = memory_limit()
    try:
        return run_once(function, workspace, *args, on_progress=on_progress, memory_bytes=limit)
    except (WorkerOutOfMemory, WorkerCrashed) as error:
        raise InputFileError(
            f"The import needs more than {limit_text(limit)} of memory, or the file is damaged. "
            f"Split the file, write JSON as JSON Lines, or raise {MEMORY_VARIABLE}."
        ) from error


def list_some(columns: Sequence[str], rows: Sequence[Sequence[object]], title: str) -> None:
    """Print the first rows as a table on standard error, and how many more there are."""
    if not rows:
        return
    show_table(columns, rows[:MAX_ROWS], title=title, stderr=True)
    if len(rows) > MAX_ROWS:
        print_message(f"… and {len(rows) - MAX_ROWS:,} more; --json lists all.")


def tell_not_kept(counts: Mapping[str, int], advice: str = "") -> None:
    """Print which fields of the file are not kept, and how often they occur."""
    if not counts:
        return
    first_counts = dict(list(counts.items())[:MAX_ROWS])
    more = f" … and {len(counts) - MAX_ROWS:,} more names" if len(counts) > MAX_ROWS else ""
    print_message(
        f"Fields of the file that are not kept: {format_counts(first_counts)}{more}. "
        f"{advice}".strip()
    )


def print_report(report: ImportReport, *, is_assigned: bool = True) -> None:
    """Print the rows left out and what was imported; not how, if it is still to be assigned."""
    list_some(
        ("line", "id", "reason"),
        [(str(row.line), row.id or "", row.reason) for row in report.bad],
        "Rows that cannot be imported",
    )
    if not report.imported:
        advice = "Correct them, or import the others with --skip-bad."
        print_message(
            f"Nothing was imported: {count_noun(len(report.bad), 'bad row')}. {advice}",
            style="bold",
        )
        return
    tell_imported(report, is_assigned=is_assigned)


def tell_imported(report: ImportReport, *, is_assigned: bool = True) -> None:
    """Print what was imported, and how it was assigned."""
    for warning in report.warnings[:MAX_ROWS]:
        print_message(f"Note: {warning}")
    if len(report.warnings) > MAX_ROWS:
        print_message(f"… and {len(report.warnings) - MAX_ROWS:,} more notes; --json lists all.")
    names = ", ".join(report.batches[:8]) + (" …" if len(report.batches) > 8 else "")
    print_message(
        f"{count_noun(report.imported, 'task')} in "
        f"{count_noun(len(report.batches), 'batch', 'batches')} ({names}) imported "
        f"into campaign {report.campaign}."
    )
    if not is_assigned:
        return
    if report.assigned is None:
        print_message(
            "These batches are not assigned yet. Add annotators with `pagetrail users`, "
            "then run `pagetrail assign`."
        )
        return
    print_message(f"{count_noun(len(report.assigned.created), 'assignment')} made.")
    tell_passed_over(report.assigned)
    tell_kept_from(report.assigned)
    if report.assigned.shortfall:
        print_message(shortfall_sentence(report.assigned))


def tell_kept_from(report: AssignReport) -> None:
    """Print which batches people do not get because of what is in them."""
    for sentence in kept_from_sentences(report):
        print_message(sentence)


def tell_passed_over(report: AssignReport) -> None:
    """Print who got no batch and why, and how those who wait for a pilot get one."""
    for name, reason in report.passed_over.items():
        print_message(f"{name} gets no batch: {reason}")
    if n_waiting := len(report.waiting_for_pilot):
        print_message(
            f"{count_noun(n_waiting, 'annotator')} will get batches from the next "
            "`pagetrail assign` after passing the pilot. To admit somebody anyway: "
            "`pagetrail pilot WS --campaign PILOT --decide admit --person NAME --reason WHY`."
        )


def shortfall_sentence(report: AssignReport) -> str:
    """How many annotators are missing, why, and what to do about it."""
    shortfall = report.shortfall
    sentence = (
        f"{count_noun(len(shortfall), 'batch', 'batches')} could not reach the overlap: "
        f"{count_noun(max(shortfall.values()), 'more annotator')} needed. "
        "Add them with `pagetrail users`, then run `pagetrail assign`."
    )
    return f"{sentence} {variants_sentence(report)}".rstrip()
