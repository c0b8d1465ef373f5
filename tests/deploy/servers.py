"""Asking servers that other programs start, and waiting for them."""

from __future__ import annotations

import time
from collections.abc import Callable
from http.client import HTTPConnection, HTTPException
from pathlib import Path

_WAIT_S = 180.0


def answers(port: int, path: str) -> bool:
    """Whether there is a server at the port that has nothing to complain of."""
    connection = HTTPConnection("127.0.0.1", port, timeout=20)
    try:
        connection.request("GET", path)
        return connection.getresponse().status == 200
    except (OSError, HTTPException):
        return False
    finally:
        connection.close()


def wait(is_ready: Callable[[], bool], log: Path) -> None:
    """Wait for something; where it never comes, the end of the log is shown."""
    give_up = time.monotonic() + _WAIT_S
    while not is_ready():
        assert time.monotonic() < give_up, log.read_text(errors="replace")[-4000:]
        time.sleep(0.1)
