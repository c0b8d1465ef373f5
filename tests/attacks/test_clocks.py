"""Server clocks that jump: work stays in order, nobody gains time, nobody stays locked out."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient

from pagetrail.annotation.attempts.context import GRACE_MS
from pagetrail.annotation.attempts.recorder import Command, Recorder
from pagetrail.annotation.attempts.state import AttemptState, fold
from pagetrail.annotation.attempts.timeline import Timelines
from pagetrail.annotation.clock import SystemClock, iso
from pagetrail.annotation.events import (
    AnswerEdited,
    BatchClosed,
    NoteEdited,
    Skipped,
    TimeCorrected,
)
from pagetrail.annotation.protocols.protocol import Protocol, preset, with_overrides
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


class Server:
    """Lives of a server, one after the other, over one attempt; a browser with its own clock."""

    def __init__(self, protocol: Protocol | None = None) -> None:
        self.driver = memory_driver(protocol)
        self.clock = SetClock()
        self.recorder = self._new_life()
        self._numbers = count(1)

    def _new_life(self) -> Recorder:
        return Recorder(self.driver.log, FakePages(), self.clock)

    def restart(self) -> None:
        """What the old life kept in memory is gone."""
        self.recorder = self._new_life()

    @property
    def real_ms(self) -> int:
        """Time that has really passed."""
        return self.clock.monotonic_ms()

    def edit(self, claimed: timedelta = timedelta(), *, age_ms: int = 0) -> str:
        """The code of the refusal of an edit, or "".

        Args:
            claimed: what the browser's clock claims beyond the time that has passed.
        """
        number = str(next(self._numbers))
        client_ts = iso(START + self.clock.passed + claimed - timedelta(milliseconds=age_ms))
        command = Command(number, AnswerEdited(text=number), client_ts, age_ms)
        refusals = self.recorder.record(self.driver.context, [command]).refusals
        return refusals[number].code if refusals else ""

    @property
    def elapsed_ms(self) -> int:
        """Of the last event."""
        return self.driver.state.elapsed_ms

    @property
    def corrections(self) -> list[TimeCorrected]:
        """The marks in the log."""
        payloads = (event.payload for event in self.driver.events)
        return [payload for payload in payloads if isinstance(payload, TimeCorrected)]


HOUR = timedelta(hours=1)
FOUR_S = timedelta(seconds=4)


def test_corrected_clock_uses_up_no_time(caplog: pytest.LogCaptureFixture) -> None:
    """One event while the clock is an hour behind, then the server restarts with the right one."""
    server = Server(with_overrides(preset("search"), {"clock.limit_s": 300}))
    server.edit()
    server.clock.time -= HOUR
    server.edit()
    server.clock.time += HOUR
    server.restart()
    server.clock.let_pass(FOUR_S)
    assert server.edit() == ""
    assert server.elapsed_ms == server.driver.state.work_ms == 4_000
    server.clock.let_pass(timedelta(minutes=6))
    assert server.edit() == "time_over"
    assert [(c.clock_ms, c.counted_ms) for c in server.corrections] == [
        (-3_600_000, 0),
        (3_604_000, 4_000),
    ]
    assert [record.getMessage() for record in caplog.records] == [
        "the clock was set back by 3600.0 s; times of tasks go on without a jump",
        "attempt a1: counted 4.0 s since its last event, where the clock moved by 3604.0 s",
    ]


@pytest.mark.parametrize("excursion", [timedelta(days=1), timedelta(days=-1), HOUR, -HOUR])
@pytest.mark.parametrize("restarts", [0b00, 0b01, 0b10, 0b11])
def test_excursions_of_the_clock(excursion: timedelta, restarts: int) -> None:
    """Away for an hour's work and back, with and without a restart: no time is lost or gained."""
    server = Server()
    server.edit()
    for number, jump in enumerate((excursion, -excursion)):
        server.clock.time += jump
        if restarts & 1 << number:
            server.restart()
        for _ in range(3):
            server.clock.let_pass(timedelta(minutes=20))
            server.edit()
    assert server.elapsed_ms == wall_ms(server.driver.events) == 2 * 3_600_000
    assert len(server.corrections) == 2


def test_two_servers_take_turns() -> None:
    """Of two servers with a shared clock one was started late: each event has its real time."""
    server = Server()
    server.edit()
    first, second = server.recorder, server._new_life()
    for number in range(6):
        server.clock.let_pass(timedelta(minutes=1))
        server.recorder = (second, first)[number % 2]
        server.edit()
        assert server.elapsed_ms == server.real_ms
    server.clock.time += HOUR
    for recorder in (first, second):
        server.recorder = recorder
        server.clock.let_pass(timedelta(minutes=1))
        server.edit()
        assert server.elapsed_ms == server.real_ms


def test_a_later_position_of_another_process_stops_no_clock() -> None:
    """A command whose clock is an hour ahead stores an event; the server's next ones go on."""
    clock = SetClock()
    timelines = Timelines(clock)
    state = AttemptState(updated_at=iso(START), last_seq=1)
    assert timelines.record("a1", state, clock.now(), lambda: 0).elapsed_ms == 0
    ahead = iso(START + HOUR)
    for seconds in (10, 20):
        state = AttemptState(
            elapsed_ms=3_600_000 + 1000 * (seconds - 10), updated_at=ahead, last_seq=seconds
        )
        clock.let_pass(STEP)
        expected = 3_600_000 + 1000 * seconds
        assert timelines.record("a1", state, clock.now(), lambda: 10_000).elapsed_ms == expected
        assert timelines.elapsed_ms("a1", state) == expected


def test_unsure_clients_gain_no_time() -> None:
    """A browser that claims that no time has passed has the same limit, also with two servers."""
    server = Server(with_overrides(preset("search"), {"clock.limit_s": 300}))
    server.clock.let_pass(HOUR)
    server.edit()
    second = server._new_life()
    server.clock.let_pass(timedelta(minutes=2))
    server.edit(-timedelta(minutes=2))
    server.clock.let_pass(timedelta(minutes=2))
    server.recorder = second
    assert server.edit(-timedelta(minutes=4)) == ""
    assert server.driver.state.work_ms == 240_000
    server.clock.let_pass(timedelta(minutes=2))
    assert server.edit(-timedelta(minutes=6)) == "time_over"


def test_supervisors_mark_nothing() -> None:
    """A batch closed days later, by another process: the time is the clock's, without a mark."""
    server = Server()
    server.edit()
    server.recorder.record(server.driver.context, [Command("s", Skipped(reason="broken"))])
    server.clock.let_pass(timedelta(days=3))
    server.restart()
    server.clock.let_pass(FOUR_S)
    closed = Command("closed", BatchClosed())
    assert server.recorder.record(server.driver.context, [closed]).refusals == {}
    assert server.elapsed_ms == server.real_ms
    assert server.corrections == []


_STEPS = st.one_of(
    st.tuples(st.just("pass"), st.integers(0, 7_200)),
    st.tuples(st.just("jump"), st.integers(-90 * 86_400, 90 * 86_400)),
    st.tuples(st.just("restart"), st.just(0)),
    st.tuples(st.just("edit"), st.just(0)),
)


@given(steps=st.lists(_STEPS, max_size=25))
@examples(120)
def test_time_counts_as_it_passes(steps: list[tuple[str, int]]) -> None:
    """Whatever the clock shows, and whenever the server restarts: in order, and never too much."""
    server = Server()
    server.edit()
    has_restarted = False
    for step, seconds in steps:
        before, events = server.elapsed_ms, len(server.driver.events)
        if step == "pass":
            server.clock.let_pass(timedelta(seconds=seconds))
        elif step == "jump":
            server.clock.time += timedelta(seconds=seconds)
        elif step == "restart":
            server.restart()
            has_restarted = True
        else:
            assert server.edit() == ""
            assert len(server.driver.events) > events
            assert before <= server.elapsed_ms <= server.real_ms
            assert has_restarted or server.elapsed_ms == server.real_ms
        assert server.recorder.elapsed_ms("a1", server.driver.state) <= server.real_ms
    events = server.driver.events
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    assert active_ms(events) <= wall_ms(events) == server.elapsed_ms


@given(
    steps=st.lists(st.tuples(st.integers(0, 400), st.integers(-86_400, 86_400)), max_size=12),
    jumps=st.lists(st.integers(-86_400, 86_400), min_size=12, max_size=12),
)
@examples(120)
def test_claims_of_clients_change_nothing(steps: list[tuple[int, int]], jumps: list[int]) -> None:
    """While a server runs, the limit ends at the same time, whatever a client's clock claims."""
    protocol = with_overrides(preset("search"), {"clock.limit_s": 300})
    server = Server(protocol)
    server.edit()
    for (passed, claimed), jump in zip(steps, jumps, strict=False):
        server.clock.let_pass(timedelta(seconds=passed))
        server.clock.time += timedelta(seconds=jump)
        is_over = server.real_ms > 300_000 + GRACE_MS
        assert server.edit(timedelta(seconds=claimed)) == ("time_over" if is_over else "")


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
        assert [event.type for event in stored][3:] == ["time_corrected", "note_edited"]
        assert [event.elapsed_ms for event in stored] == [0, 10_000, 20_000, 20_000, 20_000]


def test_a_restart_with_the_right_clock_uses_up_no_time(root: Path, clock: SetClock) -> None:
    """As stored: an hour behind, then corrected; the browser says that four seconds have passed."""

    def edit(browser: TestClient, attempt: str, token: str, number: str) -> None:
        event = {"id": number, "type": "note_edited", "payload": {"text": number}}
        event["client_ts"] = iso(START + clock.passed)
        reply = browser.post(
            f"/pagetrail/attempts/{attempt}/events",
            json={"session": "s", "events": [event]},
            headers={"X-Pagetrail": token},
        )
        assert reply.json()["refusals"] == []

    clock.time -= HOUR
    with served_routes(root) as (browser, services):
        attempt, token = at_work(browser, services)
        edit(browser, attempt, token, "1")
    clock.time += HOUR
    with served_routes(root) as (browser, services):
        clock.let_pass(FOUR_S)
        edit(browser, attempt, token, "2")
        stored = list(services.log.events(attempt))
        assert [event.type for event in stored] == ["note_edited", "time_corrected", "note_edited"]
        assert [event.elapsed_ms for event in stored] == [0, 4_000, 4_000]
        assert services.log.state(attempt) == fold(stored)


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


@pytest.mark.parametrize("jump", [HOUR, timedelta(days=400), -HOUR])
def test_clock_jump_does_not_change_a_time_limit(jump: timedelta) -> None:
    """Five minutes are five minutes of the steady clock, also for what arrives with an age."""
    server = Server(with_overrides(preset("search"), {"clock.limit_s": 300}))
    assert server.edit() == ""
    server.clock.let_pass(timedelta(minutes=2))
    assert server.edit() == ""
    server.clock.time += jump
    server.clock.let_pass(timedelta(minutes=2))
    assert server.edit() == ""
    assert server.driver.state.work_ms == 240_000
    server.clock.let_pass(timedelta(minutes=2))
    assert server.edit() == "time_over"
    assert server.edit(age_ms=90_000) == ""
    assert server.recorder.elapsed_ms("a1", server.driver.state) == 360_000


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


def test_drift_of_the_clock_is_no_jump() -> None:
    """A clock that is slewed, a little each minute, changes neither times nor marks."""
    server = Server()
    for _ in range(300):
        server.edit()
        server.clock.let_pass(timedelta(minutes=1))
        server.clock.time += timedelta(milliseconds=30)
    assert server.elapsed_ms == 299 * 60_000
    assert server.corrections == []
