"""Results: accuracy, attribution and effort per participant, laid out as MADQA's table 3."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from pagetrail.annotation.messages import lazy_gettext, lazy_ngettext
from pagetrail.annotation.metrics.attempt_rows import Row as Attempt
from pagetrail.annotation.metrics.budget import time_spread
from pagetrail.annotation.metrics.correctness import UNDECIDED, Rule
from pagetrail.annotation.metrics.effort import LEFT_OUT, kuiper, wasted_effort
from pagetrail.annotation.metrics.search.query_sequences import queries_per_question
from pagetrail.exports.gold.gold_checks import GoldChoice
from pagetrail.exports.reports.cells import value_cell
from pagetrail.exports.reports.metrics.cells import (
    ACCURACY,
    ANLS,
    ATTEMPTS,
    DOC_F1,
    PAGE_F1,
    PARTICIPANT,
    TASKS,
    UNDECIDED_ANSWERS,
    AttemptMeasure,
    Options,
    counted_cell,
    open_answers,
)
from pagetrail.exports.reports.metrics.effort import MADQA, efforts, undefined_reason
from pagetrail.exports.reports.metrics.interval_notes import WEIGHTS_NOTE, interval_notes
from pagetrail.exports.reports.metrics.participants import Participant
from pagetrail.exports.reports.model import Cell, Column, RowValues, Section, Table

HOPS = {
    "single": (
        lazy_gettext("Single"),
        lazy_gettext("Accuracy on tasks whose gold evidence is on one page."),
    ),
    "cross_page": (
        lazy_gettext("X-Page"),
        lazy_gettext("Accuracy on tasks whose gold evidence is on several pages of one document."),
    ),
    "cross_doc": (
        lazy_gettext("X-Doc"),
        lazy_gettext("Accuracy on tasks whose gold evidence is on pages of several documents."),
    ),
}
"""Label and explanation of each column of accuracy by where the gold evidence is."""

DECIDERS = {
    "judgement": lazy_gettext("Judgement"),
    "exact_match": lazy_gettext("Exact match"),
    "quantity": lazy_gettext("Quantity"),
    "polar": lazy_gettext("Yes or no"),
    "date": lazy_gettext("Date"),
    "text_with_numbers": lazy_gettext("Text with numbers"),
    "same_words": lazy_gettext("Same words"),
    "list": lazy_gettext("List"),
    "anls_star": lazy_gettext("ANLS*"),
    "undecided": lazy_gettext("Undecided"),
    "outcome": lazy_gettext("Outcome"),
}

_ABOUT_DECIDERS = {
    "quantity": lazy_gettext("One quantity in answer and gold, in the same unit."),
    "polar": lazy_gettext("The question asks for yes or no."),
    "date": lazy_gettext("One date in answer and gold."),
    "text_with_numbers": lazy_gettext("A short identifier or a range in answer and gold."),
    "same_words": lazy_gettext("The same words, apart from those of the question."),
    "list": lazy_gettext("Several items: one is missing or left over, or all match."),
    "anls_star": lazy_gettext("Only with the rule anls_star: ANLS* of at least 0.5."),
    "undecided": lazy_gettext("Neither right nor wrong until somebody judges it."),
}

_RULES: dict[Rule, str] = {
    "first": lazy_gettext(
        "An answer is correct if its judgement is at least 0.5. Without a judgement, the rule "
        "decides what it can compare: equal texts, quantities, dates, yes and no, and lists."
    ),
    "judgement": lazy_gettext("Only judgements decide: correct from 0.5 on."),
    "exact_match": lazy_gettext("Only exact matches are correct."),
    "anls_star": lazy_gettext("Only ANLS* decides: correct from 0.5 on."),
}

GOLDS: Mapping[GoldChoice, str] = {
    "task": lazy_gettext("gold of the dataset"),
    "adjudicated": lazy_gettext("decided in review"),
    "corrected": lazy_gettext("checked and corrected"),
    "unchecked": lazy_gettext("gold before checks"),
}

RESTS_ON = Column(
    "rests_on",
    "Rests on",
    "text",
    "Tasks on which accuracy rests: those whose gold has an answer, of those attempted, and which "
    "gold it is.",
)

RESULT_COLUMNS = (
    PARTICIPANT,
    ATTEMPTS,
    TASKS,
    RESTS_ON,
    ACCURACY.column,
    *(Column(f"accuracy_{hop}", label, "share", help_) for hop, (label, help_) in HOPS.items()),
    ANLS.column,
    PAGE_F1.column,
    DOC_F1.column,
    Column(
        "kuiper",
        "K",
        "number",
        "Kuiper's statistic of success over steps, with ties grouped, in tasks: 0 where success "
        "does not depend on effort. It grows with the number of tasks.",
    ),
    Column("kuiper_normalised", "K/√(Nȳ(1−ȳ))", "number", "K normalised for the number of tasks."),
    Column(
        "kuiper_file_order",
        "K (MADQA)",
        "number",
        "K as MADQA's evaluator computes it: each attempt counts once, and attempts of equal "
        "effort keep the order of the file (here the MADQA export), on which K depends.",
    ),
    Column(
        "wasted_effort",
        "Wasted effort",
        "number",
        "Mean steps of incorrect answers divided by those of correct ones; above 1, failures "
        "cost more.",
    ),
    Column("searches", "Searches", "number", "Mean number of searches per question."),
    Column("active_s", "Median active time, s", "seconds", "Median over questions."),
)

_ANSWERED = AttemptMeasure(
    Column("answered", "Answered", "share", "Share answered nevertheless."),
    lambda row: row.answered,
    lambda row: None,
)
_CITED = AttemptMeasure(
    Column("cited", "Cited", "share", "Share with citations nevertheless."),
    lambda row: None if row.page_f1.reason == "no_citations_asked" else row.cited > 0,
    lambda row: row.page_f1.reason,
)
UNANSWERABLE_COLUMNS = (
    PARTICIPANT,
    ATTEMPTS,
    TASKS,
    Column(
        "accuracy", "Recognised", "share", "Share recognised as unanswerable, averaged over tasks."
    ),
    _ANSWERED.column,
    _CITED.column,
    Column("searches", "Searches", "number", "Mean number of searches per question."),
    Column("active_s", "Median active time, s", "seconds", "Median over questions."),
)


def results(
    participants: Sequence[Participant],
    options: Options,
    omitted: Sequence[str],
    row_notes: Sequence[str] = (),
) -> Section:
    """The tables of results.

    Args:
        omitted: sentences about sections that are left out.
        row_notes: sentences about participants without a row.
    """
    parts = [_results(participants, options, row_notes)]
    if any(participant.unanswerable for participant in participants):
        parts.append(_unanswerable(participants, options))
    parts.append(_decided(participants, options))
    return Section("Results", parts, list(omitted))


def _results(
    participants: Sequence[Participant], options: Options, row_notes: Sequence[str]
) -> Table:
    return Table.from_rows(
        key="results",
        title="Accuracy, attribution and effort",
        question="How accurate is each participant, with which evidence, and at what effort?",
        columns=RESULT_COLUMNS,
        rows=[_result_cells(participant, options) for participant in participants],
        unit_column="attempts",
        notes=[
            *row_notes,
            *main_notes(participants, options),
            lazy_gettext(
                "Active time excludes pauses and caps each gap at {idle_cap_s} s.",
                idle_cap_s=options.idle_cap_s,
            ),
            *_notes(participants),
        ],
    )


def main_notes(participants: Sequence[Participant], options: Options) -> list[str]:
    """How the results are weighted, what their intervals are, and what steps are."""
    return [
        WEIGHTS_NOTE,
        *interval_notes(participants, options.resampling),
        lazy_gettext(
            "Steps as in MADQA's evaluator: searches; for an attempt without any, the iterations "
            "stated in its file, otherwise 1."
        ),
    ]


def _result_cells(participant: Participant, options: Options) -> RowValues:
    rows = participant.rows
    steps = efforts(rows, MADQA, options)
    correct, units = [row.correct for row in rows], [row.unit for row in rows]
    curve, waste = kuiper(steps, correct, units), wasted_effort(steps, correct, units)
    no_curve = undefined_reason(curve, participant, MADQA)
    left = {reason: curve.counts[f"left_out_{reason}"] for reason in LEFT_OUT}
    is_open = bool(open_answers(rows))

    def of_curve(value: float | None, reason: str | None) -> Cell:
        if is_open:
            return Cell(reason=UNDECIDED_ANSWERS)
        return value_cell(value, reason) if value is None else counted_cell(curve, value, left)

    of_hop = {hop: [row for row in rows if row.hop == hop] for hop in HOPS}
    return {
        "side": participant.name,
        "attempts": len(rows),
        "tasks": len({row.task for row in rows}),
        "rests_on": _rests_on(rows, options.gold),
        "accuracy": ACCURACY.cell(rows, options),
        **{f"accuracy_{hop}": ACCURACY.cell(of_hop[hop], options) for hop in HOPS},
        "anls": ANLS.cell(rows, options),
        "page_f1": PAGE_F1.cell(rows, options),
        "doc_f1": DOC_F1.cell(rows, options),
        "kuiper": of_curve(curve.value, no_curve),
        "kuiper_normalised": of_curve(curve.normalised, no_curve),
        "kuiper_file_order": of_curve(curve.file_order, no_curve),
        "wasted_effort": of_curve(waste.value, undefined_reason(waste, participant, MADQA)),
        **_effort_cells(rows, options),
    }


def _rests_on(rows: Sequence[Attempt], gold: GoldChoice) -> str:
    with_gold = {row.task for row in rows if row.correctness.reason != "no_gold_answer"}
    return lazy_gettext(
        "{number:,} of {total:,}: {gold}",
        number=len(with_gold),
        total=len({row.task for row in rows}),
        gold=GOLDS[gold],
    )


def _effort_cells(rows: Sequence[Attempt], options: Options) -> RowValues:
    times = time_spread(rows, "active_s", options.idle_cap_s)
    queries = queries_per_question(rows)
    return {
        "searches": counted_cell(queries, queries.value),
        "active_s": counted_cell(
            times, times.median, {"no_times": times.counts["left_out_untimed"]}
        ),
    }


def _notes(participants: Sequence[Participant]) -> list[str]:
    """What else to beware of in these attempts."""
    notes = []
    if (
        len(
            {
                frozenset(row.task for row in participant.rows)
                for participant in participants
                if participant.rows
            }
        )
        > 1
    ):
        notes.append(
            lazy_gettext(
                "The participants did not attempt the same tasks, and tasks differ in "
                "difficulty. The comparison section compares each pair on the tasks that "
                "both attempted."
            )
        )
    if any(0 < len(participant.decided) < len(participant.rows) for participant in participants):
        notes.append(
            lazy_gettext(
                "Accuracy covers decided attempts; the table of what decided counts the others."
            )
        )
    undecided = {
        row.attempt: row
        for participant in participants
        for row in participant.rows
        if row.correctness.decided_by == UNDECIDED
    }
    if undecided:
        notes.append(
            lazy_ngettext(
                "{number:,} answer is undecided. Until it is judged, an accuracy with it is a "
                "range, from all wrong to all right; its interval has the lower limit of the one "
                "end and the upper limit of the other. What follows from right and wrong answers "
                "is undefined.",
                "{number:,} answers are undecided. Until they are judged, an accuracy with some of "
                "them is a range, from all wrong to all right; its interval has the lower limit of "
                "the one end and the upper limit of the other. What follows from right and wrong "
                "answers is undefined.",
                len(undecided),
            )
        )
    if any(participant.unanswerable for participant in participants):
        notes.append(lazy_gettext("Unanswerable tasks are in a table of their own."))
    return notes


def _unanswerable(participants: Sequence[Participant], options: Options) -> Table:
    return Table.from_rows(
        key="unanswerable",
        title="Unanswerable tasks",
        question="Who recognises that the collection does not hold the answer?",
        columns=UNANSWERABLE_COLUMNS,
        rows=[_unanswerable_cells(participant, options) for participant in participants],
        unit_column="attempts",
        notes=["Recognised: submitted as unanswerable, without an answer."],
    )


def _unanswerable_cells(participant: Participant, options: Options) -> RowValues:
    rows = participant.unanswerable
    return {
        "side": participant.name,
        "attempts": len(rows),
        "tasks": len({row.task for row in rows}),
        "accuracy": ACCURACY.cell(rows, options),
        "answered": _ANSWERED.cell(rows, options),
        "cited": _CITED.cell(rows, options),
        **_effort_cells(rows, options),
    }


def _decided(participants: Sequence[Participant], options: Options) -> Table:
    """What decided the attempts; all of them are counted, those without an answer too."""
    decided_by = {
        participant.name: Counter(
            row.correctness.decided_by or row.correctness.reason or "undecided"
            for row in [*participant.rows, *participant.unanswerable]
        )
        for participant in participants
    }
    n_by_anls = {
        participant.name: sum(
            row.correct is True and row.correctness.decided_by == "anls_star"
            for row in participant.rows
        )
        for participant in participants
    }
    reasons = sorted(
        {key for counts in decided_by.values() for key in counts if key not in DECIDERS}
    )
    return Table.from_rows(
        key="decided",
        title="What decided whether an answer is correct",
        question="How much of the accuracy rests on judgements, and how much on each case?",
        columns=(
            PARTICIPANT,
            ATTEMPTS,
            *(
                Column(key, label, "count", _ABOUT_DECIDERS.get(key, ""))
                for key, label in DECIDERS.items()
            ),
            Column(
                "anls_alone", "Correct by ANLS* alone", "count", "Correct, but not an exact match."
            ),
            *(
                Column(key, _reason_words(key), "count", "Attempts that no rule decided.")
                for key in reasons
            ),
        ),
        rows=[
            {
                "side": name,
                "attempts": counts.total(),
                **{key: counts[key] for key in DECIDERS},
                "anls_alone": n_by_anls[name],
                **{key: counts[key] for key in reasons},
            }
            for name, counts in decided_by.items()
        ],
        notes=[
            _RULES[options.rule],
            "A task without an answer is decided by the submitted outcome.",
            "Have people judge undecided answers, and some decided ones: pagetrail sample "
            "--allocation undecided.",
        ],
    )


def _reason_words(reason: str) -> str:
    return reason.replace("_", " ").capitalize()
