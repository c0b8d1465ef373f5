"""Times per participant under every idle cap, and accuracy by how long an answer took."""

from __future__ import annotations

from collections.abc import Sequence

from pagetrail.annotation.attempts.submission import SubmissionVersion
from pagetrail.annotation.metrics.attempt_rows import EffortKind
from pagetrail.annotation.metrics.budget import (
    BUCKETS,
    accuracy_by_time,
    bucket_scores,
    time_spread,
)
from pagetrail.annotation.timing.durations import IDLE_CAPS_S
from pagetrail.exports.reports.cells import value_cell
from pagetrail.exports.reports.metrics.cells import (
    ATTEMPTS,
    PARTICIPANT,
    UNTIMED,
    Options,
    share_cell,
    undecided_reason,
)
from pagetrail.exports.reports.metrics.participants import Participant
from pagetrail.exports.reports.model import Cell, Column, Table

WALL: dict[SubmissionVersion, str] = {
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


def by_time(participants: Sequence[Participant], options: Options) -> Table:
    """Accuracy by time bucket."""
    rows = []
    for participant in participants:
        scores = bucket_scores(participant.rows, "active_s", options.idle_cap_s)
        for bucket in accuracy_by_time(participant.rows, "active_s", options.idle_cap_s):
            accuracy = share_cell(bucket, scores[bucket.name], options)
            if bucket.value is None and not participant.decided:
                accuracy = Cell(reason=undecided_reason(participant.rows))
            rows.append(
                {
                    "side": participant.name,
                    "bucket": bucket.name,
                    "attempts": bucket.counts["whole"],
                    "accuracy": accuracy,
                    "untimed": bucket.counts["left_out_untimed"],
                }
            )
    return Table.from_rows(
        key="accuracy-by-time",
        title="Accuracy by time",
        question="Are slow answers less accurate?",
        columns=(
            PARTICIPANT,
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


def times(participants: Sequence[Participant], options: Options) -> Table:
    """Mean and median times an attempt."""
    kinds: list[tuple[str, EffortKind, int]] = [
        *((f"Active, idle cap {cap} s", "active_s", cap) for cap in IDLE_CAPS_S),
        ("Until submission", "submit_s", IDLE_CAPS_S[0]),
        ("Wall", "wall_s", IDLE_CAPS_S[0]),
    ]
    rows = []
    for participant in participants:
        for label, kind, cap in kinds:
            times_of_kind = time_spread(participant.rows, kind, cap)
            rows.append(
                {
                    "side": participant.name,
                    "time": label,
                    "attempts": times_of_kind.counts["n"],
                    "mean": value_cell(times_of_kind.value, times_of_kind.reason),
                    "median": value_cell(times_of_kind.median, times_of_kind.reason),
                    "lowest": value_cell(times_of_kind.lowest, times_of_kind.reason),
                    "highest": value_cell(times_of_kind.highest, times_of_kind.reason),
                    "untimed": times_of_kind.counts["left_out_untimed"],
                }
            )
    return Table.from_rows(
        key="times",
        title="Times",
        question="How long does an attempt take?",
        columns=(PARTICIPANT, Column("time", "Time", "text"), ATTEMPTS, *SPREAD, UNTIMED),
        rows=rows,
        notes=[
            "Active: time between events, each gap capped at the idle cap, without pauses and "
            "hidden tabs. " + WALL[options.submission]
        ],
    )
