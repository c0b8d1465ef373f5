"""Models' drafts over the routes: reviewers take and reject them, annotators never get one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from pagetrail.app.routes.reviews import ACTS
from pagetrail.app.services.composition import Services
from pagetrail.storage.batches.changeable_settings import change_settings
from pagetrail.storage.importers.drafts.importer import import_drafts
from tests.app.review_case import Case, body_of, under_review
from tests.app.route_sweep import every_answer
from tests.app.screens import at_screen, workspace_data
from tests.app.signed_in import boot, sign_in

MODEL, ANSWER, REASONS = "zz-merger", "planted: forty otters", "planted: the model's reasons"
KEY = "draft:1"
SECRETS = (MODEL, ANSWER, REASONS, "draft:1")


@pytest.fixture
def case(services: Services, tmp_path: Path) -> Case:
    """Two people differ, and a model has drafted the gold."""
    review_case = under_review(services, take=False)
    key = services.reviews.streams.task_work(review_case.task).task.key
    row = {
        "task": key,
        "model": MODEL,
        "answer": ANSWER,
        "evidence": [{"document": "report.pdf", "page": 3}],
        "reasons": REASONS,
        "scores": {"certainty": 0.25},
    }
    file = tmp_path / "drafts.jsonl"
    file.write_text(json.dumps(row), encoding="utf-8")
    assert import_drafts(services.workspace, file, campaign="Otters").imported == 1
    return review_case


def act(client: TestClient, case: Case, name: str, **body: Any) -> dict[str, Any]:
    """The screen's data after an act that must succeed."""
    reply = client.post(f"{case.url}/{name}", json=body)
    assert reply.status_code == 200, reply.text
    data: dict[str, Any] = reply.json()
    return data


def test_a_reviewer_sees_previews_takes_and_rejects_a_draft(
    server_client: TestClient, case: Case
) -> None:
    """The draft is no participant; its document's page can be shown."""
    data = body_of(server_client, case)
    (draft,) = data["model_drafts"]
    assert (draft["attempt"], draft["name"], draft["answer"]) == (KEY, MODEL, [ANSWER])
    assert draft["parts"] == ["outcome", "answer", "evidence"]
    assert (draft["reasons"], draft["scores"]) == (REASONS, {"certainty": 0.25})
    assert KEY not in {participant["attempt"] for participant in data["participants"]}
    assert {page["page"] for page in data["evidence"]} == {1, 2}
    picks = {"answer": {"how": "side", "side": KEY}}
    reply = server_client.post(f"{case.url}/preview", json={"picks": picks})
    assert reply.json()["draft"]["answer"] == [ANSWER]
    assert [page["page"] for page in reply.json()["draft"]["citations"]] == [3]

    rejected = act(server_client, case, "reject-draft", id="r1", draft=KEY, reason="no")
    assert rejected["model_drafts"][0]["rejected"] == "no"
    reply = server_client.post(f"{case.url}/preview", json={"picks": picks})
    assert (reply.status_code, reply.json()["error"]["code"]) == (409, "draft_rejected")
    data = act(server_client, case, "reject-draft", id="r2", draft=KEY, rejected=False)
    assert data["model_drafts"][0]["rejected"] is None
    version = data["reviewed_version"]
    decided = act(server_client, case, "decide", id="d1", picks=picks, reviewed_version=version)
    choices = {choice["part"]: choice["side"] for choice in decided["gold"]["choices"]}
    assert choices["answer"] == KEY
    assert any(f"Rejected the draft of {MODEL}" in row["text"] for row in decided["gold"]["log"])


def test_a_hidden_draft_is_in_no_reply_before_the_decision(
    server_client: TestClient, services: Services, case: Case
) -> None:
    """Neither on the screen nor by naming it in requests; afterwards it is there."""
    change_settings(services.workspace, None, "Otters", {"review.hide_drafts": 1.0})
    data = body_of(server_client, case)
    assert (data["model_drafts"], data["hidden_drafts"]) == ([], 1)
    texts = [json.dumps(data)]
    for pick in (
        {"answer": {"how": "side", "side": KEY}},
        {"answer": {"how": "variants", "sides": [KEY]}},
        {"answer": {"how": "edited", "texts": ["1"], "side": KEY}},
        {"evidence": {"how": "pick", "pages": [["report.pdf", 3]]}},
    ):
        reply = server_client.post(f"{case.url}/preview", json={"picks": pick})
        assert reply.status_code == 409, reply.text
        texts.append(reply.text)
    reply = server_client.post(f"{case.url}/reject-draft", json={"id": "r1", "draft": KEY})
    assert reply.status_code == 404
    texts.append(reply.text)
    assert [text for text in texts if any(secret in text for secret in SECRETS)] == []
    picks = {"answer": {"how": "side", "side": case.alma}}
    version = data["reviewed_version"]
    decided = act(server_client, case, "decide", id="d1", picks=picks, reviewed_version=version)
    assert [draft["name"] for draft in decided["model_drafts"]] == [MODEL]
    assert decided["hidden_drafts"] == 0


def test_no_route_gives_an_annotator_a_draft(
    server_client: TestClient, services: Services, case: Case
) -> None:
    """Whatever they ask, before and after the decision that took it."""
    texts = []
    for id_ in ("before", "after"):
        for name, attempt in (("alma", case.alma), ("bruno", case.bruno)):
            sign_in(server_client, name)
            data = boot(server_client, attempt)
            texts.append(json.dumps(data))
            texts += every_answer(server_client, data)
            texts += refused_answers(server_client, case, id_)
        if id_ == "before":
            sign_in(server_client, "sven")
            version = body_of(server_client, case)["reviewed_version"]
            picks = {
                "answer": {"how": "side", "side": case.alma},
                "evidence": {"how": "side", "side": KEY},
            }
            act(server_client, case, "decide", id="d1", picks=picks, reviewed_version=version)
    assert len(texts) > 40
    assert [text for text in texts if any(secret in text for secret in SECRETS)] == []
    before = services.reviews.streams.task_work(case.task).attempts
    assert {attempt.name for attempt in before} == {"alma", "bruno"}


def refused_answers(client: TestClient, case: Case, id_: str) -> list[str]:
    """What the routes of review answer to somebody who may not use them."""
    replies = [client.get(case.url)]
    for name in ("preview", *ACTS):
        body = {"id": f"{id_}-{name}", "picks": {}, "draft": KEY, "attempt": case.alma}
        replies.append(client.post(f"{case.url}/{name}", json=body))
    replies.append(client.get(f"/pagetrail/attempts/{case.gold}"))
    assert {reply.status_code for reply in replies} <= {403, 404}
    return [reply.text + str(reply.headers) for reply in replies]


def test_no_screen_shows_an_annotator_a_draft(
    services: Services, case: Case, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their task, their batches, the guide, and the screens that are closed to them."""
    texts = [
        json.dumps(
            workspace_data(
                at_screen(services, "alma", monkeypatch, "task", attempt=case.alma).run()
            )
        )
    ]
    for view in ("batches", "guide", "trajectory", "progress", "results", "review", "reviewing"):
        texts.append(str(at_screen(services, "alma", monkeypatch, view).run().main))
    assert [text for text in texts if any(secret in text for secret in SECRETS)] == []
