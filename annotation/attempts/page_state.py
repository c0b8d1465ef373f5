"""What an attempt has searched, looked at and cited."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from pydantic import Field

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.base import State
from pagetrail.annotation.events.search_results import NO_INDEXED_WORD, SearchOutcome


class Citation(State):
    """A page cited as evidence, and the search that led to it."""

    document: str
    page: int
    search_id: str | None = None
    rank: int | None = None
    seq: int = Field(description="the event that added it")


class Search(State):
    """An entry of the search history."""

    search_id: str
    query: str
    parsed: str | None = Field(description="None when the query was refused")
    total_hits: int | None
    results: tuple[tuple[str, int], ...] = Field(description="(document, page), best first")
    refusal: str | None = Field(default=None, description="the sentence shown, when refused")
    looks_back_at: str | None = Field(
        default=None, description="the earlier search that it repeats; then no step of its own"
    )
    seq: int


class Position(State):
    """The page in the viewer."""

    document: str
    page: int
    search_id: str | None = None
    rank: int | None = None


class View(State):
    """Fit, zoom (percent) and rotation (degrees) of the viewer."""

    fit: Literal["width", "page", "none"] = "width"
    zoom: float = 100.0
    rotation: int = 0


def search_of(payload: ev.Searched | ev.SearchRefused, seq: int) -> Search:
    """The entry of the search history that a query makes, answered or refused."""
    if payload.type == "search_refused":
        return Search(
            search_id=payload.search_id,
            query=payload.query,
            parsed=None,
            total_hits=None,
            results=(),
            refusal=payload.message,
            seq=seq,
        )
    return Search(
        search_id=payload.search_id,
        query=payload.query,
        parsed=payload.parsed,
        total_hits=payload.total_hits,
        results=tuple((hit.file, hit.page) for hit in payload.results),
        looks_back_at=payload.looks_back_at,
        seq=seq,
    )


def own_searches(searches: Iterable[Search]) -> list[Search]:
    """The searches without looks back at earlier ones."""
    return [search for search in searches if search.looks_back_at is None]


def repeated_search(searches: Iterable[Search], outcome: SearchOutcome) -> str | None:
    """The first search that was understood alike and returned the same pages; None if none was.

    A query that returns other pages by now, since the collection has changed, is a new search. Of
    queries without any indexed word, those with other words are new searches too.
    """
    pages = tuple((hit.file, hit.page) for hit in outcome.results)
    for search in own_searches(searches):
        if search.parsed != outcome.parsed or search.results != pages:
            continue
        if outcome.parsed != NO_INDEXED_WORD or search.query.split() == outcome.query.split():
            return search.search_id
    return None
