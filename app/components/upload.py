"""Sending PDF files as a Streamlit v2 component.

Streamlit's own uploader keeps whole files in the server's memory, and its door takes small files of
supervisors only (``app.server.headers``). Here the browser sends each file to a route that writes
it to the disk.
"""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from pagetrail.app.routes.assets import entry
from pagetrail.app.services.addresses import PREFIX

NAME = "pagetrail.upload"
_LOADER = """
const loaded = import(new URL(%r, window.location.origin).href);
export default function (component) {
  loaded.then((module) => module.mount(component));
}
"""


def upload(*, token: str, most_mb: int, seen: int, on_sent: Callable[[], None], key: str) -> None:
    """Mount the place for files.

    Args:
        token: a supervisor's, see ``app.services.supervisor_rights``.
        most_mb: larger files are refused before they are sent.
        seen: how many times ``on_sent`` was called; with another number the list of files that were
            sent gives way to the script's own.
        on_sent: called when all files that were chosen are sent or refused.
        key: the component's key in the session.
    """
    component = st.components.v2.component(NAME, js=_LOADER % entry(PREFIX, "upload"))
    component(
        data={
            "token": token,
            "address": f"{PREFIX}/uploads/",
            "most": most_mb * 1024 * 1024,
            "seen": seen,
        },
        default={"sent": 0},
        on_sent_change=on_sent,
        key=key,
        height="content",
    )
