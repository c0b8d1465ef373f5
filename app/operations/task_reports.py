"""What is said about imported tasks and their assignment."""

from __future__ import annotations

from pagetrail.annotation.sentences import count_noun
from pagetrail.app.operations.results import Notes, Part, Problem, Problems, Refusal
from pagetrail.storage.batches.assignments import (
    AssignReport,
    kept_from_sentences,
    variants_sentence,
)
from pagetrail.storage.importers.tasks.importer import ImportReport


def task_report(report: ImportReport, *, is_assigned: bool = True) -> list[Part]:
    """The rows left out and what was imported; not how, if it is still to be assigned."""
    problems = [Problem(row.reason, row.line, row.id) for row in report.bad]
    bad = Problems("Rows that cannot be imported", ("line", "id", "reason"), problems)
    if report.imported:
        return [bad, *imported_tasks(report, is_assigned=is_assigned)]
    advice = "Correct them, or import the others with --skip-bad."
    rows = count_noun(len(report.bad), "bad row")
    return [bad, Refusal(f"Nothing was imported: {rows}. {advice}")]


def imported_tasks(report: ImportReport, *, is_assigned: bool = True) -> list[Part]:
    """What was imported, and how it was assigned."""
    names = ", ".join(report.batches[:8]) + (" …" if len(report.batches) > 8 else "")
    parts: list[Part] = [
        Notes(report.warnings),
        f"{count_noun(report.imported, 'task')} in "
        f"{count_noun(len(report.batches), 'batch', 'batches')} ({names}) imported "
        f"into campaign {report.campaign}.",
    ]
    if not is_assigned:
        return parts
    if report.assigned is None:
        return [
            *parts,
            "These batches are not assigned yet. Add annotators with `pagetrail users`, "
            "then run `pagetrail assign`.",
        ]
    parts.append(f"{count_noun(len(report.assigned.created), 'assignment')} made.")
    parts += passed_over(report.assigned) + kept_from_sentences(report.assigned)
    if report.assigned.shortfall:
        parts.append(shortfall_sentence(report.assigned))
    return parts


def passed_over(report: AssignReport) -> list[str]:
    """Who got no batch and why, and how those who wait for a pilot get one."""
    sentences = [f"{name} gets no batch: {reason}" for name, reason in report.passed_over.items()]
    if n_waiting := len(report.waiting_for_pilot):
        sentences.append(
            f"{count_noun(n_waiting, 'annotator')} will get batches from the next "
            "`pagetrail assign` after passing the pilot. To admit somebody anyway: "
            "`pagetrail pilot WS --campaign PILOT --decide admit --person NAME --reason WHY`."
        )
    return sentences


def shortfall_sentence(report: AssignReport) -> str:
    """How many annotators are missing, why, and what to do about it."""
    shortfall = report.shortfall
    sentence = (
        f"{count_noun(len(shortfall), 'batch', 'batches')} could not reach the overlap: "
        f"{count_noun(max(shortfall.values()), 'more annotator')} needed. "
        "Add them with `pagetrail users`, then run `pagetrail assign`."
    )
    return f"{sentence} {variants_sentence(report)}".rstrip()
