"""Addresses, methods, the way through the sign-in page, and headers of every answer."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from starlette.testclient import TestClient

from pagetrail.app.server.application import options
from pagetrail.app.services.composition import Services
from tests.app.conftest import PASSWORD
from tests.app.signed_in import at_work, sign_in, stored_types


@pytest.mark.parametrize(
    "path",
    [
        "/pagetrail/page/%2e%2e%2f%2e%2e%2fetc%2fpasswd/1",
        "/pagetrail/page/..%2f..%2fpagetrail.sqlite3/1",
        "/pagetrail//attempts/x",
        "/pagetrail/attempts/%00",
        "/pagetrail/attempts/x%0d%0aSet-Cookie:%20a=b",
        "/pagetrail/assets/../server.py/x",
        "/pagetrail/assets/%2e%2e/main.js",
        "/pagetrail/page/" + "0" * 64 + "/99999999999999999999",
        "/pagetrail/page/" + "0" * 64 + "/-1",
        "/pagetrail/assignments/99999999999999999999/close",
    ],
)
def test_tricky_paths_are_json_errors(
    server_client: TestClient, services: Services, path: str
) -> None:
    """No file but the corpus is reachable, and nothing fails on an odd address."""
    sign_in(server_client, "alma")
    for method in ("GET", "POST"):
        reply = server_client.request(method, path)
        assert 400 <= reply.status_code < 500, (method, path, reply.text)
        assert "error" in reply.json()


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "GET"])
def test_other_http_methods_change_nothing(
    server_client: TestClient, services: Services, method: str
) -> None:
    """Only POST records; everything else is an error of the client."""
    attempt, token = at_work(server_client, services)
    body = b'{"session":"s","events":[{"id":"1","type":"opened","payload":{"session":"s"}}]}'
    reply = server_client.request(
        method,
        f"/pagetrail/attempts/{attempt}/events",
        content=body,
        headers={"X-Pagetrail": token},
    )
    assert 400 <= reply.status_code < 500
    assert stored_types(services, attempt) == []


@pytest.mark.parametrize(
    "target",
    [
        "javascript:alert(1)",
        "data:text/html,x",
        "/\\evil.example",
        "\\\\evil.example",
        "/\t/evil.example",
        "/\n/evil.example",
        "//evil.example/",
        "https://testserver@evil.example/",
        "https://evil.example/?testserver",
        "http://testserver//evil.example",
        "http://[",
        "/pagetrail/logout",
        "/./pagetrail/logout",
        "/task/../pagetrail/logout",
        "/%2e/pagetrail/logout",
        "/%70agetrail/logout",
        "/task/%2e%2e/pagetrail/logout",
        "\u2028/evil.example",
    ],
)
def test_sign_in_redirects_only_within_the_site(
    server_client: TestClient, services: Services, target: str
) -> None:
    """Whatever the wished-for address is, the way after sign-in stays on this site."""
    data = {"name": "alma", "password": PASSWORD, "next": target}
    assert server_client.post("/pagetrail/login", data=data).headers["location"] == "/"


def test_a_whole_address_of_this_site_is_kept(
    server_client: TestClient, services: Services
) -> None:
    """The workspace sends its own address along when the session has ended."""
    data = {"name": "alma", "password": PASSWORD, "next": "http://testserver/task?attempt=1&page=2"}
    reply = server_client.post("/pagetrail/login", data=data)
    assert reply.headers["location"] == "/task?attempt=1&page=2"


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://testserver.evil", "x"])
def test_sign_in_from_another_site_is_refused(
    server_client: TestClient, services: Services, origin: str
) -> None:
    """Nobody can be signed in as somebody else by a page of another site."""
    data = {"name": "alma", "password": PASSWORD}
    reply = server_client.post("/pagetrail/login", data=data, headers={"Origin": origin})
    assert reply.status_code == 403
    assert "set-cookie" not in reply.headers


def test_a_proxy_that_hides_the_address_is_explained_on_a_page(
    server_client: TestClient, services: Services
) -> None:
    """nginx passes its own Host by default: people read which header to set, not JSON."""
    reply = server_client.post(
        "/pagetrail/login",
        data={"name": "alma", "password": PASSWORD},
        headers={"Origin": "https://lab.example", "Host": "127.0.0.1:8501"},
    )
    assert reply.status_code == 403
    assert reply.headers["content-type"].startswith("text/html")
    assert "PAGETRAIL_URL=https://lab.example" in reply.text
    assert "proxy_set_header Host $http_host" in reply.text


def test_concurrent_guesses_are_counted(server_client: TestClient, services: Services) -> None:
    """Guesses count before they are checked: of thirty at the same time eight are looked at."""

    def guess(number: int) -> int:
        form = {"name": "sven", "password": f"guess {number}"}
        return server_client.post("/pagetrail/login", data=form).status_code

    with ThreadPoolExecutor(15) as pool:
        codes = list(pool.map(guess, range(30)))
    assert codes.count(403) == 8
    assert codes.count(429) == 22


def test_personal_data_is_kept_out_of_caches_and_frames(
    server_client: TestClient, services: Services
) -> None:
    """JSON and screens are not stored by anyone, so that Back after signing out asks the server; no
    answer may be framed by, or sniffed for, another site.
    """
    attempt, token = at_work(server_client, services)
    info = services.corpus.document("report.pdf")
    assert info is not None
    state = server_client.get(f"/pagetrail/attempts/{attempt}")
    page = server_client.get(f"/pagetrail/page/{info.sha256}/1", params={"v": token, "dpi": 40})
    login = server_client.get("/pagetrail/login")
    missing_route = server_client.get("/pagetrail/nothing")
    screen = server_client.get("/")
    assert screen.headers["cache-control"] == "no-store"
    assert state.headers["cache-control"] == "no-store"
    assert missing_route.headers["cache-control"] == "no-store"
    assert login.headers["cache-control"] == "no-store"
    assert page.headers["cache-control"].startswith("private")
    for reply in (state, page, login, missing_route):
        assert reply.headers["x-content-type-options"] == "nosniff"
        assert "frame-ancestors" in reply.headers["content-security-policy"]
        assert reply.headers["referrer-policy"] == "same-origin"
        assert len(reply.headers.get_list("content-security-policy")) == 1


def test_uploads_metrics_and_the_agent_api_are_closed(server_client: TestClient) -> None:
    """Streamlit's doors that nothing here uses."""
    assert server_client.put("/_stcore/upload_file/a/b", content=b"x").status_code == 404
    for path in ("metrics", "script-health-check", "agent/mcp", "agent/openapi.json", "new"):
        for method in ("GET", "POST", "OPTIONS"):
            assert server_client.request(method, f"/_stcore/{path}").status_code == 404
    assert options()["server.enableAgentApi"] is False
