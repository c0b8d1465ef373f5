"""Signing in with an organisation's service: there, back, and the first time."""

from __future__ import annotations

from asyncio import Semaphore
from collections.abc import Awaitable, Callable
from dataclasses import asdict
from datetime import timedelta
from html import escape
from typing import Any

from itsdangerous import BadData, URLSafeTimedSerializer
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
from pagetrail.app.routes.common import error_response
from pagetrail.app.services.addresses import HOME
from pagetrail.app.services.composition import Services, services
from pagetrail.app.services.origins import require_same_origin
from pagetrail.app.services.sessions import DEVICE_COOKIE, SSO_COOKIE, SSO_SESSION_TTL
from pagetrail.app.services.signing_in.single_sign_on import Newcomer, SignInFailed, SingleSignOn
from pagetrail.storage.people.accounts import Person, role_phrase
from pagetrail.storage.people.credentials import MAX_NAME
from pagetrail.storage.people.identities import (
    Identity,
    add_person,
    connect_identity,
    signed_in_person,
)
from pagetrail.storage.people.single_sign_out import end_service_sessions

_STATE_COOKIE = "pagetrail_oidc"
_STATE_TTL = timedelta(minutes=10)
_AT_ONCE = 16
"""Concurrent requests to the service; others wait."""
_MAX_NEXT = 1_000
"""Characters; a cookie holds 4,096 bytes, and the rest of the state takes about 900."""
_INACTIVE = N_("Your account here is deactivated. Ask your supervisor.")
_TOO_LATE = N_("That took longer than ten minutes. Sign in again.")
_PAGE, _FORM = static_page("plain_page.html"), static_page("first_sign_in.html")
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
    """The pages, with what they share: their addresses and the limit of requests to the service."""

    def __init__(self, prefix: str, home: str) -> None:
        self._prefix, self._home = prefix, home
        self._account = f"{prefix}/oidc/account"
        self._requests = Semaphore(_AT_ONCE)

    def with_service(self, handler: _Handler) -> Callable[[Request], Awaitable[Response]]:
        """A route that exists if a service is set up, and shows errors on a page."""

        async def route(request: Request) -> Response:
            app = services()
            service = app.single_sign_on
            if service is None:
                return error_response(NotFoundError(gettext("There is nothing at this address.")))
            try:
                return await handler(request, app, service)
            except (StorageError, Busy):
                raise
            except PagetrailError as error:
                return await run_in_threadpool(
                    sign_in_page,
                    request,
                    self._prefix,
                    self._home,
                    self._home,
                    error=error.message,
                    status=403,
                )

        return route

    async def start_sign_in(
        self, request: Request, app: Services, service: SingleSignOn
    ) -> Response:
        state: dict[str, Any] = {}
        next_path = safe_next(request.query_params.get("next", self._home), self._home)
        state["next"] = next_path if len(next_path) <= _MAX_NEXT else self._home
        callback_url = self._address(request, "oidc/callback")
        async with self._requests:
            response = await service.client.redirect(_with_session(request, state), callback_url)
        return _with_state(app, request, response, state)

    async def return_from_service(
        self, request: Request, app: Services, service: SingleSignOn
    ) -> Response:
        state = _state(app, request)
        async with self._requests:
            newcomer = service.newcomer(await service.client.claims(_with_session(request, state)))
        person = await run_in_threadpool(
            signed_in_person, app.workspace, newcomer.identity, newcomer.role, clock=app.clock
        )
        next_path = safe_next(state.get("next", self._home), self._home)
        if person is not None:
            return await self._finish_sign_in(request, app, person, next_path, newcomer.session)
        response = RedirectResponse(self._account, 303, headers={"Cache-Control": "no-store"})
        return _with_state(
            app, request, response, {"next": next_path, "newcomer": asdict(newcomer)}
        )

    async def show_first_sign_in(
        self, request: Request, app: Services, service: SingleSignOn
    ) -> Response:
        return self._first_sign_in_page(service, _newcomer(_state(app, request)))

    async def submit_first_sign_in(
        self, request: Request, app: Services, service: SingleSignOn
    ) -> Response:
        require_same_origin(request)
        posted_form = await form_of(request)
        state = _state(app, request)
        newcomer = _newcomer(state)
        name, password = posted_form.get("name", "").strip(), posted_form.get("password")
        try:
            if password is None:
                person = await run_in_threadpool(
                    add_person, app.workspace, newcomer.identity, name, newcomer.role,
                    clock=app.clock,
                )  # fmt: skip
            else:
                person = await self._connect_account(request, app, newcomer, name, password)
        except (StorageError, Busy):
            raise
        except PagetrailError as error:
            return self._first_sign_in_page(
                service, newcomer, error=error.message, existing=name if password else ""
            )
        next_path = safe_next(state.get("next", self._home), self._home)
        return await self._finish_sign_in(request, app, person, next_path, newcomer.session)

    async def _connect_account(
        self, request: Request, app: Services, newcomer: Newcomer, name: str, password: str
    ) -> Person:
        address = request.client.host if request.client else ""
        device = request.cookies.get(DEVICE_COOKIE)
        attempt = await run_in_threadpool(app.sign_ins.admit, name, address, device)
        async with app.hashing.turn():
            person = await run_in_threadpool(app.sign_ins.check, attempt, password)
        if person is None:
            raise Forbidden(gettext("Name and password do not match."))
        return await run_in_threadpool(
            connect_identity, app.workspace, person, newcomer.identity, newcomer.role,
            clock=app.clock,
        )  # fmt: skip

    async def _finish_sign_in(
        self, request: Request, app: Services, person: Person, next_path: str, service_session: str
    ) -> Response:
        if not person.active:
            raise Forbidden(gettext(_INACTIVE))
        response = RedirectResponse(next_path, 303, headers={"Cache-Control": "no-store"})
        response.delete_cookie(_STATE_COOKIE, path=HOME)
        set_cookie(request, response, SSO_COOKIE, "1", SSO_SESSION_TTL)
        await start_session(app, person, request, response, SSO_SESSION_TTL, service_session)
        return response

    def _first_sign_in_page(
        self, service: SingleSignOn, newcomer: Newcomer, *, error: str = "", existing: str = ""
    ) -> Response:
        body = fill_page(
            _FORM,
            lead=escape(
                gettext(
                    "You signed in with {service} for the first time here. You will be {role}.",
                    service=service.name,
                    role=role_phrase(newcomer.role),
                )
            ),
            action=escape(self._account),
            name=escape(newcomer.name),
            existing=escape(existing),
            max_name=MAX_NAME,
            error=f'<p class="error" role="alert">{escape(error)}</p>' if error else "",
        )
        page = fill_page(_PAGE, title=gettext("First sign-in"), body=body)
        return HTMLResponse(page, 400 if error else 200, headers=PAGE_HEADERS)

    async def sign_out(self, request: Request, app: Services, service: SingleSignOn) -> Response:
        async with self._requests:
            url = await service.client.sign_out_url(self._address(request, "login"))
        response = RedirectResponse(url, 303, headers={"Cache-Control": "no-store"})
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
            async with self._requests:
                signed_out = await service.client.signed_out(token)
            await run_in_threadpool(
                end_service_sessions, app.workspace, signed_out, clock=app.clock
            )
        except (SignInFailed, ConflictError) as error:
            error_body = {"error": "invalid_request", "error_description": error.message}
            return JSONResponse(error_body, 400, headers={"Cache-Control": "no-store"})
        except PagetrailError as error:
            return error_response(error)
        return Response(status_code=200, headers={"Cache-Control": "no-store"})

    def _address(self, request: Request, page: str) -> str:
        address = f"{request.url.scheme}://{request.headers.get('host', '')}"
        return f"{address}{self._prefix}/{page}"


def _with_session(request: Request, state: dict[str, Any]) -> Request:
    """The request with its own session, since Streamlit manages the one in the scope."""
    scope = {**request.scope, "session": state.setdefault("session", {})}
    return Request(scope, request.receive)


def _serializer(app: Services) -> URLSafeTimedSerializer:
    return URLSafeTimedSerializer(app.workspace.meta("secret") or "", salt=_STATE_COOKIE)


def _with_state(
    app: Services, request: Request, response: Response, state: dict[str, Any]
) -> Response:
    """The response with the signed state for the browser's return."""
    signed = str(_serializer(app).dumps(state))
    set_cookie(request, response, _STATE_COOKIE, signed, _STATE_TTL)
    return response


def _state(app: Services, request: Request) -> dict[str, Any]:
    try:
        state = _serializer(app).loads(
            request.cookies.get(_STATE_COOKIE, ""), max_age=int(_STATE_TTL.total_seconds())
        )
    except BadData as error:
        raise Forbidden(gettext(_TOO_LATE)) from error
    return dict(state)


def _newcomer(state: dict[str, Any]) -> Newcomer:
    newcomer = state.get("newcomer")
    if newcomer is None:
        raise Forbidden(gettext(_TOO_LATE))
    return Newcomer(**{**newcomer, "identity": Identity(**newcomer["identity"])})
