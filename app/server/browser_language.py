"""Answers requests in the language of the account, or else of the browser."""

from __future__ import annotations

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send

from pagetrail.annotation.messages import use_translations
from pagetrail.app.services.languages import chosen_language, translations
from pagetrail.app.services.sessions import LANGUAGE_COOKIE


class BrowserLanguage:
    """Middleware: sets the translations for a request; screens set theirs with each run."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request = HTTPConnection(scope)
        language = chosen_language(
            request.cookies.get(LANGUAGE_COOKIE, ""), request.headers.get("accept-language", "")
        )
        with use_translations(translations(language)):
            await self._app(scope, receive, send)
