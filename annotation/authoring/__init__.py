"""The live checks of question authoring (preset ``author``).

Each check is a pure function in a module of its own and gives one ``Finding``, with the evidence
for it: the offending words, the query that finds everything, the page that already suffices. Checks
warn; whether a warning blocks submission is the protocol's ``question.blocking``.
"""

from __future__ import annotations

from collections.abc import Iterable

from pagetrail.annotation.authoring import (
    agentic,
    duplicates,
    extractive,
    giveaway,
    minimality,
    overlap,
)
from pagetrail.annotation.authoring.draft import Draft, PageTexts, read_evidence
from pagetrail.annotation.ports import SearchIndex
from pagetrail.annotation.protocols.check_results import Finding

__all__ = ["Draft", "PageTexts", "run_checks"]


def run_checks(
    draft: Draft,
    *,
    pages: PageTexts,
    search: SearchIndex | None,
    top_k: int,
    existing: Iterable[tuple[str, str]],
    cites_pages: bool = True,
) -> tuple[Finding, ...]:
    """Run every check over a draft, however unfinished.

    Args:
        pages: the texts of the cited pages; a page without one is said to be unreadable.
        search: the campaign's search tool; None where there is none.
        top_k: pages that a search of the campaign returns.
        existing: (id, question) of the questions that this one must not repeat.
        cites_pages: whether the campaign has evidence, without which four checks have no basis.

    Returns:
        One finding a check: giveaway, extractive, agentic, overlap, duplicate, minimality; without
        evidence, giveaway and duplicate alone.
    """
    if not cites_pages:
        return giveaway.check(draft), duplicates.check(draft, existing)
    evidence = read_evidence(draft, pages)
    return (
        giveaway.check(draft),
        extractive.check(draft, evidence),
        agentic.check(draft, evidence, search, top_k),
        overlap.check(draft, evidence),
        duplicates.check(draft, existing),
        minimality.check(draft, evidence),
    )
