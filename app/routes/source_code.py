"""The program's source as a zip, for anybody who can reach the server."""

from __future__ import annotations

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse
from starlette.routing import Route

from pagetrail.app.services.source_code import ARCHIVE_PATH, source_archive


async def _source(_request: Request) -> FileResponse:
    path = await run_in_threadpool(source_archive)
    return FileResponse(
        path,
        media_type="application/zip",
        filename=path.name,
        headers={"Cache-Control": "no-cache", "X-Content-Type-Options": "nosniff"},
    )


def routes() -> list[Route]:
    """The route; no session is required, since the sign-in page is part of the program too."""
    return [Route(ARCHIVE_PATH, _source, methods=["GET"])]
