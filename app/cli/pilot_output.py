"""Tables of a pilot in the terminal."""

from __future__ import annotations

from collections.abc import Sequence

from pagetrail.annotation.sentences import shortened
from pagetrail.app.cli.terminal import show_table
from pagetrail.exports.reports.pilots.wording import (
    decided_words,
    interval_words,
    part_label,
    verdict_key,
)
from pagetrail.storage.pilots.overview import PersonOverview, PilotOverview, TaskOverview
from pagetrail.storage.qualification.gate import percent

_VERDICTS = {
    "passed": "yes",
    "failed": "no",
    "waiting": "waiting for review",
    "open": "not decided",
}
_QUESTION = 60


def show_people(overview: PilotOverview, people: Sequence[PersonOverview]) -> None:
    """Print who meets the pass mark, and the decisions."""
    show_table(
        ("person", "batch", "done", "right", "score", "passed", "active", "decision"),
        [_person(person) for person in people],
        title=f"{overview.campaign}: {percent(overview.pass_mark)} needed",
    )


def show_tasks(overview: PilotOverview) -> None:
    """Print the tasks with most errors first, each with its worst part."""
    show_table(
        ("task", "batch", "right", "score", "worst part", "question"),
        [_task(task) for task in overview.tasks],
        title=f"{overview.campaign}: tasks with most errors",
    )


def seconds(ms: float | None) -> str:
    """``41 s``; empty where there is none."""
    return "" if ms is None else f"{ms / 1000:,.0f} s"


def _person(overview: PersonOverview) -> tuple[object, ...]:
    result = overview.result
    interval = interval_words(overview.share)
    return (
        result.user_name,
        result.code_name,
        f"{result.done:,} of {result.total:,}",
        f"{result.right:,} of {result.judged:,}"
        + (f", {result.undecided:,} undecided" if result.undecided else "")
        + (f" ({interval})" if interval else ""),
        "" if result.score is None else f"{result.score:.2f}",
        _VERDICTS[verdict_key(result)],
        seconds(overview.times.median_active_ms),
        decided_words(overview.decision),
    )


def _task(overview: TaskOverview) -> tuple[object, ...]:
    worst = min(overview.parts, key=lambda part: part.score, default=None)
    wrong = "" if worst is None or worst.score == 1 else part_label(worst.part)
    if overview.suspicious:
        wrong += " (check the gold)"
    question = " ".join(overview.question.split())
    return (
        overview.key,
        overview.batch,
        f"{overview.right:,} of {overview.judged:,}"
        + (f", {overview.undecided:,} undecided" if overview.undecided else ""),
        "" if overview.score is None else f"{overview.score:.2f}",
        wrong,
        shortened(question, _QUESTION),
    )
