"""What must hold when two processes work on one database at the same moment, on either database."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import insert, select, update

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.recorder import AttemptContext, Command, Recorder
from pagetrail.annotation.attempts.state import fold
from pagetrail.annotation.clock import ManualClock, SystemClock, parse_iso
from pagetrail.annotation.errors import ConflictError
from pagetrail.annotation.protocols.protocol import preset, with_overrides
from pagetrail.storage.attempts.event_log import SqlEventLog
from pagetrail.storage.batches.claims import claim_next_batch
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.location import DATABASE_URL
from pagetrail.storage.database.tables import Assignment, Batch, ReviewTask, Task, User
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.administration import set_active
from pagetrail.storage.progress.dashboard import count_events
from pagetrail.storage.review.bulk_acceptance import accept, propose
from tests.support.factory import FakePages
from tests.support.postgresql import new_database
from tests.support.review_campaign import CAMPAIGN, NAMES, Reviewed, campaign

_FORKS = get_context("fork")
PROTOCOL = with_overrides(
    preset("search"), {"overlap": 1, "evidence.required": False, "review.check_share": 0.0}
)
_SUBMITTED = ev.Submitted(outcome="answered")
EVENTS_PER_PROCESS = 15
_HOUR = timedelta(hours=1)
ROUNDS = 6


@pytest.fixture(params=["sqlite", "postgresql"])
def case(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Reviewed:
    """Tasks with two people's equal answers, and as many batches that nobody has."""
    address = new_database() if request.param == "postgresql" else None
    if address is not None:
        monkeypatch.setenv(DATABASE_URL, address)
    records = [{"id": f"t/{n}", "question": f"Who {n}?"} for n in range(1, ROUNDS + 1)]
    reviewed = campaign(tmp_path / "ws", PROTOCOL, records, people=4, address=address)
    for task in range(2, ROUNDS + 1):
        for name in NAMES[:2]:
            reviewed.answer(f"{task}-{name}", "otter", 1)
    with write_transaction(reviewed.workspace.engine) as connection:
        for number in range(101, 101 + ROUNDS):
            row = {"campaign_id": CAMPAIGN, "position": number, "priority": 0}
            batch = connection.execute(insert(Batch).values(row | {"code_name": f"B{number}"}))
            key = batch.inserted_primary_key
            assert key is not None
            row = {"campaign_id": CAMPAIGN, "position": number, "record": {}}
            connection.execute(insert(Task).values(row | {"key": f"x{number}", "batch_id": key[0]}))
    return reviewed


def _run_in_two_processes(root: Path, act: Callable[[Reviewed, int, Any], object]) -> list[object]:
    """What ``act`` returned in two processes that open the workspace, and meet at a barrier."""
    barrier = _FORKS.Barrier(2, timeout=60)
    pipes = [_FORKS.Pipe() for _ in range(2)]

    def run(number: int) -> None:
        reviewed = Reviewed(Workspace.open(root))
        pipes[number][1].send(act(reviewed, number, barrier))

    processes = [_FORKS.Process(target=run, args=(number,)) for number in range(2)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(120)
        assert process.exitcode == 0
    return [receiver.recv() for receiver, _ in pipes]


def test_one_attempt_is_written_through_both(case: Reviewed) -> None:
    """No refusal, no gap, nothing twice, though both send some events; the fold is stored."""

    def write(reviewed: Reviewed, number: int, barrier: Any) -> int:
        recorder = Recorder(reviewed.log, FakePages(), SystemClock())
        context = AttemptContext("1-Ada", "Ada", PROTOCOL)
        barrier.wait()
        refusals = 0
        for n in range(EVENTS_PER_PROCESS):
            # Every third event is one that the other process sends as well.
            id_ = f"both-{n}" if n % 3 == 0 else f"{number}-{n}"
            commands = [Command(id_, ev.AnswerEdited(text=id_))]
            refusals += len(recorder.record(context, commands).refusals)
        return refusals

    assert _run_in_two_processes(case.workspace.root, write) == [0, 0]
    log = SqlEventLog(case.workspace.engine)
    stored = list(log.events("1-Ada"))
    unshared = {f"{number}-{n}" for number in (0, 1) for n in range(EVENTS_PER_PROCESS) if n % 3}
    shared = {f"both-{n}" for n in range(0, EVENTS_PER_PROCESS, 3)}
    assert [event.seq for event in stored] == list(range(1, len(unshared) + len(shared) + 1))
    assert {event.client_event_id for event in stored} == unshared | shared
    assert log.state("1-Ada") == fold(stored)


def test_events_have_the_databases_time(case: Reviewed) -> None:
    """Two processes whose clocks are an hour apart take turns: on PostgreSQL no time goes back.

    SQLite has one machine's clock, and one that a caller injects counts on both.
    """

    def write(reviewed: Reviewed, number: int, barrier: Any) -> list[str]:
        recorder = Recorder(reviewed.log, FakePages(), _Wrong(hours=number))
        context = AttemptContext("1-Ada", "Ada", PROTOCOL)
        times = []
        for n in range(4):
            barrier.wait()
            if n % 2 == number:
                command = Command(f"{number}-{n}", ev.AnswerEdited(text=str(n)))
                times.append(recorder.record(context, [command]).receipts[0].server_ts)
        return times

    start = datetime.now(UTC)
    first, second = (
        list(map(parse_iso, times)) for times in _run_in_two_processes(case.workspace.root, write)
    )  # type: ignore[call-overload]
    ended = datetime.now(UTC)
    stored = [parse_iso(event.server_ts) for event in case.log.events("1-Ada")]
    if case.workspace.engine.dialect.name == "postgresql":
        assert stored == [first[0], second[0], first[1], second[1]] == sorted(stored)
        assert start <= stored[0] <= stored[-1] <= ended
    else:
        assert all(start <= timestamp <= ended for timestamp in first)
        assert all(start + _HOUR <= timestamp <= ended + _HOUR for timestamp in second)
    past = ManualClock(start - _HOUR)
    recorder = Recorder(case.log, FakePages(), past)
    command = Command("past", ev.AnswerEdited(text="past"))
    (receipt,) = recorder.record(AttemptContext("1-Ada", "Ada", PROTOCOL), [command]).receipts
    assert parse_iso(receipt.server_ts) == past.now()


class _Wrong(SystemClock):
    """The clock of a machine that is so much fast."""

    def __init__(self, hours: float) -> None:
        self._offset = hours * _HOUR

    def now(self) -> datetime:
        return super().now() + self._offset


def test_two_people_submit_the_same_tasks(case: Reviewed) -> None:
    """Neither is refused, each task has one review row, and the counts have every event."""

    def write(reviewed: Reviewed, number: int, barrier: Any) -> int:
        recorder = Recorder(reviewed.log, FakePages(), SystemClock())
        name = NAMES[2 + number]
        commands = [Command("a", ev.AnswerEdited(text="otter")), Command("b", _SUBMITTED)]
        refusals = 0
        for task in range(1, ROUNDS + 1):
            context = AttemptContext(f"{task}-{name}", name, PROTOCOL)
            barrier.wait()
            refusals += len(recorder.record(context, commands).refusals)
        return refusals

    engine = case.workspace.engine
    before = count_events(engine, CAMPAIGN)
    assert _run_in_two_processes(case.workspace.root, write) == [0, 0]
    after = count_events(engine, CAMPAIGN, before)
    assert after.events - before.events == 2 * 2 * ROUNDS
    assert after == count_events(engine, CAMPAIGN)
    with engine.connect() as connection:
        stale = connection.execute(select(ReviewTask.task_id).where(ReviewTask.stale)).scalars()
        assert sorted(stale) == list(range(1, ROUNDS + 1))


def test_a_batch_is_never_claimed_by_too_many(case: Reviewed) -> None:
    """Both claim until nothing is left: each free slot is given to one of them."""

    def claim(reviewed: Reviewed, number: int, barrier: Any) -> int:
        barrier.wait()
        claims = 0
        while claim_next_batch(reviewed.workspace, "Random", number + 1) is not None:
            claims += 1
        return claims

    claims = _run_in_two_processes(case.workspace.root, claim)
    with case.workspace.engine.connect() as connection:
        assigned_batches = select(Assignment.batch_id).join(Batch).where(Batch.position > 100)
        per_batch = Counter(connection.execute(assigned_batches).scalars())
    assert sum(int(str(n)) for n in claims) == ROUNDS
    assert set(per_batch.values()) == {1}
    assert len(per_batch) == ROUNDS


def test_two_supervisors_do_not_decide_one_task_twice(case: Reviewed) -> None:
    """Both accept what both have seen: one is told that the other was first."""

    def decide(reviewed: Reviewed, number: int, barrier: Any) -> list[str]:
        name = ("Sofia", "Sven")[number]
        refusals = []
        for task in range(2, ROUNDS + 1):
            proposed = propose(reviewed.reviews, (task,), name)
            barrier.wait()
            refusals += [
                acceptance.refused
                for acceptance in accept(reviewed.reviews, proposed, name, "", name)
            ]
            barrier.wait()
        return refusals

    first, second = _run_in_two_processes(case.workspace.root, decide)
    assert isinstance(first, list)
    assert isinstance(second, list)
    for task, answers in enumerate(zip(first, second, strict=True), start=2):
        assert sorted(map(bool, answers)) == [False, True], answers
        gold = case.reviews.streams.gold(task)
        kinds = [event.type for event in case.log.events(gold.attempt_id)]
        assert kinds.count("adjudicated") == 1


def test_an_admin_always_stays(case: Reviewed) -> None:
    """Two admins are deactivated at the same moment, one by each process: one is refused."""
    admins = User.name.in_(("Sofia", "Sven"))
    with write_transaction(case.workspace.engine) as connection:
        connection.execute(update(User).where(admins).values(role="admin"))

    def bar(reviewed: Reviewed, number: int, barrier: Any) -> list[bool]:
        name = ("Sofia", "Sven")[number]
        refused = []
        for _ in range(ROUNDS):
            barrier.wait()
            try:
                set_active(reviewed.workspace, None, name, False)
            except ConflictError:
                refused.append(True)
            else:
                refused.append(False)
            barrier.wait()
            set_active(reviewed.workspace, None, name, True)
        return refused

    first, second = _run_in_two_processes(case.workspace.root, bar)
    assert isinstance(first, list)
    assert isinstance(second, list)
    assert [a + b for a, b in zip(first, second, strict=True)] == [1] * ROUNDS
