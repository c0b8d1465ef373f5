"""MADQA's table 8: can questions be solved by searching for their words?"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from pagetrail.annotation.metrics.attribution import Page
from pagetrail.annotation.metrics.lexical_overlap import SIZES, Matches, lexical_matches
from pagetrail.annotation.metrics.result import mean_over_tasks
from pagetrail.annotation.tasks.task import read_task
from pagetrail.exports.gold.gold_checks import records_by_gold
from pagetrail.exports.papers.material import Material
from pagetrail.exports.papers.ratios import TaskCount, ratio_cell
from pagetrail.exports.reports.metrics.cells import Options, task_mean_cell
from pagetrail.exports.reports.model import Cell, Column, RowValues, Table

_NAMES = {1: "Unigram", 2: "Bigram", 3: "Trigram"}


def lexical_solvability(material: Material) -> Table | str:
    """The table, or why there is none.

    A question that several campaigns ask under the same key counts once, with the gold of the
    first. Different questions under one key all count.
    """
    questions: dict[str, tuple[str, frozenset[Page]]] = {}
    broken = 0
    for source in material.sources:
        record_of = records_by_gold(source, material.gold)
        for task in source.database.tasks(source.campaign.id):
            try:
                record = read_task(record_of(task.key, task.record))
            except ValueError:
                broken += 1
                continue
            gold = frozenset(ref.key for ref in record.evidence)
            if gold and not record.unanswerable and record.question:
                name = task.key
                existing = questions.get(name)
                if existing is not None and existing[0] != record.question:
                    name = f"{name} ({source.campaign.name})"
                questions.setdefault(name, (record.question, gold))
    if not questions:
        return "no task has a question and gold evidence"
    # All sources are campaigns of one workspace, whose pages they share.
    by_size = lexical_matches(questions, material.sources[0].pages.texts())
    return Table.from_rows(
        key="table-8",
        title="Lexical solvability",
        question="Do the words of a question identify its gold pages?",
        columns=(
            Column("grams", "N-gram", "text"),
            Column("n", "n", "count", "Questions with gold evidence."),
            Column(
                "pages",
                "Median pages",
                "number",
                "Median over questions of the number of matching pages.",
            ),
            Column(
                "precision",
                "Precision",
                "share",
                "Gold pages among matching pages, pooled over questions.",
            ),
            Column(
                "macro", "Mean precision", "share", "Mean precision over questions with a match."
            ),
            Column(
                "recall", "Recall", "share", "Share of gold pages that match, mean over questions."
            ),
            Column("none", "No match", "count", "Questions without a matching page."),
        ),
        rows=[_row(size, by_size[size], material.options) for size in SIZES],
        notes=[
            "A page matches if its stored text contains at least one n-gram of the question. Stop "
            "words are removed from pages and questions, question words from questions. All pages "
            "of the collection are searched.",
            "Borchmann et al. (2026) do not state whether precision is pooled or averaged; both "
            "are given.",
            *([f"Tasks left out because of an invalid record: {broken:,}."] if broken else []),
        ],
    )


def _row(size: int, questions: Sequence[Matches], options: Options) -> RowValues:
    matched = [question for question in questions if question.pages]
    precisions = [
        (question.task, question.precision)
        for question in matched
        if question.precision is not None
    ]
    recalls = [
        (question.task, question.recall) for question in questions if question.recall is not None
    ]
    return {
        "grams": _NAMES[size],
        "n": len(questions),
        "pages": Cell(float(median(question.pages for question in questions)), n=len(questions)),
        "precision": ratio_cell(
            [TaskCount(question.found, question.pages) for question in matched], options, "no_rows"
        ),
        "macro": task_mean_cell(mean_over_tasks(precisions, "no_rows"), precisions, options),
        "recall": task_mean_cell(mean_over_tasks(recalls, "no_rows"), recalls, options),
        "none": len(questions) - len(matched),
    }
