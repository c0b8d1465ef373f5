"""Signing in and out: plain pages that set and clear the session cookie."""

from __future__ import annotations

from asyncio import Semaphore
from html import escape
from importlib.resources import files
from string import Template
from urllib.parse import parse_qs, urlsplit, urlunsplit

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from pagetrail.annotation.errors import PagetrailError
from pagetrail.app.routes.common import error_response, same_origin
from pagetrail.app.routes.prefetch import prefetch_links
from pagetrail.app.services.addresses import login_path
from pagetrail.app.services.composition import Services, services
from pagetrail.app.services.sessions import COOKIE, SESSION_TTL
from pagetrail.app.services.throttle import Throttle
from pagetrail.storage.people.accounts import (
    Person,
    audit,
    authenticate,
    close_session,
    open_session,
)

_PAGE = Template((files("pagetrail.app") / "static" / "login.html").read_text(encoding="utf-8"))
_MAX_FORM = 8 * 1024
_HEADERS = {
    "Cache-Control": "no-store",
    # Scripts of this site may be fetched ahead; the page itself has none.
    "Content-Security-Policy": "default-src 'none'; style-src 'self' 'unsafe-inline'; "
    "script-src 'self'; font-src 'self'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'; img-src data:",
}


def safe_next(target: str, home: str, host: str = "") -> str:
    """A path on this site that shows something; anything else becomes ``home``.

    Browsers read a backslash as a slash and leave control characters out, so an address with
    either is none. A whole address is taken when it is this ``host``'s.
    """
    if not target.isprintable() or "\\" in target:
        return home
    try:
        parts = urlsplit(target)
    except ValueError:
        return home
    if host and parts.scheme in ("http", "https") and parts.netloc == host:
        target = urlunsplit(("", "", parts.path or "/", parts.query, ""))
    below = target.removeprefix(home.rstrip("/"))
    local = target.startswith("/") and not target.startswith("//")
    return target if local and not below.startswith("/pagetrail/") else home


def routes(prefix: str, home: str) -> list[Route]:
    """Sign-in page, sign-in and sign-out below ``prefix``; ``home`` is the app's first page."""
    # A hash takes 19 MiB and a core: a crowd signs in two at a time.
    hashing = Semaphore(2)
    throttle = Throttle(attempts=8, window_s=120)

    def page(then: str, *, name: str = "", error: str = "", status: int = 200) -> Response:
        html = _PAGE.substitute(
            action=escape(f"{prefix}/login"),
            next=escape(then),
            name=escape(name),
            prefetch=prefetch_links(home, prefix),
            error=f'<p class="error" role="alert">{escape(error)}</p>' if error else "",
        )
        return HTMLResponse(html, status, headers=_HEADERS)

    async def show(request: Request) -> Response:
        return page(safe_next(request.query_params.get("next", home), home, _host(request)))

    async def sign_in(request: Request) -> Response:
        try:
            app = services()
            same_origin(request)
            form = await _form(request)
        except PagetrailError as error:
            return error_response(error)
        name, then = form.get("name", ""), safe_next(form.get("next", home), home, _host(request))
        caller = f"{request.client.host if request.client else ''}|{name.casefold()}"
        if not throttle.allows(caller):
            return page(
                then,
                name=name,
                error="Too many attempts. Wait two minutes, then try again.",
                status=429,
            )
        # Counted before it is known: many guesses at once must not slip through together.
        throttle.failed(caller)
        async with hashing:
            person = await run_in_threadpool(
                authenticate, app.workspace, name, form.get("password", "")
            )
        if person is None:
            await run_in_threadpool(audit, app.workspace, name[:60], "sign-in failed", "")
            return page(then, name=name, error="Name and password do not match.", status=403)
        throttle.forget(caller)
        response = RedirectResponse(then, 303, headers={"Cache-Control": "no-store"})
        await _start_session(app, person, request, response)
        return response

    async def sign_out(request: Request) -> Response:
        token = request.cookies.get(COOKIE)
        if token:
            await run_in_threadpool(close_session, services().workspace, token)
        response = RedirectResponse(login_path(prefix, home), 303)
        response.delete_cookie(COOKIE, path="/")
        return response

    return [
        Route(f"{prefix}/login", show, methods=["GET"]),
        Route(f"{prefix}/login", sign_in, methods=["POST"]),
        Route(f"{prefix}/logout", sign_out, methods=["GET", "POST"]),
    ]


async def _start_session(
    app: Services, person: Person, request: Request, response: Response
) -> None:
    token = await run_in_threadpool(open_session, app.workspace, person.id, SESSION_TTL)
    response.set_cookie(
        COOKIE,
        token,
        max_age=int(SESSION_TTL.total_seconds()),
        path="/",
        httponly=True,
        samesite="lax",
        secure=request.url.scheme == "https",
    )


def _host(request: Request) -> str:
    return request.headers.get("host", "")


async def _form(request: Request) -> dict[str, str]:
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > _MAX_FORM:
            raise PagetrailError("The form is too large.")
    fields = parse_qs(body.decode("utf-8", "replace"), keep_blank_values=True, max_num_fields=10)
    return {key: values[0] for key, values in fields.items()}
