"""Events by the thousand: more than anybody's work brings is refused, and nothing else is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import func, select, update
from starlette.testclient import TestClient

from pagetrail.annotation.attempts import recorder
from pagetrail.annotation.errors import Refusal
from pagetrail.app.agents import AgentClient
from pagetrail.app.services.composition import Services
from pagetrail.app.services.person_turns import TooManyRequests
from pagetrail.app.services.steady_rate import EventRates
from pagetrail.storage.database.tables import AttemptStateRow, Audit, EventRow
from pagetrail.storage.projections import rebuild
from tests.app.agents.campaigns import add_agents_campaign
from tests.app.conftest import searching as searching
from tests.app.conftest import server_client as server_client
from tests.app.conftest import services as services
from tests.app.signed_in import at_work, boot, send, sign_in


class _Clock:
    """Seconds that pass when a test says so."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


def test_an_hour_of_editing_passes_without_waiting() -> None:
    """72,000 events, 20 a second, each with a text of 3,000 characters."""
    clock = _Clock()
    rates = EventRates(clock)
    for _ in range(3_600):
        clock.seconds += 1
        assert rates.wait(1, 20, 20 * 200) == 0
        assert rates.wait(1, 1, 30_000) == 0


def test_an_hour_without_a_connection_is_taken_in_parts() -> None:
    """A browser that comes back sends 200 events at a time, and waits as long as it is told."""
    clock = _Clock()
    rates = EventRates(clock)
    left = 72_000
    while left:
        try:
            clock.seconds += rates.wait(1, 200, 60_000)
            left -= 200
        except TooManyRequests as refusal:
            assert refusal.retry_after_s
            clock.seconds += refusal.retry_after_s
    assert clock.seconds < 30 * 60


@pytest.mark.parametrize(("events", "size"), [(200, 20_000), (1, 250_000)])
def test_a_flood_is_slowed_for_its_sender_only(events: int, size: int) -> None:
    """In an hour no more is stored than the rate allows, whether many events or large ones."""
    clock = _Clock()
    rates = EventRates(clock)
    accepted = refused = 0
    for _ in range(36_000):
        clock.seconds += 0.1
        try:
            rates.wait(1, events, size)
            accepted += 1
        except TooManyRequests:
            refused += 1
    assert refused > accepted
    assert accepted * events <= 5_000 + 51 * 3_600
    assert accepted * size <= 20_000_000 + 101_000 * 3_600
    assert rates.wait(2, 200, 20_000) == 0, "others do not wait"


def _flood(number: int) -> list[tuple[str, str, dict[str, Any]]]:
    return [(f"f-{number}-{n}", "note_edited", {"text": f"{number} {n}"}) for n in range(200)]


def test_a_flood_of_events_is_refused_with_a_time(
    server_client: TestClient, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """429, a sentence and Retry-After; the same batch is taken later; a colleague does not wait."""
    monkeypatch.setattr("pagetrail.app.routes.attempts._REFUSAL_S", 0)
    monkeypatch.setattr(EventRates, "EVENTS_AT_ONCE", 600)
    monkeypatch.setattr(EventRates, "LONGEST_WAIT_S", 0.0)
    attempt, token = at_work(server_client, services)
    replies = [send(server_client, attempt, token, *_flood(number)) for number in range(12)]
    refused = [reply for reply in replies if reply.status_code == 429]
    assert refused
    for reply in refused:
        assert int(reply.headers["retry-after"]) >= 1
        assert "More changes come in" in reply.json()["error"]["message"]
    stored = sum(len(reply.json().get("receipts", ())) for reply in replies)
    with services.workspace.engine.connect() as connection:
        assert connection.execute(select(func.count()).select_from(EventRow)).scalar() == stored
    other_attempt, others_token = at_work(server_client, services, "bruno")
    assert send(server_client, other_attempt, others_token, *_flood(0)).status_code == 200


@pytest.mark.parametrize(
    ("limit", "value"), [("MAX_EVENTS", 60), ("MAX_LOG_CHARS", 60 * len('{"text": "0 00"}'))]
)
def test_full_attempt_accepts_only_its_submission(
    limit: str,
    value: int,
    server_client: TestClient,
    services: Services,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Typed refusals that say what to do, a note for supervisors, and the task can be submitted."""
    monkeypatch.setattr(recorder, limit, value)
    attempt, token = at_work(server_client, services)
    reply = send(server_client, attempt, token, *_flood(0)).json()
    stored = len(reply["receipts"])
    assert 50 < stored < 75
    assert {refusal["code"] for refusal in reply["refusals"]} == {"attempt_full"}
    assert "kept in this browser" in reply["refusals"][0]["message"]
    assert stored + len(reply["refusals"]) == 200
    end = send(server_client, attempt, token, ("end", "submitted", {"outcome": "not_found"})).json()
    assert end["receipts"], end
    reopened = send(server_client, attempt, token, ("again", "reopened", {})).json()
    assert reopened["refusals"][0]["code"] == "attempt_full", "submitting in turns is no way around"
    with services.workspace.engine.connect() as connection:
        notes = connection.execute(
            select(Audit.detail).where(Audit.action == "attempt full")
        ).scalars()
        assert attempt in set(notes)


def test_an_attempts_log_size_is_counted(server_client: TestClient, services: Services) -> None:
    """Exactly what the database has, after more than one request and after a rebuild."""
    attempt, token = at_work(server_client, services)
    for number in range(3):
        send(server_client, attempt, token, *_flood(number)[:20])
    engine = services.workspace.engine

    def stored_chars() -> tuple[int, int]:
        length = func.length(EventRow.payload)
        with engine.connect() as connection:
            of_row = select(AttemptStateRow.log_chars).where(AttemptStateRow.attempt_id == attempt)
            of_log = select(func.sum(length)).where(EventRow.attempt_id == attempt)
            return connection.scalar(of_row) or 0, connection.scalar(of_log) or 0

    stored, log_chars = stored_chars()
    assert stored == log_chars > 0
    with engine.begin() as connection:
        connection.execute(update(AttemptStateRow).values(log_chars=0))
    rebuild(engine)
    assert stored_chars() == (stored, log_chars)
    sign_in(server_client, "alma")
    assert boot(server_client, attempt)["state"]["last_seq"] == 60


def test_full_attempt_refuses_requests_by_agents_and_people(
    searching: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Steps and searches are stored by the server, but as often as somebody asks for them."""
    add_agents_campaign(searching.workspace, "Agents")
    monkeypatch.setattr(recorder, "MAX_EVENTS", 10)
    with AgentClient(searching, "Agents", "bot") as client:
        attempt = client.open("q1")
        for number in range(4):
            attempt.step(f"thinking {number}")
            attempt.search_documents("otters")
        calls: list[Callable[[], object]] = [
            lambda: [attempt.step("more") for _ in range(3)],
            lambda: attempt.search_documents("zebra"),
            lambda: attempt.cite("report.pdf", 1),
        ]
        for call in calls:
            with pytest.raises(Refusal) as refusal:
                call()
            assert refusal.value.code == "attempt_full"
        attempt.skip("too long")


def test_a_flood_of_an_agent_is_refused_with_a_time(
    searching: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An agent's events and searches have people's limits; nothing of a refused call is stored."""
    add_agents_campaign(searching.workspace, "Agents")
    monkeypatch.setattr(EventRates, "EVENTS_AT_ONCE", 6)
    monkeypatch.setattr(EventRates, "LONGEST_WAIT_S", 0.0)
    clock = _Clock()
    clock.seconds = 1_000
    searching.event_rates = EventRates(clock)
    with AgentClient(searching, "Agents", "bot") as client:
        attempt = client.open("q1")
        calls: list[Callable[[], object]] = [
            lambda: attempt.step("thinking"),
            lambda: attempt.search_documents("otters"),
            lambda: attempt.read_page("report.pdf", 1),
            lambda: attempt.submit("otters", [("report.pdf", 1)]),
        ]
        for number in range(5):
            attempt.step(f"thinking {number}")
        stored = len(list(searching.log.events(attempt.id)))
        for call in calls:
            with pytest.raises(TooManyRequests, match="More changes come in") as refusal:
                call()
            assert refusal.value.retry_after_s
        assert len(list(searching.log.events(attempt.id))) == stored
        clock.seconds += 60
        attempt.search_documents("otters")
        assert attempt.submit("otters", [("report.pdf", 1)]).status == "submitted"


def test_a_large_text_of_an_agent_counts_by_its_size(
    searching: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Few events of many characters are limited like a person's."""
    add_agents_campaign(searching.workspace, "Agents")
    monkeypatch.setattr(EventRates, "BYTES_AT_ONCE", 10_000)
    monkeypatch.setattr(EventRates, "LONGEST_WAIT_S", 0.0)
    clock = _Clock()
    clock.seconds = 1_000
    searching.event_rates = EventRates(clock)
    with AgentClient(searching, "Agents", "bot") as client:
        attempt = client.open("q1")
        attempt.step("a" * 4_000)
        attempt.step("b" * 4_000)
        with pytest.raises(TooManyRequests):
            attempt.step("c" * 4_000)
