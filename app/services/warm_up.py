"""Prepares what the first visitors would wait for, before the server reports that it is ready."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from threading import Event, Thread

from pagetrail.storage.workers.garbage import freeze_loaded_objects
from pagetrail.storage.workers.pool import WorkerPool

_READY_WAIT_S = 60.0
_RETRY_PAUSE_S = 5.0
_VIEWS = Path(__file__).parents[1] / "views"


def modules_of_screens() -> list[str]:
    """Modules that the screens' scripts import; with their libraries it takes seconds."""
    modules: dict[str, None] = {}
    for path in sorted(_VIEWS.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module:
                modules[node.module] = None
    return list(modules)


class WarmUp:
    """Starts worker processes and imports modules in the background.

    Args:
        pools: each needs one ready process.
    """

    def __init__(self, pools: Sequence[WorkerPool]) -> None:
        """Nothing is started before ``start``."""
        self._pools = pools
        self._thread: Thread | None = None
        self._closed = Event()

    def start(self) -> None:
        """Begin in the background."""
        self._thread = Thread(target=self._warm_up, name="warm-up", daemon=True)
        self._thread.start()

    def problem(self) -> str | None:
        """Why the first visitors would have to wait, or None."""
        if self._thread is not None and self._thread.is_alive():
            return "The server is starting."
        return None

    def wait(self, timeout: float) -> bool:
        """Whether it has ended, waiting at most ``timeout`` seconds."""
        if self._thread is not None:
            self._thread.join(timeout)
        return self.problem() is None

    def close(self) -> None:
        """Stop waiting."""
        self._closed.set()

    def _warm_up(self) -> None:
        for pool in self._pools:
            pool.start()
        for module in modules_of_screens():
            import_module(module)
        freeze_loaded_objects()
        for pool in self._pools:
            while not pool.ready(_READY_WAIT_S) and not self._closed.wait(_RETRY_PAUSE_S):
                pool.start()
