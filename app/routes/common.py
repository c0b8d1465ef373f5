"""Shared by all routes: finding the person, checking tokens, answering errors as JSON."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable
from contextlib import nullcontext

from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from typing_extensions import TypedDict

from pagetrail.annotation.errors import (
    BadRequest,
    ConflictError,
    CorpusError,
    Forbidden,
    NotFoundError,
    PagetrailError,
    Refusal,
    StorageError,
)
from pagetrail.annotation.json_types import ErrorDetails
from pagetrail.annotation.messages import gettext
from pagetrail.app.services.composition import RequestKind, Services, services
from pagetrail.app.services.computations import TooLong
from pagetrail.app.services.origins import require_same_origin
from pagetrail.app.services.outages import log_failure, outage_of
from pagetrail.app.services.person_turns import TooManyRequests
from pagetrail.app.services.practice import PRACTICE_PREFIX, practising_person
from pagetrail.app.services.sessions import person_of
from pagetrail.app.services.steady_rate import SteadyRate
from pagetrail.storage.people.accounts import Person

MAX_BODY = 256 * 1024
MAX_DIGITS = 18
_LONG_WEIGHT = 4
"""How many requests a search or opened task counts as in a person's rate."""
_LONGEST_WAIT_S = 3.0
TOKEN_HEADER = "x-pagetrail"
_log = logging.getLogger("pagetrail.routes")

Handler = Callable[[Request, Services, Person], Awaitable[Response]]


class ErrorReply(TypedDict):
    """Why a request failed."""

    error: ErrorDetails


class SignedOut(PagetrailError):
    """There is no valid session."""

    code = "signed_out"


_STATUS: dict[type[PagetrailError], int] = {
    SignedOut: 401,
    TooManyRequests: 429,
    CorpusError: 422,
    TooLong: 422,
    Forbidden: 403,
    NotFoundError: 404,
    ConflictError: 409,
    Refusal: 409,
    BadRequest: 400,
}


def guarded(
    handler: Handler, request_kind: RequestKind | None = "short"
) -> Callable[[Request], Awaitable[Response]]:
    """A route for signed-in people; typed errors become JSON with their status.

    Args:
        request_kind: limits the person's concurrent requests of this kind; None for no limit.
    """

    async def route(request: Request) -> Response:
        try:
            app = services()
            person = await _signed_in(request, app)
            request.state.pseudonym = person.pseudonym  # for the log
            if request.method != "GET":
                require_same_origin(request)
            if await _wait_for_rate(
                app.request_rates[person.id], _LONG_WEIGHT if request_kind == "long" else 1
            ):
                person = await _signed_in(request, app)  # the session may have ended meanwhile
            async with app.turns[request_kind].turn(person.id) if request_kind else nullcontext():
                if request.url.path.startswith(f"{PRACTICE_PREFIX}/"):
                    used = not request.url.path.endswith("/news")  # an open tab asks for ever
                    app = await run_in_threadpool(app.practice.open, used=used)
                    person = practising_person(person)
                return await handler(request, app, person)
        except PagetrailError as error:
            if isinstance(error, StorageError):
                log_failure(_log, request.url.path, error)
            return error_response(error)
        except ClientDisconnect:
            return Response(status_code=499)  # nobody is left to read it
        except OSError as error:
            # Disk full and the like: the client keeps its queue and tries again.
            log_failure(_log, request.url.path, error)
            problem = outage_of(error) or StorageError(
                gettext("The server could not store this: {strerror}", strerror=error.strerror)
            )
            return error_response(problem)

    return route


async def _wait_for_rate(rate: SteadyRate, weight: float) -> bool:
    """Wait until the person's rate allows the request; returns whether it had to wait.

    Raises:
        TooManyRequests: the wait would be too long; raised after a delay.
    """
    wait = rate.wait(weight)
    if wait > _LONGEST_WAIT_S:
        rate.take_back(weight)
    await asyncio.sleep(min(wait, _LONGEST_WAIT_S))
    if wait > _LONGEST_WAIT_S:
        raise TooManyRequests(
            gettext("You are asking for too much at once. Wait a moment, then try again.")
        )
    return wait > 0


async def _signed_in(request: Request, app: Services) -> Person:
    person = await run_in_threadpool(person_of, app, request.cookies)
    if person is None:
        raise SignedOut(gettext("You are signed out. Sign in again to continue."))
    return person


def error_response(error: PagetrailError, status: int | None = None) -> JSONResponse:
    """The error as JSON for the client."""
    code = status or next((s for kind, s in _STATUS.items() if isinstance(error, kind)), 503)
    # Messages that quote half a surrogate pair could not be sent.
    message = error.message.encode("utf-8", "replace").decode()
    headers = retry_headers(error) if code in (429, 503) else None
    reply: ErrorReply = {"error": {"code": error.code, "message": message}}
    return JSONResponse(reply, code, headers)


def retry_headers(error: PagetrailError) -> dict[str, str]:
    """The Retry-After header, if retrying can help."""
    return {} if error.retry_after_s is None else {"Retry-After": str(error.retry_after_s)}


async def check_token(app: Services, person: Person, token: str | None, attempt_id: str) -> None:
    """Check that the token is for this person and attempt; wrong ones are recorded.

    Raises:
        Forbidden: it is not valid for them.
    """
    try:
        if app.tokens.check(token or "", person.id) != attempt_id:
            raise Forbidden(gettext("This link was made for another task."))
    except Forbidden:
        await run_in_threadpool(
            app.security_log.record, person.name, "forbidden token", attempt_id[:200]
        )
        raise


def whole_number(text: str) -> int:
    """The number in an address; 0, which no row has, if there is none.

    Python refuses to parse thousands of digits, and no page or key has more than 18.
    """
    return int(text) if text.isdecimal() and len(text) <= MAX_DIGITS else 0


async def json_body(request: Request) -> object:
    """The request's JSON, at most 256 KiB.

    Raises:
        BadRequest: too large, or not JSON.
    """
    return parsed_json(await whole_body(request))


async def whole_body(request: Request) -> bytes:
    """The request's body, at most 256 KiB.

    Raises:
        BadRequest: too large.
    """
    chunks: list[bytes] = []
    size = 0
    async for chunk in request.stream():
        size += len(chunk)
        if size > MAX_BODY:
            raise BadRequest(
                gettext(
                    "The request is larger than {max_body} KiB. Send less.",
                    max_body=MAX_BODY // 1024,
                )
            )
        chunks.append(chunk)
    return b"".join(chunks)


def parsed_json(body: bytes) -> object:
    """The values in a body.

    Raises:
        BadRequest: not JSON.
    """
    try:
        parsed: object = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise BadRequest(gettext("The request is not JSON.")) from error
    return parsed
