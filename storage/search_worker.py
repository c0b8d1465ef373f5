"""The process that answers queries.

Started as ``python -m storage.search_worker FD FOLDER IDENTITY``, with one end of a pipe as an
inherited descriptor. It ends when the other end is closed, which is also what happens when the
server is killed. It imports neither the database nor the PDF reader, to stay small.
"""

from __future__ import annotations

import os
import signal
import sys
from multiprocessing.connection import Connection
from pathlib import Path
from types import FrameType
from typing import Any

from annotation.errors import QueryRefused
from storage.search_engine import WhooshIndex

READY = "ready"
DONE = "done"
REFUSED = "refused"
TIMEOUT_CODE = "query_timeout"
TIMEOUT_MESSAGE = (
    "This query takes too long on a collection of this size. Use fewer or more specific words, "
    "and fewer patterns with *."
)
_METHODS = ("search", "more", "highlight_terms", "suggest")


def serve(pipe: Connection, folder: Path, identity: str) -> None:
    """Answer requests ``(seconds, method, arguments)`` until the pipe closes.

    Replies are ``(DONE, value)`` or ``(REFUSED, code, message)``; the first is ``(READY, pid)``.
    The seconds are a soft limit, kept by an alarm that interrupts the engine's Python code.
    """
    index = WhooshIndex(folder, identity)
    pipe.send((READY, os.getpid()))
    while True:
        seconds, method, arguments = pipe.recv()
        reply: tuple[Any, ...]
        try:
            reply = (DONE, limited(index, seconds, method, arguments))
        except QueryRefused as refused:
            reply = (REFUSED, refused.code, refused.message)
        pipe.send(reply)
        if reply[:2] == (REFUSED, TIMEOUT_CODE):
            # Interrupted anywhere: what the engine keeps between queries is not trusted again.
            index.close()
            index = WhooshIndex(folder, identity)


def limited(index: WhooshIndex, seconds: float, method: str, arguments: tuple[Any, ...]) -> Any:
    """Call a method of an index, interrupted after so many seconds. In the main thread only.

    Raises:
        QueryRefused: by the index, or because the time was up; the index is then to be opened anew.
    """
    if method not in _METHODS:
        raise QueryRefused(f"The search process has no {method!r}.", code="query_failed")
    signal.signal(signal.SIGALRM, _too_slow)
    signal.setitimer(signal.ITIMER_REAL, max(0.01, seconds))
    try:
        return getattr(index, method)(*arguments)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def _too_slow(_signal: int, _frame: FrameType | None) -> None:
    raise QueryRefused(TIMEOUT_MESSAGE, code=TIMEOUT_CODE)


def main(arguments: list[str]) -> None:
    """Serve with the descriptor, folder and identity given."""
    # Ctrl-C in a terminal goes to the whole group; the server ends its children itself.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    descriptor, folder, identity = arguments
    pipe: Any = Connection(int(descriptor))
    try:
        serve(pipe, Path(folder), identity)
    except (EOFError, BrokenPipeError, ConnectionResetError):
        sys.exit(0)


if __name__ == "__main__":
    main(sys.argv[1:])
