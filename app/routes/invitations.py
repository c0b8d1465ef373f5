"""Invitations: a page on which invited people create their accounts."""

from __future__ import annotations

from html import escape

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from pagetrail.annotation.errors import Busy, NotFoundError, PagetrailError, StorageError
from pagetrail.annotation.messages import N_, gettext
from pagetrail.app.routes.auth import PAGE_HEADERS, fill_page, form_of, start_session, static_page
from pagetrail.app.services.composition import services
from pagetrail.app.services.origins import require_same_origin
from pagetrail.storage.people.accounts import role_phrase
from pagetrail.storage.people.credentials import MAX_NAME, MIN_PASSWORD
from pagetrail.storage.people.invitations import (
    Invitation,
    accept_invitation,
    invitation_of,
    is_administered,
)

_FIRST = N_(
    "This workspace is new, and this link makes you its admin. Choose the name and the password to "
    "sign in with. Then you are led through documents, questions and people."
)
_INVITED = N_("You are invited as {role}. Choose the name and the password to sign in with.")
_PAGE, _FORM = static_page("plain_page.html"), static_page("invitation_form.html")


def routes(prefix: str, home: str) -> list[Route]:
    """The invitation page below ``prefix``; ``home`` is the app's first page."""

    def form(
        request: Request,
        invitation: Invitation,
        first: bool,
        *,
        name: str = "",
        error: str = "",
    ) -> Response:
        lead = gettext(_FIRST) if first else gettext(_INVITED, role=role_phrase(invitation.role))
        rule = gettext(
            "A password has at least {characters} characters. Others see your name where they "
            "review your work; exports use a pseudonym. The link works once, until {time} (UTC).",
            characters=MIN_PASSWORD,
            time=f"{invitation.expires_at[:10]} {invitation.expires_at[11:16]}",
        )
        body = fill_page(
            _FORM,
            lead=escape(lead),
            rule=escape(rule),
            action=escape(f"{prefix}/invitation/{request.path_params['token']}"),
            name=escape(name),
            error=f'<p class="error" role="alert">{escape(error)}</p>' if error else "",
            max_name=MAX_NAME,
            min_password=MIN_PASSWORD,
        )
        return _page(body, 400 if error else 200)

    async def show(request: Request) -> Response:
        token = str(request.path_params["token"])
        try:
            invitation, first = await run_in_threadpool(_load_invitation, token)
        except NotFoundError as error:
            return _not_valid(error, prefix)
        return form(request, invitation, first)

    async def accept(request: Request) -> Response:
        token = str(request.path_params["token"])
        try:
            app = services()
            require_same_origin(request)
            posted_form = await form_of(request)
        except PagetrailError as error:
            return _page(f'<p class="error" role="alert">{escape(error.message)}</p>', 403)
        name, password = posted_form.get("name", "").strip(), posted_form.get("password", "")
        try:
            invitation, first = await run_in_threadpool(_load_invitation, token)
            if password != posted_form.get("again"):
                return form(
                    request,
                    invitation,
                    first,
                    name=name,
                    error=gettext("The passwords are not the same."),
                )
            async with app.hashing.turn():
                person = await run_in_threadpool(
                    accept_invitation, app.workspace, token, name, password
                )
        except NotFoundError as error:
            return _not_valid(error, prefix)
        except (StorageError, Busy):
            raise  # not answered with the form, which may fail as well
        except PagetrailError as error:
            return form(request, invitation, first, name=name, error=error.message)
        next_path = f"{home}administration?part=Setup" if first else home
        response = RedirectResponse(next_path, 303, headers={"Cache-Control": "no-store"})
        await start_session(app, person, request, response)
        return response

    at = f"{prefix}/invitation/{{token}}"
    return [Route(at, show, methods=["GET"]), Route(at, accept, methods=["POST"])]


def _load_invitation(token: str) -> tuple[Invitation, bool]:
    """The invitation, and whether it creates the workspace's first admin."""
    workspace = services().workspace
    invitation = invitation_of(workspace, token)
    return invitation, invitation.role == "admin" and not is_administered(workspace)


def _page(body: str, status: int) -> Response:
    return HTMLResponse(
        fill_page(_PAGE, title=gettext("Invitation"), body=body), status, headers=PAGE_HEADERS
    )


def _not_valid(error: NotFoundError, prefix: str) -> Response:
    sign_in = gettext("Sign in with an account")
    return _page(
        f'<p class="error" role="alert">{escape(error.message)}</p>'
        f'<p class="help"><a href="{escape(prefix)}/login">'
        f"{escape(sign_in)}</a></p>",
        404,
    )
