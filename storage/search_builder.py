"""The process that builds an index beside a running server.

Started as ``python -m storage.search_builder FD ROOT``; it takes a minute on a large collection and
would hold the server's interpreter. It ends when the other end of its pipe is closed.
"""

from __future__ import annotations

import os
import signal
import sys
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Thread
from typing import Any

from annotation.errors import PagetrailError
from storage.search_store import ensure_index
from storage.search_worker import DONE, REFUSED
from storage.workspace import Workspace


def build(pipe: Connection, root: Path) -> None:
    """Make the workspace's index current; reply ``(DONE, identity)`` or ``(REFUSED, …)``."""
    Thread(target=_end_with, args=(pipe,), daemon=True).start()
    reply: tuple[Any, ...]
    try:
        reply = (DONE, ensure_index(Workspace.open(root)).identity)
    except PagetrailError as error:
        reply = (REFUSED, error.code, error.message)
    pipe.send(reply)


def _end_with(pipe: Connection) -> None:
    try:
        pipe.recv()
    except (EOFError, OSError):
        os._exit(1)


def main(arguments: list[str]) -> None:
    """Build with the descriptor and the workspace's folder given."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    descriptor, root = arguments
    pipe: Any = Connection(int(descriptor))
    build(pipe, Path(root))


if __name__ == "__main__":
    main(sys.argv[1:])
