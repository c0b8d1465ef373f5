"""Times per participant under every idle cap, and accuracy by how long an answer took."""

from __future__ import annotations

from collections.abc import Sequence

from pagetrail.annotation.attempts.submission import Which
from pagetrail.annotation.metrics.attempt_rows import EffortKind
from pagetrail.annotation.metrics.budget import (
    BUCKETS,
    accuracy_by_time,
    bucket_scores,
    time_spread,
)
from pagetrail.annotation.timing.durations import IDLE_CAPS_S
from pagetrail.exports.reports.cells import value_cell
from pagetrail.exports.reports.metrics.cells import ATTEMPTS, SIDE, Options, share_cell, undecided
from pagetrail.exports.reports.metrics.participants import Side
from pagetrail.exports.reports.model import Cell, Column, Table

UNTIMED = Column("untimed", "Without times", "count", "Attempts of imported runs without times.")

WALL: dict[Which, str] = {
    "first": "Until submission, and wall: from the first event to the first submission, without "
    "the time that a skipped task waited to be reopened.",
    "final": "Until submission: from the first event to the last submission. Wall: from the first "
    "event to the last, such as the closing of a batch days later.",
}

SPREAD = (
    Column("mean", "Mean, s", "seconds", "Weighted as in the results."),
    Column("median", "Median, s", "seconds", "Weighted likewise."),
    Column("lowest", "Lowest, s", "seconds"),
    Column("highest", "Highest, s", "seconds"),
)


def by_time(sides: Sequence[Side], options: Options) -> Table:
    """Accuracy by time bucket."""
    rows = []
    for side in sides:
        scores = bucket_scores(side.rows, "active_s", options.idle_cap_s)
        for found in accuracy_by_time(side.rows, "active_s", options.idle_cap_s):
            accuracy = share_cell(found, scores[found.name], options)
            if found.value is None and not side.decided:
                accuracy = Cell(reason=undecided(side.rows))
            rows.append(
                {
                    "side": side.name,
                    "bucket": found.name,
                    "attempts": found.counts["whole"],
                    "accuracy": accuracy,
                    "untimed": found.counts["left_out_untimed"],
                }
            )
    return Table.from_rows(
        key="accuracy-by-time",
        title="Accuracy by time",
        question="Are slow answers less accurate?",
        columns=(
            SIDE,
            Column("bucket", "Active time", "text"),
            ATTEMPTS,
            Column("accuracy", "Accuracy", "share", "Weighted share of correct answers."),
            UNTIMED,
        ),
        rows=rows,
        notes=[
            f"Active time with an idle cap of {options.idle_cap_s} s. Buckets include their lower "
            f"bound: {', '.join(BUCKETS)}. Attempts are weighted as for accuracy."
        ],
    )


def times(sides: Sequence[Side], options: Options) -> Table:
    """Mean and median times an attempt."""
    kinds: list[tuple[str, EffortKind, int]] = [
        *((f"Active, idle cap {cap} s", "active_s", cap) for cap in IDLE_CAPS_S),
        ("Until submission", "submit_s", IDLE_CAPS_S[0]),
        ("Wall", "wall_s", IDLE_CAPS_S[0]),
    ]
    rows = []
    for side in sides:
        for label, kind, cap in kinds:
            found = time_spread(side.rows, kind, cap)
            rows.append(
                {
                    "side": side.name,
                    "time": label,
                    "attempts": found.counts["n"],
                    "mean": value_cell(found.value, found.reason),
                    "median": value_cell(found.median, found.reason),
                    "lowest": value_cell(found.lowest, found.reason),
                    "highest": value_cell(found.highest, found.reason),
                    "untimed": found.counts["left_out_untimed"],
                }
            )
    return Table.from_rows(
        key="times",
        title="Times",
        question="How long does an attempt take?",
        columns=(SIDE, Column("time", "Time", "text"), ATTEMPTS, *SPREAD, UNTIMED),
        rows=rows,
        notes=[
            "Active: time between events, each gap capped at the idle cap, without pauses and "
            "hidden tabs. " + WALL[options.submission]
        ],
    )
