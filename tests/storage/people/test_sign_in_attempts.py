"""What counts against a limit, for how long, and for whom."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import func, select

from pagetrail.annotation.clock import ManualClock
from pagetrail.storage.database.tables import SignInAttempt
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people import sign_in_attempts
from pagetrail.storage.people.sign_in_attempts import Limit, count_attempt, forget_attempts
from tests.support.at_once import run_at_once

SHORT, LONG = timedelta(minutes=2), timedelta(minutes=10)
on_both = pytest.mark.parametrize("workspace", ["sqlite", "postgresql"], indirect=True)


def _rows(workspace: Workspace) -> int:
    with workspace.engine.connect() as connection:
        return connection.execute(select(func.count()).select_from(SignInAttempt)).scalar_one()


def test_attempts_count_for_a_while(workspace: Workspace) -> None:
    """The longer limit goes on counting; what no limit looks at any more is removed."""
    clock = ManualClock(datetime(2026, 3, 1, tzinfo=UTC))
    short, long = Limit("short", 2, SHORT), Limit("long", 3, LONG)
    assert count_attempt(workspace, [short, long], clock=clock)
    assert count_attempt(workspace, [short, long], clock=clock)
    assert not count_attempt(workspace, [short, long], clock=clock)
    clock.advance(seconds=121)
    assert count_attempt(workspace, [short, long], clock=clock)
    assert not count_attempt(workspace, [long], clock=clock)
    clock.advance(seconds=601)
    assert count_attempt(workspace, [long], clock=clock)
    assert _rows(workspace) == 1


def test_a_clock_that_was_ahead_locks_nobody_out(workspace: Workspace) -> None:
    """Attempts noted for later count for as long as others, and are removed like others."""
    limit, start = Limit("a", 1, SHORT), datetime(2026, 3, 1, tzinfo=UTC)
    assert count_attempt(workspace, [limit], clock=ManualClock(start + timedelta(days=1)))
    assert count_attempt(workspace, [limit], clock=ManualClock(start))
    assert _rows(workspace) == 1
    before = ManualClock(start - timedelta(seconds=30))
    assert not count_attempt(workspace, [limit], clock=before), "a small step opens no gap"


@on_both
def test_a_success_is_no_attempt(workspace: Workspace) -> None:
    """It clears its own digest; of the others it removes itself and nothing else."""
    personal, shared = Limit("own", 2, SHORT), Limit("shared", 2, SHORT)
    assert count_attempt(workspace, [personal, shared])
    attempts = count_attempt(workspace, [personal, shared])
    assert len(attempts) == 2
    forget_attempts(workspace, attempts, personal.digest)
    assert _rows(workspace) == 1
    assert count_attempt(workspace, [shared])
    assert not count_attempt(workspace, [shared])
    assert count_attempt(workspace, [personal])


@on_both
def test_many_at_once_do_not_slip_through(workspace: Workspace) -> None:
    """Of ten that come together, as many are counted as the limit has."""
    counts: list[int] = []

    def count() -> None:
        counts.append(len(count_attempt(workspace, [Limit("one", 3, SHORT)])))

    run_at_once([count for _ in range(10)])
    assert sorted(counts) == [0] * 7 + [1] * 3


def test_the_oldest_are_forgotten_first(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Invented names take so many rows and no more, and do not set the latest counts back."""
    monkeypatch.setattr(sign_in_attempts, "MAX_ROWS", 3)
    for digest in "abcd":
        assert count_attempt(workspace, [Limit(digest, 1, SHORT)])
    assert _rows(workspace) == 3
    assert [bool(count_attempt(workspace, [Limit(d, 1, SHORT)])) for d in "bcd"] == [False] * 3
    assert count_attempt(workspace, [Limit("a", 1, SHORT)])
