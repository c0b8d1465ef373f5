"""One annotator asks for a hundred things at once; the others must not notice."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor, as_completed
from http.client import HTTPConnection
from typing import Any

from sqlalchemy import select

from pagetrail.app.services.composition import Services
from pagetrail.app.workspace.annotator_actions import open_assignment
from pagetrail.storage.attempts.queries import batch_tasks
from pagetrail.storage.batches.my_batches import assignments
from pagetrail.storage.database.tables import EventRow
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.accounts import find_person
from tests.app.conftest import PASSWORD
from tests.attacks.requests import COOKIE, sign_in
from tests.e2e.support.server_process import ServerProcess

BURST = 100


def ask(
    server: ServerProcess, session: str, path: str, body: object = None, token: str = ""
) -> tuple[int, Any]:
    """One request of a signed-in browser; returns status and JSON."""
    connection = HTTPConnection("127.0.0.1", server.port, timeout=120)
    try:
        connection.request(
            "GET" if body is None else "POST",
            f"/pagetrail/{path}",
            None if body is None else json.dumps(body),
            {"Cookie": f"{COOKIE}={session}", "X-Pagetrail": token},
        )
        reply = connection.getresponse()
        return reply.status, json.loads(reply.read())
    finally:
        connection.close()


def at_work(server: ServerProcess, workspace: Workspace, name: str) -> tuple[str, str, str]:
    """A person with an open task: session, attempt and its token."""
    person = find_person(workspace, name)
    row = assignments(workspace.engine, person.id)[0]
    open_assignment(Services(workspace), person, row.assignment_id)
    attempt = batch_tasks(workspace.engine, row.assignment_id)[0].attempt_id
    session = sign_in(server.url, name, PASSWORD)
    status, booted = ask(server, session, f"attempts/{attempt}")
    assert status == 200, booted
    return session, attempt, booted["token"]


def test_hundred_concurrent_searches_delay_nobody(
    server: ServerProcess, workspace: Workspace
) -> None:
    """The other's events are stored while the burst still waits; too long a queue is refused."""
    session, attempt, token = at_work(server, workspace, "alma")
    other, others_attempt, others_token = at_work(server, workspace, "bruno")

    def search(number: int) -> int:
        body = {"session": "a", "id": f"s{number}", "query": f"otters {number}"}
        return ask(server, session, f"attempts/{attempt}/search", body, token)[0]

    with ThreadPoolExecutor(BURST) as crowd:
        burst = [crowd.submit(search, number) for number in range(BURST)]
        next(as_completed(burst))
        events = [
            {"id": "o", "type": "opened", "payload": {"session": "b"}},
            {"id": "n", "type": "note_edited", "payload": {"text": "rivers"}},
        ]
        status, answer = ask(
            server,
            other,
            f"attempts/{others_attempt}/events",
            {"session": "b", "events": events},
            others_token,
        )
        waiting = sum(not request.done() for request in burst)
        answers = [request.result() for request in burst]
    assert status == 200, answer
    assert waiting, "the other waited for the whole burst"
    assert 429 in answers
    assert {*answers} <= {200, 409, 429}
    with workspace.engine.connect() as connection:
        kinds = connection.execute(
            select(EventRow.type).where(EventRow.attempt_id == others_attempt)
        ).scalars()
        assert "note_edited" in kinds
