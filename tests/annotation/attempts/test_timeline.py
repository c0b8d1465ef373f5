"""Time since an attempt's last event, by what the server and the client know of it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from pagetrail.annotation.attempts.state import AttemptState
from pagetrail.annotation.attempts.timeline import MAX_CLAIM_MS, client_count_ms, counted_ms
from pagetrail.annotation.clock import iso
from pagetrail.annotation.events import AnswerEdited, Event

SECOND, MINUTE, HOUR = 1_000, 60_000, 3_600_000
START = datetime(2026, 3, 2, 9, tzinfo=UTC)


@pytest.mark.parametrize(
    ("case", "clock_ms", "client_ms", "witnessed_ms", "expected"),
    [
        ("an hour behind, corrected, restarted", HOUR + 4 * SECOND, 4 * SECOND, SECOND, 4_000),
        ("the same, without a count", HOUR + 4 * SECOND, None, SECOND, SECOND),
        ("an hour ahead, corrected, restarted", 4 * SECOND - HOUR, 4 * SECOND, SECOND, 4_000),
        ("the same, without a count", 4 * SECOND - HOUR, None, SECOND, 0),
        ("back from a day's excursion", MINUTE - 24 * HOUR, MINUTE, 2 * SECOND, MINUTE),
        ("a restart, and no jump", 10 * MINUTE, 10 * MINUTE, SECOND, 10 * MINUTE),
        ("a laptop slept over the restart", 8 * HOUR, 8 * HOUR, MINUTE, 8 * HOUR),
        ("stored by another server just now", 4 * SECOND, None, HOUR, 4 * SECOND),
        ("a client that claims no time", 10 * MINUTE, 0, HOUR, 10 * MINUTE),
        ("the same right after a restart", 10 * MINUTE, 0, 9 * MINUTE, 9 * MINUTE),
        ("a client that claims a day", 10 * MINUTE, 24 * HOUR, HOUR, 10 * MINUTE),
        ("the same, and nothing contradicts", -HOUR, 1_000 * HOUR, HOUR, MAX_CLAIM_MS),
        ("a client's clock that was set back", 10 * MINUTE, -HOUR, SECOND, SECOND),
    ],
)
def test_time_since_an_event_of_another_process(
    case: str, clock_ms: int, client_ms: int | None, witnessed_ms: int, expected: int
) -> None:
    """The client's count, between what the server has seen pass and what its clock says."""
    assert counted_ms(clock_ms, client_ms, witnessed_ms) == expected, case


@pytest.mark.parametrize(
    ("before", "now", "count_ms"),
    [
        (START, iso(START + timedelta(seconds=30)), 25_000),
        (START, iso(START + timedelta(seconds=4)), None),
        (START, iso(START - timedelta(hours=1)), None),
        (START, None, None),
        (START, "yesterday", None),
        (START, "0001-01-01T00:00:00+14:00", None),
        (None, iso(START), None),
    ],
)
def test_count_of_a_client(before: datetime | None, now: str | None, count_ms: int | None) -> None:
    """From its last event, less what other events have counted since; no count is below 0."""
    last = Event(
        attempt_id="a1",
        seq=3,
        server_ts=iso(START),
        client_ts=None if before is None else iso(before),
        elapsed_ms=60_000,
        actor="Ada",
        client_event_id="c3",
        payload=AnswerEdited(text="otter"),
    )
    state = AttemptState(elapsed_ms=66_000, updated_at=iso(START), last_seq=4)
    assert client_count_ms(last, state, now, age_ms=1_000) == count_ms
    assert client_count_ms(None, state, now, age_ms=0) is None
