"""The browser code that ``npm run build`` wrote, under the hash of its content and cached for good.

During development, ``PAGETRAIL_ASSETS`` names the folder of ``npm run watch``, which is read again
after each build.

A language's messages have an address of their own, with the hash of their content.
"""

from __future__ import annotations

import hashlib
import json
import os
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from pagetrail.annotation.errors import NotFoundError
from pagetrail.annotation.messages import gettext
from pagetrail.app.routes.common import error_response
from pagetrail.app.services.languages import ENGLISH, browser_messages, languages

ASSETS = Path(__file__).parents[1] / "components" / "assets"
WORKSPACE = "workspace"
_WATCHED = "PAGETRAIL_ASSETS"
_MANIFEST = "manifest.json"
_TYPES = {".js": "text/javascript", ".css": "text/css", ".map": "application/json"}


class Bundle(NamedTuple):
    """A build of the browser code.

    Attributes:
        version: a hash of all files.
        files: those that are served, by name.
        needed: what a page asks for at once, by component; the first module comes first.
    """

    version: str
    files: dict[str, bytes]
    needed: dict[str, list[str]]


@lru_cache(maxsize=1)
def _read(folder: Path, written_ns: int) -> Bundle:
    """The build in a folder; ``written_ns`` tells one that is written again from the one before."""
    files = {
        path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.suffix in _TYPES
    }
    digest = hashlib.sha256(b"".join(name.encode() + b"\0" + files[name] for name in files))
    needed = json.loads((folder / _MANIFEST).read_text(encoding="utf-8"))
    return Bundle(digest.hexdigest()[:16], files, needed)


def current() -> Bundle:
    """The build that pages get now."""
    watched = os.environ.get(_WATCHED)
    if not watched:
        return _read(ASSETS, 0)
    folder = Path(watched)
    return _read(folder, (folder / _MANIFEST).stat().st_mtime_ns)


def entry(prefix: str, component: str = WORKSPACE) -> str:
    """The address of a component's first module."""
    return needed(prefix, component)[0]


def needed(prefix: str, component: str = WORKSPACE) -> list[str]:
    """The addresses of a component's first module, of what it imports, and of its style sheet.

    A page requests them all at once instead of level by level.
    """
    bundle = current()
    return [f"{prefix}/assets/{bundle.version}/{name}" for name in bundle.needed[component]]


def messages_address(prefix: str, language: str) -> str | None:
    """The address of the browser's messages in a language; None for English, which needs none."""
    if language == ENGLISH:
        return None
    digest = hashlib.sha256(_messages_json(language)).hexdigest()[:16]
    return f"{prefix}/assets/messages/{language}-{digest}.json"


def _messages_json(language: str) -> bytes:
    return json.dumps(browser_messages(language), ensure_ascii=False).encode()


async def _messages(request: Request) -> Response:
    for language in languages():
        if messages_address("", language) == f"/assets/messages/{request.path_params['name']}":
            return _cached(_messages_json(language), "application/json")
    return _outdated()


async def _asset(request: Request) -> Response:
    name = str(request.path_params["name"])
    bundle = current()
    if name not in bundle.files or request.path_params["version"] != bundle.version:
        return _outdated()
    return _cached(bundle.files[name], _TYPES[Path(name).suffix])


def _outdated() -> Response:
    return error_response(NotFoundError(gettext("This file is not part of this version. Reload.")))


def _cached(content: bytes, media_type: str) -> Response:
    return Response(
        content,
        media_type=media_type,
        headers={
            "Cache-Control": "public, max-age=31536000, immutable",
            "X-Content-Type-Options": "nosniff",
        },
    )


def routes(prefix: str) -> list[Route]:
    """The routes below ``prefix``; they serve code only, so no session is required."""
    current()  # read before an upgrade can replace the files of a running server
    return [
        Route(f"{prefix}/assets/messages/{{name}}", _messages, methods=["GET"]),
        Route(f"{prefix}/assets/{{version}}/{{name:path}}", _asset, methods=["GET"]),
    ]
