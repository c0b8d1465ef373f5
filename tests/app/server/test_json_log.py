"""The log as lines of JSON: what each has, and that planted secrets never get into it."""

from __future__ import annotations

import io
import json
import logging
import re
import shutil
import time
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from pagetrail.app.routes import attempts as attempt_routes
from pagetrail.app.server.application import routes
from pagetrail.app.server.json_log import JsonLines
from pagetrail.app.services.composition import Services
from pagetrail.storage.people.accounts import find_person
from tests.app.conftest import PASSWORD
from tests.app.signed_in import at_work, attempts_of, send, sign_in
from tests.attacks.requests import sign_in as sign_in_at
from tests.e2e.support.server_process import ServerProcess

SECRET = "planted-4711"


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    """Everything that is logged meanwhile, as the server writes it."""
    log_stream = io.StringIO()
    handler = logging.StreamHandler(log_stream)
    handler.setFormatter(JsonLines())
    root, requests = logging.getLogger(), logging.getLogger("pagetrail.requests")
    root.addHandler(handler)
    requests.setLevel(logging.INFO)
    yield log_stream
    requests.setLevel(logging.NOTSET)
    root.removeHandler(handler)


def lines(text: str) -> list[dict[str, Any]]:
    """Each line as the object that it has to be."""
    return [json.loads(line) for line in text.splitlines()]


def requests_in(log: io.StringIO) -> list[dict[str, Any]]:
    """The lines about requests."""
    return [line for line in lines(log.getvalue()) if line["logger"] == "pagetrail.requests"]


def test_a_request_is_one_line_with_pseudonym_and_attempt(
    server_client: TestClient, services: Services, log: io.StringIO
) -> None:
    """Time, level, route, status, milliseconds, who and at what; nobody for those signed out."""
    attempt, token = at_work(server_client, services)
    send(server_client, attempt, token, ("1", "opened", {"session": "s"}))
    server_client.cookies.clear()
    server_client.get(f"/pagetrail/attempts/{attempt}")
    *_, stored, refused = requests_in(log)
    assert stored.pop("ms") > 0
    assert time.strptime(stored.pop("time")[:19], "%Y-%m-%dT%H:%M:%S")
    assert stored == {
        "level": "info",
        "logger": "pagetrail.requests",
        "method": "POST",
        "route": "/pagetrail/attempts/{attempt}/events",
        "status": 200,
        "person": find_person(services.workspace, "alma").pseudonym,
        "attempt": attempt,
    }
    assert (refused["status"], refused["person"]) == (401, None)
    assert "alma" not in log.getvalue()


def test_no_route_logs_what_it_is_sent(
    server_client: TestClient, services: Services, log: io.StringIO
) -> None:
    """A secret in addresses, queries, headers, cookies and bodies, signed in and not."""
    request_count = 0
    for name in (None, "alma", "sven"):
        server_client.cookies.clear()
        if name is not None:
            sign_in(server_client, name)
        for route in routes():
            for method in sorted(route.methods or ()):
                server_client.request(
                    method,
                    re.sub(r"\{[^}]*\}", SECRET, route.path),
                    params={"v": SECRET, "query": SECRET, "name": SECRET},
                    headers={
                        "X-Pagetrail": SECRET,
                        "Authorization": f"Bearer {SECRET}",
                        "Cookie": f"other={SECRET}; "
                        + "; ".join(f"{k}={v}" for k, v in server_client.cookies.items()),
                    },
                    content=json.dumps({"query": SECRET, "events": [{"type": SECRET}]})
                    if method in ("POST", "PUT")
                    else None,
                )
                request_count += 1
        server_client.get(f"/{SECRET}", params={"x": SECRET})
    assert len(requests_in(log)) >= request_count
    assert SECRET not in log.getvalue()


def test_answers_queries_and_passwords_are_not_logged(
    server_client: TestClient, searching: Services, log: io.StringIO
) -> None:
    """Genuine work: what was typed, looked for and signed in with stays out."""
    server_client.post("/pagetrail/login", data={"name": SECRET, "password": SECRET})
    attempt, token = at_work(server_client, searching)
    stored = send(
        server_client,
        attempt,
        token,
        ("1", "opened", {"session": "s"}),
        ("2", "answer_edited", {"text": f"answer {SECRET}"}),
        ("3", "note_edited", {"text": f"note {SECRET}"}),
    )
    assert not stored.json()["refusals"]
    search_reply = server_client.post(
        f"/pagetrail/attempts/{attempt}/search",
        json={"id": "q", "query": f"otters {SECRET}", "session": "s"},
        headers={"X-Pagetrail": token},
    )
    assert search_reply.status_code == 200
    session = server_client.cookies["pagetrail_session"]
    assert all(secret not in log.getvalue() for secret in (SECRET, PASSWORD, token, session))


@pytest.mark.parametrize("error", [ValueError(SECRET), OSError(5, "broken", SECRET)])
def test_a_failure_is_logged_without_the_data_it_quotes(
    server_client: TestClient,
    services: Services,
    log: io.StringIO,
    monkeypatch: pytest.MonkeyPatch,
    error: Exception,
) -> None:
    """Type and place of the error; its text may quote an answer."""

    def fail(*_: object) -> None:
        raise error

    attempt, token = at_work(server_client, services)
    monkeypatch.setattr(attempt_routes, "record_events", fail)
    assert send(server_client, attempt, token).status_code in (500, 503)
    failed = next(line for line in lines(log.getvalue()) if "error" in line)
    assert failed["level"] == "error" and failed["error"] == type(error).__name__
    assert any(" fail" in frame for frame in failed["trace"])
    assert requests_in(log)[-1]["level"] == "error"
    assert SECRET not in log.getvalue()


def test_an_exception_among_the_arguments_is_named_only() -> None:
    """Messages that end in "%s" of an error."""
    record = logging.LogRecord("x", 30, "", 1, "page %d: %s", (3, KeyError(SECRET)), None)
    assert json.loads(JsonLines().format(record))["message"] == "page 3: KeyError"


def test_server_writes_only_json_lines(template: Path, tmp_path: Path) -> None:
    """From its start on, Streamlit's own answers and web sockets that are refused included."""
    shutil.copytree(template, tmp_path / "ws")
    with ServerProcess(tmp_path / "ws", options=("--log-format", "json")) as server:
        token = sign_in_at(server.url, "alma", PASSWORD)
        for path in ("/batches", "/_stcore/stream", f"/static/{SECRET}"):
            connection = HTTPConnection("127.0.0.1", server.port, timeout=30)
            connection.request(
                "GET", f"{path}?v={SECRET}", headers={"Cookie": f"pagetrail_session={token}"}
            )
            connection.getresponse().read()
            connection.close()
        log_stream = server.log
    routes_asked = {line.get("route") for line in lines(log_stream)}
    assert {"/healthz", "/pagetrail/login", "/batches", "streamlit"} <= routes_asked
    page = next(line for line in lines(log_stream) if line.get("route") == "/batches")
    assert page["person"] and page["status"] == 200
    assert SECRET not in log_stream and token not in log_stream and PASSWORD not in log_stream


def test_attempts_are_named_by_their_id(services: Services) -> None:
    """What counts as an attempt's id in an address is what attempts are called."""
    assert all(
        re.fullmatch("[0-9a-f]{32}", attempt_id) for attempt_id in attempts_of(services, "alma")
    )
