"""The routes: who gets in, what is stored, and that nothing leaks."""

from __future__ import annotations

import json
import shutil

import pytest
from sqlalchemy import select
from starlette.testclient import TestClient

from pagetrail.app.agents import AgentClient
from pagetrail.app.services.composition import Services
from pagetrail.storage.corpus.image_cache import THUMBNAIL_DPI
from pagetrail.storage.corpus.thumbnails import draw_thumbnails
from pagetrail.storage.database.location import DATABASE_NAME
from pagetrail.storage.database.tables import Audit
from pagetrail.storage.maintenance.health import Health
from tests.app.signed_in import attempts_of, boot, send, sign_in


def audited(services: Services) -> list[str]:
    """The actions in the audit log."""
    with services.workspace.engine.connect() as connection:
        return list(connection.execute(select(Audit.action)).scalars())


def test_without_a_session_every_route_says_signed_out(
    client: TestClient, services: Services
) -> None:
    """No cookie, no data: 401 as JSON, never a page."""
    attempt = attempts_of(services, "alma")[0]
    for method, path in (
        ("GET", f"/pagetrail/attempts/{attempt}"),
        ("POST", f"/pagetrail/attempts/{attempt}/events"),
        ("POST", f"/pagetrail/attempts/{attempt}/search"),
        ("GET", f"/pagetrail/attempts/{attempt}/document?name=report.pdf"),
        ("GET", f"/pagetrail/page/{'0' * 64}/1?v=x"),
        ("POST", "/pagetrail/assignments/1/close"),
    ):
        reply = client.request(method, path)
        assert reply.status_code == 401, path
        assert reply.json()["error"]["code"] == "signed_out"


def test_sign_in_sets_a_cookie_that_scripts_cannot_read(client: TestClient) -> None:
    """HttpOnly and SameSite, and the wished-for address is kept."""
    reply = client.post(
        "/pagetrail/login",
        data={"name": "alma", "password": "correct horse", "next": "/task?attempt=1"},
    )
    assert reply.status_code == 303
    assert reply.headers["location"] == "/task?attempt=1"
    cookie = reply.headers["set-cookie"].lower()
    assert "httponly" in cookie and "samesite=lax" in cookie


@pytest.mark.parametrize("target", ["https://evil.example/", "//evil.example", "/\\evil.example"])
def test_sign_in_never_leads_to_another_site(client: TestClient, target: str) -> None:
    """The address after sign-in is a path of this site."""
    data = {"name": "alma", "password": "correct horse", "next": target}
    assert client.post("/pagetrail/login", data=data).headers["location"] == "/"


def test_wrong_password_is_reported_and_then_throttled(
    client: TestClient, services: Services
) -> None:
    """The same sentence for an unknown name; after eight failures a wait; one line in the log."""
    codes = [
        client.post("/pagetrail/login", data={"name": "nobody", "password": "x"}).status_code
        for _ in range(10)
    ]
    assert codes[:8] == [403] * 8
    assert codes[8:] == [429] * 2
    assert audited(services).count("sign-in failed") == 1


def test_the_sign_in_page_escapes_what_it_repeats(client: TestClient) -> None:
    """A name with markup comes back as text."""
    reply = client.post("/pagetrail/login", data={"name": '"><script>x', "password": "y"})
    assert "<script>" not in reply.text


def test_signing_out_by_post_of_this_site_ends_the_session_on_the_server(
    client: TestClient, services: Services
) -> None:
    """A copied cookie is worth nothing after sign-out."""
    sign_in(client, "alma")
    cookie = client.cookies["pagetrail_session"]
    assert client.get("/pagetrail/logout").status_code == 404
    for header in ({"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "same-site"}):
        assert client.post("/pagetrail/logout", headers=header).status_code == 403
    attempt = attempts_of(services, "alma")[0]
    assert client.get(f"/pagetrail/attempts/{attempt}").status_code == 200
    assert client.post("/pagetrail/logout").status_code == 303
    client.cookies.set("pagetrail_session", cookie)
    assert client.get(f"/pagetrail/attempts/{attempt}").status_code == 401


def test_another_persons_attempt_is_refused_and_audited(
    client: TestClient, services: Services
) -> None:
    """By state, events, search and document: 403, and a line in the audit log each time."""
    brunos_attempt = attempts_of(services, "bruno")[0]
    almas_attempt = attempts_of(services, "alma")[0]
    sign_in(client, "alma")
    token = boot(client, almas_attempt)["token"]
    assert client.get(f"/pagetrail/attempts/{brunos_attempt}").status_code == 403
    assert send(client, brunos_attempt, token, ("a", "opened", {"session": "s"})).status_code == 403
    forged = services.tokens.make(1, brunos_attempt)
    assert (
        send(client, brunos_attempt, forged, ("a", "opened", {"session": "s"})).status_code == 403
    )
    assert list(services.log.events(brunos_attempt)) == []
    assert sum(action.startswith("forbidden") for action in audited(services)) == 3


def test_gold_never_leaves_the_server(client: TestClient, services: Services) -> None:
    """The boot record of a search task holds neither the answer nor the evidence page."""
    sign_in(client, "alma")
    for attempt in attempts_of(services, "alma"):
        record = boot(client, attempt)
        assert "secret gold answer" not in json.dumps(record)
        assert record["given_pages"] is None


def test_events_are_acknowledged_once_and_stored_once(
    client: TestClient, services: Services
) -> None:
    """A batch sent twice gives the same receipts and one event each."""
    attempt = attempts_of(services, "alma")[0]
    sign_in(client, "alma")
    token = boot(client, attempt)["token"]
    batch = (
        ("s-1", "opened", {"session": "s"}),
        ("s-2", "answer_edited", {"text": "rivers"}),
        ("s-3", "citation_added", {"document": "report.pdf", "page": 1}),
    )
    first = send(client, attempt, token, *batch).json()
    second = send(client, attempt, token, *batch).json()
    assert [r["seq"] for r in first["receipts"]] == [1, 2, 3]
    assert [r["seq"] for r in second["receipts"]] == [1, 2, 3]
    assert all(r["repeated"] for r in second["receipts"])
    assert len(list(services.log.events(attempt))) == 3


def test_a_malformed_event_is_refused_by_itself(client: TestClient, services: Services) -> None:
    """Unknown types, unknown fields, wrong pages and server-only types: named, and not stored."""
    attempt = attempts_of(services, "alma")[0]
    sign_in(client, "alma")
    token = boot(client, attempt)["token"]
    reply = send(
        client,
        attempt,
        token,
        ("1", "opened", {"session": "s"}),
        ("2", "no_such_type", {}),
        ("3", "answer_edited", {"text": "x", "extra": 1}),
        ("4", "page_viewed", {"document": "report.pdf", "page": 9, "via": "jump"}),
        ("5", "citation_added", {"document": "../etc/passwd", "page": 1}),
        ("6", "searched", {}),
        ("7", "view_changed", {"fit": "none", "zoom": 1e308, "rotation": 0}),
        ("8", "note_edited", {"text": "kept"}),
        ("9", "submitted", {"outcome": "not_found", "confidence": 0.9}),
    ).json()
    assert {r["id"]: r["code"] for r in reply["refusals"]} == {
        "2": "invalid",
        "3": "invalid",
        "4": "unknown_page",
        "5": "unknown_document",
        "6": "server_only",
        "7": "invalid",
        "9": "no_confidence",
    }
    assert [event.type for event in services.log.events(attempt)] == ["opened", "note_edited"]


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b'{"events": 3}', b"[" * 50_000])
def test_a_body_that_is_no_batch_is_a_clear_error(
    client: TestClient, services: Services, body: bytes
) -> None:
    """Broken JSON and wrong shapes: 400 with a sentence."""
    attempt = attempts_of(services, "alma")[0]
    sign_in(client, "alma")
    headers = {"X-Pagetrail": boot(client, attempt)["token"]}
    reply = client.post(f"/pagetrail/attempts/{attempt}/events", content=body, headers=headers)
    assert reply.status_code == 400
    assert reply.json()["error"]["code"] == "bad_request"


def test_a_huge_body_is_refused_before_it_is_read(client: TestClient, services: Services) -> None:
    """More than 256 KiB is not taken."""
    attempt = attempts_of(services, "alma")[0]
    sign_in(client, "alma")
    headers = {"X-Pagetrail": boot(client, attempt)["token"]}
    reply = client.post(
        f"/pagetrail/attempts/{attempt}/events", content=b" " * 300_000, headers=headers
    )
    assert reply.status_code == 400


def test_a_request_from_another_site_is_refused(client: TestClient, services: Services) -> None:
    """The Origin header must be this host, whatever cookie came along."""
    attempt = attempts_of(services, "alma")[0]
    sign_in(client, "alma")
    headers = {"X-Pagetrail": boot(client, attempt)["token"], "Origin": "https://evil.example"}
    reply = client.post(
        f"/pagetrail/attempts/{attempt}/events", json={"events": []}, headers=headers
    )
    assert reply.status_code == 403


def test_a_search_is_logged_with_what_was_shown_and_only_once(
    client: TestClient, searching: Services
) -> None:
    """The reply and the stored event agree; the same request id is not a second search."""
    attempt = attempts_of(searching, "alma")[0]
    sign_in(client, "alma")
    headers = {"X-Pagetrail": boot(client, attempt)["token"]}
    body = {"id": "s-1", "session": "s", "query": "otters"}
    url = f"/pagetrail/attempts/{attempt}/search"
    first = client.post(url, json=body, headers=headers).json()
    second = client.post(url, json=body, headers=headers).json()
    hits = [(hit["document"], hit["page"]) for hit in first["results"]]
    assert sorted(hits) == [("report.pdf", 1), ("report.pdf", 2)]
    assert second["results"] == first["results"]
    (event,) = searching.log.events(attempt)
    assert event.payload.type == "searched"
    assert [(hit.file, hit.page) for hit in event.payload.results] == hits


def test_what_was_typed_is_logged_beside_the_query_with_plain_quotes(
    client: TestClient, searching: Services
) -> None:
    """Of searches and refused ones; a query that is not what was typed is refused."""
    attempt = attempts_of(searching, "alma")[0]
    sign_in(client, "alma")
    headers = {"X-Pagetrail": boot(client, attempt)["token"]}

    def search(number: int, query: str, typed: str | None) -> int:
        body = {"id": f"s-{number}", "session": "s", "query": query, "typed": typed}
        url = f"/pagetrail/attempts/{attempt}/search"
        return client.post(url, json=body, headers=headers).status_code

    assert search(1, '"sea otters"', "“sea otters”") == 200
    assert search(2, '"""', "„““") == 200
    assert search(3, "otters", None) == 200
    assert search(4, "badgers", "“badgers”") == 400
    fields = [event.fields() for event in searching.log.events(attempt)]
    assert [(event["query"], event.get("typed")) for event in fields] == [
        ('"sea otters"', "“sea otters”"),
        ('"""', "„““"),
        ("otters", None),
    ]
    assert "typed" not in fields[2]


def test_the_same_search_again_is_a_look_back(client: TestClient, searching: Services) -> None:
    """From the history or typed again, in other words for the engine the same; not of agents."""
    attempt = attempts_of(searching, "alma")[0]
    sign_in(client, "alma")
    headers = {"X-Pagetrail": boot(client, attempt)["token"]}

    def search(number: int, query: str, rerun_of: str | None = None) -> str | None:
        body = {"id": f"s-{number}", "session": "s", "query": query, "rerun_of": rerun_of}
        url = f"/pagetrail/attempts/{attempt}/search"
        looks_back_at: str | None = client.post(url, json=body, headers=headers).json()[
            "looks_back_at"
        ]
        return looks_back_at

    first = [search(1, "otters"), search(2, "badgers")]
    repeated = [search(3, "otters", "s-1"), search(4, "Otters "), search(5, "otters rivers")]
    assert (first, repeated) == ([None, None], ["s-1", "s-1", None])
    fields = [event.fields() for event in searching.log.events(attempt)]
    assert [event_fields.get("looks_back_at") for event_fields in fields] == [
        None,
        None,
        "s-1",
        "s-1",
        None,
    ]
    assert "looks_back_at" not in fields[0]
    with AgentClient(searching, "Otters", "bot") as agent:
        attempt_client = agent.open("q1")
        for _ in range(2):
            attempt_client.search_documents("otters")
        assert not any(s.looks_back_at for s in searching.log.state(attempt_client.id).searches)


def test_page_images_are_for_the_persons_own_attempt(
    client: TestClient, services: Services
) -> None:
    """With the token of one's attempt a JPEG; with somebody else's token, or none, nothing."""
    attempt = attempts_of(services, "alma")[0]
    brunos_attempt = services.tokens.make(2, attempts_of(services, "bruno")[0])
    sign_in(client, "alma")
    token = boot(client, attempt)["token"]
    info = services.corpus.document("report.pdf")
    assert info is not None
    url = f"/pagetrail/page/{info.sha256}/1"
    reply = client.get(url, params={"v": token, "dpi": 75})
    assert reply.headers["content-type"] == "image/jpeg"
    assert "immutable" in reply.headers["cache-control"]
    assert client.get(url, params={"v": brunos_attempt, "dpi": 75}).status_code == 403
    assert client.get(url, params={"dpi": 75}).status_code == 403
    assert client.get(url, params={"v": token, "dpi": 9000}).status_code == 404
    missing = client.get(f"/pagetrail/page/{info.sha256}/99", params={"v": token})
    assert missing.status_code == 404
    assert "has 3 pages" in missing.json()["error"]["message"]


def test_a_stored_thumbnail_needs_no_drawing_and_the_same_rights(
    client: TestClient, services: Services
) -> None:
    """It is served where no page can be drawn, to whoever may open the page."""
    attempt = attempts_of(services, "alma")[0]
    brunos_attempt = services.tokens.make(2, attempts_of(services, "bruno")[0])
    info = services.corpus.document("report.pdf")
    assert info is not None
    url = f"/pagetrail/page/{info.sha256}/1"
    draw_thumbnails(services.workspace, ["report.pdf"], lambda done, total: None)
    services.images.workers.pool.close()
    sign_in(client, "alma")
    params = {"v": boot(client, attempt)["token"], "dpi": THUMBNAIL_DPI}
    reply = client.get(url, params=params)
    assert (reply.status_code, reply.headers["content-type"]) == (200, "image/jpeg")
    assert "immutable" in reply.headers["cache-control"]
    tag = {"If-None-Match": reply.headers["etag"]}
    assert client.get(url, params=params, headers=tag).status_code == 304
    stolen = {**params, "v": brunos_attempt}
    assert client.get(url, params=stolen).status_code == 403
    assert client.get(url, params=stolen, headers=tag).status_code == 403
    client.cookies.clear()
    assert client.get(url, params=params).status_code == 401


def test_where_pages_are_given_no_other_page_can_be_fetched(
    client: TestClient, services: Services
) -> None:
    """Oracle tasks: the image and document routes serve the given pages only, also thumbnails."""
    attempt = attempts_of(services, "alma", "Otters given")[0]
    sign_in(client, "alma")
    record = boot(client, attempt)
    (given_page,) = record["given_pages"]
    info = services.corpus.document("report.pdf")
    other = services.corpus.document("other.pdf")
    assert info is not None and other is not None
    draw_thumbnails(services.workspace, ["report.pdf", "other.pdf"], lambda done, total: None)
    params = {"v": record["token"], "dpi": THUMBNAIL_DPI}
    ok = client.get(f"/pagetrail/page/{info.sha256}/{given_page['page']}", params=params)
    assert ok.status_code == 200
    assert client.get(f"/pagetrail/page/{info.sha256}/3", params=params).status_code == 403
    assert client.get(f"/pagetrail/page/{other.sha256}/1", params=params).status_code == 403
    headers = {"X-Pagetrail": record["token"]}
    name = client.get(f"/pagetrail/attempts/{attempt}/document?name=other.pdf", headers=headers)
    assert name.status_code == 403


def test_batch_closes_only_when_everything_is_submitted(
    client: TestClient, services: Services
) -> None:
    """Open tasks: 409 with their number. Afterwards nothing can be changed or reopened."""
    attempts = attempts_of(services, "alma")
    sign_in(client, "alma")
    assignment = boot(client, attempts[0])["batch"]["assignment"]
    refused = client.post(f"/pagetrail/assignments/{assignment}/close")
    assert refused.status_code == 409
    assert "2 of 2" in refused.json()["error"]["message"]
    for attempt in attempts:
        token = boot(client, attempt)["token"]
        send(client, attempt, token, ("1", "submitted", {"outcome": "not_found"}))
    assert client.post(f"/pagetrail/assignments/{assignment}/close").json() == {"closed": True}
    reply = send(client, attempts[0], boot(client, attempts[0])["token"], ("2", "reopened", {}))
    assert reply.json()["refusals"][0]["code"] == "batch_closed"


def test_somebody_elses_batch_cannot_be_closed(client: TestClient, services: Services) -> None:
    """Closing needs ownership; the try is noted."""
    attempts = attempts_of(services, "bruno")
    sign_in(client, "bruno")
    assignment = boot(client, attempts[0])["batch"]["assignment"]
    sign_in(client, "alma")
    assert client.post(f"/pagetrail/assignments/{assignment}/close").status_code == 403
    assert "forbidden assignment" in audited(services)


def test_unknown_paths_below_the_prefix_are_json_errors(client: TestClient) -> None:
    """Never a page of HTML where a client expects data."""
    reply = client.get("/pagetrail/nothing/here")
    assert reply.status_code == 404
    assert reply.json()["error"]["code"] == "not_found"
    assert client.get("/pagetrail/assets/x/../../main.py").status_code == 404


def test_health_and_metrics_contain_only_counts(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Monitoring needs no session and learns nothing about people; metrics need their token."""
    assert client.get("/healthz").json() == {"status": "ok"}
    assert client.get("/metrics").status_code == 403
    monkeypatch.setenv("PAGETRAIL_METRICS_TOKEN", "a-token")
    assert client.get("/metrics").status_code == 401
    for wrong in ("Bearer a-toke", "Bearer ", "a-token", "Basic a-token"):
        assert client.get("/metrics", headers={"Authorization": wrong}).status_code == 401
    text = client.get("/metrics", headers={"Authorization": "Bearer a-token"}).text
    assert "pagetrail_documents 2" in text
    assert "alma" not in text


def test_a_workspace_that_cannot_store_is_unwell(client: TestClient, services: Services) -> None:
    """A server that answers and cannot save is no healthy server."""
    assert client.get("/readyz").status_code == 200
    database = services.workspace.root / DATABASE_NAME
    copy = database.with_suffix(".copy")
    shutil.copyfile(database, copy)
    copy.replace(database)
    services.health = Health(services.workspace)  # one that has not looked yet
    reply = client.get("/healthz")
    assert reply.status_code == 503
    assert "was replaced" in reply.json()["reason"]
    assert client.get("/readyz").status_code == 503
