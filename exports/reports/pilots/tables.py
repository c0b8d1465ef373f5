"""Tables of a pilot."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pagetrail.annotation.attempts.form_state import Feedback
from pagetrail.annotation.comparison.pilot_estimates import IntervalEstimate, PartEstimate
from pagetrail.annotation.messages import lazy_gettext
from pagetrail.exports.reports.model import Cell, Column, RowValues, Table
from pagetrail.exports.reports.pilots.wording import (
    answer_words,
    decision_of,
    fields_text,
    pages_text,
    part_label,
    status_words,
    to_do,
    verdict,
)
from pagetrail.storage.pilots.overview import PersonOverview, PilotOverview, TaskOverview
from pagetrail.storage.pilots.person_tasks import TaskWork
from pagetrail.storage.qualification.gate import percent

_SHARE = lazy_gettext("Decided tasks correct in every part, with 95 % Wilson interval.")
_UNDECIDED = lazy_gettext(
    "Of these, right if the answers that the rule leaves undecided are; in no share."
)
_SCORE = lazy_gettext(
    "Share of a task's parts that agree with the gold, averaged over judged tasks."
)
_ACTIVE = lazy_gettext("Median active time per task; gaps between events are capped at 60 s.")


def people_table(overview: PilotOverview) -> Table:
    """One row per person: pass mark, results by part, time, and decision."""
    parts = _parts(person.parts for person in overview.people)
    columns = [
        Column("person", "Person", "text"),
        Column(
            "batch", "Batch", "text", "The batch that counts: the one passed, otherwise the latest."
        ),
        Column("done", "Done", "count", "Tasks submitted or skipped."),
        Column("tasks", "Of", "count", "Tasks of the batch."),
        Column("judged", "Judged", "count", "Tasks compared with the gold."),
        Column("right", "Correct", "count", "Judged tasks correct in every part."),
        Column("undecided", "Undecided", "count", _UNDECIDED),
        Column("share", "Share correct", "share", _SHARE),
        Column("score", "Score", "share", _SCORE),
        *_part_columns(parts),
        Column("active", "Time per task", "seconds", _ACTIVE),
        Column(
            "mark",
            "By the mark",
            "text",
            lazy_gettext(
                "At least {pass_mark} must be correct.", pass_mark=percent(overview.pass_mark)
            ),
        ),
        Column(
            "decision",
            "Decision",
            "text",
            "A supervisor's decision, which overrides the pass mark.",
        ),
        Column("standing", "Status", "text", "Whether production batches may be taken."),
    ]
    return Table.from_rows(
        key="people",
        title="All participants of the pilot",
        question=lazy_gettext(
            "Who reaches the pass mark of {pass_mark}, and which parts are weak?",
            pass_mark=percent(overview.pass_mark),
        ),
        columns=columns,
        rows=[_person(person) for person in overview.people],
    )


def tasks_table(overview: PilotOverview) -> Table:
    """Every task, the worst first."""
    parts = _parts(task.parts for task in overview.tasks)
    ordered = sorted(
        overview.tasks,
        key=lambda task: (task.share.value if task.share.value is not None else 2, task.key),
    )
    return Table.from_rows(
        key="tasks",
        title="All tasks of the pilot",
        question="Which tasks do people get wrong, and in which part?",
        columns=[
            Column("task", "Task", "text"),
            Column("question", "Question", "text"),
            Column("batch", "Batch", "text"),
            Column("judged", "Judged", "count", "People whose work on it was compared."),
            Column("right", "Correct", "count", "Of these, people with every part correct."),
            Column("undecided", "Undecided", "count", _UNDECIDED),
            Column(
                "share", "Share correct", "share", "Share of people, with 95 % Wilson interval."
            ),
            Column("score", "Score", "share", _SCORE),
            *_part_columns(parts),
            Column("look", "Action", "text"),
        ],
        rows=[_task(task) for task in ordered],
    )


def work_table(submissions: Sequence[TaskWork]) -> Table:
    """All submissions to one task."""
    return Table.from_rows(
        key="task-works",
        title="What people submitted",
        question="Do people agree with each other but not with the gold?",
        columns=[
            Column("person", "Person", "text"),
            Column("right", "Correct", "text"),
            Column("score", "Score", "share"),
            Column("answer", "Answer", "text"),
            Column("pages", "Pages", "text"),
            Column("fields", "Fields", "text"),
            Column("active", "Time", "seconds"),
        ],
        rows=[
            {
                "person": submission.user_name,
                "right": _correct_words(submission.task.verdict),
                "score": submission.task.verdict.decided_score if submission.task.verdict else None,
                "answer": answer_words(submission.task),
                "pages": pages_text(submission.task.pages, "; "),
                "fields": fields_text(submission.task, "; "),
                "active": _seconds(
                    submission.task.times.active_ms if submission.task.times else None
                ),
            }
            for submission in submissions
        ],
    )


def _person(overview: PersonOverview) -> RowValues:
    result = overview.result
    return {
        "person": result.user_name,
        "batch": result.code_name,
        "done": result.done,
        "tasks": result.total,
        "judged": result.judged,
        "right": result.right,
        "undecided": result.undecided,
        "share": _estimate(overview.share),
        "score": result.score,
        **_part_cells(overview.parts),
        "active": _seconds(overview.times.median_active_ms),
        "mark": verdict(result),
        "decision": decision_of(overview),
        "standing": status_words(result),
    }


def _task(overview: TaskOverview) -> RowValues:
    return {
        "task": overview.key,
        "question": overview.question,
        "batch": overview.batch,
        "judged": overview.judged,
        "right": overview.right,
        "undecided": overview.undecided,
        "share": _estimate(overview.share),
        "score": overview.score,
        **_part_cells(overview.parts),
        "look": to_do(overview),
    }


def _estimate(estimate: IntervalEstimate) -> Cell:
    return Cell(estimate.value, low=estimate.low, high=estimate.high)


def _parts(lists: Iterable[Sequence[PartEstimate]]) -> list[str]:
    """The names of all parts, in the order in which they first come."""
    return list(dict.fromkeys(part.part for parts in lists for part in parts))


def _part_columns(parts: Sequence[str]) -> list[Column]:
    return [
        Column(f"part_{part}", part_label(part), "share", "Mean share that agrees with the gold.")
        for part in parts
    ]


def _part_cells(parts: Sequence[PartEstimate]) -> RowValues:
    return {f"part_{part.part}": part.score for part in parts}


def _seconds(ms: float | None) -> float | None:
    return None if ms is None else ms / 1000


def _correct_words(verdict: Feedback | None) -> str:
    if verdict is None:
        return ""
    if verdict.is_undecided:
        return lazy_gettext("undecided")
    return "yes" if verdict.right else "no"
