"""Calls in worker processes: answered, or ended in time with a typed error; nobody else's is."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Thread
from typing import Any

import psutil
import pytest

from pagetrail.annotation.errors import PagetrailError, Refusal
from pagetrail.storage.workers import memory
from pagetrail.storage.workers.pool import WorkerPool, WorkersBusy, WorkersClosed, WorkersDoNotStart
from pagetrail.storage.workers.process import (
    WorkerCrashed,
    WorkerOutOfMemory,
    WorkerProcess,
    WorkerTimedOut,
)
from tests.storage.workers import calls
from tests.support.function_process import print_line, start_function

LONG_S = 60.0


@pytest.fixture
def pool() -> Iterator[WorkerPool]:
    """One worker, so that every call meets what the one before it left."""
    pool = WorkerPool(1)
    yield pool
    pool.close()


def ends_soon(pid: int) -> bool:
    """Whether a process ends soon."""
    deadline = time.monotonic() + LONG_S
    while time.monotonic() < deadline:
        try:
            if psutil.Process(pid).status() == psutil.STATUS_ZOMBIE:
                return True
        except psutil.NoSuchProcess:
            return True
        time.sleep(0.01)
    return False


def test_results_refusals_and_progress_come_back(pool: WorkerPool) -> None:
    """One process answers all of it; a refusal keeps its code, and costs no process."""
    first = pool.call(os.getpid, timeout=LONG_S)
    assert first != os.getpid()
    with pytest.raises(Refusal, match="No") as refused:
        pool.call(calls.refuse, timeout=LONG_S)
    assert (refused.value.code, refused.value.field) == ("no_such", "answer")
    steps: list[Any] = []
    assert pool.call(calls.tell_twice, timeout=LONG_S, on_progress=steps.append) == "done"
    assert steps == [(1, 2), (2, 2)]
    assert LONG_S - 10 < pool.call(calls.left, timeout=LONG_S) <= LONG_S
    assert pool.pids() == [first] == [pool.call(os.getpid, timeout=LONG_S)]


def test_a_crash_says_how_and_the_next_call_has_a_new_worker(pool: WorkerPool) -> None:
    """Signals and defects are told apart; a worker killed while idle is not even noticed."""
    with pytest.raises(WorkerCrashed) as killed:
        pool.call(signal.raise_signal, signal.SIGSEGV, timeout=LONG_S)
    assert killed.value.exit_code == -signal.SIGSEGV
    with pytest.raises(WorkerCrashed) as defect:
        pool.call(calls.fail, timeout=LONG_S)
    assert defect.value.exit_code == 1
    assert defect.value.stderr.endswith("ValueError: a defect")
    pid = pool.call(os.getpid, timeout=LONG_S)
    os.kill(pid, signal.SIGKILL)
    deadline = time.monotonic() + LONG_S
    while pool.pids():  # its threads end one after the other
        assert time.monotonic() < deadline
        time.sleep(0.01)
    assert pool.call(os.getpid, timeout=LONG_S) != pid


def test_an_idle_worker_ends_and_the_next_call_has_a_new_one() -> None:
    """Only where the pool has a limit: the other tests' pools keep theirs."""
    pool = WorkerPool(1, idle_limit_s=0.1)
    for _ in range(2):
        assert ends_soon(pool.call(os.getpid, timeout=LONG_S))
    pool.close()


def test_what_takes_too_long_is_killed_with_what_it_started(pool: WorkerPool) -> None:
    """A worker that hangs, or is stopped from outside, costs its own call alone."""
    child_pids: list[int] = []
    with pytest.raises(WorkerTimedOut, match="no answer within"):
        pool.call(calls.start_and_hang, timeout=3, wait=LONG_S, on_progress=child_pids.append)
    assert ends_soon(child_pids[0])
    pid = pool.call(os.getpid, timeout=LONG_S)
    os.kill(pid, signal.SIGSTOP)
    with pytest.raises(WorkerTimedOut):
        pool.call(os.getpid, timeout=0.2)
    assert pool.call(os.getpid, timeout=LONG_S) != pid


def test_no_call_waits_longer_than_it_may(pool: WorkerPool) -> None:
    """While the worker is taken the others are refused; closing the pool sends them away."""
    pool.call(os.getpid, timeout=LONG_S)
    with ThreadPoolExecutor(2) as threads:
        slow = threads.submit(pool.call, calls.nap, 60.0, timeout=LONG_S)
        while pool._idle:
            time.sleep(0.01)
        with pytest.raises(WorkersBusy):
            pool.call(os.getpid, timeout=0.1)
        waiting = threads.submit(pool.call, os.getpid, timeout=LONG_S)
        pool.close()
        with pytest.raises(WorkersClosed):
            waiting.result(LONG_S)
        with pytest.raises(WorkersClosed):
            slow.result(LONG_S)
    assert pool.pids() == []


def test_workers_that_do_not_start_are_said_to(monkeypatch: pytest.MonkeyPatch) -> None:
    """The reason comes at once, not after the call's limit; a later call tries again."""
    monkeypatch.setattr("pagetrail.storage.workers.pool._START_PAUSE_S", 0)
    pool = WorkerPool(2, calls.do_not_start)
    for _ in range(2):
        with pytest.raises(WorkersDoNotStart, match="There is no index"):
            pool.call(os.getpid, timeout=LONG_S)
    assert not pool.ready(LONG_S)
    pool.close()


def test_messages_reach_the_function() -> None:
    """Those sent before the call too, in order; a process that has ended says so."""
    process = WorkerProcess()
    try:
        assert process.send("early")
        messages = process.call(calls.listen, 2, on_progress=lambda _: process.send("late"))
        assert messages == ["early", "late"]
    finally:
        process.close()
    assert not process.send("never")


def test_only_an_interruptible_worker_is_interrupted() -> None:
    """Ctrl-C reaches a job's function; a worker of a pool goes on."""
    for interruptible in (False, True):
        process = WorkerProcess(interruptible=interruptible)
        try:
            with ThreadPoolExecutor(1) as threads:
                answer = threads.submit(
                    process.call,
                    calls.nap,
                    1.0,
                    on_progress=lambda _progress, worker=process: worker.interrupt(),
                )
                if interruptible:
                    with pytest.raises(WorkerCrashed) as ended:
                        answer.result(LONG_S)
                    assert "KeyboardInterrupt" in ended.value.stderr
                else:
                    assert answer.result(LONG_S) == 1.0
        finally:
            process.close()


def start_workers() -> None:
    """Start workers at work, and print their ids and what they report."""
    calls_and_arguments: tuple[tuple[Any, tuple[float, ...], bool], ...] = (
        (calls.start_and_hang, (), False),
        (calls.nap, (60.0,), True),
        (calls.listen, (1,), True),
    )
    for call, arguments, interruptible in calls_and_arguments:
        process = WorkerProcess(interruptible=interruptible)
        print_line(process.pid)
        Thread(target=partial(process.call, call, *arguments, on_progress=print_line)).start()


def test_no_worker_outlives_its_caller() -> None:
    """kill -9 of the caller ends a worker at work, what it started, and a job."""
    with start_function(start_workers) as caller:
        assert caller.stdout is not None
        lines = [caller.stdout.readline().strip() for _ in range(6)]
        assert lines.count("begun") == 2
        started = [int(line) for line in lines if line.isdigit()]
        assert len(started) == 4
        assert all(map(psutil.pid_exists, started))
        caller.kill()
    assert all(map(ends_soon, started))


def test_a_worker_that_needs_too_much_memory_ends_alone() -> None:
    """A typed error instead of the whole machine's memory, and the next call has a worker."""
    pool = WorkerPool(1, memory_bytes=512 << 20)
    try:
        with pytest.raises(WorkerOutOfMemory, match="more memory"):
            pool.call(calls.take_memory, 600, timeout=LONG_S)
        assert pool.call(calls.nap, 0.0, timeout=LONG_S) == 0
    finally:
        pool.close()


def test_where_the_kernel_does_not_limit_memory_a_watchdog_does(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As on macOS: the process that exceeds the limit is killed, one that does not goes on."""
    monkeypatch.setattr(memory, "IS_ENFORCED_BY_KERNEL", False)
    process = WorkerProcess(memory_bytes=400 << 20)
    with pytest.raises(WorkerOutOfMemory):
        process.call(calls.take_memory, 600, timeout=LONG_S)
    process.close()
    process = WorkerProcess(memory_bytes=400 << 20)
    assert process.call(calls.nap, 0.5, timeout=LONG_S) == 0.5
    process.close()


@pytest.mark.parametrize("text", ["lots", "-1", "0", "511", "1e9", "9" * 30])
def test_a_limit_of_memory_that_is_none(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The operator is told what is wrong, before anything is read without a limit."""
    monkeypatch.setenv(memory.MEMORY_VARIABLE, text)
    with pytest.raises(PagetrailError, match="must be a number of MiB, at least 512"):
        memory.memory_limit()
