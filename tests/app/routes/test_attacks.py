"""A hostile client: forged tokens, made-up cookies, and whatever can be sent as an event."""

from __future__ import annotations

import json
from typing import Any

import pytest
from itsdangerous import URLSafeSerializer
from starlette.testclient import TestClient

from pagetrail.annotation.attempts.state import fold
from pagetrail.app.services.composition import Services
from pagetrail.storage.people.accounts import add_user, find_person
from pagetrail.storage.people.administration import set_active
from tests.app.conftest import PASSWORD
from tests.app.routes.test_review_attacks import audited_actions
from tests.app.signed_in import at_work, attempts_of, boot, send, sign_in, stored_types


def _signed_with(secret: str, value: object) -> str:
    return str(URLSafeSerializer(secret, salt="pagetrail-attempt").dumps(value))


def test_a_forged_token_records_nothing(server_client: TestClient, services: Services) -> None:
    """403 as JSON for every kind of wrong token, and an empty log."""
    attempt, token = at_work(server_client, services)
    secret = services.workspace.meta("secret") or ""
    forged = {
        "none": "",
        "cut": token[:-1],
        "longer": token + "A",
        "not ascii": "\u00e9" * 10,
        "long": "x" * 7000,
        "other secret": _signed_with("another secret", [1, attempt, 99_999]),
        "null": _signed_with(secret, None),
        "short": _signed_with(secret, [1]),
        "other attempt": _signed_with(secret, [1, "0" * 32]),
    }
    body = {"session": "s", "events": [{"id": "1", "type": "opened", "payload": {"session": "s"}}]}
    for kind, forged_token in forged.items():
        headers = {"X-Pagetrail": forged_token.encode()}
        reply = server_client.post(
            f"/pagetrail/attempts/{attempt}/events", json=body, headers=headers
        )
        assert reply.status_code == 403, kind
        assert reply.json()["error"]["code"] == "forbidden", kind
        assert stored_types(services, attempt) == [], kind


def test_a_token_is_good_as_long_as_the_session(
    server_client: TestClient, services: Services
) -> None:
    """A tab that was open for days goes on, and nobody is accused; without a session it ends."""
    attempt, _ = at_work(server_client, services)
    secret = services.workspace.meta("secret") or ""
    person = find_person(services.workspace, "alma")
    of_earlier_version = _signed_with(secret, [person.id, attempt, 1])
    event_ = ("1", "opened", {"session": "s"})
    assert send(server_client, attempt, of_earlier_version, event_).status_code == 200
    assert audited_actions(services, "alma") == []
    server_client.cookies.clear()
    assert send(server_client, attempt, of_earlier_version, event_).status_code == 401


def test_another_persons_token_is_invalid(server_client: TestClient, services: Services) -> None:
    """Bruno's token in Alma's session opens neither his task nor hers."""
    brunos_attempt, stolen = at_work(server_client, services, "bruno")
    almas_attempt, _ = at_work(server_client, services, "alma")
    for attempt in (brunos_attempt, almas_attempt):
        assert (
            send(server_client, attempt, stolen, ("1", "opened", {"session": "s"})).status_code
            == 403
        )


def test_deactivated_person_is_signed_out_at_once(
    server_client: TestClient, services: Services
) -> None:
    """The open session ends with the account, for reading, writing and images."""
    attempt, token = at_work(server_client, services)
    info = services.corpus.document("report.pdf")
    assert info is not None
    set_active(services.workspace, None, "alma", False)
    assert server_client.get(f"/pagetrail/attempts/{attempt}").status_code == 401
    assert send(server_client, attempt, token, ("1", "opened", {"session": "s"})).status_code == 401
    page = server_client.get(f"/pagetrail/page/{info.sha256}/1", params={"v": token, "dpi": 40})
    assert page.status_code == 401
    form = {"name": "alma", "password": PASSWORD}
    assert server_client.post("/pagetrail/login", data=form).status_code == 403


def test_a_made_up_cookie_is_no_session(server_client: TestClient, services: Services) -> None:
    """Whatever the cookie holds, it is looked up, not interpreted."""
    attempt = attempts_of(services, "alma")[0]
    for cookie in ("", "x", "' OR 1=1 --", "%00", "a" * 5000):
        headers = {"Cookie": f"pagetrail_session={cookie}"}
        reply = server_client.get(f"/pagetrail/attempts/{attempt}", headers=headers)
        assert reply.status_code == 401, cookie


def test_invalid_numbers_are_bad_requests(server_client: TestClient, services: Services) -> None:
    """Python's JSON reads NaN and Infinity: none of them reaches the log."""
    attempt, token = at_work(server_client, services)
    for number in ("NaN", "Infinity", "-Infinity", "1e308", "1e999", "-0.0"):
        body = (
            '{"session":"s","events":[{"id":"1","type":"view_changed","payload":'
            f'{{"fit":"none","zoom":{number},"rotation":0}}}}]}}'
        )
        reply = server_client.post(
            f"/pagetrail/attempts/{attempt}/events", content=body, headers={"X-Pagetrail": token}
        )
        assert reply.status_code == 200
        assert reply.json()["refusals"][0]["code"] == "invalid", number
        assert stored_types(services, attempt) == [], number


def test_invalid_age_is_a_bad_request(server_client: TestClient, services: Services) -> None:
    """The time line cannot be bent by an absurd age."""
    attempt, token = at_work(server_client, services)
    for age in ("NaN", "Infinity", "1e308", "-1", '"x"', "99999999999999999999"):
        body = (
            '{"session":"s","events":[{"id":"1","type":"opened","payload":{"session":"s"},'
            f'"age_ms":{age}}}]}}'
        )
        reply = server_client.post(
            f"/pagetrail/attempts/{attempt}/events", content=body, headers={"X-Pagetrail": token}
        )
        assert reply.status_code == 400, age
        assert reply.json()["error"]["code"] == "bad_request", age


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
    server_client: TestClient, services: Services, text: str
) -> None:
    """Never a failure, and what is stored is what the screen shows and the fold gives."""
    attempt, token = at_work(server_client, services)
    body = {
        "session": "s",
        "events": [
            {"id": "1", "type": "answer_edited", "payload": {"text": text}},
            {"id": "2", "type": "note_edited", "payload": {"text": "plain"}},
        ],
    }
    reply = server_client.post(
        f"/pagetrail/attempts/{attempt}/events",
        content=json.dumps(body),
        headers={"X-Pagetrail": token},
    )
    assert reply.status_code == 200, reply.text
    state = boot(server_client, attempt)["state"]
    assert state["note"] == "plain"
    refused = [refusal["id"] for refusal in reply.json()["refusals"]]
    assert (state["answer_text"] == text) if not refused else (refused == ["1"])
    stored = services.log.state(attempt)
    assert fold(services.log.events(attempt)) == stored


def test_odd_event_ids_are_a_bad_request(server_client: TestClient, services: Services) -> None:
    """Ids are plain: none can be taken for one that the server makes."""
    attempt, token = at_work(server_client, services)
    odd = ("", "a b", "a/b", "ä", "'", "a\n", "\0", "x" * 91, "../1", "batch-closed/resumed")
    for id_ in odd:
        reply = send(server_client, attempt, token, (id_, "opened", {"session": "s"}))
        assert reply.status_code == 400, id_
        assert stored_types(services, attempt) == [], id_


def test_the_servers_own_event_ids_cannot_be_taken(
    server_client: TestClient, services: Services
) -> None:
    """A client's event called like the closing event does not keep the batch from closing."""
    attempts = attempts_of(services, "alma")
    sign_in(server_client, "alma")
    for attempt in attempts:
        token = boot(server_client, attempt)["token"]
        send(
            server_client,
            attempt,
            token,
            ("batch-closed", "opened", {"session": "s"}),
            ("2", "submitted", {"outcome": "not_found"}),
        )
    assignment = boot(server_client, attempts[0])["batch"]["assignment"]
    assert server_client.post(f"/pagetrail/assignments/{assignment}/close").status_code == 200
    assert all(services.log.state(attempt).closed for attempt in attempts)


def test_too_many_events_at_once_are_a_bad_request(
    server_client: TestClient, services: Services
) -> None:
    """10,000 small events: refused as a whole, nothing stored."""
    attempt, token = at_work(server_client, services)
    body = '{"session":"s","events":[' + ",".join(['{"id":"1","type":"x"}'] * 10_000) + "]}"
    reply = server_client.post(
        f"/pagetrail/attempts/{attempt}/events", content=body, headers={"X-Pagetrail": token}
    )
    assert reply.status_code == 400
    assert stored_types(services, attempt) == []


def test_a_wrong_payload_is_refused_by_itself(
    server_client: TestClient, services: Services
) -> None:
    """Types are not bent into shape, and a payload cannot claim another type."""
    attempt, token = at_work(server_client, services)
    payloads: list[dict[str, Any]] = [
        {"text": {"a": []}},
        {"text": 3},
        {"text": None},
        {"text": ["x"]},
        {"text": "x" * 20_001},
        {"text": "x", "__proto__": {}},
        {},
    ]
    for number, payload in enumerate(payloads):
        reply = send(server_client, attempt, token, (f"{number}", "answer_edited", payload)).json()
        assert [refusal["code"] for refusal in reply["refusals"]] == ["invalid"], payload
        assert stored_types(services, attempt) == [], payload


def test_a_payload_cannot_claim_another_type(server_client: TestClient, services: Services) -> None:
    """The event's type counts: a payload that calls itself a closing is what it was sent as."""
    attempt, token = at_work(server_client, services)
    send(
        server_client, attempt, token, ("1", "answer_edited", {"type": "batch_closed", "text": "x"})
    )
    assert stored_types(services, attempt) == ["answer_edited"]


def test_json_nested_deeper_than_the_reader_is_a_bad_request(
    server_client: TestClient, services: Services
) -> None:
    """Deep nesting inside a payload ends as a sentence, not as a failure."""
    attempt, token = at_work(server_client, services)
    deep = '{"a":' * 20_000 + "1" + "}" * 20_000
    body = f'{{"session":"s","events":[{{"id":"1","type":"opened","payload":{deep}}}]}}'
    reply = server_client.post(
        f"/pagetrail/attempts/{attempt}/events", content=body, headers={"X-Pagetrail": token}
    )
    assert reply.status_code == 400


def test_equivalent_spellings_of_a_name_are_one_account(
    server_client: TestClient, services: Services
) -> None:
    """Composed, decomposed or in capitals: one person, one count of wrong guesses."""
    add_user(services.workspace, "José", "annotator", PASSWORD)
    for name in ("José", "Jose\u0301", "JOSÉ"):
        reply = server_client.post("/pagetrail/login", data={"name": name, "password": PASSWORD})
        assert reply.status_code == 303, name
