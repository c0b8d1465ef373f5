"""What commands say of imported tasks, and of the assignments made of them."""

from __future__ import annotations

from collections.abc import Sequence

from pagetrail.app.cli.terminal import say, show_table
from pagetrail.storage.importers.tasks.importer import ImportReport
from pagetrail.storage.qualification.gate import OPENS

SHOWN = 50
"""Lines of a list of troubles; ``--json`` has all."""


def list_some(columns: Sequence[str], rows: Sequence[Sequence[object]], title: str) -> None:
    """A table of the first rows on standard error, and how many more there are; none for none."""
    if not rows:
        return
    show_table(columns, rows[:SHOWN], title=title, stderr=True)
    if len(rows) > SHOWN:
        say(f"… and {len(rows) - SHOWN:,} more; --json lists all.")


def tell(report: ImportReport) -> None:
    """The rows that are left out, and what was imported."""
    list_some(
        ("line", "id", "reason"),
        [(str(row.line), row.id or "", row.reason) for row in report.bad],
        "Rows that cannot be imported",
    )
    if not report.imported:
        advice = "Correct them, or import the others with --skip-bad."
        say(f"Nothing was imported: {count(len(report.bad), 'bad row')}. {advice}", style="bold")
        return
    tell_imported(report)


def tell_imported(report: ImportReport) -> None:
    """What was imported, and who has it now."""
    for warning in report.warnings[:SHOWN]:
        say(f"Note: {warning}")
    if len(report.warnings) > SHOWN:
        say(f"… and {len(report.warnings) - SHOWN:,} more notes; --json lists all.")
    names = ", ".join(report.batches[:8]) + (" …" if len(report.batches) > 8 else "")
    say(
        f"{count(report.imported, 'task')} in {count(len(report.batches), 'batch', 'es')} "
        f"({names}) imported into campaign {report.campaign}."
    )
    if report.assigned is None:
        say(
            "Nobody has these batches yet. Add annotators with `pagetrail users`, "
            "then run `pagetrail assign`."
        )
        return
    say(f"{count(len(report.assigned.created), 'assignment')} made.")
    tell_passed_over(report.assigned.passed_over)
    if report.assigned.shortfall:
        say(shortfall_sentence(report.assigned.shortfall))


def tell_passed_over(reasons: dict[str, str]) -> None:
    """Say who got no batch of a pilot or of a campaign that waits for one, why, and the way out."""
    for name, reason in reasons.items():
        say(f"{name} gets no batch: {reason}")
    waiting = sum(reason.startswith(OPENS) for reason in reasons.values())
    if waiting:
        say(
            f"{count(waiting, 'annotator')} will be given batches by the next `pagetrail assign` "
            "after the pilot is passed. To let somebody in without that: `pagetrail pilot WS "
            "--campaign PILOT --decide admit --person NAME --reason WHY`."
        )


def shortfall_sentence(shortfall: dict[str, int]) -> str:
    """What the assignment still lacks, and the way out."""
    return (
        f"{count(len(shortfall), 'batch', 'es')} could not reach the wanted overlap: "
        f"{count(max(shortfall.values()), 'more annotator')} needed. "
        "Add them with `pagetrail users`, then run `pagetrail assign`."
    )


def count(number: int, noun: str, plural: str = "s") -> str:
    """A number with its noun, in the plural where it needs one."""
    return f"{number:,} {noun}{'' if number == 1 else plural}"
