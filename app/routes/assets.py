"""The components' modules under the hash of their content, cached for good.

The workspace's files lie at the top; those of every component in a folder of its name, so that a
module of one can import ``../workspace/dom.js``.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from annotation.errors import NotFoundError
from app.routes.common import error_response

COMPONENTS = Path(__file__).parents[1] / "components"
WORKSPACE = "workspace"
_TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}


def _files() -> dict[str, dict[str, bytes]]:
    return {
        folder.parent.name: {
            path.name: path.read_bytes()
            for path in sorted(folder.iterdir())
            if path.suffix in _TYPES
        }
        for folder in sorted(COMPONENTS.glob("*/assets"))
    }


_FILES = _files()
VERSION = hashlib.sha256(
    b"".join(
        f"{component}/{name}".encode() + b"\0" + content
        for component, files in _FILES.items()
        for name, content in files.items()
    )
).hexdigest()[:16]


def entry(prefix: str, component: str = WORKSPACE) -> str:
    """The address of a component's first module."""
    folder = "" if component == WORKSPACE else f"{component}/"
    return f"{prefix}/assets/{VERSION}/{folder}main.js"


def paths(prefix: str) -> list[str]:
    """The addresses of all files of the workspace."""
    return [f"{prefix}/assets/{VERSION}/{name}" for name in _FILES[WORKSPACE]]


async def _asset(request: Request) -> Response:
    name = str(request.path_params["name"])
    files = _FILES.get(str(request.path_params.get("component", WORKSPACE)), {})
    if name not in files or request.path_params["version"] != VERSION:
        return error_response(NotFoundError("This file is not part of this version. Reload."))
    return Response(
        files[name],
        media_type=_TYPES[Path(name).suffix],
        headers={
            "Cache-Control": "public, max-age=31536000, immutable",
            "X-Content-Type-Options": "nosniff",
        },
    )


def routes(prefix: str) -> list[Route]:
    """The routes below ``prefix``; code only, so no session is asked for."""
    return [
        Route(f"{prefix}/assets/{{version}}/{address}", _asset, methods=["GET"])
        for address in ("{name}", "{component}/{name}")
    ]
