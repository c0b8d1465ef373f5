"""What the import commands share: a limit of memory, and output about tasks and assignments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from pagetrail.annotation.errors import InputFileError
from pagetrail.annotation.sentences import count_noun
from pagetrail.app.cli.terminal import say, show_table
from pagetrail.storage.batches.assignments import kept_from_sentence
from pagetrail.storage.importers.files.kept_fields import format_counts
from pagetrail.storage.importers.tasks.importer import ImportReport
from pagetrail.storage.qualification.gate import OPENS
from pagetrail.storage.workers.memory import (
    MEMORY_VARIABLE,
    limit_text,
    limited_growth,
    memory_limit,
)

SHOWN = 50
"""Most rows of a list of problems; ``--json`` has all."""


@contextmanager
def limited_memory() -> Iterator[None]:
    """Refuse files whose import takes more memory than readers of files may have.

    Raises:
        InputFileError: it does; the message says what to do.
    """
    limit = memory_limit()
    try:
        with limited_growth(limit):
            yield
    except MemoryError:
        raise InputFileError(
            f"The import needs more than {limit_text(limit)} of memory. Split the file, write "
            f"JSON as JSON Lines, or raise {MEMORY_VARIABLE}."
        ) from None


def list_some(columns: Sequence[str], rows: Sequence[Sequence[object]], title: str) -> None:
    """Print the first rows as a table on standard error, and how many more there are."""
    if not rows:
        return
    show_table(columns, rows[:SHOWN], title=title, stderr=True)
    if len(rows) > SHOWN:
        say(f"… and {len(rows) - SHOWN:,} more; --json lists all.")


def tell_not_kept(counts: Mapping[str, int], advice: str = "") -> None:
    """Print which fields of the file are not kept, and how often they occur."""
    if not counts:
        return
    shown = dict(list(counts.items())[:SHOWN])
    more = f" … and {len(counts) - SHOWN:,} more names" if len(counts) > SHOWN else ""
    say(f"Fields of the file that are not kept: {format_counts(shown)}{more}. {advice}".strip())


def tell(report: ImportReport) -> None:
    """Print the rows left out and what was imported."""
    list_some(
        ("line", "id", "reason"),
        [(str(row.line), row.id or "", row.reason) for row in report.bad],
        "Rows that cannot be imported",
    )
    if not report.imported:
        advice = "Correct them, or import the others with --skip-bad."
        say(
            f"Nothing was imported: {count_noun(len(report.bad), 'bad row')}. {advice}",
            style="bold",
        )
        return
    tell_imported(report)


def tell_imported(report: ImportReport) -> None:
    """Print what was imported and how it was assigned."""
    for warning in report.warnings[:SHOWN]:
        say(f"Note: {warning}")
    if len(report.warnings) > SHOWN:
        say(f"… and {len(report.warnings) - SHOWN:,} more notes; --json lists all.")
    names = ", ".join(report.batches[:8]) + (" …" if len(report.batches) > 8 else "")
    say(
        f"{count_noun(report.imported, 'task')} in "
        f"{count_noun(len(report.batches), 'batch', 'batches')} ({names}) imported "
        f"into campaign {report.campaign}."
    )
    if report.assigned is None:
        say(
            "These batches are not assigned yet. Add annotators with `pagetrail users`, "
            "then run `pagetrail assign`."
        )
        return
    say(f"{count_noun(len(report.assigned.created), 'assignment')} made.")
    tell_passed_over(report.assigned.passed_over)
    tell_kept_from(report.assigned.kept_from)
    if report.assigned.shortfall:
        say(shortfall_sentence(report.assigned.shortfall))


def tell_kept_from(pairs: Sequence[tuple[str, str]]) -> None:
    """Print which batches people do not get, since a task of them is a hidden check of theirs."""
    if sentence := kept_from_sentence(pairs):
        say(sentence)


def tell_passed_over(reasons: dict[str, str]) -> None:
    """Print who got no batch because of a pilot, why, and what to do about it."""
    for name, reason in reasons.items():
        say(f"{name} gets no batch: {reason}")
    waiting = sum(reason.startswith(OPENS) for reason in reasons.values())
    if waiting:
        say(
            f"{count_noun(waiting, 'annotator')} will get batches from the next `pagetrail assign` "
            "after passing the pilot. To admit somebody anyway: `pagetrail pilot WS "
            "--campaign PILOT --decide admit --person NAME --reason WHY`."
        )


def shortfall_sentence(shortfall: dict[str, int]) -> str:
    """How many annotators are missing, and what to do about it."""
    return (
        f"{count_noun(len(shortfall), 'batch', 'batches')} could not reach the overlap: "
        f"{count_noun(max(shortfall.values()), 'more annotator')} needed. "
        "Add them with `pagetrail users`, then run `pagetrail assign`."
    )
