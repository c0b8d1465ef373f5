"""Signing in with an organisation's service: there, back, and the first time."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import asdict
from datetime import timedelta
from html import escape
from urllib.parse import quote

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from pagetrail.annotation.errors import (
    Busy,
    ConflictError,
    Forbidden,
    NotFoundError,
    PagetrailError,
    StorageError,
)
from pagetrail.annotation.messages import N_, gettext
from pagetrail.app.routes.auth import (
    PAGE_HEADERS,
    fill_page,
    form_of,
    safe_next,
    set_cookie,
    sign_in_page,
    start_session,
    static_page,
)
from pagetrail.app.routes.common import error_response, retry_headers
from pagetrail.app.services.addresses import HOME
from pagetrail.app.services.composition import Services, services
from pagetrail.app.services.origins import require_same_origin
from pagetrail.app.services.sessions import (
    DEVICE_COOKIE,
    SSO_COOKIE,
    SSO_SESSION_TTL,
    person_of,
)
from pagetrail.app.services.signing_in.service_queue import ServiceQueue
from pagetrail.app.services.signing_in.sign_in_state import LIFETIME, Arrival, SignInAttempts
from pagetrail.app.services.signing_in.single_sign_on import (
    OldAnswer,
    SignInFailed,
    SingleSignOn,
)
from pagetrail.storage.people.accounts import ROLES, Person, role_phrase
from pagetrail.storage.people.credentials import MAX_NAME
from pagetrail.storage.people.identities import (
    add_person,
    connect_identity,
    signed_in_person,
)
from pagetrail.storage.people.single_sign_out import end_service_sessions

_BROWSER_COOKIE = "pagetrail_oidc"
_BROWSER_TTL = timedelta(days=1)
_NEWCOMER_COOKIE = "pagetrail_newcomer"
_MAX_NEXT = 1_000
"""Characters; the service gets it as a part of the state and sends it back."""
_INACTIVE = N_("Your account here is deactivated. Ask your supervisor.")
_PAGE = static_page("plain_page.html")
_FORM, _CONNECT = static_page("first_sign_in.html"), static_page("connect_account.html")
_log = logging.getLogger("pagetrail.server")
_Handler = Callable[[Request, Services, SingleSignOn], Awaitable[Response]]


def routes(prefix: str, home: str) -> list[Route]:
    """The pages below ``prefix``; ``home`` is the app's first page."""
    pages = _Pages(prefix, home)
    account = f"{prefix}/oidc/account"
    return [
        Route(f"{prefix}/oidc/start", pages.with_service(pages.start_sign_in), methods=["GET"]),
        Route(
            f"{prefix}/oidc/callback",
            pages.with_service(pages.return_from_service),
            methods=["GET"],
        ),
        Route(account, pages.with_service(pages.show_first_sign_in), methods=["GET"]),
        Route(account, pages.with_service(pages.submit_first_sign_in), methods=["POST"]),
        Route(f"{prefix}/oidc/sign-out", pages.with_service(pages.sign_out), methods=["GET"]),
        Route(f"{prefix}/oidc/back-channel", pages.receive_sign_out, methods=["POST"]),
    ]


class _Pages:
    """The pages, with what they share: their addresses and the queue of requests to the service."""

    def __init__(self, prefix: str, home: str) -> None:
        self._prefix, self._home = prefix, home
        self._account = f"{prefix}/oidc/account"
        self._queue = ServiceQueue()

    def with_service(self, handler: _Handler) -> Callable[[Request], Awaitable[Response]]:
        """A route that exists if a service is set up, and shows errors on the sign-in page."""

        async def route(request: Request) -> Response:
            app = services()
            service = app.single_sign_on
            if service is None:
                return error_response(NotFoundError(gettext("There is nothing at this address.")))
            request.state.next_path = self._home
            try:
                return await handler(request, app, service)
            except StorageError:
                raise
            except OldAnswer as error:
                # The other tab, or the same one before Back, has signed the person in already.
                if await run_in_threadpool(person_of, app, request.cookies) is not None:
                    return _redirect(request.state.next_path)
                return await self._refused(request, error)
            except PagetrailError as error:
                return await self._refused(request, error)

        return route

    async def _refused(self, request: Request, error: PagetrailError) -> Response:
        """The sign-in page with the reason, which still leads to where the person wanted to go."""
        message, status = error.message, 503 if isinstance(error, Busy) else 403
        if isinstance(error, SignInFailed):
            number = secrets.randbelow(90_000_000) + 10_000_000
            _log.warning("single sign-on failed, number %d: %s", number, error.reason)
            message = gettext("{message} (Number in the log: {number})", message=message,
                              number=str(number))  # fmt: skip
        response = await run_in_threadpool(
            sign_in_page, request, self._prefix, self._home, request.state.next_path,
            error=message, status=status,
        )  # fmt: skip
        if isinstance(error, Busy):
            response.headers.update(retry_headers(error))
        return response

    async def start_sign_in(
        self, request: Request, app: Services, service: SingleSignOn
    ) -> Response:
        next_path = safe_next(request.query_params.get("next", self._home), self._home)
        request.state.next_path = next_path if len(next_path) <= _MAX_NEXT else self._home
        is_connecting = "connect" in request.query_params
        attempts = _attempts(app)
        browser = request.cookies.get(_BROWSER_COOKIE) or secrets.token_urlsafe(16)
        attempt = attempts.begin(
            browser,
            request.state.next_path,
            is_fresh=is_connecting or "other" in request.query_params,
            is_connecting=is_connecting,
        )
        async with self._queue.turn(_client(request)):
            url = await service.client.sign_in_url(attempt.request(self._callback(request)))
        response = _redirect(url)
        set_cookie(request, response, _BROWSER_COOKIE, browser, _BROWSER_TTL)
        return response

    async def return_from_service(
        self, request: Request, app: Services, service: SingleSignOn
    ) -> Response:
        attempts, answer = _attempts(app), dict(request.query_params)
        state = answer.get("state", "")
        request.state.next_path = safe_next(attempts.next_path(state), self._home)
        attempt = attempts.resumed(state, request.cookies.get(_BROWSER_COOKIE, ""))
        async with self._queue.turn(_client(request)):
            claims = await service.client.claims(attempt.request(self._callback(request)), answer)
        newcomer = service.newcomer(claims)
        person = await run_in_threadpool(
            signed_in_person, app.workspace, newcomer.identity, newcomer.role, clock=app.clock
        )
        next_path = request.state.next_path
        if person is not None:
            return await self._finish_sign_in(request, app, person, next_path, newcomer.session)
        response = _redirect(self._account)
        token = attempts.sign_newcomer(asdict(newcomer), attempt)
        set_cookie(request, response, _NEWCOMER_COOKIE, token, LIFETIME)
        return response

    async def show_first_sign_in(
        self, request: Request, app: Services, service: SingleSignOn
    ) -> Response:
        arrival = self._arrival(request, app, request.cookies.get(_NEWCOMER_COOKIE, ""))
        return self._first_sign_in_page(service, arrival)

    async def submit_first_sign_in(
        self, request: Request, app: Services, service: SingleSignOn
    ) -> Response:
        require_same_origin(request)
        form = await form_of(request)
        # Of the page that was read, not of another tab that somebody else has opened since.
        arrival = self._arrival(request, app, form.get("arrival", ""))
        newcomer = arrival.newcomer
        name, password = form.get("name", "").strip(), form.get("password")
        try:
            if form.get("is_me") != "yes":
                raise Forbidden(
                    gettext("Tick that {account} is your account.", account=newcomer.account)
                )
            if password is None:
                person = await run_in_threadpool(
                    add_person, app.workspace, newcomer.identity, name, newcomer.role,
                    session=arrival.newcomer.session, since=arrival.signed_in_at,
                    clock=app.clock,
                )  # fmt: skip
            elif not arrival.is_connecting:
                raise Forbidden(gettext("Sign in again to connect an account."))
            else:
                person = await self._connect_account(request, app, arrival, form)
        except (StorageError, OldAnswer):
            raise
        except PagetrailError as error:
            return self._first_sign_in_page(
                service, arrival, error=error, existing=name if password else ""
            )
        next_path = request.state.next_path
        return await self._finish_sign_in(request, app, person, next_path, newcomer.session)

    async def _connect_account(
        self, request: Request, app: Services, arrival: Arrival, form: dict[str, str]
    ) -> Person:
        name, password = form.get("name", "").strip(), form["password"]
        device = request.cookies.get(DEVICE_COOKIE)
        attempt = await run_in_threadpool(app.sign_ins.admit, name, _client(request), device)
        async with app.hashing.turn():
            person = await run_in_threadpool(app.sign_ins.check, attempt, password)
        if person is None:
            raise Forbidden(gettext("Name and password do not match."))
        role = arrival.newcomer.role
        if ROLES.index(role) < ROLES.index(person.role) and form.get("role") != role:
            raise RoleChange(
                gettext(
                    "{person} is {rank} here. Connected, the account becomes {role}, as the "
                    "service says at each sign-in. Confirm it below, or ask an admin first.",
                    person=person.name,
                    rank=role_phrase(person.role),
                    role=role_phrase(role),
                )
            )
        return await run_in_threadpool(
            connect_identity, app.workspace, person, arrival.newcomer.identity, role,
            session=arrival.newcomer.session, since=arrival.signed_in_at,
                    clock=app.clock,
        )  # fmt: skip

    async def _finish_sign_in(
        self, request: Request, app: Services, person: Person, next_path: str, service_session: str
    ) -> Response:
        if not person.active:
            raise Forbidden(gettext(_INACTIVE))
        response = _redirect(next_path)
        response.delete_cookie(_NEWCOMER_COOKIE, path=HOME)
        set_cookie(request, response, SSO_COOKIE, "1", SSO_SESSION_TTL)
        await start_session(app, person, request, response, SSO_SESSION_TTL, service_session)
        return response

    def _arrival(self, request: Request, app: Services, token: str) -> Arrival:
        browser = request.cookies.get(_BROWSER_COOKIE, "")
        attempts = _attempts(app)
        request.state.next_path = safe_next(attempts.next_path(token), self._home)
        return attempts.arrival(token, browser)

    def _first_sign_in_page(
        self,
        service: SingleSignOn,
        arrival: Arrival,
        *,
        error: PagetrailError | None = None,
        existing: str = "",
    ) -> Response:
        newcomer = arrival.newcomer
        start = f"{self._prefix}/oidc/start?next={quote(arrival.next_path, safe='')}"
        confirm = gettext("Yes, {account} is my account.", account=newcomer.account)
        page = _CONNECT if arrival.is_connecting else _FORM
        body = fill_page(
            page,
            lead=escape(
                gettext(
                    "You signed in with {service} for the first time here. You will be {role}.",
                    service=service.name,
                    role=role_phrase(newcomer.role),
                )
            ),
            account=escape(gettext("Is this you? {account}", account=newcomer.account)),
            other=escape(f"{start}&other=1"),
            connect=escape(f"{start}&connect=1"),
            connect_help=escape(
                gettext(
                    "{service} asks you to sign in again, so that nobody else’s account is "
                    "connected.",
                    service=service.name,
                )
            ),
            action=escape(self._account),
            arrival=escape(arrival.token),
            confirm=escape(confirm),
            role=_role_box(newcomer.role) if isinstance(error, RoleChange) else "",
            name=escape(newcomer.name),
            existing=escape(existing),
            max_name=MAX_NAME,
            error=f'<p class="error" role="alert">{escape(error.message)}</p>' if error else "",
        )
        html = fill_page(_PAGE, title=gettext("First sign-in"), body=body)
        return HTMLResponse(html, 400 if error else 200, headers=PAGE_HEADERS)

    async def sign_out(self, request: Request, app: Services, service: SingleSignOn) -> Response:
        async with self._queue.turn(_client(request)):
            url = await service.client.sign_out_url(self._address(request, "login"))
        response = _redirect(url)
        response.delete_cookie(SSO_COOKIE, path=HOME)
        return response

    async def receive_sign_out(self, request: Request) -> Response:
        """The service reports a sign-out directly, without a browser."""
        app = services()
        service = app.single_sign_on
        if service is None:
            return error_response(NotFoundError(gettext("There is nothing at this address.")))
        try:
            token = (await form_of(request)).get("logout_token", "")
            async with self._queue.turn(_client(request)):
                signed_out = await service.client.signed_out(token)
            await run_in_threadpool(
                end_service_sessions, app.workspace, signed_out, clock=app.clock
            )
        except (SignInFailed, ConflictError) as error:
            reason = error.reason if isinstance(error, SignInFailed) else error.message
            _log.warning("a logout token was refused: %s", reason)
            error_body = {"error": "invalid_request", "error_description": error.message}
            return JSONResponse(error_body, 400, headers={"Cache-Control": "no-store"})
        except PagetrailError as error:
            return error_response(error)
        return Response(status_code=200, headers={"Cache-Control": "no-store"})

    def _callback(self, request: Request) -> str:
        return self._address(request, "oidc/callback")

    def _address(self, request: Request, page: str) -> str:
        address = f"{request.url.scheme}://{request.headers.get('host', '')}"
        return f"{address}{self._prefix}/{page}"


class RoleChange(PagetrailError):
    """Connecting would lower the account's role, which has to be confirmed."""

    code = "role_change"


def _role_box(role: str) -> str:
    label = gettext("Become {role}", role=role_phrase(role))
    return (
        f'<label class="check"><input type="checkbox" name="role" value="{escape(role)}" '
        f"required> {escape(label)}</label>"
    )


def _attempts(app: Services) -> SignInAttempts:
    return SignInAttempts(app.workspace.meta("secret") or "")


def _client(request: Request) -> str:
    return request.client.host if request.client else ""


def _redirect(url: str) -> Response:
    return RedirectResponse(url, 303, headers={"Cache-Control": "no-store"})
