"""Security headers on every response, including Streamlit's, and closed routes."""

from __future__ import annotations

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection, Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pagetrail.annotation.errors import Forbidden, NotFoundError
from pagetrail.annotation.messages import gettext
from pagetrail.app.routes.common import error_response
from pagetrail.app.server.content_policy import content_policy
from pagetrail.app.server.screen_files import MEDIA, UPLOADS
from pagetrail.app.server.screen_page import TEMPLATE
from pagetrail.app.services.addresses import HOME, PREFIX
from pagetrail.app.services.composition import services
from pagetrail.app.services.origins import require_same_origin
from pagetrail.app.services.sessions import person_of
from pagetrail.storage.people.roles import is_supervisor

_ALWAYS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "SAMEORIGIN",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Content-Security-Policy": content_policy(TEMPLATE),
}
# Everybody may use these two of Streamlit's own addresses. Its metrics (the server's own are at
# /metrics, behind a token), its interface for agents, and whatever a later version adds are closed.
_STREAMLIT = f"{HOME}_stcore/"
_OPEN = (f"{_STREAMLIT}health", f"{_STREAMLIT}host-config")


class SafeHeaders:
    """Middleware: forbids framing by other sites, sniffing, and personal data in shared caches."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        path: str = scope["path"]

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _ALWAYS.items():
                    headers.setdefault(name, value)
                if path.startswith(f"{PREFIX}/"):
                    headers.setdefault("Cache-Control", "no-store")
            await send(message)

        # Paths with control characters match none of our routes and would reach Streamlit's page.
        has_control_characters = path.startswith(PREFIX) and not path.isprintable()
        if has_control_characters or not await _may_use(scope, path):
            refused = error_response(NotFoundError(gettext("There is nothing at this address.")))
            await refused(scope, receive, send_with_headers)
            return
        await self._app(scope, receive, send_with_headers)


async def _may_use(scope: Scope, path: str) -> bool:
    """Whether the requester may use an address of Streamlit's.

    ``SocketSessions`` checks the owners of files.
    """
    if path.startswith(UPLOADS):
        try:
            require_same_origin(HTTPConnection(scope))
        except Forbidden:
            return False
        return await _may_upload(scope)
    if path.startswith(_STREAMLIT):
        return path in _OPEN
    if path.startswith(MEDIA):
        cookies = Request(scope).cookies
        return await run_in_threadpool(person_of, services(), cookies) is not None
    return True


async def _may_upload(scope: Scope) -> bool:
    """Whether the request is a supervisor's; other people's attempts are recorded.

    Only supervisors have screens that take files; others could only fill the server's memory.
    """
    app = services()
    person = await run_in_threadpool(person_of, app, Request(scope).cookies)
    if person is not None and is_supervisor(person):
        return True
    if person is not None:
        await run_in_threadpool(
            app.security_log.record, person.name, "forbidden upload", scope["path"][:200]
        )
    return False
