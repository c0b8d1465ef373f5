"""Files of screens whose addresses are known: others neither fetch nor replace them."""

from __future__ import annotations

from http.client import HTTPConnection
from urllib.parse import urlsplit

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.accounts import add_user
from tests.app.conftest import PASSWORD
from tests.attacks.requests import COOKIE, sign_in
from tests.attacks.screen_client import ScreenClient
from tests.e2e.support.server_process import ServerProcess

FORM = (
    b'--b\r\nContent-Disposition: form-data; name="f"; filename="t.csv"\r\n\r\n'
    b"question\r\n--b--\r\n"
)


@pytest.fixture
def other_tokens(server: ServerProcess, workspace: Workspace) -> list[str | None]:
    """Sessions that have nothing to do with the owner's screen; the last is of nobody."""
    add_user(workspace, "stella", "supervisor", PASSWORD)
    return [*(sign_in(server.url, name, PASSWORD) for name in ("sven", "stella", "alma")), None]


def _ask(server: ServerProcess, method: str, path: str, token: str | None) -> tuple[int, bytes]:
    connection = HTTPConnection(urlsplit(server.url).netloc, timeout=60)
    try:
        headers = {"Origin": server.url, "Content-Type": "multipart/form-data; boundary=b"}
        if token is not None:
            headers["Cookie"] = f"{COOKIE}={token}; _streamlit_xsrf=x"
        connection.request(method, path, FORM if method == "PUT" else None, headers)
        reply = connection.getresponse()
        return reply.status, reply.read()
    finally:
        connection.close()


def _answer(tab: ScreenClient, message: BackMsg, kind: str) -> ForwardMsg:
    tab.send(message)
    while True:
        answer = tab.next()
        if answer.WhichOneof("type") == kind:
            return answer


def _deferred(tab: ScreenClient, file_id: str) -> BackMsg:
    message = BackMsg()
    message.backend_operation_request.request_id = "1"
    message.backend_operation_request.session_id = tab.streamlit_session
    message.backend_operation_request.deferred_file.file_id = file_id
    return message


def test_downloads_are_for_the_session_they_were_made_for(
    server: ServerProcess, workspace: Workspace, other_tokens: list[str | None]
) -> None:
    """The list of names and pseudonyms: neither its making nor the file is there for others."""
    add_user(workspace, "ada", "admin", PASSWORD)
    owner = sign_in(server.url, "ada", PASSWORD)
    with ScreenClient(server.url, owner).open("administration", "part=People") as tab:
        deferred = tab.downloads["Pseudonyms and names (CSV)"].deferred_file_id
        assert deferred
        for token in filter(None, other_tokens):
            with ScreenClient(server.url, token).open("batches") as other:
                other.send(_deferred(other, deferred))
                other.ask("batches")
                while (message := other.next()).WhichOneof("type") != "script_finished":
                    assert message.WhichOneof("type") != "backend_operation_response"
        answer = _answer(tab, _deferred(tab, deferred), "backend_operation_response")
        url = answer.backend_operation_response.deferred_file.url
        assert b"alma" in _ask(server, "GET", url, owner)[1]
        for token in other_tokens:
            for method in ("GET", "HEAD", "OPTIONS"):
                assert _ask(server, method, url, token)[0] == 404


def test_nobody_replaces_or_removes_what_others_upload(
    server: ServerProcess, other_tokens: list[str | None]
) -> None:
    """The address that a screen got for its file is worth nothing in another session."""
    owner = sign_in(server.url, "sven", PASSWORD)
    with ScreenClient(server.url, owner).open("administration") as tab:
        message = BackMsg()
        message.file_urls_request.request_id = "1"
        message.file_urls_request.file_names.append("t.csv")
        message.file_urls_request.session_id = tab.streamlit_session
        (address,) = _answer(tab, message, "file_urls_response").file_urls_response.file_urls
        upload_status, _ = _ask(server, "PUT", address.upload_url, owner)
        assert upload_status == 403, "Streamlit itself asks for its token against forged requests"
        for token in other_tokens:
            for method in ("PUT", "DELETE", "OPTIONS"):
                assert _ask(server, method, address.upload_url, token)[0] == 404
    assert _ask(server, "PUT", address.upload_url, owner)[0] == 404, "the screen is closed"


@pytest.mark.parametrize("kind", ["clear_cache", "load_git_info", "set_run_on_save"])
def test_messages_for_developers_are_dropped(server: ServerProcess, kind: str) -> None:
    """They would clear everybody's caches or tell of the program's folder; the tab goes on."""
    with ScreenClient(server.url, sign_in(server.url, "alma", PASSWORD)).open("batches") as tab:
        message = BackMsg()
        setattr(message, kind, True)
        tab.send(message)
        tab.ask("batches")
        kinds = []
        while not kinds or kinds[-1] != "script_finished":
            kinds.append(tab.next().WhichOneof("type"))
        assert "git_info_changed" not in kinds
        assert not {"new_session", "session_status_changed"} - {*kinds}
        assert tab.buttons
