"""What a budget of searches, or of time, would buy."""

from __future__ import annotations

from collections.abc import Sequence

from pagetrail.annotation.metrics.budget import FIRST_TIME_BUDGET_S, accuracy_by_budget
from pagetrail.exports.reports.charts.curves import budget_chart
from pagetrail.exports.reports.metrics.cells import ATTEMPTS, PARTICIPANT, Options, result_cell
from pagetrail.exports.reports.metrics.participants import Participant, participant_names
from pagetrail.exports.reports.model import Chart, Column, Table

_STEPS = (*range(11), 12, 15, 20, 25, 30, 40, 50, 75, 100, 150, 200, 300, 500, 1000)

BEYOND_BUDGET = (
    "Attempts that exceed the budget count as incorrect; with an unlimited budget the share "
    "equals accuracy."
)


def search_budgets(participants: Sequence[Participant]) -> list[Table | Chart]:
    """Accuracy under a budget of searches; nothing where no decided attempt searched."""
    largest = max(
        (len(row.searches) for participant in participants for row in participant.decided),
        default=0,
    )
    if largest == 0:
        return []
    by_participant = {
        participant.name: accuracy_by_budget(participant.rows, "searches", budget_steps(largest))
        for participant in participants
        if participant.decided
    }
    rows = [
        {
            "side": name,
            "budget": int(point.budget),
            "attempts": point.counts["whole"],
            "within": point.counts["within"],
            "accuracy": result_cell(point),
        }
        for name, points in by_participant.items()
        for point in points
    ]
    table = Table.from_rows(
        key="accuracy-by-searches",
        title="Accuracy within a search budget",
        question="How accurate would answers be with a limited number of searches?",
        columns=(
            PARTICIPANT,
            Column("budget", "Searches", "count", "The budget."),
            ATTEMPTS,
            Column("within", "Ended within", "count", "Attempts within the budget."),
            Column(
                "accuracy",
                "Accuracy",
                "share",
                "Weighted share of attempts that are correct within the budget.",
            ),
        ),
        rows=rows,
        notes=[BEYOND_BUDGET],
    )
    series = {
        name: [(point.budget, point.value) for point in points if point.value is not None]
        for name, points in by_participant.items()
    }
    return [table, budget_chart(series, unit="searches", everyone=participant_names(participants))]


def time_budgets(participants: Sequence[Participant], options: Options) -> list[Table | Chart]:
    """Accuracy under a budget of active time; nothing where no decided attempt has times."""
    efforts = {
        participant.name: [
            seconds
            for row in participant.decided
            if (seconds := row.effort("active_s", options.idle_cap_s)) is not None
        ]
        for participant in participants
    }
    largest = max((seconds for values in efforts.values() for seconds in values), default=None)
    if largest is None:
        return []
    budgets = [float(FIRST_TIME_BUDGET_S)]
    while budgets[-1] < largest:
        budgets.append(2 * budgets[-1])
    by_participant = {
        participant.name: accuracy_by_budget(
            participant.rows, "active_s", budgets, options.idle_cap_s
        )
        for participant in participants
        if participant.decided
    }
    rows = [
        {
            "side": name,
            "budget": point.budget / 60,
            "attempts": point.counts["whole"],
            "within": point.counts["within"],
            "accuracy": result_cell(point),
            "untimed": point.counts["left_out_untimed"],
        }
        for name, points in by_participant.items()
        for point in points
    ]
    table = Table.from_rows(
        key="accuracy-by-minutes",
        title="Accuracy within a time budget",
        question="How accurate would answers be with limited active time?",
        columns=(
            PARTICIPANT,
            Column("budget", "Minutes", "count", "Budget of active time."),
            ATTEMPTS,
            Column("within", "Ended within", "count", "Attempts within the budget."),
            Column(
                "accuracy",
                "Accuracy",
                "share",
                "Weighted share of attempts that are correct within the budget.",
            ),
            Column("untimed", "Without times", "count", "Attempts of imported runs without times."),
        ),
        rows=rows,
        notes=[BEYOND_BUDGET, f"Active time with an idle cap of {options.idle_cap_s} s."],
    )
    series = {
        name: [(point.budget / 60, point.value) for point in points if point.value is not None]
        for name, points in by_participant.items()
        if efforts[name]
    }
    return [
        table,
        budget_chart(
            series, unit="minutes of active time", everyone=participant_names(participants)
        ),
    ]


def budget_steps(largest: int) -> list[float]:
    """Budgets up to the first that holds everything: each number to 10, then rounder ones."""
    budgets = [float(step) for step in _STEPS if step <= largest]
    if budgets[-1] < largest:
        budgets.append(float(next((step for step in _STEPS if step > largest), largest)))
    return budgets
