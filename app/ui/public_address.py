"""Whole addresses of the app's own routes, for links that leave the screen."""

from __future__ import annotations

from urllib.parse import urlsplit

import streamlit as st


def public_url(path: str) -> str:
    """The address of a path on this server, as the browser that shows the screen reaches it."""
    parts = urlsplit(st.context.url or "")
    return f"{parts.scheme}://{parts.netloc}{path}" if parts.netloc else path
