"""Finished exports as zip files, for supervisors only."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from starlette.background import BackgroundTask
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from pagetrail.annotation.errors import PagetrailError
from pagetrail.app.routes.common import check_token, guarded
from pagetrail.app.services.composition import Services
from pagetrail.app.services.supervisor_rights import OVERSIGHT, require_supervisor
from pagetrail.exports.writing.stored_exports import write_zip
from pagetrail.storage.people.accounts import Person
from pagetrail.storage.people.audit import audit


async def _download(request: Request, app: Services, person: Person) -> Response:
    name = str(request.path_params["name"])
    await run_in_threadpool(require_supervisor, app, person, f"export {name}")
    await check_token(app, person, request.query_params.get("v"), OVERSIGHT)

    def pack() -> Path:
        folder = app.workspace.cache_dir / "downloads"
        folder.mkdir(parents=True, exist_ok=True)
        handle, target = tempfile.mkstemp(suffix=".zip", dir=folder)
        os.close(handle)
        try:
            write_zip(app.workspace, name, Path(target))
        except PagetrailError:
            Path(target).unlink(missing_ok=True)
            raise
        audit(app.workspace, person, "export_downloaded", name)
        return Path(target)

    packed = await run_in_threadpool(pack)
    return FileResponse(
        packed,
        media_type="application/zip",
        filename=f"{name}.zip",
        # Packed per request, so that no copy of a deleted export remains.
        background=BackgroundTask(packed.unlink, missing_ok=True),
    )


def routes(prefix: str) -> list[Route]:
    """The route below ``prefix``."""
    return [
        Route(f"{prefix}/exports/{{name}}.zip", guarded(_download, "transfer"), methods=["GET"])
    ]
