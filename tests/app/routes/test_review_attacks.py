"""The routes of review against whoever may not use them, and against bodies that nobody sends."""

from __future__ import annotations

import json
from itertools import product
from typing import Any

import pytest
from sqlalchemy import func, select
from starlette.testclient import TestClient

from pagetrail.annotation.errors import Forbidden
from pagetrail.app.routes.reviews import ACTS
from pagetrail.app.services.composition import Services
from pagetrail.app.services.security_log import SecurityLog
from pagetrail.app.services.supervisor_rights import oversight_token
from pagetrail.storage.batches.changeable_settings import change_settings
from pagetrail.storage.database.tables import Assignment, Attempt, EventRow
from pagetrail.storage.people.accounts import add_user, find_person
from pagetrail.storage.people.administration import change_role
from tests.app.conftest import PASSWORD
from tests.app.review_case import BRUNO_ANSWER, Case, body_of, under_review
from tests.app.signed_in import boot, sign_in
from tests.support.audit_log import audited

Stored = tuple[int, int, tuple[str, ...]]
GARBAGE = [
    "",
    "null",
    "[]",
    "3",
    '"x"',
    "{",
    "NaN",
    '{"id": NaN}',
    '{"id": null}',
    '{"id": ""}',
    '{"id": "a/b"}',
    '{"id": "x", "surplus": 1}',
    '{"a":' * 20_000 + "1" + "}" * 20_000,
    "[" * 100_000,
    '{"id": "x", "reviewed_version": {"sources": {}, "gold_seq": 1e999}}',
    '{"id": "\\ud800"}',
]


def stored(services: Services) -> Stored:
    """How many events and attempts there are, and how the batches are."""
    with services.workspace.engine.connect() as connection:
        events = connection.execute(select(func.count()).select_from(EventRow)).scalar_one()
        attempts = connection.execute(select(func.count()).select_from(Attempt)).scalar_one()
        batches = connection.execute(select(Assignment.status).order_by(Assignment.id))
        return events, attempts, tuple(batches.scalars())


def audited_actions(services: Services, actor: str) -> list[str]:
    """What the audit log has of a person."""
    return [action for who, action, _ in audited(services.workspace) if who == actor]


def valid(case: Case, data: dict[str, Any], act: str) -> dict[str, Any]:
    """A body that the route takes from the supervisor who holds the task."""
    bodies: dict[str, dict[str, Any]] = {
        "take": {},
        "release": {},
        "draft": {"picks": {}, "reviewed_version": data["reviewed_version"]},
        "decide": {
            "picks": {"answer": {"how": "side", "side": case.bruno}},
            "reason": "so",
            "reviewed_version": data["reviewed_version"],
        },
        "undo": {"decision": data["reviewed_version"]["gold_seq"]},
        "take-up": {"reason": "once more"},
        "handle": {"attempt": case.alma},
        "return": {"attempt": case.alma, "comment": "again", "differences": []},
        "comment": {"attempt": case.alma, "text": "well done"},
        "reject-draft": {"draft": "draft:1"},
    }
    return {"id": f"act-{act}", **bodies[act]}


def requests_of(case: Case, data: dict[str, Any]) -> list[tuple[str, str, dict[str, Any] | None]]:
    """Method, address and body of every request that a supervisor's browser makes of a task."""
    acts = [("POST", f"{case.url}/{act}", valid(case, data, act)) for act in ACTS]
    return [("GET", case.url, None), ("POST", f"{case.url}/preview", {"picks": {}}), *acts]


def test_annotator_is_refused_by_every_review_route(
    server_client: TestClient, services: Services
) -> None:
    """403 with a sentence and a note, for the body that a supervisor's browser has just sent."""
    case = under_review(services)
    requests = requests_of(case, body_of(server_client, case))
    before = stored(services)
    sign_in(server_client, "alma")
    for number, (method, url, body) in enumerate(requests, start=1):
        reply = server_client.request(method, url, json=body)
        assert reply.status_code == 403, url
        assert reply.json()["error"] == {
            "code": "forbidden",
            "message": "This is for supervisors. The access was noted.",
        }
        assert BRUNO_ANSWER not in reply.text
        assert stored(services) == before, url
        assert audited_actions(services, "alma") == ["forbidden oversight"] * number


def test_signed_out_visitor_is_refused_by_every_review_route(
    server_client: TestClient, services: Services
) -> None:
    """401, also with a supervisor's own token, and nothing is stored."""
    case = under_review(services)
    data = body_of(server_client, case)
    before = stored(services)
    server_client.cookies.clear()
    headers = {"X-Pagetrail": data["token"]}
    for method, url, body in requests_of(case, data):
        reply = server_client.request(method, url, json=body, headers=headers)
        assert (reply.status_code, reply.json()["error"]["code"]) == (401, "signed_out"), url
        assert stored(services) == before, url


def test_cross_site_requests_are_refused(server_client: TestClient, services: Services) -> None:
    """A post with another origin is refused before its body is read."""
    case = under_review(services)
    _look, *posts = requests_of(case, body_of(server_client, case))
    before = stored(services)
    headers = {"Origin": "https://elsewhere.example"}
    for _, url, body in posts:
        reply = server_client.post(url, json=body, headers=headers)
        assert (reply.status_code, reply.json()["error"]["code"]) == (403, "forbidden"), url
        assert stored(services) == before, url


def test_supervisors_token_is_invalid_for_an_annotator(
    server_client: TestClient, services: Services
) -> None:
    """Not for an image, not for the gold stream, not for the routes of review."""
    case = under_review(services)
    token = body_of(server_client, case)["token"]
    info = services.corpus.document("report.pdf")
    assert info is not None
    before = stored(services)
    sign_in(server_client, "bruno")
    picture = f"/pagetrail/page/{info.sha256}/1?dpi=40&v="
    assert server_client.get(f"{picture}{token}").status_code == 403
    headers = {"X-Pagetrail": token}
    assert server_client.get(case.url, headers=headers).status_code == 403
    reply = server_client.post(
        f"/pagetrail/attempts/{case.gold}/events", json={"events": []}, headers=headers
    )
    assert reply.status_code == 403
    # Nor does one that the server would have made for bruno, had it been asked to.
    forged = services.tokens.make(find_person(services.workspace, "bruno").id, "@oversight")
    assert server_client.get(f"{picture}{forged}").status_code == 403
    assert stored(services) == before
    assert set(audited_actions(services, "bruno")) == {"forbidden token", "forbidden oversight"}


def test_former_supervisor_is_refused(server_client: TestClient, services: Services) -> None:
    """The role is looked at in every request: an open session and its tokens end with it."""
    case = under_review(services)
    data = body_of(server_client, case)
    change_role(services.workspace, None, "sven", "annotator")
    before = stored(services)
    assert server_client.get(case.url).status_code == 403
    reply = server_client.post(f"{case.url}/decide", json=valid(case, data, "decide"))
    assert reply.status_code == 403
    assert stored(services) == before


def test_garbage_is_a_bad_request(server_client: TestClient, services: Services) -> None:
    """Whatever is no body of the agreed form: 400 with a sentence, noted, and nothing is stored."""
    case = under_review(services)
    sign_in(server_client, "sven")
    before = stored(services)
    for act in ("preview", *ACTS):
        services.security_log = SecurityLog(
            services.workspace
        )  # which takes so many notes and no more
        for body in GARBAGE:
            reply = server_client.post(f"{case.url}/{act}", content=body)
            assert reply.status_code == 400, (act, body[:40], reply.text)
            assert reply.json()["error"]["code"] == "bad_request"
            assert reply.json()["error"]["message"].startswith("Th")
        assert stored(services) == before, act
    assert audited_actions(services, "sven") == ["refused request"] * len(GARBAGE) * (1 + len(ACTS))


def test_a_body_beyond_all_bounds_is_not_read_to_its_end(
    server_client: TestClient, services: Services
) -> None:
    """A megabyte is refused with the limit in the sentence."""
    case = under_review(services)
    sign_in(server_client, "sven")
    before = stored(services)
    body = json.dumps({"id": "x", "attempt": case.alma, "text": "x" * 1_000_000})
    reply = server_client.post(f"{case.url}/comment", content=body)
    assert reply.status_code == 400
    assert "256 KiB" in reply.json()["error"]["message"]
    assert stored(services) == before


PICKS: list[dict[str, Any]] = [
    {"no such part": {"how": "side", "side": "ALMA"}},
    {"answer": {"how": "retention"}},
    {"answer": {"how": "no such way"}},
    {"answer": {"how": "side"}},
    {"answer": {"how": "side", "side": None}},
    {"answer": {"how": "side", "side": "OTHER"}},
    {"answer": {"how": "side", "side": "GOLD"}},
    {"answer": {"how": "side", "side": "x" * 101}},
    {"outcome": {"how": "side", "side": "OTHER"}},
    {"evidence": {"how": "pick", "pages": [["report.pdf", -1]]}},
    {"evidence": {"how": "pick", "pages": [["report.pdf", 0]]}},
    {"evidence": {"how": "pick", "pages": [["report.pdf", 99]]}},
    {"evidence": {"how": "pick", "pages": [["report.pdf", 10**30]]}},
    {"evidence": {"how": "pick", "pages": [["no such.pdf", 1]]}},
    {"evidence": {"how": "pick", "pages": [["x" * 5_000, 1]]}},
    {"evidence": {"how": "pick", "pages": [["\ud800", 1]]}},
    {"evidence": {"how": "pick", "pages": [["report.pdf"]]}},
    {"evidence": {"how": "pick", "pages": "report.pdf"}},
    {"boxes": {"how": "pick", "boxes": [["OTHER", "b-1"]]}},
    {"boxes": {"how": "pick", "boxes": [["ALMA", "no such box"]]}},
    {"boxes": {"how": "pick", "at": [["report.pdf", 10**30, "ALMA"]]}},
    {"answer": {"how": "variants"}},
    {"answer": {"how": "variants", "sides": ["ALMA", "OTHER"]}},
    {"answer": {"how": "variants", "sides": ["ALMA"] * 501}},
    {"answer": {"how": "edited", "texts": ["x" * 20_001]}},
    {"answer": {"how": "edited", "texts": ["\ud800"]}},
    {"outcome": {"how": "edited"}},
    {"evidence": {"how": "side", "side": "dataset", "pages": [["report.pdf"]]}},
    {"boxes": {"how": "side", "side": "dataset"}},
    {"evidence": {"how": "pick", "rows": [["OTHER", None, None, "r1"]]}},
    {"answer": {"how": "side", "side": "ALMA", "surplus": 1}},
    {"x" * 5_000: {"how": "side", "side": "ALMA"}},
    {"": {"how": "none"}},
    {"__proto__": {"how": "none"}},
    {"\ud800": {"how": "none"}},
    {"answer": {"how": "side", "side": "\ud800"}},
    {"boxes": {"how": "pick", "boxes": [["\ud800", "\ud800"]]}},
]


def test_impossible_picks_are_refused(server_client: TestClient, services: Services) -> None:
    """Unknown parts and ways, another task's attempts, pages that are none: never in the gold."""
    case = under_review(services)
    data = body_of(server_client, case)
    names = {"ALMA": case.alma, "OTHER": case.other_alma, "GOLD": case.gold}
    before = stored(services)
    wrong = []
    for number, (act, picks) in enumerate(product(("preview", "draft", "decide"), PICKS)):
        text = json.dumps(picks)
        for name, attempt in names.items():
            text = text.replace(f'"{name}"', json.dumps(attempt))
        body: dict[str, Any] = {"picks": json.loads(text)}
        if act != "preview":
            body |= {"id": f"p-{number}", "reviewed_version": data["reviewed_version"]}
        reply = server_client.post(f"{case.url}/{act}", content=json.dumps(body))
        if reply.status_code not in (400, 409) or stored(services) != before:
            wrong.append((act, picks, reply.status_code, reply.text[:200]))
            before = stored(services)
    assert wrong == []


def test_only_annotators_work_is_returned_or_commented_on(
    server_client: TestClient, services: Services
) -> None:
    """Another task's attempt, the gold stream, an id that is none: 404, nothing stored, noted."""
    case = under_review(services)
    before = stored(services)
    sign_in(server_client, "sven")
    unreviewed_attempts = (case.other_alma, case.gold, "0" * 32, "../" * 9)
    for number, attempt in enumerate(unreviewed_attempts):
        for act, words in (("return", "comment"), ("comment", "text")):
            body = {"id": f"{act}-{number}", "attempt": attempt, words: "again"}
            reply = server_client.post(f"{case.url}/{act}", json=body)
            assert reply.status_code == 404, (act, attempt, reply.text)
            assert stored(services) == before, (act, attempt)
    assert audited_actions(services, "sven") == ["refused review"] * 2 * len(unreviewed_attempts)


def test_unknown_tasks_are_refused(server_client: TestClient, services: Services) -> None:
    """404 with a sentence for every act, and no gold stream begins."""
    case = under_review(services)
    data = body_of(server_client, case)
    before = stored(services)
    for task in ("0", "999999", "x", "-1", "1e3", "9" * 400, "1.0", "%00"):
        for act in ACTS:
            reply = server_client.post(
                f"/pagetrail/reviews/{task}/{act}", json=valid(case, data, act)
            )
            assert reply.status_code == 404, (task, act, reply.text)
        assert server_client.get(f"/pagetrail/reviews/{task}").status_code == 404
        assert server_client.post(f"/pagetrail/reviews/{task}/preview", json={}).status_code == 404
        assert stored(services) == before, task


def test_decision_on_unseen_work_is_refused(server_client: TestClient, services: Services) -> None:
    """A made-up basis of a decision is an outdated one: 409, and nothing is stored."""
    case = under_review(services)
    before = stored(services)
    sign_in(server_client, "sven")
    for number, basis in enumerate(
        [
            {"sources": {}, "gold_seq": 0},
            {"sources": {case.alma: 10**30}, "gold_seq": 1},
            {"sources": {case.alma: -1, case.other_alma: 4}, "gold_seq": 10**30},
            {"sources": {"x" * 300: 1}, "gold_seq": 2},
        ]
    ):
        body = {"id": f"d-{number}", "picks": {}, "reason": "", "reviewed_version": basis}
        reply = server_client.post(f"{case.url}/decide", content=json.dumps(body))
        assert (reply.status_code, reply.json()["error"]["code"]) == (409, "outdated"), reply.text
        assert stored(services) == before, basis


def test_comment_must_be_text(server_client: TestClient, services: Services) -> None:
    """Nothing, only space, too much, half a character: refused for comments and for returns."""
    case = under_review(services)
    sign_in(server_client, "sven")
    before = stored(services)
    for number, text in enumerate(("", " \n\u3000", "x" * 20_001, "\ud800", 3, None, ["x"])):
        for act, name in (("comment", "text"), ("return", "comment")):
            body = json.dumps({"id": f"{act}-{number}", "attempt": case.alma, name: text})
            reply = server_client.post(f"{case.url}/{act}", content=body)
            assert reply.status_code in (400, 409), (act, text, reply.text)
            assert reply.json()["error"]["message"]
            assert stored(services) == before, (act, text)


def test_a_second_supervisor_cannot_decide_over_the_first(
    server_client: TestClient, services: Services
) -> None:
    """While sven holds the task, rosa's decision and draft are refused with his name."""
    case = under_review(services)
    add_user(services.workspace, "rosa", "supervisor", PASSWORD)
    data = body_of(server_client, case, "rosa")
    before = stored(services)
    for act in ("take", "draft", "decide"):
        reply = server_client.post(f"{case.url}/{act}", json=valid(case, data, act))
        assert (reply.status_code, reply.json()["error"]["code"]) == (409, "taken")
        assert "sven" in reply.json()["error"]["message"]
    assert stored(services) == before


def test_repeated_request_acts_once(server_client: TestClient, services: Services) -> None:
    """The same ids again, after lost replies: each act is stored once."""
    case = under_review(services)
    sign_in(server_client, "sven")
    for act in ("comment", "decide", "take-up", "return"):
        data = server_client.get(case.url).json()
        body = valid(case, data, act)
        first = server_client.post(f"{case.url}/{act}", json=body)
        assert first.status_code == 200, (act, first.text)
        after = stored(services)
        repeated_reply = server_client.post(f"{case.url}/{act}", json=body)
        assert repeated_reply.status_code == 200, (act, repeated_reply.text)
        assert stored(services) == after, act


def test_an_annotators_id_cannot_stand_in_the_way_of_a_supervisors(
    server_client: TestClient, services: Services
) -> None:
    """An event that alma gave the id of sven's request does not swallow what he does."""
    case = under_review(services)
    sign_in(server_client, "alma")
    token = boot(server_client, case.alma)["token"]
    event = {"id": "act-return", "type": "commented", "payload": {"text": "mine"}}
    sent = server_client.post(
        f"/pagetrail/attempts/{case.alma}/events",
        json={"session": "s", "events": [event]},
        headers={"X-Pagetrail": token},
    )
    assert sent.json()["refusals"] == []
    data = body_of(server_client, case)
    reply = server_client.post(f"{case.url}/return", json=valid(case, data, "return"))
    assert reply.status_code == 200
    assert services.log.state(case.alma).returned


def test_the_tokens_of_a_supervisor_are_made_for_supervisors_only(services: Services) -> None:
    """``oversight_token`` refuses an annotator, whoever calls it, and notes it."""
    with pytest.raises(Forbidden):
        oversight_token(services, find_person(services.workspace, "alma"))
    assert audited_actions(services, "alma") == ["forbidden oversight"]


def test_decision_must_name_everybody_still_working(
    server_client: TestClient, services: Services
) -> None:
    """Bruno has it back: a body that does not know is refused by name, and stores nothing."""
    change_settings(services.workspace, None, "Otters", {"review.keep": 1})
    case = under_review(services)
    services.reviews.send_back(case.bruno, "sven", "page 1?", (), "back-1")
    data = body_of(server_client, case)
    assert data["unfinished"] == {
        "people": [{"name": "bruno", "state": "returned"}],
        "free_slots": 0,
        "sentence": "Still to submit it: bruno (sent back).",
        "decide_label": "Decide without bruno",
        "decide_hint": "Press {key} again to decide without bruno.",
    }
    assert data["reviewed_version"]["pending"] == ["bruno"]
    before = stored(services)
    for basis in (
        {**data["reviewed_version"], "pending": []},
        {**data["reviewed_version"], "pending": ["alma"]},
        {name: value for name, value in data["reviewed_version"].items() if name != "pending"},
    ):
        body = {"id": "d-1", "picks": {}, "reason": "now", "reviewed_version": basis}
        reply = server_client.post(f"{case.url}/decide", json=body)
        assert (reply.status_code, reply.json()["error"]["code"]) == (409, "outdated")
        assert reply.json()["error"]["message"].startswith("bruno is at work on this task too.")
        assert stored(services) == before
    body = {"id": "d-1", "picks": {}, "reason": "now", "reviewed_version": data["reviewed_version"]}
    decided = server_client.post(f"{case.url}/decide", json=body)
    assert decided.json()["gold"]["reason"] == "Decided without bruno (sent back). now"
