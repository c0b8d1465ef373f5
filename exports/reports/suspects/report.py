"""The report on suspect gold: decisions, the error that remains, and scores before and after."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from pagetrail.annotation.messages import lazy_gettext
from pagetrail.annotation.metrics.correctness import Rule
from pagetrail.annotation.review.suspect_gold import (
    LOW_POSTERIOR,
    CheckSample,
    Decision,
    remaining_error,
)
from pagetrail.annotation.statistics.wilson import wilson
from pagetrail.annotation.timing.durations import DEFAULT_IDLE_CAP_S
from pagetrail.exports.gold.gold_checks import CheckedGold, GoldChoice, records_by_gold
from pagetrail.exports.reading.source import Source
from pagetrail.exports.reading.task_results import TaskComputation
from pagetrail.exports.reports.metrics.cells import Options
from pagetrail.exports.reports.metrics.comparison import comparison
from pagetrail.exports.reports.metrics.cost import cost
from pagetrail.exports.reports.metrics.groups import Breakdown, breakdown_parts
from pagetrail.exports.reports.metrics.horizon import horizon
from pagetrail.exports.reports.metrics.input_rows import measure_attempts
from pagetrail.exports.reports.metrics.judging.judges import judges
from pagetrail.exports.reports.metrics.participants import participants_of
from pagetrail.exports.reports.metrics.results import RESTS_ON, results
from pagetrail.exports.reports.model import Cell, Column, Report, RowValues, Section, Table
from pagetrail.exports.reports.options import JudgedOptions
from pagetrail.exports.reports.per_task.attempt_results import AttemptResult, attempt_results
from pagetrail.exports.reports.resampling import Resampling
from pagetrail.exports.reports.suspects.reading import SuspectGold, read_suspect_gold
from pagetrail.exports.reports.suspects.reasons import REASON_TITLES, shown_reasons

DECISIONS: Mapping[Decision, str] = {
    "confirmed": lazy_gettext("Confirmed"),
    "corrected": lazy_gettext("Corrected"),
    "dropped": lazy_gettext("Dropped"),
}

_COUNTS = (
    Column("tasks", "Tasks", "count", "Tasks that have gold."),
    Column("checked", "Checked", "count", "Tasks on whose gold somebody has decided."),
    Column("confirmed", "Confirmed", "count", "The gold is right."),
    Column("corrected", "Corrected", "count", "Another version replaces the gold."),
    Column("dropped", "Dropped", "count", "Left out of results, with a reason."),
    Column(
        "wrong",
        "Wrong",
        "share",
        "Corrected or dropped, of those checked; Wilson 95 % interval.",
    ),
)
_GOLDS: tuple[GoldChoice, GoldChoice] = ("unchecked", "corrected")
"""Before and after."""
_MEASURED_KINDS = ("share", "score", "number", "seconds", "money")
_MORE_SCORES: Mapping[str, tuple[str, ...]] = {
    "cost": ("cost_per_correct",),
    "comparison": ("kappa", "accuracy_a", "accuracy_b", "difference"),
    "time-horizon": ("horizon_50", "horizon_80"),
    "people-with-system": ("accuracy", "cost_per_correct"),
    "judges-agreement": ("agreement", "kappa", "ac2", "sensitivity", "specificity"),
    "judges-corrected": ("raw", "corrected", "judged_right"),
}
"""Table of another section than the results → its columns that depend on gold."""
_NO_GROUPS = ("side", "currency", "basis")
"""Columns of text that do not name what a score is of."""


class SuspectsOptions(JudgedOptions):
    """The options of ``suspects``; ``rule`` also decides whether two answers are the same."""


_DEFAULT = SuspectsOptions()


def suspects(source: Source, report_options: SuspectsOptions = _DEFAULT) -> Report:
    """What was suspected, what was decided, and how scores changed.

    Raises:
        NotFoundError: no such campaign of judges or imported verdicts.
        PagetrailError: a campaign of judges without verdicts.
        MeasureError: fewer than two replicates.
    """
    if report_options.verdicts is not None:
        source = replace(source, verdicts=report_options.verdicts)
    rule, judgements = report_options.rule, report_options.judgements
    suspect_gold = read_suspect_gold(
        source,
        rule=rule,
        judgements=judgements,
        also_compute=[_attempt_results(source, "corrected", rule)],
    )
    sample, decisions = suspect_gold.sample, suspect_gold.gold.decisions
    checked = decisions.keys() & suspect_gold.tasks.keys()
    scores, notes = _scores(source, suspect_gold.gold, report_options)
    review = source.campaign.protocol.review
    return Report(
        kind="suspects",
        title=lazy_gettext("Suspect gold of {name}", name=source.campaign.name),
        campaign=source.campaign.name,
        protocol=source.campaign.protocol.name,
        facts={
            lazy_gettext("Tasks with gold"): len(suspect_gold.tasks),
            lazy_gettext("Without answers or labels"): len(sample.without_labels),
            lazy_gettext("Tasks to check"): len(sample.queue),
            lazy_gettext("Tasks checked"): len(checked),
        },
        choices={
            lazy_gettext("Rule"): rule,
            lazy_gettext("Judgements"): judgements,
            lazy_gettext("Verdicts"): source.verdicts,
            lazy_gettext("Low posterior"): LOW_POSTERIOR,
            lazy_gettext("Control share"): review.control_share,
            lazy_gettext("Families"): [
                f"{family}: {', '.join(names)}" for family, names in review.families.items()
            ],
            lazy_gettext("Seed of the campaign"): source.campaign.seed,
            lazy_gettext("Submission"): source.submission,
            lazy_gettext("Replicates"): report_options.replicates,
            lazy_gettext("Seed"): report_options.seed,
        },
        sections=[
            Section(
                "Checks of gold",
                [
                    _checks_table(sample, decisions),
                    _remaining_table(sample, decisions),
                    _reasons_table(sample, decisions),
                ],
            ),
            Section("Scores before and after", scores, notes),
            Section("Tasks", [_queue_table(suspect_gold), _accuracy_table(suspect_gold)]),
        ],
        identified=source.identify,
    )


def _counts(tasks: Collection[str], decisions: Mapping[str, Decision]) -> RowValues:
    counts = Counter(decisions[task] for task in tasks if task in decisions)
    wrong = counts["corrected"] + counts["dropped"]
    low, high = wilson(wrong, counts.total()) or (None, None)
    share = wrong / counts.total() if counts.total() else None
    return {
        "tasks": len(tasks),
        "checked": counts.total(),
        **{decision: counts[decision] for decision in DECISIONS},
        "wrong": Cell(share, None if counts.total() else "not_checked", low=low, high=high),
    }


def _checks_table(sample: CheckSample, decisions: Mapping[str, Decision]) -> Table:
    others = sample.unsuspected - sample.controls
    strata: dict[str, Collection[str]] = {
        lazy_gettext("Suspect"): sample.suspects,
        lazy_gettext("Control sample"): sample.controls,
        lazy_gettext("Neither"): others | sample.without_labels,
    }
    rows = [{"stratum": name, **_counts(tasks, decisions)} for name, tasks in strata.items()]
    everything = {task for tasks in strata.values() for task in tasks}
    return Table.from_rows(
        key="gold-checks",
        title="Decisions on gold",
        question="How much of the gold was checked, and how much of it was wrong?",
        columns=(
            Column("stratum", "Tasks that are", "text", "Suspects, controls, and the other tasks."),
            *_COUNTS,
        ),
        rows=[
            *rows,
            {
                "row_kind": "pooled",
                "stratum": lazy_gettext("All"),
                # The strata are checked at different rates, so their share means nothing together.
                **(_counts(everything, decisions) | {"wrong": None}),
            },
        ],
        notes=[
            "Wrong gold is gold that was corrected or whose task was dropped.",
            "The control sample is drawn from the tasks that are not suspect.",
        ],
    )


def _remaining_table(sample: CheckSample, decisions: Mapping[str, Decision]) -> Table:
    estimate = remaining_error(sample, decisions)
    low, high = estimate.tasks_interval or (None, None)
    share_low, share_high = estimate.share_interval or (None, None)
    kept = len(sample.assessed) - sum(decisions.get(task) == "dropped" for task in sample.assessed)
    reason = None if estimate.tasks is not None else "no_control_checked"
    tasks = Cell(estimate.tasks, reason, low=low, high=high)
    share = Cell(reason=reason)
    if estimate.tasks is not None and low is not None and high is not None and kept:
        share = Cell(estimate.tasks / kept, low=low / kept, high=high / kept)
    return Table.from_rows(
        key="gold-remaining",
        title="Error that remains in the gold",
        question="How much of the gold is probably still wrong?",
        columns=(
            Column("controls", "Controls checked", "count", "Checked tasks of the control sample."),
            Column("wrong", "Wrong", "count", "Those of them that were corrected or dropped."),
            Column(
                "rate",
                "Wrong, unsuspected",
                "share",
                "Share of wrong gold among unsuspected tasks, by the control sample; Wilson 95 %.",
            ),
            Column("unchecked", "Unchecked", "count", "Tasks with answers and unchecked gold."),
            Column("suspects", "Suspects among them", "count", "Suspect tasks not yet checked."),
            Column(
                "remaining",
                "Wrong tasks left",
                "number",
                "Expected number: unsuspected tasks by the control sample, suspects by the model.",
            ),
            Column(
                "share", "Share of gold", "share", "Of all tasks with answers, without dropped."
            ),
        ),
        rows=[
            {
                "controls": estimate.checked,
                "wrong": estimate.wrong,
                "rate": Cell(
                    estimate.share,
                    None if estimate.share is not None else "no_control_checked",
                    low=share_low,
                    high=share_high,
                ),
                "unchecked": estimate.unchecked,
                "suspects": estimate.unchecked_suspects,
                "remaining": tasks,
                "share": share,
            }
        ],
        notes=[
            "The interval takes the ends of the control sample's interval, and none or all of the "
            "unchecked suspects as wrong. Tasks without answers are left out."
        ],
    )


def _reasons_table(sample: CheckSample, decisions: Mapping[str, Decision]) -> Table:
    rows = []
    for reason, title in REASON_TITLES.items():
        tasks = [task for task in sample.suspects if reason in sample.assessed[task].reasons]
        rows.append({"reason": title, **_counts(tasks, decisions)})
    return Table.from_rows(
        key="gold-reasons",
        title="Reasons for suspicion",
        question="Which reasons lead to wrong gold?",
        columns=(Column("reason", "Reason", "text", "A task may have several."), *_COUNTS),
        rows=rows,
    )


def _queue_table(suspect_gold: SuspectGold) -> Table:
    sample = suspect_gold.sample
    rows = []
    for position, task in enumerate(sample.queue, start=1):
        checked = suspect_gold.gold.tasks.get(task)
        check = checked.check if checked is not None else None
        rows.append(
            {
                "position": position,
                "task": task,
                "reasons": "; ".join(shown_reasons(sample.assessed[task])),
                "decision": None if check is None else DECISIONS[check.decision],
                "why": None if check is None else check.reason or None,
            }
        )
    return Table.from_rows(
        key="gold-queue",
        title="Tasks to check",
        question="Whose gold is to be checked, in which order, and what was decided?",
        columns=(
            Column("position", "Position", "count", "In the queue."),
            Column("task", "Task", "text"),
            Column(
                "reasons", "Why", "text", "Reasons; the last one also covers the control sample."
            ),
            Column("decision", "Decision", "text"),
            Column("why", "Reason given", "text"),
        ),
        rows=rows,
        notes=["The control sample is among these tasks and not marked."],
    )


def _accuracy_table(suspect_gold: SuspectGold) -> Table:
    tasks = Counter(
        key
        for task in suspect_gold.tasks.values()
        for key in {(p.person, p.name) for p in task.participants}
    )
    rows = [
        {
            "participant": name,
            "kind": lazy_gettext("Annotator") if person else lazy_gettext("System"),
            "tasks": tasks.get((person, name)),
            "accuracy": accuracy,
        }
        for name, person, accuracy in suspect_gold.sample.accuracies
    ]
    return Table.from_rows(
        key="gold-participants",
        title="Accuracies in the model",
        question="How far does the model trust each participant?",
        columns=(
            Column("participant", "Participant", "text", "A person, a system, or a family."),
            Column("kind", "Kind", "text"),
            Column(
                "tasks", "Tasks", "count", "Tasks on which it has submitted; empty for families."
            ),
            Column(
                "accuracy",
                "Accuracy",
                "share",
                "One-coin Dawid–Skene, smoothed (Dawid and Skene 1979).",
            ),
        ),
        rows=rows,
        notes=["Estimated from agreement between participants, without gold."],
    )


def _scores(
    source: Source,
    gold: CheckedGold,
    report_options: SuspectsOptions,
) -> tuple[list[Table], list[str]]:
    before, after = (_result_tables(source, choice, report_options) for choice in _GOLDS)
    rows = []
    for key, table in before.items():
        key_columns = [
            column.key
            for column in table.columns
            if (column.kind == "text" and column != RESTS_ON) or column.key == "checked"
        ]
        after_rows = {
            tuple(str(row.cells[column].value) for column in key_columns): row.cells
            for row in (after[key].rows if key in after else ())
        }
        for row in table.rows:
            key_values = tuple(str(row.cells[column].value) for column in key_columns)
            rows += [
                _score_row(table, column, row.cells, after_rows.get(key_values, {}), key_columns)
                for column in table.columns
                if column.kind in _MEASURED_KINDS
                and column.key in _MORE_SCORES.get(table.key, (column.key,))
            ]
    rows = [row for row in rows if not _is_undefined(row)]
    counts = Counter(gold.decisions.values())
    scores = Table.from_rows(
        key="gold-scores",
        title="Scores before and after",
        question="How do the published scores change with the checked gold?",
        columns=(
            Column("side", "Participant", "text", "People together, or a system."),
            Column(
                "group",
                "Group",
                "text",
                "Of tasks; empty for all. Else the judge, the fit, or who is compared.",
            ),
            Column("score", "Score", "text", "As in the results."),
            Column("n_before", "n before", "count", "Attempts."),
            Column("before", "Before", "number", "With the gold before any check."),
            Column("n_after", "n after", "count", "Attempts; those at dropped tasks do not count."),
            Column("after", "After", "number", "With corrected gold and without dropped tasks."),
            Column("change", "Change", "number", "After less before."),
        ),
        rows=rows,
        notes=[
            "Shares are from 0 to 1. pagetrail metrics --gold corrected has all tables.",
        ],
    )
    notes = [
        lazy_gettext(
            "{confirmed:,} confirmed, {corrected:,} corrected, {dropped:,} dropped.",
            confirmed=counts["confirmed"],
            corrected=counts["corrected"],
            dropped=counts["dropped"],
        ),
        lazy_gettext(
            "Verdicts on answers were given under the earlier gold, so they do not count for tasks "
            "whose gold was corrected."
        ),
    ]
    return [scores], notes


def _score_row(
    table: Table,
    column: Column,
    before: Mapping[str, Cell],
    after: Mapping[str, Cell],
    key_columns: Sequence[str],
) -> RowValues:
    old, new = before[column.key], after.get(column.key, Cell(reason="no_rows"))
    has_both = isinstance(old.value, int | float) and isinstance(new.value, int | float)
    change = float(new.value) - float(old.value) if has_both else None  # type: ignore[arg-type]
    group_words = [
        words
        for name in key_columns
        if name not in _NO_GROUPS and (words := _group_words(name, before[name]))
    ]
    is_unanswerable = table.key == "unanswerable"
    return {
        "side": before["side"].value if "side" in before else None,
        "group": ", ".join(group_words)
        or (lazy_gettext("unanswerable") if is_unanswerable else None),
        "score": column.label,
        "n_before": before["attempts"].value if "attempts" in before else old.n,
        "before": _score_cell(old),
        "n_after": after["attempts"].value if "attempts" in after else new.n,
        "after": _score_cell(new),
        "change": change,
    }


def _score_cell(cell: Cell) -> Cell:
    """The score without what it rests on."""
    return replace(cell, se=None, flag=None, n=None, tasks=None, excluded=None)


def _group_words(name: str, cell: Cell) -> str:
    if name != "checked" or not isinstance(cell.value, float):
        return "" if cell.value is None else str(cell.value)
    if cell.value in (0, 1):
        return ""
    return lazy_gettext("{percent:.0f} % checked by people", percent=100 * cell.value)


def _is_undefined(row: RowValues) -> bool:
    cells = [row["before"], row["after"]]
    return all(isinstance(cell, Cell) and cell.value is None for cell in cells)


def _attempt_results(
    source: Source, gold: GoldChoice, rule: Rule
) -> TaskComputation[list[AttemptResult]]:
    """What ``measure_attempts`` needs, to be computed while they are read for their labels."""
    record_of = records_by_gold(source, gold)
    return attempt_results(source, rule, gold, lambda head: record_of(head.task, head.record))


def _result_tables(
    source: Source, gold: GoldChoice, report_options: SuspectsOptions
) -> dict[str, Table]:
    rows = measure_attempts(
        source, rule=report_options.rule, judgements=report_options.judgements, gold=gold
    )
    options = Options(
        rule=report_options.rule,
        idle_cap_s=DEFAULT_IDLE_CAP_S,
        resampling=Resampling.for_report(
            source, report_options.replicates, report_options.seed, "tasks"
        ),
        submission=source.submission,
        prices=source.prices,
        gold=gold,
    )
    participants = participants_of(rows, by_annotator=False)
    section = results(participants, options, [])
    breakdown = Breakdown(None, [source]).or_domain(rows.rows)
    fields = breakdown.groups([rows], rows)
    answerable = [row for row in rows.rows if not row.unanswerable]
    more_sections = (
        cost(participants, options),
        comparison(participants, options),
        horizon(participants, options),
        judges(participants, answerable, [rows], options),
    )
    parts = [
        *(part for part in section.parts if part.key in ("results", "unanswerable")),
        *(breakdown_parts(participants, fields, options) if fields else []),
        *(
            part
            for more in more_sections
            if isinstance(more, Section)
            for part in more.parts
            if part.key in _MORE_SCORES
        ),
    ]
    return {part.key: part for part in parts if isinstance(part, Table)}
