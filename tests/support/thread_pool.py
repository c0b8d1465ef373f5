"""A pool that calls functions in the caller's thread: starting a process takes seconds."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from functools import partial
from threading import local
from typing import Any

from pagetrail.app.services import composition
from pagetrail.app.services.computations import Computations
from pagetrail.app.services.warm_up import WarmUp
from pagetrail.storage.workers import serve
from pagetrail.storage.workers.pool import WorkerPool
from pagetrail.storage.workers.process import answer_of


class ThreadPool(WorkerPool):
    """Calls as a worker process would: arguments and results are pickled."""

    def __init__(self) -> None:
        super().__init__(1)

    def start(self, _workers: int | None = None) -> None:
        """There is nothing to start."""

    def call(self, function: Callable[..., Any], *args: Any, **options: Any) -> Any:
        """The function's result; limits of time are not kept."""
        serve._Serving.connection = _CONNECTION  # type: ignore[assignment]
        _CONNECTION.on_tell = options.get("on_tell")
        _CONNECTION.on_ask = options.get("on_ask")
        return _sent(function(*_sent(args)))


class _Connection(local):
    """The worker's end of the connection, one for each thread."""

    on_tell: Callable[[Any], None] | None = None
    on_ask: Callable[[Any], Any] | None = None
    answer: Any = None

    def send(self, message: tuple[str, Any]) -> None:
        kind, value = _sent(message)
        if kind == serve.ASKED and self.on_ask is not None:
            self.answer = answer_of(self.on_ask, value)
        elif self.on_tell is not None:
            self.on_tell(value)

    def recv(self) -> tuple[str, Any]:
        return serve.SAID, _sent(self.answer)


_CONNECTION = _Connection()


def _sent(value: Any) -> Any:
    return pickle.loads(pickle.dumps(value))


def compute_in_threads() -> None:
    """Let all services of this process compute without worker processes."""
    vars(composition)["Computations"] = partial(Computations, pool=ThreadPool())


def take_server_shortcuts() -> None:
    """Start no process of the server before it is needed, but one that draws pages."""
    compute_in_threads()

    def start(warm_up: WarmUp) -> None:
        warm_up._processes[0].start()

    WarmUp.start = start  # type: ignore[method-assign]
