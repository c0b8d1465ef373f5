"""The route of the live checks of question authoring."""

from __future__ import annotations

import asyncio

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from pagetrail.app.routes.common import TOKEN_HEADER, check_token, guarded, json_body
from pagetrail.app.services.composition import Services
from pagetrail.app.workspace.question_checks import check_question
from pagetrail.storage.people.accounts import Person
from pagetrail.storage.workers.pool import CallHandle

_LOOK_S = 0.2


async def _checks(request: Request, app: Services, person: Person) -> Response:
    attempt_id = str(request.path_params["attempt"])
    await check_token(app, person, request.headers.get(TOKEN_HEADER), attempt_id)
    body = await json_body(request)
    handle = CallHandle()
    checks = asyncio.create_task(
        run_in_threadpool(check_question, app, person, attempt_id, body, handle)
    )
    while not (await asyncio.wait({checks}, timeout=_LOOK_S))[0]:
        if await request.is_disconnected():  # cancelled, or the person has left
            handle.cancel()
    return JSONResponse(await checks)


def routes(prefix: str) -> list[Route]:
    """The routes below ``prefix``."""
    return [
        Route(f"{prefix}/attempts/{{attempt}}/checks", guarded(_checks, "long"), methods=["POST"])
    ]
