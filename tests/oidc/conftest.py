"""The certified provider ``oidc-provider`` behind a proxy that tampers."""

from __future__ import annotations

import json
import re
import socket
import ssl
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import httpx2
import pytest
from joserfc.jwk import RSAKey
from starlette.applications import Starlette
from starlette.testclient import TestClient

from pagetrail.app.server.application import routes
from pagetrail.app.services.composition import Services
from pagetrail.app.services.signing_in.single_sign_on import LISTS
from tests.app.conftest import *  # noqa: F403 - its fixtures
from tests.oidc.proxy import Tampering, tampering_proxy

CALLBACK = "http://testserver/pagetrail/oidc/callback"
PEOPLE = {
    "anna": {"name": "Anna Berg", "email": "anna@uni.example", "email_verified": True},
    "ben": {"name": "Ben Kern", "email": "ben@uni.example", "email_verified": True},
    "carl": {"name": "Carl Ost", "email": "carl@uni.example", "email_verified": False},
}
_ROOT = Path(__file__).parents[2]
Browser = httpx2.Client


@contextmanager
def running_provider(
    callback: str, host: str = "127.0.0.1", tls: ssl.SSLContext | None = None
) -> Iterator[tuple[str, Tampering]]:
    """Its address, and what the proxy before it changes."""
    if not (_ROOT / "node_modules" / "oidc-provider").exists():
        pytest.skip("npm's oidc-provider is not installed: scripts/check-js --install")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    tampering = Tampering(RSAKey.generate_key(2048, auto_kid=True))
    with tampering_proxy(port, tampering, tls) as proxy_port:
        issuer = f"{'http' if tls is None else 'https'}://{host}:{proxy_port}"
        keys = {"keys": [tampering.key.as_dict(private=True)]}
        command = ["node", str(Path(__file__).with_name("provider.mjs")), str(port), issuer,
                   json.dumps([callback]), json.dumps(keys), json.dumps(PEOPLE)]  # fmt: skip
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            assert any("listening" in line for line in process.stdout)
            yield issuer, tampering
            process.terminate()


@pytest.fixture(scope="session")
def provider() -> Iterator[tuple[str, Tampering]]:
    """The provider of most tests."""
    with running_provider(CALLBACK) as running:
        yield running


def set_up(monkeypatch: pytest.MonkeyPatch, issuer: str) -> None:
    """This server signs people in with the provider."""
    monkeypatch.setenv("PAGETRAIL_OIDC_ISSUER", issuer)
    monkeypatch.setenv("PAGETRAIL_OIDC_CLIENT_ID", "pagetrail")
    monkeypatch.setenv("PAGETRAIL_OIDC_CLIENT_SECRET", "a-secret-of-the-client")
    monkeypatch.setenv("PAGETRAIL_OIDC_NAME", "Uni")
    monkeypatch.setenv(LISTS["annotator"], "@uni.example")


@pytest.fixture
def tampering(provider: tuple[str, Tampering]) -> Tampering:
    """What the proxy changes: nothing yet."""
    provider[1].reset()
    return provider[1]


@pytest.fixture
def site(
    provider: tuple[str, Tampering], tampering: Tampering, services: Services,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[TestClient]:  # fmt: skip
    """A browser at this server, which signs people in with the provider."""
    set_up(monkeypatch, provider[0])
    with TestClient(Starlette(routes=routes()), follow_redirects=False) as browser:
        yield browser


@pytest.fixture
def browser() -> Iterator[Browser]:
    """The same browser at the provider."""
    with httpx2.Client(follow_redirects=False, timeout=20) as client:
        yield client


@pytest.fixture
def go(site: TestClient, browser: Browser) -> Callable[..., str]:
    """``sign_in_at_provider`` of this browser."""
    return partial(sign_in_at_provider, site, browser)


def sign_in_at_provider(
    site: TestClient, browser: Browser, person: str | None, **start: str
) -> str:
    """Go to the provider and come back; returns the address of the callback.

    Args:
        person: whom to sign in as, if the provider asks.
        start: parameters of the start.
    """
    url = site.get("/pagetrail/oidc/start", params=start).headers["location"]
    for _ in range(12):
        if url.startswith(CALLBACK):
            parts = urlsplit(url)
            return f"{parts.path}?{parts.query}"
        page = browser.get(url)
        if page.is_redirect:
            url = urljoin(url, page.headers["location"])
            continue
        fields = {"password": "x"}
        if 'name="login"' in page.text:
            assert person is not None, "the provider asks who it is"
            fields["login"] = person
        url = urljoin(url, sent_form(browser, url, page.text, fields).headers["location"])
    raise AssertionError(f"too many redirects; the last is {url}")


def sent_form(browser: Browser, url: str, page: str, fields: dict[str, str]) -> httpx2.Response:
    """Send the form of a page of the provider, filled in."""
    action = re.search(r'action="([^"]+)"', page)
    assert action is not None, page[-500:]
    hidden = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', page))
    return browser.post(urljoin(url, action[1]), data=hidden | fields)
