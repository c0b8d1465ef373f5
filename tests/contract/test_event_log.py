"""What every ``EventLog`` must do, run against each backend."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.event_log import EventLog
from pagetrail.annotation.attempts.recorder import AttemptContext, Command, Recorder
from pagetrail.annotation.attempts.state import AttemptState, fold
from pagetrail.annotation.clock import SystemClock
from pagetrail.annotation.errors import ConflictError, NotFoundError
from pagetrail.annotation.protocols.protocol import preset
from pagetrail.storage.attempts.event_log import SqlEventLog
from pagetrail.storage.database.workspace import Workspace
from tests.support.factory import FakePages, driver, make_workspace, record_attempts
from tests.support.memory_log import MemoryEventLog
from tests.support.postgresql import new_database

ATTEMPT, OTHER = "1-Ada", "1-Grace"
THREADS = 8
COMMANDS_PER_THREAD = 25


@pytest.fixture(params=["memory", "sqlite", "postgresql"])
def log(request: pytest.FixtureRequest, tmp_path: Path) -> EventLog:
    """An empty log that knows two attempts."""
    if request.param == "memory":
        return MemoryEventLog(ATTEMPT, OTHER)
    address = new_database() if request.param == "postgresql" else None
    return SqlEventLog(make_workspace(tmp_path / "ws", address=address).engine)


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    """A workspace in which people have worked."""
    workspace_with_attempts = make_workspace(tmp_path / "ws")
    record_attempts(workspace_with_attempts)
    return workspace_with_attempts


def event(seq: int, client_id: str | None = None, attempt: str = ATTEMPT) -> ev.Event:
    """An event of the attempt."""
    return ev.Event(
        attempt_id=attempt,
        seq=seq,
        server_ts=f"2026-03-02T09:00:{seq:02}.000000Z",
        client_ts=None,
        elapsed_ms=seq * 1000,
        actor="Ada",
        client_event_id=client_id or f"c{seq}",
        payload=ev.AnswerEdited(text=f"answer {seq} 🦦\x00\u2028"),
    )


def test_a_new_attempt_is_empty(log: EventLog) -> None:
    """No events, and the state of a new attempt."""
    assert list(log.events(ATTEMPT)) == []
    assert log.state(ATTEMPT) == AttemptState()
    with log.writing(ATTEMPT) as stream:
        assert stream.state == AttemptState()
        assert stream.find("c1") is None


def test_the_last_event_of_a_client(log: EventLog) -> None:
    """The last one with a time of the client's clock, of this transaction as well."""
    with log.writing(ATTEMPT) as stream:
        stream.append(event(1))
        assert stream.last_of_client() is None
        of_client = event(2).model_copy(update={"client_ts": "2026-03-02T09:00:00Z"})
        stream.append(of_client)
        stream.append(event(3))
        assert stream.last_of_client() == of_client
    with log.writing(OTHER) as stream:
        assert stream.last_of_client() is None


def test_an_unknown_attempt(log: EventLog) -> None:
    """Neither read nor written."""
    with pytest.raises(NotFoundError, match="nobody"), log.writing("nobody"):
        pass
    with pytest.raises(NotFoundError, match="nobody"):
        log.state("nobody")


def test_appended_events_are_read_back(log: EventLog) -> None:
    """Events return equal and in order, in the transaction and after it; others see none."""
    stored = [event(1), event(2), event(3)]
    with log.writing(ATTEMPT) as stream:
        for stored_event in stored:
            stream.append(stored_event)
        assert stream.state == fold(stored)
        assert stream.find("c2") == stored[1]
    assert list(log.events(ATTEMPT)) == stored
    assert log.state(ATTEMPT) == fold(stored)
    assert list(log.events(OTHER)) == []
    with log.writing(ATTEMPT) as stream:
        assert stream.find("c2") == stored[1]
        assert stream.find("c9") is None
        assert stream.state == fold(stored)
    with log.writing(OTHER) as stream:
        assert stream.find("c2") is None


def test_ids_are_unique_within_an_attempt_only(log: EventLog) -> None:
    """Two attempts may use the same client event id."""
    for attempt in (ATTEMPT, OTHER):
        with log.writing(attempt) as stream:
            stream.append(event(1, "same", attempt))
    assert [e.attempt_id for e in log.events(OTHER)] == [OTHER]


@pytest.mark.parametrize("twin", [event(1, "new id"), event(2, "c1")], ids=["seq", "client id"])
def test_a_duplicate_is_a_conflict_and_undoes_its_transaction(
    log: EventLog, twin: ev.Event
) -> None:
    """Neither a sequence number nor a client event id is stored twice."""
    with log.writing(ATTEMPT) as stream:
        stream.append(event(1))
    with pytest.raises(ConflictError, match="already stored"), log.writing(ATTEMPT) as stream:
        stream.append(event(2, "c2") if twin.seq == 1 else event(3, "c3"))
        stream.append(twin)
    assert list(log.events(ATTEMPT)) == [event(1)]
    assert log.state(ATTEMPT) == fold([event(1)])


def test_an_error_rolls_back(log: EventLog) -> None:
    """Whatever goes wrong inside, nothing of the transaction stays, and the log works on."""
    with log.writing(ATTEMPT) as stream:
        stream.append(event(1))
    with pytest.raises(ZeroDivisionError), log.writing(ATTEMPT) as stream:
        stream.append(event(2))
        _ = 1 / 0
    assert [e.seq for e in log.events(ATTEMPT)] == [1]
    assert log.state(ATTEMPT).last_seq == 1
    with log.writing(ATTEMPT) as stream:
        assert stream.state.last_seq == 1
        stream.append(event(2))
    assert log.state(ATTEMPT).last_seq == 2


def test_eight_threads_leave_no_gap(log: EventLog) -> None:
    """Concurrent writers of one attempt: every receipt is an event, seq has neither gap nor twin,
    and each thread's events keep their order."""
    recorder = Recorder(log, FakePages(), SystemClock())
    context = AttemptContext(ATTEMPT, "Ada", preset("search"))
    barrier = Barrier(THREADS)

    def write(thread: int) -> list[int]:
        barrier.wait()
        seqs = []
        for number in range(COMMANDS_PER_THREAD):
            command = Command(f"{thread}-{number}", ev.AnswerEdited(text=f"{thread} {number}"))
            # Sent twice, as an outbox does when the answer is lost.
            first = recorder.record(context, [command]).receipts[0]
            second = recorder.record(context, [command]).receipts[0]
            assert (second.repeated, second.seq) == (True, first.seq)
            seqs.append(first.seq)
        return seqs

    with ThreadPoolExecutor(THREADS) as pool:
        receipts = list(pool.map(write, range(THREADS)))
    stored = list(log.events(ATTEMPT))
    assert [e.seq for e in stored] == list(range(1, THREADS * COMMANDS_PER_THREAD + 1))
    assert sorted(seq for seqs in receipts for seq in seqs) == [e.seq for e in stored]
    for thread, seqs in enumerate(receipts):
        assert seqs == sorted(seqs)
        thread_seqs = [e.seq for e in stored if e.client_event_id.startswith(f"{thread}-")]
        assert thread_seqs == seqs
    elapsed = [e.elapsed_ms for e in stored]
    assert elapsed == sorted(elapsed)
    assert log.state(ATTEMPT) == fold(stored)


def test_threads_racing_with_one_command_store_it_once(log: EventLog) -> None:
    """The same click arriving eight times at once is one event with one receipt."""
    recorder = Recorder(log, FakePages(), SystemClock())
    context = AttemptContext(ATTEMPT, "Ada", preset("search"))
    command = Command("click", ev.CitationAdded(document="b.pdf", page=1))
    barrier = Barrier(THREADS)

    def click(_: int) -> tuple[int, bool]:
        barrier.wait()
        recorded = recorder.record(context, [command])
        assert recorded.refusals == {}
        return recorded.receipts[0].seq, recorded.receipts[0].repeated

    with ThreadPoolExecutor(THREADS) as pool:
        answers = sorted(pool.map(click, range(THREADS)))
    assert answers == [(1, False)] + [(1, True)] * (THREADS - 1)
    assert len(list(log.events(ATTEMPT))) == 1


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE event SET payload = '{}'",
        "UPDATE event SET seq = seq + 100",
        "UPDATE event SET actor = 'Mallory' WHERE attempt_id = '1-Ada'",
        "DELETE FROM event",
        "DELETE FROM event WHERE attempt_id = '1-Ada' AND seq = 2",
        "INSERT OR REPLACE INTO event SELECT id, attempt_id, seq, type, version, server_ts, "
        "client_ts, elapsed_ms, 'Mallory', client_event_id, payload, actor_id, document_version "
        "FROM event",
    ],
)
def test_the_database_refuses_to_change_the_log(workspace: Workspace, statement: str) -> None:
    """UPDATE, DELETE and REPLACE fail past this program's code too; every event stays."""
    log = SqlEventLog(workspace.engine)
    before = list(log.events(ATTEMPT))
    with (
        workspace.engine.connect() as connection,
        pytest.raises(IntegrityError, match="append-only"),
    ):
        connection.execute(text(statement))
    assert list(log.events(ATTEMPT)) == before


def test_an_attempt_with_events_cannot_be_deleted(workspace: Workspace) -> None:
    """Foreign keys are on: no event is orphaned."""
    with (
        workspace.engine.connect() as connection,
        pytest.raises(IntegrityError, match="FOREIGN KEY"),
    ):
        connection.execute(text("DELETE FROM attempt WHERE id = '1-Ada'"))


def test_sqlite_keeps_acknowledged_events(workspace: Workspace) -> None:
    """Durability and locking are as the design says on every connection of the pool."""
    pragmas = {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "busy_timeout": 15_000}
    with workspace.engine.connect() as first, workspace.engine.connect() as second:
        for connection in (first, second):
            for name, value in pragmas.items():
                assert connection.execute(text(f"PRAGMA {name}")).scalar() == value


def test_the_projection_equals_the_fold(workspace: Workspace) -> None:
    """After real work each stored state, with its columns, is the fold of the stored events."""
    log = SqlEventLog(workspace.engine)
    with workspace.engine.connect() as connection:
        rows = connection.execute(text("SELECT * FROM attempt_state")).all()
    assert {row.attempt_id for row in rows} == {"1-Ada", "1-Grace", "2-Ada", "2-Grace", "3-Ada"}
    for row in rows:
        state = fold(log.events(row.attempt_id))
        assert AttemptState.model_validate_json(row.state) == state == log.state(row.attempt_id)
        assert (row.status, row.outcome, row.last_seq) == (
            state.status,
            state.outcome,
            state.last_seq,
        )
        assert bool(row.flagged) == (state.flag is not None)
        assert (row.n_citations, row.n_searches) == (len(state.citations), len(state.searches))


def test_second_process_reads_the_same_log(workspace: Workspace) -> None:
    """A reopened workspace has every event, and continues where it was."""
    reopened_workspace = Workspace.open(workspace.root)
    before = list(SqlEventLog(workspace.engine).events("3-Ada"))
    other = driver(reopened_workspace, "3-Ada")
    assert other.events == before
    other.clock.advance(seconds=1_000)
    other.sent = len(before)
    other.do(ev.AnswerEdited(text="more"))
    assert [e.seq for e in SqlEventLog(workspace.engine).events("3-Ada")] == list(
        range(1, len(before) + 2)
    )
