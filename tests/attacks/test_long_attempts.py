"""An attempt of very many events: replayed in parts, and read apart from others for reports."""

from __future__ import annotations

from typing import Any

import pytest
from starlette.testclient import TestClient
from streamlit.testing.v1 import AppTest

from pagetrail.annotation.attempts.state import fold
from pagetrail.app.replay import part_computation
from pagetrail.app.replay.attempt_data import replay_json
from pagetrail.app.replay.part_computation import count_parts, load_part
from pagetrail.app.services.composition import Services
from pagetrail.storage.snapshot import snapshot as snapshots
from pagetrail.storage.snapshot.snapshot import snapshot
from tests.app.conftest import server_client as server_client
from tests.app.conftest import services as services
from tests.app.screens import at_screen
from tests.app.signed_in import at_work, attempts_of, boot, send, sign_in

EVENTS = 100


@pytest.fixture
def attempt(server_client: TestClient, services: Services, monkeypatch: pytest.MonkeyPatch) -> str:
    """An attempt of 100 events, where 30 are replayed at a time."""
    monkeypatch.setattr(part_computation, "PART_EVENTS", 30)
    attempt, token = at_work(server_client, services)
    cited = {"document": "report.pdf", "page": 1}
    events: list[tuple[str, str, dict[str, Any]]] = [
        ("v", "page_viewed", {**cited, "via": "jump"}),
        ("c", "citation_added", cited),
        *((f"n{n}", "note_edited", {"text": f"note {n} " * 5}) for n in range(EVENTS - 2)),
    ]
    reply = send(server_client, attempt, token, *events).json()
    assert reply["last_seq"] == EVENTS, reply
    return attempt


def test_each_replay_part_starts_with_the_earlier_state(attempt: str, services: Services) -> None:
    """Together the parts have every event once; texts and citations go on in each."""
    events = list(services.log.events(attempt))
    assert count_parts(EVENTS) == 4
    replayed = 0
    for part in range(4):
        times, script, entries = load_part(services.workspace, attempt, part)
        assert len(script.moments) == len(entries) <= 30
        assert [moment.seq for moment in script.moments] == list(range(1, len(entries) + 1))
        replayed += len(entries)
        note = ""
        for edit in script.texts["note"]:
            note = note[: edit.start] + edit.insert + note[len(note) - edit.end :]
        assert note == fold(events[:replayed]).note
        assert [cited.page for cited in script.citations] == [("report.pdf", 1)]
        assert times == load_part(services.workspace, attempt, 0)[0], "of the whole attempt"
    assert replayed == EVENTS


def test_the_replay_shows_one_part(
    attempt: str, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Which one is chosen beside it; what goes to the browser is bounded by the part."""
    sent: list[int] = []

    def counting(replay_side: Any) -> dict[str, Any]:
        data = replay_json(replay_side)
        sent.append(len(data["moments"]))
        return data

    monkeypatch.setattr("pagetrail.app.replay.attempt_data.replay_json", counting)
    at: AppTest = at_screen(services, "sven", monkeypatch, "trajectory")
    at.query_params["attempt"] = attempt
    at.run()
    assert not at.exception, at.exception
    (choice,) = (box for box in at.selectbox if box.label == "Events of 100")
    assert list(choice.options) == ["1 to 30", "31 to 60", "61 to 90", "91 to 100"]
    choice.select_index(3).run()
    assert not at.exception
    assert sent == [30, 10]


def test_reports_read_a_long_attempt_apart_from_others(
    attempt: str, server_client: TestClient, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Attempts are read together up to a number of events; each comes once, in order."""
    for name, task in (("alma", 1), ("bruno", 0), ("bruno", 1)):
        other = attempts_of(services, name)[task]
        sign_in(server_client, name)
        send(
            server_client,
            other,
            boot(server_client, other)["token"],
            ("o", "opened", {"session": "s"}),
        )
    monkeypatch.setattr(snapshots, "EVENTS_AT_ONCE", 50)
    read_together: list[list[str]] = []
    events_of = snapshots.events_of

    def counting(connection: Any, ids: Any) -> Any:
        read_together.append(list(ids))
        return events_of(connection, ids)

    monkeypatch.setattr(snapshots, "events_of", counting)
    with snapshot(services.workspace) as database:
        campaign = database.campaign("Otters").id
        read = [row.head.id for row in database.attempts(campaign)]
    assert len(read) == len(set(read)) == 4
    assert [attempt] in read_together
    assert len(read_together) < 4, "short ones are read together"
