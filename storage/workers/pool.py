"""Calls of functions in worker processes, with time limits and cancellation.

``WorkerPool`` keeps a fixed number of processes for many short calls; ``run_once`` starts a process
for a single long one. Both take a ``CallHandle``, which controls the call from other threads.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Condition, Lock, Thread, Timer
from typing import Any, TypeVar

from pagetrail.annotation.errors import PagetrailError
from pagetrail.storage.workers.process import WorkerCrashed, WorkerFailure, WorkerProcess

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
    """The pool was closed before the call was answered."""


class WorkCancelled(WorkerFailure):
    """The call was cancelled."""


class CallHandle:
    """Controls one call from any thread, before it begins and while it runs."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._process: WorkerProcess | None = None
        self._is_cancelled = False
        self._has_ended = False
        self._unsent: list[object] = []

    def cancel(self) -> None:
        """Kill the worker that runs the call, or keep the call from starting."""
        with self._lock:
            self._is_cancelled = True
            if self._process is not None:
                self._process.kill()

    def interrupt(self) -> None:
        """Interrupt the function (in an interruptible worker), or keep the call from starting."""
        with self._lock:
            if self._process is None:
                self._is_cancelled = True
            else:
                self._process.interrupt()

    def send(self, message: object) -> bool:
        """Send a message to the function (``worker_main.receive_message``); False if it ended."""
        with self._lock:
            if self._process is not None:
                return self._process.send(message)
            self._unsent.append(message)
            return not self._has_ended

    @contextmanager
    def control(self, process: WorkerProcess) -> Iterator[None]:
        """Control the process while the block runs the call in it.

        Raises:
            WorkCancelled: the call was cancelled, before or in the block.
        """
        with self._lock:
            if self._is_cancelled:
                raise WorkCancelled
            self._process = process
            for message in self._unsent:
                process.send(message)
        try:
            yield
        except WorkerFailure:
            if self._is_cancelled:
                raise WorkCancelled from None
            raise
        finally:
            with self._lock:
                self._process, self._has_ended = None, True


def run_once(
    function: Callable[..., T],
    *args: Any,
    timeout: float | None = None,
    on_progress: Callable[[Any], None] | None = None,
    handle: CallHandle | None = None,
    interruptible: bool = False,
    memory_bytes: int | None = None,
) -> T:
    """Result of the function in a process of its own, which ends with the call.

    Arguments and errors are those of ``WorkerProcess`` and ``WorkerPool.call``.
    """
    try:
        process = WorkerProcess(interruptible=interruptible, memory_bytes=memory_bytes)
    except OSError as error:
        raise WorkersDoNotStart(str(error)) from error
    try:
        with (handle or CallHandle()).control(process):
            return process.call(function, *args, timeout=timeout, on_progress=on_progress)
    finally:
        process.close()


class WorkerPool:
    """At most ``size`` worker processes. Thread-safe; one that dies loses only its own call.

    Processes start when needed and are replaced when lost.

    Args:
        initializer: called in each worker before its first call, with ``initargs``.
        memory_bytes: memory limit of each worker; None: no limit.
        niceness: added to each worker's niceness, so that others have priority.
        idle_limit_s: seconds without a call after which a worker ends; None: never.

    Attributes:
        size: maximum number of processes.
        is_started: whether ``start`` was called.
    """

    def __init__(
        self,
        size: int,
        initializer: Callable[..., object] | None = None,
        initargs: tuple[Any, ...] = (),
        *,
        memory_bytes: int | None = None,
        niceness: int = 0,
        idle_limit_s: float | None = None,
    ) -> None:
        """Nothing is started before ``start`` or the first call."""
        self.size = size
        self.is_started = False
        self._initializer = initializer
        self._initargs = initargs
        self._memory_bytes = memory_bytes
        self._niceness = niceness
        self._idle_limit_s = idle_limit_s
        self._idle_timer: Timer | None = None
        self._changed = Condition()
        self._idle: list[WorkerProcess] = []  # the one used last is at the end
        self._idle_since: dict[WorkerProcess, float] = {}
        self._processes: set[WorkerProcess] = set()
        self._slots = 0  # workers that run or are being started
        self._closed = False
        self._start_error = ""

    def start(self, workers: int | None = None) -> None:
        """Start workers in the background, by default all; ``ready`` waits for the first."""
        self.is_started = True
        with self._changed:
            for _ in range((self.size if workers is None else workers) - self._slots):
                self._add_worker()

    def ready(self, timeout: float) -> bool:
        """Whether a worker is free, waiting at most ``timeout`` seconds for the first to start."""
        with self._changed:
            self._changed.wait_for(lambda: self._idle or not self._slots, timeout)
            return bool(self._idle)

    def pids(self) -> list[int]:
        """Process ids of the live workers."""
        with self._changed:
            return [process.pid for process in self._processes if process.is_alive]

    def call(
        self,
        function: Callable[..., T],
        *args: Any,
        timeout: float,
        wait: float | None = None,
        on_progress: Callable[[Any], None] | None = None,
        on_question: Callable[[Any], Any] | None = None,
        handle: CallHandle | None = None,
    ) -> T:
        """Result of the function in a worker; see ``WorkerProcess.call`` for the other arguments.

        Args:
            timeout: limit in seconds.
            wait: seconds to wait for a free worker; None: the wait counts towards ``timeout``.
            handle: controls this call.

        Raises:
            WorkersBusy: no worker was free in that time.
            WorkersDoNotStart: there is no worker and none can be started.
            WorkersClosed: the pool is closed.
            WorkerTimedOut: the worker took too long; it is killed and replaced.
            WorkerCrashed: the worker died; it is replaced.
            WorkerOutOfMemory: it needed more memory than it may use; it is replaced.
            WorkCancelled: the call was cancelled; a worker that ran it is replaced.
            PagetrailError: raised by the function.
        """
        started = time.monotonic()
        process = self._take_worker(started + (timeout if wait is None else wait))
        if wait is None:
            timeout = max(0.0, started + timeout - time.monotonic())
        is_reusable = False
        try:
            with (handle or CallHandle()).control(process):
                result = process.call(
                    function,
                    *args,
                    timeout=timeout,
                    on_progress=on_progress,
                    on_question=on_question,
                )
            is_reusable = True
        except (PagetrailError, WorkCancelled):
            is_reusable = True
            raise
        except WorkerCrashed:
            if self._closed and process.was_killed:
                raise WorkersClosed from None
            raise
        finally:
            if is_reusable and not process.was_killed:
                self._put_back(process)
            else:
                self._discard(process)
                with self._changed:
                    self._add_worker()
        return result

    def close(self) -> None:
        """Kill the workers and start no others; pending calls raise ``WorkersClosed``."""
        with self._changed:
            self._closed = True  # first: a call whose worker is killed has to see it
            for process in self._processes:
                process.kill()
        self.close_when_idle()

    def close_when_idle(self) -> None:
        """Start no other workers, and end each as soon as its current call is answered."""
        with self._changed:
            self._closed = True
            idle, self._idle = self._idle, []
            if self._idle_timer is not None:
                self._idle_timer.cancel()
            self._changed.notify_all()
        for process in idle:
            self._discard(process)

    def _take_worker(self, deadline: float) -> WorkerProcess:
        """A live, free worker."""
        with self._changed:
            while self._idle and not self._idle[-1].is_alive:
                self._discard(self._idle.pop())
            if not self._idle:
                self._add_worker()
            while not self._idle:
                if self._closed:
                    raise WorkersClosed
                if not self._slots:
                    raise WorkersDoNotStart(self._start_error)
                if not self._changed.wait(deadline - time.monotonic()):
                    raise WorkersBusy
            return self._idle.pop()

    def _put_back(self, process: WorkerProcess) -> None:
        with self._changed:
            if not self._closed:
                self._idle.append(process)
                self._idle_since[process] = time.monotonic()
                if self._idle_timer is None:
                    self._start_idle_timer()
                self._changed.notify()
                return
        self._discard(process)

    def _start_idle_timer(self) -> None:
        """End idle workers when the one used longest ago has reached the limit, if there is one."""
        self._idle_timer = None
        if self._idle_limit_s is None or not self._idle:
            return
        since = min(self._idle_since[process] for process in self._idle)
        delay = max(0.0, since + self._idle_limit_s - time.monotonic())
        self._idle_timer = Timer(delay, self._end_idle_workers)
        self._idle_timer.daemon = True
        self._idle_timer.start()

    def _end_idle_workers(self) -> None:
        with self._changed:
            latest = time.monotonic() - (self._idle_limit_s or 0.0)
            expired = [process for process in self._idle if self._idle_since[process] <= latest]
            self._idle = [process for process in self._idle if process not in expired]
            self._start_idle_timer()
        for process in expired:
            self._discard(process)

    def _discard(self, process: WorkerProcess) -> None:
        with self._changed:
            self._processes.discard(process)
            self._idle_since.pop(process, None)
            self._slots -= 1
        process.close()

    def _add_worker(self) -> None:
        """Start one more in the background, unless there are ``size`` already."""
        if not self._closed and self._slots < self.size:
            self._slots += 1
            Thread(target=self._start_worker, name="worker-start", daemon=True).start()

    def _start_worker(self) -> None:
        for attempt in range(_START_ATTEMPTS):
            time.sleep(_START_PAUSE_S * attempt)
            if self._closed:
                break
            process = self._initialised_process()
            if process is not None:
                self._put_back(process)
                return
        with self._changed:
            self._slots -= 1
            self._changed.notify_all()

    def _initialised_process(self) -> WorkerProcess | None:
        """A new worker; None if it could not be started or initialised."""
        try:
            process = WorkerProcess(memory_bytes=self._memory_bytes, niceness=self._niceness)
        except OSError as error:
            self._log_start_error(error)
            return None
        with self._changed:
            self._processes.add(process)
            if self._closed:  # the others were killed before this one was known
                process.kill()
        try:
            if self._initializer is not None:
                process.call(self._initializer, *self._initargs, timeout=_START_LIMIT_S)
        except (WorkerFailure, PagetrailError) as error:
            with self._changed:
                self._processes.discard(process)
            process.close()
            self._log_start_error(error)
            return None
        return process

    def _log_start_error(self, error: Exception) -> None:
        self._start_error = str(error)
        if not self._closed:
            _log.warning("A worker process did not start: %s", error)
