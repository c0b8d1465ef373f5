"""Page images: content-addressed, cached by the browser, for signed-in people only.

Supervisors also get a page with all of a document's images.
"""

from __future__ import annotations

from html import escape

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from pagetrail.annotation.errors import Forbidden, NotFoundError
from pagetrail.annotation.messages import gettext, ngettext
from pagetrail.app.routes.auth import fill_page, static_page
from pagetrail.app.routes.common import check_token, guarded, whole_number
from pagetrail.app.services.composition import Services
from pagetrail.app.services.render_queue import Need
from pagetrail.app.services.supervisor_rights import OVERSIGHT, require_supervisor
from pagetrail.app.workspace.annotator_actions import own_attempt
from pagetrail.app.workspace.readable_pages import check_readable
from pagetrail.storage.corpus.documents import check_page
from pagetrail.storage.corpus.image_cache import THUMBNAIL_DPI
from pagetrail.storage.people.accounts import Person

DPI = (THUMBNAIL_DPI, 75, 150, 220)
AHEAD_HEADER = "x-pagetrail-ahead"
"""Header of prefetch requests; ``likely`` is the first result of a search."""
CACHE = "private, max-age=604800, immutable"
_DOCUMENT = static_page("document.html")
_DOCUMENT_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; "
    "img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
}


async def _page(request: Request, app: Services, person: Person) -> Response:
    sha256 = str(request.path_params["sha256"])
    number = whole_number(str(request.path_params["number"]))
    dpi = request.query_params.get("dpi", "150")
    if dpi not in map(str, DPI):
        raise NotFoundError(
            gettext(
                "Pages are drawn at {allowed} dpi, not at {dpi}.",
                allowed=", ".join(map(str, DPI)),
                dpi=dpi[:20],
            )
        )

    tag = f'"{sha256}-{number}-{dpi}"'
    is_cached = request.headers.get("if-none-match") == tag

    def allowed() -> bytes | None:
        try:
            scope = app.tokens.check(request.query_params.get("v", ""), person.id)
        except Forbidden:
            app.security_log.record(
                person.name, "forbidden token", f"page {number} of {sha256[:64]}"
            )
            raise
        if scope == OVERSIGHT:
            require_supervisor(app, person, f"page {number} of {sha256}")
        row = None if scope == OVERSIGHT else own_attempt(app, person, scope)
        info = app.corpus.document_by_hash(sha256)
        if info is None:
            raise NotFoundError(gettext("There is no such document in this collection."))
        if row is not None:
            check_readable(app, row, info.name, number)
        check_page(info, number)
        return None if is_cached else app.images.cached(sha256, number, int(dpi))

    picture = await run_in_threadpool(allowed)
    if picture is None and not is_cached:
        picture = await app.render_queue.run(
            person.id, tag, lambda: app.images.jpeg(sha256, number, int(dpi)), _need(request, dpi)
        )
    headers = {"Cache-Control": CACHE, "ETag": tag, "X-Content-Type-Options": "nosniff"}
    if picture is None:
        return Response(status_code=304, headers=headers)
    return Response(picture, media_type="image/jpeg", headers=headers)


def _need(request: Request, dpi: str) -> Need:
    ahead = request.headers.get(AHEAD_HEADER)
    if ahead == "likely":  # needed as much as the thumbnails of the other results
        return Need.THUMBNAIL
    if ahead:
        return Need.PREFETCH
    return Need.THUMBNAIL if int(dpi) == THUMBNAIL_DPI else Need.PAGE


async def _document(request: Request, app: Services, person: Person) -> Response:
    """All pages of a document; images load when scrolled into view."""
    sha256 = str(request.path_params["sha256"])
    token = request.query_params.get("v", "")
    await run_in_threadpool(require_supervisor, app, person, f"document {sha256[:64]}")
    await check_token(app, person, token, OVERSIGHT)
    info = await run_in_threadpool(app.corpus.document_by_hash, sha256)
    if info is None:
        raise NotFoundError(gettext("There is no such document in this collection."))
    # Relative, so that it works below a proxy's path too.
    address = f"../page/{info.sha256}/{{page}}?v={escape(token)}&amp;dpi=150"
    pages = "\n".join(
        f'<section id="page-{number}"><img loading="lazy" width="{page.width:.0f}" '
        f'height="{page.height:.0f}" src="{address.format(page=number)}" '
        f'alt="{title}"><p>{title}</p></section>'
        for number, page in enumerate(info.pages, start=1)
        for title in (escape(gettext("Page {number}", number=number)),)
    )
    html = fill_page(
        _DOCUMENT,
        name=escape(info.name),
        count=ngettext("{number:,} page", "{number:,} pages", info.n_pages),
        links=" ".join(f'<a href="#page-{n}">{n}</a>' for n in range(1, info.n_pages + 1)),
        pages=pages,
    )
    return HTMLResponse(html, headers=_DOCUMENT_HEADERS)


def routes(prefix: str) -> list[Route]:
    """The routes below ``prefix``."""
    return [
        Route(f"{prefix}/page/{{sha256}}/{{number}}", guarded(_page, None), methods=["GET"]),
        Route(f"{prefix}/document/{{sha256}}", guarded(_document), methods=["GET"]),
    ]
