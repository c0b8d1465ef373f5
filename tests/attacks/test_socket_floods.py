"""Web sockets in masses, and messages that no screen sends."""

from __future__ import annotations

import os
from contextlib import ExitStack, suppress
from threading import Event, Thread

import psutil
import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from websockets.exceptions import ConnectionClosed, InvalidStatus

from pagetrail.app.server.screen_socket import MAX_MESSAGE, MAX_WIDGETS
from pagetrail.app.server.socket_sessions import SOCKETS
from tests.app.conftest import PASSWORD
from tests.attacks.requests import sign_in
from tests.attacks.screen_client import ScreenClient
from tests.e2e.support.server_process import ServerProcess

GROWTH_MB = 150


def _states(count: int, size: int) -> BackMsg:
    message = BackMsg()
    message.rerun_script.page_name = "batches"
    for number in range(count):
        state = message.rerun_script.widget_states.widgets.add()
        state.id = f"invented-{number}"
        state.string_value = "x" * size
    return message


def _megabytes(server: ServerProcess) -> float:
    owners = {
        connection.pid
        for connection in psutil.net_connections("tcp")
        if connection.status == psutil.CONN_LISTEN and connection.laddr.port == server.port
    }
    (pid,) = owners
    assert pid is not None and pid != os.getpid()
    return float(psutil.Process(pid).memory_info().rss) / 2**20


def test_sockets_that_send_widget_states_take_little_memory(server: ServerProcess) -> None:
    """Forty anonymous ones are refused; one person's forty, each with large states, are bounded."""
    token = sign_in(server.url, "alma", PASSWORD)
    with ScreenClient(server.url, token).open("batches"):
        before = _megabytes(server)
    for _ in range(40):
        with pytest.raises(InvalidStatus):
            ScreenClient(server.url, None)
    with ExitStack() as tabs:
        opened = [tabs.enter_context(ScreenClient(server.url, token)) for _ in range(40)]
        for tab in opened[-SOCKETS:]:
            tab.send(_states(MAX_WIDGETS, MAX_MESSAGE // MAX_WIDGETS - 100))
        for tab in opened[-SOCKETS:]:
            tab.read()
        assert _megabytes(server) - before < GROWTH_MB
        for tab in opened[:-SOCKETS]:
            with pytest.raises(ConnectionClosed):
                while True:
                    tab.next()


def test_a_flood_of_messages_waits_by_itself(server: ServerProcess) -> None:
    """Thousands of widget states: another's screens are drawn while most of them wait."""
    flood = sign_in(server.url, "alma", PASSWORD)
    victim = sign_in(server.url, "bruno", PASSWORD)
    sent = Event()

    def send(tab: ScreenClient) -> None:
        message = _states(10, 5_000)  # 150 MB in all: far more than what sockets take in between
        with suppress(ConnectionClosed):
            for _ in range(3_000):
                tab.send(message)
            sent.set()

    with ScreenClient(server.url, flood) as tab, ScreenClient(server.url, victim) as other:
        sender = Thread(target=send, args=(tab,), daemon=True)
        sender.start()
        for _ in range(3):
            other.open("batches")
        assert not sent.is_set(), "the server took all of them"


def test_returning_tab_takes_no_slot_from_another(server: ServerProcess) -> None:
    """Beyond the limit only a new tab replaces one; two that reconnect would do so for ever."""
    token = sign_in(server.url, "alma", PASSWORD)
    with ExitStack() as tabs:
        first = tabs.enter_context(ScreenClient(server.url, token)).open("batches")
        for _ in range(SOCKETS):
            tabs.enter_context(ScreenClient(server.url, token))
        with pytest.raises(ConnectionClosed):
            while True:
                first.next()
        with pytest.raises(InvalidStatus):
            ScreenClient(server.url, token, streamlit_session=first.streamlit_session)


@pytest.mark.parametrize(
    "message",
    [_states(MAX_WIDGETS + 1, 1), _states(1, MAX_MESSAGE)],
    ids=["too many widgets", "too large"],
)
def test_a_message_beyond_the_bounds_closes_its_socket(
    message: BackMsg, server: ServerProcess
) -> None:
    """The others' tabs, and this person's other tabs, stay open."""
    token = sign_in(server.url, "alma", PASSWORD)
    with (
        ScreenClient(server.url, token).open("batches") as other,
        ScreenClient(server.url, token) as tab,
    ):
        tab.send(message)
        with pytest.raises(ConnectionClosed):
            while True:
                tab.next()
        other.open("batches")
