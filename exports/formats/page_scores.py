"""A model's scores of pages with the grades that the pages got, one row per task and page.

``selection`` is ``above`` for pages from the cut on, ``sampled`` for pages below it that were drawn
to be graded, and ``below`` for others. ``inclusion_probability`` is the probability with which a
page was given to be graded. ``grade`` is the page's judgement, or the upper median of its
annotators' grades while it is open; ``annotators`` counts them.
"""

from __future__ import annotations

from pathlib import Path

from pagetrail.exports.formats.export_format import GRADES_FROM_GOLD, Format
from pagetrail.exports.gold.graded_pages import graded_pages, page_grade
from pagetrail.exports.gold.page_grades import graded_queries, scoring_rules
from pagetrail.exports.reading.source import Source, WrittenFiles
from pagetrail.exports.writing.file_formats import save_csv

FILE = "page_scores.csv"
COLUMNS = (
    "task",
    "document",
    "page",
    "score",
    "selection",
    "inclusion_probability",
    "annotators",
    "grade",
)


def write(source: Source, folder: Path) -> WrittenFiles:
    """Write the scored pages of all tasks."""
    tally = WrittenFiles(
        counts={"rows": 0, "graded": 0, "tasks": 0},
        choices={
            **scoring_rules(source),
            "model": source.campaign.protocol.prefilter.model or None,
            "cut": source.campaign.protocol.prefilter.cut,
        },
    )
    rows, tasks = [], set()
    pages = graded_pages(source, tally)
    if not pages:
        graded_queries(source, tally)  # counts what it leaves out
    for task, page, probability, query in pages:
        ratings = () if query is None else query.ratings.get((page.document, page.page), ())
        grade = page_grade(query, page)
        is_above = page.selection == "above"
        rows.append(
            (
                task,
                page.document,
                page.page,
                page.score,
                page.selection,
                1.0 if is_above else probability,
                len(ratings),
                None if grade is None else int(grade),
            )
        )
        tasks.add(task)
        tally.count("graded", int(grade is not None))
    tally.rows[FILE] = save_csv(folder / FILE, COLUMNS, rows)
    tally.counts |= {"rows": len(rows), "tasks": len(tasks)}
    return tally


FORMAT = Format(
    name="page-scores",
    summary="a pre-filter's scores of pages with their grades",
    purpose="scores of pages by which tasks got their pages, with the grades of these",
    applies_to="graded pages that a model scored",
    write=write,
    gold=GRADES_FROM_GOLD,
)
