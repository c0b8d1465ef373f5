"""Uploading PDF files for the collection, for supervisors only, straight to disk."""

from __future__ import annotations

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from typing_extensions import TypedDict

from pagetrail.app.routes.common import TOKEN_HEADER, check_token, guarded
from pagetrail.app.services.composition import Services
from pagetrail.app.services.pending_uploads import check_upload, receive
from pagetrail.app.services.supervisor_rights import OVERSIGHT, require_supervisor
from pagetrail.storage.people.accounts import Person
from pagetrail.storage.people.audit import audit


class UploadReply(TypedDict):
    """The file is stored."""

    name: str


async def _upload(request: Request, app: Services, person: Person) -> Response:
    name = str(request.path_params["name"])
    await run_in_threadpool(require_supervisor, app, person, f"upload {name}")
    await check_token(app, person, request.headers.get(TOKEN_HEADER), OVERSIGHT)
    await run_in_threadpool(check_upload, app.workspace, name)
    with receive(app.workspace, name) as upload:
        async for chunk in request.stream():
            await run_in_threadpool(upload.write, chunk)
        await run_in_threadpool(upload.finish)
    await run_in_threadpool(audit, app.workspace, person.name, "document_uploaded", name)
    reply: UploadReply = {"name": name}
    return JSONResponse(reply)


def routes(prefix: str) -> list[Route]:
    """The route below ``prefix``."""
    return [Route(f"{prefix}/uploads/{{name}}", guarded(_upload, "transfer"), methods=["PUT"])]
