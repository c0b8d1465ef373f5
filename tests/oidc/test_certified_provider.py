"""Single sign-on with a certified provider behind a proxy that changes tokens, keys and times."""

from __future__ import annotations

import re
import ssl
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx2
import pytest
from joserfc.jwk import RSAKey
from starlette.applications import Starlette
from starlette.testclient import TestClient

from pagetrail.app.server.application import routes
from pagetrail.app.services.composition import Services
from pagetrail.app.services.sessions import COOKIE, person_of
from pagetrail.app.services.signing_in.service_queue import PER_ADDRESS
from pagetrail.storage.people.accounts import add_user, find_person, set_password
from pagetrail.storage.people.administration import reset_password
from pagetrail.storage.people.identities import identities_of, remove_identity
from tests.app.conftest import PASSWORD
from tests.deploy.proxies import make_certificate
from tests.oidc.conftest import (
    CALLBACK,
    Browser,
    running_provider,
    sent_form,
    set_up,
    sign_in_at_provider,
)
from tests.oidc.proxy import Tampering

ACCOUNT = "/pagetrail/oidc/account"
Go = Callable[..., str]


def _submit(site: TestClient, page: str, **fields: str) -> httpx2.Response:
    arrival = re.search(r'name="arrival" value="([^"]+)"', page)
    assert arrival is not None, page
    return site.post(ACCOUNT, data={"arrival": arrival[1], "is_me": "yes", **fields})


def _new_account(site: TestClient, go: Go, person: str, name: str) -> None:
    assert site.get(go(person)).headers["location"] == ACCOUNT
    assert _submit(site, site.get(ACCOUNT).text, name=name).status_code == 303


def _refused(site: TestClient, address: str, advice: str) -> None:
    reply = site.get(address)
    assert reply.status_code == 403 and advice in reply.text, reply.text
    assert re.search(r"Number in the log: \d{8}", reply.text)


def test_nobody_is_connected_by_the_sign_in_that_somebody_left(
    site: TestClient, go: Go, browser: Browser, services: Services
) -> None:
    """The page names the provider's account; connecting makes the provider ask who it is."""
    site.get(go("anna"))
    page = site.get(ACCOUNT).text
    assert "Anna Berg, anna@uni.example" in page
    left = _submit(site, page, name="alma", password=PASSWORD)
    assert left.status_code == 400 and "Sign in again to connect" in left.text
    no = _submit(site, page, name="Anna", is_me="")
    assert no.status_code == 400 and "Tick that" in no.text

    # The next person at the computer: the provider asks, and says that it is somebody else.
    with pytest.raises(AssertionError, match="asks who it is"):
        go(None, connect="1")
    assert site.get(go("ben", connect="1")).headers["location"] == ACCOUNT
    connect_page = site.get(ACCOUNT).text
    assert "Ben Kern, ben@uni.example" in connect_page and "Anna" not in connect_page
    # A page that is still open is about the account that it names.
    assert _submit(site, page, name="alma", password=PASSWORD).status_code == 400
    assert _submit(site, connect_page, name="alma", password=PASSWORD).status_code == 303
    alma = find_person(services.workspace, "alma")
    assert person_of(services, site.cookies) == alma
    site.cookies.delete(COOKIE)
    assert site.get(go(None)).headers["location"] == "/"
    assert person_of(services, site.cookies) == alma


@pytest.mark.parametrize("way", ["alone", "own password", "reset password"])
def test_a_removed_identity_signs_nobody_in(
    site: TestClient, go: Go, services: Services, way: str
) -> None:
    """The person is told of it; removing it ends its session, and the next one is a first one."""
    site.get(go("anna", connect="1"))
    assert _submit(site, site.get(ACCOUNT).text, name="alma", password=PASSWORD).status_code == 303
    workspace, alma = services.workspace, find_person(services.workspace, "alma")
    assert person_of(services, site.cookies) == alma
    (connected,) = identities_of(workspace, alma)
    assert connected.is_new and connected.identity.subject == "anna"
    match way:
        case "alone":
            remove_identity(workspace, alma, "alma", connected.identity)
        case "own password":
            set_password(workspace, "alma", "a better horse", with_identities_removed=True)
        case _:
            reset_password(workspace, None, "alma", "a better horse", with_identities_removed=True)
    assert person_of(services, site.cookies) is None
    assert site.get(go(None)).headers["location"] == ACCOUNT


def test_a_lower_role_is_confirmed_before(
    site: TestClient, go: Go, browser: Browser, services: Services
) -> None:
    """A supervisor whom the provider lists as annotator reads what she would become."""
    add_user(services.workspace, "Lea", "supervisor", PASSWORD)
    site.get(go("anna", connect="1"))
    page = site.get(ACCOUNT).text
    warned = _submit(site, page, name="Lea", password=PASSWORD)
    assert warned.status_code == 400 and "the account becomes an annotator" in warned.text
    assert find_person(services.workspace, "Lea").role == "supervisor"
    confirmed = _submit(site, warned.text, name="Lea", password=PASSWORD, role="annotator")
    assert confirmed.status_code == 303
    assert find_person(services.workspace, "Lea").role == "annotator"


def test_who_signs_out_at_the_provider_makes_no_account(
    site: TestClient, go: Go, browser: Browser, provider: tuple[str, Tampering],
    tampering: Tampering, services: Services,
) -> None:  # fmt: skip
    """The page of the first sign-in is open, and the provider's logout token arrives."""
    site.get(go("anna"))
    page = site.get(ACCOUNT).text
    tampering.sign_out = lambda form: site.post(
        "/pagetrail/oidc/back-channel",
        content=form,
        headers={"Content-Type": "application/x-www-form-urlencoded"},
    )
    end = f"{provider[0]}/session/end"
    sent_form(browser, end, browser.get(end).text, {"logout": "yes"})
    late = _submit(site, page, name="Anna")
    assert late.status_code == 400 and "signed out at the sign-in service" in late.text
    assert person_of(services, site.cookies) is None


def test_https_with_a_certificate_of_its_own(
    services: Services, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Trusted where SSL_CERT_FILE names it; otherwise the operator is told."""
    certificate, key = make_certificate(tmp_path)
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(certificate, key)
    trusted = ssl.create_default_context(cafile=certificate)
    start = "/pagetrail/oidc/start"
    with (
        running_provider(CALLBACK, "localhost", tls) as (issuer, _),
        TestClient(Starlette(routes=routes()), follow_redirects=False) as site,
        httpx2.Client(verify=trusted, timeout=20) as browser,
    ):
        set_up(monkeypatch, issuer)
        _refused(site, start, "not set up for each other")
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        del services.single_sign_on  # made again, as at the next start
        callback = sign_in_at_provider(site, browser, "anna")
        assert site.get(callback).headers["location"] == ACCOUNT


@pytest.mark.parametrize("auth_time", [None, -3600])
def test_connecting_needs_a_sign_in_made_now(
    site: TestClient, go: Go, tampering: Tampering, auth_time: int | None
) -> None:
    """A provider that ignores prompt=login says so by auth_time, or by its absence."""

    def change(claims: dict[str, Any]) -> None:
        claims.pop("auth_time", None)
        if auth_time is not None:
            claims["auth_time"] = int(time.time()) + auth_time

    tampering.id_token = change
    _refused(site, go("anna", connect="1"), "could not be verified")


@pytest.mark.parametrize(
    ("change", "advice"),
    [
        ({"aud": "other", "azp": "pagetrail"}, "could not be verified"),
        ({"aud": ["pagetrail", "other"]}, "could not be verified"),
        ({"aud": ["pagetrail", "other"], "azp": "other"}, "could not be verified"),
        ({"iss": "https://evil.example"}, "could not be verified"),
        ({"nonce": "other"}, "could not be verified"),
        ({"exp": 1_000_000_000}, "clocks"),
        ({"iat": 4_000_000_000}, "clocks"),
    ],
)
def test_changed_tokens_are_refused(
    site: TestClient, go: Go, tampering: Tampering, change: dict[str, Any], advice: str,
    caplog: pytest.LogCaptureFixture,
) -> None:  # fmt: skip
    """The page says what to do; the log says what failed, with its number and no secret."""
    tampering.id_token = lambda claims: claims.update(change)
    address = go("anna", next="/task?attempt=7")
    reply = site.get(address)
    assert reply.status_code == 403 and advice in reply.text
    assert "next=%2Ftask%3Fattempt%3D7" in reply.text, "the place is kept"
    number = re.search(r"Number in the log: (\d{8})", reply.text)
    assert number is not None and number[1] in caplog.text
    code = re.search(r"code=([^&]+)", address)
    assert code is not None and code[1] not in caplog.text and "eyJ" not in caplog.text


def test_answers_of_another_issuer_are_refused(site: TestClient, go: Go) -> None:
    """The provider states its issuer in the callback (RFC 9207)."""
    address = go("anna")
    assert "iss=http" in address
    _refused(site, re.sub(r"iss=[^&]+", "iss=https%3A%2F%2Fevil.example", address), "verified")
    _refused(site, re.sub(r"&iss=[^&]+", "", go("anna")), "verified")


@pytest.mark.parametrize("has_ids", [True, False])
def test_new_keys_are_fetched(
    site: TestClient, go: Go, tampering: Tampering, caplog: pytest.LogCaptureFixture, has_ids: bool
) -> None:
    """Under the same id, or without ids; a key that cannot be read is skipped."""
    assert site.get(go("anna")).status_code == 303
    key = RSAKey.generate_key(2048)
    kid = tampering.provider_key.kid if has_ids else None
    tampering.key = RSAKey.import_key(key.as_dict(private=True) | ({"kid": kid} if kid else {}))
    public = tampering.key.as_dict(private=False)
    if not has_ids:
        public.pop("kid", None)
    broken = {"kty": "RSA", "n": "!", "e": "AQAB", "kid": "broken"}
    tampering.documents["/jwks"] = lambda content: content.update(keys=[broken, public])
    assert site.get(go("anna")).headers["location"] == ACCOUNT
    assert "cannot be read are skipped: 1" in caplog.text
    tampering.key = RSAKey.generate_key(2048, auto_kid=True)
    for _ in range(3):
        _refused(site, go("anna"), "could not be verified")
    assert tampering.requests.count("/jwks") == 2, "at most once a minute"


def test_each_tab_has_its_own_state(site: TestClient, go: Go, services: Services) -> None:
    """Both come back, in any order; who is signed in already is sent on."""
    _new_account(site, go, "anna", "Anna")
    site.cookies.delete(COOKIE)
    first, second = go("anna", next="/one"), go("anna", next="/two")
    assert site.get(first).headers["location"] == "/one"
    assert site.get(second).headers["location"] == "/two"
    again = site.get(first)
    assert (again.status_code, again.headers["location"]) == (303, "/one")
    site.cookies.delete(COOKIE)
    used = site.get(first)
    assert used.status_code == 403 and "used already" in used.text and "next=%2Fone" in used.text
    site.cookies.clear()
    _refused(site, go("anna").replace("state=", "state=x"), "not started in this browser")
    assert person_of(services, site.cookies) is None


def test_an_unverified_address_says_what_to_do(site: TestClient, go: Go) -> None:
    """Not to ask to have it added."""
    _refused(site, go("carl"), "has not verified that carl@uni.example")


def test_a_wrong_secret_is_the_operators(
    site: TestClient, go: Go, monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:  # fmt: skip
    """Trying again does not help, and the page says so."""
    monkeypatch.setenv("PAGETRAIL_OIDC_CLIENT_SECRET", "a-wrong-secret")
    _refused(site, go("anna"), "not set up for each other")
    assert "invalid_client" in caplog.text and "a-wrong-secret" not in caplog.text


def test_answers_that_trickle_end(
    site: TestClient, go: Go, tampering: Tampering, services: Services
) -> None:
    """After 15 seconds in all, though bytes keep arriving; meanwhile others sign in."""
    slow_addresses, other = [go("anna") for _ in range(PER_ADDRESS)], go("anna")
    tampering.trickle_s = 0.5
    with (
        ThreadPoolExecutor(PER_ADDRESS) as pool,
        TestClient(site.app, client=("192.0.2.9", 1), follow_redirects=False,
                   cookies=site.cookies) as elsewhere,
    ):  # fmt: skip
        slow = [pool.submit(site.get, address) for address in slow_addresses]
        while tampering.requests.count("/token") < PER_ADDRESS:
            assert not all(future.done() for future in slow)
            time.sleep(0.02)
        tampering.trickle_s = 0
        assert elsewhere.get(other).headers["location"] == ACCOUNT
        assert not all(future.done() for future in slow)
        replies = [future.result() for future in slow]
    assert {reply.status_code for reply in replies} == {403}
    assert all("does not respond" in reply.text for reply in replies)
