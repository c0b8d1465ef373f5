"""Drafts, page texts and a small search engine for the tests of the live checks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pagetrail.annotation.authoring import Draft
from pagetrail.annotation.authoring.draft import EvidencePage, read_evidence
from pagetrail.annotation.authoring.tokens import engine_words
from pagetrail.annotation.errors import PagetrailError, QueryRefused
from pagetrail.annotation.events.search_results import SearchHit, SearchOutcome

A1, A2, B1 = ("a.pdf", 1), ("a.pdf", 2), ("b.pdf", 1)
PageRef = tuple[str, int]


class Pages:
    """Page texts in memory."""

    def __init__(self, texts: Mapping[PageRef, str | None]) -> None:
        self._texts = texts

    def text(self, document: str, page: int) -> str | None:
        """The text of a page, or None."""
        return self._texts.get((document, page))


def draft(
    question: str = "",
    answers: Sequence[str] = (),
    evidence: Sequence[PageRef] = (),
    *,
    unanswerable: bool = False,
    queries: Sequence[str] = (),
) -> Draft:
    """A draft from plain values."""
    return Draft(
        question=question,
        answers=tuple(answers),
        evidence=tuple(evidence),
        unanswerable=unanswerable,
        queries=tuple(queries),
    )


def read(task_draft: Draft, texts: Mapping[PageRef, str | None]) -> list[EvidencePage]:
    """The draft's evidence with these texts."""
    return read_evidence(task_draft, Pages(texts))


class Engine:
    """A search index over page texts: all words must match, or one of them with OR.

    Args:
        texts: the pages, best first.
        refuse: queries that are refused; None refuses all.
        broken: whether it fails altogether.
    """

    identity = "engine"

    def __init__(
        self,
        texts: Mapping[PageRef, str],
        *,
        refuse: Sequence[str] | None = (),
        broken: bool = False,
    ) -> None:
        self._texts = texts
        self._refuse = refuse
        self._broken = broken
        self.queries: list[str] = []

    def search(self, query: str, top_k: int) -> SearchOutcome:
        """The first pages that match."""
        self.queries.append(query)
        if self._broken:
            raise PagetrailError("The search processes do not start.")
        if self._refuse is None or query in self._refuse:
            raise QueryRefused("Too broad.")
        test = any if " OR " in query else all
        query_words = engine_words(query.replace(" OR ", " "))
        hits = [
            page
            for page, text in self._texts.items()
            if query_words and test(word in engine_words(text) for word in query_words)
        ]
        return SearchOutcome(
            query=query,
            parsed=query,
            total_hits=len(hits),
            took_ms=0,
            top_k=top_k,
            index_id=self.identity,
            results=tuple(
                SearchHit(rank=rank, file=file, page=page, score=1)
                for rank, (file, page) in enumerate(hits[:top_k], start=1)
            ),
        )
