"""What supervisors decide reaches an open screen at once, and late work is kept beside the log."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from starlette.testclient import TestClient

from pagetrail.app.services.composition import Services
from pagetrail.storage.attempts import unsent_work
from pagetrail.storage.attempts.unsent_work import unsent_events
from pagetrail.storage.batches import my_batches
from pagetrail.storage.batches.reassignment import assign_batch
from pagetrail.storage.batches.withdrawal import withdraw_batch
from pagetrail.storage.campaigns.guidelines import save_guidelines
from pagetrail.storage.campaigns.lifecycle import archive_campaign, close_campaign, reopen_campaign
from pagetrail.storage.people.accounts import find_person
from tests.app.signed_in import at_work, boot, send, stored_types

LONG_S = 60.0
ANSWER = ("e-1", "answer_edited", {"text": "in rivers"})
LATE = ("e-2", "answer_edited", {"text": "in rivers and lakes"})


def news(client: TestClient, attempt: str, token: str, last_decision: str) -> Any:
    """The answer to a screen that has shown something."""
    return client.get(
        f"/pagetrail/attempts/{attempt}/news",
        params={"mark": last_decision},
        headers={"X-Pagetrail": token},
    )


def assignment_of(services: Services, name: str = "alma") -> int:
    """The person's batch in the campaign."""
    person = find_person(services.workspace, name)
    rows = my_batches.assignments(services.workspace.engine, person.id)
    return next(row.assignment_id for row in rows if row.campaign == "Otters")


def wait_for_news(services: Services, client: TestClient, attempt: str, token: str) -> Any:
    """A request that waits already, in another thread."""
    last_decision = boot(client, attempt)["decisions_mark"]
    pool = ThreadPoolExecutor(1)
    waiting = pool.submit(news, client, attempt, token, last_decision)
    pool.shutdown(wait=False)
    deadline = time.monotonic() + LONG_S
    while not services.updates.waiting:
        assert time.monotonic() < deadline, "nobody waits"
        time.sleep(0.01)
    return waiting


def test_a_withdrawal_answers_the_waiting_screen(
    server_client: TestClient, services: Services
) -> None:
    """It says so itself and offers no change; nothing was asked again."""
    attempt, token = at_work(server_client, services)
    send(server_client, attempt, token, ANSWER)
    waiting = wait_for_news(services, server_client, attempt, token)
    withdraw_batch(services.workspace, assignment_of(services), started=True)
    mark = waiting.result(timeout=LONG_S).json()["mark"]
    now = boot(server_client, attempt)
    assert (now["decisions_mark"], now["withdrawn"], now["state"]["closed"]) == (mark, True, True)


def test_guidelines_change_and_closing_answer_the_waiting_screen_too(
    server_client: TestClient, services: Services
) -> None:
    """The new text comes with the state; a closed campaign's batch can be finished."""
    attempt, token = at_work(server_client, services)
    waiting = wait_for_news(services, server_client, attempt, token)
    save_guidelines(services.workspace, None, "Otters", "Cite *every* page.", based_on=None)
    assert waiting.result(timeout=LONG_S).status_code == 200
    assert "every" in str(boot(server_client, attempt)["guidelines"])
    waiting = wait_for_news(services, server_client, attempt, token)
    close_campaign(services.workspace, None, "Otters")
    assert waiting.result(timeout=LONG_S).status_code == 200
    now = boot(server_client, attempt)
    assert (now["campaign"]["status"], now["state"]["closed"]) == ("closed", False)
    assert send(server_client, attempt, token, ANSWER).json()["refusals"] == []


def test_nothing_is_accepted_after_the_annotator_was_told(
    server_client: TestClient, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before that, what was done without a connection still counts; after it, it is kept apart, up
    to a limit."""
    monkeypatch.setattr(unsent_work, "MOST_KEPT", 2)
    attempt, token = at_work(server_client, services)
    send(server_client, attempt, token, ("e-0", "opened", {"session": "s"}))
    batch = assignment_of(services)
    withdraw_batch(services.workspace, batch, started=True)
    assert send(server_client, attempt, token, ANSWER).json()["refusals"] == []
    last_decision = boot(server_client, attempt)["decisions_mark"]
    services.updates.close()  # nobody waits for the next decision here
    assert news(server_client, attempt, token, last_decision).status_code == 200
    before = stored_types(services, attempt)
    reply = send(server_client, attempt, token, LATE, ANSWER, ("e-3", "tab_hidden", {})).json()
    assert {refusal["code"] for refusal in reply["refusals"]} == {"withdrawn"}
    assert send(server_client, attempt, token, LATE).json()["refusals"][0]["code"] == "withdrawn"
    assert stored_types(services, attempt) == before
    (unsent_event,) = unsent_events(services.workspace.engine, batch)
    assert unsent_event.payload.model_dump()["text"] == LATE[2]["text"]
    send(server_client, attempt, token, *((f"e-{n}", *LATE[1:]) for n in range(5, 9)))
    assert len(unsent_events(services.workspace.engine, batch)) == 2


def test_a_batch_that_is_given_back_takes_work_again(
    server_client: TestClient, services: Services
) -> None:
    """What was kept meanwhile stays to be read."""
    attempt, token = at_work(server_client, services)
    send(server_client, attempt, token, ANSWER)
    batch = assignment_of(services)
    name = boot(server_client, attempt)["batch"]["code_name"]
    withdraw_batch(services.workspace, batch, started=True)
    services.updates.close()
    news(server_client, attempt, token, boot(server_client, attempt)["decisions_mark"])
    send(server_client, attempt, token, LATE)
    assign_batch(services.workspace, "Otters", name, "alma")
    assert send(server_client, attempt, token, ("e-9", *LATE[1:])).json()["refusals"] == []
    assert len(unsent_events(services.workspace.engine, batch)) == 1


def test_work_for_an_archived_campaign_is_kept_too(
    server_client: TestClient, services: Services
) -> None:
    """It was lost before."""
    attempt, token = at_work(server_client, services)
    batch = assignment_of(services)
    archive_campaign(services.workspace, None, "Otters", unfinished=True)
    assert send(server_client, attempt, token, ANSWER).json()["refusals"][0]["code"] == "archived"
    assert len(unsent_events(services.workspace.engine, batch)) == 1
    reopen_campaign(services.workspace, None, "Otters")
    withdraw_batch(services.workspace, batch, started=True)
    assert len(unsent_events(services.workspace.engine, batch)) == 1


def test_updates_are_for_the_tasks_owner(server_client: TestClient, services: Services) -> None:
    """Another person's token and attempt are refused, and a removed attempt is not found."""
    attempt, token = at_work(server_client, services)
    assert news(server_client, attempt, "forged", "x").status_code == 403
    at_work(server_client, services, "bruno")
    assert news(server_client, attempt, token, "x").status_code == 403
