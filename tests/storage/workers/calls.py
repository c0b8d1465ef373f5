"""Functions that worker processes are given in tests; imports little, as each worker imports it."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path

from pagetrail.annotation.errors import Refusal, WorkspaceError
from pagetrail.storage.workers.worker_main import receive_message, send_progress, time_left


def refuse() -> None:
    """Refuse, with all that a refusal carries."""
    raise Refusal("No.", code="no_such", field="answer")


def fail() -> None:
    """A defect."""
    raise ValueError("a defect")


def do_not_start() -> None:
    """An initializer that fails."""
    raise WorkspaceError("There is no index.")


def start_and_hang() -> None:
    """Start a process, tell its id, and wait for it."""
    child = subprocess.Popen(["sleep", "60"])
    send_progress(child.pid)
    child.wait()


def left() -> float:
    """Seconds that the call has."""
    return time_left()


def tell_twice() -> str:
    """Say how far it is."""
    send_progress((1, 2))
    send_progress((2, 2))
    return "done"


def listen(messages: int) -> list[object]:
    """What it was told, once it has that many messages."""
    send_progress("begun")
    return [receive_message(wait=True) for _ in range(messages)]


def nap(seconds: float) -> float:
    """Say that it has started, and take so long."""
    send_progress("begun")
    time.sleep(seconds)
    return seconds


def take_memory(mib: int) -> int:
    """Take so much memory, and keep it for as long as there is a caller."""
    buffer = bytearray(mib << 20)
    for start in range(0, len(buffer), 4096):
        buffer[start] = 1
    send_progress("taken")
    receive_message(wait=True)
    return len(buffer)


def hang_over(path: Path, column: str) -> None:
    """A reader of files that does not end."""
    time.sleep(600)
