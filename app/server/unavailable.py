"""Answers 503 with the reason if a full disk or an unreachable database stops a request."""

from __future__ import annotations

import logging
from contextlib import suppress
from html import escape

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pagetrail.annotation.errors import PagetrailError
from pagetrail.annotation.messages import gettext
from pagetrail.app.routes.auth import PAGE_HEADERS, fill_page, static_page
from pagetrail.app.routes.common import error_response, retry_headers
from pagetrail.app.services.outages import log_failure, outage_of

_TRY_AGAIN_LATER = 1013
_PAGE = static_page("plain_page.html")
_log = logging.getLogger("pagetrail.server")


class Unavailable:
    """Middleware: answers outages that no route has handled with 503 and a retry time."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        is_answered = False

        async def sending(message: Message) -> None:
            nonlocal is_answered
            is_answered |= message["type"] == "http.response.start"
            await send(message)

        try:
            await self._app(scope, receive, sending)
        except Exception as error:
            outage = outage_of(error)
            if outage is None or is_answered:
                raise
            log_failure(_log, f"a request ({scope.get('method', 'web socket')})", error)
            if scope["type"] == "websocket":
                with suppress(OSError, RuntimeError):  # it may be closed already
                    await send({"type": "websocket.close", "code": _TRY_AGAIN_LATER})
            else:
                await _response(Request(scope), outage)(scope, receive, send)


def _response(request: Request, outage: PagetrailError) -> Response:
    """A page for people who opened an address, JSON for other requests."""
    if "text/html" not in request.headers.get("accept", ""):
        return error_response(outage, 503)
    headers = PAGE_HEADERS | retry_headers(outage)
    if request.method == "GET":
        headers["Refresh"] = str(outage.retry_after_s)
        advice = gettext("This page tries again by itself.")
    else:
        advice = gettext("Go back and try again.")
    heading = gettext("Pagetrail is not available at the moment")
    body = (
        f"<h1>{escape(heading)}</h1>"
        f'<p class="error" role="alert">{escape(outage.message)}</p>'
        f'<p class="help">{escape(advice)}</p>'
    )
    return HTMLResponse(fill_page(_PAGE, title=gettext("Not available"), body=body), 503, headers)
