"""Worker processes that share calls: started when needed, replaced when lost."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from threading import Condition, Lock, Thread
from typing import Any, TypeVar

from pagetrail.annotation.errors import PagetrailError
from pagetrail.storage.workers.process import WorkerFailure, WorkerProcess

T = TypeVar("T")

_START_LIMIT_S = 60.0
_START_ATTEMPTS = 3
_START_PAUSE_S = 0.2
_log = logging.getLogger("pagetrail.workers")


class WorkersBusy(WorkerFailure):
    """No worker was free within the call's limit."""


class WorkersDoNotStart(WorkerFailure):
    """There is no worker, and none could be started; the message is the reason."""


class WorkersClosed(WorkerFailure):
    """The pool was closed before a worker was free."""


class WorkCancelled(WorkerFailure):
    """The call was cancelled."""


class Cancellation:
    """Stops one call of a pool, from any thread: the worker that is at it is killed."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._process: WorkerProcess | None = None
        self._cancelled = False

    def cancel(self) -> None:
        """End the call, or let it not begin."""
        with self._lock:
            self._cancelled = True
            if self._process is not None:
                self._process.kill()

    def begins(self, process: WorkerProcess) -> bool:
        """The call is in this process from now on; False where it is cancelled already."""
        with self._lock:
            self._process = process
            return not self._cancelled

    def ends(self) -> bool:
        """The process does other work from now on; False where it has been killed."""
        with self._lock:
            self._process = None
            return not self._cancelled


class WorkerPool:
    """At most ``size`` worker processes. Thread-safe; one that dies takes only its own call along.

    Args:
        initializer: called in each worker before anything else, with ``initargs``; a worker takes
            calls once it has returned.
        memory_bytes: that each worker may take; None: as much as the system gives it.
    """

    def __init__(
        self,
        size: int,
        initializer: Callable[..., object] | None = None,
        initargs: tuple[Any, ...] = (),
        *,
        memory_bytes: int | None = None,
    ) -> None:
        """Nothing is started before ``start`` or the first call."""
        self._size = size
        self._initializer = initializer
        self._initargs = initargs
        self._memory_bytes = memory_bytes
        self._changed = Condition()
        self._idle: list[WorkerProcess] = []
        self._all: set[WorkerProcess] = set()
        self._slots = 0  # workers that are there or being started
        self._closed = False
        self._why_not = ""

    def start(self, workers: int | None = None) -> None:
        """Start workers in the background, all unless told; ``ready`` waits for the first."""
        with self._changed:
            for _ in range((self._size if workers is None else workers) - self._slots):
                self._add_worker()

    def ready(self, seconds: float) -> bool:
        """Whether a worker is free, waiting at most so long for the first to start."""
        with self._changed:
            self._changed.wait_for(lambda: self._idle or not self._slots, seconds)
            return bool(self._idle)

    def pids(self) -> list[int]:
        """Process ids of the workers that live."""
        with self._changed:
            return [process.pid for process in self._all if process.alive]

    def call(
        self,
        function: Callable[..., T],
        *args: Any,
        timeout: float,
        wait: float | None = None,
        on_tell: Callable[[Any], None] | None = None,
        on_ask: Callable[[Any], Any] | None = None,
        cancellation: Cancellation | None = None,
    ) -> T:
        """The function's result in a worker; for the rest see ``WorkerProcess.call``.

        Args:
            timeout: seconds that it may take.
            wait: seconds to wait for a free worker; None: the wait counts towards ``timeout``.
            cancellation: stops this call.

        Raises:
            WorkersBusy: no worker was free in that time.
            WorkersDoNotStart: there is no worker and none can be started.
            WorkersClosed: the pool is closed.
            WorkerTimedOut: the worker took too long; it is killed and replaced.
            WorkerCrashed: the worker died; it is replaced.
            WorkerOutOfMemory: it needed more memory than it may take; it is replaced.
            WorkCancelled: the call was cancelled; the worker is replaced.
            PagetrailError: what the function raised.
        """
        cancellation = cancellation or Cancellation()
        asked = time.monotonic()
        process = self._take_worker(asked + (timeout if wait is None else wait))
        if wait is None:
            timeout = max(0.0, asked + timeout - time.monotonic())
        if not cancellation.begins(process):
            self._put_back(process)
            raise WorkCancelled
        try:
            result = process.call(function, *args, timeout=timeout, on_tell=on_tell, on_ask=on_ask)
        except PagetrailError:
            self._put_back_or_replace(process, whole=cancellation.ends())
            raise
        except WorkerFailure as failure:
            cancelled = not cancellation.ends()
            self._replace(process)
            raise WorkCancelled if cancelled else failure from None
        except BaseException:
            cancellation.ends()
            self._replace(process)
            raise
        self._put_back_or_replace(process, whole=cancellation.ends())
        return result

    def close(self, *, at_once: bool = False) -> None:
        """End the workers and start no others; who waits for a free one is told.

        Args:
            at_once: kill those that are at work too; their calls see them crashed. Otherwise each
                finishes the call that it is at.
        """
        with self._changed:
            self._closed = True
            idle, self._idle = self._idle, []
            if at_once:
                for process in self._all:
                    process.kill()
            self._changed.notify_all()
        for process in idle:
            self._release(process)

    def _take_worker(self, deadline: float) -> WorkerProcess:
        """A free worker that lives."""
        with self._changed:
            while self._idle and not self._idle[-1].alive:
                self._release(self._idle.pop())
            if not self._idle:
                self._add_worker()
            while not self._idle:
                if self._closed:
                    raise WorkersClosed
                if not self._slots:
                    raise WorkersDoNotStart(self._why_not)
                if not self._changed.wait(deadline - time.monotonic()):
                    raise WorkersBusy
            return self._idle.pop()

    def _put_back(self, process: WorkerProcess) -> None:
        with self._changed:
            if not self._closed:
                self._idle.append(process)
                self._changed.notify()
                return
        self._release(process)

    def _put_back_or_replace(self, process: WorkerProcess, *, whole: bool) -> None:
        if whole:
            self._put_back(process)
        else:
            self._replace(process)

    def _replace(self, process: WorkerProcess) -> None:
        self._release(process)
        with self._changed:
            self._add_worker()

    def _release(self, process: WorkerProcess) -> None:
        with self._changed:
            self._all.discard(process)
            self._slots -= 1
        process.end()

    def _add_worker(self) -> None:
        """Start one more in the background, unless there are as many as there may be."""
        if not self._closed and self._slots < self._size:
            self._slots += 1
            Thread(target=self._bring_up, name="worker-start", daemon=True).start()

    def _bring_up(self) -> None:
        for attempt in range(_START_ATTEMPTS):
            time.sleep(_START_PAUSE_S * attempt)
            if self._closed:
                break
            process = self._start()
            if process is not None:
                self._put_back(process)
                return
        with self._changed:
            self._slots -= 1
            self._changed.notify_all()

    def _start(self) -> WorkerProcess | None:
        """A worker that has been initialised; None where that failed."""
        try:
            process = WorkerProcess(memory_bytes=self._memory_bytes)
        except OSError as error:
            self._did_not_start(error)
            return None
        with self._changed:
            self._all.add(process)
            if self._closed:  # which has killed the others before this one was known
                process.kill()
        try:
            if self._initializer is not None:
                process.call(self._initializer, *self._initargs, timeout=_START_LIMIT_S)
        except (WorkerFailure, PagetrailError) as error:
            with self._changed:
                self._all.discard(process)
            process.end()
            self._did_not_start(error)
            return None
        return process

    def _did_not_start(self, error: Exception) -> None:
        self._why_not = str(error)
        if not self._closed:
            _log.warning("A worker process did not start: %s", error)
