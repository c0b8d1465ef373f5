"""The workspace component's modules under the hash of their content, cached for good."""

from __future__ import annotations

import hashlib
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from annotation.errors import NotFoundError
from app.routes.common import error_response

ASSETS = Path(__file__).parents[1] / "components" / "workspace" / "assets"
_TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}


def _files() -> dict[str, bytes]:
    return {
        path.name: path.read_bytes() for path in sorted(ASSETS.iterdir()) if path.suffix in _TYPES
    }


_FILES = _files()
VERSION = hashlib.sha256(
    b"".join(name.encode() + b"\0" + content for name, content in _FILES.items())
).hexdigest()[:16]


def entry(prefix: str) -> str:
    """The address of the component's first module."""
    return f"{prefix}/assets/{VERSION}/main.js"


def paths(prefix: str) -> list[str]:
    """The addresses of all files."""
    return [f"{prefix}/assets/{VERSION}/{name}" for name in _FILES]


async def _asset(request: Request) -> Response:
    name = str(request.path_params["name"])
    if name not in _FILES or request.path_params["version"] != VERSION:
        return error_response(NotFoundError("This file is not part of this version. Reload."))
    return Response(
        _FILES[name],
        media_type=_TYPES[Path(name).suffix],
        headers={
            "Cache-Control": "public, max-age=31536000, immutable",
            "X-Content-Type-Options": "nosniff",
        },
    )


def routes(prefix: str) -> list[Route]:
    """The route below ``prefix``; code only, so no session is asked for."""
    return [Route(f"{prefix}/assets/{{version}}/{{name}}", _asset, methods=["GET"])]
