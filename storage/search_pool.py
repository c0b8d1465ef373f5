"""Search processes over one index: started, given one request at a time, replaced when lost."""

from __future__ import annotations

import os
import queue
import subprocess
import sys
import time
from multiprocessing import Pipe
from pathlib import Path
from threading import Event, Lock, Thread
from typing import Any

from annotation.errors import QueryRefused, WorkspaceError
from storage.search_store import StoredIndex
from storage.search_worker import DONE, READY, TIMEOUT_CODE, TIMEOUT_MESSAGE

SOFT_LIMIT_S = 1.5
_REPLY_MARGIN_S = 0.25  # between the soft limit and the moment the process is killed
_START_LIMIT_S = 60.0
_GOODBYE_S = 1.0
_ATTEMPTS = 3
_PACKAGE_ROOT = Path(__file__).resolve().parents[1]


class Lost(Exception):
    """The process is gone: crashed, or killed from outside."""


class TooSlow(Exception):
    """The process did not answer in time."""


class Child:
    """A process of the search service and this side of its pipe."""

    def __init__(self, module: str, *arguments: str) -> None:
        """Start ``python -m storage.<module> <descriptor> <arguments>``."""
        ours, theirs = Pipe()
        self._pipe: Any = ours
        paths = [str(_PACKAGE_ROOT), os.environ.get("PYTHONPATH", "")]
        try:
            self._process = subprocess.Popen(
                # -P: a folder named "storage" where the server was started is not ours.
                [
                    *(sys.executable, "-P", "-W", "ignore", "-m", f"storage.{module}"),
                    *(str(theirs.fileno()), *arguments),
                ],
                pass_fds=(theirs.fileno(),),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))},
            )
        finally:
            theirs.close()

    @property
    def pid(self) -> int:
        """Process id."""
        return self._process.pid

    def send(self, message: object) -> None:
        """Send a request.

        Raises:
            Lost: the process is gone.
        """
        try:
            self._pipe.send(message)
        except OSError as error:
            raise Lost from error

    def receive(self, seconds: float | None) -> tuple[Any, ...]:
        """The next reply, waiting at most so long (None: for ever).

        Raises:
            TooSlow: there was none.
            Lost: the process is gone.
        """
        try:
            if not self._pipe.poll(seconds):
                raise TooSlow
            reply: tuple[Any, ...] = self._pipe.recv()
        except (EOFError, OSError) as error:
            raise Lost from error
        return reply

    def kill(self) -> None:
        """End the process under whoever waits for its reply; that one then sees it lost."""
        self._process.kill()

    def end(self, *, at_once: bool = True) -> None:
        """Close the pipe and see the process off."""
        self._pipe.close()
        if at_once:
            self._process.kill()
        try:
            self._process.wait(_GOODBYE_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


class Pool:
    """A fixed number of search processes. Thread-safe."""

    def __init__(self, stored: StoredIndex, size: int) -> None:
        """Start them; ``ready`` waits for the first."""
        self.stored = stored
        self._idle: queue.LifoQueue[Child] = queue.LifoQueue()
        self._all: set[Child] = set()
        self._lock = Lock()
        self._closed = Event()
        self._answers = Event()
        self._failed = False
        for _ in range(size):
            self._start()

    def pids(self) -> list[int]:
        """Process ids of the living ones."""
        with self._lock:
            return [child.pid for child in self._all]

    def ready(self, seconds: float) -> bool:
        """Whether a process can take requests, waiting at most so long."""
        return self._answers.wait(seconds) and not self._failed

    def call(self, method: str, arguments: tuple[Any, ...], seconds: float) -> Any:
        """One request, answered or refused within so many seconds.

        A request whose process was lost is given to another once more, so that one process's end
        costs no one else an answer.

        Raises:
            QueryRefused: by the engine, or too slow, or all processes are busy.
            WorkspaceError: no process can be started.
        """
        deadline = time.monotonic() + seconds
        for _ in range(2):
            child = self._take(deadline)
            left = deadline - time.monotonic()
            soft = min(SOFT_LIMIT_S, left - _REPLY_MARGIN_S)
            try:
                child.send((soft, method, arguments))
                reply = child.receive(max(0.0, left))
            except TooSlow:
                self._replace(child)
                raise QueryRefused(TIMEOUT_MESSAGE, code=TIMEOUT_CODE) from None
            except Lost:
                self._replace(child)
                continue
            self._put_back(child)
            if reply[0] == DONE:
                return reply[1]
            raise QueryRefused(reply[2], code=reply[1])
        raise QueryRefused(
            "The search engine stopped on this query twice. Write it in another way.",
            code="query_failed",
        )

    def close(self) -> None:
        """Let the processes finish what they do and end them."""
        self._closed.set()
        while True:
            try:
                self._dismiss(self._idle.get_nowait())
            except queue.Empty:
                return

    def _take(self, deadline: float) -> Child:
        try:
            return self._idle.get(timeout=max(0.001, deadline - time.monotonic()))
        except queue.Empty:
            if self._failed:
                raise WorkspaceError(
                    "The search processes do not start. Build the index anew with: "
                    "pagetrail index WORKSPACE --force"
                ) from None
            raise QueryRefused(
                "The search is busy at the moment. Try again in a few seconds.", code="search_busy"
            ) from None

    def _put_back(self, child: Child) -> None:
        self._idle.put(child)
        if self._closed.is_set():
            self.close()

    def _replace(self, child: Child) -> None:
        with self._lock:
            self._all.discard(child)
        child.end()
        if not self._closed.is_set():
            self._start()

    def _dismiss(self, child: Child) -> None:
        with self._lock:
            self._all.discard(child)
        child.end(at_once=False)

    def _start(self) -> None:
        Thread(target=self._bring_up, name="search-start", daemon=True).start()

    def _bring_up(self) -> None:
        for attempt in range(_ATTEMPTS):
            if self._closed.wait(0.2 * attempt):
                return
            child = Child("search_worker", str(self.stored.folder), self.stored.identity)
            with self._lock:
                self._all.add(child)
            try:
                if child.receive(_START_LIMIT_S)[0] == READY:
                    self._failed = False
                    self._put_back(child)
                    self._answers.set()
                    return
            except (Lost, TooSlow):
                with self._lock:
                    self._all.discard(child)
                child.end()
        self._failed = True
        self._answers.set()
