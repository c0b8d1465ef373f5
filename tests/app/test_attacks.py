"""A hostile client and bad luck: what must hold whatever is sent, and whatever breaks."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from datetime import timedelta
from threading import Barrier
from typing import Any

import pytest
from itsdangerous import URLSafeSerializer
from sqlalchemy import event
from starlette.applications import Starlette
from starlette.testclient import TestClient

from annotation.clock import ManualClock, SystemClock
from annotation.errors import StorageError
from annotation.response import fold
from app.server import EXCEPTION_HANDLERS, MIDDLEWARE, options, routes
from app.tokens import LIFETIME_DAYS, Tokens
from app.wiring import Services
from storage import engine as engines
from storage.people import add_user, deactivate, find_person
from storage.workspace import DATABASE_NAME
from tests.app.conftest import PASSWORD
from tests.app.desk import attempts_of, boot, send, sign_in


@pytest.fixture
def served(services: Services) -> Iterator[TestClient]:
    """A browser in front of the routes with the server's middleware and failure handling."""
    app = Starlette(routes=routes(), middleware=MIDDLEWARE, exception_handlers=EXCEPTION_HANDLERS)
    with TestClient(app, follow_redirects=False, raise_server_exceptions=False) as browser:
        yield browser


def at_work(client: TestClient, services: Services, name: str = "alma") -> tuple[str, str]:
    """Sign in and open the first task; returns attempt and token."""
    attempt = attempts_of(services, name)[0]
    sign_in(client, name)
    return attempt, boot(client, attempt)["token"]


def stored_types(services: Services, attempt: str) -> list[str]:
    """The types of the attempt's events."""
    return [e.type for e in services.log.events(attempt)]


# Tokens and cookies


def _signed_with(secret: str, value: object) -> str:
    return str(URLSafeSerializer(secret, salt="pagetrail-attempt").dumps(value))


@pytest.mark.parametrize(
    "forge",
    [
        lambda token, secret, attempt: "",
        lambda token, secret, attempt: token[:-1],
        lambda token, secret, attempt: token + "A",
        lambda token, secret, attempt: "\u00e9" * 10,
        lambda token, secret, attempt: "x" * 7000,
        lambda token, secret, attempt: _signed_with("another secret", [1, attempt, 99_999]),
        lambda token, secret, attempt: _signed_with(secret, None),
        lambda token, secret, attempt: _signed_with(secret, [1, attempt]),
        lambda token, secret, attempt: _signed_with(secret, [1, "0" * 32, 99_999]),
    ],
    ids=["none", "cut", "longer", "not ascii", "long", "other secret", "null", "short",
         "other attempt"],
)  # fmt: skip
def test_a_forged_token_records_nothing(
    served: TestClient, services: Services, forge: Callable[[str, str, str], str]
) -> None:
    """403 as JSON for every kind of wrong token, and an empty log."""
    attempt, token = at_work(served, services)
    secret = services.workspace.meta("secret") or ""
    headers = {"X-Pagetrail": forge(token, secret, attempt).encode()}
    body = {"session": "s", "events": [{"id": "1", "type": "opened", "payload": {"session": "s"}}]}
    reply = served.post(f"/pagetrail/attempts/{attempt}/events", json=body, headers=headers)
    assert reply.status_code == 403
    assert reply.json()["error"]["code"] == "forbidden"
    assert stored_types(services, attempt) == []


def test_a_token_ends_with_its_day(served: TestClient, services: Services) -> None:
    """A token of the past is refused; the one of its last day is not."""
    attempt, _ = at_work(served, services)
    secret = services.workspace.meta("secret") or ""
    person = find_person(services.workspace, "alma")
    made = SystemClock().now() - timedelta(days=LIFETIME_DAYS)
    event_ = ("1", "opened", {"session": "s"})
    last_day = Tokens(secret, ManualClock(made)).make(person.id, attempt)
    expired = Tokens(secret, ManualClock(made - timedelta(days=1))).make(person.id, attempt)
    assert send(served, attempt, expired, event_).status_code == 403
    assert send(served, attempt, last_day, event_).status_code == 200


def test_another_persons_token_is_worth_nothing(served: TestClient, services: Services) -> None:
    """Bruno's token in Alma's session opens neither his task nor hers."""
    theirs, stolen = at_work(served, services, "bruno")
    mine, _ = at_work(served, services, "alma")
    for attempt in (theirs, mine):
        assert send(served, attempt, stolen, ("1", "opened", {"session": "s"})).status_code == 403


def test_a_person_who_is_barred_is_out_at_once(served: TestClient, services: Services) -> None:
    """The open session ends with the account, for reading, writing and pictures."""
    attempt, token = at_work(served, services)
    info = services.corpus.document("report.pdf")
    assert info is not None
    deactivate(services.workspace, "alma")
    assert served.get(f"/pagetrail/attempts/{attempt}").status_code == 401
    assert send(served, attempt, token, ("1", "opened", {"session": "s"})).status_code == 401
    page = served.get(f"/pagetrail/page/{info.sha256}/1", params={"v": token, "dpi": 40})
    assert page.status_code == 401
    form = {"name": "alma", "password": PASSWORD}
    assert served.post("/pagetrail/login", data=form).status_code == 403


@pytest.mark.parametrize("cookie", ["", "x", "' OR 1=1 --", "%00", "a" * 5000])
def test_a_made_up_cookie_is_no_session(
    served: TestClient, services: Services, cookie: str
) -> None:
    """Whatever the cookie holds, it is looked up, not interpreted."""
    attempt = attempts_of(services, "alma")[0]
    headers = {"Cookie": f"pagetrail_session={cookie}"}
    assert served.get(f"/pagetrail/attempts/{attempt}", headers=headers).status_code == 401


# What is sent


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e308", "1e999", "-0.0"])
def test_numbers_that_are_none_are_refused(
    served: TestClient, services: Services, number: str
) -> None:
    """Python's JSON reads NaN and Infinity: none of them reaches the log."""
    attempt, token = at_work(served, services)
    body = (
        '{"session":"s","events":[{"id":"1","type":"view_changed","payload":'
        f'{{"fit":"none","zoom":{number},"rotation":0}}}}]}}'
    )
    reply = served.post(
        f"/pagetrail/attempts/{attempt}/events", content=body, headers={"X-Pagetrail": token}
    )
    assert reply.status_code == 200
    assert reply.json()["refusals"][0]["code"] == "invalid"
    assert stored_types(services, attempt) == []


@pytest.mark.parametrize("age", ["NaN", "Infinity", "1e308", "-1", '"x"', "99999999999999999999"])
def test_an_age_that_is_none_is_a_bad_request(
    served: TestClient, services: Services, age: str
) -> None:
    """The time line cannot be bent by an absurd age."""
    attempt, token = at_work(served, services)
    body = (
        '{"session":"s","events":[{"id":"1","type":"opened","payload":{"session":"s"},'
        f'"age_ms":{age}}}]}}'
    )
    reply = served.post(
        f"/pagetrail/attempts/{attempt}/events", content=body, headers={"X-Pagetrail": token}
    )
    assert reply.status_code == 400
    assert reply.json()["error"]["code"] == "bad_request"


@pytest.mark.parametrize(
    "text",
    [
        "\ud800",
        "a\udfffb",
        "nul\0nul",
        "\u202e\u0000",
        "'); DROP TABLE event; --",
        "\U0001f9a6" * 99,
    ],
    ids=["lone high", "lone low", "nul", "override", "sql", "otters"],
)
def test_any_text_is_stored_or_refused_and_comes_back_the_same(
    served: TestClient, services: Services, text: str
) -> None:
    """Never a failure, and what is stored is what the screen shows and the fold gives."""
    attempt, token = at_work(served, services)
    body = {
        "session": "s",
        "events": [
            {"id": "1", "type": "answer_edited", "payload": {"text": text}},
            {"id": "2", "type": "note_edited", "payload": {"text": "plain"}},
        ],
    }
    reply = served.post(
        f"/pagetrail/attempts/{attempt}/events",
        content=json.dumps(body),
        headers={"X-Pagetrail": token},
    )
    assert reply.status_code == 200, reply.text
    state = boot(served, attempt)["state"]
    assert state["note"] == "plain"
    refused = [refusal["id"] for refusal in reply.json()["refusals"]]
    assert (state["answer_text"] == text) if not refused else (refused == ["1"])
    stored = services.log.response(attempt)
    assert fold(services.log.events(attempt)) == stored


@pytest.mark.parametrize(
    "id_", ["", "a b", "a/b", "ä", "'", "a\n", "\0", "x" * 91, "../1", "batch-closed/resumed"]
)
def test_odd_event_ids_are_a_bad_request(served: TestClient, services: Services, id_: str) -> None:
    """Ids are plain: none can be taken for one that the server makes."""
    attempt, token = at_work(served, services)
    reply = send(served, attempt, token, (id_, "opened", {"session": "s"}))
    assert reply.status_code == 400
    assert stored_types(services, attempt) == []


def test_the_servers_own_event_ids_cannot_be_taken(served: TestClient, services: Services) -> None:
    """A client's event called like the closing event does not keep the batch from closing."""
    attempts = attempts_of(services, "alma")
    sign_in(served, "alma")
    for attempt in attempts:
        token = boot(served, attempt)["token"]
        send(
            served,
            attempt,
            token,
            ("batch-closed", "opened", {"session": "s"}),
            ("2", "submitted", {"outcome": "not_found"}),
        )
    assignment = boot(served, attempts[0])["batch"]["assignment"]
    assert served.post(f"/pagetrail/assignments/{assignment}/close").status_code == 200
    assert all(services.log.response(attempt).closed for attempt in attempts)


def test_too_many_events_at_once_are_a_bad_request(served: TestClient, services: Services) -> None:
    """10,000 small events: refused as a whole, nothing stored."""
    attempt, token = at_work(served, services)
    body = '{"session":"s","events":[' + ",".join(['{"id":"1","type":"x"}'] * 10_000) + "]}"
    reply = served.post(
        f"/pagetrail/attempts/{attempt}/events", content=body, headers={"X-Pagetrail": token}
    )
    assert reply.status_code == 400
    assert stored_types(services, attempt) == []


@pytest.mark.parametrize(
    "payload",
    [
        {"text": {"a": []}},
        {"text": 3},
        {"text": None},
        {"text": ["x"]},
        {"text": "x" * 20_001},
        {"text": "x", "__proto__": {}},
        {},
    ],
)
def test_a_wrong_payload_is_refused_by_itself(
    served: TestClient, services: Services, payload: dict[str, Any]
) -> None:
    """Types are not bent into shape, and a payload cannot claim another type."""
    attempt, token = at_work(served, services)
    reply = send(served, attempt, token, ("1", "answer_edited", payload)).json()
    assert [refusal["code"] for refusal in reply["refusals"]] == ["invalid"]
    assert stored_types(services, attempt) == []


def test_a_payload_cannot_claim_another_type(served: TestClient, services: Services) -> None:
    """The event's type counts: a payload that calls itself a closing is what it was sent as."""
    attempt, token = at_work(served, services)
    send(served, attempt, token, ("1", "answer_edited", {"type": "batch_closed", "text": "x"}))
    assert stored_types(services, attempt) == ["answer_edited"]


def test_json_nested_deeper_than_the_reader_is_a_bad_request(
    served: TestClient, services: Services
) -> None:
    """Deep nesting inside a payload ends as a sentence, not as a failure."""
    attempt, token = at_work(served, services)
    deep = '{"a":' * 20_000 + "1" + "}" * 20_000
    body = f'{{"session":"s","events":[{{"id":"1","type":"opened","payload":{deep}}}]}}'
    reply = served.post(
        f"/pagetrail/attempts/{attempt}/events", content=body, headers={"X-Pagetrail": token}
    )
    assert reply.status_code == 400


def test_names_are_one_however_they_are_typed(served: TestClient, services: Services) -> None:
    """Composed, decomposed or in capitals: one person, one count of wrong guesses."""
    add_user(services.workspace, "José", "annotator", PASSWORD)
    for name in ("José", "Jose\u0301", "JOSÉ"):
        reply = served.post("/pagetrail/login", data={"name": name, "password": PASSWORD})
        assert reply.status_code == 303, name


# Addresses


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
def test_tricky_paths_are_json_errors(served: TestClient, services: Services, path: str) -> None:
    """No file but the corpus is reachable, and nothing fails on an odd address."""
    sign_in(served, "alma")
    for method in ("GET", "POST"):
        reply = served.request(method, path)
        assert 400 <= reply.status_code < 500, (method, path, reply.text)
        assert "error" in reply.json()


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "GET"])
def test_other_methods_change_nothing(served: TestClient, services: Services, method: str) -> None:
    """Only POST records; everything else is an error of the client."""
    attempt, token = at_work(served, services)
    body = b'{"session":"s","events":[{"id":"1","type":"opened","payload":{"session":"s"}}]}'
    reply = served.request(
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
        "\u2028/evil.example",
    ],
)
def test_sign_in_leads_nowhere_else(served: TestClient, services: Services, target: str) -> None:
    """Whatever the wished-for address is, the way after sign-in stays on this site."""
    data = {"name": "alma", "password": PASSWORD, "next": target}
    assert served.post("/pagetrail/login", data=data).headers["location"] == "/"


def test_a_whole_address_of_this_site_is_kept(served: TestClient, services: Services) -> None:
    """The workspace sends its own address along when the session has ended."""
    data = {"name": "alma", "password": PASSWORD, "next": "http://testserver/task?attempt=1&page=2"}
    reply = served.post("/pagetrail/login", data=data)
    assert reply.headers["location"] == "/task?attempt=1&page=2"


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://testserver.evil", "x"])
def test_sign_in_from_another_site_is_refused(
    served: TestClient, services: Services, origin: str
) -> None:
    """Nobody can be signed in as somebody else by a page of another site."""
    data = {"name": "alma", "password": PASSWORD}
    reply = served.post("/pagetrail/login", data=data, headers={"Origin": origin})
    assert reply.status_code == 403
    assert "set-cookie" not in reply.headers


def test_many_guesses_at_once_do_not_slip_through(served: TestClient, services: Services) -> None:
    """Guesses count before they are checked: of thirty at the same time eight are looked at."""

    def guess(number: int) -> int:
        form = {"name": "sven", "password": f"guess {number}"}
        return served.post("/pagetrail/login", data=form).status_code

    with ThreadPoolExecutor(15) as pool:
        codes = list(pool.map(guess, range(30)))
    assert codes.count(403) == 8
    assert codes.count(429) == 22


# Headers


def test_personal_data_is_kept_out_of_caches_and_frames(
    served: TestClient, services: Services
) -> None:
    """JSON is not stored by anyone; no answer may be framed by, or sniffed for, another site."""
    attempt, token = at_work(served, services)
    info = services.corpus.document("report.pdf")
    assert info is not None
    state = served.get(f"/pagetrail/attempts/{attempt}")
    page = served.get(f"/pagetrail/page/{info.sha256}/1", params={"v": token, "dpi": 40})
    login = served.get("/pagetrail/login")
    nothing = served.get("/pagetrail/nothing")
    assert state.headers["cache-control"] == "no-store"
    assert nothing.headers["cache-control"] == "no-store"
    assert login.headers["cache-control"] == "no-store"
    assert page.headers["cache-control"].startswith("private")
    for reply in (state, page, login, nothing):
        assert reply.headers["x-content-type-options"] == "nosniff"
        assert "frame-ancestors" in reply.headers["content-security-policy"]
        assert reply.headers["referrer-policy"] == "same-origin"
        assert len(reply.headers.get_list("content-security-policy")) == 1


def test_uploads_and_the_agent_api_are_shut(served: TestClient) -> None:
    """Streamlit's doors that nothing here uses."""
    assert served.put("/_stcore/upload_file/a/b", content=b"x").status_code == 404
    assert options()["server.enableAgentApi"] is False


# Concurrency


def test_twenty_threads_posting_the_same_events_store_each_once(
    served: TestClient, services: Services
) -> None:
    """Everybody is told the same numbers; the log has no gap and no double."""
    attempt, token = at_work(served, services)
    batch = [(f"e-{n}", "answer_edited", {"text": str(n)}) for n in range(5)]
    barrier = Barrier(20)

    def post(_: int) -> dict[str, int]:
        barrier.wait()
        reply = send(served, attempt, token, *batch)
        assert reply.status_code == 200, reply.text
        return {receipt["id"]: receipt["seq"] for receipt in reply.json()["receipts"]}

    with ThreadPoolExecutor(20) as pool:
        told = list(pool.map(post, range(20)))
    assert all(one == told[0] and len(one) == 5 for one in told)
    assert [e.seq for e in services.log.events(attempt)] == [1, 2, 3, 4, 5]


def test_a_submission_racing_with_edits_is_one_or_the_other(
    served: TestClient, services: Services
) -> None:
    """No edit lands after the submission, and every event that was acknowledged is there."""
    attempt, token = at_work(served, services)
    barrier = Barrier(10)

    def post(number: int) -> Any:
        barrier.wait()
        if number == 5:
            return send(served, attempt, token, ("s", "submitted", {"outcome": "not_found"})).json()
        return send(served, attempt, token, (f"e-{number}", "note_edited", {"text": "x"})).json()

    with ThreadPoolExecutor(10) as pool:
        replies = list(pool.map(post, range(10)))
    events = list(services.log.events(attempt))
    assert events[-1].type == "submitted"
    acknowledged = {r["id"] for reply in replies for r in reply["receipts"]}
    assert acknowledged == {e.client_event_id for e in events}
    refused = {r["code"] for reply in replies for r in reply["refusals"]}
    assert refused <= {"handed_in"}
    assert fold(events) == services.log.response(attempt)


def test_closing_racing_with_reopening_leaves_no_closed_open_task(
    served: TestClient, services: Services
) -> None:
    """Either the batch is closed and every task in it, or the reopened task is open."""
    attempts = attempts_of(services, "alma")
    sign_in(served, "alma")
    tokens = {attempt: boot(served, attempt)["token"] for attempt in attempts}
    assignment = boot(served, attempts[0])["batch"]["assignment"]
    for attempt in attempts:
        send(served, attempt, tokens[attempt], ("1", "submitted", {"outcome": "not_found"}))
    barrier = Barrier(3)

    def act(number: int) -> int:
        barrier.wait()
        if number == 0:
            return served.post(f"/pagetrail/assignments/{assignment}/close").status_code
        attempt = attempts[number - 1]
        return send(served, attempt, tokens[attempt], ("2", "reopened", {})).status_code

    with ThreadPoolExecutor(3) as pool:
        closing_code, *_ = pool.map(act, range(3))
    states = [services.log.response(attempt) for attempt in attempts]
    assert not any(state.closed and state.status == "open" for state in states)
    if closing_code == 200:
        assert all(state.closed for state in states)


# Bad luck


def test_a_full_disk_is_told_and_nothing_is_half_stored(
    served: TestClient, services: Services
) -> None:
    """503 as JSON, so that the client keeps its queue; afterwards the same batch goes through."""
    attempt, token = at_work(served, services)
    send(served, attempt, token, ("0", "opened", {"session": "s"}))
    batch = [(f"e-{n}", "note_edited", {"text": "x" * 15_000}) for n in range(8)]
    services.workspace.engine.dispose()  # the limit below holds for new connections

    def limit(connection: sqlite3.Connection, *_: object) -> None:
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {pages + 4}")

    event.listen(services.workspace.engine, "connect", limit)
    full = send(served, attempt, token, *batch)
    assert full.status_code == 503
    assert full.json()["error"]["code"] == "storage_full"
    assert [e.client_event_id for e in services.log.events(attempt)] == ["0"]
    assert services.log.response(attempt).last_seq == 1
    event.remove(services.workspace.engine, "connect", limit)
    services.workspace.engine.dispose()
    assert len(send(served, attempt, token, *batch).json()["receipts"]) == 8


@contextmanager
def _locked(services: Services) -> Iterator[None]:
    path = services.workspace.root / DATABASE_NAME
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


def test_a_database_that_stays_locked_is_told(served: TestClient, services: Services) -> None:
    """Another program holds the lock past the time limit: 503 as JSON, and nothing is lost."""
    attempt, token = at_work(served, services)
    services.workspace.engine.dispose()

    def impatient(connection: sqlite3.Connection, *_: object) -> None:
        connection.execute("PRAGMA busy_timeout = 20")

    event.listen(services.workspace.engine, "connect", impatient)
    one = ("1", "opened", {"session": "s"})
    with _locked(services):
        reply = send(served, attempt, token, one)
        assert reply.status_code == 503
        assert reply.json()["error"]["code"] == "storage_busy"
        assert boot(served, attempt)["state"]["last_seq"] == 0  # reading goes on
    assert send(served, attempt, token, one).status_code == 200


def test_a_writer_that_never_ends_does_not_block_the_others_for_ever(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Within the process, too, the wait for one's turn has a limit."""
    monkeypatch.setattr(engines, "BUSY_TIMEOUT_MS", 20)
    engine = services.workspace.engine

    def write() -> None:
        with engines.write_transaction(engine):
            pass

    with ThreadPoolExecutor(1) as pool:
        with engines.write_transaction(engine), pytest.raises(StorageError) as caught:
            pool.submit(write).result()
        pool.submit(write).result()
    assert caught.value.code == "storage_busy"


def test_a_broken_database_is_a_sentence(served: TestClient, services: Services) -> None:
    """A missing table is the driver's error: translated, 503, no trace of SQL's innards."""
    attempt, token = at_work(served, services)
    with closing(sqlite3.connect(services.workspace.root / DATABASE_NAME)) as other:
        other.execute("ALTER TABLE response RENAME TO gone")
        other.commit()
    reply = send(served, attempt, token, ("1", "opened", {"session": "s"}))
    assert reply.status_code == 503
    assert reply.json()["error"]["code"] == "storage"
    assert "Traceback" not in reply.text and "SELECT" not in reply.text


def test_a_failure_nobody_foresaw_is_json_and_logged(
    served: TestClient,
    services: Services,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """500 with a sentence that gives nothing away; the trace is in the log."""
    attempt, token = at_work(served, services)

    def broken(*_: object) -> None:
        raise ZeroDivisionError("the secret innards")

    monkeypatch.setattr("app.routes.attempts.record_events", broken)
    reply = send(served, attempt, token, ("1", "opened", {"session": "s"}))
    assert reply.status_code == 500
    assert reply.json()["error"]["code"] == "internal"
    assert "innards" not in reply.text
    assert "the secret innards" in caplog.text
