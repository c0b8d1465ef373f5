"""Tables of the report of quality in production."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from pagetrail.annotation.messages import lazy_gettext
from pagetrail.annotation.progress.quality import (
    Alert,
    AlertKind,
    Period,
    PersonWork,
    Scored,
    mean,
    periods,
    proportion,
    typical_seconds,
)
from pagetrail.annotation.protocols.quality import QualityPart
from pagetrail.annotation.protocols.review_parts import PART_LABELS
from pagetrail.exports.reports.cells import corrected_notes, estimate_cell
from pagetrail.exports.reports.model import Cell, Column, RowValues, Table
from pagetrail.exports.reports.quality.reading import QualityInput

ALL_ANNOTATORS = lazy_gettext("Everybody")
ALERTS = "quality-alerts"
ALERT_WORDS: dict[AlertKind, str] = {
    "gold": lazy_gettext("low accuracy on gold"),
    "consistency": lazy_gettext("low self-consistency"),
    "speed": lazy_gettext("much faster than the others"),
    "drift_gold": lazy_gettext("accuracy on gold fell"),
    "drift_agreement": lazy_gettext("agreement with others fell"),
}
UNDECIDED = lazy_gettext("Hidden gold tasks that the rule leaves undecided; in no share and alert.")
_PERSON = Column("annotator", "Annotator", "text")
_MEASURES = (
    Column("tasks", "Tasks", "count", "Finished tasks, checks included."),
    Column("gold_n", "Gold", "count", "Hidden gold tasks that are right or wrong."),
    Column("gold", "Right on gold", "share", "Hidden gold tasks correct in every part."),
    Column("gold_undecided", "Undecided", "count", UNDECIDED),
    Column("alike_n", "Repeats", "count", "Repeated tasks compared."),
    Column(
        "alike",
        "Self-consistent",
        "share",
        "Repeated tasks on which the person agrees with themselves in every part, by the "
        "campaign’s review rule.",
    ),
    Column("agreement_n", "Shared", "count", "Tasks that others did as well."),
    Column(
        "agreement",
        "Agreement with others",
        "share",
        "1 − difference from each other annotator of the task, averaged over annotators, parts "
        "and tasks.",
    ),
    Column("seconds", "Time per task, s", "seconds", "Geometric mean of active time."),
)
_CORRECTED = Column(
    "time_corrected",
    "Clock corrected",
    "count",
    "Submitted tasks during which the server’s clock was set.",
)


def people_table(quality_input: QualityInput, raised: Sequence[Alert]) -> Table:
    """One row per person with all measures."""
    rows = []
    everybody_work = PersonWork.combine(quality_input.people.values())
    corrected = [_CORRECTED] if everybody_work.time_corrected else []
    for name, person_work in quality_input.people.items():
        alert_words = "; ".join(ALERT_WORDS[alert.kind] for alert in raised if alert.person == name)
        condition = (
            {"condition": quality_input.conditions.get(name)} if quality_input.conditions else {}
        )
        rows.append(
            {
                "annotator": name,
                **condition,
                **_measures(person_work),
                "time_corrected": len(person_work.time_corrected),
                "alerts": alert_words or None,
            }
        )
    if len(rows) > 1:
        rows.append(
            {
                "row_kind": "pooled",
                "annotator": ALL_ANNOTATORS,
                **_measures(everybody_work),
                "time_corrected": len(everybody_work.time_corrected),
            }
        )
    return Table.from_rows(
        key="quality-people",
        title="Annotators",
        question="How well does each person work?",
        columns=(
            _PERSON,
            *([Column("condition", "Condition", "text")] if quality_input.conditions else []),
            *_MEASURES,
            *corrected,
            Column("alerts", "Alerts", "text"),
        ),
        rows=rows,
        notes=[
            "Brackets: 95 % intervals. Accuracy and consistency are measured on checks that "
            "annotators cannot tell apart from other tasks.",
            *corrected_notes(len(everybody_work.time_corrected)),
        ],
    )


def alerts_table(raised: Sequence[Alert], quality: QualityPart) -> Table:
    """The alerts."""
    return Table.from_rows(
        key=ALERTS,
        title="Alerts",
        question="Whose work needs attention?",
        columns=(
            _PERSON,
            Column("alert", "Alert", "text"),
            Column(
                "value",
                "Found",
                "number",
                "A share. For speed, the person’s median time per task relative to the others’; "
                "for a decline, the second half of the person’s work minus the first.",
            ),
            Column("threshold", "Alert below", "number"),
            Column(
                "tasks",
                "n",
                "count",
                "Tasks behind the value; for a decline, tasks in the smaller half.",
            ),
        ),
        rows=[
            {
                "annotator": alert.person,
                "alert": ALERT_WORDS[alert.kind],
                "value": Cell(alert.value, low=alert.low, high=alert.high, n=alert.n),
                "threshold": alert.threshold,
                "tasks": alert.n,
            }
            for alert in raised
        ],
        notes=[
            lazy_gettext(
                "An alert needs at least {alert_from} tasks, for a decline in each half. A "
                "decline is reported where the whole 95 % interval of the change is below 0.",
                alert_from=quality.alert_from,
            )
        ],
    )


def drift_table(quality_input: QualityInput, by: Period) -> Table:
    """Each person's results by period."""
    rows = [
        {"annotator": name, "period": period, **_measures(part)}
        for name, person_work in quality_input.people.items()
        for period, part in periods(person_work, by)
    ]
    week = by == "week"
    return Table.from_rows(
        key="quality-drift",
        title="Over time",
        question="Does anyone’s work change over time?",
        columns=(
            _PERSON,
            Column(
                "period",
                lazy_gettext("Week") if week else lazy_gettext("Part of the work"),
                "text",
                lazy_gettext("ISO week, UTC.")
                if week
                else lazy_gettext("Deciles of the person’s finished tasks."),
            ),
            *_MEASURES,
        ),
        rows=rows,
    )


def parts_table(quality_input: QualityInput) -> Table:
    """Gold and repeats by part, over all people."""
    gold: dict[str, list[tuple[bool, float]]] = {}
    for check in quality_input.gold:
        for part in check.feedback.parts:
            if part.undecided:
                continue
            gold.setdefault(part.part, []).append((part.right, part.score))
    consistency: dict[str, list[tuple[bool, float]]] = {}
    labels: dict[str, str] = {}
    for repeat in quality_input.repeats:
        for name, (label, agreed, difference) in repeat.parts.items():
            labels[name] = label
            consistency.setdefault(name, []).append((agreed, 1 - difference))
    names = dict.fromkeys([*gold, *consistency])
    return Table.from_rows(
        key="quality-parts",
        title="Checks part by part",
        question="Which parts are incorrect?",
        columns=(
            Column("part", "Part", "text"),
            Column("gold", "Right on gold", "share"),
            Column("gold_score", "Score on gold", "score", "As in pilots."),
            Column("alike", "Self-consistent", "share"),
            Column("similarity", "Self-similarity", "score", "1 − difference."),
        ),
        rows=[
            {
                "part": labels.get(name) or PART_LABELS.get(name, name),
                "gold": _share_of(gold.get(name, ())),
                "gold_score": _mean_of(gold.get(name, ())),
                "alike": _share_of(consistency.get(name, ())),
                "similarity": _mean_of(consistency.get(name, ())),
            }
            for name in names
        ],
    )


def gold_tasks_table(quality_input: QualityInput) -> Table:
    """Each hidden gold task, those with the fewest correct people first."""
    tasks: dict[str, list[Scored]] = {}
    undecided = Counter(check.task for check in quality_input.gold if check.feedback.is_undecided)
    for check in quality_input.gold:
        scored = tasks.setdefault(check.task, [])
        if not check.feedback.is_undecided:
            scored.append(Scored(check.at, float(check.feedback.right)))
    shares = {task: proportion(scored) for task, scored in tasks.items()}
    order = sorted(
        shares,
        key=lambda task: (not shares[task].n, shares[task].value or 0.0, -shares[task].n, task),
    )
    return Table.from_rows(
        key="quality-gold-tasks",
        title="Hidden gold tasks",
        question="Is any of the gold wrong?",
        columns=(
            Column("task", "Task", "text"),
            Column("people", "People", "count"),
            Column("gold", "Right", "share", "Correct in every part."),
            Column("gold_undecided", "Undecided", "count", UNDECIDED),
        ),
        rows=[
            {
                "task": task,
                "people": shares[task].n,
                "gold": estimate_cell(shares[task]),
                "gold_undecided": undecided[task],
            }
            for task in order
        ],
        notes=["If people who otherwise work well all miss a task, check its gold."],
    )


def _measures(person_work: PersonWork) -> RowValues:
    return {
        "tasks": len(person_work.finished),
        "gold_n": len(person_work.gold),
        "gold": estimate_cell(proportion(person_work.gold)),
        "gold_undecided": len(person_work.undecided),
        "alike_n": len(person_work.consistency),
        "alike": estimate_cell(proportion(person_work.consistency)),
        "agreement_n": len(person_work.agreement),
        "agreement": estimate_cell(mean(person_work.agreement)),
        "seconds": estimate_cell(typical_seconds(person_work.seconds)),
    }


def _share_of(scored: Iterable[tuple[bool, float]]) -> Cell:
    return estimate_cell(proportion([Scored("", float(right)) for right, _ in scored]))


def _mean_of(scored: Iterable[tuple[bool, float]]) -> Cell:
    return estimate_cell(mean([Scored("", score) for _, score in scored]))
