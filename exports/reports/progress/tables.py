"""Tables of progress: every number of the charts, and those without a chart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta

from pagetrail.annotation.progress.pace import Pace
from pagetrail.annotation.progress.summary import Line
from pagetrail.annotation.review.status import NEEDS_A_PERSON
from pagetrail.annotation.review.status_words import STATUS_WORDS
from pagetrail.annotation.statistics.clustered_mean import Mean
from pagetrail.exports.reports.model import Cell, Column, Row, Table

NO_END = {
    "done": "done",
    "nothing_handed_in": "nothing submitted yet",
    "too_few_days": "less than 3 whole days of work",
    "no_work_lately": "no work in the last 14 days",
    "too_far_off": "more than ten years away",
}
"""Why there is no end, in words."""

_COUNTS = (
    Column("expected", "Wanted", "count", "Expected answers (task × person) in assigned batches."),
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
    Column("last_week", "Last 7 days", "count", "Tasks submitted."),
    Column(
        "end", "End", "text", "Projected from the pace of the last 14 days, with 95 % interval."
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


def far_table(
    found: Mapping[str, Line], whole: Line, now_s: float, *, key: str, title: str, first: str
) -> Table:
    """Counts, pace and end, all together first."""
    by_person = key == "people"
    people = [] if by_person else [Column("people", "People", "count", "Who have it.")]
    rows = [Row({"name": Cell("All")} | _far_cells(whole, now_s), "pooled")]
    rows += [Row({"name": Cell(n)} | _far_cells(line, now_s)) for n, line in found.items()]
    return Table(
        key=key,
        title=title,
        question="How much is done, how fast, and when will the rest be?",
        columns=[Column("name", first, "text"), *people, *_COUNTS],
        rows=rows,
    )


def _far_cells(line: Line, now_s: float) -> dict[str, Cell]:
    counts, going = line.counts, line.pace
    return {
        "people": Cell(line.people),
        "expected": Cell(counts.expected),
        "done": Cell(counts.done / counts.expected if counts.expected else None),
        "submitted": Cell(counts.submitted),
        "skipped": Cell(counts.skipped),
        "begun": Cell(counts.begun),
        "untouched": Cell(counts.untouched),
        "flagged": Cell(counts.flagged),
        "per_day": Cell(going.per_day),
        "last_week": Cell(going.last_week),
        "end": Cell(end_words(going, now_s)),
    }


def end_words(going: Pace, now_s: float) -> str:
    """The projected end as a date with its interval, or why there is none."""
    if going.end is None:
        return NO_END[going.reason or "done"]
    soonest = _date(now_s, going.soonest or 0.0)
    latest = "open" if going.latest is None else _date(now_s, going.latest)
    return f"{_date(now_s, going.end)} [{soonest}, {latest}]"


def _date(now_s: float, days: float) -> str:
    moment = datetime.fromtimestamp(now_s, UTC)
    # A date needs its year only where that is another one.
    then = moment + timedelta(days=days)
    return f"{then.day} {then:%b}" if then.year == moment.year else f"{then.day} {then:%b %Y}"


def time_table(
    found: Mapping[str, Line], whole: Line, *, key: str, title: str, first: str
) -> Table:
    """Time on a task and hits of the first query, all together first."""
    rows = [Row({"name": Cell("All")} | _time_cells(whole), "pooled")]
    rows += [
        Row({"name": Cell(name)} | _time_cells(line))
        for name, line in found.items()
        if line.times.n or line.hit.n
    ]
    return Table(
        key=key,
        title=title,
        question="How long does a task take, and does the first query hit?",
        columns=[Column("name", first, "text"), *_TIMES],
        rows=rows,
    )


def _time_cells(line: Line) -> dict[str, Cell]:
    times = line.times
    return {
        "n": Cell(times.n),
        "median": Cell(times.median),
        "q1": Cell(times.q1),
        "q3": Cell(times.q3),
        "wall": Cell(times.wall),
        "hit": mean_cell(line.hit),
        "searched": Cell(line.hit.n),
    }


def mean_cell(found: Mean) -> Cell:
    """A mean with its interval, or the reason why either is missing."""
    if found.value is None:
        return Cell()
    return Cell(found.value, low=found.low, high=found.high, flag=found.reason)


def days_table(days: Sequence[tuple[int, int]]) -> Table:
    """Tasks submitted per day, the latest first."""
    start = datetime(1970, 1, 1, tzinfo=UTC)
    total = sum(n for _, n in days)
    rows, so_far = [], 0
    for day, n in days:
        so_far += n
        cells = {
            "day": Cell(f"{start + timedelta(days=day):%Y-%m-%d}"),
            "n": Cell(n),
            "so_far": Cell(so_far),
            "share": Cell(so_far / total if total else None),
        }
        rows.append(Row(cells))
    return Table(
        key="days",
        title="Days",
        question="When was work submitted?",
        columns=[
            Column("day", "Day (UTC)", "text"),
            Column("n", "Tasks", "count"),
            Column("so_far", "So far", "count"),
            Column("share", "of all submitted", "share"),
        ],
        rows=rows[::-1],
    )


def review_table(found: Mapping[str, int]) -> Table:
    """Tasks by review status."""
    total = sum(found.values())
    return Table(
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
            Row(
                {
                    "status": Cell(words),
                    "tasks": Cell(found.get(status, 0)),
                    "share": Cell(found.get(status, 0) / total if total else None),
                    "needs": Cell("yes" if status in NEEDS_A_PERSON else ""),
                }
            )
            for status, words in STATUS_WORDS.items()
        ],
    )
