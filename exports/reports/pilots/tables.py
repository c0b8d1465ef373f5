"""Tables of a pilot."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pagetrail.annotation.attempts.form_state import Feedback
from pagetrail.annotation.comparison.baselines import PartEstimate
from pagetrail.annotation.comparison.pairwise_agreement import (
    TOO_FEW,
    FieldSimilarity,
    IntervalEstimate,
    Similarity,
)
from pagetrail.annotation.messages import join_messages, lazy_gettext
from pagetrail.exports.reports.model import Cell, Column, RowValues, Table
from pagetrail.exports.reports.pilots.wording import (
    answer_words,
    day,
    decision_of,
    fields_text,
    pages_text,
    part_label,
    reason_words,
    status_words,
    to_do,
    verdict,
)
from pagetrail.storage.pilots.overview import PersonOverview, PilotOverview, TaskOverview
from pagetrail.storage.pilots.person_tasks import TaskWork
from pagetrail.storage.pilots.production_comparison import PilotComparison
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


def then_table(people: Sequence[PilotComparison]) -> Table:
    """Everybody with a baseline: time per task then and now."""
    return Table.from_rows(
        key="then-and-now",
        title="Then and now",
        question="Do people work in production as they did in the pilot?",
        columns=[
            Column("person", "Person", "text"),
            Column("stored", "Stored", "text", "When the baseline was stored."),
            Column("right", "Correct then", "share", _SHARE),
            Column("then", "Median then", "seconds", _ACTIVE),
            Column("mean_then", "Mean then", "seconds"),
            Column("wall_then", "Wall then", "seconds", "Median, first event to submission."),
            Column("now", "Median now", "seconds", _ACTIVE),
            Column("mean_now", "Mean now", "seconds"),
            Column("tasks_now", "Tasks now", "count", "Production tasks submitted so far."),
            Column(
                "ratio",
                "Now / then",
                "number",
                "Ratio of the medians; above 1 means slower than in the pilot.",
            ),
            Column("note", "Note", "text"),
        ],
        rows=[_then_and_now(person) for person in people],
    )


def agreement_rows(
    in_pilot: Similarity, now: Similarity
) -> list[tuple[str, IntervalEstimate, IntervalEstimate]]:
    """(part, then, now) for each part with data then or now."""
    rows = [
        (lazy_gettext("Answers (ANLS*)"), in_pilot.anls, now.anls),
        (lazy_gettext("Cited pages (F1)"), in_pilot.page_f1, now.page_f1),
        (lazy_gettext("Boxes (IoU)"), in_pilot.iou, now.iou),
    ]
    before = {field.key: field for field in in_pilot.fields}
    now_fields = {field.key: field for field in now.fields}
    too_few = IntervalEstimate(reason=TOO_FEW)
    missing = FieldSimilarity(key="", label="", percent=too_few, ac1=too_few)
    for key in dict.fromkeys([*before, *now_fields]):
        a, b = before.get(key, missing), now_fields.get(key, missing)
        label = a.label or b.label
        rows.append(
            (lazy_gettext("{label} (percent agreement)", label=label), a.percent, b.percent)
        )
        rows.append((lazy_gettext("{label} (AC1)", label=label), a.ac1, b.ac1))
    return [(subject, a, b) for subject, a, b in rows if a.n or b.n]


def agreement_table(rows: Sequence[tuple[str, IntervalEstimate, IntervalEstimate]]) -> Table:
    """One person: agreement with the gold then, with others now."""
    return Table.from_rows(
        key="agreement",
        title="Agreement",
        question="With the gold in the pilot, and with others in production?",
        columns=[
            Column("what", "Of", "text"),
            Column("then", "Gold, then", "score"),
            Column("n_then", "n, then", "count", "Tasks, or ratings of a field."),
            Column("now", "Others, now", "score"),
            Column("n_now", "n, now", "count", "Tasks, or ratings of a field."),
            Column("note", "Note", "text"),
        ],
        rows=[
            {
                "what": subject,
                "then": _estimate(a),
                "n_then": a.n,
                "now": _estimate(b),
                "n_now": b.n,
                "note": _notes(a, b),
            }
            for subject, a, b in rows
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


def _then_and_now(person: PilotComparison) -> RowValues:
    in_pilot, now = person.baseline.times, person.now
    ratio = None
    if in_pilot.median_active_ms and now.median_active_ms is not None:
        ratio = now.median_active_ms / in_pilot.median_active_ms
    notes = [] if now.n else [lazy_gettext("nothing submitted yet")]
    if person.gold_changed:
        notes.append(lazy_gettext("the pilot's gold has changed since"))
    return {
        "person": person.user_name,
        "stored": day(person.row.at),
        "right": _estimate(person.baseline.share),
        "then": _seconds(in_pilot.median_active_ms),
        "mean_then": _seconds(in_pilot.mean_active_ms),
        "wall_then": _seconds(in_pilot.median_wall_ms),
        "now": _seconds(now.median_active_ms),
        "mean_now": _seconds(now.mean_active_ms),
        "tasks_now": now.n,
        "ratio": ratio,
        "note": join_messages(notes, "; "),
    }


def _estimate(estimate: IntervalEstimate) -> Cell:
    return Cell(estimate.value, low=estimate.low, high=estimate.high)


def _notes(in_pilot: IntervalEstimate, now: IntervalEstimate) -> str:
    notes = [
        lazy_gettext("{period}: {reason}", period=period, reason=reason)
        for period, estimate in ((lazy_gettext("then"), in_pilot), (lazy_gettext("now"), now))
        if (reason := reason_words(estimate))
    ]
    return join_messages(notes, "; ")


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
