"""Prefetching: files while the person types the password.

Without it, most of the time between sign-in and the first question goes into about ninety small
files of Streamlit's frontend and the workspace. They are content-addressed and cached forever, so
the sign-in page prefetches them.
"""

from __future__ import annotations

import re
from functools import cache
from html import escape
from pathlib import Path

from streamlit import file_util

from pagetrail.app.routes.assets import needed

# Chunks that Streamlit's frontend requests only when the task's screen arrives.
_LATER = (
    "js/Html.*.js",
    "js/purify*.js",
    "js/BidiComponent.*.js",
    "js/serialization.*.js",
    "js/recordbatch*.js",
    "js/_arrayReduce.*.js",
    "media/MaterialSymbols-Rounded*.woff2",
)
_AS = {".js": "script", ".css": "style", ".woff2": "font"}


@cache
def prefetch_links(home: str, prefix: str) -> str:
    """``<link>`` elements for the sign-in page.

    Args:
        home: the app's first page, with a slash at its end.
        prefix: where the project's own routes are.
    """
    own_links = [_link(path, crossorigin=False) for path in needed(prefix)]
    return "\n".join([_link(home + path) for path in _frontend()] + own_links)


def _frontend() -> list[str]:
    """Files loaded by Streamlit's page, as paths below the app's first page."""
    static = Path(file_util.get_static_dir())
    page = (static / "index.html").read_text(encoding="utf-8")
    paths = re.findall(r'(?:href|src)="\./(static/[\w./~-]+\.(?:js|css|woff2))"', page)
    later = [
        str(file.relative_to(static))
        for pattern in _LATER
        for file in sorted(static.glob(f"static/{pattern}"))
    ]
    return list(dict.fromkeys([*paths, *later]))


def _link(path: str, *, crossorigin: bool = True) -> str:
    kind = _AS[Path(path).suffix]
    # Without this attribute, the later request would miss the cache.
    cors = " crossorigin" if crossorigin else ""
    return f'<link rel="prefetch" as="{kind}" href="{escape(path)}"{cors}>'
