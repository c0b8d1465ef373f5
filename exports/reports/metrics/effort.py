"""Effort: does more effort pay off, what would a budget allow, and how long do attempts take?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain

from pagetrail.annotation.attempts.submission import SubmissionVersion
from pagetrail.annotation.messages import join_messages, lazy_gettext
from pagetrail.annotation.metrics.attempt_rows import EffortKind
from pagetrail.annotation.metrics.attempt_rows import Row as Attempt
from pagetrail.annotation.metrics.budget import (
    BUCKETS,
    TIME_KINDS,
    TOKEN_KINDS,
    accuracy_by_time,
    time_spread,
)
from pagetrail.annotation.metrics.effort import Kuiper, kuiper, wasted_effort
from pagetrail.annotation.metrics.result import Result
from pagetrail.annotation.statistics.attempt_weights import Unit
from pagetrail.annotation.timing.durations import IDLE_CAPS_S
from pagetrail.exports.reports.cells import corrected_notes, value_cell
from pagetrail.exports.reports.charts.curves import kuiper_chart
from pagetrail.exports.reports.metrics.budget import search_budgets, time_budgets
from pagetrail.exports.reports.metrics.cells import (
    ATTEMPTS,
    PARTICIPANT,
    UNDECIDED_ANSWERS,
    UNTIMED,
    Options,
    open_answers,
    share_cell,
    undecided_reason,
)
from pagetrail.exports.reports.metrics.participants import Participant, participant_names
from pagetrail.exports.reports.model import Cell, Chart, Column, RowValues, Section, Table

KINDS: dict[EffortKind, str] = {
    "searches": lazy_gettext("Searches"),
    "tool_steps": lazy_gettext("Tool steps"),
    "iterations": lazy_gettext("Iterations"),
    "total_tokens": lazy_gettext("Tokens"),
    "output_tokens": lazy_gettext("Tokens generated"),
    "active_s": lazy_gettext("Active time, s"),
    "submit_s": lazy_gettext("Time to submission, s"),
    "wall_s": lazy_gettext("Wall time, s"),
}
MADQA: EffortKind = "steps"
"""The effort that MADQA's evaluator uses, and with it the results table and the curve."""

COLUMNS = (
    PARTICIPANT,
    Column("effort", "Effort", "text"),
    Column("attempts", "n", "count", "Decided attempts with an effort above 0."),
    Column("mean_correct", "Mean, correct", "number", "Mean effort of correct answers."),
    Column("mean_incorrect", "Mean, incorrect", "number", "Mean effort of incorrect answers."),
    Column(
        "wasted_effort",
        "Wasted effort",
        "number",
        "Mean effort of incorrect answers divided by that of correct ones.",
    ),
    Column("kuiper", "K", "number", "Kuiper's statistic of success over this effort."),
    Column("kuiper_normalised", "K/√(Nȳ(1−ȳ))", "number", "K normalised for the number of tasks."),
    Column("not_positive", "Effort 0", "count", "Attempts left out: effort is 0."),
    Column("missing", "No effort", "count", "Attempts left out: effort is unknown."),
    Column("undecided", "Undecided", "count", "Attempts left out: undecided."),
)


def effort(participants: Sequence[Participant], options: Options) -> Section:
    """The effort section; only times if nothing is decided."""
    parts: list[Table | Chart] = []
    judged = [participant for participant in participants if not open_answers(participant.rows)]
    notes = []
    if len(judged) < len(participants):
        notes.append(
            lazy_gettext(
                "In no curve, since their answers are not all decided: {names}.",
                names=", ".join(
                    participant.name for participant in participants if participant not in judged
                ),
            )
        )
    curves = {
        participant.name: [(point.effort, point.deviation) for point in curve.curve]
        for participant in judged
        if (curve := _kuiper(participant.rows, MADQA, options)).value is not None
    }
    if curves:
        parts.append(
            kuiper_chart(curves, effort="searches", everyone=participant_names(participants))
        )
    if any(participant.decided for participant in participants):
        kinds = kinds_known(participant.rows for participant in participants)
        parts.append(effort_table(participants, kinds, options))
        parts += search_budgets(participants)
        parts += time_budgets(participants, options)
        parts.append(by_time(participants, options))
    return Section("Effort", [*parts, times(participants, options)], notes)


def effort_table(
    participants: Sequence[Participant], kinds: Mapping[EffortKind, str], options: Options
) -> Table:
    """Effort of correct and incorrect answers, and Kuiper's statistic, by participant and kind."""
    return Table.from_rows(
        key="effort",
        title="Effort of correct and incorrect answers",
        question="Do failures cost more than successes, and does success depend on effort?",
        columns=COLUMNS,
        rows=[
            _effort_cells(participant, kind, label, options)
            for participant in participants
            for kind, label in kinds.items()
        ],
        notes=[
            "Weighted as in the results. Kuiper's statistic (Kuiper 1960) over effort, as in "
            "MADQA (arXiv 2603.12180), with attempts of equal effort grouped.",
            "Tokens: input and output tokens as stated by imported runs; people have none.",
            (
                "Tool steps: searches (including refused ones), pages viewed, and calls of other "
                "tools."
            ),
        ],
    )


def kinds_known(participants: Iterable[Sequence[Attempt]]) -> dict[EffortKind, str]:
    """The kinds of effort, with tokens if any attempt states how many it used."""
    rows = list(chain.from_iterable(participants))
    return {
        kind: label
        for kind, label in KINDS.items()
        if kind not in TOKEN_KINDS or any(row.effort(kind) is not None for row in rows)
    }


def _effort_cells(
    participant: Participant, kind: EffortKind, label: str, options: Options
) -> RowValues:
    curve = _kuiper(participant.rows, kind, options)
    waste = wasted_effort(
        efforts(participant.rows, kind, options),
        _correct(participant.rows),
        _units(participant.rows),
        effort=kind,
    )
    no_curve, no_waste = (
        undefined_reason(curve, participant, kind),
        undefined_reason(waste, participant, kind),
    )
    right = "none_correct" if waste.counts["n"] else no_waste
    wrong = "none_incorrect" if waste.counts["n"] else no_waste
    measures = {
        "mean_correct": (waste.mean_correct, right),
        "mean_incorrect": (waste.mean_incorrect, wrong),
        "wasted_effort": (waste.value, no_waste),
        "kuiper": (curve.value, no_curve),
        "kuiper_normalised": (curve.normalised, no_curve),
    }
    is_open = bool(open_answers(participant.rows))
    return {
        "side": participant.name,
        "effort": label,
        "attempts": curve.counts["n"],
        **{
            name: Cell(reason=UNDECIDED_ANSWERS) if is_open else value_cell(value, reason)
            for name, (value, reason) in measures.items()
        },
        "not_positive": curve.counts["left_out_effort_not_positive"],
        "missing": curve.counts["left_out_effort_missing"],
        "undecided": curve.counts["left_out_undecided"],
    }


def undefined_reason(measure: Result, participant: Participant, kind: EffortKind) -> str | None:
    """Why a value is undefined; if no attempt takes part, why not."""
    if measure.reason == "no_variation":
        return "none_incorrect" if measure.counts["correct"] else "none_correct"
    if measure.reason != "no_rows":
        return measure.reason
    if not participant.decided:
        return undecided_reason(participant.rows)
    if kind in ("iterations", MADQA) and not _iterates(participant.rows):
        return "no_searches"
    if kind in TOKEN_KINDS and all(row.effort(kind) is None for row in participant.decided):
        return "no_tokens"
    return (
        "no_times"
        if kind in TIME_KINDS and _untimed(participant.decided)
        else "effort_not_positive"
    )


def _untimed(rows: Sequence[Attempt]) -> bool:
    return not any(row.times_known for row in rows)


def _iterates(rows: Sequence[Attempt]) -> bool:
    """Whether effort was counted: if nobody searched, the 1 of each attempt means nothing."""
    return any(row.searches or row.iterations is not None for row in rows)


def _kuiper(rows: Sequence[Attempt], kind: EffortKind, options: Options) -> Kuiper:
    return kuiper(efforts(rows, kind, options), _correct(rows), _units(rows), effort=kind)


def efforts(rows: Sequence[Attempt], kind: EffortKind, options: Options) -> list[float | None]:
    """The effort of each row; None if unknown or meaningless."""
    if kind in ("iterations", MADQA) and not _iterates(rows):
        return [None] * len(rows)
    return [row.effort(kind, options.idle_cap_s) for row in rows]


def _correct(rows: Sequence[Attempt]) -> list[bool | None]:
    return [row.correct for row in rows]


def _units(rows: Sequence[Attempt]) -> list[Unit]:
    return [row.unit for row in rows]


WALL: dict[SubmissionVersion, str] = {
    "first": lazy_gettext(
        "Until submission, and wall: from the first event to the first submission, without "
        "the time that a skipped task waited to be reopened."
    ),
    "final": lazy_gettext(
        "Until submission: from the first event to the last submission. Wall: from the first "
        "event to the last, such as the closing of a batch days later."
    ),
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
        for bucket in accuracy_by_time(participant.rows, "active_s", options.idle_cap_s):
            accuracy = share_cell(bucket, bucket.scores, options)
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
            lazy_gettext(
                "Active time with an idle cap of {idle_cap_s} s. Buckets include their lower "
                "bound: {buckets}. Attempts are weighted as for accuracy.",
                idle_cap_s=options.idle_cap_s,
                buckets=", ".join(BUCKETS),
            )
        ],
    )


def times(participants: Sequence[Participant], options: Options) -> Table:
    """Mean and median times per attempt."""
    kinds: list[tuple[str, EffortKind, int]] = [
        *(
            (lazy_gettext("Active, idle cap {cap} s", cap=cap), "active_s", cap)
            for cap in IDLE_CAPS_S
        ),
        (lazy_gettext("Until submission"), "submit_s", IDLE_CAPS_S[0]),
        (lazy_gettext("Wall"), "wall_s", IDLE_CAPS_S[0]),
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
            join_messages(
                [
                    lazy_gettext(
                        "Active: time between events, each gap capped at the idle cap, without "
                        "pauses and hidden tabs."
                    ),
                    WALL[options.submission],
                ]
            ),
            *corrected_notes(
                sum(row.time_corrected for participant in participants for row in participant.rows)
            ),
        ],
    )
