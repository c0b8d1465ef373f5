"""Single sign-on with a real OpenID Connect provider, and what its settings mean."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from threading import Thread
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx2
import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.sessions import SessionMiddleware
from starlette.testclient import TestClient

from pagetrail.annotation.errors import Forbidden, PagetrailError
from pagetrail.app.server.application import routes
from pagetrail.app.services.composition import Services
from pagetrail.app.services.sessions import COOKIE, person_of
from pagetrail.app.services.signing_in.single_sign_on import LISTS, single_sign_on
from pagetrail.storage.people.accounts import find_person
from pagetrail.storage.people.administration import anonymise, set_active
from pagetrail.storage.people.identities import uses_password
from tests.app.conftest import PASSWORD

ACCOUNT = "/pagetrail/oidc/account"
Arrive = Callable[..., httpx2.Response]


@pytest.fixture
def client(services: Services) -> Iterator[TestClient]:
    """A browser that is not signed in, before the routes in a session, as Streamlit has them."""
    session = Middleware(SessionMiddleware, secret_key="streamlit")
    app = Starlette(routes=routes(), middleware=[session])
    with TestClient(app, follow_redirects=False) as browser:
        yield browser


@pytest.fixture(scope="module")
def issuer() -> Iterator[str]:
    """The address of a provider in a process of its own."""
    command = [sys.executable, "-m", "oidc_provider_mock", "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        said = (re.search(r"running on (http://[\d.:]+)", line) for line in process.stderr)
        found = next(filter(None, said))
        Thread(target=process.stderr.read, daemon=True).start()  # a full pipe would stop it
        yield found[1]
        process.terminate()


@pytest.fixture
def arrive(
    issuer: str, services: Services, client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> Arrive:
    """Signs in at the provider as somebody with claims, and comes back; the last answer."""
    monkeypatch.setenv("PAGETRAIL_OIDC_ISSUER", issuer)
    monkeypatch.setenv("PAGETRAIL_OIDC_CLIENT_ID", "pagetrail")
    monkeypatch.setenv("PAGETRAIL_OIDC_CLIENT_SECRET", "secret")
    monkeypatch.setenv("PAGETRAIL_OIDC_NAME", "Uni <Login>")
    monkeypatch.setenv(LISTS["annotator"], "@uni.example")
    monkeypatch.setenv(LISTS["supervisor"], "pagetrail-leads, lea@uni.example")

    def arriving(subject: str, then: str = "/", **claims: Any) -> httpx2.Response:
        httpx2.put(f"{issuer}/users/{subject}", json=claims).raise_for_status()
        start = client.get("/pagetrail/oidc/start", params={"next": then})
        there = httpx2.post(start.headers["location"], data={"sub": subject})
        back = urlsplit(there.headers["location"])
        assert (back.hostname, back.path) == ("testserver", "/pagetrail/oidc/callback")
        return client.get(f"{back.path}?{back.query}")

    return arriving


CLAIMS = {"name": "Nora Berg", "email": "Nora@uni.example", "email_verified": True}


def test_a_newcomer_makes_an_account_and_later_signs_in_with_the_role_of_the_day(
    arrive: Arrive, client: TestClient, services: Services
) -> None:
    """Names are not taken from anybody; roles follow the provider; the closed stay closed."""
    page = client.get("/pagetrail/login?next=/batches").text
    assert "Sign in with Uni &lt;Login&gt;" in page and "next=%2Fbatches" in page
    reply = arrive("s-1", then="/batches", **CLAIMS)
    assert (reply.status_code, reply.headers["location"]) == (303, ACCOUNT)
    assert person_of(services, client.cookies) is None
    form = client.get(ACCOUNT).text
    assert 'value="Nora Berg"' in form and "You will be an annotator." in form
    taken = client.post(ACCOUNT, data={"name": "ALMA"})
    assert taken.status_code == 400 and "There is a user alma already." in taken.text
    foreign = client.post(ACCOUNT, data={"name": "x"}, headers={"origin": "https://evil.example"})
    assert foreign.status_code == 403
    reply = client.post(ACCOUNT, data={"name": "Nora"})
    assert (reply.status_code, reply.headers["location"]) == (303, "/batches")
    nora = find_person(services.workspace, "Nora")
    assert person_of(services, client.cookies) == nora and nora.role == "annotator"
    assert not uses_password(services.workspace, nora)

    client.cookies.delete(COOKIE)
    assert "Sign out of Uni" in client.get("/pagetrail/login").text
    assert client.get("/pagetrail/oidc/sign-out").headers["location"].startswith("http://127.")
    reply = arrive("s-1", **CLAIMS, groups=["pagetrail-leads"])
    assert (reply.status_code, reply.headers["location"]) == (303, "/")
    promoted = person_of(services, client.cookies)
    assert promoted is not None and (promoted.id, promoted.role) == (nora.id, "supervisor")

    set_active(services.workspace, None, "Nora", False)
    client.cookies.delete(COOKIE)
    reply = arrive("s-1", **CLAIMS)
    assert reply.status_code == 403 and "deactivated" in reply.text
    assert person_of(services, client.cookies) is None
    anonymise(services.workspace, None, "Nora")
    assert arrive("s-1", **CLAIMS).headers["location"] == ACCOUNT


def test_an_account_with_a_password_is_connected_by_that_password_only(
    arrive: Arrive, client: TestClient, services: Services
) -> None:
    """Somebody who is called the same elsewhere does not get the account."""
    arrive("s-2", **CLAIMS | {"name": "alma"})
    wrong = client.post(ACCOUNT, data={"name": "alma", "password": "guess"})
    assert wrong.status_code == 400 and "Name and password do not match." in wrong.text
    reply = client.post(ACCOUNT, data={"name": "alma", "password": PASSWORD})
    assert reply.status_code == 303
    client.cookies.clear()
    assert arrive("s-2", **CLAIMS).headers["location"] == "/"
    assert person_of(services, client.cookies) == find_person(services.workspace, "alma")


def test_answers_that_are_none_sign_nobody_in(
    arrive: Arrive, client: TestClient, services: Services, issuer: str
) -> None:
    """Strangers, forged and repeated returns, a cancelled sign-in, and no state at all."""
    stranger = arrive("s-3", email="eve@else.example", email_verified=True)
    assert stranger.status_code == 403 and "may not use this workspace" in stranger.text
    unverified = arrive("s-4", **CLAIMS | {"email_verified": False})
    assert unverified.status_code == 403
    start = client.get("/pagetrail/oidc/start?next=//evil.example")
    asked = {key: values[0] for key, values in
             parse_qs(urlsplit(start.headers["location"]).query).items()}  # fmt: skip
    assert asked["code_challenge_method"] == "S256" and asked["nonce"]
    for query in ("", "code=x&state=y", f"code=x&state={asked['state']}",
                  "error=access_denied&state=y"):  # fmt: skip
        reply = client.get(f"/pagetrail/oidc/callback?{query}")
        assert reply.status_code == 403 and 'role="alert"' in reply.text
    client.cookies.clear()
    for reply in (client.get(ACCOUNT), client.post(ACCOUNT, data={"name": "Eve"}),
                  client.get("/pagetrail/oidc/callback?code=x&state=y")):  # fmt: skip
        assert reply.status_code == 403 and "longer than ten minutes" in reply.text
    assert person_of(services, client.cookies) is None


def test_a_provider_that_is_away_is_said(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Local accounts go on; the sign-in page says what did not work."""
    monkeypatch.setenv("PAGETRAIL_OIDC_ISSUER", "http://127.0.0.1:9")
    monkeypatch.setenv("PAGETRAIL_OIDC_CLIENT_ID", "pagetrail")
    monkeypatch.setenv(LISTS["annotator"], "*")
    reply = client.get("/pagetrail/oidc/start")
    assert reply.status_code == 403 and "did not work" in reply.text
    signed_in = client.post("/pagetrail/login", data={"name": "alma", "password": PASSWORD})
    assert signed_in.status_code == 303


def test_without_a_provider_there_is_nothing(client: TestClient) -> None:
    """No button, no pages."""
    assert "oidc" not in client.get("/pagetrail/login").text
    assert client.get("/pagetrail/oidc/start").status_code == 404


BASE = {"PAGETRAIL_OIDC_ISSUER": "https://id.example/", "PAGETRAIL_OIDC_CLIENT_ID": "x"}
ROLES = BASE | {
    LISTS["annotator"]: "*",
    LISTS["supervisor"]: "Leads, @LAB.example",
    LISTS["admin"]: "root@uni.example",
}


@pytest.mark.parametrize(
    ("claims", "role"),
    [
        ({}, "annotator"),
        ({"groups": ["Leads"]}, "supervisor"),
        ({"groups": "Leads"}, "supervisor"),
        ({"groups": ["leads", 7, None]}, "annotator"),
        ({"email": "a@lab.example", "email_verified": True}, "supervisor"),
        ({"email": "a@lab.example", "email_verified": "true"}, "annotator"),
        ({"email": "a@sub.lab.example", "email_verified": True}, "annotator"),
        ({"email": "ROOT@uni.example", "email_verified": True, "groups": ["Leads"]}, "admin"),
        ({"groups": ["root@uni.example", "@lab.example"]}, "annotator"),
    ],
)
def test_roles(claims: Mapping[str, Any], role: str) -> None:
    """The highest role counts; addresses have to be verified; groups are no addresses."""
    service = single_sign_on(ROLES)
    assert service is not None and service.issuer == "https://id.example"
    assert service.newcomer({"sub": "s", **claims}).role == role
    for subject in (None, "", 7, "x" * 256):
        with pytest.raises(Forbidden):
            service.newcomer({**claims, "sub": subject})


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        (BASE, LISTS["annotator"]),
        (ROLES | {"PAGETRAIL_OIDC_CLIENT_ID": " "}, "PAGETRAIL_OIDC_CLIENT_ID"),
        (ROLES | {"PAGETRAIL_OIDC_ISSUER": "http://id.example"}, "PAGETRAIL_OIDC_ISSUER"),
        (ROLES | {"PAGETRAIL_URL": "pagetrail.example"}, "PAGETRAIL_URL"),
    ],
)
def test_settings_that_cannot_be_right(settings: Mapping[str, str], named: str) -> None:
    """The message names the variable."""
    with pytest.raises(PagetrailError, match=named):
        single_sign_on(settings)
