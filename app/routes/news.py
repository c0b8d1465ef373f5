"""Tells open screens about supervisors' decisions."""

from __future__ import annotations

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from typing_extensions import TypedDict

from pagetrail.annotation.errors import NotFoundError
from pagetrail.annotation.messages import gettext
from pagetrail.app.routes.common import TOKEN_HEADER, check_token, guarded
from pagetrail.app.services.composition import Services
from pagetrail.app.workspace.annotator_actions import mark_decision_shown, own_attempt
from pagetrail.storage.people.accounts import Person


class NewsReply(TypedDict):
    """Identifies the decisions that the screen should show."""

    mark: str


async def _news(request: Request, app: Services, person: Person) -> Response:
    attempt_id = str(request.path_params["attempt"])
    await check_token(app, person, request.headers.get(TOKEN_HEADER), attempt_id)
    row = await run_in_threadpool(own_attempt, app, person, attempt_id)
    shown_mark = request.query_params.get("mark", "")
    await run_in_threadpool(mark_decision_shown, app, row, shown_mark)
    decisions = await app.updates.wait(attempt_id, shown_mark)
    if decisions is None:
        raise NotFoundError(gettext("This task does not exist, or its batch was withdrawn."))
    reply: NewsReply = {"mark": decisions.mark}
    return JSONResponse(reply)


def routes(prefix: str) -> list[Route]:
    """The routes below ``prefix``."""
    return [Route(f"{prefix}/attempts/{{attempt}}/news", guarded(_news, None), methods=["GET"])]
