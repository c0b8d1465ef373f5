"""Accuracy within a budget of searches or of time."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from pagetrail.annotation.messages import lazy_gettext
from pagetrail.annotation.metrics.budget import (
    FIRST_TIME_BUDGET_S,
    WithinBudget,
    accuracy_by_budget,
)
from pagetrail.exports.reports.charts.curves import budget_chart
from pagetrail.exports.reports.metrics.cells import (
    ATTEMPTS,
    PARTICIPANT,
    UNDECIDED_ANSWERS,
    UNTIMED,
    Options,
    result_cell,
)
from pagetrail.exports.reports.metrics.participants import Participant, participant_names
from pagetrail.exports.reports.model import Cell, Chart, Column, Table

_STEPS = (*range(11), 12, 15, 20, 25, 30, 40, 50, 75, 100, 150, 200, 300, 500, 1000)

BEYOND_BUDGET = lazy_gettext(
    "Attempts that exceed the budget count as incorrect; with an unlimited budget the share "
    "equals accuracy."
)


def search_budgets(participants: Sequence[Participant]) -> list[Table | Chart]:
    """Accuracy within a budget of searches; empty if no decided attempt searched."""
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
    table = _budget_table(
        by_participant,
        key="accuracy-by-searches",
        title=lazy_gettext("Accuracy within a search budget"),
        question=lazy_gettext("How accurate would answers be with a limited number of searches?"),
        budget=Column("budget", "Searches", "count", "The budget."),
    )
    series = {
        name: [(point.budget, point.value) for point in points if point.value is not None]
        for name, points in by_participant.items()
        if not any(point.undecided for point in points)
    }
    if not series:
        return [table]
    return [table, budget_chart(series, unit="searches", everyone=participant_names(participants))]


def time_budgets(participants: Sequence[Participant], options: Options) -> list[Table | Chart]:
    """Accuracy within a budget of active time; empty if no decided attempt has times."""
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
    table = _budget_table(
        by_participant,
        key="accuracy-by-minutes",
        title=lazy_gettext("Accuracy within a time budget"),
        question=lazy_gettext("How accurate would answers be with limited active time?"),
        budget=Column("budget", "Minutes", "count", "Budget of active time."),
        in_unit=lambda seconds: seconds / 60,
        more=(UNTIMED,),
        note=lazy_gettext(
            "Active time with an idle cap of {idle_cap_s} s.", idle_cap_s=options.idle_cap_s
        ),
    )
    series = {
        name: [(point.budget / 60, point.value) for point in points if point.value is not None]
        for name, points in by_participant.items()
        if efforts[name] and not any(point.undecided for point in points)
    }
    if not series:
        return [table]
    return [
        table,
        budget_chart(
            series,
            unit=lazy_gettext("minutes of active time"),
            everyone=participant_names(participants),
        ),
    ]


def _budget_table(
    by_participant: Mapping[str, Sequence[WithinBudget]],
    *,
    key: str,
    title: str,
    question: str,
    budget: Column,
    in_unit: Callable[[float], float] = int,
    more: Sequence[Column] = (),
    note: str | None = None,
) -> Table:
    """Accuracy within each budget; undefined for a participant with undecided answers.

    Args:
        in_unit: a budget in the unit of the column ``budget``.
    """
    within = Column("within", "Ended within", "count", "Attempts within the budget.")
    help_ = lazy_gettext("Weighted share of attempts that are correct within the budget.")
    return Table.from_rows(
        key=key,
        title=title,
        question=question,
        columns=(
            PARTICIPANT,
            budget,
            ATTEMPTS,
            within,
            Column("accuracy", "Accuracy", "share", help_),
            *more,
        ),
        rows=[
            {
                "side": name,
                "budget": in_unit(point.budget),
                "attempts": point.counts["whole"],
                "within": point.counts["within"],
                "accuracy": Cell(reason=UNDECIDED_ANSWERS) if is_open else result_cell(point),
                "untimed": point.counts.get("left_out_untimed"),
            }
            for name, points in by_participant.items()
            for is_open in [any(point.undecided for point in points)]
            for point in points
        ],
        notes=[BEYOND_BUDGET, *([note] if note else [])],
    )


def budget_steps(largest: int) -> list[float]:
    """Budgets up to the first that covers everything: each number to 10, then rounder ones."""
    budgets = [float(step) for step in _STEPS if step <= largest]
    if budgets[-1] < largest:
        budgets.append(float(next((step for step in _STEPS if step > largest), largest)))
    return budgets
