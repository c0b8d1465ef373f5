"""One worker process, and the caller's end of its connection."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from multiprocessing import Pipe
from pathlib import Path
from threading import Lock
from typing import IO, Any, TypeVar

from pagetrail import annotation
from pagetrail.annotation.errors import PagetrailError
from pagetrail.storage.workers import memory, worker_main

T = TypeVar("T")

_ROOT = str(Path(annotation.__file__).parents[2])
_EXIT_WAIT_S = 5.0
_STDERR_BYTES = 4_000


class WorkerFailure(Exception):
    """A call that a worker process did not answer."""


class WorkerTimedOut(WorkerFailure):
    """The worker took longer than the call's limit."""


class WorkerCrashed(WorkerFailure):
    """The worker process ended before it answered.

    Attributes:
        exit_code: as in ``subprocess``: minus the signal that killed it.
        stderr: the end of what it wrote to standard error.
    """

    def __init__(self, exit_code: int, stderr: str) -> None:
        super().__init__(f"exit code {exit_code}: {stderr}")
        self.exit_code = exit_code
        self.stderr = stderr


class WorkerOutOfMemory(WorkerFailure):
    """The function needed more memory than the worker may use."""

    def __init__(self) -> None:
        super().__init__("it needed more memory than a worker may use")


class WorkerProcess:
    """A process that runs functions, one at a time; the other methods are for any thread.

    After ``WorkerTimedOut`` or ``WorkerCrashed`` it can only be closed.

    Args:
        interruptible: whether SIGINT raises ``KeyboardInterrupt`` in the running function; other
            workers ignore it.
        memory_bytes: memory limit; None: no limit.
        niceness: added to the process's niceness, so that others have priority.

    Attributes:
        was_killed: whether ``kill`` was called.
    """

    def __init__(
        self, *, interruptible: bool = False, memory_bytes: int | None = None, niceness: int = 0
    ) -> None:
        self.was_killed = False
        self._connection, worker_end = Pipe()
        self._send_lock = Lock()
        self._stderr = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the worker
        try:
            self._process = _launch(worker_end.fileno(), self._stderr, interruptible)
        except BaseException:
            self._connection.close()
            self._stderr.close()
            raise
        finally:
            worker_end.close()
        self._watchdog: memory.MemoryWatchdog | None = None
        self._exceeded_memory = False
        if memory_bytes is not None and not memory.IS_ENFORCED_BY_KERNEL:
            self._watchdog = memory.MemoryWatchdog(
                self.pid, memory_bytes, self._kill_over_memory_limit
            )
            memory_bytes = None
        if memory_bytes is not None or niceness:
            self._connection.send((worker_main.SETTINGS, (niceness, memory_bytes)))

    @property
    def pid(self) -> int:
        """Process id."""
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        """Whether the process has not ended."""
        return self._process.poll() is None

    def call(
        self,
        function: Callable[..., T],
        *args: Any,
        timeout: float | None = None,
        on_progress: Callable[[Any], None] | None = None,
        on_question: Callable[[Any], Any] | None = None,
    ) -> T:
        """Result of the function in the worker.

        Args:
            function: defined at module level, so that the worker can import it.
            args: values that can be pickled, like the result.
            timeout: limit in seconds; None: no limit.
            on_progress: called here with each value of ``worker_main.send_progress``.
            on_question: answers each question of ``worker_main.ask_caller``; a typed error that
                it raises is raised there.

        Raises:
            WorkerTimedOut: it took longer.
            WorkerCrashed: the process died, from whatever the function did or raised.
            WorkerOutOfMemory: it needed more memory than the process may use.
            PagetrailError: raised by the function.
        """
        deadline = None if timeout is None else time.monotonic() + timeout
        try:
            with self._send_lock:
                self._connection.send((worker_main.CALL, (function, args, timeout)))
            while True:
                left = None if deadline is None else max(0.0, deadline - time.monotonic())
                if not self._connection.poll(left):
                    raise WorkerTimedOut(f"no answer within {timeout:g} s")
                kind, value = self._connection.recv()
                if kind == worker_main.RETURNED:
                    result: T = value
                    return result
                if kind == worker_main.REFUSED:
                    raise value
                if kind == worker_main.OUT_OF_MEMORY:
                    raise WorkerOutOfMemory
                if kind == worker_main.QUESTION and on_question is not None:
                    self.send(answer_or_error(on_question, value))
                elif on_progress is not None:
                    on_progress(value)
        except (EOFError, OSError) as error:
            crash = self._crash()
            raise (WorkerOutOfMemory() if self._exceeded_memory else crash) from error

    def send(self, message: object) -> bool:
        """Send a message to the running or next function (``worker_main.receive_message``).

        Returns:
            False if the process has ended.
        """
        try:
            with self._send_lock:
                self._connection.send((worker_main.MESSAGE, message))
        except OSError:
            return False
        return True

    def interrupt(self) -> None:
        """Send SIGINT to the process, not to its children."""
        self._process.send_signal(signal.SIGINT)

    def kill(self) -> None:
        """Kill the process and its children; a pending call raises ``WorkerCrashed``."""
        self.was_killed = True
        try:
            os.killpg(self._process.pid, signal.SIGKILL)
        except ProcessLookupError:
            self._process.kill()

    def close(self) -> None:
        """Kill the process and release its resources here."""
        if self._watchdog is not None:
            self._watchdog.stop()
        self._connection.close()
        self.kill()
        self._process.wait()
        self._stderr.close()

    def _kill_over_memory_limit(self) -> None:
        self._exceeded_memory = True
        self.kill()

    def _crash(self) -> WorkerCrashed:
        try:
            self._process.wait(_EXIT_WAIT_S)
        except subprocess.TimeoutExpired:
            self.kill()
        code = self._process.wait()
        self._stderr.seek(max(0, self._stderr.seek(0, os.SEEK_END) - _STDERR_BYTES))
        return WorkerCrashed(code, self._stderr.read().decode("utf-8", "replace").strip())


def _launch(descriptor: int, stderr: IO[bytes], interruptible: bool) -> subprocess.Popen[bytes]:
    """Start a process that runs ``worker_main.main`` on the connection."""
    # Not multiprocessing's own: that would import the whole command line into each worker.
    return subprocess.Popen(
        # -P: a folder named "storage" in the current directory is not ours.
        [
            *(sys.executable, "-P", "-W", "ignore", "-m", __name__.rpartition(".")[0]),
            *(str(descriptor), "interruptible" if interruptible else "-"),
        ],
        pass_fds=[descriptor],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=stderr,
        # A Ctrl-C at the terminal is the parent's to pass on; and the worker is killed
        # together with its children.
        # Not a session: Linux divides the processor among sessions first (autogroup), so that
        # niceness would count within the worker alone.
        process_group=0,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([_ROOT, *filter(None, sys.path)])},
    )


def answer_or_error(on_question: Callable[[Any], Any], question: Any) -> Any:
    """The answer to a question, or the typed error raised instead."""
    try:
        return on_question(question)
    except PagetrailError as error:
        return error
