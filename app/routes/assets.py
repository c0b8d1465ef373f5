"""The components' modules under the hash of their content, cached for good.

Addresses below the hash are paths below ``components/assets``, so that a module imports another by
the same relative path in the browser as in an editor.
"""

from __future__ import annotations

import hashlib
import posixpath
import re
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from pagetrail.annotation.errors import NotFoundError
from pagetrail.annotation.messages import gettext
from pagetrail.app.routes.common import error_response

ASSETS = Path(__file__).parents[1] / "components" / "assets"
WORKSPACE = "workspace"
_TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
_FILES = {
    path.relative_to(ASSETS).as_posix(): path.read_bytes()
    for path in sorted(ASSETS.rglob("*"))
    if path.suffix in _TYPES
}
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_IMPORTED_PATH = re.compile(r'"(\.{1,2}/[^"]+\.(?:js|css))"')
VERSION = hashlib.sha256(
    b"".join(name.encode() + b"\0" + content for name, content in _FILES.items())
).hexdigest()[:16]


def entry(prefix: str, component: str = WORKSPACE) -> str:
    """The address of a component's first module."""
    return f"{prefix}/assets/{VERSION}/{component}/main.js"


def needed(prefix: str, component: str = WORKSPACE) -> list[str]:
    """The addresses of a component's first module and of all modules and style sheets it names.

    A page asks for them at once instead of one level of imports after the other.
    """
    modules: dict[str, None] = {}
    pending = [f"{component}/main.js"]
    while pending:
        name = pending.pop()
        if name not in modules:
            modules[name] = None
            source = _COMMENT.sub("", _FILES[name].decode())
            folder = posixpath.dirname(name)
            pending += [
                posixpath.normpath(f"{folder}/{to}") for to in _IMPORTED_PATH.findall(source)
            ]
    return [f"{prefix}/assets/{VERSION}/{name}" for name in modules]


async def _asset(request: Request) -> Response:
    name = str(request.path_params["name"])
    if name not in _FILES or request.path_params["version"] != VERSION:
        return error_response(
            NotFoundError(gettext("This file is not part of this version. Reload."))
        )
    return Response(
        _FILES[name],
        media_type=_TYPES[Path(name).suffix],
        headers={
            "Cache-Control": "public, max-age=31536000, immutable",
            "X-Content-Type-Options": "nosniff",
        },
    )


def routes(prefix: str) -> list[Route]:
    """The routes below ``prefix``; code only, so no session is asked for."""
    return [Route(f"{prefix}/assets/{{version}}/{{name:path}}", _asset, methods=["GET"])]
