"""Cost: what tasks and correct answers cost people and systems, and which tokens were used."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from pagetrail.annotation.costs.attempt_cost import SEVERAL_CURRENCIES, AttemptCost
from pagetrail.annotation.costs.price_table import DOLLARS
from pagetrail.annotation.events.model_usage import ModelUsage
from pagetrail.annotation.messages import join_messages, lazy_gettext, lazy_ngettext
from pagetrail.annotation.metrics.attempt_rows import Row as Attempt
from pagetrail.annotation.statistics.attempt_weights import AttemptScores, weighted_mean
from pagetrail.exports.reports.cells import mean_cell
from pagetrail.exports.reports.charts.scatter import (
    PlottedInterval,
    scatter_chart,
    spans_magnitudes,
)
from pagetrail.exports.reports.metrics.cells import (
    ACCURACY,
    ATTEMPTS,
    PARTICIPANT,
    TASKS,
    UNDECIDED_ANSWERS,
    AttemptMeasure,
    Options,
    common_reason,
    open_answers,
    undecided_reason,
)
from pagetrail.exports.reports.metrics.interval_notes import interval_words
from pagetrail.exports.reports.metrics.participants import Participant
from pagetrail.exports.reports.model import Cell, Chart, Column, RowValues, Section, Table

PER_TASK = Column(
    "cost_per_task",
    "Cost per task",
    "money",
    "Mean over tasks; attempts of several people at one task are averaged first.",
)
PER_CORRECT = Column(
    "cost_per_correct",
    "Cost per correct answer",
    "money",
    "Cost of the decided attempts divided by the number of correct ones, weighted likewise.",
)
CURRENCY = Column("currency", "Currency", "text", "Of the costs in the row.")
BASES = {
    "stated": lazy_gettext("stated"),
    "prices": lazy_gettext("price table"),
    "pay_rate": lazy_gettext("rate of pay"),
}

_KNOWN = Column("priced", "Cost known", "count", "Attempts whose cost is known.")
TOTAL = Column("total", "Total", "money", "Sum over all attempts whose cost is known.")
_BASIS = Column(
    "basis", "Cost from", "text", "Stated by the run, from the price table, or a rate of pay."
)
_TOKENS = AttemptMeasure(
    Column("tokens", "Tokens per task", "whole", "Input and output tokens, mean over tasks."),
    lambda row: row.effort("total_tokens"),
    lambda row: "no_tokens",
)
TIME = Column(
    "execution_s",
    "Time per task, s",
    "seconds",
    "People: active time. Systems: latency of the model as stated, else time to submission.",
)
_TOKEN_COLUMNS = {
    "input_tokens": Column("input_tokens", "Input", "count", "With cached tokens."),
    "cached_tokens": Column("cached_tokens", "Cached", "count", "Read from the cache."),
    "cache_write_tokens": Column(
        "cache_write_tokens", "Cache written", "count", "Written to the cache."
    ),
    "output_tokens": Column("output_tokens", "Output", "count", "With reasoning tokens."),
    "reasoning_tokens": Column("reasoning_tokens", "Reasoning", "count", "Of the output."),
}


@dataclass(frozen=True)
class ParticipantCosts:
    """Costs of a participant's attempts at answerable tasks.

    Attributes:
        rows: the attempts, with ``costs`` in the same order.
    """

    rows: Sequence[Attempt]
    costs: Sequence[AttemptCost]
    options: Options

    @classmethod
    def of_rows(cls, rows: Sequence[Attempt], options: Options) -> ParticipantCosts:
        """The costs of these attempts."""
        costs = [options.cost(row) for row in rows]
        return cls(rows, costs, options)

    @cached_property
    def amounts(self) -> list[float]:
        """The known amounts."""
        return [cost.amount for cost in self.costs if cost.amount is not None]

    @cached_property
    def currencies(self) -> list[str]:
        """The currencies of the known amounts, sorted."""
        return sorted({cost.currency for cost in self.costs if cost.currency is not None})

    @property
    def currency(self) -> str | None:
        """The currency, if there is only one."""
        return self.currencies[0] if len(self.currencies) == 1 else None

    @property
    def pairs(self) -> list[tuple[Attempt, AttemptCost]]:
        """Each attempt with its cost."""
        return list(zip(self.rows, self.costs, strict=True))

    @property
    def known_tasks(self) -> set[str]:
        """Tasks with an attempt whose cost is known."""
        return {row.task for row, cost in self.pairs if cost.amount is not None}

    def scored_in(self, tasks: Collection[str]) -> AttemptScores:
        """The attempts at these tasks whose cost is known, with the cost as score."""
        return AttemptScores(
            row.scored(cost.amount)
            for row, cost in self.pairs
            if cost.amount is not None and row.task in tasks
        )

    def per_task(self) -> Cell:
        """Mean cost over tasks with its interval."""
        if len(self.currencies) > 1:
            return Cell(reason=SEVERAL_CURRENCIES)
        cost_of = {row.attempt: cost for row, cost in self.pairs}
        measure = AttemptMeasure(
            PER_TASK,
            lambda row: cost_of[row.attempt].amount,
            lambda row: cost_of[row.attempt].reason,
        )
        return measure.cell(self.rows, self.options)

    def per_correct(self) -> Cell:
        """Cost of a correct answer with its interval; undefined if none is, or some are open."""
        if len(self.currencies) > 1:
            return Cell(reason=SEVERAL_CURRENCIES)
        counted = [
            (row, cost.amount)
            for row, cost in self.pairs
            if cost.amount is not None and row.correct is not None
        ]
        if not counted:
            if not self.amounts:
                return Cell(reason=common_reason(c.reason for c in self.costs) or "no_rows")
            return Cell(reason=undecided_reason(self.rows))
        if open_answers(row for row, _ in counted):
            return Cell(reason=UNDECIDED_ANSWERS)
        amounts = AttemptScores(row.scored(amount) for row, amount in counted)
        correct = AttemptScores(row.scored_answer() for row, _ in counted)
        mean_amount, accuracy = weighted_mean(amounts), weighted_mean(correct)
        if not accuracy or mean_amount is None:
            return Cell(reason="none_correct")
        left_out = Counter(
            cost.reason or "undecided"
            for row, cost in self.pairs
            if cost.amount is None or row.correct is None
        )
        cell = mean_cell(
            mean_amount / accuracy,
            self.options.resampling.ratio(amounts, correct),
            None,
            len(counted),
        )
        return replace(cell, excluded=dict(sorted(left_out.items())) or None)

    def total(self) -> Cell:
        """Sum of the known amounts."""
        if len(self.currencies) > 1:
            return Cell(reason=SEVERAL_CURRENCIES)
        if not self.amounts:
            return Cell(reason=common_reason(cost.reason for cost in self.costs) or "no_rows")
        return Cell(math.fsum(self.amounts), n=len(self.amounts))

    def basis(self) -> str:
        """Where the amounts come from."""
        bases = {cost.basis for cost in self.costs}
        return join_messages([label for key, label in BASES.items() if key in bases], ", ")

    def time(self) -> Cell:
        """Mean execution time over tasks with its interval."""
        measure = AttemptMeasure(
            TIME,
            lambda row: row.effort("execution_s", self.options.idle_cap_s),
            lambda row: "no_times",
        )
        return measure.cell(self.rows, self.options)


def cost(participants: Sequence[Participant], options: Options) -> Section | str:
    """The section on cost, or why there is none."""
    costs = {
        participant.name: ParticipantCosts.of_rows(participant.rows, options)
        for participant in participants
    }
    has_usage = any(row.usage_by_model for p in participants for row in p.rows)
    if not has_usage and not any(participant_costs.amounts for participant_costs in costs.values()):
        return lazy_gettext(
            "Cost is left out: no run states dollars or tokens, and the campaign has no rate of "
            "pay."
        )
    parts: list[Table | Chart] = [_cost_table(participants, costs, options)]
    shared = _shared_table(participants, options)
    if shared is not None:
        parts.append(shared)
    chart, notes = _accuracy_by_cost(participants, costs, options)
    if chart is not None:
        parts.append(chart)
    if any(participant.kind == "system" for participant in participants) and has_usage:
        parts.append(_token_table(participants))
    return Section("Cost", parts, notes)


def _cost_table(
    participants: Sequence[Participant], costs: Mapping[str, ParticipantCosts], options: Options
) -> Table:
    return Table.from_rows(
        key="cost",
        title="Cost per task and per correct answer",
        question="What do a task and a correct answer cost people and systems?",
        columns=(
            PARTICIPANT,
            ATTEMPTS,
            TASKS,
            ACCURACY.column,
            CURRENCY,
            PER_TASK,
            PER_CORRECT,
            TOTAL,
            _KNOWN,
            _BASIS,
            _TOKENS.column,
            TIME,
        ),
        rows=[
            {
                "side": participant.name,
                "attempts": len(participant.rows),
                "tasks": len({row.task for row in participant.rows}),
                "accuracy": ACCURACY.cell(participant.rows, options),
                **cost_cells(costs[participant.name]),
                "total": costs[participant.name].total(),
                "priced": len(costs[participant.name].amounts),
                "basis": costs[participant.name].basis(),
                "tokens": None
                if participant.kind != "system"
                else _TOKENS.cell(participant.rows, options),
                "execution_s": costs[participant.name].time(),
            }
            for participant in participants
        ],
        unit_column="attempts",
        notes=cost_notes(costs, options),
    )


def _shared_table(participants: Sequence[Participant], options: Options) -> Table | None:
    """People and each system on the tasks that both attempted; None without any."""
    cells_of_people: dict[tuple[str, frozenset[str]], _SharedCosts] = {}
    rows = [
        _shared_cells(people, system, frozenset(shared), options, cells_of_people)
        for people in participants
        if people.kind in ("humans", "condition")
        for system in participants
        if system.kind == "system" and (shared := _tasks(people) & _tasks(system))
    ]
    if not rows:
        return None
    return Table.from_rows(
        key="cost-shared",
        title="Cost on the same tasks",
        question="What do people and systems cost on the tasks that both attempted?",
        columns=(
            Column("side", "People", "text"),
            Column("system", "System", "text"),
            Column("tasks", "Tasks", "count", "Tasks that both attempted."),
            Column("accuracy", "Accuracy, people", "share"),
            Column("system_accuracy", "Accuracy, system", "share"),
            Column("currency", "Currency", "text", "Of people, then of the system if it differs."),
            Column("cost_per_task", "Per task, people", "money"),
            Column("system_cost_per_task", "Per task, system", "money"),
            Column("cost_per_correct", "Per correct, people", "money"),
            Column("system_cost_per_correct", "Per correct, system", "money"),
            Column(
                "ratio",
                "People / system",
                "number",
                "Cost per task of people divided by that of the system.",
            ),
        ),
        rows=rows,
        notes=[interval_words(options.resampling)],
    )


class _SharedCosts(NamedTuple):
    """A participant on tasks that another one attempted too."""

    costs: ParticipantCosts
    accuracy: Cell
    per_task: Cell
    per_correct: Cell

    @classmethod
    def on_tasks(
        cls, participant: Participant, shared: frozenset[str], options: Options
    ) -> _SharedCosts:
        """The participant's costs on these tasks."""
        rows = [row for row in participant.rows if row.task in shared]
        costs = ParticipantCosts.of_rows(rows, options)
        return cls(costs, ACCURACY.cell(rows, options), costs.per_task(), costs.per_correct())


def _shared_cells(
    people: Participant,
    system: Participant,
    shared: frozenset[str],
    options: Options,
    cells_of_people: dict[tuple[str, frozenset[str]], _SharedCosts],
) -> RowValues:
    """A row of the table.

    Args:
        cells_of_people: those of people on the tasks of earlier rows, to which these are added.
    """
    of_people = cells_of_people.get((people.name, shared))
    if of_people is None:
        of_people = _SharedCosts.on_tasks(people, shared, options)
        cells_of_people[people.name, shared] = of_people
    of_system = _SharedCosts.on_tasks(system, shared, options)
    currencies = dict.fromkeys([*of_people.costs.currencies, *of_system.costs.currencies])
    return {
        "side": people.name,
        "system": system.name,
        "tasks": len(shared),
        "accuracy": of_people.accuracy,
        "system_accuracy": of_system.accuracy,
        "currency": ", ".join(currencies) or None,
        "cost_per_task": of_people.per_task,
        "system_cost_per_task": of_system.per_task,
        "cost_per_correct": of_people.per_correct,
        "system_cost_per_correct": of_system.per_correct,
        "ratio": _ratio_cell(of_people.costs, of_system.costs, options),
    }


def _ratio_cell(people: ParticipantCosts, system: ParticipantCosts, options: Options) -> Cell:
    """The ratio of the costs per task where both are known."""
    known = people.known_tasks & system.known_tasks
    if not known:
        costs = [*people.costs, *system.costs]
        return Cell(reason=common_reason(cost.reason for cost in costs))
    if people.currency is None or people.currency != system.currency:
        return Cell(reason=SEVERAL_CURRENCIES)
    of_people, of_system = people.scored_in(known), system.scored_in(known)
    people_mean, system_mean = weighted_mean(of_people), weighted_mean(of_system)
    if people_mean is None or not system_mean:
        return Cell(reason="no_cost")
    interval = options.resampling.ratio(of_people, of_system)
    return mean_cell(people_mean / system_mean, interval, None, len(of_people) + len(of_system))


def _tasks(participant: Participant) -> set[str]:
    return {row.task for row in participant.rows}


def cost_cells(costs: ParticipantCosts) -> RowValues:
    """Currency, cost per task and cost per correct answer of a participant."""
    return {
        "currency": costs.currency or ", ".join(costs.currencies) or None,
        "cost_per_task": costs.per_task(),
        "cost_per_correct": costs.per_correct(),
    }


def cost_notes(
    costs: Mapping[str, ParticipantCosts], options: Options, *, of_answerable: bool = True
) -> list[str]:
    """Where the costs come from, and which are unknown.

    Args:
        of_answerable: whether the table is about answers to answerable tasks.
    """
    bases = {cost.basis for participant_costs in costs.values() for cost in participant_costs.costs}
    notes = [interval_words(options.resampling)]
    if of_answerable:
        notes.insert(
            0,
            lazy_gettext(
                "Tasks with an answer. Weights as in the results. A cost per correct answer is "
                "undefined if no answer is correct."
            ),
        )
    if "prices" in bases and options.prices is not None:
        notes.append(
            lazy_gettext(
                "Where a run states no dollars, its tokens are priced by {table}.",
                table=str(options.prices),
            )
        )
    if "pay_rate" in bases:
        notes.append(
            lazy_gettext(
                "People: the current rate of pay, per hour of active time with an idle cap of "
                "{idle_cap_s} s, or per submitted task.",
                idle_cap_s=options.idle_cap_s,
            )
        )
        notes += _conversion_notes(costs, options)
    return [*notes, *_unpriced_notes(costs, options)]


def _conversion_notes(costs: Mapping[str, ParticipantCosts], options: Options) -> Iterator[str]:
    rows = [row for participant_costs in costs.values() for row in participant_costs.rows]
    currencies = {row.pay_rate.currency for row in rows if row.pay_rate is not None}
    for currency in sorted(currencies - {DOLLARS}):
        rate = None if options.prices is None else options.prices.rates.get(currency)
        if rate is None:
            yield lazy_gettext(
                "{currency} is not converted: the price table has no rate for it.",
                currency=currency,
            )
        else:
            yield lazy_gettext(
                "Converted at 1 {currency} = {rate} USD ({table}).",
                currency=currency,
                rate=f"{rate:g}",
                table=str(options.prices),
            )


def _unpriced_notes(costs: Mapping[str, ParticipantCosts], options: Options) -> Iterator[str]:
    n_by_model = Counter(
        (name, model)
        for name, participant_costs in costs.items()
        for cost in participant_costs.costs
        for model in cost.unpriced
    )
    for (name, model), n in sorted(n_by_model.items()):
        yield lazy_ngettext(
            "The price table {table} has no model {model!r}: {number:,} attempt of {name} has no "
            "cost. Add the model or an alias.",
            "The price table {table} has no model {model!r}: {number:,} attempts of {name} have no "
            "cost. Add the model or an alias.",
            n,
            table=str(options.prices),
            model=model,
            name=name,
        )
    if any(
        cost.reason == "no_price_table"
        for participant_costs in costs.values()
        for cost in participant_costs.costs
    ):
        yield lazy_gettext(
            "Some runs state tokens and no dollars. Give a price table to price them."
        )


def compared_currency(currencies: Sequence[str]) -> str:
    """The currency in which participants are compared: dollars if any has them, else most often."""
    counts = Counter(currencies)
    return max(sorted(counts), key=lambda name: (name == DOLLARS, counts[name]))


def _accuracy_by_cost(
    participants: Sequence[Participant], costs: Mapping[str, ParticipantCosts], options: Options
) -> tuple[Chart | None, list[str]]:
    """The chart of accuracy against cost per task, and notes on who is not in it."""
    points: dict[str, dict[str, tuple[PlottedInterval, PlottedInterval]]] = {}
    ranges: list[str] = []
    for participant in participants:
        participant_costs = costs[participant.name]
        cost_cell = participant_costs.per_task()
        accuracy_cell = ACCURACY.cell(participant.rows, options)
        if not participant_costs.currency or cost_cell.value is None or accuracy_cell.value is None:
            continue
        if accuracy_cell.undecided:
            ranges.append(participant.name)
            continue
        plotted = _plotted(cost_cell), _plotted(accuracy_cell)
        points.setdefault(participant_costs.currency, {})[participant.name] = plotted
    notes = []
    if ranges:
        notes.append(
            lazy_gettext(
                "Not in the chart of accuracy against cost, since their answers are not all "
                "decided: {names}.",
                names=", ".join(ranges),
            )
        )
    if not points:
        return None, notes
    currency = compared_currency([name for name in points for _ in points[name]])
    chart = scatter_chart(
        points[currency],
        key="accuracy-by-cost",
        title=lazy_gettext("Accuracy against cost"),
        x_title=lazy_gettext("Cost per task, {currency}", currency=currency),
        y_title=lazy_gettext("Accuracy"),
        x_is_share=False,
        x_is_log=spans_magnitudes(points[currency]),
        caption=lazy_gettext(
            "Accuracy against cost per task, {currency}, with 95 % intervals.", currency=currency
        ),
    )
    others = [
        f"{name} ({other})"
        for other in sorted(points)
        if other != currency
        for name in points[other]
    ]
    if others:
        notes.append(
            lazy_gettext(
                "Not in the chart of accuracy against cost, which is in {currency}: {names}. A "
                "price table with a rate for the currency converts them.",
                currency=currency,
                names=", ".join(others),
            )
        )
    return chart, notes


def _plotted(cell: Cell) -> PlottedInterval:
    """A defined value with its interval, which may have no width."""
    assert isinstance(cell.value, int | float)
    value = float(cell.value)
    low = value if cell.low is None else cell.low
    return PlottedInterval(value, low, value if cell.high is None else cell.high)


def _token_table(participants: Sequence[Participant]) -> Table:
    rows: list[RowValues] = []
    for participant in participants:
        usages: dict[str, list[ModelUsage]] = {}
        for row in participant.rows:
            for total in row.usage_by_model:
                usages.setdefault(total.model or "", []).append(total.usage)
        rows += [
            {
                "side": participant.name,
                "model": model or None,
                "attempts": len(usages[model]),
                **{kind: _sum_cell(usages[model], kind) for kind in _TOKEN_COLUMNS},
            }
            for model in sorted(usages)
        ]
    return Table.from_rows(
        key="tokens",
        title="Tokens by kind",
        question="Which tokens did each model use?",
        columns=(
            PARTICIPANT,
            Column("model", "Model", "text", "As the run names it; the price table is read by it."),
            ATTEMPTS,
            *_TOKEN_COLUMNS.values(),
        ),
        rows=rows,
        unit_column="attempts",
        notes=[
            "Sums over attempts at tasks with an answer. Attempts that do not state a kind are "
            "left out of its sum."
        ],
    )


def _sum_cell(usages: Sequence[ModelUsage], kind: str) -> Cell:
    counts = [count for usage in usages if (count := getattr(usage, kind)) is not None]
    if not counts:
        return Cell(reason="no_tokens")
    missing = len(usages) - len(counts)
    return Cell(sum(counts), n=len(counts), excluded={"no_tokens": missing} if missing else None)
