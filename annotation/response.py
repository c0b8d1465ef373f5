"""The current state of an attempt, as a pure function of its events."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from functools import reduce
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from annotation import events as ev
from annotation.clock import iso, parse_iso

Status = Literal["new", "open", "submitted", "skipped"]


class _State(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Citation(_State):
    """A page cited as evidence, and the search that led to it."""

    document: str
    page: int
    search_id: str | None = None
    rank: int | None = None
    seq: int = Field(description="the event that added it")


class Search(_State):
    """An entry of the search history."""

    search_id: str
    query: str
    parsed: str | None = Field(description="None when the query was refused")
    total_hits: int | None
    results: tuple[tuple[str, int], ...] = Field(description="(document, page), best first")
    refusal: str | None = Field(default=None, description="the sentence shown, when refused")
    seq: int


class Position(_State):
    """The page in the viewer."""

    document: str
    page: int
    search_id: str | None = None
    rank: int | None = None


class View(_State):
    """Fit, zoom (percent) and rotation (degrees) of the viewer."""

    fit: Literal["width", "page", "none"] = "width"
    zoom: float = 100.0
    rotation: int = 0


class Response(_State):
    """What an attempt holds now."""

    status: Status = "new"
    closed: bool = False
    outcome: ev.Outcome | None = None
    skip_reason: str | None = None
    answer_text: str = ""
    note: str = ""
    flag: str | None = None
    citations: tuple[Citation, ...] = ()
    searches: tuple[Search, ...] = ()
    position: Position | None = None
    view: View = View()
    paused: bool = False
    hidden: bool = False
    n_page_views: int = 0
    last_seq: int = 0
    started_at: str | None = None
    updated_at: str | None = None
    elapsed_ms: int = 0
    clock_origin: str | None = Field(
        default=None,
        description="the moment that elapsed_ms counts from, by the server's clock: the earliest "
        "server_ts less elapsed_ms of any event. Earlier than started_at when the first events "
        "arrived with an age; it moves back with a server clock that was set back",
    )

    @property
    def answer(self) -> list[str]:
        """The answers, one a non-blank line, without surrounding space."""
        return [line.strip() for line in self.answer_text.splitlines() if line.strip()]

    def cites(self, document: str, page: int) -> bool:
        """Whether the page is cited."""
        return any(c.document == document and c.page == page for c in self.citations)


def fold(events: Iterable[ev.Event]) -> Response:
    """The state after all events: pure, deterministic and total over the event union."""
    return reduce(apply, events, Response())


def apply(state: Response, event: ev.Event) -> Response:
    """The state after one more event."""
    changes: dict[str, Any] = {
        "last_seq": event.seq,
        "started_at": state.started_at or event.server_ts,
        "updated_at": event.server_ts,
        "elapsed_ms": max(state.elapsed_ms, event.elapsed_ms),
        "clock_origin": _origin(state, event),
    }
    if state.status == "new":
        changes["status"] = "open"
    changes.update(_changes(state, event.payload, event.seq))
    return state.model_copy(update=changes)


def _origin(state: Response, event: ev.Event) -> str:
    origin = iso(parse_iso(event.server_ts) - timedelta(milliseconds=event.elapsed_ms))
    return origin if state.clock_origin is None else min(state.clock_origin, origin)


def _changes(state: Response, payload: ev.AnyPayload, seq: int) -> dict[str, Any]:
    match payload:
        case ev.Opened() | ev.TabShown():
            return {"hidden": False}
        case ev.Searched():
            search = Search(
                search_id=payload.search_id,
                query=payload.query,
                parsed=payload.parsed,
                total_hits=payload.total_hits,
                results=tuple((hit.file, hit.page) for hit in payload.results),
                seq=seq,
            )
            return {"searches": (*state.searches, search)}
        case ev.SearchRefused():
            search = Search(
                search_id=payload.search_id,
                query=payload.query,
                parsed=None,
                total_hits=None,
                results=(),
                refusal=payload.message,
                seq=seq,
            )
            return {"searches": (*state.searches, search)}
        case ev.PageViewed():
            position = Position(
                document=payload.document,
                page=payload.page,
                search_id=payload.search_id,
                rank=payload.rank,
            )
            return {"position": position, "n_page_views": state.n_page_views + 1}
        case ev.ViewChanged():
            view = View(fit=payload.fit, zoom=payload.zoom, rotation=payload.rotation)
            return {"view": view}
        case ev.CitationAdded():
            if state.cites(payload.document, payload.page):
                return {}
            citation = Citation(
                document=payload.document,
                page=payload.page,
                search_id=payload.search_id,
                rank=payload.rank,
                seq=seq,
            )
            return {"citations": (*state.citations, citation)}
        case ev.CitationRemoved():
            kept = tuple(
                c
                for c in state.citations
                if (c.document, c.page) != (payload.document, payload.page)
            )
            return {"citations": kept}
        case ev.AnswerEdited():
            return {"answer_text": payload.text}
        case ev.NoteEdited():
            return {"note": payload.text}
        case ev.Flagged():
            return {"flag": payload.comment}
        case ev.Unflagged():
            return {"flag": None}
        case ev.Paused():
            return {"paused": True}
        case ev.Resumed():
            return {"paused": False}
        case ev.TabHidden():
            return {"hidden": True}
        case ev.Skipped():
            return {"status": "skipped", "skip_reason": payload.reason, "outcome": None}
        case ev.Submitted():
            return {"status": "submitted", "outcome": payload.outcome, "skip_reason": None}
        case ev.Reopened():
            return {"status": "open", "outcome": None, "skip_reason": None}
        case ev.BatchClosed():
            return {"closed": True}
        case ev.Reconnected() | ev.GuidelinesOpened() | ev.GuidelinesClosed():
            return {}
