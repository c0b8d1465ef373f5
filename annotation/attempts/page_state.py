"""What an attempt has searched, looked at and cited."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.base import State


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
    if isinstance(payload, ev.SearchRefused):
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
        seq=seq,
    )
