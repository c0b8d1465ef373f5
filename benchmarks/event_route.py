"""The event route: durable events a second and the time of one, against a bare commit.

Clients post one event a request over a connection that stays open, as the workspace does, and wait
for the receipt, which the server hands out after the commit. Each keeps just below the rate from
which on one person's requests are made to wait (``request_rate``), so one person alone measures the
time of an event, and many at the same time how many the server takes. The reference writes the same
row into the same kind of database (WAL, synchronous=FULL), one transaction each, in this process.
"""

from __future__ import annotations

import sqlite3
import tempfile
import time
from itertools import chain
from pathlib import Path
from threading import Barrier, Thread

from benchmarks.harness import Benchmark, Measurement, Setup, milliseconds
from benchmarks.support import Client, RunningServer, attempts_of, person_name, serving

EVENTS = 400
SESSIONS = 20
PAUSE_S = 1 / 35
TARGET_PER_S = 300
TARGET_MS = 10


def measure(setup: Setup) -> list[Measurement]:
    """Measure one session, and many at the same time."""
    root = setup.workspace()
    bare = bare_commits(EVENTS)
    with serving(root) as server:
        for number in range(SESSIONS):
            _post(server, root, number, "warm", 20, None)
        one_session = _post(server, root, 0, "alone", EVENTS, None)
        all_sessions, seconds = _at_once(server, root)
    bare += bare_commits(EVENTS)
    commit_ms, _ = milliseconds(bare)
    return [
        Measurement.of_durations(
            "event to receipt, 1 session",
            one_session,
            target_ms=TARGET_MS,
            reference=("bare SQLite commit", bare),
        ),
        Measurement(
            f"events/s, {SESSIONS} sessions",
            len(all_sessions) / seconds,
            "/s",
            TARGET_PER_S,
            "above",
            ("bare SQLite commit", 1000 / commit_ms),
        ),
        Measurement.of_durations(
            f"event to receipt, {SESSIONS} sessions",
            all_sessions,
            reference=("bare SQLite commit", bare),
        ),
    ]


def bare_commits(count: int) -> list[float]:
    """Seconds of each commit of an event's row in a database of its own."""
    with tempfile.TemporaryDirectory(prefix="pagetrail-bench-") as folder:
        connection = sqlite3.connect(Path(folder) / "bare.sqlite3", isolation_level=None)
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute(
            "CREATE TABLE event (id INTEGER PRIMARY KEY, attempt_id TEXT, seq INTEGER, type TEXT, "
            "version INTEGER, server_ts TEXT, client_ts TEXT, elapsed_ms INTEGER, actor TEXT, "
            "client_event_id TEXT, payload JSON, UNIQUE (attempt_id, seq), "
            "UNIQUE (attempt_id, client_event_id))"
        )
        durations = []
        for seq in range(1, count + 1):
            row = (
                "0" * 32,
                seq,
                "answer_edited",
                1,
                "2026-03-02T09:00:00.250000Z",
                "2026-03-02T09:00:00.250Z",
                seq,
                "p00",
                f"bench-{seq}",
                '{"text": "an answer of a line or so"}',
            )
            started = time.perf_counter()
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("INSERT INTO event VALUES (NULL,?,?,?,?,?,?,?,?,?,?)", row)
            connection.execute("COMMIT")
            durations.append(time.perf_counter() - started)
        connection.close()
    return durations


def _at_once(server: RunningServer, root: Path) -> tuple[list[float], float]:
    """Durations of all events of all sessions, and the seconds that they took together."""
    durations: list[list[float]] = [[] for _ in range(SESSIONS)]
    barrier = Barrier(SESSIONS + 1)

    def post_events(number: int) -> None:
        durations[number] = _post(server, root, number, "together", EVENTS // 4, barrier)

    threads = [Thread(target=post_events, args=(number,)) for number in range(SESSIONS)]
    for thread in threads:
        thread.start()
    barrier.wait()
    started = time.perf_counter()
    for thread in threads:
        thread.join()
    return list(chain.from_iterable(durations)), time.perf_counter() - started


def _post(
    server: RunningServer, root: Path, number: int, run: str, count: int, barrier: Barrier | None
) -> list[float]:
    """Seconds from sending each event to its receipt."""
    name = person_name(number)
    attempt = attempts_of(root, name)[0]
    client = Client(server.port)
    client.sign_in(name)
    client.boot(attempt)
    path = f"/pagetrail/attempts/{attempt}/events"
    if barrier is not None:
        barrier.wait()
    durations = []
    for n in range(count):
        event = {
            "id": f"{run}-{n}",
            "type": "answer_edited",
            "payload": {"text": f"an answer of a line or so, {n}"},
            "client_ts": "2026-03-02T09:00:00.250Z",
            "age_ms": 0,
        }
        started = time.perf_counter()
        reply = client.post(path, {"session": run, "events": [event]})
        durations.append(time.perf_counter() - started)
        time.sleep(max(0.0, PAUSE_S - durations[-1]))
        if len(reply["receipts"]) != 1 or reply["receipts"][0]["repeated"]:
            raise SystemExit(f"The event was not stored: {reply}")
    client.close()
    return durations


BENCHMARK = Benchmark("event_route", measure)
