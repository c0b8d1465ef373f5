"""Time horizon: at which time of people does a system still succeed, and what do both achieve?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pagetrail.annotation.messages import join_messages, lazy_gettext
from pagetrail.annotation.metrics.complementarity import (
    CostKind,
    Estimate,
    JointAccuracy,
    joint_tasks,
)
from pagetrail.annotation.metrics.time_horizon import (
    Horizon,
    HorizonFit,
    SharedTasks,
    shared_tasks,
    time_bins,
    undefined_fit,
)
from pagetrail.exports.reports.cells import mean_cell, value_cell
from pagetrail.exports.reports.charts.horizon import PlottedRate, horizon_chart
from pagetrail.exports.reports.charts.style import SCREEN, Layout
from pagetrail.exports.reports.metrics.cells import UNDECIDED_ANSWERS, Options, task_mean_cell
from pagetrail.exports.reports.metrics.participants import Participant, participant_names
from pagetrail.exports.reports.model import Cell, Chart, Column, RowValues, Section, Table

SYSTEM = Column("side", "System", "text")
PEOPLE = Column("people", "People", "text", "Whose time counts.")

_SOLVED = lazy_gettext("solved by people")
_ALL = lazy_gettext("with unsolved tasks")

HORIZON_COLUMNS = (
    SYSTEM,
    PEOPLE,
    Column("fit", "Tasks in the fit", "text", "Tasks that people solved, or unsolved ones too."),
    Column("tasks", "Tasks", "count", "Shared tasks in the fit."),
    Column(
        "unsolved",
        "Unsolved",
        "count",
        "Shared tasks that nobody solved: left out of the first fit, with a modelled time in the "
        "second.",
    ),
    Column(
        "horizon_50",
        "50 %, min",
        "number",
        "Time of tasks in which the system succeeds with probability 50 % (Kwa et al. 2025, arXiv "
        "2503.14499).",
    ),
    Column("horizon_80", "80 %, min", "number", "Likewise with probability 80 %."),
    Column(
        "slope", "Slope", "number", "Change of the log odds of success when people's time doubles."
    ),
    Column("shortest", "Shortest, min", "number", "Shortest time of a task in the fit."),
    Column("longest", "Longest, min", "number", "Longest time of a task in the fit."),
    Column(
        "undefined",
        "Undefined samples",
        "count",
        "Bootstrap samples without a time at 50 %; left out of the intervals.",
    ),
    Column(
        "untimed",
        "Without times",
        "count",
        "Shared tasks left out: people's time is unknown.",
    ),
    Column(
        "undecided", "Undecided", "count", "Shared tasks left out: undecided for one of the two."
    ),
)


@dataclass(frozen=True)
class FittedPair:
    """A system and the people whose time counts.

    Attributes:
        name: of the system; with the people's where there are several lines of people.
        fit: on the tasks that people solved.
        fit_of_all: on all, with modelled times of those that nobody solved.
        is_open: whether nothing decided some of their answers at tasks that both attempted.
    """

    name: str
    system: Participant
    people: Participant
    shared: SharedTasks
    fit: HorizonFit
    fit_of_all: HorizonFit
    is_open: bool = False

    @property
    def sentence(self) -> str:
        """The fit in words."""
        return _sentence(self.name, self.fit)


def horizon(participants: Sequence[Participant], options: Options) -> Section | str:
    """The section on time horizons, or why there is none."""
    pairs = fitted_pairs(participants, options)
    if isinstance(pairs, str):
        return pairs
    bins = bins_table(pairs, options)
    parts: list[Table | Chart] = [horizon_table(pairs)]
    if bins.rows:
        chart = chart_of(
            bins, curve_table(pairs), [pair.sentence for pair in pairs], participants, SCREEN
        )
        parts += [chart, bins]
    return Section("Time horizon", [*parts, joint_table(pairs, options)])


def fitted_pairs(participants: Sequence[Participant], options: Options) -> list[FittedPair] | str:
    """Each system with each line of people that it shares tasks with, or why there is none."""
    people_lines = [p for p in participants if p.kind == "humans" and p.rows]
    systems = [p for p in participants if p.kind == "system" and p.rows]
    if not people_lines or not systems:
        return lazy_gettext(
            "Time horizon is left out: it needs people and a system with submitted attempts."
        )
    pairs = []
    for system in systems:
        for people in people_lines:
            shared = shared_tasks(people.rows, system.rows, options.idle_cap_s)
            if not shared.tasks:
                continue
            name = system.name if len(people_lines) == 1 else f"{system.name} / {people.name}"
            if _has_open_answers(people, system):
                fit = undefined_fit(len(shared.tasks), 0, UNDECIDED_ANSWERS)
                pairs.append(FittedPair(name, system, people, shared, fit, fit, is_open=True))
                continue
            fit = options.resampling.horizon(shared.tasks, with_unsolved=False)
            is_complete = all(task.solved for task in shared.tasks)
            fit_of_all = (
                fit if is_complete else options.resampling.horizon(shared.tasks, with_unsolved=True)
            )
            pairs.append(FittedPair(name, system, people, shared, fit, fit_of_all))
    return pairs or lazy_gettext(
        "Time horizon is left out: no system shares a task with people that is decided for both "
        "and whose time is known."
    )


def _has_open_answers(people: Participant, system: Participant) -> bool:
    both = {row.task for row in people.rows} & {row.task for row in system.rows}
    return any(row.is_undecided for row in (*people.rows, *system.rows) if row.task in both)


def horizon_table(pairs: Sequence[FittedPair]) -> Table:
    """The horizons of each system, by both fits."""
    return Table.from_rows(
        key="time-horizon",
        title="Time horizon",
        question="How long are the tasks in which a system still succeeds?",
        columns=HORIZON_COLUMNS,
        rows=[
            _horizon_row(pair, label, fit)
            for pair in pairs
            for label, fit in ((_SOLVED, pair.fit), (_ALL, pair.fit_of_all))
        ],
        notes=[
            *(pair.sentence for pair in pairs),
            lazy_gettext(
                "Logistic regression (maximum likelihood, no penalty) of success on log2 of "
                "people's time per task, on shared answerable tasks. A task's time is the "
                "geometric mean of the active time of people's correct attempts. Intervals "
                "resample tasks."
            ),
            lazy_gettext(
                "The second fit includes the tasks that nobody solved. People need longer for "
                "them than they tried; a log-normal model of people's times with these tasks "
                "censored gives their expected time."
            ),
        ],
    )


def _horizon_row(pair: FittedPair, label: str, fit: HorizonFit) -> RowValues:
    half, most = (_horizon_cell(horizon) for horizon in fit.horizons)
    return {
        "side": pair.system.name,
        "people": pair.people.name,
        "fit": label,
        "tasks": fit.n_tasks,
        "unsolved": Cell(reason=UNDECIDED_ANSWERS)
        if pair.is_open
        else sum(not task.solved for task in pair.shared.tasks),
        "horizon_50": half,
        "horizon_80": most,
        "slope": value_cell(fit.slope, fit.reason),
        "shortest": value_cell(fit.shortest, fit.reason),
        "longest": value_cell(fit.longest, fit.reason),
        "undefined": value_cell(
            fit.undefined_replicates if fit.slope is not None else None, fit.reason
        ),
        "untimed": pair.shared.left_out.get("no_times", 0),
        "undecided": pair.shared.left_out.get("undecided", 0),
    }


def _horizon_cell(horizon: Horizon) -> Cell:
    if horizon.minutes is None:
        return Cell(reason=horizon.reason)
    return Cell(horizon.minutes, low=horizon.low, high=horizon.high, flag=horizon.flag)


def _sentence(name: str, fit: HorizonFit) -> str:
    half, most = fit.horizons
    if fit.reason == UNDECIDED_ANSWERS:
        return lazy_gettext(
            "{name} has no time horizon until the undecided answers are judged.", name=name
        )
    if half.minutes is None or most.minutes is None:
        return lazy_gettext("{name} has no time horizon on these tasks.", name=name)
    sentence = lazy_gettext(
        "{name} succeeds in half of the tasks that take people {half}, and in 80 % of those that "
        "take {most}.",
        name=name,
        half=_time_words(half),
        most=_time_words(most),
    )
    if not (half.extrapolated or most.extrapolated):
        return sentence
    outside = lazy_gettext(
        "Times outside the observed {shortest:.1f} to {longest:.1f} minutes are extrapolated.",
        shortest=fit.shortest,
        longest=fit.longest,
    )
    return join_messages([sentence, outside])


def _time_words(horizon: Horizon) -> str:
    """A time with its interval: "4.1 minutes (2.9–5.6)"."""
    assert horizon.minutes is not None
    seconds = 60 * horizon.minutes
    unit, digits = (1.0, 0) if seconds < 60 else (60.0, 1) if seconds < 5400 else (3600.0, 1)
    interval = ""
    if horizon.low is not None and horizon.high is not None:
        low, high = (f"{60 * end / unit:,.{digits}f}" for end in (horizon.low, horizon.high))
        interval = f" ({low}–{high})"
    number = f"{seconds / unit:,.{digits}f}"
    if unit == 1:
        return lazy_gettext("{number} seconds{interval}", number=number, interval=interval)
    if unit == 60:
        return lazy_gettext("{number} minutes{interval}", number=number, interval=interval)
    return lazy_gettext("{number} hours{interval}", number=number, interval=interval)


def bins_table(pairs: Sequence[FittedPair], options: Options) -> Table:
    """The observed success rate in bins of doubling time."""
    return Table.from_rows(
        key="time-horizon-bins",
        title="Success by people's time",
        question="How often does a system succeed in tasks of each length?",
        columns=(
            SYSTEM,
            Column("low", "From, min", "number", "People's time per task, lower end included."),
            Column("high", "To, min", "number"),
            Column("minutes", "Mean, min", "number", "Geometric mean of the tasks' times."),
            Column("tasks", "Tasks", "count", "Shared tasks that people solved."),
            Column("rate", "Accuracy", "share", "The system's accuracy, mean over these tasks."),
        ),
        rows=[
            {
                "side": pair.name,
                "low": time_bin.low,
                "high": time_bin.high,
                "minutes": time_bin.minutes,
                "tasks": len(time_bin.tasks),
                "rate": replace(
                    task_mean_cell(
                        time_bin.success,
                        [(task.task, task.success) for task in time_bin.tasks],
                        options,
                    ),
                    n=None,
                    tasks=None,
                ),
            }
            for pair in pairs
            if not pair.is_open
            for time_bin in time_bins(pair.shared.tasks)
        ],
    )


def curve_table(pairs: Sequence[FittedPair]) -> Table:
    """The fitted success rate over time, on the tasks that people solved."""
    return Table.from_rows(
        key="time-horizon-curve",
        title="Fitted success by people's time",
        question="How does a system's success decline with people's time?",
        columns=(
            SYSTEM,
            Column("minutes", "Time, min", "number", "People's time per task."),
            Column("rate", "Fitted accuracy", "share", "Pointwise interval; tasks resampled."),
        ),
        rows=[
            {
                "side": pair.name,
                "minutes": point.minutes,
                "rate": Cell(point.rate, low=point.low, high=point.high),
            }
            for pair in pairs
            for point in pair.fit.curve
        ],
    )


def chart_of(
    bins: Table,
    curve: Table,
    sentences: Sequence[str],
    participants: Sequence[Participant],
    layout: Layout,
) -> Chart:
    """The chart of both tables."""
    return horizon_chart(
        _rates(curve),
        _rates(bins),
        sentences=sentences,
        everyone=participant_names(participants),
        layout=layout,
    )


def _rates(table: Table) -> dict[str, list[PlottedRate]]:
    rates: dict[str, list[PlottedRate]] = {}
    for row in table.rows:
        minutes, rate = row.cells["minutes"].value, row.cells["rate"]
        assert isinstance(minutes, float) and isinstance(rate.value, float)
        rates.setdefault(str(row.cells["side"].value), []).append(
            PlottedRate(minutes, rate.value, rate.low, rate.high)
        )
    return rates


_MOST_COST: dict[CostKind, str] = {
    "cost_usd": lazy_gettext("most dollars"),
    "total_tokens": lazy_gettext("most tokens"),
    "steps": lazy_gettext("most steps"),
}


_CONFIDENCE = Column(
    "confidence",
    "Confidence up to",
    "score",
    "The system's confidence in the most confident answer that people check.",
)


def joint_table(pairs: Sequence[FittedPair], options: Options) -> Table:
    """What people and each system achieve together."""
    rows: list[RowValues] = []
    accuracies: list[JointAccuracy] = []
    for pair in pairs:
        if pair.is_open:
            rows.append(_open_row(pair))
            continue
        joint = joint_tasks(pair.people.rows, pair.system.rows, options.idle_cap_s, options.prices)
        of_pair = options.resampling.joint(joint)
        accuracies += of_pair
        rows += [_joint_row(pair, len(joint.tasks), joint.kind, accuracy) for accuracy in of_pair]
    has_confidence = any(accuracy.confidence is not None for accuracy in accuracies)
    return Table.from_rows(
        key="people-with-system",
        title="People and system together",
        question="What do people and a system achieve together?",
        columns=(
            SYSTEM,
            PEOPLE,
            Column("policy", "Who answers", "text"),
            Column("checked", "Checked", "share", "Share of tasks that people answer."),
            Column("order", "Checked first", "text", "Which answers of the system people check."),
            *([_CONFIDENCE] if has_confidence else []),
            Column("tasks", "Tasks", "count", "Tasks attempted by both and decided for both."),
            Column("accuracy", "Accuracy", "share", "Mean over these tasks; tasks resampled."),
            Column(
                "seconds",
                "People's time per task, s",
                "seconds",
                "Mean active time of people over all of these tasks.",
            ),
            Column("currency", "Currency", "text", "Of the costs in the row."),
            Column(
                "cost_per_task",
                "Cost per task",
                "money",
                "The system's dollars at the tasks that it answers, checked or not, and people's "
                "pay at those that they answer, over all of these tasks.",
            ),
            Column(
                "cost_per_correct",
                "Cost per correct answer",
                "money",
                "Cost per task divided by accuracy.",
            ),
        ),
        rows=[row if has_confidence else _without_confidence(row) for row in rows],
        notes=[
            lazy_gettext(
                "Either correct: as if it were known who is right, an upper bound. With checks, "
                "the system answers first, and people answer instead where it is unsure: where its "
                "attempt cost most, which stands for being unsure, and where it stated the least "
                "confidence, if it stated one at every attempt. Tasks of equal "
                "cost or confidence are checked in equal shares. The cost by which tasks are "
                "checked is in dollars where they are known of every attempt of the system, else "
                "in tokens, else in steps."
            )
        ],
    )


def _joint_row(pair: FittedPair, n_tasks: int, kind: CostKind, joint: JointAccuracy) -> RowValues:
    words = {
        "people": lazy_gettext("people"),
        "system": lazy_gettext("system"),
        "either": lazy_gettext("either correct"),
        "checks": lazy_gettext("system, people check"),
    }
    return {
        "side": pair.system.name,
        "people": pair.people.name,
        "policy": words[joint.policy],
        "checked": joint.checked,
        "tasks": n_tasks,
        "accuracy": mean_cell(joint.value, joint.interval, None),
        "order": _order_words(joint, kind),
        "confidence": value_cell(joint.confidence, "not_by_confidence"),
        "seconds": value_cell(joint.seconds, "no_times"),
        "currency": joint.currency or "",
        "cost_per_task": _estimate_cell(joint.cost),
        "cost_per_correct": _estimate_cell(joint.cost_per_correct),
    }


def _open_row(pair: FittedPair) -> RowValues:
    """The only row of a pair whose answers are not all decided."""
    undefined = Cell(reason=UNDECIDED_ANSWERS)
    columns = (
        "policy", "checked", "order", "confidence", "tasks", "accuracy", "seconds", "currency",
        "cost_per_task", "cost_per_correct",
    )  # fmt: skip
    names = {"side": pair.system.name, "people": pair.people.name}
    return {**names, **dict.fromkeys(columns, undefined)}


def _without_confidence(row: RowValues) -> RowValues:
    return {key: value for key, value in row.items() if key != "confidence"}


def _order_words(joint: JointAccuracy, kind: CostKind) -> str:
    if joint.order is None:
        return ""
    return lazy_gettext("least confidence") if joint.order == "confidence" else _MOST_COST[kind]


def _estimate_cell(estimate: Estimate) -> Cell:
    if estimate.interval is None:
        return Cell(reason=estimate.reason)
    return mean_cell(estimate.value, estimate.interval, estimate.reason)
