"""Results that take long to compute: each computed once, in a worker process, and shared."""

from __future__ import annotations

import logging
import os
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from importlib import import_module
from pathlib import Path
from threading import Event, Lock, Thread
from typing import Any

from cachetools import LRUCache

from pagetrail.annotation.errors import Busy, PagetrailError
from pagetrail.app.services.workspace_calls import on_workspace
from pagetrail.storage.workers.pool import Cancellation, WorkCancelled, WorkerPool, WorkersBusy
from pagetrail.storage.workers.process import WorkerFailure, WorkerTimedOut

LIMIT_S = 600.0
"""Seconds that one computation may take; commands have no limit."""

PROCESSES = 2
_KEPT = 192
_NICE = 10
_log = logging.getLogger("pagetrail.computations")

Told = tuple[int, int, str]
"""(Steps done, all steps or 0 where their number is not known, what the steps are in words)."""

Key = Hashable
"""Equal keys have equal results: what is computed, and the state of what it is computed from."""


class TooLong(PagetrailError):
    """A computation that was ended."""

    code = "too_long"


class Computation:
    """One computation, under way or ended.

    Attributes:
        told: how far it is, as last told; None before the first.
        waiting: who waits for it; somebody does so more than once where a run of the screen was
            overtaken by the next and has not ended yet.
        cancellation: ends it.
    """

    def __init__(self, cancellation: Cancellation | None = None) -> None:
        self.told: Told | None = None
        self.waiting: Counter[str] = Counter()
        self.cancellation = cancellation or Cancellation()
        self._ended = Event()
        self._result: Any = None
        self._error: PagetrailError | None = None

    @property
    def ended(self) -> bool:
        """Whether it has a result, or failed."""
        return self._ended.is_set()

    def wait(self, seconds: float | None = None) -> bool:
        """Whether it has ended, after waiting for at most so long."""
        return self._ended.wait(seconds)

    def result(self) -> Any:
        """The result, once there is one.

        Raises:
            PagetrailError: there is none; the message says why.
        """
        self._ended.wait()
        if self._error is not None:
            raise self._error
        return self._result

    def tell(self, told: Told) -> None:
        """Note how far it is."""
        self.told = told

    def end(self, result: Any = None, error: PagetrailError | None = None) -> None:
        """Give it its result, or its error."""
        self._result, self._error = result, error
        self._ended.set()


class Computations:
    """The computations of a server. Thread-safe.

    A result is kept until others are wanted more recently; one that failed as well, so that what
    takes ten minutes and fails is not started again by everybody who looks.

    Args:
        root: the workspace, which every function gets (``workspace_calls.on_workspace``).
        ahead: modules that a process imports before its first computation.
        limit_s: seconds per computation.
        wait_s: seconds that one waits for a free process.
    """

    def __init__(
        self,
        root: Path,
        pool: WorkerPool | None = None,
        *,
        ahead: Sequence[str] = (),
        limit_s: float = LIMIT_S,
        wait_s: float = LIMIT_S,
    ) -> None:
        """Nothing is started before ``start`` or the first computation."""
        self._root = root
        self._limit_s = limit_s
        self._wait_s = wait_s
        self._pool = pool or WorkerPool(PROCESSES, prepare, (ahead,))
        self._lock = Lock()
        self._kept: LRUCache[Key, Computation] = LRUCache(_KEPT)

    def start(self) -> None:
        """Start one process in the background: it takes seconds to import what it needs."""
        self._pool.start(1)

    def get(self, key: Key, function: str, *args: Any) -> Computation:
        """The computation with this key; it begins unless another one with it has started.

        Args:
            function: ``"module:function"``, called with the workspace and ``args``; it may tell
                how far it is (``Told``).
        """
        with self._lock:
            found = self._kept.get(key)
            if found is None:
                found = self._kept[key] = Computation()
                Thread(
                    target=self._compute,
                    args=(found, function, args),
                    name="computation",
                    daemon=True,
                ).start()
            return found

    def now(
        self,
        function: str,
        *args: Any,
        on_ask: Callable[[Any], Any] | None = None,
        cancellation: Cancellation | None = None,
    ) -> Any:
        """The function's result, computed now and not kept.

        Args:
            on_ask: as of ``WorkerPool.call``.
            cancellation: ends it.

        Raises:
            PagetrailError: what the function raised, or why there is no result.
        """
        computation = Computation(cancellation)
        self._compute(computation, function, args, on_ask)
        return computation.result()

    def cancel(self, key: Key, computation: Computation, who: str) -> None:
        """End a computation, unless somebody else waits for it, and forget it."""
        with self._lock:
            if any(name != who for name in computation.waiting):
                return
        computation.cancellation.cancel()
        self.forget(key, computation)

    def forget(self, key: Key, computation: Computation) -> None:
        """Have it computed again when it is wanted again."""
        with self._lock:
            if self._kept.get(key) is computation:
                del self._kept[key]

    def joined(self, computation: Computation, who: str) -> None:
        """Somebody waits for it."""
        with self._lock:
            computation.waiting[who] += 1

    def left(self, computation: Computation, who: str) -> None:
        """Somebody does not wait for it any more, as often as they joined."""
        with self._lock:
            computation.waiting[who] -= 1
            computation.waiting += Counter()  # without those who have left

    def pids(self) -> list[int]:
        """Process ids."""
        return self._pool.pids()

    def close(self) -> None:
        """Kill the processes."""
        self._pool.close(at_once=True)

    def _compute(
        self,
        computation: Computation,
        function: str,
        args: tuple[Any, ...],
        on_ask: Callable[[Any], Any] | None = None,
    ) -> None:
        limit = self._limit_s
        try:
            result = self._pool.call(
                on_workspace,
                self._root,
                function,
                *args,
                timeout=limit,
                wait=self._wait_s,
                on_tell=computation.tell,
                on_ask=on_ask,
                cancellation=computation.cancellation,
            )
            computation.end(result)
        except PagetrailError as error:
            computation.end(error=error)
        except WorkCancelled:
            computation.end(error=TooLong("This was cancelled."))
        except WorkerTimedOut:
            _log.warning("%s took longer than %g s and was ended", function, limit)
            computation.end(error=TooLong(f"This takes longer than {limit:g} s and was ended."))
        except WorkersBusy:
            computation.end(error=Busy("Too much is being computed at the moment. Try again."))
        except WorkerFailure as failure:
            _log.error("%s failed: %r", function, failure)
            computation.end(error=Busy("The process that computes this ended. Try again."))
        finally:
            if not computation.ended:  # whatever it is, somebody waits
                computation.end(error=Busy("The computation failed. See the server’s log."))


def prepare(modules: Sequence[str]) -> None:
    """Prepare a worker process: people's requests have priority."""
    os.nice(_NICE)
    for module in modules:
        import_module(module)
