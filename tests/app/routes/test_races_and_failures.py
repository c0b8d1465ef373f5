"""People and programs at the same moment, full disks, locked and broken databases."""

from __future__ import annotations

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, closing
from functools import partial
from threading import Barrier
from typing import Any

import pytest
from sqlalchemy import event
from starlette.testclient import TestClient

from pagetrail.annotation.attempts.state import fold
from pagetrail.annotation.errors import StorageError
from pagetrail.app.services.composition import Services
from pagetrail.storage.attempts import queries
from pagetrail.storage.batches.changeable_settings import change_settings
from pagetrail.storage.database import engine as engines
from pagetrail.storage.database.location import DATABASE_NAME
from tests.app.outages import each_connection, limit_pages, read_only, write_lock
from tests.app.review_case import hand_in
from tests.app.signed_in import at_work, attempts_of, boot, send, sign_in


def test_twenty_threads_posting_the_same_events_store_each_once(
    server_client: TestClient, services: Services
) -> None:
    """Everybody is told the same numbers; the log has no gap and no double."""
    attempt, token = at_work(server_client, services)
    batch = [(f"e-{n}", "answer_edited", {"text": str(n)}) for n in range(5)]
    barrier = Barrier(20)

    def post(_: int) -> dict[str, int]:
        barrier.wait()
        reply = send(server_client, attempt, token, *batch)
        assert reply.status_code == 200, reply.text
        return {receipt["id"]: receipt["seq"] for receipt in reply.json()["receipts"]}

    with ThreadPoolExecutor(20) as pool:
        receipts = list(pool.map(post, range(20)))
    assert all(receipt_seqs == receipts[0] and len(receipt_seqs) == 5 for receipt_seqs in receipts)
    assert [e.seq for e in services.log.events(attempt)] == [1, 2, 3, 4, 5]


def test_a_submission_racing_with_edits_is_one_or_the_other(
    server_client: TestClient, services: Services
) -> None:
    """No edit lands after the submission, and every event that was acknowledged is there."""
    attempt, token = at_work(server_client, services)
    barrier = Barrier(10)

    def post(number: int) -> Any:
        barrier.wait()
        if number == 5:
            return send(
                server_client, attempt, token, ("s", "submitted", {"outcome": "not_found"})
            ).json()
        return send(
            server_client, attempt, token, (f"e-{number}", "note_edited", {"text": "x"})
        ).json()

    with ThreadPoolExecutor(10) as pool:
        replies = list(pool.map(post, range(10)))
    events = list(services.log.events(attempt))
    assert events[-1].type == "submitted"
    acknowledged = {r["id"] for reply in replies for r in reply["receipts"]}
    assert acknowledged == {e.client_event_id for e in events}
    refused = {r["code"] for reply in replies for r in reply["refusals"]}
    assert refused <= {"handed_in"}
    assert fold(events) == services.log.state(attempt)


def test_closing_racing_with_reopening_leaves_no_closed_open_task(
    server_client: TestClient, services: Services
) -> None:
    """Either the batch is closed and every task in it, or the reopened task is open."""
    attempts = attempts_of(services, "alma")
    sign_in(server_client, "alma")
    tokens = {attempt: boot(server_client, attempt)["token"] for attempt in attempts}
    assignment = boot(server_client, attempts[0])["batch"]["assignment"]
    for attempt in attempts:
        send(server_client, attempt, tokens[attempt], ("1", "submitted", {"outcome": "not_found"}))
    barrier = Barrier(3)

    def act(number: int) -> int:
        barrier.wait()
        if number == 0:
            return server_client.post(f"/pagetrail/assignments/{assignment}/close").status_code
        attempt = attempts[number - 1]
        return send(server_client, attempt, tokens[attempt], ("2", "reopened", {})).status_code

    with ThreadPoolExecutor(3) as pool:
        closing_code, *_ = pool.map(act, range(3))
    states = [services.log.state(attempt) for attempt in attempts]
    assert not any(state.closed and state.status == "open" for state in states)
    if closing_code == 200:
        assert all(state.closed for state in states)


def test_full_disk_is_reported_and_stores_nothing(
    server_client: TestClient, services: Services
) -> None:
    """503 as JSON, so that the client keeps its queue; afterwards the same batch goes through."""
    attempt, token = at_work(server_client, services)
    send(server_client, attempt, token, ("0", "opened", {"session": "s"}))
    batch = [(f"e-{n}", "note_edited", {"text": "x" * 15_000}) for n in range(8)]
    with _full(services):
        full = send(server_client, attempt, token, *batch)
    assert full.status_code == 503
    assert full.json()["error"]["code"] == "storage_full"
    assert [e.client_event_id for e in services.log.events(attempt)] == ["0"]
    assert services.log.state(attempt).last_seq == 1
    assert len(send(server_client, attempt, token, *batch).json()["receipts"]) == 8


def test_read_only_workspace_is_reported_and_stores_nothing(
    server_client: TestClient, services: Services
) -> None:
    """503 that says whose rights are missing; with them the same batch goes through."""
    attempt, token = at_work(server_client, services)
    send(server_client, attempt, token, ("0", "opened", {"session": "s"}))
    batch = [("e-1", "note_edited", {"text": "Otters."})]
    with read_only(services):
        refused = send(server_client, attempt, token, *batch)
    assert refused.status_code == 503
    assert refused.json()["error"]["code"] == "storage_not_writable"
    assert "write access to the workspace's folder" in refused.json()["error"]["message"]
    assert [e.client_event_id for e in services.log.events(attempt)] == ["0"]
    assert len(send(server_client, attempt, token, *batch).json()["receipts"]) == 1


def test_decision_on_a_full_disk_is_refused_and_stores_nothing(
    server_client: TestClient, services: Services
) -> None:
    """503 as JSON and neither draft nor gold; with room again the same request decides, once."""
    change_settings(services.workspace, None, "Otters", {"review.keep": 1})
    (attempt, *_) = attempts_of(services, "alma")
    hand_in(services, "alma", attempt, "x" * 15_000, 1)
    task = queries.attempt(services.workspace.engine, attempt).task_id
    gold = services.reviews.streams.gold(task).attempt_id
    sign_in(server_client, "sven")
    url = f"/pagetrail/reviews/{task}"
    body = {
        "id": "d",
        "picks": {},
        "reason": "so",
        "reviewed_version": server_client.get(url).json()["reviewed_version"],
    }
    with _full(services):
        full = server_client.post(f"{url}/decide", json=body)
        review = server_client.get(url).json()
    assert full.status_code == 503
    assert full.json()["error"]["code"] == "storage_full"
    assert review["gold"] is None, "reading goes on, and nothing is shown as decided"
    assert list(services.log.events(gold)) == []
    for _ in range(2):
        reply = server_client.post(f"{url}/decide", json=body)
        assert reply.status_code == 200, reply.text
        assert reply.json()["gold"]["version"] == 1
    assert [e.type for e in services.log.events(gold)] == ["gold_merged", "adjudicated"]


def _full(services: Services) -> AbstractContextManager[None]:
    """A disk with hardly any room left."""
    return each_connection(services, partial(limit_pages, more=4))


def test_locked_database_is_reported(server_client: TestClient, services: Services) -> None:
    """Another program holds the lock past the time limit: 503 as JSON, and nothing is lost."""
    attempt, token = at_work(server_client, services)
    services.workspace.engine.dispose()

    def impatient(connection: sqlite3.Connection, *_: object) -> None:
        connection.execute("PRAGMA busy_timeout = 20")

    event.listen(services.workspace.engine, "connect", impatient)
    opened_event = ("1", "opened", {"session": "s"})
    with write_lock(services):
        reply = send(server_client, attempt, token, opened_event)
        assert reply.status_code == 503
        assert reply.json()["error"]["code"] == "storage_busy"
        assert boot(server_client, attempt)["state"]["last_seq"] == 0  # reading goes on
    assert send(server_client, attempt, token, opened_event).status_code == 200


def test_stuck_writer_does_not_block_others_forever(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Within the process, too, the wait for one's turn has a limit."""
    monkeypatch.setattr(engines, "BUSY_TIMEOUT_MS", 20)
    engine = services.workspace.engine

    def write() -> None:
        with engines.write_transaction(engine):
            pass

    with ThreadPoolExecutor(1) as pool:
        with engines.write_transaction(engine), pytest.raises(StorageError) as caught:
            pool.submit(write).result()
        pool.submit(write).result()
    assert caught.value.code == "storage_busy"


def test_broken_database_is_explained(server_client: TestClient, services: Services) -> None:
    """A missing table is the driver's error: translated, 503, no trace of SQL's innards."""
    attempt, token = at_work(server_client, services)
    with closing(sqlite3.connect(services.workspace.root / DATABASE_NAME)) as other:
        other.execute("ALTER TABLE attempt_state RENAME TO gone")
        other.commit()
    reply = send(server_client, attempt, token, ("1", "opened", {"session": "s"}))
    assert reply.status_code == 503
    assert reply.json()["error"]["code"] == "storage"
    assert "Traceback" not in reply.text and "SELECT" not in reply.text


def test_unexpected_failure_is_json_and_logged(
    server_client: TestClient,
    services: Services,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """500 with a sentence that gives nothing away; the trace is in the log."""
    attempt, token = at_work(server_client, services)

    def broken(*_: object) -> None:
        raise ZeroDivisionError("the secret innards")

    monkeypatch.setattr("pagetrail.app.routes.attempts.record_events", broken)
    reply = send(server_client, attempt, token, ("1", "opened", {"session": "s"}))
    assert reply.status_code == 500
    assert reply.json()["error"]["code"] == "internal"
    assert "innards" not in reply.text
    assert "the secret innards" in caplog.text
