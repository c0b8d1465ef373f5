"""The route of a pilot task's feedback."""

from __future__ import annotations

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from pagetrail.app.routes.common import TOKEN_HEADER, check_token, guarded
from pagetrail.app.services.composition import Services
from pagetrail.app.workspace.pilot_feedback import give_feedback
from pagetrail.storage.people.accounts import Person


async def _feedback(request: Request, app: Services, person: Person) -> Response:
    attempt_id = str(request.path_params["attempt"])
    await check_token(app, person, request.headers.get(TOKEN_HEADER), attempt_id)
    return JSONResponse(await run_in_threadpool(give_feedback, app, person, attempt_id))


def routes(prefix: str) -> list[Route]:
    """The route below ``prefix``."""
    return [
        Route(
            f"{prefix}/attempts/{{attempt}}/feedback", guarded(_feedback, "long"), methods=["POST"]
        )
    ]
