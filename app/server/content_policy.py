"""The Content-Security-Policy of Streamlit's page.

If text from data ends up as markup on a screen, it has no effect: the browser runs no inline
    scripts except the page's own (named by their hashes), no evaluated text, and no scripts of
    other sites.
"""

from __future__ import annotations

import base64
import hashlib
from html.parser import HTMLParser
from pathlib import Path

import streamlit

INDEX = Path(streamlit.__file__).parent / "static" / "index.html"


def content_policy(page: str) -> str:
    """The header's value for a page.

    Args:
        page: the page's HTML; its inline scripts are allowed as they are.
    """
    hashes = [
        f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"
        for script in inline_scripts(page)
    ]
    directives = {
        "default-src": ["'self'"],
        # Streamlit imports a component's loader from a blob made by its own script, and its
        # arithmetic of 64 bits is WebAssembly, which Firefox reports as blocked otherwise.
        "script-src": ["'self'", "blob:", "'wasm-unsafe-eval'", *hashes],
        "script-src-attr": ["'none'"],
        # Emotion, its styling library, and the data grid write style elements and attributes.
        "style-src": ["'self'", "'unsafe-inline'"],
        # Page images and exported charts are blobs; the data grid's icons are data URLs.
        "img-src": ["'self'", "blob:", "data:"],
        "font-src": ["'self'", "data:"],
        "object-src": ["'none'"],
        "base-uri": ["'self'"],
        "form-action": ["'self'"],
        "frame-ancestors": ["'self'"],
    }
    return "; ".join(f"{name} {' '.join(sources)}" for name, sources in directives.items())


def inline_scripts(page: str) -> list[str]:
    """The texts of the page's inline scripts, in order."""
    reader = _Scripts()
    reader.feed(page.replace("\r\n", "\n"))
    reader.close()
    return reader.texts


class _Scripts(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self._is_inline = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "script" and "src" not in dict(attrs):
            self._is_inline = True
            self.texts.append("")

    def handle_data(self, data: str) -> None:
        if self._is_inline:
            self.texts[-1] += data

    def handle_endtag(self, tag: str) -> None:
        self._is_inline = self._is_inline and tag != "script"
