"""Tabs that are still open when the session behind them is not."""

from __future__ import annotations

import pytest
from sqlalchemy import func, select
from websockets.exceptions import ConnectionClosed, InvalidStatus

from pagetrail.storage.database.tables import Attempt
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.login_sessions import close_session
from tests.app.conftest import PASSWORD
from tests.app.session_endings import ENDINGS
from tests.attacks.requests import COOKIE, sign_in
from tests.attacks.screen_client import ScreenClient
from tests.e2e.support.server_process import ServerProcess


def _attempts(workspace: Workspace) -> int:
    with workspace.engine.connect() as connection:
        return int(connection.execute(select(func.count()).select_from(Attempt)).scalar_one())


@pytest.mark.parametrize("ending", ENDINGS)
def test_an_open_tab_can_do_nothing_once_its_session_ended(
    ending: str, server: ServerProcess, workspace: Workspace
) -> None:
    """A click at once after the end does nothing, and the server closes the web socket."""
    token = sign_in(server.url, "alma", PASSWORD)
    with (
        ScreenClient(server.url, token).open("batches") as busy,
        ScreenClient(server.url, token).open("batches") as idle,
    ):
        before = _attempts(workspace)
        start = busy.buttons["Start"]
        ENDINGS[ending](workspace, "alma", token)
        busy.press(start)
        for tab in (busy, idle):
            with pytest.raises(ConnectionClosed):
                while True:
                    tab.next()
        assert _attempts(workspace) == before
        stays_signed_in = ending == "another role"
        assert idle.led_to == ("" if stays_signed_in else "/pagetrail/login")


def test_the_same_click_works_while_the_session_is_open(
    server: ServerProcess, workspace: Workspace
) -> None:
    """What the other tests refuse is a click that does something."""
    token = sign_in(server.url, "alma", PASSWORD)
    with ScreenClient(server.url, token).open("batches") as tab:
        before = _attempts(workspace)
        tab.press(tab.buttons["Start"])
        tab.read()
        assert _attempts(workspace) > before


def test_web_sockets_are_for_sessions(server: ServerProcess, workspace: Workspace) -> None:
    """No cookie, an invented one and one of a closed session open no web socket."""
    closed = sign_in(server.url, "alma", PASSWORD)
    close_session(workspace, closed)
    for token in (None, "invented", closed):
        with pytest.raises(InvalidStatus):
            ScreenClient(server.url, token)


def test_streamlit_session_resumes_only_with_its_own_cookie(server: ServerProcess) -> None:
    """Its id gives nobody else what its tab had: neither the live tab nor what it left behind."""
    sven = sign_in(server.url, "sven", PASSWORD)
    alma = sign_in(server.url, "alma", PASSWORD)
    with ScreenClient(server.url, sven).open("progress") as tab:
        streamlit_session = tab.streamlit_session
        for _ in ("while it is open", "and once it is closed"):
            with ScreenClient(server.url, alma, streamlit_session=streamlit_session).open(
                "batches"
            ) as other:
                assert other.streamlit_session != streamlit_session
            tab.socket.close()
    with pytest.raises(InvalidStatus):
        ScreenClient(server.url, None, streamlit_session=streamlit_session)
    with ScreenClient(server.url, sven, streamlit_session=streamlit_session).open(
        "progress"
    ) as resumed_tab:
        assert resumed_tab.streamlit_session == streamlit_session


@pytest.mark.parametrize("order", [("alma", "sven"), ("sven", "alma")])
def test_two_session_cookies_are_one_session(
    server: ServerProcess, workspace: Workspace, order: tuple[str, str]
) -> None:
    """Whoever the screen is drawn for is whose session ends it, not the other cookie's."""
    tokens = {name: sign_in(server.url, name, PASSWORD) for name in order}
    cookies = f"; {COOKIE}=".join(tokens[name] for name in order)
    with ScreenClient(server.url, cookies).open("progress") as tab:
        drawn_for = "sven" if "Progress" in tab.text else "alma"
        other = "alma" if drawn_for == "sven" else "sven"
        close_session(workspace, tokens[other])
        tab.open("progress")
        assert ("Progress" in tab.text) == (drawn_for == "sven")
        close_session(workspace, tokens[drawn_for])
        tab.ask("progress")
        with pytest.raises(ConnectionClosed):
            while True:
                tab.next()


def test_open_tab_does_not_become_the_next_persons(
    server: ServerProcess, workspace: Workspace
) -> None:
    """The browser's cookie is a supervisor's from now on; the annotator's tab stays hers, and ends
    with her session: with the new cookie it is not continued."""
    alma = sign_in(server.url, "alma", PASSWORD)
    with ScreenClient(server.url, alma).open("batches") as tab:
        sven = sign_in(server.url, "sven", PASSWORD)
        tab.open("progress")
        assert "Progress" not in tab.text
        streamlit_session = tab.streamlit_session
        with ScreenClient(server.url, sven, streamlit_session=streamlit_session).open(
            "batches"
        ) as other:
            assert other.streamlit_session != streamlit_session
        close_session(workspace, alma)
        with pytest.raises(ConnectionClosed):
            while True:
                tab.next()
    with ScreenClient(server.url, sven, streamlit_session=streamlit_session).open(
        "progress"
    ) as resumed_tab:
        assert resumed_tab.streamlit_session != streamlit_session
        assert "Progress" in resumed_tab.text


def test_another_site_cannot_open_a_web_socket(server: ServerProcess) -> None:
    """A page of another site would send the person's cookie along."""
    token = sign_in(server.url, "sven", PASSWORD)
    with pytest.raises(InvalidStatus):
        ScreenClient(server.url, token, origin="https://elsewhere.example")
