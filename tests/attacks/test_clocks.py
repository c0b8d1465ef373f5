"""Server clocks that jump: work stays in order, nobody gains time, nobody stays locked out."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagetrail.annotation.attempts.recorder import Command, Recorder
from pagetrail.annotation.clock import SystemClock
from pagetrail.annotation.events import AnswerEdited
from pagetrail.annotation.timing.durations import active_ms, wall_ms
from tests.app.signed_in import at_work, boot, send, sign_in
from tests.attacks.served_routes import served_routes
from tests.support.factory import FakePages, memory_driver
from tests.support.randomness import examples

START = datetime(2026, 3, 2, 9, tzinfo=UTC)
STEP = timedelta(seconds=10)


class SetClock:
    """A clock that anybody may set."""

    def __init__(self) -> None:
        self.time = START

    def now(self) -> datetime:
        return self.time


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> SetClock:
    """What the machine's clock shows in this test."""
    clock = SetClock()
    monkeypatch.setattr(SystemClock, "now", lambda _self: clock.time)
    return clock


@given(jumps=st.lists(st.integers(-90 * 86_400, 90 * 86_400), min_size=1, max_size=8))
@examples(60)
def test_events_stay_in_order(jumps: list[int]) -> None:
    """Between any two jumps, time counts as it passes; a jump counts as idle time at most."""
    driver, clock = memory_driver(), SetClock()
    recorder = Recorder(driver.log, FakePages(), clock)
    numbers = iter(range(1_000))

    def edit() -> None:
        number = next(numbers)
        edited = AnswerEdited(text=str(number))
        recorder.record(driver.context, [Command(str(number), edited)])

    edit()
    for jump in jumps:
        clock.time += timedelta(seconds=jump)
        edit()
        for _ in range(3):
            clock.time += STEP
            edit()
    events = driver.events
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    gaps = [later.elapsed_ms - earlier.elapsed_ms for earlier, later in pairwise(events)]
    assert [gap for at, gap in enumerate(gaps) if at % 4] == [10_000] * 3 * len(jumps)
    assert gaps[::4] == [max(0, jump) * 1_000 for jump in jumps]
    work_ms = 30_000 * len(jumps)
    assert work_ms <= active_ms(events) <= work_ms + 60_000 * len(jumps)
    assert wall_ms(events) == sum(gaps)
    assert driver.state.answer_text == str(len(events) - 1)


def test_people_go_on_when_the_clock_is_right_again(root: Path, clock: SetClock) -> None:
    """A year ahead, every session and link has expired; afterwards both count again."""
    with served_routes(root) as (browser, services):
        attempt, token = at_work(browser, services)
        assert send(browser, attempt, token, ("1", "opened", {"session": "s"})).is_success
        clock.time += timedelta(days=365)
        assert send(browser, attempt, token, ("2", "note_edited", {"text": "a"})).status_code == 401
        clock.time = START + STEP
        assert send(browser, attempt, token, ("2", "note_edited", {"text": "a"})).is_success
        clock.time = START + timedelta(days=3)
        assert send(browser, attempt, token, ("3", "note_edited", {"text": "b"})).status_code == 403
        token = boot(browser, attempt)["token"]
        clock.time = START + 2 * STEP
        assert send(browser, attempt, token, ("3", "note_edited", {"text": "b"})).is_success
        clock.time = START - timedelta(days=365)
        assert send(browser, attempt, token, ("4", "note_edited", {"text": "c"})).is_success
        stored = list(services.log.events(attempt))
        assert [event.elapsed_ms for event in stored] == [0, 10_000, 20_000, 20_000]


def test_guesses_while_the_clock_was_ahead_lock_nobody_out(root: Path, clock: SetClock) -> None:
    """The limit holds at any time, and ends with its window, whatever the clock showed."""
    with served_routes(root) as (browser, _):
        for moved in (timedelta(days=1), timedelta(0), timedelta(days=-1)):
            clock.time = START + moved
            wrong = {"name": "bruno", "password": "wrong"}
            codes = [browser.post("/pagetrail/login", data=wrong).status_code for _ in range(9)]
            assert codes == [403] * 8 + [429], moved
        clock.time += timedelta(minutes=3)
        sign_in(browser, "bruno")
