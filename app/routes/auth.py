"""Signing in and out: plain pages that set and clear the session cookie."""

from __future__ import annotations

import re
from base64 import b64encode
from datetime import timedelta
from html import escape
from importlib.resources import files
from string import Template
from urllib.parse import parse_qs, quote, unquote, urlsplit, urlunsplit

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from pagetrail.annotation.errors import Busy, PagetrailError
from pagetrail.annotation.messages import N_, current_language, gettext
from pagetrail.app.routes.common import retry_headers
from pagetrail.app.routes.prefetch import prefetch_links
from pagetrail.app.services.addresses import HOME, login_path
from pagetrail.app.services.composition import Services, services
from pagetrail.app.services.origins import require_same_origin
from pagetrail.app.services.sessions import (
    COOKIE,
    DEVICE_COOKIE,
    DEVICE_TTL,
    SESSION_TTL,
    SSO_COOKIE,
)
from pagetrail.app.services.signing_in.sign_ins import TooManyAttempts
from pagetrail.app.services.source_code import source_url
from pagetrail.storage.people.accounts import Person
from pagetrail.storage.people.invitations import is_administered
from pagetrail.storage.people.login_sessions import close_session, open_session
from pagetrail.storage.people.roles import is_supervisor

_HELP = N_("No account, or a forgotten password? Ask your supervisor.")
_NEW = N_(
    "Nobody administers this workspace yet. Open the link that “pagetrail serve” has printed in "
    "its terminal; if it has expired, start the server again."
)
_ENDED = N_("Your session has ended. Sign in to go back to where you were.")
_MAX_FORM = 8 * 1024
PAGE_HEADERS = {
    "Cache-Control": "no-store",
    # Scripts of this site may be prefetched; the page itself has none. Chromium counts a prefetch
    # by its kind of file, at times as a connection, Firefox by the default.
    "Content-Security-Policy": "default-src 'self'; style-src 'self' 'unsafe-inline'; "
    "img-src data:; object-src 'none'; frame-src 'none'; worker-src 'none'; media-src 'none'; "
    "manifest-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
}


def static_page(name: str) -> Template:
    """One of the server's own pages with the shared parts; ``fill_page`` fills in the rest."""
    folder = files("pagetrail.app") / "static"
    shared = {
        "style": (folder / "sign_in.css").read_text(encoding="utf-8"),
        "brand": (folder / "brand.html").read_text(encoding="utf-8").strip(),
        # As data: browsers ask for /favicon.ico otherwise, and nothing is there.
        "icon": b64encode((folder / "icon.png").read_bytes()).decode(),
    }
    return Template(Template((folder / name).read_text(encoding="utf-8")).safe_substitute(shared))


def fill_page(page: Template, **values: object) -> str:
    """The page with its values, and with the texts in ``{{double braces}}`` translated."""
    translated = PAGE_TEXT.sub(lambda text: escape(gettext(text[1])), page.template)
    return Template(translated).substitute(values, lang=current_language().replace("_", "-"))


PAGE_TEXT = re.compile(r"\{\{(.+?)\}\}")
_PAGE = static_page("login.html")


def safe_next(target: str, home: str, host: str = "") -> str:
    """A path of a screen on this site; anything else becomes ``home``.

    Addresses with backslashes, which browsers read as slashes, or control characters, which they
    drop, are refused, and so are paths with ``.``, ``..`` or empty segments, which browsers and
    servers resolve. Absolute addresses must be on ``host``.
    """
    if not target.isprintable() or "\\" in target:
        return home
    try:
        parts = urlsplit(target)
    except ValueError:
        return home
    if host and parts.scheme in ("http", "https") and parts.netloc == host:
        target = urlunsplit(("", "", parts.path or "/", parts.query, ""))
    # As the server reads it, which decodes letters as well.
    path = unquote(target.partition("?")[0].partition("#")[0])
    segments = path.split("/")
    is_local = path.startswith("/") and "\\" not in path and path.isprintable()
    if not is_local or {".", "..", ""} & {*segments[1:-1]} or segments[-1] in (".", ".."):
        return home
    relative = f"{path.removeprefix(home.rstrip('/'))}/"
    return home if relative.startswith("/pagetrail/") else target


def routes(prefix: str, home: str) -> list[Route]:
    """Sign-in page, sign-in and sign-out below ``prefix``; ``home`` is the app's first page."""

    async def refused(
        request: Request, next_path: str, name: str, error: str, status: int
    ) -> Response:
        return await run_in_threadpool(
            sign_in_page, request, prefix, home, next_path, name=name, error=error, status=status
        )

    async def show(request: Request) -> Response:
        # A screen whose session ended is left without naming where to return.
        target = request.query_params.get("next") or request.headers.get("referer", home)
        next_path = safe_next(target, home, _host(request))
        ended = next_path != home and not {COOKIE, DEVICE_COOKIE}.isdisjoint(request.cookies)
        notice = gettext(_ENDED) if ended else ""
        return await run_in_threadpool(
            sign_in_page, request, prefix, home, next_path, notice=notice
        )

    async def sign_in(request: Request) -> Response:
        try:
            app = services()
            require_same_origin(request)
            form = await form_of(request)
        except PagetrailError as error:
            return await refused(request, home, "", error.message, 403)
        name, next_path = (
            form.get("name", ""),
            safe_next(form.get("next", home), home, _host(request)),
        )
        device = request.cookies.get(DEVICE_COOKIE)
        address = request.client.host if request.client else ""
        try:
            app.hashing.require_room()  # attempts that are not checked do not count
            attempt = await run_in_threadpool(app.sign_ins.admit, name, address, device)
        except TooManyAttempts as error:
            return await refused(request, next_path, name, error.message, 429)
        except Busy as error:
            answer = await refused(request, next_path, name, error.message, 503)
            answer.headers.update(retry_headers(error))
            return answer
        async with app.hashing.turn():
            person = await run_in_threadpool(app.sign_ins.check, attempt, form.get("password", ""))
        if person is None:
            return await refused(
                request, next_path, name, gettext("Name and password do not match."), 403
            )
        response = RedirectResponse(next_path, 303, headers={"Cache-Control": "no-store"})
        await start_session(app, person, request, response)
        return response

    async def sign_out(request: Request) -> Response:
        try:
            require_same_origin(request)
        except PagetrailError as error:
            return await refused(request, home, "", error.message, 403)
        token = request.cookies.get(COOKIE)
        if token:
            await run_in_threadpool(close_session, services().workspace, token)
        response = RedirectResponse(login_path(prefix, home), 303)
        response.delete_cookie(COOKIE, path=HOME)
        return response

    return [
        Route(f"{prefix}/login", show, methods=["GET"]),
        Route(f"{prefix}/login", sign_in, methods=["POST"]),
        Route(f"{prefix}/logout", sign_out, methods=["POST"]),
    ]


def sign_in_page(
    request: Request,
    prefix: str,
    home: str,
    next_path: str,
    *,
    name: str = "",
    error: str = "",
    notice: str = "",
    status: int = 200,
) -> Response:
    """The sign-in page, which continues to ``next_path``; ``notice`` says why it is there."""
    html = fill_page(
        _PAGE,
        action=escape(f"{prefix}/login"),
        next=escape(next_path),
        name=escape(name),
        prefetch=prefetch_links(home, prefix),
        notice=f'<p class="notice" role="status">{escape(notice)}</p>' if notice else "",
        error=f'<p class="error" role="alert">{escape(error)}</p>' if error else "",
        single_sign_on=_single_sign_on(request, prefix, next_path),
        source=escape(source_url()),
        help=escape(
            gettext(_HELP if status != 200 or is_administered(services().workspace) else _NEW)
        ),
    )
    return HTMLResponse(html, status, headers=PAGE_HEADERS)


def _single_sign_on(request: Request, prefix: str, next_path: str) -> str:
    """Links to the organisation's sign-in service, if there is one."""
    service = services().single_sign_on
    if service is None:
        return ""
    start = f"{prefix}/oidc/start?next={quote(next_path, safe='')}"
    sign_in = gettext("Sign in with {service}", service=service.name)
    links = f'<a class="button" href="{escape(start)}">{escape(sign_in)}</a>'
    if SSO_COOKIE in request.cookies:
        out = f"{prefix}/oidc/sign-out"
        sign_out = gettext("Sign out of {service}", service=service.name)
        links += f'\n<p class="help"><a href="{escape(out)}">{escape(sign_out)}</a></p>'
    return links


async def start_session(
    app: Services,
    person: Person,
    request: Request,
    response: Response,
    lifetime: timedelta = SESSION_TTL,
    service_session: str | None = None,
) -> None:
    """Sign a person in, with cookies for the session and for recognising the browser.

    Args:
        service_session: as of ``open_session``.
    """
    if is_supervisor(person):
        app.computations.pool.start(1)  # the supervisor's first screen shows a report
    token = await run_in_threadpool(
        open_session, app.workspace, person.id, lifetime, service_session=service_session
    )
    set_cookie(request, response, COOKIE, token, lifetime)
    device = app.sign_ins.device(person.name, request.cookies.get(DEVICE_COOKIE))
    set_cookie(request, response, DEVICE_COOKIE, device, DEVICE_TTL)


def set_cookie(
    request: Request, response: Response, name: str, value: str, lifetime: timedelta
) -> None:
    """Set a cookie that scripts cannot read and other sites cannot send along."""
    # The browser's own header counts too, since only named proxies are trusted.
    origin = request.headers.get("origin", "")
    response.set_cookie(
        name,
        value,
        max_age=int(lifetime.total_seconds()),
        path=HOME,
        httponly=True,
        samesite="lax",
        secure=request.url.scheme == "https" or origin.startswith("https://"),
    )


def _host(request: Request) -> str:
    return request.headers.get("host", "")


async def form_of(request: Request) -> dict[str, str]:
    """The fields of a submitted form.

    Raises:
        PagetrailError: it is too large.
    """
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > _MAX_FORM:
            raise PagetrailError(gettext("The form is too large."))
    fields = parse_qs(body.decode("utf-8", "replace"), keep_blank_values=True, max_num_fields=10)
    return {key: values[0] for key, values in fields.items()}
