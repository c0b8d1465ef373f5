"""Words of a page with their positions, for boxes, selection and screen readers; text search."""

from __future__ import annotations

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from typing_extensions import TypedDict

from pagetrail.annotation.errors import CorpusError
from pagetrail.app.routes.common import TOKEN_HEADER, check_token, guarded, json_body
from pagetrail.app.services.composition import Services
from pagetrail.app.workspace.annotator_actions import own_attempt
from pagetrail.app.workspace.highlights import document_with_page
from pagetrail.app.workspace.page_text import (
    PageTextRequest,
    TextFound,
    TextRecorded,
    find_in_document,
    parse_request,
    record_text_read,
)
from pagetrail.app.workspace.readable_pages import check_readable
from pagetrail.storage.people.accounts import Person

_DIGITS = 8

PlacedWord = tuple[float, float, float, float, str]


class PageWordsReply(TypedDict):
    """The words of a page."""

    words: list[PlacedWord]


class PageTextReply(TextRecorded):
    """The words of a page for a screen reader."""

    words: list[PlacedWord]


async def _page_words(request: Request, app: Services, person: Person) -> Response:
    attempt_id = str(request.path_params["attempt"])
    await check_token(app, person, request.headers.get(TOKEN_HEADER), attempt_id)
    document = request.query_params.get("document", "")
    number = request.query_params.get("page", "")

    page = int(number) if number.isdecimal() and len(number) <= _DIGITS else 0

    def allowed() -> bool:
        row = own_attempt(app, person, attempt_id)
        check_readable(app, row, document, page)
        return row.protocol.boxes.enabled or row.protocol.text.is_available

    # Otherwise annotators only get page images, like agents.
    reply: PageWordsReply = {"words": []}
    if await run_in_threadpool(allowed):
        reply["words"] = await app.render_queue.run(
            person.id, ("words", document, page), lambda: placed_words_of(app, document, page)
        )
    return JSONResponse(reply)


async def _read_text(request: Request, app: Services, person: Person) -> Response:
    text_request = await _text_request(request, app, person)

    def record() -> TextRecorded:
        row = own_attempt(app, person, str(request.path_params["attempt"]))
        check_readable(app, row, text_request.document, text_request.page)
        return record_text_read(app, person, row, text_request)

    recorded = await run_in_threadpool(record)
    placed_words = await app.render_queue.run(
        person.id,
        ("words", text_request.document, text_request.page),
        lambda: placed_words_of(app, text_request.document, text_request.page),
    )
    reply: PageTextReply = {**recorded, "words": placed_words}
    return JSONResponse(reply)


async def _find(request: Request, app: Services, person: Person) -> Response:
    text_request = await _text_request(request, app, person)

    def find() -> TextFound:
        row = own_attempt(app, person, str(request.path_params["attempt"]))
        check_readable(app, row, text_request.document, None)
        return find_in_document(app, person, row, text_request)

    return JSONResponse(await run_in_threadpool(find))


async def _text_request(request: Request, app: Services, person: Person) -> PageTextRequest:
    attempt_id = str(request.path_params["attempt"])
    await check_token(app, person, request.headers.get(TOKEN_HEADER), attempt_id)
    return parse_request(await json_body(request))


def placed_words_of(services: Services, document: str, page: int) -> list[PlacedWord]:
    """The page's words in reading order: x0, y0, x1, y1 in points as displayed, and the text.

    At most ``page_worker.MAX_WORDS``; empty if the page has no text layer or cannot be read, since
    the words are only an aid, and the page image shows the problem.

    Raises:
        NotFoundError: no such document or page.
    """
    info = document_with_page(services, document, page)
    try:
        page_words = services.images.words(info.sha256, page)
    except CorpusError:
        return []
    placed = [
        (round(w.x0, 2), round(w.y0, 2), round(w.x1, 2), round(w.y1, 2), w.text) for w in page_words
    ]
    return [word for word in placed if word[0] < word[2] and word[1] < word[3]]


def routes(prefix: str) -> list[Route]:
    """The routes below ``prefix``."""
    return [
        Route(f"{prefix}/attempts/{{attempt}}/words", guarded(_page_words, None), methods=["GET"]),
        Route(f"{prefix}/attempts/{{attempt}}/text", guarded(_read_text, None), methods=["POST"]),
        Route(f"{prefix}/attempts/{{attempt}}/find", guarded(_find, "long"), methods=["POST"]),
    ]
