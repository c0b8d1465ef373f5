"""Addresses of the app's own routes and screens."""

from __future__ import annotations

import os
from urllib.parse import urlencode

BASE = os.environ.get("STREAMLIT_SERVER_BASE_URL_PATH", "").strip("/")
"""The path that a proxy puts before everything; empty for none."""

HOME = f"/{BASE}/" if BASE else "/"
PREFIX = f"{HOME}pagetrail"


def task_url(attempt_id: str, document: str | None = None, page: int | None = None) -> str:
    """The deep link to a task, and to a page in it."""
    query = {"attempt": attempt_id}
    if document is not None and page is not None:
        query |= {"document": document, "page": str(page)}
    return f"{HOME}task?{urlencode(query)}"


def review_url(task_id: int) -> str:
    """The address of a task under review."""
    return f"{HOME}reviewing?{urlencode({'task': task_id})}"
