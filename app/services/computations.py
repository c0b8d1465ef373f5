"""Computes slow results once each, in worker processes, and shares them."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from functools import lru_cache
from pathlib import Path
from threading import Event, Lock, Thread
from typing import Any

from cachetools import LRUCache

from pagetrail.annotation.errors import Busy, PagetrailError
from pagetrail.annotation.messages import gettext
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.workers.pool import CallHandle, WorkCancelled, WorkerPool, WorkersBusy
from pagetrail.storage.workers.process import WorkerFailure, WorkerTimedOut
from pagetrail.storage.workers.worker_main import call_by_name, import_modules

LIMIT_S = 600.0
"""Time limit of one computation in seconds; commands have no limit."""

PROCESSES = 2
_MAX_RESULTS = 192
_NICENESS = 10
_IDLE_LIMIT_S = 300.0  # an idle process has 190 MB, with the libraries of reports
_log = logging.getLogger("pagetrail.computations")

Progress = tuple[int, int, str]
"""(Steps done, all steps or 0 if unknown, name of the steps)."""

Key = Hashable
"""What is computed, and the version of its input: equal keys have equal results."""


def on_workspace(root: Path, function: str, *args: Any) -> Any:
    """Call the function ``"module:function"`` with the opened workspace and the arguments."""
    return call_by_name(function, _opened(root), *args)


@lru_cache(1)
def _opened(root: Path) -> Workspace:
    return Workspace.open(root)


class TooLong(PagetrailError):
    """A computation that took too long or was cancelled."""

    code = "too_long"


class Computation:
    """One computation, running or ended.

    Attributes:
        progress: as last reported; None before the first report.
        waiters: sessions that wait for it. A session counts twice while a run of its screen was
            overtaken by the next and has not ended yet.
        handle: cancels it.
    """

    def __init__(self, handle: CallHandle | None = None) -> None:
        self.progress: Progress | None = None
        self.waiters: Counter[str] = Counter()
        self.handle = handle or CallHandle()
        self._ended = Event()
        self._result: Any = None
        self._error: PagetrailError | None = None

    @property
    def has_ended(self) -> bool:
        """Whether it has a result or failed."""
        return self._ended.is_set()

    def wait(self, timeout: float | None = None) -> bool:
        """Whether it has ended, waiting at most ``timeout`` seconds."""
        return self._ended.wait(timeout)

    def result(self) -> Any:
        """Wait for the result.

        Raises:
            PagetrailError: it failed.
        """
        self._ended.wait()
        if self._error is not None:
            raise self._error
        return self._result

    def set_progress(self, progress: Progress) -> None:
        """Store the latest progress."""
        self.progress = progress

    def finish(self, result: Any = None, error: PagetrailError | None = None) -> None:
        """Store the result or the error."""
        self._result, self._error = result, error
        self._ended.set()


class Computations:
    """The computations of a server. Thread-safe.

    The most recently used results are kept, failures included: what takes ten minutes and fails
    is not started again by every visitor.

    Args:
        root: the workspace that every function gets (``on_workspace``).
        preload: modules that each process imports before its first computation.
        limit_s: seconds per computation.
        wait_s: seconds to wait for a free process.

    Attributes:
        pool: the processes, started with the first computation unless before.
    """

    def __init__(
        self,
        root: Path,
        pool: WorkerPool | None = None,
        *,
        preload: Sequence[str] = (),
        limit_s: float = LIMIT_S,
        wait_s: float = LIMIT_S,
    ) -> None:
        self._root = root
        self._limit_s = limit_s
        self._wait_s = wait_s
        self.pool = pool or WorkerPool(
            PROCESSES,
            import_modules,
            (list(preload),),
            niceness=_NICENESS,
            idle_limit_s=_IDLE_LIMIT_S,
        )
        self._lock = Lock()
        self._computations: LRUCache[Key, Computation] = LRUCache(_MAX_RESULTS)

    def get(self, key: Key, function: str, *args: Any) -> Computation:
        """The computation with this key, started if it is new.

        Args:
            function: ``"module:function"``, called with the workspace and ``args``; it may send
                ``Progress``.
        """
        with self._lock:
            computation = self._computations.get(key)
            if computation is None:
                computation = self._computations[key] = Computation()
                Thread(
                    target=self._run,
                    args=(computation, function, args),
                    name="computation",
                    daemon=True,
                ).start()
            return computation

    def compute(
        self,
        function: str,
        *args: Any,
        on_question: Callable[[Any], Any] | None = None,
        handle: CallHandle | None = None,
    ) -> Any:
        """The function's result, computed now and not kept.

        Args:
            on_question: see ``WorkerPool.call``.
            handle: cancels it.

        Raises:
            PagetrailError: raised by the function, or the reason why there is no result.
        """
        computation = Computation(handle)
        self._run(computation, function, args, on_question)
        return computation.result()

    def cancel(self, key: Key, computation: Computation, session: str) -> None:
        """Cancel and forget a computation, unless another session waits for it."""
        with self._lock:
            if any(waiter != session for waiter in computation.waiters):
                return
        computation.handle.cancel()
        self.forget(key, computation)

    def forget(self, key: Key, computation: Computation) -> None:
        """Drop a result, so that the next request computes it again."""
        with self._lock:
            if self._computations.get(key) is computation:
                del self._computations[key]

    def add_waiter(self, computation: Computation, session: str) -> None:
        """Count a session as waiting for the computation."""
        with self._lock:
            computation.waiters[session] += 1

    def remove_waiter(self, computation: Computation, session: str) -> None:
        """Undo one ``add_waiter``."""
        with self._lock:
            computation.waiters[session] -= 1
            computation.waiters += Counter()  # drops sessions at zero

    def _run(
        self,
        computation: Computation,
        function: str,
        args: tuple[Any, ...],
        on_question: Callable[[Any], Any] | None = None,
    ) -> None:
        limit = self._limit_s
        try:
            result = self.pool.call(
                on_workspace,
                self._root,
                function,
                *args,
                timeout=limit,
                wait=self._wait_s,
                on_progress=computation.set_progress,
                on_question=on_question,
                handle=computation.handle,
            )
            computation.finish(result)
        except PagetrailError as error:
            computation.finish(error=error)
        except WorkCancelled:
            computation.finish(error=TooLong(gettext("This was cancelled.")))
        except WorkerTimedOut:
            _log.warning("%s took longer than %g s and was ended", function, limit)
            computation.finish(
                error=TooLong(
                    gettext("This takes longer than {limit:g} s and was ended.", limit=limit)
                )
            )
        except WorkersBusy:
            computation.finish(
                error=Busy(gettext("Too much is being computed at the moment. Try again."))
            )
        except WorkerFailure as failure:
            _log.error("%s failed: %r", function, failure)
            computation.finish(
                error=Busy(gettext("The process that computes this ended. Try again."))
            )
        finally:
            if not computation.has_ended:  # whatever happened, somebody waits
                computation.finish(
                    error=Busy(gettext("The computation failed. See the server’s log."))
                )
