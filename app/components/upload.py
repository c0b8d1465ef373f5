"""Upload of PDF files as a Streamlit v2 component.

Streamlit's own uploader keeps whole files in memory, and the server limits it to small files of
supervisors (``app.server.headers``). This component sends each file to a route that writes it to
disk.
"""

from __future__ import annotations

from collections.abc import Callable

from typing_extensions import TypedDict

from pagetrail.annotation.messages import gettext
from pagetrail.app.components.loader import component, messages_address
from pagetrail.app.services.addresses import PREFIX


class UploadData(TypedDict):
    """The component's data; see ``upload``."""

    token: str
    address: str
    maxBytes: int
    uploads: int
    messages: str | None


def upload(
    *, token: str, max_mb: int, uploads: int, on_uploaded: Callable[[], None], key: str
) -> None:
    """Mount the drop zone.

    Args:
        token: a supervisor's, see ``app.services.supervisor_rights``.
        max_mb: larger files are refused before the upload.
        uploads: how often ``on_uploaded`` has been called; when it changes, the component's list of
            sent files is replaced by the script's own.
        on_uploaded: called when all selected files have been sent or refused.
        key: the component's key in the session.
    """
    data: UploadData = {
        "token": token,
        "address": f"{PREFIX}/uploads/",
        "maxBytes": max_mb * 1024 * 1024,
        "uploads": uploads,
        "messages": messages_address(),
    }
    mount = component("upload", failure=gettext("The upload could not be loaded. Reload the page."))
    mount(
        data=data,
        default={"sent": 0},
        on_sent_change=on_uploaded,
        key=key,
        height="content",
    )
