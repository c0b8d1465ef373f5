"""Events of searching, of looking at pages and of citing them."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from pagetrail.annotation.events.base import (
    MAX_TEXT,
    ExtendedPayload,
    Identifier,
    PageEvent,
    Payload,
    UndoableEdit,
)
from pagetrail.annotation.events.phrases import quoted
from pagetrail.annotation.events.search_results import SearchHit
from pagetrail.annotation.messages import N_, gettext, ngettext

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
    "back",
    "find",
    "recent",
    "beside",
    "bookmark",
]

_REACHED: dict[Via, str] = {
    "result": N_("from the results"),
    "next": N_("with “next”"),
    "previous": N_("with “previous”"),
    "first": N_("with “first page”"),
    "last": N_("with “last page”"),
    "jump": N_("by page number"),
    "thumbnail": N_("from the thumbnails"),
    "citation": N_("from the citations"),
    "history": N_("from the search history"),
    "document": N_("from the list of documents"),
    "given": N_("from the given pages"),
    "link": N_("through a link"),
    "restored": N_("where the work was left"),
    "back": N_("back to the last place"),
    "find": N_("looking for a text"),
    "recent": N_("from the recent pages"),
    "beside": N_("from beside the page"),
    "bookmark": N_("from the bookmarks"),
}
_FITS = {"width": N_("page width"), "page": N_("whole page")}
_TYPED = "what was typed, where the search box made its typographic quotes plain in ``query``"


class Searched(ExtendedPayload):
    """A query was run; the ranked results are what the person was shown."""

    added_later = ("looks_back_at", "tool", "arguments", "reply", "error", "typed")
    type: Literal["searched"] = "searched"
    lane = "search"
    server_only = True
    search_id: Identifier = Field(description="names this search in later events")
    query: str = Field(max_length=MAX_TEXT, description="as it was run")
    parsed: str | None = Field(
        description="the query as the engine understood it; None in an imported run, as are all "
        "of the next that its file does not tell"
    )
    top_k: int | None = Field(ge=1, description="result limit given to the engine")
    total_hits: int | None = Field(ge=0, description="pages of the index that match")
    took_ms: float | None = Field(ge=0, description="time in the engine, milliseconds")
    index_id: str | None = Field(description="identity of the index searched")
    results: tuple[SearchHit, ...] = Field(description="the first top_k pages, best first")
    rerun_of: Identifier | None = Field(
        default=None, description="search_id of the history entry that was clicked"
    )
    looks_back_at: Identifier | None = Field(
        default=None,
        description="search_id of the person's first search that was understood alike and returned "
        "the same: this one is a look back, and no search of its own",
    )
    tool: str | None = Field(
        default=None,
        max_length=200,
        description="of an imported run: the name of the tool, where it is not search_documents",
    )
    arguments: str = Field(
        default="",
        max_length=MAX_TEXT,
        description="of an imported run: the tool's arguments as JSON, where it had others than "
        "the query",
    )
    reply: str | None = Field(
        default=None,
        max_length=MAX_TEXT,
        description="of an imported run: what the tool returned, where it is more than the pages; "
        "left out where it is longer than 20,000 characters and the pages are known",
    )
    error: str = Field(
        default="",
        max_length=2_000,
        description="of an imported run: why the search failed; without results, it returned none",
    )
    typed: str | None = Field(default=None, max_length=MAX_TEXT, description=_TYPED)

    def sentence(self) -> str:
        sentence = (
            N_("Looked back at the search for {query}: {results}")
            if self.looks_back_at
            else N_("Searched again for {query}: {results}")
            if self.rerun_of
            else N_("Searched for {query}: {results}")
        )
        return gettext(sentence, query=quoted(self.query), results=self._result_words())

    @property
    def results_known(self) -> bool:
        """Whether it is known what the search returned, which is nothing if it failed."""
        return bool(self.results or self.total_hits == 0 or self.error)

    def _result_words(self) -> str:
        if self.error and not self.results:
            return gettext("failed, {error}", error=quoted(self.error))
        if not self.results_known:
            # The file of an imported run may not tell what a search returned.
            return gettext("results unknown")
        if self.total_hits is None:
            return gettext("{number} shown", number=len(self.results))
        return ngettext(
            "{number:,} page found, {shown} shown",
            "{number:,} pages found, {shown} shown",
            self.total_hits,
            shown=len(self.results),
        )


class SearchRefused(ExtendedPayload):
    """A query was not run; no result was shown."""

    added_later = ("typed",)
    type: Literal["search_refused"] = "search_refused"
    lane = "search"
    server_only = True
    search_id: Identifier = Field(description="names this search in later events")
    query: str = Field(max_length=MAX_TEXT, description="as it was sent, cut at 20,000 characters")
    reason: str = Field(description="machine-readable kind of refusal")
    message: str = Field(description="the sentence that was shown")
    typed: str | None = Field(default=None, max_length=MAX_TEXT, description=_TYPED)

    def sentence(self) -> str:
        return gettext(
            "Search for {query} was refused: {reason}",
            query=quoted(self.query),
            reason=self.message,
        )


class PageViewed(PageEvent):
    """A page was painted in the viewer."""

    type: Literal["page_viewed"] = "page_viewed"
    lane = "page"
    via: Via = Field(description="how the page was reached")
    search_id: Identifier | None = Field(default=None, description="the search it came from")
    rank: int | None = Field(default=None, ge=1, description="1-based rank in that search")

    def sentence(self) -> str:
        way = gettext(_REACHED[self.via])
        if self.rank is None:
            return gettext("Viewed {page}, {way}", page=self.page_name, way=way)
        return gettext(
            "Viewed {page}, {way}, rank {rank}", page=self.page_name, way=way, rank=self.rank
        )


class ViewChanged(Payload):
    """Zoom, fit or rotation of the view; the stored page is untouched."""

    type: Literal["view_changed"] = "view_changed"
    fit: Literal["width", "page", "none"] = Field(description="how the page is fitted")
    zoom: float = Field(ge=5, le=1_600, description="percent; 100 = 1 point on 1/72 inch")
    rotation: Literal[0, 90, 180, 270] = Field(description="clockwise degrees added to the view")

    def sentence(self) -> str:
        size = (
            gettext(_FITS[self.fit])
            if self.fit in _FITS
            else gettext("zoom {percent} %", percent=f"{self.zoom:g}")
        )
        if not self.rotation:
            return gettext("Changed the view: {size}", size=size)
        return gettext(
            "Changed the view: {size}, turned by {degrees}°", size=size, degrees=self.rotation
        )


class CitationAdded(PageEvent, UndoableEdit):
    """A page was cited as evidence."""

    type: Literal["citation_added"] = "citation_added"
    lane = "citation"
    is_edit = True
    is_content = True
    search_id: Identifier | None = Field(default=None, description="the search it came from")
    rank: int | None = Field(default=None, ge=1, description="1-based rank in that search")

    def sentence(self) -> str:
        return gettext("Cited {page}", page=self.page_name)


class CitationRemoved(PageEvent, UndoableEdit):
    """A citation was removed."""

    type: Literal["citation_removed"] = "citation_removed"
    lane = "citation"
    is_edit = True
    is_content = True

    def sentence(self) -> str:
        return gettext("Removed the citation of {page}", page=self.page_name)
