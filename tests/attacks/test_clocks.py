"""Server clocks that jump: work stays in order, nobody gains time, nobody stays locked out."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagetrail.annotation.attempts.recorder import Command, Recorder
from pagetrail.annotation.attempts.timeline import MAX_DRIFT_MS
from pagetrail.annotation.clock import SystemClock
from pagetrail.annotation.events import AnswerEdited, NoteEdited
from pagetrail.annotation.protocols.protocol import preset, with_overrides
from pagetrail.annotation.timing.durations import active_ms, wall_ms
from tests.app.signed_in import at_work, send, sign_in
from tests.attacks.served_routes import served_routes
from tests.support.factory import FakePages, memory_driver
from tests.support.randomness import examples

START = datetime(2026, 3, 2, 9, tzinfo=UTC)
STEP = timedelta(seconds=10)


class SetClock(SystemClock):
    """A machine's clock that anybody may set, and its monotonic clock, which nobody can."""

    def __init__(self) -> None:
        self.time = START
        self.passed = timedelta()

    def now(self) -> datetime:
        return self.time

    def monotonic_ms(self) -> int:
        return self.passed // timedelta(milliseconds=1)

    def let_pass(self, time: timedelta) -> None:
        """Both clocks go on."""
        self.time += time
        self.passed += time


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> SetClock:
    """The machine's clocks in this test."""
    clock = SetClock()
    monkeypatch.setattr(SystemClock, "now", lambda _self: clock.now())
    monkeypatch.setattr(SystemClock, "monotonic_ms", lambda _self: clock.monotonic_ms())
    return clock


@given(jumps=st.lists(st.integers(-90 * 86_400, 90 * 86_400), min_size=1, max_size=8))
@examples(60)
def test_events_stay_in_order(jumps: list[int]) -> None:
    """Time counts as it passes, whatever the clock shows; a jump counts as nothing."""
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
            clock.let_pass(STEP)
            edit()
    events = driver.events
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    gaps = [later.elapsed_ms - earlier.elapsed_ms for earlier, later in pairwise(events)]
    assert [gap for at, gap in enumerate(gaps) if at % 4] == [10_000] * 3 * len(jumps)
    assert all(abs(gap) <= MAX_DRIFT_MS for gap in gaps[::4])
    work_ms = 30_000 * len(jumps)
    assert work_ms <= active_ms(events) <= work_ms + MAX_DRIFT_MS * len(jumps)
    assert wall_ms(events) == sum(gaps)
    assert driver.state.answer_text == str(len(events) - 1)


def test_people_go_on_when_the_clock_is_right_again(root: Path, clock: SetClock) -> None:
    """A year ahead, every session has expired; afterwards it counts again, as tokens always do."""
    with served_routes(root) as (browser, services):
        attempt, token = at_work(browser, services)
        assert send(browser, attempt, token, ("1", "opened", {"session": "s"})).is_success
        clock.time += timedelta(days=365)
        assert send(browser, attempt, token, ("2", "note_edited", {"text": "a"})).status_code == 401
        clock.time = START
        clock.let_pass(STEP)
        assert send(browser, attempt, token, ("2", "note_edited", {"text": "a"})).is_success
        clock.time = START + STEP
        clock.let_pass(STEP)
        assert send(browser, attempt, token, ("3", "note_edited", {"text": "b"})).is_success
        clock.time = START - timedelta(days=365)
        assert send(browser, attempt, token, ("4", "note_edited", {"text": "c"})).is_success
        stored = list(services.log.events(attempt))
        assert [event.elapsed_ms for event in stored] == [0, 10_000, 20_000, 20_000]


def test_guesses_during_a_clock_jump_lock_nobody_out(root: Path, clock: SetClock) -> None:
    """The limit holds at any time, and ends with its window, whatever the clock showed."""
    with served_routes(root) as (browser, _):
        for moved in (timedelta(days=1), timedelta(0), timedelta(days=-1)):
            clock.time = START + moved
            wrong = {"name": "bruno", "password": "wrong"}
            codes = [browser.post("/pagetrail/login", data=wrong).status_code for _ in range(9)]
            assert codes == [403] * 8 + [429], moved
        clock.time += timedelta(minutes=3)
        sign_in(browser, "bruno")


@pytest.mark.parametrize("jump", [timedelta(hours=1), timedelta(days=400), timedelta(hours=-1)])
def test_clock_jump_does_not_change_a_time_limit(jump: timedelta) -> None:
    """Five minutes are five minutes of the monotonic clock, also for what arrives with an age."""
    protocol = with_overrides(preset("search"), {"clock.limit_s": 300})
    driver, clock = memory_driver(protocol), SetClock()
    recorder = Recorder(driver.log, FakePages(), clock)

    def edit(text: str, age_ms: int = 0) -> list[str]:
        command = Command(text, AnswerEdited(text=text), age_ms=age_ms)
        refusals = recorder.record(driver.context, [command]).refusals
        return [refusal.code for refusal in refusals.values()]

    assert edit("begins") == []
    clock.let_pass(timedelta(minutes=2))
    assert edit("goes on") == []
    clock.time += jump
    clock.let_pass(timedelta(minutes=2))
    assert edit("still in time") == []
    assert driver.state.work_ms == 240_000
    clock.let_pass(timedelta(minutes=2))
    assert edit("too late") == ["time_over"]
    assert edit("done before the limit", age_ms=90_000) == []
    assert recorder.elapsed_ms("a1", driver.state) == 360_000


def test_ages_gain_no_time_after_a_jump() -> None:
    """However old a client claims its events to be, the limit ends as without a jump."""
    protocol = with_overrides(preset("search"), {"clock.limit_s": 300})
    driver, clock = memory_driver(protocol), SetClock()
    recorder = Recorder(driver.log, FakePages(), clock)
    recorder.record(driver.context, [Command("0", AnswerEdited(text="begins"))])
    clock.time += timedelta(hours=1)
    for number in range(1, 13):
        clock.let_pass(timedelta(minutes=1))
        note = Command(str(number), NoteEdited(text=str(number)), age_ms=3_600_000)
        recorder.record(driver.context, [note])
    edit = Command("end", AnswerEdited(text="late"))
    assert recorder.record(driver.context, [edit]).refusals["end"].code == "time_over"


def test_drift_of_the_clock_is_followed() -> None:
    """A clock that is slewed, a little each minute, stays the measure of elapsed time."""
    driver, clock = memory_driver(), SetClock()
    recorder = Recorder(driver.log, FakePages(), clock)
    for number in range(60):
        recorder.record(driver.context, [Command(str(number), AnswerEdited(text=str(number)))])
        clock.let_pass(timedelta(minutes=1))
        clock.time += timedelta(milliseconds=30)
    assert driver.events[-1].elapsed_ms == 59 * 60_030
