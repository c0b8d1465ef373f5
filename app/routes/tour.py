"""Notes that a person has seen the tour of the task screen."""

from __future__ import annotations

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from pagetrail.app.routes.common import guarded
from pagetrail.app.services.composition import Services
from pagetrail.storage.people.accounts import Person
from pagetrail.storage.people.preferences import set_preferences


async def _end_tour(_request: Request, app: Services, person: Person) -> Response:
    await run_in_threadpool(set_preferences, app.workspace, person.id, tour="done")
    return JSONResponse({})


def routes(prefix: str) -> list[Route]:
    """The routes below ``prefix``."""
    return [Route(f"{prefix}/tour/done", guarded(_end_tour), methods=["POST"])]
