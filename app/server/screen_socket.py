"""One web socket of Streamlit's client: checked messages in, and an end that leads to sign-in."""

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
from streamlit.util import calc_hash

from pagetrail.app.server.screen_files import OfferedFiles, may_send
from pagetrail.app.services.addresses import PREFIX
from pagetrail.app.services.composition import services
from pagetrail.app.services.sessions import live_stamps
from pagetrail.app.services.steady_rate import SteadyRate
from pagetrail.storage.people.login_sessions import session_roles

MAX_MESSAGE = 1024 * 1024
"""Bytes of a message; the longest text of a screen has 100,000 characters."""
MAX_WIDGETS = 1_000
_POLICY = 1008
_RESTART = 1012
# These screens say themselves that the session ended, and keep what was not sent yet.
_OUTBOXES = ("task", "reviewing")
_NAMES = {calc_hash(name): name for name in _OUTBOXES}


class ScreenSocket:
    """What passes between Streamlit and one web socket.

    Args:
        person_id: whose it is.
        stamp: the signed-in session and the role it was opened with.
        rate: of the person's messages.
        offered: what screens were offered for download.
        receive: gives the client's messages.
        send: takes messages for the client.

    Attributes:
        streamlit_session: Streamlit's id of the session; empty until it is known.
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
        self._screen = ""

    async def receive(self) -> Message:
        """The client's next message; a disconnection when it may not send one (any more)."""
        while True:
            message = await self._receive()
            if message["type"] != "websocket.receive":
                break
            self.used = monotonic()
            # Meanwhile nothing is read from the connection, so that its sender waits as well.
            await asyncio.sleep(self.rate.wait())
            if not await run_in_threadpool(live_stamps, services(), [self.stamp]):
                await self.end()
                break
            sent = _parsed(message)
            if sent is None:
                await self.close(_POLICY)
                break
            if may_send(sent, self.stamp, self._offered):
                self._note_screen(sent)
                break
        if self._closed:
            return {"type": "websocket.disconnect", "code": _POLICY}
        return message

    async def send(self, message: Message) -> None:
        """Pass on what Streamlit sends.

        Raises:
            OSError: the socket has been closed meanwhile; Starlette takes it for a lost connection.
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
        """Close the socket and its Streamlit session, since the session or the role ended.

        Who changed roles stays signed in: the client connects again and draws what it may see.
        """
        digest = self.stamp.partition(":")[0]
        signed_in = await run_in_threadpool(session_roles, services().workspace, [digest])
        if self.streamlit_session:
            runtime.get_instance().mark_session_nonresumable(self.streamlit_session)
        if not signed_in and self._accepted and not self._closed and self._screen not in _OUTBOXES:
            onward = ForwardMsg()
            # Without an address to come back to: the browser names it as the referrer.
            onward.auth_redirect.url = f"{PREFIX}/login"
            with suppress(OSError):
                await self._send({"type": "websocket.send", "bytes": onward.SerializeToString()})
        await self.close(_RESTART if signed_in else _POLICY)

    async def close(self, code: int = _RESTART) -> None:
        """Close the socket; Streamlit is told that the client is gone."""
        if not self._closed:
            self._closed = True
            with suppress(OSError):
                await self._send({"type": "websocket.close", "code": code})

    def _note_screen(self, message: BackMsg) -> None:
        rerun = message.rerun_script
        if rerun.page_script_hash or rerun.page_name:
            self._screen = _NAMES.get(rerun.page_script_hash, rerun.page_name.strip("/"))


def _parsed(message: Message) -> BackMsg | None:
    """The message, if it is one of Streamlit's protocol and within bounds."""
    data = message.get("bytes")
    if not data or len(data) > MAX_MESSAGE:
        return None
    try:
        parsed: BackMsg = BackMsg.FromString(data)
    except DecodeError:
        return None
    return parsed if len(parsed.rerun_script.widget_states.widgets) <= MAX_WIDGETS else None
