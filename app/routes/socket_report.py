"""Takes a browser's word that its web socket does not get through, for the operator's log."""

from __future__ import annotations

import logging

from cachetools import TTLCache
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from pagetrail.app.routes.common import guarded
from pagetrail.app.services.composition import Services
from pagetrail.storage.people.accounts import Person

_log = logging.getLogger("pagetrail.server")
_logged: TTLCache[int, bool] = TTLCache(maxsize=1_000, ttl=600)
"""People of whom the log has a line from the last ten minutes."""


async def _note(_request: Request, _app: Services, person: Person) -> Response:
    if person.id not in _logged:
        _logged[person.id] = True
        _log.warning(
            "A signed-in browser (%s) reaches this server over HTTP, but not by web socket: its "
            "screens stay empty. The proxy has to pass on Upgrade and Connection "
            "(docs/operations.md, Serving a workspace).",
            person.pseudonym,
        )
    return Response(status_code=204)


def routes(prefix: str) -> list[Route]:
    """The route below ``prefix``."""
    return [Route(f"{prefix}/socket-report", guarded(_note), methods=["POST"])]
