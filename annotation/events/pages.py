"""Events of searching, of looking at pages and of citing them."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from pagetrail.annotation.events.base import MAX_TEXT, Identifier, Name, PageNumber, Payload
from pagetrail.annotation.events.search_results import SearchHit

Via = Literal[
    "result",
    "next",
    "previous",
    "first",
    "last",
    "jump",
    "thumbnail",
    "citation",
    "history",
    "document",
    "given",
    "link",
    "restored",
]


class Searched(Payload):
    """A query was run; the ranked results are what the person was shown."""

    type: Literal["searched"] = "searched"
    search_id: Identifier = Field(description="names this search in later events")
    query: str = Field(max_length=MAX_TEXT, description="as typed")
    parsed: str | None = Field(
        description="the query as the engine understood it; None in an imported run, as are all "
        "of the next that its file does not tell"
    )
    top_k: int | None = Field(ge=1, description="result limit handed to the engine")
    total_hits: int | None = Field(ge=0, description="pages of the index that match")
    took_ms: float | None = Field(ge=0, description="time in the engine, milliseconds")
    index_id: str | None = Field(description="identity of the index searched")
    results: tuple[SearchHit, ...] = Field(description="the first top_k pages, best first")
    rerun_of: Identifier | None = Field(
        default=None, description="search_id of the history entry that was clicked"
    )


class SearchRefused(Payload):
    """A query was not run; no result was shown."""

    type: Literal["search_refused"] = "search_refused"
    search_id: Identifier = Field(description="names this search in later events")
    query: str = Field(max_length=MAX_TEXT, description="as typed, cut at 20,000 characters")
    reason: str = Field(description="machine-readable kind of refusal")
    message: str = Field(description="the sentence that was shown")


class PageViewed(Payload):
    """A page was painted in the viewer."""

    type: Literal["page_viewed"] = "page_viewed"
    document: Name = Field(description="document name")
    page: PageNumber = Field(description="1-based page number")
    via: Via = Field(description="how the page was reached")
    search_id: Identifier | None = Field(default=None, description="the search it came from")
    rank: int | None = Field(default=None, ge=1, description="1-based rank in that search")


class ViewChanged(Payload):
    """Zoom, fit or rotation of the view; the stored page is untouched."""

    type: Literal["view_changed"] = "view_changed"
    fit: Literal["width", "page", "none"] = Field(description="how the page is fitted")
    zoom: float = Field(ge=5, le=1_600, description="percent; 100 = 1 point on 1/72 inch")
    rotation: Literal[0, 90, 180, 270] = Field(description="clockwise degrees added to the view")


class CitationAdded(Payload):
    """A page was cited as evidence."""

    type: Literal["citation_added"] = "citation_added"
    document: Name = Field(description="document name")
    page: PageNumber = Field(description="1-based page number")
    search_id: Identifier | None = Field(default=None, description="the search it came from")
    rank: int | None = Field(default=None, ge=1, description="1-based rank in that search")


class CitationRemoved(Payload):
    """A citation was taken back."""

    type: Literal["citation_removed"] = "citation_removed"
    document: Name = Field(description="document name")
    page: PageNumber = Field(description="1-based page number")
