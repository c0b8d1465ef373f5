"""The gold draft in the workspace: who may edit it, what it says of itself, and when it is over."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from pagetrail.annotation.clock import ManualClock, SystemClock
from pagetrail.annotation.errors import PagetrailError
from pagetrail.app.services.composition import Services
from pagetrail.app.workspace.pilot_feedback import give_feedback
from pagetrail.storage.attempts import queries
from pagetrail.storage.importers.tasks.importer import import_tasks
from pagetrail.storage.people.accounts import add_user, find_person
from pagetrail.storage.people.audit import audit_entries
from pagetrail.storage.review.gold_streams import LEASE
from tests.app.conftest import PASSWORD
from tests.app.review_case import (
    ALMA_ANSWER,
    BRUNO_ANSWER,
    BRUNO_NOTE,
    Case,
    body_of,
    current_version,
    do,
    send_back,
    under_review,
)
from tests.app.screens import at_screen, workspace_data
from tests.app.signed_in import attempts_of, boot, send, sign_in, stored_types

DRAFT = "planted: the draft that sven writes"
REASON = "planted: why sven decides so"
TEXTS_OF_OTHERS = (
    "bruno",
    BRUNO_ANSWER,
    BRUNO_NOTE,
    DRAFT,
    REASON,
    "secret gold answer",
    "planted: open",
)
REVIEW_KEYS = (
    '"holder"',
    '"decided_by"',
    '"gold_version"',
    '"drawn_for_check"',
    '"dataset_gold"',
    '"participants"',
)
TAKEN_OVER = (409, "taken")


def opened(client: TestClient, case: Case) -> dict[str, Any]:
    """Sven opens the draft; its boot record."""
    sign_in(client, "sven")
    return boot(client, case.gold)


def edit(client: TestClient, case: Case, token: str, id_: str, text: str) -> Any:
    """The page that was opened with that token changes the draft's answer; the response."""
    return send(client, case.gold, token, (id_, "answer_edited", {"text": text}))


def refused(reply: Any) -> tuple[int, str]:
    """Status and code of a refusal."""
    return reply.status_code, reply.json()["error"]["code"]


def test_the_draft_says_what_it_is(client: TestClient, services: Services) -> None:
    """The way back, no batch, and the draft as it was put together."""
    case = under_review(services)
    data = opened(client, case)
    review = data["review"]
    assert (review["task"], review["campaign"]) == (case.task, "Otters")
    assert review["review_address"] == f"/reviewing?task={case.task}"
    assert (data["batch"]["assignment"], data["batch"]["tasks"]) == (None, [])
    assert data["user"] == {"name": "sven"}
    assert data["state"]["answer_text"]
    assert "secret gold answer" not in json.dumps(data)
    # Nobody's own work is called a review.
    sign_in(client, "alma")
    assert boot(client, case.alma)["review"] is None


def test_the_supervisors_screen_is_mounted_without_a_batch(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The address of the gold stream shows the workspace to its holder, and to nobody else."""
    case = under_review(services)
    at = at_screen(services, "sven", monkeypatch, "task", attempt=case.gold).run()
    assert not at.exception
    assert workspace_data(at)["boot"]["review"]["task"] == case.task
    services.reviews.release(case.task, "sven", "r-1")
    at = at_screen(services, "sven", monkeypatch, "task", attempt=case.gold).run()
    assert [title.value for title in at.title] == ["This task cannot be opened"]
    assert "You no longer hold this task." in at.error[0].value
    (link,) = at.get("page_link")
    assert (link.proto.page, link.proto.query_string) == ("reviewing", f"task={case.task}")


def test_edits_are_the_supervisors_and_done_keeps_them(
    client: TestClient, services: Services
) -> None:
    """Events in the gold stream under sven's name; done, it can be decided as it is."""
    case = under_review(services)
    token = opened(client, case)["token"]
    assert edit(client, case, token, "e-1", DRAFT).json()["refusals"] == []
    submission = ("e-2", "submitted", {"outcome": "answered"})
    assert send(client, case.gold, token, submission).json()["refusals"] == []
    last = list(services.log.events(case.gold))[-2:]
    assert [(e.type, e.actor) for e in last] == [("answer_edited", "sven"), ("submitted", "sven")]
    # Opened once more, it is reopened and stays decidable.
    reopening = ("e-3", "reopened", {})
    assert send(client, case.gold, token, reopening).json()["refusals"] == []
    assert services.log.state(case.gold).outcome == "answered"
    now = current_version(services, case.task)
    services.reviews.decide(case.task, "sven", None, REASON, now, "d-1")
    state = services.log.state(case.gold)
    assert state.answer_text == DRAFT
    assert state.review is not None and state.review.version == 1


def test_the_rules_hold_as_for_annotators(client: TestClient, services: Services) -> None:
    """No page that is none, no server's event, no submitting of what is incomplete."""
    case = under_review(services)
    token = opened(client, case)["token"]
    before = stored_types(services, case.gold)
    cited = [
        ("citation_removed", {"document": c.document, "page": c.page})
        for c in services.log.state(case.gold).citations
    ]
    wrong = [
        ("x-1", "citation_added", {"document": "report.pdf", "page": 99}),
        ("x-2", "adjudicated", {"version": 1, "sources": []}),
        ("x-3", "gold_merged", {"sources": [], "choices": [], "outcome": None}),
        ("x-4", "box_drawn", {"box": "b", "document": "report.pdf", "page": 1}),
    ]
    reply = send(client, case.gold, token, *wrong).json()
    assert {r["code"] for r in reply["refusals"]} == {"unknown_page", "server_only", "invalid"}
    assert stored_types(services, case.gold) == before
    empty = [(f"y-{n}", kind, payload) for n, (kind, payload) in enumerate(cited)]
    submission = ("y-done", "submitted", {"outcome": "answered"})
    reply = send(client, case.gold, token, *empty, submission).json()
    assert [(r["code"], r["field"]) for r in reply["refusals"]] == [("incomplete", "evidence")]


@pytest.mark.parametrize("cause", ["taken over", "lease over", "decided", "released"])
def test_a_lost_hold_stores_nothing_more(
    client: TestClient, services: Services, monkeypatch: pytest.MonkeyPatch, cause: str
) -> None:
    """Every request of the open page is answered 409 with a sentence that names the way back."""
    case = under_review(services)
    add_user(services.workspace, "rosa", "supervisor", PASSWORD)
    token = opened(client, case)["token"]
    assert edit(client, case, token, "e-1", "before").status_code == 200
    message = "You no longer hold this task."
    if cause == "taken over":
        services.reviews.take(case.task, "rosa", "t-2", take_over=True)
        message = "rosa is reviewing this task."
    elif cause == "decided":
        services.reviews.decide(
            case.task, "sven", None, "", current_version(services, case.task), "d-1"
        )
    elif cause == "released":
        services.reviews.release(case.task, "sven", "r-1")
    else:
        later = ManualClock(SystemClock().now() + LEASE + timedelta(minutes=1))
        monkeypatch.setattr(services.reviews.streams, "clock", later)
    before = stored_types(services, case.gold)
    reply = edit(client, case, token, "e-2", "after")
    assert refused(reply) == TAKEN_OVER
    assert reply.json()["error"]["message"].startswith(message)
    assert "“Review”" in reply.json()["error"]["message"]
    headers = {"X-Pagetrail": token}
    search = {"id": "s-1", "query": "otters"}
    at = f"/pagetrail/attempts/{case.gold}"
    assert refused(client.post(f"{at}/search", json=search, headers=headers)) == TAKEN_OVER
    assert refused(client.get(at)) == TAKEN_OVER
    info = services.corpus.document("report.pdf")
    assert info is not None
    picture = client.get(f"/pagetrail/page/{info.sha256}/1", params={"v": token, "dpi": "40"})
    assert refused(picture) == TAKEN_OVER
    assert stored_types(services, case.gold) == before


def test_a_hold_lost_between_check_and_storing_stores_nothing(
    client: TestClient, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The hold is looked at again once nobody else can write."""
    case = under_review(services)
    token = opened(client, case)["token"]
    record = services.recorder.record

    def late(context: Any, commands: Any, guard: Any = None) -> Any:
        monkeypatch.setattr(services.recorder, "record", record)
        services.reviews.release(case.task, "sven", "r-1")
        return record(context, commands, guard)

    monkeypatch.setattr(services.recorder, "record", late)
    assert refused(edit(client, case, token, "e-1", "too late")) == TAKEN_OVER
    assert "answer_edited" not in stored_types(services, case.gold)


def test_a_search_that_ends_after_the_hold_was_lost_stores_nothing(
    client: TestClient, searching: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rosa takes the task over while sven's search runs; her own search then is stored as hers."""
    case = under_review(searching)
    add_user(searching.workspace, "rosa", "supervisor", PASSWORD)
    token = opened(client, case)["token"]
    at = f"/pagetrail/attempts/{case.gold}/search"
    search = searching.search.search

    def late(query: str, top_k: int) -> Any:
        monkeypatch.undo()
        searching.reviews.take(case.task, "rosa", "t-2", take_over=True)
        return search(query, top_k)

    monkeypatch.setattr(searching.search, "search", late)
    headers = {"X-Pagetrail": token}
    reply = client.post(at, json={"id": "s-1", "query": "otters"}, headers=headers)
    assert refused(reply) == TAKEN_OVER
    assert reply.json()["error"]["message"].startswith("rosa is reviewing this task.")
    assert "searched" not in stored_types(searching, case.gold)
    sign_in(client, "rosa")
    headers = {"X-Pagetrail": boot(client, case.gold)["token"]}
    reply = client.post(at, json={"id": "s-1", "query": "otters"}, headers=headers)
    assert reply.status_code == 200, reply.text
    stored = [e for e in searching.log.events(case.gold) if e.type == "searched"]
    assert [e.actor for e in stored] == ["rosa"]


def test_checks_that_end_after_the_hold_was_lost_store_nothing(
    client: TestClient, searching: Services, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A written question's gold draft: rosa takes it over while sven's checks run."""
    case = written_question(client, searching, tmp_path)
    token = opened(client, case)["token"]
    assert _check(client, case, token, "k-0").status_code == 200
    run = searching.checks.compute

    def late(*values: Any, **options: Any) -> Any:
        monkeypatch.undo()
        searching.reviews.take(case.task, "rosa", "t-2", take_over=True)
        return run(*values, **options)

    monkeypatch.setattr(searching.checks, "compute", late)
    reply = _check(client, case, token, "k-1")
    assert refused(reply) == TAKEN_OVER
    assert reply.json()["error"]["message"].startswith("rosa is reviewing this task.")
    sign_in(client, "rosa")
    assert _check(client, case, boot(client, case.gold)["token"], "k-2").status_code == 200
    stored = [e for e in searching.log.events(case.gold) if e.type == "checked"]
    assert [(e.actor, e.client_event_id) for e in stored] == [("sven", "k-0"), ("rosa", "k-2")]


def _check(client: TestClient, case: Case, token: str, id_: str) -> Any:
    """Run the checks of the gold draft; the response."""
    at = f"/pagetrail/attempts/{case.gold}/checks"
    return client.post(at, json={"id": id_}, headers={"X-Pagetrail": token})


def written_question(client: TestClient, services: Services, folder: Path) -> Case:
    """A question that alma has written, of which sven has put a draft together."""
    tasks = folder / "briefs.jsonl"
    tasks.write_text(json.dumps({"id": "b-1", "question": "Write about animals."}), "utf-8")
    import_tasks(services.workspace, tasks, campaign="Writing", protocol="author", overlap=1)
    (alma,) = attempts_of(services, "alma", "Writing")
    add_user(services.workspace, "rosa", "supervisor", PASSWORD)
    page = {"document": "report.pdf", "page": 1}
    do(
        services,
        "alma",
        alma,
        "w",
        ("opened", {"session": "tab"}),
        ("citation_added", page),
        ("question_edited", {"text": "Where do otters live, by page 1?"}),
        ("answer_edited", {"text": "in rivers"}),
        ("field_set", {"field": "hop", "value": "single"}),
    )
    sign_in(client, "alma")
    token = boot(client, alma)["token"]
    at = f"/pagetrail/attempts/{alma}/checks"
    assert client.post(at, json={}, headers={"X-Pagetrail": token}).status_code == 200
    do(services, "alma", alma, "h", ("submitted", {"outcome": "answered"}))
    task = queries.attempt(services.workspace.engine, alma).task_id
    gold = services.reviews.streams.gold(task).attempt_id
    services.reviews.take(task, "sven", "take-1")
    services.reviews.put_together(task, "sven", {}, current_version(services, task), "draft-1")
    return Case(task, alma, "", gold, 0, "")


def test_unsent_work_must_follow_the_current_state(client: TestClient, services: Services) -> None:
    """``since`` moves with a draft rebuilt and with another's edits, not with one's own."""
    case = under_review(services)
    add_user(services.workspace, "rosa", "supervisor", PASSWORD)
    data = opened(client, case)
    token, first = data["token"], data["review"]["replaced_seq"]
    assert first == services.log.state(case.gold).last_seq
    edit(client, case, token, "e-1", "mine")
    assert opened(client, case)["review"]["replaced_seq"] == first
    services.reviews.take(case.task, "rosa", "t-2", take_over=True)
    sign_in(client, "rosa")
    token = boot(client, case.gold)["token"]
    send(client, case.gold, token, ("e-2", "answer_edited", {"text": "hers"}))
    edited = services.log.state(case.gold).last_seq
    services.reviews.take(case.task, "sven", "t-3", take_over=True)
    assert opened(client, case)["review"]["replaced_seq"] == edited


def test_a_gold_draft_takes_no_feedback(services: Services) -> None:
    """It would show the data set's gold and shut the draft for good."""
    case = under_review(services)
    with pytest.raises(PagetrailError, match="gives no feedback"):
        give_feedback(services, find_person(services.workspace, "sven"), case.gold)


def plant(client: TestClient, services: Services) -> Case:
    """A review in full course: sent back, talked about, a draft edited and decided, taken up."""
    case = under_review(services)
    send_back(services, case.alma)
    services.reviews.comment(case.bruno, "sven", "planted: open question to bruno", "c-1")
    token = opened(client, case)["token"]
    assert edit(client, case, token, "e-1", DRAFT).status_code == 200
    services.reviews.decide(
        case.task, "sven", None, REASON, current_version(services, case.task), "d-1"
    )
    services.reviews.take_up(case.task, "sven", REASON, "u-1")
    body_of(client, case)
    return case


def test_no_route_gives_an_annotator_anything_of_the_review(
    server_client: TestClient, services: Services
) -> None:
    """Every route of the workspace, on her own task, on bruno's, on the gold stream."""
    case = plant(server_client, services)
    sign_in(server_client, "alma")
    alma_boot = boot(server_client, case.alma)
    info = services.corpus.document("report.pdf")
    assert info is not None
    alma = find_person(services.workspace, "alma")
    texts = [json.dumps(alma_boot)]
    for attempt in (case.alma, case.bruno, case.gold):
        tokens = {alma_boot["token"], services.tokens.make(alma.id, attempt)}
        at = f"/pagetrail/attempts/{attempt}"
        for token in tokens:
            headers = {"X-Pagetrail": token}
            event = {"id": "l-1", "type": "commented", "payload": {"text": "hm"}}
            replies = [
                server_client.get(at, headers=headers),
                server_client.post(f"{at}/events", json={"events": [event]}, headers=headers),
                server_client.post(
                    f"{at}/search", json={"id": "l-2", "query": "otters"}, headers=headers
                ),
                server_client.get(f"{at}/document?name=report.pdf", headers=headers),
                server_client.get(f"{at}/highlights?document=report.pdf&page=1", headers=headers),
                server_client.get(f"{at}/words?document=report.pdf&page=1", headers=headers),
                server_client.post(f"{at}/checks", json={}, headers=headers),
                server_client.post(f"{at}/feedback", json={}, headers=headers),
                server_client.get(f"/pagetrail/page/{info.sha256}/1?v={token}&dpi=40"),
            ]
            is_own = attempt == case.alma and token == alma_boot["token"]
            if attempt != case.alma:
                *rest, picture = replies
                assert {reply.status_code for reply in rest} == {403}
                assert picture.status_code == (200 if token == alma_boot["token"] else 403)
            texts += [
                reply.text + str(reply.headers)
                for reply in replies
                if "image" not in reply.headers["content-type"]
            ]
            assert not is_own or replies[0].status_code == 200
    leaked = [(word, text[:200]) for text in texts for word in TEXTS_OF_OTHERS if word in text]
    assert leaked == []
    keys = [(key, text[:200]) for text in texts for key in REVIEW_KEYS if key in text]
    assert keys == []
    assert ALMA_ANSWER in texts[0]
    assert case.gold not in json.dumps(alma_boot)
    with_name = [text for text in texts if "sven" in text]
    assert with_name, "whoever sent it back is named"


def test_no_screen_gives_an_annotator_anything_of_the_review(
    server_client: TestClient, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Everything that Streamlit sends over its socket: batches, the task, and others' addresses."""
    case = plant(server_client, services)
    sent = []
    for view, query in (
        ("batches", {}),
        ("task", {"attempt": case.alma}),
        ("task", {"attempt": case.bruno}),
        ("task", {"attempt": case.gold}),
        ("review", {"campaign": "Otters"}),
        ("reviewing", {"task": str(case.task)}),
        ("gold", {"campaign": "Otters"}),
        ("trajectory", {"attempt": case.gold}),
        ("progress", {}),
        ("results", {}),
    ):
        at = at_screen(services, "alma", monkeypatch, view, **query).run()
        assert not at.exception
        sent.append((view, query, all_protobuf_text(at._tree)))
    leaked = [(view, word) for view, _, text in sent for word in TEXTS_OF_OTHERS if word in text]
    assert leaked == []
    assert [view for view, _, text in sent for key in REVIEW_KEYS if key in text] == []
    assert case.gold not in "".join(text for *_, text in sent)
    assert ALMA_ANSWER in sent[1][2], "the sweep has seen what a task's screen is sent"


def all_protobuf_text(node: Any) -> str:
    """All protobuf text below a node of the tree, as it goes over the socket."""
    texts = [str(node.proto)] if getattr(node, "proto", None) is not None else []
    for child in getattr(node, "children", {}).values():
        texts.append(all_protobuf_text(child))
    return "\n".join(texts)


def test_attempts_to_reach_the_gold_stream_are_audited(
    server_client: TestClient, services: Services
) -> None:
    """Opening it, posting to it, its image: each try of an annotator is in the audit log."""
    case = plant(server_client, services)
    sign_in(server_client, "bruno")
    assert server_client.get(f"/pagetrail/attempts/{case.gold}").status_code == 403
    token = services.tokens.make(find_person(services.workspace, "bruno").id, case.gold)
    assert (
        send(server_client, case.gold, token, ("1", "commented", {"text": "x"})).status_code == 403
    )
    notes = [e for e in audit_entries(services.workspace) if e.actor == "bruno"]
    assert [(e.action, e.detail) for e in notes] == [("forbidden attempt", case.gold)] * 2
