"""UniDoc-Bench's tables 3 and 7: precision and recall of the first ten pages of a search.

The paper evaluates retrievers. Here the pages are those that the first query of an attempt
returned, so that people, agents and any system whose run logs its results can be compared.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence

from pagetrail.annotation.metrics.attempt_rows import Row as Attempt
from pagetrail.annotation.metrics.search.ranking import (
    DEPTH,
    first_query_precision,
    first_query_recall,
    ndcg_reason,
)
from pagetrail.exports.papers.material import Material
from pagetrail.exports.papers.questions import NOT_STATED, Question
from pagetrail.exports.reports.metrics.cells import ATTEMPTS, PARTICIPANT, TASKS, AttemptMeasure
from pagetrail.exports.reports.metrics.participants import Participant
from pagetrail.exports.reports.model import ROW_KIND, Column, RowValues, Table

PRECISION = AttemptMeasure(
    Column(
        "precision",
        f"Precision@{DEPTH}",
        "score",
        f"Share of gold pages among the first {DEPTH} pages that the first query returned.",
    ),
    first_query_precision,
    ndcg_reason,
)
RECALL = AttemptMeasure(
    Column(
        "recall",
        f"Recall@{DEPTH}",
        "score",
        "Share of the gold pages that are among them.",
    ),
    first_query_recall,
    ndcg_reason,
)
NOTHING = "no attempt of the selected campaigns searched for gold pages with known results"
_NOTES = (
    "The pages that the first query of an attempt returned, at most as many as the campaign's "
    "search returns; precision is of as many as were returned, and 0 without any.",
    "Attempts of people at one task share a weight of 1.",
)
_Grouping = Callable[[Question], Sequence[str]]


def by_domain(material: Material | None, questions: Sequence[Question]) -> Table | str:
    """Table 3, or why there is none."""
    return _table(
        material,
        questions,
        "table-3",
        "Retrieval by domain",
        {"Domain": lambda question: [question.domain] if question.domain else []},
    )


def by_type(material: Material | None, questions: Sequence[Question]) -> Table | str:
    """Table 7, or why there is none."""
    return _table(
        material,
        questions,
        "table-7",
        "Retrieval by types of questions and answers",
        {
            "Question": lambda question: question.types,
            "Evidence": lambda question: (
                [" + ".join(question.modalities)] if question.modalities else []
            ),
        },
    )


def _table(
    material: Material | None,
    questions: Sequence[Question],
    key: str,
    title: str,
    groupings: Mapping[str, _Grouping],
) -> Table | str:
    searching = [
        participant
        for participant in ([] if material is None else material.participants)
        if any(ndcg_reason(row) is None for row in participant.rows)
    ]
    if material is None or not searching:
        return NOTHING
    question_of = {question.key: question for question in questions}
    rows = []
    for participant in searching:
        rows.append(
            {ROW_KIND: "pooled", "by": "All", "group": "All"}
            | _cells(material, participant, participant.rows)
        )
        for label, groups_of in groupings.items():
            groups: dict[str, list[Attempt]] = defaultdict(list)
            for row in participant.rows:
                question = question_of.get(row.task)
                for group in (question and groups_of(question)) or [NOT_STATED]:
                    groups[group].append(row)
            if set(groups) == {NOT_STATED}:
                continue
            rows += [
                {"by": label, "group": group} | _cells(material, participant, groups[group])
                for group in sorted(groups, key=lambda name: (name == NOT_STATED, name))
            ]
    return Table.from_rows(
        key=key,
        title=title,
        question="How many of the pages found are gold, and how many gold pages are found?",
        columns=(
            PARTICIPANT,
            Column("by", "By", "text"),
            Column("group", "Group", "text"),
            ATTEMPTS,
            TASKS,
            PRECISION.column,
            RECALL.column,
        ),
        rows=rows,
        notes=_NOTES,
        unit_column="attempts",
    )


def _cells(material: Material, participant: Participant, attempts: Sequence[Attempt]) -> RowValues:
    return {
        "side": participant.name,
        "attempts": len(attempts),
        "tasks": len({row.task for row in attempts}),
        "precision": PRECISION.cell(attempts, material.options),
        "recall": RECALL.cell(attempts, material.options),
    }
