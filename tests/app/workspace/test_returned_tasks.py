"""Returned work as the annotator sees it: My batches, the batch, the task, and its comments."""

from __future__ import annotations

from typing import Any

import pytest
from starlette.testclient import TestClient
from streamlit.testing.v1 import AppTest

from pagetrail.annotation.errors import Refusal
from pagetrail.app.services.composition import Services
from pagetrail.app.workspace.annotator_actions import close_batch
from pagetrail.storage.batches import my_batches
from pagetrail.storage.campaigns.lifecycle import archive_campaign
from pagetrail.storage.people.accounts import find_person
from tests.app.review_case import COMMENT, Case, do, send_back, under_review
from tests.app.screens import as_person, workspace_data
from tests.app.signed_in import boot, send, sign_in, stored_types


def own_assignment(services: Services, name: str = "alma") -> my_batches.AssignmentRow:
    """A person's batch of the campaign Otters."""
    person = find_person(services.workspace, name)
    rows = my_batches.assignments(services.workspace.engine, person.id)
    return next(row for row in rows if row.campaign == "Otters")


def cards(at: AppTest) -> list[str]:
    """What the progress bars of the batches say."""
    return [element.proto.text for element in at.get("progress")]


def talk(client: TestClient, case: Case, id_: str, text: object) -> dict[str, Any]:
    """Alma says something about her task; the reply of the event route."""
    sign_in(client, "alma")
    token = boot(client, case.alma)["token"]
    reply: dict[str, Any] = send(
        client, case.alma, token, (id_, "commented", {"text": text})
    ).json()
    return reply


def test_batch_card_lists_returned_tasks_first(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The count before everything else, and a button that leads to the first of them."""
    case = under_review(services)
    assert (own_assignment(services).returned, own_assignment(services).unanswered) == (0, 0)
    send_back(services, case.other_alma)
    row = own_assignment(services)
    assert (row.returned, row.submitted, row.opened) == (1, 1, 1)
    at = as_person(services, "alma", monkeypatch)
    (button,) = (b for b in at.button if b.label == "See tasks sent back")
    assert "**1 sent back** · 1 submitted" in cards(at)
    button.click().run()
    assert not at.exception
    assert workspace_data(at)["boot"]["attempt"] == case.other_alma


def test_a_closed_batch_opens_again(services: Services) -> None:
    """Sending one task back opens the batch and that task; the other one stays shut."""
    case = under_review(services)
    person = find_person(services.workspace, "alma")
    close_batch(services, person, own_assignment(services).assignment_id)
    assert own_assignment(services).status == "closed"
    send_back(services, case.alma)
    assert (own_assignment(services).status, own_assignment(services).returned) == ("open", 1)
    assert not services.log.state(case.alma).closed
    assert services.log.state(case.other_alma).closed
    do(services, "alma", case.alma, "again", ("answer_edited", {"text": "31"}))
    do(services, "alma", case.alma, "done", ("submitted", {"outcome": "answered"}))
    assert own_assignment(services).returned == 0
    # What it came back with is answered by submitting again, not by words.
    assert own_assignment(services).unanswered == 0
    close_batch(services, person, own_assignment(services).assignment_id)
    assert own_assignment(services).status == "closed"


def test_comment_without_return_is_on_the_card(
    client: TestClient, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """ "1 comment" until alma has answered it; the batch leads to its task."""
    case = under_review(services)
    services.reviews.comment(case.other_alma, "sven", "Why page 1?", "c-1")
    assert own_assignment(services).unanswered == 1
    assert own_assignment(services, "bruno").unanswered == 0
    at = as_person(services, "alma", monkeypatch)
    assert "2 submitted · 1 comment" in cards(at)
    next(b for b in at.button if b.label == "Review and close").click().run()
    assert workspace_data(at)["boot"]["attempt"] == case.other_alma
    do(services, "alma", case.other_alma, "reply", ("commented", {"text": "It says so there."}))
    assert own_assignment(services).unanswered == 0
    assert services.log.state(case.other_alma).status == "submitted"


def test_the_boot_record_has_the_comment_and_only_what_was_chosen_to_be_shown(
    client: TestClient, services: Services
) -> None:
    """Who, when, what; the other value is empty unless the reviewer put it in."""
    case = under_review(services)
    send_back(services, case.alma)
    send_back(services, case.other_alma, other="fifty", id_="back-2")
    sign_in(client, "alma")
    state = boot(client, case.alma)["state"]
    assert (state["status"], state["returned"], state["closed"]) == ("open", True, False)
    (comment,) = state["comments"]
    assert (comment["by"], comment["text"], comment["returns"]) == ("sven", COMMENT, True)
    assert comment["at"] == state["updated_at"]
    assert comment["differences"] == [
        {"part": "answer", "label": "Answer", "yours": "thirty", "other": ""}
    ]
    other = boot(client, case.other_alma)
    assert other["state"]["comments"][0]["differences"][0]["other"] == "fifty"
    marks = {task["attempt"]: task["returned"] for task in other["batch"]["tasks"]}
    assert marks == {case.alma: True, case.other_alma: True}


def test_comment_is_accepted_in_any_state_once(client: TestClient, services: Services) -> None:
    """Open, submitted, closed; sent twice, stored once; it changes nothing but the talk."""
    case = under_review(services)
    send_back(services, case.alma)
    assert talk(client, case, "c-1", "while open")["refusals"] == []
    do(services, "alma", case.alma, "done", ("submitted", {"outcome": "answered"}))
    assert talk(client, case, "c-2", "handed in")["status"] == "submitted"
    close_batch(
        services, find_person(services.workspace, "alma"), own_assignment(services).assignment_id
    )
    assert talk(client, case, "c-3", "closed")["refusals"] == []
    late_comment = talk(client, case, "c-3", "closed")
    assert [receipt["repeated"] for receipt in late_comment["receipts"]] == [True]
    state = services.log.state(case.alma)
    comments = [f"{c.by}: {c.text}" for c in state.comments]
    assert comments == [f"sven: {COMMENT}", "alma: while open", "alma: handed in", "alma: closed"]
    assert (state.status, state.closed, state.returned) == ("submitted", True, False)


def test_empty_comment_is_refused(client: TestClient, services: Services) -> None:
    """A sentence, and nothing is stored."""
    case = under_review(services)
    before = stored_types(services, case.alma)
    for number, text in enumerate(("", "  \n\u3000 ", "x" * 20_001, 3, None, ["a"], {})):
        reply = talk(client, case, f"c-{number}", text)
        (refusal,) = reply["refusals"]
        assert refusal["message"], text
        assert stored_types(services, case.alma) == before, text


def test_archived_campaign_takes_no_comments(client: TestClient, services: Services) -> None:
    """The screen is told, and a comment that is sent all the same is refused."""
    case = under_review(services)
    send_back(services, case.alma)
    archive_campaign(services.workspace, None, "Otters", unfinished=True)
    sign_in(client, "alma")
    data = boot(client, case.alma)
    assert data["archived"]
    assert data["state"]["comments"][0]["text"] == COMMENT
    assert talk(client, case, "c-1", "too late")["refusals"][0]["code"] == "archived"


def test_browsers_cannot_send_reviewers_events(client: TestClient, services: Services) -> None:
    """An annotator cannot send a task back to herself, nor make gold of it: refused and noted."""
    case = under_review(services)
    before = stored_types(services, case.alma)
    sign_in(client, "alma")
    token = boot(client, case.alma)["token"]
    payload = {"comment": "again", "version": 1, "sources": [], "choices": [], "outcome": None}
    for kind in ("returned", "review_taken", "adjudicated", "gold_merged"):
        reply = send(client, case.alma, token, (f"x-{kind}", kind, payload)).json()
        assert [refusal["code"] for refusal in reply["refusals"]] == ["server_only"], kind
        assert stored_types(services, case.alma) == before, kind


def test_work_and_return_at_the_same_moment_are_both_kept(services: Services) -> None:
    """Who reopens first has the task open: sending it back is refused, and nothing is lost."""
    case = under_review(services)
    do(services, "alma", case.alma, "own", ("reopened", {}), ("answer_edited", {"text": "32"}))
    with pytest.raises(Refusal, match="was reopened meanwhile"):
        send_back(services, case.alma)
    state = services.log.state(case.alma)
    assert (state.answer_text, state.returned, state.comments) == ("32", False, ())
