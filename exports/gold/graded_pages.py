"""The pages that a model scored for each task, with the grades that they got.

docs/metrics.md, Pre-filter.
"""

from __future__ import annotations

from statistics import median_high

from pagetrail.annotation.metrics.prefilter import GradedPage
from pagetrail.annotation.tasks.page_scores import ScoredPage
from pagetrail.exports.gold.page_grades import Query, graded_queries
from pagetrail.exports.reading.source import Source, WrittenFiles


def graded_pages(
    source: Source, tally: WrittenFiles
) -> list[tuple[str, ScoredPage, float, Query | None]]:
    """(Task, scored page, inclusion probability, graded query), in the order of the tasks.

    Empty for a campaign without page scores. The query is None for a task that nobody graded.
    """
    scores = source.database.page_scores(source.campaign.id)
    if not scores:
        return []
    queries = {query.key: query for query in graded_queries(source, tally)}
    return [
        (task, page, entry.inclusion_probability, queries.get(task))
        for task, entry in scores.items()
        for page in entry.pages
    ]


def page_grade(query: Query | None, page: ScoredPage) -> float | None:
    """The page's grade: its judgement, or the upper median of its annotators' grades while open."""
    if query is None:
        return None
    key = (page.document, page.page)
    if key in query.scores:
        return float(query.scores[key])
    ratings = query.ratings.get(key)
    return float(median_high([rating.grade for rating in ratings])) if ratings else None


def prefilter_pages(source: Source, tally: WrittenFiles) -> list[GradedPage]:
    """The scored pages of a campaign, as measures take them."""
    return [
        GradedPage(
            task=task,
            score=page.score,
            is_above=page.selection == "above",
            is_given=page.is_graded,
            inclusion_probability=1.0 if page.selection == "above" else probability,
            grade=page_grade(query, page),
        )
        for task, page, probability, query in graded_pages(source, tally)
    ]
