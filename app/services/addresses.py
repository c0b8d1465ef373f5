"""Addresses of the app's own routes and screens."""

from __future__ import annotations

import os
from urllib.parse import quote, urlencode

BASE = os.environ.get("STREAMLIT_SERVER_BASE_URL_PATH", "").strip("/")
"""The path prefix of a proxy; empty for none."""

HOME = f"/{BASE}/" if BASE else "/"
PREFIX = f"{HOME}pagetrail"


def review_url(task_id: int) -> str:
    """The address of a task under review."""
    return f"{HOME}reviewing?{urlencode({'task': task_id})}"


def invitation_path(token: str) -> str:
    """The address of an invitation's page."""
    return f"{PREFIX}/invitation/{token}"


def login_path(prefix: str, next_path: str) -> str:
    """The address of the sign-in page that continues to ``next_path``."""
    return f"{prefix}/login?next={quote(next_path, safe='')}"
