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
from pagetrail.storage.workers import memory, serve

T = TypeVar("T")

_ROOT = str(Path(annotation.__file__).parents[2])
_GOODBYE_S = 5.0
_STDERR_BYTES = 4_000


class WorkerFailure(Exception):
    """A call that a worker process did not answer."""


class WorkerTimedOut(WorkerFailure):
    """The worker took longer than the call's limit."""


class WorkerCrashed(WorkerFailure):
    """The worker process ended before it answered.

    Attributes:
        exit_code: as ``subprocess`` has it: minus the signal that killed it.
        stderr: the end of what it wrote to standard error.
    """

    def __init__(self, exit_code: int, stderr: str) -> None:
        super().__init__(f"exit code {exit_code}: {stderr}")
        self.exit_code = exit_code
        self.stderr = stderr


class WorkerOutOfMemory(WorkerFailure):
    """The function needed more memory than the worker may take."""


class WorkerProcess:
    """A process that calls functions, one at a time; the other methods are for any thread.

    After ``WorkerTimedOut`` or ``WorkerCrashed`` nothing is left to do with it but ``end``.

    Args:
        interruptible: whether a function that runs is to see interrupts (SIGINT) as
            ``KeyboardInterrupt``; other workers ignore them.
        memory_bytes: that the process may take; None: as much as the system gives it.
    """

    def __init__(self, *, interruptible: bool = False, memory_bytes: int | None = None) -> None:
        ours, theirs = Pipe()
        self._connection = ours
        self._sending = Lock()
        self._stderr = tempfile.TemporaryFile()  # noqa: SIM115 - closed when the worker ends
        try:
            self._process = _launch(theirs.fileno(), self._stderr, interruptible)
        except BaseException:
            ours.close()
            self._stderr.close()
            raise
        finally:
            theirs.close()
        self._watchdog: memory.MemoryWatchdog | None = None
        self._exceeded = False
        if memory_bytes is not None and memory.IS_ENFORCED_BY_KERNEL:
            self._connection.send((serve.LIMIT, memory_bytes))
        elif memory_bytes is not None:
            self._watchdog = memory.MemoryWatchdog(self.pid, memory_bytes, self._kill_exceeding)

    @property
    def pid(self) -> int:
        """Process id."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether the process has not ended."""
        return self._process.poll() is None

    def call(
        self,
        function: Callable[..., T],
        *args: Any,
        timeout: float | None = None,
        on_tell: Callable[[Any], None] | None = None,
        on_ask: Callable[[Any], Any] | None = None,
    ) -> T:
        """The function's result in the worker.

        Args:
            function: of a module, so that the worker can import it.
            args: values that can be pickled, as the result must be.
            timeout: seconds that it may take; None: as long as it wants.
            on_tell: called here with each value that the function tells (``serve.tell``).
            on_ask: gives the answer to each question that the function asks (``serve.ask``); a
                typed error that it raises is raised there.

        Raises:
            WorkerTimedOut: it took longer.
            WorkerCrashed: the process died, from whatever the function did or raised.
            WorkerOutOfMemory: it needed more memory than the process may take.
            PagetrailError: what the function raised.
        """
        deadline = None if timeout is None else time.monotonic() + timeout
        try:
            with self._sending:
                self._connection.send((serve.CALL, (function, args, timeout)))
            while True:
                left = None if deadline is None else max(0.0, deadline - time.monotonic())
                if not self._connection.poll(left):
                    raise WorkerTimedOut
                kind, value = self._connection.recv()
                if kind == serve.DONE:
                    result: T = value
                    return result
                if kind == serve.REFUSED:
                    raise value
                if kind == serve.OUT_OF_MEMORY:
                    raise WorkerOutOfMemory
                if kind == serve.ASKED and on_ask is not None:
                    self.say(answer_of(on_ask, value))
                elif on_tell is not None:
                    on_tell(value)
        except (EOFError, OSError) as error:
            crash = self._crash()
            raise (WorkerOutOfMemory() if self._exceeded else crash) from error

    def say(self, value: object) -> bool:
        """Send a message to the function that runs or comes next (``serve.hear``).

        Returns:
            False where the process has ended.
        """
        try:
            with self._sending:
                self._connection.send((serve.SAID, value))
        except OSError:
            return False
        return True

    def signal(self, number: int) -> None:
        """Send a signal to the process, not to what it started."""
        self._process.send_signal(number)

    def kill(self) -> None:
        """Kill the process and what it started; a call that waits for it sees it crashed."""
        try:
            os.killpg(self._process.pid, signal.SIGKILL)
        except ProcessLookupError:
            self._process.kill()

    def end(self) -> None:
        """Kill the process and release what it held here."""
        if self._watchdog is not None:
            self._watchdog.stop()
        self._connection.close()
        self.kill()
        self._process.wait()
        self._stderr.close()

    def _kill_exceeding(self) -> None:
        self._exceeded = True
        self.kill()

    def _crash(self) -> WorkerCrashed:
        try:
            self._process.wait(_GOODBYE_S)
        except subprocess.TimeoutExpired:
            self.kill()
        code = self._process.wait()
        self._stderr.seek(max(0, self._stderr.seek(0, os.SEEK_END) - _STDERR_BYTES))
        return WorkerCrashed(code, self._stderr.read().decode("utf-8", "replace").strip())


def _launch(descriptor: int, stderr: IO[bytes], interruptible: bool) -> subprocess.Popen[bytes]:
    """A process that runs ``serve.main`` on the connection."""
    # Before the module's own handling an interrupt ends it, or is ignored: no traceback.
    on_interrupt = "SIG_DFL" if interruptible else "SIG_IGN"
    code = (
        f"import signal; signal.signal(signal.SIGINT, signal.{on_interrupt}); "
        f"from {serve.__name__} import main; main()"
    )
    # Not multiprocessing's own: that would import the whole command line into each worker.
    return subprocess.Popen(
        # -P: a folder named "storage" where the command was started is not ours.
        [
            *(sys.executable, "-P", "-W", "ignore", "-c", code),
            *(str(descriptor), "interruptible" if interruptible else "-"),
        ],
        pass_fds=[descriptor],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=stderr,
        # A Ctrl-C at the terminal is the parent's to pass on; and the worker is killed
        # together with what it started.
        # Not a session: Linux shares out the processor among sessions first (autogroup), so that
        # a low priority would count within the worker alone.
        process_group=0,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([_ROOT, *filter(None, sys.path)])},
    )


def answer_of(on_ask: Callable[[Any], Any], question: Any) -> Any:
    """The answer to a question, or the typed error that came instead."""
    try:
        return on_ask(question)
    except PagetrailError as error:
        return error
