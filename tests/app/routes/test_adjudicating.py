"""Accepted answers over the routes of review: what is stored, and what the screen is told."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from starlette.testclient import TestClient

from pagetrail.annotation import events as ev
from pagetrail.app.services.composition import Services
from pagetrail.storage.attempts import queries
from tests.app.review_case import ALMA_ANSWER, BRUNO_ANSWER, Case, body_of, do, under_review
from tests.app.signed_in import attempts_of, sign_in

GOLD = "secret gold answer"


def decide(
    server_client: TestClient, case: Case, answer: dict[str, Any], id_: str
) -> dict[str, Any]:
    """Make gold with this choice of an answer, and everybody's pages; returns the screen's data."""
    data = body_of(server_client, case)
    picks = {"answer": answer, "evidence": {"how": "union"}}
    body = {"id": id_, "picks": picks, "reason": "", "reviewed_version": data["reviewed_version"]}
    preview = server_client.post(f"{case.url}/preview", json={"picks": picks}).json()["draft"]
    reply = server_client.post(f"{case.url}/decide", json=body)
    assert reply.status_code == 200, reply.text
    review: dict[str, Any] = reply.json()
    draft = review["gold"]["draft"]
    assert [draft[key] for key in ("answer_text", "variants", "outcome")] == [
        preview[key] for key in ("answer_text", "variants", "outcome")
    ]
    return review


def merged(services: Services, case: Case) -> ev.GoldMerged:
    """The last merge of the gold stream."""
    payloads = [event.payload for event in services.log.events(case.gold)]
    return next(p for p in reversed(payloads) if isinstance(p, ev.GoldMerged))


def test_variants_the_datasets_and_ones_own_answer_are_stored_and_undone(
    server_client: TestClient, services: Services
) -> None:
    """Each is what the preview said; undoing leaves the draft, whose choices can be made again."""
    case = under_review(services)
    data = body_of(server_client, case)
    assert data["dataset_gold"] is None
    assert {"variants", "edited"} <= set(data["merge_methods"]["answer"])
    variants_choice = {"how": "variants", "sides": [case.bruno, "dataset", case.alma, case.bruno]}
    review = decide(server_client, case, variants_choice, "d1")
    stored = merged(services, case)
    assert (stored.answer_text, stored.variants) == (BRUNO_ANSWER, (GOLD, ALMA_ANSWER))
    choice = next(choice for choice in review["gold"]["choices"] if choice["part"] == "answer")
    assert choice["sides"] == [case.bruno, "dataset", case.alma]
    undone = {"id": "u1", "decision": review["gold"]["undoable"]}
    undo_reply = server_client.post(f"{case.url}/undo", json=undone).json()
    assert undo_reply["gold"]["draft"]["variants"] == [GOLD, ALMA_ANSWER]
    assert (undo_reply["gold"]["version"], undo_reply["gold"]["choices"]) == (
        0,
        review["gold"]["choices"],
    )

    edited_choice = {"how": "edited", "texts": ["thirty otters", "30 otters"]}
    decide(server_client, case, edited_choice, "d2")
    stored = merged(services, case)
    assert (stored.answer_text, stored.variants) == ("thirty otters", ("30 otters",))
    state = services.log.state(case.gold)
    assert (state.status, state.outcome) == ("submitted", "answered")


def test_the_dataset_is_hidden_until_it_is_asked_for(
    server_client: TestClient, services: Services
) -> None:
    """Neither its answer nor a page or document that only it names is in what the screen gets."""
    case = under_review(services)
    sign_in(server_client, "sven")
    hidden = server_client.get(case.url)
    shown = server_client.get(case.url, params={"dataset": "1"}).json()

    assert (hidden.json()["dataset_gold"], hidden.json()["has_dataset_gold"]) == (None, True)
    assert GOLD not in hidden.text
    assert shown["dataset_gold"]["parts"] == ["outcome", "answer", "evidence"]
    assert shown["dataset_gold"]["answers"] == [[GOLD]]
    preview = server_client.post(f"{case.url}/preview", json={"picks": {}})
    assert GOLD not in preview.text
    review = decide(server_client, case, {"how": "side", "side": "dataset"}, "d1")
    assert review["dataset_gold"], "it was taken, so its reviewer has seen it"


def test_what_is_said_of_the_datasets_answers_is_stored(
    server_client: TestClient, services: Services
) -> None:
    """They stay accepted unless the reviewer calls them wrong; the next version may say another."""
    case = under_review(services)
    review = decide(server_client, case, {"how": "side", "side": case.bruno}, "d1")
    assert review["gold"]["dataset_answers"] == "kept"
    server_client.post(f"{case.url}/take-up", json={"id": "t1", "reason": "again"})
    body = {
        "id": "d2",
        "picks": {"answer": {"how": "side", "side": case.alma}, "evidence": {"how": "union"}},
        "dataset_answers": "wrong",
        "reviewed_version": body_of(server_client, case)["reviewed_version"],
    }
    reply = server_client.post(f"{case.url}/decide", json=body).json()
    assert reply["gold"]["dataset_answers"] == "wrong"
    assert "the dataset’s answers are wrong" in reply["gold"]["log"][-1]["text"]


def test_the_datasets_answer_alone(server_client: TestClient, services: Services) -> None:
    """It is gold with everything that the dataset accepts."""
    case = under_review(services)
    review = decide(server_client, case, {"how": "side", "side": "dataset"}, "d1")
    assert merged(services, case).answer_text == GOLD
    assert review["status"] == "decided"


def test_flags_and_skips_are_reported_and_handled(
    server_client: TestClient, services: Services
) -> None:
    """By whom and in which words, though nothing was submitted; handled, it stays in sight."""
    case = under_review(services, take=False)
    engine = services.workspace.engine
    (bruno,) = (
        attempt
        for attempt in attempts_of(services, "bruno")
        if queries.attempt(engine, attempt).task_id == case.other_task
    )
    case = replace(case, task=case.other_task)
    assert body_of(server_client, case)["raised_flags"] == []
    flagged = ("flagged", {"comment": "page 2 is cut off"})
    do(services, "bruno", bruno, "v", flagged, ("skipped", {"reason": "not readable"}))
    raised = {
        "attempt": bruno,
        "name": "bruno",
        "flag": "page 2 is cut off",
        "skipped": True,
        "skip_reason": "not readable",
        "handled": False,
    }
    assert body_of(server_client, case)["raised_flags"] == [raised]
    reply = server_client.post(f"{case.url}/handle", json={"id": "h1", "attempt": bruno})
    assert reply.json()["raised_flags"] == [raised | {"handled": True}]
