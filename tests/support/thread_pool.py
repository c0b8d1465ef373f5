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
from pagetrail.storage.workers import worker_main
from pagetrail.storage.workers.pool import WorkerPool
from pagetrail.storage.workers.process import answer_or_error


class ThreadPool(WorkerPool):
    """Calls as a worker process would: arguments and results are pickled."""

    def __init__(self) -> None:
        super().__init__(1)

    def start(self, _workers: int | None = None) -> None:
        """There is nothing to start."""

    def call(self, function: Callable[..., Any], *args: Any, **options: Any) -> Any:
        """The function's result; limits of time are not kept."""
        worker_main._WorkerState.connection = _CONNECTION  # type: ignore[assignment]
        _CONNECTION.on_progress = options.get("on_progress")
        _CONNECTION.on_question = options.get("on_question")
        return _sent(function(*_sent(args)))


class _Connection(local):
    """The worker's end of the connection, one for each thread."""

    on_progress: Callable[[Any], None] | None = None
    on_question: Callable[[Any], Any] | None = None
    answer: Any = None

    def send(self, message: tuple[str, Any]) -> None:
        kind, value = _sent(message)
        if kind == worker_main.QUESTION and self.on_question is not None:
            self.answer = answer_or_error(self.on_question, value)
        elif self.on_progress is not None:
            self.on_progress(value)

    def recv(self) -> tuple[str, Any]:
        return worker_main.MESSAGE, _sent(self.answer)


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
        warm_up._pools[0].start()

    WarmUp.start = start  # type: ignore[method-assign]
