"""ViDoRe V3's tables of answers: 3, end to end, and 16, without the corpus."""

from __future__ import annotations

from pagetrail.annotation.metrics.without_documents import questions_by_need
from pagetrail.exports.papers.material import Material, pages_are_given
from pagetrail.exports.reading.source import Source
from pagetrail.exports.reports.metrics.cells import ACCURACY, ATTEMPTS, PARTICIPANT, TASKS
from pagetrail.exports.reports.metrics.without_documents import models_table
from pagetrail.exports.reports.model import Column, RowValues, Table

_EASY = (
    "A query is easy if any model of these campaigns answered it correctly without the documents, "
    "and hard otherwise (appendix H)."
)


def end_to_end(material: Material) -> Table | str:
    """Table 3: correct final answers, of easy and hard queries too, or why there is none."""
    context_of = {
        row.attempt: _context(source)
        for source, campaign in zip(material.sources, material.measured_campaigns, strict=True)
        for row in campaign.rows
    }
    needs = _needs(material)
    rows: list[RowValues] = []
    for participant in material.ranked([*material.participants, *material.oracle]):
        if not participant.decided:
            continue
        hard, easy = (
            [row for row in participant.rows if needs.get(row.task) is needed]
            for needed in (True, False)
        )
        rows.append(
            {
                "side": participant.name,
                "context": context_of[participant.rows[0].attempt],
                "attempts": len(participant.rows),
                "tasks": len({row.task for row in participant.rows}),
                "accuracy": ACCURACY.cell(participant.rows, material.options),
                "easy": ACCURACY.cell(easy, material.options),
                "hard": ACCURACY.cell(hard, material.options),
            }
        )
    if not rows:
        return "no answer of the selected campaigns was decided to be correct or incorrect"
    return Table.from_rows(
        key="table-3",
        title="Final answers",
        question="What share of final answers is correct, on easy and on hard queries?",
        columns=(
            PARTICIPANT,
            Column(
                "context",
                "Context",
                "text",
                "Pages found by searching, candidate pages, or gold pages.",
            ),
            ATTEMPTS,
            TASKS,
            ACCURACY.column,
            Column("easy", "Easy", "share", "Accuracy on easy queries."),
            Column("hard", "Hard", "share", "Accuracy on hard queries."),
        ),
        rows=rows,
        notes=[
            _EASY,
            "Without a run of models without documents (import-run --without-documents), no query "
            "is known to be easy or hard."
            if not needs
            else "Queries that no such model answered are in neither column.",
        ],
        unit_column="attempts",
    )


def without_corpus(material: Material) -> Table | str:
    """Table 16: what models answer correctly without the corpus, or why there is none."""
    rows: list[RowValues] = []
    for source, campaign in zip(material.sources, material.measured_campaigns, strict=True):
        needs = questions_by_need((row.task, row.correct) for row in campaign.guesses)
        if not needs:
            continue
        table = models_table(campaign.guesses, needs, material.options)
        for row in table.rows:
            is_pooled = row.kind == "pooled"
            rows.append(
                {
                    "row_kind": row.kind,
                    "campaign": source.campaign.name,
                    "side": "Easy queries" if is_pooled else row.cells["side"].value,
                    "questions": row.cells["questions"].value,
                    "correct": row.cells["correct"],
                }
            )
    if not rows:
        return "no run of these campaigns was made without documents"
    return Table.from_rows(
        key="table-16",
        title="Answers without the corpus",
        question="What share of queries do language models answer without the corpus?",
        columns=(
            Column("campaign", "Dataset", "text", "A campaign."),
            Column("side", "Model", "text"),
            Column("questions", "Queries", "count", "Answered, and decided."),
            Column("correct", "Correct", "share", "In the last row, the share of easy queries."),
        ),
        rows=rows,
        notes=[_EASY],
    )


def _context(source: Source) -> str:
    """Which pages participants of a campaign had."""
    if source.campaign.protocol.search.enabled:
        return "own search"
    return "oracle" if pages_are_given(source) else "candidate pages"


def _needs(material: Material) -> dict[str, bool]:
    """Query → whether it is hard; of several campaigns, easy in one is easy."""
    return questions_by_need(
        (row.task, row.correct)
        for campaign in material.measured_campaigns
        for row in campaign.guesses
    )
