"""Computations in worker processes: once for all who look, within a limit, and to be cancelled."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pagetrail.annotation.errors import Busy, Refusal
from pagetrail.app.services.computations import Computations, TooLong
from pagetrail.storage.database.workspace import Workspace
from tests.storage.workers.test_pool import ends_soon

CALLS_MODULE = "tests.app.services.computed_calls"
LONG_S = 60.0

ComputationsFactory = Callable[[float], Computations]


@pytest.fixture
def computations_factory(workspace: Workspace) -> Iterator[ComputationsFactory]:
    """Makes the computations of a workspace, with a limit in seconds."""
    all_: list[Computations] = []

    def make(limit_s: float = LONG_S) -> Computations:
        all_.append(Computations(workspace.root, limit_s=limit_s))
        return all_[-1]

    yield make
    for computations in all_:
        computations.pool.close()


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """Where each call is noted, with its process."""
    return tmp_path / "log"


def calls(log: Path) -> list[int]:
    """The processes of the calls so far."""
    return [int(line) for line in log.read_text().split()] if log.exists() else []


def wait_for_a_call(log: Path) -> int:
    """The process of the first call, once there is one."""
    wait_until(lambda: bool(calls(log)))
    return calls(log)[0]


def wait_until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + LONG_S
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_equal_keys_are_computed_once_and_elsewhere(
    computations_factory: ComputationsFactory, log: Path
) -> None:
    """Those who come meanwhile and those who come later get the same; another key is another."""
    computations = computations_factory(LONG_S)
    first, second = (computations.get("a", f"{CALLS_MODULE}:pid", log) for _ in range(2))
    assert first is second
    assert first.result() != os.getpid()
    assert computations.get("a", f"{CALLS_MODULE}:pid", log) is first
    assert len(calls(log)) == 1
    computations.get("b", f"{CALLS_MODULE}:pid", log).result()
    assert len(calls(log)) == 2


def test_computation_over_its_time_limit_ends_and_is_not_restarted(
    computations_factory: ComputationsFactory, log: Path
) -> None:
    """Everybody who looks is told; somebody may ask for it again."""
    computations = computations_factory(1.0)
    late = computations.get("a", f"{CALLS_MODULE}:hang", log)
    with pytest.raises(TooLong, match="longer than 1 s"):
        late.result()
    assert all(map(ends_soon, calls(log)))
    assert computations.get("a", f"{CALLS_MODULE}:hang", log) is late
    computations.forget("a", late)
    assert computations.get("a", f"{CALLS_MODULE}:hang", log) is not late


def test_refusal_reaches_everybody_who_waits(
    computations_factory: ComputationsFactory, log: Path
) -> None:
    """It is the result of the same inputs; a process that ends says so."""
    computations = computations_factory(LONG_S)
    for _ in range(2):
        with pytest.raises(Refusal, match="No"):
            computations.get("a", f"{CALLS_MODULE}:refuse", log).result()
    assert len(calls(log)) == 1
    with pytest.raises(Busy, match="ended"):
        computations.get("b", "builtins:no_such", log).result()


def test_a_computation_is_cancelled_unless_somebody_else_waits(
    computations_factory: ComputationsFactory, log: Path
) -> None:
    """Its process is killed; the next one who looks has it computed again.

    A run of one's own screen that was overtaken and still waits is nobody else.
    """
    computations = computations_factory(LONG_S)
    hanging = computations.get("a", f"{CALLS_MODULE}:hang", log)
    pid = wait_for_a_call(log)
    wait_until(lambda: hanging.progress == (1, 2, "steps done"))
    computations.add_waiter(hanging, "mine")
    computations.add_waiter(hanging, "theirs")
    computations.cancel("a", hanging, "mine")
    assert computations.get("a", f"{CALLS_MODULE}:hang", log) is hanging
    assert not hanging.wait(0)
    computations.remove_waiter(hanging, "theirs")
    computations.cancel("a", hanging, "mine")
    with pytest.raises(TooLong, match="cancelled"):
        hanging.result()
    assert ends_soon(pid)
    assert computations.get("a", f"{CALLS_MODULE}:pid", log).result() not in (pid, os.getpid())


def test_computation_may_ask_for_input(computations_factory: ComputationsFactory) -> None:
    """Answers and typed errors of this process reach the function in the other."""

    def answer(question: str) -> int:
        if question == "who?":
            raise Refusal("Nobody.", code="no")
        return 7

    answers = computations_factory(LONG_S).compute(f"{CALLS_MODULE}:ask_twice", on_question=answer)
    assert answers == ["ws", 7, "Nobody."]
