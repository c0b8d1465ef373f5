"""Tables of progress, with all numbers of the charts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Literal, NamedTuple

from pagetrail.annotation.messages import lazy_gettext
from pagetrail.annotation.progress.pace import FinishedDay, Pace
from pagetrail.annotation.progress.summary import Line
from pagetrail.annotation.review.status import NEEDS_REVIEWER, STATUS_WORDS
from pagetrail.annotation.statistics.clustered_mean import Mean
from pagetrail.exports.reports.model import ROW_KIND, Cell, Column, RowValues, Table

NO_END = {
    "done": "done",
    "nothing_handed_in": lazy_gettext("nothing submitted yet"),
    "too_few_days": lazy_gettext("needs 3 full days"),
    "no_work_lately": lazy_gettext("no work in the last 14 days"),
    "too_far_off": lazy_gettext("more than ten years away"),
}
"""Why no end is projected, in words."""

_COUNTS = (
    Column("expected", "Expected", "count", "Answers (task × person) in assigned batches."),
    Column("done", "Done", "share", "Submitted or skipped."),
    Column("submitted", "Submitted", "count"),
    Column("skipped", "Skipped", "count"),
    Column("begun", "Open", "count", "Started but not submitted."),
    Column("untouched", "Not opened", "count"),
    Column("flagged", "Flagged", "count", "Flagged tasks of any status."),
    Column(
        "per_day",
        "Per day",
        "number",
        "Mean number of tasks submitted per day since the first day of work.",
    ),
    Column(
        "skipped_per_day",
        "Skipped per day",
        "number",
        "Mean number of tasks skipped per day since the first day of work.",
    ),
    Column("last_week", "Last 7 days", "count", "Tasks submitted."),
    Column(
        "end",
        "End",
        "text",
        "Projected from the tasks submitted or skipped per day in the last 14 days, with 95 % "
        "interval.",
    ),
)
_TIMES = (
    Column("n", "Tasks", "count", "Submitted tasks whose time is known."),
    Column(
        "median", "Active: median (s)", "seconds", "Time between events, each gap capped at 60 s."
    ),
    Column("q1", "Lower quartile (s)", "seconds"),
    Column("q3", "Upper quartile (s)", "seconds"),
    Column("wall", "Wall: median (s)", "seconds", "From the first event to the last."),
    Column(
        "hit",
        "First query hits",
        "share",
        "Tasks whose first query returned a gold page, with 95 % interval.",
    ),
    Column("searched", "of tasks", "count", "Tasks with gold pages and a query."),
)


def progress_table(
    lines: Mapping[str, Line], total: Line, now_s: float, key: Literal["batches", "people"]
) -> Table:
    """Counts, pace and end, with the total first."""
    title, heading = (
        (lazy_gettext("Batches"), lazy_gettext("Batch"))
        if key == "batches"
        else (lazy_gettext("People"), lazy_gettext("Person"))
    )
    by_batch = [Column("people", "People", "count", "Who have it.")] if key == "batches" else []
    rows = [{ROW_KIND: "pooled", "name": lazy_gettext("All"), **_far_cells(total, now_s)}]
    rows += [{"name": n} | _far_cells(line, now_s) for n, line in lines.items()]
    return Table.from_rows(
        key=key,
        title=title,
        question="How much is done, how fast, and when will the rest be?",
        columns=[Column("name", heading, "text"), *by_batch, *_COUNTS],
        rows=rows,
    )


def _far_cells(line: Line, now_s: float) -> RowValues:
    counts, going = line.counts, line.pace
    return {
        "people": line.people,
        "expected": counts.expected,
        "done": counts.finished / counts.expected if counts.expected else None,
        "submitted": counts.submitted,
        "skipped": counts.skipped,
        "begun": counts.begun,
        "untouched": counts.untouched,
        "flagged": counts.flagged,
        "per_day": going.submitted_per_day,
        "skipped_per_day": going.skipped_per_day,
        "last_week": going.submitted_last_week,
        "end": end_words(going, now_s),
    }


class FinishDates(NamedTuple):
    """The projected end and its 95 % interval, as dates; ``latest`` is None without a bound."""

    end: str
    soonest: str
    latest: str | None


def finish_dates(going: Pace, now_s: float) -> FinishDates | None:
    """The projected end; None where ``end_words`` say why there is none."""
    if going.end is None:
        return None
    latest = None if going.latest is None else _date(now_s, going.latest)
    return FinishDates(_date(now_s, going.end), _date(now_s, going.soonest or 0.0), latest)


def end_words(going: Pace, now_s: float) -> str:
    """The projected end as a date with its interval, or why there is none."""
    dates = finish_dates(going, now_s)
    if dates is None:
        return NO_END[going.reason or "done"]
    return f"{dates.end} [{dates.soonest}, {dates.latest or 'open'}]"


def _date(now_s: float, days: float) -> str:
    now = datetime.fromtimestamp(now_s, UTC)
    # The year is only shown if it is not the current one.
    end = now + timedelta(days=days)
    return f"{end.day} {end:%b}" if end.year == now.year else f"{end.day} {end:%b %Y}"


def time_table(lines: Mapping[str, Line], total: Line, key: str, title: str, heading: str) -> Table:
    """Time per task and hits of the first query, with the total first."""
    rows = [{ROW_KIND: "pooled", "name": lazy_gettext("All"), **_time_cells(total)}]
    rows += [
        {"name": name} | _time_cells(line)
        for name, line in lines.items()
        if line.times.n or line.hit.n
    ]
    return Table.from_rows(
        key=key,
        title=title,
        question="How long does a task take, and does the first query hit?",
        columns=[Column("name", heading, "text"), *_TIMES],
        rows=rows,
    )


def _time_cells(line: Line) -> RowValues:
    times = line.times
    return {
        "n": times.n,
        "median": times.median,
        "q1": times.q1,
        "q3": times.q3,
        "wall": times.wall,
        "hit": mean_cell(line.hit),
        "searched": line.hit.n,
    }


def mean_cell(mean: Mean) -> Cell:
    """A mean with its interval, or the reason why either is missing."""
    if mean.value is None:
        return Cell()
    return Cell(mean.value, low=mean.low, high=mean.high, flag=mean.reason)


def days_table(days: Sequence[FinishedDay]) -> Table:
    """Tasks submitted and skipped per day, the latest first."""
    start = datetime(1970, 1, 1, tzinfo=UTC)
    total = sum(day.submitted for day in days)
    rows, so_far = [], 0
    for day, submitted, skipped in days:
        so_far += submitted
        cells = {
            "day": f"{start + timedelta(days=day):%Y-%m-%d}",
            "n": submitted,
            "skipped": skipped,
            "so_far": so_far,
            "share": so_far / total if total else None,
        }
        rows.append(cells)
    return Table.from_rows(
        key="days",
        title="Days",
        question="When was work submitted?",
        columns=[
            Column("day", "Day (UTC)", "text"),
            Column("n", "Submitted", "count"),
            Column("skipped", "Skipped", "count"),
            Column("so_far", "Submitted so far", "count"),
            Column("share", "of all submitted", "share"),
        ],
        rows=rows[::-1],
    )


def review_table(counts: Mapping[str, int]) -> Table:
    """Tasks by review status."""
    total = sum(counts.values())
    return Table.from_rows(
        key="review",
        title="Review",
        question="How far is review, and which tasks need a reviewer?",
        columns=[
            Column("status", "Status", "text"),
            Column("tasks", "Tasks", "count"),
            Column("share", "Share", "share"),
            Column("needs", "Needs a reviewer", "text"),
        ],
        rows=[
            {
                "status": words,
                "tasks": counts.get(status, 0),
                "share": counts.get(status, 0) / total if total else None,
                "needs": "yes" if status in NEEDS_REVIEWER else "",
            }
            for status, words in STATUS_WORDS.items()
        ],
    )
