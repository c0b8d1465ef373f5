"""MADQA's errors: tables 16 (examples) and 17 (types), figures 8 and 15 to 19."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pagetrail.annotation.metrics.attempt_rows import Row as Attempt
from pagetrail.annotation.metrics.cascade import (
    ANSWER_TYPES,
    ERROR_TYPES,
    AnswerType,
    answer_type,
    left_out,
)
from pagetrail.annotation.metrics.correctness import Rule
from pagetrail.annotation.metrics.result import weighted_share
from pagetrail.exports.gold.adjudicated_gold import RecordOf
from pagetrail.exports.gold.gold_checks import Gold, records_by_gold
from pagetrail.exports.papers.charts import STAGE_NAMES, participants_scatter, stage_bars
from pagetrail.exports.papers.material import Material
from pagetrail.exports.papers.model import Figure
from pagetrail.exports.reading.source import Source
from pagetrail.exports.reports.charts.stages import STAGES
from pagetrail.exports.reports.metrics.cells import PARTICIPANT, Options, share_cell
from pagetrail.exports.reports.metrics.errors import errors as cascade_of
from pagetrail.exports.reports.metrics.interval_notes import interval_words
from pagetrail.exports.reports.metrics.participants import Participant
from pagetrail.exports.reports.metrics.results import HOPS
from pagetrail.exports.reports.model import Column, RowValues, Section, Table
from pagetrail.exports.reports.per_task.reading import measured_attempts
from pagetrail.storage.people.system_roles import SYSTEM
from pagetrail.storage.snapshot.rows import AttemptHead

_SEPARATOR = "; "


@dataclass(frozen=True)
class Texts:
    """Question, first accepted answer and submitted answer; lists joined in one line."""

    question: str
    gold: str
    answer: str


Answers = Mapping[str, Texts]
"""Texts by attempt."""


def people_answers(sources: Sequence[Source], rule: Rule, gold: Gold) -> Answers:
    """The submitted answers of people, with the gold that counts."""
    texts: dict[str, Texts] = {}
    for source in sources:
        records = records_by_gold(source, gold)

        def record_of(head: AttemptHead, stored_record_of: RecordOf = records) -> dict[str, Any]:
            return stored_record_of(head.task, head.record)

        for head, measured_attempt in measured_attempts(source, rule, gold, record_of):
            if head.role != SYSTEM and measured_attempt.status == "submitted":
                record = record_of(head)
                texts[head.id] = Texts(
                    question=str(record.get("question") or ""),
                    gold=_joined(next(iter(record.get("answer_variants") or ()), ())),
                    answer=_SEPARATOR.join(measured_attempt.answer),
                )
    return texts


def _joined(variant: object) -> str:
    return _SEPARATOR.join(map(str, variant)) if isinstance(variant, list | tuple) else str(variant)


_TYPED = (
    "Incorrect attempts are classified in this order: no answer; retrieval error (Doc F1 = 0); "
    "navigation error (Page F1 = 0); comprehension error (all others). Correct answers are counted "
    "as correct whatever was cited (Borchmann et al. 2026, appendix H.3). In shares, attempts of "
    "people are weighted by 1/(annotators per task)."
)
TYPE = Column("type", "Type", "text", _TYPED)
COUNT = Column("count", "Count", "count", "Attempts of this type.")
TYPED_N = Column("n", "n", "count", "Classified attempts, the denominator of the share.")
SHARE = Column("share", "Share", "share", "Weighted share of the classified attempts.")
_ERROR_COLUMNS = (
    TYPE,
    Column("task", "Task", "text"),
    Column("question", "Question", "text"),
    Column("gold", "Gold", "text", "The first accepted answer."),
    Column("answer", "Answer", "text", "As submitted."),
    Column(
        "hop",
        "Evidence",
        "text",
        "Whether the gold evidence is on one page, several pages or documents.",
    ),
    Column("annotator", "Annotator", "text"),
)
EXAMPLES = 3
SHARE_OF_ERRORS = Column(
    "share", "Share", "share", "Weighted share of the classified incorrect attempts."
)


def distribution(material: Material) -> Table:
    """Table 17: the errors of all systems together, and of people."""
    groups = {"Systems": material.systems, "People": material.people}
    rows = []
    for name, participants in groups.items():
        attempts = [row for participant in participants for row in participant.rows]
        if attempts:
            rows += typed_rows({"group": name}, attempts, ERROR_TYPES, material.options)
    return Table.from_rows(
        key="table-17",
        title="Types of errors",
        question="At which stage do incorrect attempts fail?",
        columns=(
            Column("group", "Participants", "text", "All systems pooled, or all people pooled."),
            TYPE,
            COUNT,
            Column("n", "Errors", "count", "Classified incorrect attempts."),
            SHARE_OF_ERRORS,
        ),
        rows=rows,
        notes=typed_notes([*material.systems, *material.people]),
    )


def people_errors(material: Material, answers: Answers) -> tuple[Table, Table]:
    """Table 16: examples of the wrong answers of people by type, and all of them."""
    by_type: dict[AnswerType, list[RowValues]] = {kind: [] for kind in ERROR_TYPES}
    for row in (row for participant in material.people for row in participant.rows):
        type_ = answer_type(row)
        if type_ in by_type:
            texts = answers[row.attempt]
            cells: RowValues = {
                "type": STAGE_NAMES[type_],
                "task": row.task,
                "question": texts.question,
                "gold": texts.gold,
                "answer": texts.answer,
                "hop": HOPS[row.hop][0] if row.hop else None,
                "annotator": row.system,
            }
            by_type[type_].append(cells)

    def table(key: str, title: str, rows: list[RowValues], *notes: str) -> Table:
        question = "Which errors do people make?"
        return Table.from_rows(
            key, title, question, _ERROR_COLUMNS, rows, [*notes, *typed_notes(material.people)]
        )

    counts = ", ".join(f"{STAGE_NAMES[type_]} {len(rows):,}" for type_, rows in by_type.items())
    return (
        table(
            "table-16",
            "Examples of incorrect answers by people",
            [row for rows in by_type.values() for row in rows[:EXAMPLES]],
            f"The first {EXAMPLES} of each type, in campaign order. Totals: {counts}.",
        ),
        table(
            "table-16-all",
            "All incorrect answers by people",
            [row for rows in by_type.values() for row in rows],
        ),
    )


def typed_rows(
    names: dict[str, str],
    attempts: Sequence[Attempt],
    types: Sequence[AnswerType],
    options: Options,
) -> list[RowValues]:
    """One row per type; the shares are of the attempts that have one of these types.

    An attempt of another type has its part of its task's weight all the same.
    """
    typed = [(row, type_) for row in attempts if (type_ := answer_type(row)) is not None]
    inside = sum(type_ in types for _, type_ in typed)
    if not inside:
        return []
    rows = []
    for kind in types:
        scores = [
            row.scored(float(type_ == kind) if type_ in types else None)._replace(
                undecided=kind == "correct" and row.is_undecided
            )
            for row, type_ in typed
        ]
        share = weighted_share(scores, "no_rows")
        rows.append(
            {
                **{key: name for key, name in names.items()},
                "type": STAGE_NAMES[kind],
                "count": share.counts["part"],
                "n": inside,
                "share": share_cell(share, scores, options),
            }
        )
    return rows


def typed_notes(participants: Sequence[Participant]) -> list[str]:
    """How attempts are typed, and how many of each participant are not."""
    notes = [_TYPED]
    for participant in participants:
        reasons = left_out(participant.rows)
        if reasons:
            counts = ", ".join(f"{n:,} {reason.replace('_', ' ')}" for reason, n in reasons.items())
            notes.append(f"{participant.name}: not classified: {counts}.")
    return notes


TOP = 4
"""Systems that MADQA takes together where there is no room for all."""


def decomposition(material: Material) -> Figure:
    """Figure 8: outcomes of the attempts of each participant."""
    return Figure(
        Table.from_rows(
            key="figure-8",
            title="Error decomposition",
            question="What is the outcome of the attempts?",
            columns=(PARTICIPANT, TYPE, COUNT, TYPED_N, SHARE),
            rows=_by_side(material, ANSWER_TYPES),
            notes=["Ordered by accuracy.", *typed_notes(material.participants)],
        ),
        stage_bars("side", "type", "Attempts (%)"),
    )


def composition(material: Material) -> Figure:
    """Figure 15: composition of the errors of each participant."""
    return Figure(
        Table.from_rows(
            key="figure-15",
            title="Composition of errors",
            question="How does the composition of errors vary with accuracy?",
            columns=(PARTICIPANT, TYPE, COUNT, TYPED_N, SHARE_OF_ERRORS),
            rows=_by_side(material, ERROR_TYPES),
            notes=["Ordered by accuracy.", *typed_notes(material.participants)],
        ),
        stage_bars("side", "type", "Errors (%)"),
    )


def profiles(material: Material) -> Figure:
    """Figure 16: failures of retrieval against failures of comprehension."""
    rows = []
    for participant in material.participants:
        shares = {
            str(row["type"]): row
            for row in typed_rows(
                {"side": participant.name}, participant.rows, ANSWER_TYPES, material.options
            )
        }
        if shares:
            retrieval, comprehension = (
                shares[STAGE_NAMES[stage]] for stage in ("retrieval", "comprehension")
            )
            rows.append(
                {
                    "side": participant.name,
                    "n": retrieval["n"],
                    "retrieval": retrieval["share"],
                    "comprehension": comprehension["share"],
                }
            )
    return Figure(
        Table.from_rows(
            key="figure-16",
            title="Retrieval and comprehension errors",
            question="Do participants fail at retrieval or at comprehension?",
            columns=(
                PARTICIPANT,
                TYPED_N,
                Column("retrieval", "Retrieval", "share", "Weighted share of retrieval errors."),
                Column(
                    "comprehension",
                    "Comprehension",
                    "share",
                    "Weighted share of comprehension errors.",
                ),
            ),
            rows=rows,
            notes=[
                interval_words(material.options.resampling),
                *typed_notes(material.participants),
            ],
        ),
        participants_scatter(
            "retrieval", "comprehension", "Retrieval errors (%)", "Comprehension errors (%)"
        ),
    )


def by_hop(material: Material) -> Figure:
    """Figure 17: types by where the evidence is, of people and of the best systems."""
    return _by_group(
        material,
        "figure-17",
        "Outcomes by location of the gold evidence",
        "Evidence",
        {hop: label for hop, (label, _) in HOPS.items()},
        lambda row: row.hop,
    )


def by_domain(material: Material) -> Figure:
    """Figure 18: types by domain, of people and of the best systems."""
    names = sorted({row.domain for row in material.rows if row.domain})
    return _by_group(
        material,
        "figure-18",
        "Outcomes by domain",
        "Domain",
        {name: name for name in names},
        lambda row: row.domain,
    )


def _by_group(
    material: Material,
    key: str,
    title: str,
    label: str,
    names: dict[str, str],
    group_of: Callable[[Attempt], str | None],
) -> Figure:
    top = material.systems[:TOP]
    everyone = {"People": material.people, f"Systems ({len(top)} best)": top}
    rows = []
    for group, participants in everyone.items():
        attempts = [row for participant in participants for row in participant.rows]
        for name, part_label in names.items():
            inside = [row for row in attempts if group_of(row) == name]
            rows += typed_rows(
                {"group": group, "part": part_label}, inside, ANSWER_TYPES, material.options
            )
    return Figure(
        Table.from_rows(
            key=key,
            title=title,
            question="How do outcomes differ between groups of tasks?",
            columns=(
                Column(
                    "group",
                    "Participants",
                    "text",
                    "All people, or the most accurate systems, pooled.",
                ),
                Column("part", label, "text"),
                TYPE,
                COUNT,
                TYPED_N,
                SHARE,
            ),
            rows=rows,
            notes=typed_notes([*material.people, *top]),
        ),
        stage_bars("part", "type", "Attempts (%)", panel="group"),
    )


def cascade(material: Material) -> Figure | str:
    """Figure 19: the stage at which attempts fail first, or why there is none."""
    participants = [*material.people, *material.systems[: TOP - min(1, len(material.people))]]
    section = cascade_of(participants, material.options)
    if not isinstance(section, Section):
        return section
    table = next(part for part in section.parts if isinstance(part, Table))
    if table.frame["stage"].isna().all():
        return "answers are undecided until they are judged"
    names = {STAGES[stage].label: name for stage, name in STAGE_NAMES.items()}
    stages = table.frame["stage"].map(names)
    return Figure(
        replace(
            table,
            key="figure-19",
            title="Error cascade",
            frame=table.frame.assign(stage=stages),
            notes=["Shown are people and the most accurate systems.", *table.notes],
        ),
        stage_bars("side", "stage", "Attempts (%)", count="attempts"),
    )


def _by_side(material: Material, types: Sequence[AnswerType]) -> list[RowValues]:
    return [
        row
        for participant in reversed(material.ranked(material.participants))
        for row in typed_rows({"side": participant.name}, participant.rows, types, material.options)
    ]
