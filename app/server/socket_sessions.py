"""Binds web sockets and their screens' files to the sign-in session that opened them.

Streamlit draws screens and runs callbacks for anybody with a web socket. So only signed-in people
can open one, every message checks the session again, and a watcher closes the sockets of sessions
that ended elsewhere (in another tab, by a supervisor, the command line, or expiry).
"""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict

from starlette.concurrency import run_in_threadpool
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pagetrail.annotation.errors import Forbidden, NotFoundError, PagetrailError
from pagetrail.annotation.messages import gettext
from pagetrail.app.routes.common import error_response
from pagetrail.app.server.screen_files import MEDIA, UPLOADS, OfferedFiles
from pagetrail.app.server.screen_socket import ScreenSocket
from pagetrail.app.services.composition import services
from pagetrail.app.services.origins import require_same_origin
from pagetrail.app.services.outages import FailureLog
from pagetrail.app.services.sessions import COOKIE, live_stamps, person_of, stamp_of
from pagetrail.app.services.steady_rate import SteadyRate, message_rate, socket_rate
from pagetrail.storage.people.preferences import preferences_of

SOCKETS = 24
"""Web sockets per person: one per tab."""
CHECK_S = 0.5
STAMP_HEADER = b"x-pagetrail-session"
LANGUAGE_HEADER = b"x-pagetrail-language"
_REFUSED: Message = {"type": "websocket.close", "code": 1008}
_log = logging.getLogger("pagetrail.server")


class SocketSessions:
    """Middleware: opens web sockets for signed-in people, and closes them when sessions end.

    Files that a screen offers or accepts are available to its own session only.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._open: list[ScreenSocket] = []
        self._offered = OfferedFiles()
        # Per person, not per socket, so that closing sockets does not reset the limits.
        self._messages: defaultdict[int, SteadyRate] = defaultdict(message_rate)
        self._opening: defaultdict[int, SteadyRate] = defaultdict(socket_rate)
        self._watcher: asyncio.Task[None] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_file = scope["type"] == "http" and scope["path"].startswith((MEDIA, UPLOADS))
        if is_file and not await self._is_own_file(scope):
            refused = error_response(NotFoundError(gettext("There is nothing at this address.")))
            await refused(scope, receive, send)
            return
        if scope["type"] != "websocket":
            await self._app(scope, receive, send)
            return
        connection = HTTPConnection(scope)
        try:
            require_same_origin(connection)
        except Forbidden:
            await send(_REFUSED)
            return
        cookies = connection.cookies
        person = await run_in_threadpool(person_of, services(), cookies)
        if person is None or not await self._make_room(person.id, scope):
            await send(_REFUSED)
            return
        scope.setdefault("state", {})["pseudonym"] = person.pseudonym
        stamp = stamp_of(cookies[COOKIE], person)
        preferences = await run_in_threadpool(preferences_of, services().workspace, person.id)
        own_headers = {STAMP_HEADER: stamp, LANGUAGE_HEADER: preferences.language}
        # Streamlit would accept more origins, and ask the Internet for the machine's address.
        dropped = {*own_headers, b"origin"}
        headers = [(name, value) for name, value in scope["headers"] if name not in dropped]
        headers += [(name, value.encode()) for name, value in own_headers.items()]
        await asyncio.sleep(self._opening[person.id].wait())
        rate = self._messages[person.id]
        socket = ScreenSocket(person.id, stamp, rate, self._offered, receive, send)
        self._open.append(socket)
        self._watch()
        try:
            await self._app({**scope, "headers": headers}, socket.receive, socket.send)
        finally:
            self._open.remove(socket)

    async def _is_own_file(self, scope: Scope) -> bool:
        """Whether a screen of the request's session offers or accepts the file."""
        cookies, path = HTTPConnection(scope).cookies, scope["path"]
        person = await run_in_threadpool(person_of, services(), cookies)
        if person is None:
            return False
        stamp = stamp_of(cookies[COOKIE], person)
        if path.startswith(MEDIA):
            return self._offered.has(stamp, path.removeprefix(MEDIA))
        streamlit_session = path.removeprefix(UPLOADS).partition("/")[0]
        return any(
            socket.stamp == stamp and socket.streamlit_session == streamlit_session
            for socket in self._open
        )

    async def _make_room(self, person_id: int, scope: Scope) -> bool:
        """Close the person's least recently used socket for a new tab; reconnecting tabs wait.

        Otherwise two reconnecting tabs would close each other's sockets forever.
        """
        person_sockets = [socket for socket in self._open if socket.person_id == person_id]
        if len(person_sockets) < SOCKETS:
            return True
        if len(scope.get("subprotocols", [])) > 2:  # has a Streamlit session to resume
            return False
        await min(person_sockets, key=lambda socket: socket.used).close()
        return True

    def _watch(self) -> None:
        if self._watcher is None or self._watcher.done():
            self._watcher = asyncio.get_running_loop().create_task(self._close_ended())

    async def _close_ended(self) -> None:
        failures = FailureLog(_log, "checking the sessions of open web sockets")
        while self._open:
            await asyncio.sleep(CHECK_S)
            sockets = list(self._open)
            try:
                live = await run_in_threadpool(
                    live_stamps, services(), {socket.stamp for socket in sockets}
                )
            except (PagetrailError, OSError) as error:
                # Messages and runs check the session themselves, and are refused if they cannot.
                failures.failed(error)
                continue
            failures.succeeded()
            for socket in sockets:
                if socket.stamp not in live:
                    await socket.end()
