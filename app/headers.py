"""Headers that every answer carries, Streamlit's own included, and doors that stay shut."""

from __future__ import annotations

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from annotation.errors import NotFoundError
from app.paths import HOME, PREFIX
from app.routes.common import error_response

_ALWAYS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "SAMEORIGIN",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Content-Security-Policy": "frame-ancestors 'self'; base-uri 'self'; object-src 'none'",
}
# Nothing here takes files: without the door nobody can fill the server's memory with them.
_UPLOADS = f"{HOME}_stcore/upload_file/"


class SafeHeaders:
    """Middleware: no framing by other sites, no sniffing, no personal data in shared caches."""

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

        # Control characters match no route of ours and would end at Streamlit's page.
        odd = path.startswith(PREFIX) and not path.isprintable()
        if odd or path.startswith(_UPLOADS):
            refused = error_response(NotFoundError("There is nothing at this address."))
            await refused(scope, receive, send_with_headers)
            return
        await self._app(scope, receive, send_with_headers)
