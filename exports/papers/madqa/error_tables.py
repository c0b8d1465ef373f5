"""MADQA's tables of errors: 16 (examples) and 17 (types), and the rows that figures share."""

from __future__ import annotations

from collections.abc import Sequence

from pagetrail.annotation.metrics.attempt_rows import Row as Attempt
from pagetrail.annotation.metrics.error_types import (
    ERROR_TYPES,
    AnswerType,
    answer_type,
    left_out,
)
from pagetrail.annotation.metrics.result import weighted_share
from pagetrail.exports.papers.madqa.answers import Answers
from pagetrail.exports.papers.material import Material
from pagetrail.exports.reports.charts.stages import STAGES
from pagetrail.exports.reports.metrics.cells import Options, share_cell
from pagetrail.exports.reports.metrics.participants import Participant
from pagetrail.exports.reports.metrics.results import HOPS
from pagetrail.exports.reports.model import Column, RowValues, Table

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
                "type": STAGES[type_].name,
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

    counts = ", ".join(f"{STAGES[type_].name} {len(rows):,}" for type_, rows in by_type.items())
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
            row.scored(float(type_ == kind) if type_ in types else None) for row, type_ in typed
        ]
        share = weighted_share(scores, "no_rows")
        rows.append(
            {
                **{key: name for key, name in names.items()},
                "type": STAGES[kind].name,
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
