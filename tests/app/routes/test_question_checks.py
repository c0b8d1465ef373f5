"""The route of the live checks: who may run them, over what, and what is stored of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select
from starlette.testclient import TestClient

from pagetrail.app.services.composition import Services
from pagetrail.storage.database.tables import Audit
from pagetrail.storage.importers.tasks.importer import import_tasks
from tests.app.signed_in import attempts_of, boot, send, sign_in, stored_types

CHECKS = ["giveaway", "extractive", "agentic", "overlap", "duplicate", "minimality"]
QUESTION = "According to page 2, what do the animals of rivers eat?"


@pytest.fixture
def writing(searching: Services, tmp_path: Path) -> Services:
    """The workspace with a campaign in which both annotators write two questions each."""
    briefs = [{"id": f"brief-{n}", "question": f"Write about animals ({n})."} for n in (1, 2)]
    tasks = tmp_path / "briefs.jsonl"
    tasks.write_text("\n".join(map(json.dumps, briefs)), encoding="utf-8")
    import_tasks(
        searching.workspace, tasks, campaign="Writing", protocol="author", overlap=2, seed=1
    )
    return searching


def write(
    client: TestClient,
    attempt: str,
    question: str,
    pages: tuple[int, ...] = (1, 2),
    answer: str = "fish",
) -> str:
    """Open the attempt and write a question with its answer and evidence; returns the token."""
    token: str = boot(client, attempt)["token"]
    cited = [("citation_added", {"document": "report.pdf", "page": page}) for page in pages]
    events = [
        ("opened", {"session": "s"}),
        ("question_edited", {"text": question}),
        ("answer_edited", {"text": answer}),
        *cited,
    ]
    reply = send(
        client, attempt, token, *((f"e-{n}", kind, data) for n, (kind, data) in enumerate(events))
    )
    assert reply.json()["refusals"] == []
    return token


def run(client: TestClient, attempt: str, token: str, body: object = None) -> Any:
    """Ask for the checks; returns the response."""
    return client.post(
        f"/pagetrail/attempts/{attempt}/checks",
        json={} if body is None else body,
        headers={"X-Pagetrail": token},
    )


def hand_in(client: TestClient, attempt: str, token: str, hop: str) -> None:
    """Run the checks and submit the question."""
    assert run(client, attempt, token).status_code == 200
    reply = send(
        client,
        attempt,
        token,
        ("h-1", "field_set", {"field": "hop", "value": hop}),
        ("h-2", "submitted", {"outcome": "answered"}),
    ).json()
    assert reply["status"] == "submitted", reply


def test_the_checks_see_what_is_stored_and_are_logged(
    client: TestClient, writing: Services
) -> None:
    """Each finding with its evidence; the event holds what the reply shows."""
    attempt = attempts_of(writing, "alma", "Writing")[0]
    sign_in(client, "alma")
    token = write(client, attempt, QUESTION)
    reply = run(client, attempt, token, {"id": "s-9", "session": "s"}).json()
    findings = {finding["check"]: finding for finding in reply["findings"]}
    assert list(findings) == CHECKS
    assert findings["giveaway"]["words"] == ["page 2"]
    assert findings["giveaway"]["spans"] == [[13, 19]]
    assert findings["extractive"]["status"] == "ok"
    assert findings["agentic"]["status"] == "warning"
    assert findings["agentic"]["query"] == "according OR page OR animals OR rivers OR eat"
    assert findings["minimality"]["pages"] == [["report.pdf", 2]]
    assert reply["at_seq"] == 5 and reply["last_seq"] == 6
    assert reply["question_counts"] == {
        "written": 0,
        "multi_hop": 0,
        "target": 0.2,
        "requested": [],
    }
    event = list(writing.log.events(attempt))[-1]
    assert event.type == "checked"
    assert event.fields() == {"at_seq": 5, "findings": reply["findings"]}
    assert reply["saved_at"] == event.server_ts
    state = writing.log.state(attempt)
    assert state.checks_current


def test_the_authors_own_searches_are_tried(client: TestClient, writing: Services) -> None:
    """What brought the author to all pages would bring a solver there, with other words too."""
    attempt = attempts_of(writing, "alma", "Writing")[0]
    sign_in(client, "alma")
    token = write(client, attempt, "Which animals hunt below the surface?")
    url = f"/pagetrail/attempts/{attempt}/search"
    body = {"id": "q-1", "session": "s", "query": "otters"}
    assert client.post(url, json=body, headers={"X-Pagetrail": token}).status_code == 200
    agentic = run(client, attempt, token).json()["findings"][2]
    assert (agentic["status"], agentic["query"]) == ("warning", "otters")
    assert agentic["pages"] == [["report.pdf", 1], ["report.pdf", 2]]


def test_a_guideline_can_make_a_check_block(
    client: TestClient, writing: Services, tmp_path: Path
) -> None:
    """The same warning bars the way where the protocol says so, with its own sentence."""
    tasks = tmp_path / "strict.jsonl"
    tasks.write_text('{"id": "b", "question": "Write."}', encoding="utf-8")
    settings = {"question.blocking": ["giveaway"]}
    import_tasks(writing.workspace, tasks, campaign="Strict", protocol="author", settings=settings)
    attempt = attempts_of(writing, "alma", "Strict")[0]
    sign_in(client, "alma")
    token = write(client, attempt, QUESTION)
    run(client, attempt, token)
    hop = ("1", "field_set", {"field": "hop", "value": "bridging"})
    refused = send(client, attempt, token, hop, ("2", "submitted", {"outcome": "answered"})).json()
    assert refused["refusals"][0]["field"] == "checks"
    assert "“page 2”" in refused["refusals"][0]["message"]
    better = ("3", "question_edited", {"text": "What do the animals of rivers eat?"})
    assert send(client, attempt, token, better).json()["refusals"] == []
    run(client, attempt, token)
    submission = send(client, attempt, token, ("4", "submitted", {"outcome": "answered"})).json()
    assert submission["status"] == "submitted"


def test_a_repeated_request_is_stored_once(client: TestClient, writing: Services) -> None:
    """The same id gives the same findings; without an id each run is one."""
    attempt = attempts_of(writing, "alma", "Writing")[0]
    sign_in(client, "alma")
    token = write(client, attempt, QUESTION)
    first = run(client, attempt, token, {"id": "s-9"}).json()
    assert run(client, attempt, token, {"id": "s-9"}).json() == first
    assert stored_types(writing, attempt).count("checked") == 1
    run(client, attempt, token)
    run(client, attempt, token)
    assert stored_types(writing, attempt).count("checked") == 3


def test_empty_question_is_not_an_error(client: TestClient, writing: Services) -> None:
    """The findings say what to fill in first."""
    attempt = attempts_of(writing, "alma", "Writing")[0]
    sign_in(client, "alma")
    reply = run(client, attempt, boot(client, attempt)["token"]).json()
    assert {finding["status"] for finding in reply["findings"]} == {"skipped"}


def test_counts_and_duplicates_include_new_submissions(
    client: TestClient, writing: Services
) -> None:
    """The author's own counts; the second question is compared with the first, not its brief."""
    first, second = attempts_of(writing, "alma", "Writing")
    sign_in(client, "alma")
    hand_in(client, first, write(client, first, "What do otters eat in rivers?"), "bridging")
    token = write(client, second, "What do OTTERS eat in rivers", (2,))
    reply = run(client, second, token).json()
    assert reply["question_counts"] == {
        "written": 1,
        "multi_hop": 1,
        "target": 0.2,
        "requested": [],
    }
    duplicate = reply["findings"][4]
    assert (duplicate["status"], duplicate["other"]) == ("warning", "What do otters eat in rivers?")
    hand_in(client, second, token, "single")
    assert boot(client, second)["question_counts"] == {
        "written": 2,
        "multi_hop": 1,
        "target": 0.2,
        "requested": [],
    }
    sign_in(client, "bruno")
    brunos_attempt = attempts_of(writing, "bruno", "Writing")[0]
    reply = run(client, brunos_attempt, boot(client, brunos_attempt)["token"]).json()
    assert reply["question_counts"]["written"] == 0


def test_browser_cannot_forge_findings(client: TestClient, writing: Services) -> None:
    """A ``checked`` event from outside is refused; the checks have not seen the draft."""
    attempt = attempts_of(writing, "alma", "Writing")[0]
    sign_in(client, "alma")
    token = write(client, attempt, QUESTION)
    forged = send(client, attempt, token, ("x", "checked", {"at_seq": 99, "findings": []})).json()
    assert forged["refusals"][0]["code"] == "server_only"
    reply = send(
        client,
        attempt,
        token,
        ("y", "field_set", {"field": "hop", "value": "single"}),
        ("z", "submitted", {"outcome": "answered"}),
    ).json()
    assert reply["refusals"][0]["field"] == "checks"


def test_another_persons_attempt_is_refused_and_audited(
    client: TestClient, writing: Services
) -> None:
    """With one's own token, a forged one or none: 403, an audit line each, and nothing stored."""
    brunos_attempt = attempts_of(writing, "bruno", "Writing")[0]
    almas_attempt = attempts_of(writing, "alma", "Writing")[0]
    assert run(client, brunos_attempt, "x").status_code == 401
    sign_in(client, "alma")
    token = boot(client, almas_attempt)["token"]
    for wrong in (token, writing.tokens.make(1, brunos_attempt), ""):
        reply = run(client, brunos_attempt, wrong)
        assert reply.status_code == 403, wrong
    assert list(writing.log.events(brunos_attempt)) == []
    with writing.workspace.engine.connect() as connection:
        actions = list(connection.execute(select(Audit.action)).scalars())
    assert sum(action.startswith("forbidden") for action in actions) == 3


def test_no_checks_without_question_writing(client: TestClient, writing: Services) -> None:
    """A search campaign refuses; so does a question that is submitted."""
    attempt = attempts_of(writing, "alma")[0]
    sign_in(client, "alma")
    reply = run(client, attempt, boot(client, attempt)["token"])
    assert (reply.status_code, reply.json()["error"]["code"]) == (409, "no_checks")
    almas_attempt = attempts_of(writing, "alma", "Writing")[0]
    token = write(client, almas_attempt, QUESTION)
    hand_in(client, almas_attempt, token, "bridging")
    reply = run(client, almas_attempt, token)
    assert (reply.status_code, reply.json()["error"]["code"]) == (409, "handed_in")
    assert stored_types(writing, almas_attempt).count("checked") == 1


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b'{"id": "a/b"}', b'{"age_ms": -1}'])
def test_malformed_body_is_a_clear_error(
    client: TestClient, writing: Services, body: bytes
) -> None:
    """Broken JSON, a wrong shape, an id that only the server may give: 400."""
    attempt = attempts_of(writing, "alma", "Writing")[0]
    sign_in(client, "alma")
    headers = {"X-Pagetrail": boot(client, attempt)["token"]}
    reply = client.post(f"/pagetrail/attempts/{attempt}/checks", content=body, headers=headers)
    assert reply.status_code == 400
