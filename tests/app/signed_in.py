"""Signing in and finding one's attempts, as the tests of the routes and screens need it."""

from __future__ import annotations

from typing import Any

from starlette.testclient import TestClient

from pagetrail.app.services.composition import Services
from pagetrail.app.workspace.annotator_actions import open_assignment
from pagetrail.storage.attempts import queries
from pagetrail.storage.batches import my_batches
from pagetrail.storage.people.accounts import Person, find_person
from tests.app.conftest import PASSWORD
from tests.support.looks import as_on_screen


def sign_in(client: TestClient, name: str) -> None:
    """Sign a person in; the client keeps the cookie."""
    client.cookies.clear()
    reply = client.post("/pagetrail/login", data={"name": name, "password": PASSWORD})
    assert reply.status_code == 303, reply.text


def attempts_of(services: Services, name: str, campaign: str = "Otters") -> list[str]:
    """The person's attempts of a campaign, in the person's own order."""
    person: Person = find_person(services.workspace, name)
    row = next(
        row
        for row in my_batches.assignments(services.workspace.engine, person.id)
        if row.campaign == campaign
    )
    open_assignment(services, person, row.assignment_id)
    tasks = queries.batch_tasks(services.workspace.engine, row.assignment_id)
    return [task.attempt_id for task in tasks]


def boot(client: TestClient, attempt_id: str) -> dict[str, Any]:
    """The attempt's boot record."""
    reply = client.get(f"/pagetrail/attempts/{attempt_id}")
    assert reply.status_code == 200, reply.text
    data: dict[str, Any] = reply.json()
    return data


def send(
    client: TestClient, attempt_id: str, token: str, *events: tuple[str, str, dict[str, Any]]
) -> Any:
    """Post (id, type, payload) events; returns the response."""
    body = {
        "session": "s",
        "events": [{"id": i, "type": t, "payload": as_on_screen(t, p)} for i, t, p in events],
    }
    return client.post(
        f"/pagetrail/attempts/{attempt_id}/events", json=body, headers={"X-Pagetrail": token}
    )


def at_work(client: TestClient, services: Services, name: str = "alma") -> tuple[str, str]:
    """Sign in and open the first task; returns attempt and token."""
    attempt = attempts_of(services, name)[0]
    sign_in(client, name)
    return attempt, boot(client, attempt)["token"]


def stored_types(services: Services, attempt: str) -> list[str]:
    """The types of the attempt's events."""
    return [e.type for e in services.log.events(attempt)]
