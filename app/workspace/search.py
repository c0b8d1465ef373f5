"""A search from the workspace: run it, log what was shown, answer with the same."""

from __future__ import annotations

from typing import Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator
from typing_extensions import TypedDict

from pagetrail.annotation.attempts.page_state import Search, repeated_search
from pagetrail.annotation.attempts.recorder import Command
from pagetrail.annotation.attempts.state import AttemptState
from pagetrail.annotation.errors import BadRequest, QueryRefused
from pagetrail.annotation.events.base import MAX_TEXT
from pagetrail.annotation.events.pages import Searched, SearchRefused
from pagetrail.annotation.messages import gettext
from pagetrail.annotation.normalised_text import plain_quotes
from pagetrail.annotation.readable_errors import describe
from pagetrail.app.services.composition import Services
from pagetrail.app.workspace.annotator_actions import MAX_AGE_MS, own_attempt, record_command
from pagetrail.storage.attempts.queries import AttemptRow
from pagetrail.storage.people.accounts import Person
from pagetrail.storage.people.system_roles import SYSTEM
from pagetrail.storage.search.snippets import Run


class SearchRequest(BaseModel):
    """The body of a search request."""

    model_config = ConfigDict(extra="ignore")
    id: str = Field(min_length=1, max_length=90, pattern=r"^[A-Za-z0-9_.:-]+$")
    query: str = Field(max_length=MAX_TEXT)
    typed: str | None = Field(default=None, max_length=MAX_TEXT)
    rerun_of: str | None = Field(default=None, max_length=100)
    client_ts: str | None = Field(default=None, max_length=40)
    age_ms: int = Field(default=0, ge=0, le=MAX_AGE_MS)

    @model_validator(mode="after")
    def _check_typed(self) -> Self:
        if self.typed is not None and plain_quotes(self.typed) != self.query:
            raise ValueError("typed is not the query with typographic quotes")
        return self


class SearchHit(TypedDict):
    """A page that a search found; the snippet's parts say whether they match the query."""

    rank: int
    document: str
    page: int
    snippet: tuple[Run, ...] | None


class SearchRefusal(TypedDict):
    """Why a query was not run."""

    message: str


class ShownSearch(TypedDict):
    """A search for the results strip.

    Attributes:
        looks_back_at: the earlier search that it repeats.
        parsed: the query as the engine read it; None if it was refused.
        suggestion: “did you mean”.
    """

    search_id: str
    looks_back_at: str | None
    query: str
    parsed: str | None
    total_hits: int | None
    top_k: int
    results: list[SearchHit]
    refusal: SearchRefusal | None
    suggestion: str | None


def run_search(
    services: Services, person: Person, attempt_id: str, body: object
) -> tuple[ShownSearch, AttemptState]:
    """Search for an attempt; a repeated request id gives the stored search, not a second one.

    Returns:
        The reply for the results strip, and the attempt's state after it.

    Raises:
        BadRequest: the body is not a search.
        Refusal: the attempt takes no search now.
        NotFoundError, Forbidden, ConflictError: as ``own_attempt``; the hold of a gold draft may be
            lost meanwhile.
    """
    row = own_attempt(services, person, attempt_id)
    row.require_changeable()
    try:
        request = SearchRequest.model_validate(body)
    except ValidationError as error:
        raise BadRequest(
            gettext("This is not a search: {problem}", problem=describe(error))
        ) from error
    state = services.log.state(attempt_id)
    if not any(search.search_id == request.id for search in state.searches):
        command = Command(
            request.id,
            _search(services, row, request, state if person.role != SYSTEM else None),
            request.client_ts,
            request.age_ms,
        )
        state = record_command(services, person, row, command)
    stored = next(search for search in state.searches if search.search_id == request.id)
    return _reply(services, row, stored), state


def stored_reply(services: Services, row: AttemptRow, state: AttemptState) -> ShownSearch | None:
    """The reply of the attempt's last search, to show its results again after a reload."""
    return _reply(services, row, state.searches[-1]) if state.searches else None


def _search(
    services: Services, row: AttemptRow, request: SearchRequest, before: AttemptState | None
) -> Searched | SearchRefused:
    if not row.protocol.search.enabled:
        # The recorder refuses it; the engine need not run first.
        return SearchRefused(
            search_id=request.id, query=request.query, reason="no_search", message=""
        )
    try:
        outcome = services.search.search(request.query, row.protocol.search.top_k)
    except QueryRefused as refused:
        return SearchRefused(
            search_id=request.id,
            query=request.query,
            reason=refused.code,
            message=refused.message,
            typed=request.typed,
        )
    return Searched(
        search_id=request.id,
        query=request.query,
        parsed=outcome.parsed,
        top_k=outcome.top_k,
        total_hits=outcome.total_hits,
        took_ms=round(outcome.took_ms, 3),
        index_id=outcome.index_id,
        results=outcome.results,
        rerun_of=request.rerun_of,
        looks_back_at=None if before is None else repeated_search(before.searches, outcome),
        typed=request.typed,
    )


def _reply(services: Services, row: AttemptRow, search: Search) -> ShownSearch:
    aids = row.protocol.search
    snippets: list[tuple[Run, ...] | None] = [None] * len(search.results)
    suggestion = None
    if search.results and aids.snippets:
        snippets = services.search.snippets(search.query, list(search.results))
    if search.total_hits == 0 and aids.suggestions:
        suggestion = services.search.suggest(search.query)
    return {
        "search_id": search.search_id,
        "looks_back_at": search.looks_back_at,
        "query": search.query,
        "parsed": search.parsed,
        "total_hits": search.total_hits,
        "top_k": aids.top_k,
        "results": [
            {"rank": rank, "document": document, "page": page, "snippet": snippet}
            for rank, ((document, page), snippet) in enumerate(
                zip(search.results, snippets, strict=True), start=1
            )
        ],
        "refusal": None if search.refusal is None else {"message": search.refusal},
        "suggestion": suggestion,
    }
