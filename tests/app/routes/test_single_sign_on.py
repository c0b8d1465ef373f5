"""Single sign-on with a real OpenID Connect provider, and what its settings mean."""

from __future__ import annotations

import json
import re
import secrets
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from datetime import timedelta
from threading import Thread
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlencode, urlsplit

import httpx2
import pytest
from joserfc import jwt
from joserfc.jwk import OctKey, RSAKey
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.sessions import SessionMiddleware
from starlette.testclient import TestClient

from pagetrail.annotation.errors import PagetrailError
from pagetrail.app.server.application import routes
from pagetrail.app.services.composition import Services
from pagetrail.app.services.sessions import COOKIE, live_stamps, person_of, stamp_of
from pagetrail.app.services.signing_in.single_sign_on import LISTS, SignInFailed, single_sign_on
from pagetrail.storage.people.accounts import find_person
from pagetrail.storage.people.administration import anonymise, set_active
from pagetrail.storage.people.identities import uses_password
from pagetrail.storage.people.login_sessions import open_session
from tests.app.conftest import PASSWORD
from tests.app.routes import oidc_provider
from tests.support.audit_log import audited
from tests.support.function_process import start_function

ACCOUNT = "/pagetrail/oidc/account"
BACK_CHANNEL = "/pagetrail/oidc/back-channel"
KEY = RSAKey.generate_key(2048, auto_kid=True)
"""With it the provider signs, which cannot send logout tokens itself."""
_EVENT = "http://schemas.openid.net/event/backchannel-logout"
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
    key = json.dumps(KEY.as_dict(private=True))
    with start_function(oidc_provider.serve, key, stderr=subprocess.PIPE) as process:
        assert process.stderr is not None
        matches = (re.search(r"running on (http://[\d.:]+)", line) for line in process.stderr)
        address_match = next(filter(None, matches))
        Thread(target=process.stderr.read, daemon=True).start()  # a full pipe would stop it
        yield address_match[1]
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

    def arriving(subject: str, next_path: str = "/", **claims: Any) -> httpx2.Response:
        httpx2.put(f"{issuer}/users/{subject}", json=claims).raise_for_status()
        start = client.get("/pagetrail/oidc/start", params={"next": next_path})
        provider_reply = httpx2.post(start.headers["location"], data={"sub": subject})
        callback_url = urlsplit(provider_reply.headers["location"])
        assert (callback_url.hostname, callback_url.path) == (
            "testserver",
            "/pagetrail/oidc/callback",
        )
        return client.get(f"{callback_url.path}?{callback_url.query}")

    return arriving


def _submit(client: TestClient, name: str, **fields: str) -> httpx2.Response:
    """Send the form of the first sign-in, as the page on the screen has it."""
    arrival = re.search(r'name="arrival" value="([^"]+)"', client.get(ACCOUNT).text)
    assert arrival is not None
    form = {"arrival": arrival[1], "is_me": "yes", "name": name, **fields}
    return client.post(ACCOUNT, data=form)


CLAIMS = {"name": "Nora Berg", "email": "Nora@uni.example", "email_verified": True}


def test_a_newcomer_makes_an_account_and_later_signs_in_with_the_role_of_the_day(
    arrive: Arrive, client: TestClient, services: Services
) -> None:
    """Names are not taken from anybody; roles follow the provider; the closed stay closed."""
    page = client.get("/pagetrail/login?next=/batches").text
    assert "Sign in with Uni &lt;Login&gt;" in page and "next=%2Fbatches" in page
    reply = arrive("s-1", next_path="/batches", **CLAIMS)
    assert (reply.status_code, reply.headers["location"]) == (303, ACCOUNT)
    assert person_of(services, client.cookies) is None
    form = client.get(ACCOUNT).text
    assert 'value="Nora Berg"' in form and "You will be an annotator." in form
    reply_to_used_name = _submit(client, "ALMA")
    assert (
        reply_to_used_name.status_code == 400
        and "There is a user alma already." in reply_to_used_name.text
    )
    foreign = client.post(ACCOUNT, data={"name": "x"}, headers={"origin": "https://evil.example"})
    assert foreign.status_code == 403
    reply = _submit(client, "Nora")
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


def test_an_account_is_connected_after_a_new_sign_in_only(
    arrive: Arrive, client: TestClient, services: Services
) -> None:
    """Not by a sign-in of before, nor by one whose time the service does not say.

    ``tests/oidc`` connects accounts, with a provider that says it.
    """
    arrive("s-2", **CLAIMS | {"name": "alma"})
    early = _submit(client, "alma", password=PASSWORD)
    assert early.status_code == 400 and "Sign in again to connect" in early.text
    start = client.get("/pagetrail/oidc/start?connect=1").headers["location"]
    asked = parse_qs(urlsplit(start).query)
    assert (asked["prompt"], asked["max_age"]) == (["login"], ["0"])
    assert person_of(services, client.cookies) is None


def test_invalid_provider_responses_sign_nobody_in(
    arrive: Arrive, client: TestClient, services: Services, issuer: str
) -> None:
    """Strangers, forged and repeated returns, a cancelled sign-in, and no state at all."""
    stranger = arrive("s-3", email="eve@else.example", email_verified=True)
    assert stranger.status_code == 403 and "may not use this workspace" in stranger.text
    unverified = arrive("s-4", **CLAIMS | {"email_verified": False})
    assert unverified.status_code == 403
    start = client.get("/pagetrail/oidc/start?next=//evil.example")
    request_params = {key: values[0] for key, values in
             parse_qs(urlsplit(start.headers["location"]).query).items()}  # fmt: skip
    assert request_params["code_challenge_method"] == "S256" and request_params["nonce"]
    for query in ("", "code=x&state=y", f"code=x&state={request_params['state']}",
                  "error=access_denied&state=y"):  # fmt: skip
        reply = client.get(f"/pagetrail/oidc/callback?{query}")
        assert reply.status_code == 403 and 'role="alert"' in reply.text
    client.cookies.clear()
    for reply in (client.get(ACCOUNT), client.post(ACCOUNT, data={"name": "Eve"}),
                  client.get("/pagetrail/oidc/callback?code=x&state=y")):  # fmt: skip
        assert reply.status_code == 403 and "Sign in again" in reply.text
    assert person_of(services, client.cookies) is None


def _returned(browser: TestClient, subject: str, **changed: str) -> dict[str, str]:
    """Sign in at the service from a browser; the fields that it returns to the callback with.

    Args:
        changed: fields of the request that somebody changes on its way to the service.
    """
    start = browser.get("/pagetrail/oidc/start").headers["location"]
    address, _, query = start.partition("?")
    provider_reply = httpx2.post(
        f"{address}?{urlencode(dict(parse_qsl(query)) | changed)}", data={"sub": subject}
    )
    return dict(parse_qsl(urlsplit(provider_reply.headers["location"]).query))


def test_a_return_counts_once_and_in_the_browser_that_asked(
    arrive: Arrive, client: TestClient, services: Services
) -> None:
    """Not in another browser, not with another's code, not with another nonce, and not again."""
    arrive("s-8", **CLAIMS)
    client.cookies.clear()

    def return_to_callback(browser: TestClient, fields: dict[str, str]) -> int:
        return browser.get("/pagetrail/oidc/callback", params=fields).status_code

    other = TestClient(client.app, follow_redirects=False)
    assert return_to_callback(other, _returned(client, "s-8")) == 403, (
        "it would sign a victim in as somebody else"
    )
    stolen = _returned(other, "s-8")["code"]
    assert return_to_callback(client, _returned(client, "s-8") | {"code": stolen}) == 403
    assert return_to_callback(client, _returned(client, "s-8", nonce="forged")) == 403
    genuine = _returned(client, "s-8")
    waiting = dict(client.cookies)
    assert return_to_callback(client, genuine) == 303
    assert return_to_callback(client, genuine) == 403, "what was asked for has been answered"
    client.cookies.clear()
    client.cookies.update(waiting)
    assert return_to_callback(client, genuine) == 403, "the service gives a code's token once"
    assert person_of(services, client.cookies) is None


def _logout_token(
    issuer: str, key: RSAKey | OctKey = KEY, alg: str = "RS256", **claims: Any
) -> str:
    """Of the provider, for us, made now; a claim of None is left out."""
    all_claims: dict[str, Any] = {
        "iss": issuer, "aud": "pagetrail", "iat": int(time.time()), "exp": int(time.time()) + 120,
        "jti": secrets.token_hex(8), "events": {_EVENT: {}}, **claims,
    }  # fmt: skip
    header = {"alg": alg, "typ": "logout+jwt", "kid": key.kid}
    set_claims = {name: value for name, value in all_claims.items() if value is not None}
    return jwt.encode(header, set_claims, key, algorithms=[alg])


def test_signing_out_of_the_service_ends_its_sessions_here(
    arrive: Arrive, client: TestClient, services: Services, issuer: str
) -> None:
    """By person or by session, and open tabs with them; not what a password has opened.

    The watcher of web sockets looks at ``live_stamps`` every half second
    (``test_session_runs`` has the sockets).
    """
    arrive("s-5", **CLAIMS | {"name": "Olga"})
    _submit(client, "Olga")
    olga = find_person(services.workspace, "Olga")
    by_service = client.cookies[COOKIE]
    day = timedelta(days=1)
    by_password = open_session(services.workspace, olga.id, day)
    elsewhere = open_session(services.workspace, olga.id, day, service_session="sid-2")
    stamps = {stamp_of(session_id, olga) for session_id in (by_service, by_password, elsewhere)}
    assert live_stamps(services, stamps) == stamps

    def send(token: str) -> int:
        return _sent(client, token)

    assert send(_logout_token(issuer, sub="nobody")) == 200
    assert send(_logout_token(issuer, sid="sid-1")) == 200
    assert send(_logout_token(issuer, sub="s-6", sid="sid-2")) == 200
    assert live_stamps(services, stamps) == stamps
    assert send(_logout_token(issuer, sub="s-5", sid="sid-2")) == 200
    assert live_stamps(services, stamps) == stamps - {stamp_of(elsewhere, olga)}
    token = _logout_token(issuer, sub="s-5", aud=["other", "pagetrail"])
    assert send(token) == 200
    assert live_stamps(services, stamps) == {stamp_of(by_password, olga)}
    assert person_of(services, client.cookies) is None
    arrive("s-5", **CLAIMS)
    assert send(token) == 400, "a token counts once"
    assert person_of(services, client.cookies) == olga
    assert audited(services.workspace, "signed_out") == [("Olga", "signed_out", issuer)] * 2


def test_who_signs_out_of_the_service_makes_no_account(
    arrive: Arrive, client: TestClient, services: Services, issuer: str
) -> None:
    """The page of the first sign-in ends with the sign-in, whose session does not exist yet."""
    arrive("s-9", **CLAIMS | {"name": "Rosa"})
    assert _sent(client, _logout_token(issuer, sub="s-9")) == 200
    late = _submit(client, "Rosa")
    assert late.status_code == 400 and "signed out at the sign-in service" in late.text
    assert person_of(services, client.cookies) is None


def test_invalid_logout_tokens_end_nothing(
    arrive: Arrive, client: TestClient, services: Services, issuer: str
) -> None:
    """Forged, foreign, old and incomplete ones, and an ID token."""
    arrive("s-7", **CLAIMS | {"name": "Pia"})
    _submit(client, "Pia")
    now = int(time.time())
    wrong: list[dict[str, Any]] = [
        {"iss": "https://evil.example"}, {"aud": "other"}, {"iat": now - 3600}, {"iat": now + 3600},
        {"iat": None}, {"exp": now - 3600}, {"jti": None}, {"jti": 7}, {"events": None},
        {"events": {}}, {"events": [_EVENT]}, {"nonce": "n"}, {"sub": None}, {"sub": 7},
        {"sid": ["x"]},
    ]  # fmt: skip
    tokens = [_logout_token(issuer, **{"sub": "s-7", **claims}) for claims in wrong]
    stranger = RSAKey.generate_key(2048, auto_kid=True)
    same_name = RSAKey.import_key(stranger.as_dict(private=True) | {"kid": KEY.kid})
    shared = OctKey.import_key("the client secret, which is no key here", {"kid": KEY.kid})
    tokens += [_logout_token(issuer, key, sub="s-7") for key in (stranger, same_name)]
    tokens.append(_logout_token(issuer, shared, "HS256", sub="s-7"))
    good = _logout_token(issuer, sub="s-7")
    tokens += [good[:-6] + "AAAAAA", good.rpartition(".")[0] + ".", "", "x.y.z"]
    assert [_sent(client, token) for token in tokens] == [400] * len(tokens)
    assert person_of(services, client.cookies) is not None
    assert _sent(client, good) == 200
    assert person_of(services, client.cookies) is None


def _sent(client: TestClient, token: str) -> int:
    """What a service gets for its token, which has none of the browser's cookies."""
    service = TestClient(client.app, follow_redirects=False)
    return service.post(BACK_CHANNEL, data={"logout_token": token}).status_code


def test_unavailable_provider_is_reported(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Local accounts go on; the sign-in page says what did not work."""
    monkeypatch.setenv("PAGETRAIL_OIDC_ISSUER", "http://127.0.0.1:9")
    monkeypatch.setenv("PAGETRAIL_OIDC_CLIENT_ID", "pagetrail")
    monkeypatch.setenv(LISTS["annotator"], "*")
    reply = client.get("/pagetrail/oidc/start")
    assert reply.status_code == 403 and "does not respond" in reply.text
    signed_in = client.post("/pagetrail/login", data={"name": "alma", "password": PASSWORD})
    assert signed_in.status_code == 303


def test_routes_are_absent_without_a_provider(client: TestClient) -> None:
    """No button, no pages."""
    assert "oidc" not in client.get("/pagetrail/login").text
    assert client.get("/pagetrail/oidc/start").status_code == 404
    assert client.post(BACK_CHANNEL, data={"logout_token": "x"}).status_code == 404


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
        with pytest.raises(SignInFailed):
            service.newcomer({**claims, "sub": subject})


@pytest.mark.parametrize(
    ("settings", "variable"),
    [
        (BASE, LISTS["annotator"]),
        (ROLES | {"PAGETRAIL_OIDC_CLIENT_ID": " "}, "PAGETRAIL_OIDC_CLIENT_ID"),
        (ROLES | {"PAGETRAIL_OIDC_ISSUER": "http://id.example"}, "PAGETRAIL_OIDC_ISSUER"),
    ],
)
def test_invalid_settings_are_refused(settings: Mapping[str, str], variable: str) -> None:
    """The message names the variable."""
    with pytest.raises(PagetrailError, match=variable):
        single_sign_on(settings)
