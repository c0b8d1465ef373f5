"""Streamlit's client without a browser: opens a screen over its web socket and clicks there."""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType
from typing import Self

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Button_pb2 import Button
from streamlit.proto.DownloadButton_pb2 import DownloadButton
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.client import connect

from tests.attacks.requests import COOKIE

PATIENCE_S = 60


class ScreenClient:
    """One tab.

    Args:
        url: the server, as ``http://host:port``.
        token: the session cookie's value; None sends no cookie.
        streamlit_session: the id of a Streamlit session that the tab says it had.

    Raises:
        websockets.exceptions.InvalidStatus: the server refused the web socket.
    """

    def __init__(
        self, url: str, token: str | None, *, streamlit_session: str | None = None, origin: str = ""
    ) -> None:
        names = ["streamlit", "none", *([streamlit_session] if streamlit_session else [])]
        self._connection = connect(
            url.replace("http", "ws", 1) + "/_stcore/stream",
            additional_headers={"Cookie": f"{COOKIE}={token}"} if token else {},
            subprotocols=names,
            origin=origin or url,
            compression=None,
            max_size=None,
        )
        self.socket = self._connection.__enter__()
        self.streamlit_session = ""
        self.buttons: dict[str, Button] = {}
        self.downloads: dict[str, DownloadButton] = {}
        self.text: list[str] = []
        self.led_to = ""

    def open(self, screen: str, query: str = "") -> Self:
        """Ask for a screen and read it."""
        self.ask(screen, query)
        return self.read()

    def ask(self, screen: str, query: str = "") -> None:
        """Ask for a screen, and leave it unread."""
        message = BackMsg()
        message.rerun_script.page_name = screen
        message.rerun_script.query_string = query
        self.send(message)

    def read_until(self, condition: Callable[[], bool]) -> None:
        """Read what the server sends until that is so."""
        while not condition():
            self.next()

    def press(self, button: Button, screen: str = "", query: str = "") -> None:
        """Press a button of a screen; whatever the server answers is left unread."""
        message = BackMsg()
        message.rerun_script.page_name = screen
        message.rerun_script.query_string = query
        state = message.rerun_script.widget_states.widgets.add()
        state.id = button.id
        state.trigger_value = True
        self.send(message)

    def send(self, message: BackMsg) -> None:
        """Send a message."""
        self.socket.send(message.SerializeToString())

    def read(self) -> Self:
        """Read what the server sends until the script has finished."""
        while True:
            message = self.next()
            if message.WhichOneof("type") == "script_finished":
                return self

    def next(self, timeout: float = PATIENCE_S) -> ForwardMsg:
        """The next message.

        Raises:
            TimeoutError: there is none.
            websockets.exceptions.ConnectionClosed: the server has closed the web socket.
        """
        message = ForwardMsg.FromString(self.socket.recv(timeout, decode=False))
        if message.new_session.initialize.session_id:
            self.streamlit_session = message.new_session.initialize.session_id
        self.led_to = message.auth_redirect.url or self.led_to
        element = message.delta.new_element
        if element.HasField("button"):
            self.buttons[element.button.label] = element.button
        if element.HasField("download_button"):
            self.downloads[element.download_button.label] = element.download_button
        self.text += [part for part in (element.heading.body, element.markdown.body) if part]
        return message

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        self.socket.close()
