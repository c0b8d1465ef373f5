"""The ASGI application: Streamlit's screens and the project's own routes."""

from __future__ import annotations

import logging
import tomllib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

import streamlit as st
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from pagetrail.annotation.errors import PagetrailError
from pagetrail.annotation.messages import gettext, use_translations
from pagetrail.app.practice.upkeep import PracticeUpkeep
from pagetrail.app.routes import (
    assets,
    attempts,
    auth,
    downloads,
    health,
    images,
    invitations,
    news,
    reviews,
    single_sign_on,
    socket_report,
    source_code,
    tour,
    uploads,
)
from pagetrail.app.routes import page_words as words
from pagetrail.app.routes import pilot_feedback as feedback
from pagetrail.app.routes import question_checks as checks
from pagetrail.app.routes.common import error_response
from pagetrail.app.server import session_runs
from pagetrail.app.server.browser_language import BrowserLanguage
from pagetrail.app.server.headers import SafeHeaders
from pagetrail.app.server.json_log import RequestLog
from pagetrail.app.server.navigation import SCREENS
from pagetrail.app.server.screen_page import screen_page
from pagetrail.app.server.socket_sessions import SocketSessions
from pagetrail.app.server.streamlit_host import HostConfig
from pagetrail.app.server.unavailable import Unavailable
from pagetrail.app.services import composition as wiring
from pagetrail.app.services.addresses import HOME, PREFIX
from pagetrail.app.services.languages import chosen_language, translations
from pagetrail.app.services.outages import log_failure, outage_of
from pagetrail.app.services.practice import PRACTICE_PREFIX
from pagetrail.app.services.sessions import DEVICE_TTL, LANGUAGE_COOKIE, person_of
from pagetrail.app.ui.markdown_escape import literal
from pagetrail.storage.people.accounts import Person
from pagetrail.storage.people.preferences import preferences_of

_log = logging.getLogger("pagetrail.server")
_FOLDER = Path(__file__).parent
_EVERY_METHOD = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"]


class SignInFirst:
    """Middleware: answers screens' addresses with their page, or redirects to the sign-in page.

    The requested address is passed along. Without a session there is no web socket, and screens
    would stay empty.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["method"] == "GET" and self._is_page(scope):
            request = Request(scope)
            person = await run_in_threadpool(person_of, wiring.services(), request.cookies)
            if person is None:
                query = f"?{request.url.query}" if request.url.query else ""
                return_path = quote(f"{request.url.path}{query}", safe="")
                redirect = RedirectResponse(f"{PREFIX}/login?next={return_path}", 303)
                await redirect(scope, receive, send)
                return
            request.state.pseudonym = person.pseudonym
            if scope["path"] == HOME or not scope["path"].endswith("/"):
                page = await run_in_threadpool(_page_for, person, request)
                await page(scope, receive, send)
                return
        await self._app(scope, receive, send)

    @staticmethod
    def _is_page(scope: Scope) -> bool:
        path: str = scope["path"].removeprefix(HOME.rstrip("/"))
        return path.strip("/") in SCREENS


def _page_for(person: Person, request: Request) -> Response:
    """The screens' page in the person's theme and language, which routes learn from a cookie."""
    preferences = preferences_of(wiring.services().workspace, person.id)
    accepted = request.headers.get("accept-language", "")
    language = chosen_language(preferences.language, accepted)
    with use_translations(translations(language)):
        html = screen_page(preferences.theme)
    # After signing out, Back would show a stored page without asking the server.
    response = HTMLResponse(html, headers={"Cache-Control": "no-store"})
    if preferences.language:
        auth.set_cookie(request, response, LANGUAGE_COOKIE, preferences.language, DEVICE_TTL)
    elif LANGUAGE_COOKIE in request.cookies:
        response.delete_cookie(LANGUAGE_COOKIE, path=HOME)
    return response


def script_failed(error: Exception) -> bool:
    """Show a sentence instead of a traceback, which goes to the server's log."""
    log_failure(_log, "a screen", error)
    if outage := outage_of(error):
        st.error(literal(outage.message))
        return True
    st.error(
        gettext(
            "Something went wrong on this page. Nothing that was saved is lost. Reload the "
            "page; if it happens again, tell your supervisor what you did."
        )
    )
    return True


async def unexpected(request: Request, error: Exception) -> Response:
    """Answer an unexpected failure with a sentence, and log the traceback."""
    _log.error("%s %s failed", request.method, request.url.path, exc_info=error)
    return error_response(
        PagetrailError(
            gettext("Something went wrong on the server. Nothing that was saved is lost."),
            code="internal",
        ),
        500,
    )


@asynccontextmanager
async def _lifespan(_app: st.App) -> AsyncIterator[dict[str, Any]]:
    wiring.services().search.open()
    wiring.services().warm_up.start()
    wiring.services().thumbnails.start()
    wiring.services().review_worker.start()
    practice = PracticeUpkeep(wiring.services())
    practice.start()
    yield {}
    practice.close()
    wiring.replace_services(None)


def routes() -> list[Route]:
    """The project's own routes; unknown paths below the prefix get a JSON 404."""
    return [
        *auth.routes(PREFIX, HOME),
        *invitations.routes(PREFIX, HOME),
        *single_sign_on.routes(PREFIX, HOME),
        *_task_routes(PREFIX),
        *_task_routes(PRACTICE_PREFIX),
        *reviews.routes(PREFIX),
        *downloads.routes(PREFIX),
        *uploads.routes(PREFIX),
        *assets.routes(PREFIX),
        *health.routes(),
        *source_code.routes(),
        *tour.routes(PREFIX),
        *socket_report.routes(PREFIX),
        Route(f"{PREFIX}/{{rest:path}}", attempts.nothing_here, methods=_EVERY_METHOD),
    ]


def _task_routes(prefix: str) -> list[Route]:
    """Routes used by the screen of a task."""
    parts = (attempts, news, checks, feedback, images, words)
    return [route for part in parts for route in part.routes(prefix)]


def options() -> dict[str, Any]:
    """Streamlit's options from ``config.toml``, by dotted name."""
    tree = tomllib.loads((_FOLDER / "config.toml").read_text(encoding="utf-8"))
    flat: dict[str, Any] = {}

    def walk(node: dict[str, Any], path: str) -> None:
        for key, value in node.items():
            name = f"{path}.{key}" if path else key
            if isinstance(value, dict):
                walk(value, name)
            else:
                flat[name] = value

    walk(tree, "")
    return flat


MIDDLEWARE = [
    Middleware(RequestLog, routes=routes()),
    Middleware(SafeHeaders),
    Middleware(BrowserLanguage),
    Middleware(Unavailable),
    Middleware(SocketSessions),
    Middleware(HostConfig),
    Middleware(SignInFirst),
]
EXCEPTION_HANDLERS = {Exception: unexpected}

session_runs.install()
app = st.App(
    _FOLDER.parent / "main.py",
    lifespan=_lifespan,
    routes=routes(),
    middleware=MIDDLEWARE,
    exception_handlers=EXCEPTION_HANDLERS,
    on_script_error=script_failed,
)
