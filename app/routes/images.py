"""Page images: content-addressed, cached by the browser, for the signed-in person only."""

from __future__ import annotations

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from pagetrail.annotation.errors import Forbidden, NotFoundError
from pagetrail.app.routes.attempts import check_readable
from pagetrail.app.routes.common import guarded, whole_number
from pagetrail.app.services.composition import Services
from pagetrail.app.services.supervisor_rights import OVERSIGHT, overseeing
from pagetrail.app.workspace.annotator_actions import own_attempt
from pagetrail.storage.corpus.documents import check_page
from pagetrail.storage.people.accounts import Person

DPI = (40, 75, 150, 220)
CACHE = "private, max-age=604800, immutable"


async def _page(request: Request, app: Services, person: Person) -> Response:
    sha256 = str(request.path_params["sha256"])
    number = whole_number(str(request.path_params["number"]))
    dpi = request.query_params.get("dpi", "150")
    if dpi not in map(str, DPI):
        raise NotFoundError(
            f"Pages are drawn at {', '.join(map(str, DPI))} dpi, not at {dpi[:20]}."
        )

    tag = f'"{sha256}-{number}-{dpi}"'
    known = request.headers.get("if-none-match") == tag

    def allowed() -> bytes | None:
        try:
            scope = app.tokens.check(request.query_params.get("v", ""), person.id)
        except Forbidden:
            app.notes.note(person.name, "forbidden token", f"page {number} of {sha256[:64]}")
            raise
        if scope == OVERSIGHT:
            overseeing(app, person, f"page {number} of {sha256}")
        row = None if scope == OVERSIGHT else own_attempt(app, person, scope)
        info = app.corpus.document_by_hash(sha256)
        if info is None:
            raise NotFoundError("There is no such document in this collection.")
        if row is not None:
            check_readable(app, row, info.name, number)
        check_page(info, number)
        return None if known else app.images.cached(sha256, number, int(dpi))

    picture = await run_in_threadpool(allowed)
    if picture is None and not known:
        picture = await app.drawing.run(
            person.id, tag, lambda: app.images.jpeg(sha256, number, int(dpi))
        )
    headers = {"Cache-Control": CACHE, "ETag": tag, "X-Content-Type-Options": "nosniff"}
    if picture is None:
        return Response(status_code=304, headers=headers)
    return Response(picture, media_type="image/jpeg", headers=headers)


def routes(prefix: str) -> list[Route]:
    """The route below ``prefix``."""
    return [Route(f"{prefix}/page/{{sha256}}/{{number}}", guarded(_page, None), methods=["GET"])]
