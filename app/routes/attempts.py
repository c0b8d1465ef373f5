"""Routes of the workspace screen: state, events, search, documents, closing a batch."""

from __future__ import annotations

import asyncio

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from typing_extensions import TypedDict

from pagetrail.annotation.errors import NotFoundError
from pagetrail.annotation.messages import gettext
from pagetrail.app.routes.common import (
    TOKEN_HEADER,
    check_token,
    error_response,
    guarded,
    json_body,
    parsed_json,
    whole_body,
    whole_number,
)
from pagetrail.app.services.composition import Services
from pagetrail.app.services.person_turns import TooManyRequests
from pagetrail.app.workspace.annotator_actions import (
    attempt_to_open,
    close_batch,
    count_events,
    own_attempt,
    record_events,
)
from pagetrail.app.workspace.highlights import Box, highlight_terms, highlights
from pagetrail.app.workspace.payload import (
    AttemptPayload,
    ShownDocument,
    attempt_payload,
    document_json,
    documents,
)
from pagetrail.app.workspace.readable_pages import check_readable
from pagetrail.app.workspace.search import ShownSearch, run_search
from pagetrail.storage.people.accounts import Person

_REFUSAL_S = 1.0
"""Seconds before refusing a person who sends too much, to delay the next try."""


class SearchResponse(ShownSearch):
    """A search, and the documents of its results."""

    documents: dict[str, ShownDocument]
    last_seq: int
    saved_at: str | None


class HighlightsReply(TypedDict):
    """Boxes of the words that match a search."""

    boxes: list[Box]


class BatchCloseReply(TypedDict):
    """The batch is closed."""

    closed: bool


async def _entered(request: Request, app: Services, person: Person) -> str:
    attempt_id = str(request.path_params["attempt"])
    await check_token(app, person, request.headers.get(TOKEN_HEADER), attempt_id)
    return attempt_id


async def _boot(request: Request, app: Services, person: Person) -> Response:
    # No token is checked, since this route issues it; session and ownership are.
    attempt_id = str(request.path_params["attempt"])

    def record() -> AttemptPayload:
        return attempt_payload(app, person, attempt_to_open(app, person, attempt_id))

    return JSONResponse(await run_in_threadpool(record))


async def _events(request: Request, app: Services, person: Person) -> Response:
    attempt_id = await _entered(request, app, person)
    body = await whole_body(request)
    value = parsed_json(body)
    try:
        wait = app.event_rates.wait(person.id, count_events(value), len(body))
    except TooManyRequests:
        await asyncio.sleep(_REFUSAL_S)
        raise
    await asyncio.sleep(wait)
    return JSONResponse(await run_in_threadpool(record_events, app, person, attempt_id, value))


async def _search(request: Request, app: Services, person: Person) -> Response:
    attempt_id = await _entered(request, app, person)
    body = await json_body(request)

    def search() -> SearchResponse:
        reply, state = run_search(app, person, attempt_id, body)
        document_names = {hit["document"] for hit in reply["results"]}
        return {
            **reply,
            "documents": documents(app, document_names),
            "last_seq": state.last_seq,
            "saved_at": state.updated_at,
        }

    return JSONResponse(await run_in_threadpool(search))


async def _document(request: Request, app: Services, person: Person) -> Response:
    attempt_id = await _entered(request, app, person)
    name = request.query_params.get("name", "")

    def give() -> ShownDocument:
        row = own_attempt(app, person, attempt_id)
        check_readable(app, row, name, None)
        info = app.corpus.document(name)
        if info is None:
            raise NotFoundError(
                gettext("There is no document {name} in this collection.", name=name)
            )
        return document_json(info)

    return JSONResponse(await run_in_threadpool(give))


async def _highlights(request: Request, app: Services, person: Person) -> Response:
    attempt_id = await _entered(request, app, person)
    name = request.query_params.get("document", "")
    page = whole_number(request.query_params.get("page", ""))
    search_id = request.query_params.get("search_id", "")

    def search_terms() -> frozenset[str]:
        row = own_attempt(app, person, attempt_id)
        search = next(
            (s for s in app.log.state(attempt_id).searches if s.search_id == search_id), None
        )
        if not row.protocol.search.highlights or search is None:
            return frozenset()
        check_readable(app, row, name, page)
        return highlight_terms(app, search.query)

    terms = await run_in_threadpool(search_terms)
    reply: HighlightsReply = {"boxes": []}
    if terms:
        reply["boxes"] = await app.render_queue.run(
            person.id, ("highlights", name, page, terms), lambda: highlights(app, name, page, terms)
        )
    return JSONResponse(reply)


async def _close(request: Request, app: Services, person: Person) -> Response:
    assignment_id = whole_number(str(request.path_params["assignment"]))
    await run_in_threadpool(close_batch, app, person, assignment_id)
    reply: BatchCloseReply = {"closed": True}
    return JSONResponse(reply)


async def nothing_here(_request: Request) -> Response:
    """An unknown path below the project's prefix; Streamlit would answer 200 with its page."""
    return error_response(NotFoundError(gettext("There is nothing at this address.")))


def routes(prefix: str) -> list[Route]:
    """The routes below ``prefix``."""
    return [
        Route(f"{prefix}/attempts/{{attempt}}", guarded(_boot, "long"), methods=["GET"]),
        Route(f"{prefix}/attempts/{{attempt}}/events", guarded(_events), methods=["POST"]),
        Route(f"{prefix}/attempts/{{attempt}}/search", guarded(_search, "long"), methods=["POST"]),
        Route(f"{prefix}/attempts/{{attempt}}/document", guarded(_document), methods=["GET"]),
        Route(
            f"{prefix}/attempts/{{attempt}}/highlights", guarded(_highlights, None), methods=["GET"]
        ),
        Route(f"{prefix}/assignments/{{assignment}}/close", guarded(_close), methods=["POST"]),
    ]
