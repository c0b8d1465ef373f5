"""The route of the live checks of question authoring."""

from __future__ import annotations

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from pagetrail.app.routes.common import TOKEN_HEADER, check_token, guarded, json_body
from pagetrail.app.services.composition import Services
from pagetrail.app.workspace.question_checks import check_question
from pagetrail.storage.people.accounts import Person


async def _checks(request: Request, app: Services, person: Person) -> Response:
    attempt_id = str(request.path_params["attempt"])
    await check_token(app, person, request.headers.get(TOKEN_HEADER), attempt_id)
    body = await json_body(request)
    return JSONResponse(await run_in_threadpool(check_question, app, person, attempt_id, body))


def routes(prefix: str) -> list[Route]:
    """The routes below ``prefix``."""
    return [
        Route(f"{prefix}/attempts/{{attempt}}/checks", guarded(_checks, "long"), methods=["POST"])
    ]
