"""What the Content-Security-Policy allows, worked out from a page."""

from __future__ import annotations

import base64
import hashlib
from pathlib import Path

import pytest

from pagetrail.app.routes.auth import PAGE_HEADERS, static_page
from pagetrail.app.server.content_policy import INDEX, content_policy, inline_scripts


def _directives(policy: str) -> dict[str, list[str]]:
    parts = (part.split() for part in policy.split(";"))
    return {name: sources for name, *sources in parts}


def test_inline_scripts_are_allowed_only_by_hash() -> None:
    """Each inline script of the page is named; a page without one names none."""
    text = "\n  window.a = '<b>' && 1 < 2\n"
    page = f"<script src='x.js'></script><p>no</p><script>{text}</script><script>2</script>"
    assert inline_scripts(page) == [text, "2"]
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    allowed = _directives(content_policy(page))["script-src"]
    assert f"'sha256-{digest}'" in allowed
    assert len([source for source in allowed if source.startswith("'sha256-")]) == 2
    assert _directives(content_policy("<p>"))["script-src"] == [
        "'self'",
        "blob:",
        "'wasm-unsafe-eval'",
    ]


def test_line_ends_are_hashed_as_a_browser_reads_them() -> None:
    """A browser turns CR LF into LF before it hashes."""
    assert inline_scripts("<script>\r\n1\r\n</script>") == ["\n1\n"]


def test_data_is_never_executed() -> None:
    """Neither inline scripts in general, nor text as code, nor another site's files. WebAssembly,
    which only a script that runs already can make, is allowed: Streamlit's has it.
    """
    directives = _directives(content_policy(INDEX.read_text(encoding="utf-8")))
    assert directives["default-src"] == ["'self'"]
    assert directives["script-src-attr"] == directives["object-src"] == ["'none'"]
    for name in ("base-uri", "form-action", "frame-ancestors"):
        assert directives[name] == ["'self'"]
    scripts = directives["script-src"]
    assert any(source.startswith("'sha256-") for source in scripts)
    refused = {"'unsafe-inline'", "'unsafe-eval'", "*", "https:", "data:"}
    assert not refused & {*scripts}


def test_own_pages_allow_what_they_name_and_no_more() -> None:
    """The sign-in page's prefetched files, which Firefox checks against the default, and its icon,
    which is in the page. Nothing of another site, nothing embedded, no inline script.
    """
    directives = _directives(PAGE_HEADERS["Content-Security-Policy"])
    assert directives["default-src"] == ["'self'"]
    assert directives["img-src"] == ["data:"]
    assert 'rel="icon" href="data:image/png;base64,' in static_page("login.html").template
    for name in ("object-src", "frame-src", "worker-src", "base-uri", "frame-ancestors"):
        assert directives[name] == ["'none'"]
    assert "script-src" not in directives


@pytest.mark.parametrize("name", ["deploy/Caddyfile", "deploy/nginx.conf", "deploy/apache.conf"])
def test_proxy_sends_hsts(name: str) -> None:
    """For a year at least."""
    text = (Path(__file__).parents[3] / name).read_text(encoding="utf-8")
    assert "Strict-Transport-Security max-age=31536000" in text
