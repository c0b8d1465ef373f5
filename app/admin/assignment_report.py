"""What was assigned, what was not and why, as messages; and assigning to everybody."""

from __future__ import annotations

from collections import Counter

from pagetrail.annotation.messages import gettext
from pagetrail.app.admin.actions import queue_message, run_supervisor_action
from pagetrail.app.services.composition import Services
from pagetrail.app.ui.notation import format_count
from pagetrail.storage.batches.assignments import (
    AssignReport,
    assign,
    kept_from_sentences,
    variants_sentence,
)
from pagetrail.storage.people.accounts import Person

_MAX_LISTED = 6


def report_assignment(report: AssignReport) -> None:
    """Queue messages about what was assigned and what was not."""
    new = Counter(name for _, name in report.created)
    if new:
        counts = ", ".join(f"{name} {count}" for name, count in sorted(new.items()))
        queue_message(
            "success",
            format_count(
                "{number} batch assigned: {counts}.",
                "{number} batches assigned: {counts}.",
                len(report.created),
                counts=counts,
            ),
        )
    else:
        queue_message(
            "info",
            gettext("Nothing was assigned: nobody can take a batch that still has a free slot."),
        )
    for kind, sentence in assignment_notes(report):
        queue_message(kind, sentence)


def assignment_notes(report: AssignReport) -> list[tuple[str, str]]:
    """Who gets no batch, which batches stay open, and why."""
    notes: list[tuple[str, str]] = [
        ("info", gettext("{name} gets no batch: {reason}", name=name, reason=reason))
        for name, reason in report.passed_over.items()
    ]
    notes += [("info", sentence) for sentence in kept_from_sentences(report)]
    if report.shortfall:
        shortfall = max(report.shortfall.values())
        names = list(report.shortfall)
        batches = ", ".join(names[:_MAX_LISTED]) + (", …" if len(names) > _MAX_LISTED else "")
        sentence = format_count(
            "Still needed: {number} more person for {batches}. Add annotators, then assign again.",
            "Still needed: up to {number} more people for {batches}. Add annotators, then "
            "assign again.",
            shortfall,
            batches=batches,
        )
        notes.append(("warning", sentence))
    if reason := variants_sentence(report):
        notes.append(("info", reason))
    return notes


def assign_to_everybody(campaign: str) -> None:
    """Callback: assign a campaign's open batches to all active annotators."""

    def act(app: Services, person: Person) -> str | None:
        report_assignment(assign(app.workspace, campaign, by=person.name))
        return None

    run_supervisor_action("assign batches", act)
