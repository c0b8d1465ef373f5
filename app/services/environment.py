"""Environment variables by which commands set up the server's process.

They are read when the server's modules are imported, so this module imports none of these.
"""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import SplitResult, urlsplit

from pagetrail.annotation.errors import WorkspaceError
from pagetrail.annotation.messages import gettext

WORKSPACE_VARIABLE = "PAGETRAIL_WORKSPACE"
CACHE_LIMIT_VARIABLE = "PAGETRAIL_CACHE_LIMIT"
"""Bytes of page images on disk."""
TOUR_VARIABLE = "PAGETRAIL_TOUR"
BASE_PATH_VARIABLE = "STREAMLIT_SERVER_BASE_URL_PATH"
PUBLIC_URL = "PAGETRAIL_URL"


def public_url(environment: Mapping[str, str]) -> SplitResult | None:
    """The address that people use, as the operator states it; None if not stated.

    Raises:
        WorkspaceError: it is no address of a web site, or names another path than the base path.
    """
    address = environment.get(PUBLIC_URL, "").rstrip("/")
    if not address:
        return None
    try:
        parts = urlsplit(address)
        _ = parts.port  # raises where it is no number
    except ValueError:
        parts = urlsplit("")
    if (
        parts.scheme not in ("http", "https")
        or not parts.hostname
        or "@" in parts.netloc
        or parts.query
        or parts.fragment
    ):
        raise WorkspaceError(
            gettext(
                "{variable} is not an address: {address}. Write it as https://lab.example",
                variable=PUBLIC_URL,
                address=repr(address),
            )
        )
    base = environment.get(BASE_PATH_VARIABLE, "").strip("/")
    if parts.path and parts.path.strip("/") != base:
        raise WorkspaceError(
            gettext(
                "{variable} is {address}, but the base path is /{base}. Name the path with "
                "--base-path {path}",
                variable=PUBLIC_URL,
                address=address,
                base=base,
                path=parts.path,
            )
        )
    return parts
