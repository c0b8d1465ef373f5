"""One web socket of Streamlit's client: checks its messages, and ends it with its session."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from time import monotonic

from google.protobuf.message import DecodeError  # type: ignore[import-untyped]
from starlette.concurrency import run_in_threadpool
from starlette.types import Message, Receive, Send
from streamlit import runtime
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from pagetrail.app.server.screen_files import OfferedFiles, may_send
from pagetrail.app.services.addresses import PREFIX
from pagetrail.app.services.composition import services
from pagetrail.app.services.sessions import live_stamps
from pagetrail.app.services.steady_rate import SteadyRate
from pagetrail.storage.people.login_sessions import session_roles

MAX_MESSAGE = 1024 * 1024
"""Bytes per message; the longest text on a screen has 100,000 characters."""
MAX_WIDGETS = 1_000
_POLICY = 1008
_RESTART = 1012


class ScreenSocket:
    """The messages between Streamlit and one web socket.

    Args:
        person_id: whose it is.
        stamp: the sign-in session and role it was opened with.
        rate: limit on the person's messages.
        offered: the files that screens were offered.
        receive: returns the client's next message.
        send: sends a message to the client.

    Attributes:
        streamlit_session: Streamlit's session id; empty until known.
        used: when the client sent its last message; seconds of the monotonic clock.
    """

    def __init__(
        self,
        person_id: int,
        stamp: str,
        rate: SteadyRate,
        offered: OfferedFiles,
        receive: Receive,
        send: Send,
    ) -> None:
        self.person_id = person_id
        self.stamp = stamp
        self.streamlit_session = ""
        self.rate = rate
        self.used = monotonic()
        self._offered = offered
        self._receive = receive
        self._send = send
        self._accepted = False
        self._closed = False

    async def receive(self) -> Message:
        """The client's next message; a disconnection if it may not send messages (any more)."""
        while True:
            message = await self._receive()
            if message["type"] != "websocket.receive":
                break
            self.used = monotonic()
            # Meanwhile nothing is read from the connection, which slows its sender.
            await asyncio.sleep(self.rate.wait())
            if not await run_in_threadpool(live_stamps, services(), [self.stamp]):
                await self.end()
                break
            sent = _parsed(message)
            if sent is None:
                await self.close(_POLICY)
                break
            if may_send(sent, self.stamp, self._offered):
                break
        if self._closed:
            return {"type": "websocket.disconnect", "code": _POLICY}
        return message

    async def send(self, message: Message) -> None:
        """Pass on what Streamlit sends.

        Raises:
            OSError: the socket was closed meanwhile; Starlette treats it as a lost connection.
        """
        if self._closed:
            raise OSError("The web socket has been closed.")
        if message["type"] == "websocket.accept":
            self._accepted = True
        elif message["type"] == "websocket.close":
            self._closed = True
        elif message.get("bytes"):
            if not self.streamlit_session:
                first = ForwardMsg.FromString(message["bytes"])
                self.streamlit_session = first.new_session.initialize.session_id
            self._offered.note(self.stamp, message["bytes"])
        await self._send(message)

    async def end(self) -> None:
        """Close the socket and its Streamlit session when the sign-in session or role ends.

        People whose role changed stay signed in: the client reconnects and redraws.
        """
        digest = self.stamp.partition(":")[0]
        signed_in = await run_in_threadpool(session_roles, services().workspace, [digest])
        if self.streamlit_session:
            runtime.get_instance().mark_session_nonresumable(self.streamlit_session)
        if not signed_in and self._accepted and not self._closed:
            onward = ForwardMsg()
            # No return address is needed: the browser sends it as the referrer.
            onward.auth_redirect.url = f"{PREFIX}/login"
            with suppress(OSError):
                await self._send({"type": "websocket.send", "bytes": onward.SerializeToString()})
        await self.close(_RESTART if signed_in else _POLICY)

    async def close(self, code: int = _RESTART) -> None:
        """Close the socket, and tell Streamlit that the client has left."""
        if not self._closed:
            self._closed = True
            with suppress(OSError):
                await self._send({"type": "websocket.close", "code": code})


def _parsed(message: Message) -> BackMsg | None:
    """The message, if it is valid in Streamlit's protocol and within limits."""
    data = message.get("bytes")
    if not data or len(data) > MAX_MESSAGE:
        return None
    try:
        parsed: BackMsg = BackMsg.FromString(data)
    except DecodeError:
        return None
    return parsed if len(parsed.rerun_script.widget_states.widgets) <= MAX_WIDGETS else None
