"""Files that screens offer or accept at Streamlit's addresses, each for one sign-in session.

Streamlit itself serves a file to anybody who knows its address, makes deferred files for any web
socket that names one, and lets anybody who knows a session's id replace its uploads.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from pagetrail.app.services.addresses import HOME

MEDIA = f"{HOME}media/"
UPLOADS = f"{HOME}_stcore/upload_file/"
_IN_URL = "/media/"
_SMALL = 4_096
"""Bytes; a message that draws a download button is smaller."""
_MAX_OFFERS = 20_000
SENT_BY_SCREENS = ("rerun_script", "stop_script", "app_heartbeat", "file_urls_request")


class OfferedFiles:
    """The files, made or deferred, that each sign-in session's screens were offered.

    Beyond 20,000, the oldest offers are forgotten.
    """

    def __init__(self) -> None:
        self._offers: OrderedDict[tuple[str, str], None] = OrderedDict()

    def note(self, stamp: str, message: bytes) -> None:
        """Record the files that a message to a screen of the session and role offers."""
        if len(message) > _SMALL and _IN_URL.encode() not in message:
            return
        for name in _offered_by(ForwardMsg.FromString(message)):
            self._offers[stamp, name] = None
            self._offers.move_to_end((stamp, name))
            if len(self._offers) > _MAX_OFFERS:
                self._offers.popitem(last=False)

    def has(self, stamp: str, name: str) -> bool:
        """Whether a screen of the session and role was offered the file."""
        return bool(name) and (stamp, name) in self._offers


def _offered_by(message: ForwardMsg) -> Iterator[str]:
    """Names of files and ids of deferred ones."""
    element = message.delta.new_element
    if element.HasField("download_button"):
        yield _name_in(element.download_button.url)
        yield element.download_button.deferred_file_id
    yield _name_in(message.backend_operation_response.deferred_file.url)
    yield _name_in(message.page_config_changed.favicon)


def _name_in(url: str) -> str:
    return url.rpartition(_IN_URL)[2]


def may_send(message: BackMsg, stamp: str, offered: OfferedFiles) -> bool:
    """Whether a screen of the session and role may send the message.

    Streamlit's client also has messages for developers, which clear everybody's caches or watch the
    program's folder.
    """
    kind = message.WhichOneof("type")
    if kind != "backend_operation_request":
        return kind in SENT_BY_SCREENS
    operation = message.backend_operation_request
    return operation.HasField("deferred_file") and offered.has(
        stamp, operation.deferred_file.file_id
    )
