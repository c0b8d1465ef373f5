"""What the first people would wait for, made ready before the server says that it is ready."""

from __future__ import annotations

import ast
import logging
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from threading import Event, Thread
from typing import Protocol

from pagetrail.storage.workers.garbage import keep_what_is_loaded

_WAIT_S = 60.0
_PAUSE_S = 5.0
_VIEWS = Path(__file__).parents[1] / "views"
_log = logging.getLogger("pagetrail.server")


def imported_by_screens() -> list[str]:
    """The modules that the scripts of the screens import: with their libraries it takes seconds."""
    found: dict[str, None] = {}
    for path in sorted(_VIEWS.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module:
                found[node.module] = None
    return list(found)


class Processes(Protocol):
    """Worker processes."""

    def start(self) -> None:
        """Start them in the background."""

    def ready(self, seconds: float) -> bool:
        """Whether one is free, after waiting for at most so long."""
        ...


class WarmUp:
    """Starts worker processes and imports modules beside the server.

    Args:
        processes: of which one each has to be ready.
    """

    def __init__(self, processes: Sequence[Processes]) -> None:
        """Nothing is started before ``start``."""
        self._processes = processes
        self._thread: Thread | None = None
        self._closed = Event()

    def start(self) -> None:
        """Begin; what a server does not do is not waited for."""
        self._thread = Thread(target=self._warm_up, name="warm-up", daemon=True)
        self._thread.start()

    def problem(self) -> str | None:
        """Why the first people would have to wait, or None."""
        if self._thread is not None and self._thread.is_alive():
            return "The server is starting."
        return None

    def ended(self, seconds: float) -> bool:
        """Whether nobody would have to wait, after waiting for at most so long."""
        if self._thread is not None:
            self._thread.join(seconds)
        return self.problem() is None

    def close(self) -> None:
        """Wait for nothing any more."""
        self._closed.set()

    def _warm_up(self) -> None:
        for each in self._processes:
            each.start()
        for module in imported_by_screens():
            import_module(module)
        keep_what_is_loaded()
        for each in self._processes:
            while not each.ready(_WAIT_S) and not self._closed.wait(_PAUSE_S):
                each.start()
