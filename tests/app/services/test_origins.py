"""Which pages may send requests: the table of origins."""

from __future__ import annotations

import logging

import pytest
from starlette.requests import HTTPConnection

from pagetrail.annotation.errors import Forbidden
from pagetrail.app.services.origins import Address, is_same_origin, require_same_origin


@pytest.mark.parametrize(
    ("origin", "scheme", "host", "allowed"),
    [
        ("http://lab.example", "http", "lab.example", True),
        ("http://lab.example", "ws", "lab.example", True),
        ("https://lab.example", "wss", "lab.example", True),
        ("https://LAB.example", "https", "lab.example", True),
        ("https://lab.example", "https", "lab.example:443", True),
        ("https://lab.example", "http", "lab.example:443", True),
        ("https://lab.example:8443", "https", "lab.example:8443", True),
        ("http://[::1]:8501", "ws", "[::1]:8501", True),
        # A proxy decrypts and does not say so; the reverse is a downgraded page.
        ("https://lab.example", "ws", "lab.example", True),
        ("http://lab.example", "wss", "lab.example", False),
        # Another port is another program: a notebook server, say.
        ("http://127.0.0.1:9999", "ws", "127.0.0.1:8501", False),
        ("http://localhost:1", "ws", "127.0.0.1:8501", False),
        ("http://localhost:8501", "ws", "127.0.0.1:8501", False),
        ("https://0.0.0.0", "ws", "127.0.0.1:8501", False),
        ("http://0.0.0.0:8501", "ws", "127.0.0.1:8501", False),
        ("http://192.168.1.5", "ws", "192.168.1.5:8501", False),
        ("https://lab.example.evil.example", "https", "lab.example", False),
        ("https://evil.example", "https", "lab.example", False),
        ("https://lab.example@evil.example", "https", "lab.example", False),
        ("https://lab.example/", "https", "lab.example", False),
        ("null", "https", "lab.example", False),
        ("", "https", "lab.example", False),
        ("file://", "https", "", False),
        ("chrome-extension://lab.example", "https", "lab.example", False),
    ],
)
def test_an_origin_is_the_address_that_people_use(
    origin: str, scheme: str, host: str, allowed: bool
) -> None:
    """Scheme, host and port decide; neither this machine nor its network is trusted more."""
    assert is_same_origin(origin, Address.normalized(scheme, host)) is allowed


def connection(**headers: str) -> HTTPConnection:
    raw = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    return HTTPConnection(
        {
            "type": "websocket",
            "path": "/_stcore/stream",
            "query_string": b"",
            "scheme": "ws",
            "headers": raw,
            "client": ("10.0.0.2", 4711),
        }
    )


def test_programs_send_no_origin_and_browsers_always_do() -> None:
    """Without one the request is a program's, unless the browser says that another site sent it."""
    require_same_origin(connection(host="lab.example"))
    for site in ("cross-site", "same-site"):
        with pytest.raises(Forbidden, match="another site"):
            require_same_origin(connection(host="lab.example", sec_fetch_site=site))


def test_a_refusal_names_the_way_out_to_people_and_in_the_log(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Which address arrived, which header or setting is missing; logged once a minute."""
    refused = connection(
        host="127.0.0.1:8501", origin="https://lab-a.example", x_forwarded_host="lab-a.example"
    )
    with caplog.at_level(logging.WARNING), pytest.raises(Forbidden) as error:
        require_same_origin(refused)
    with caplog.at_level(logging.WARNING), pytest.raises(Forbidden):
        require_same_origin(refused)
    for advice in (
        "https://lab-a.example",
        "127.0.0.1:8501",
        "PAGETRAIL_URL=https://lab-a.example",
        "proxy_set_header Host $http_host",
        "ProxyPreserveHost On",
        "--trusted-proxy 10.0.0.2",
    ):
        assert advice in error.value.message
    assert [record.message for record in caplog.records] == [
        f"Refused a request: {error.value.message}"
    ]
