"""Streamlit's door for files opens to supervisors only."""

from __future__ import annotations

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.testclient import TestClient

from pagetrail.app.server.application import options, routes
from pagetrail.app.server.headers import SafeHeaders
from pagetrail.app.services.composition import Services
from pagetrail.storage.people.audit import audit_entries
from tests.app.signed_in import sign_in

ADDRESS = "/_stcore/upload_file/session/file"


async def count_body_bytes(request: Request) -> Response:
    return PlainTextResponse(f"{len(await request.body())} bytes", 201)


@pytest.fixture
def door(services: Services) -> TestClient:
    """The server's middleware and routes, and behind it what stands for Streamlit's door."""
    inner = Route("/_stcore/upload_file/{a}/{b}", count_body_bytes, methods=["PUT", "DELETE"])
    app = Starlette(routes=[inner, *routes()], middleware=[Middleware(SafeHeaders)])
    return TestClient(app, follow_redirects=False)


def test_a_supervisor_may_send_a_file(door: TestClient, services: Services) -> None:
    """The body reaches the door whole."""
    sign_in(door, "sven")
    assert door.put(ADDRESS, content=b"x" * 100_000).text == "100000 bytes"
    assert door.delete(ADDRESS).status_code == 201


@pytest.mark.parametrize("name", [None, "alma"])
def test_only_supervisors_may_upload(
    door: TestClient, services: Services, name: str | None
) -> None:
    """The same answer as for any address that is not there; an annotator's try is noted."""
    if name is not None:
        sign_in(door, name)
    for method in ("PUT", "POST", "DELETE", "GET", "OPTIONS"):
        reply = door.request(method, ADDRESS, content=b"x")
        assert reply.status_code == 404
        assert "bytes" not in reply.text
    audit_actions = [(e.actor, e.action) for e in audit_entries(services.workspace)]
    assert set(audit_actions) == ({(name, "forbidden upload")} if name else set())


def test_file_size_is_limited() -> None:
    """One file is not the whole memory."""
    assert options()["server.maxUploadSize"] == 32
