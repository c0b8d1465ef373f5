"""Worker processes forked from one that has imported what they need.

Starting one as installed takes one to three seconds of processor time, for imports alone. A forked
worker runs the same ``worker_main.main`` on the same connection, in a session of its own and with
its caller's environment, folder, umask and import path; its exit code is that of ``Popen``.
Linux only: elsewhere forking is not safe once libraries are loaded.
"""

from __future__ import annotations

import atexit
import gc
import json
import os
import select
import signal
import socket
import subprocess
import sys
import time
import traceback
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from threading import Lock
from typing import IO, NoReturn

from pagetrail.storage.workers import process

LAUNCH = process._launch
"""How workers are started as installed."""

IMPORTED = (
    "pagetrail.storage.corpus.page_worker",
    "pagetrail.storage.corpus.pdf",
    "pagetrail.storage.ingest.worker",
    "pagetrail.storage.review.comparison_pool",
    "pagetrail.storage.search.renewal",
    "pagetrail.storage.search.worker",
    "pagetrail.storage.workers.worker_main",
    "pagetrail.app.jobs.worker",
)
_ROOT = str(Path(__file__).parents[2])
_NUMBER_BYTES = 8
_REQUEST_BYTES = 200_000


class ForkedWorker:
    """A forked worker, with those parts of ``Popen`` that ``WorkerProcess`` uses.

    Args:
        reading: where its process id comes from, and its exit code once it has ended.
    """

    def __init__(self, reading: int) -> None:
        self._lock = Lock()
        self._reading = reading
        self._code: int | None = None
        self.pid = self._number()
        if self.pid < 0:
            raise OSError("no worker was forked")

    def __del__(self) -> None:
        os.close(self._reading)

    def poll(self) -> int | None:
        """Its exit code; None while it runs."""
        with self._lock:
            if self._code is None and select.select([self._reading], [], [], 0)[0]:
                self._code = self._number()
            return self._code

    def wait(self, timeout: float | None = None) -> int:
        """Its exit code, once it has ended.

        Raises:
            subprocess.TimeoutExpired: it still runs.
        """
        if self._code is None and not select.select([self._reading], [], [], timeout)[0]:
            raise subprocess.TimeoutExpired("worker", timeout or 0)
        code = self.poll()
        return self.wait(timeout) if code is None else code

    def kill(self) -> None:
        """End it at once."""
        self.send_signal(signal.SIGKILL)

    def send_signal(self, number: int) -> None:
        """Send a signal, unless it has ended."""
        if self.poll() is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def _number(self) -> int:
        number_bytes = os.read(self._reading, _NUMBER_BYTES)
        return int.from_bytes(number_bytes, signed=True) if number_bytes else -signal.SIGKILL


class WorkerNursery:
    """The process that forks workers for this one and its forks; started on first use."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._requests: socket.socket | None = None

    def launch(self, descriptor: int, stderr: IO[bytes], interruptible: bool) -> ForkedWorker:
        """A worker process on the connection, as ``process._launch`` starts one."""
        request = json.dumps(
            [interruptible, sys.path, dict(os.environ), str(Path.cwd()), _file_mask()]
        )
        reading, writing = os.pipe()
        try:
            descriptors = [descriptor, stderr.fileno(), writing]
            socket.send_fds(self.requests(), [request.encode()], descriptors)
        finally:
            os.close(writing)
        return ForkedWorker(reading)

    def use(self, requests: socket.socket) -> None:
        """Ask the nursery of another process, which is at the other end."""
        self._requests = requests

    def requests(self) -> socket.socket:
        """Where it takes requests."""
        with self._lock:
            if self._requests is None:
                self._requests, nursery_end = socket.socketpair(
                    socket.AF_UNIX, socket.SOCK_SEQPACKET
                )
                with nursery_end:
                    nursery = subprocess.Popen(
                        [sys.executable, "-m", __name__, str(nursery_end.fileno())],
                        pass_fds=[nursery_end.fileno()],
                        env={**os.environ, "PYTHONPATH": os.pathsep.join([_ROOT, *sys.path])},
                    )
                atexit.register(nursery.wait)
                atexit.register(self._requests.close)
            return self._requests


NURSERY = WorkerNursery()


def fork_workers() -> None:
    """Let all workers of this process be forked, for the rest of it."""
    if sys.platform == "linux":
        process._launch = NURSERY.launch  # type: ignore[assignment]


def main() -> None:
    """Fork a worker for each request; ends when nobody is left who could ask."""
    requests = socket.socket(fileno=int(sys.argv[1]))
    woken, wake = os.pipe()
    os.set_blocking(woken, False)
    os.set_blocking(wake, False)
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for name in IMPORTED:
        import_module(name)
    gc.freeze()  # the pages of memory stay shared
    exit_pipes: dict[int, int] = {}
    while True:
        ready, _, _ = select.select([requests, woken], [], [])
        if woken in ready:
            os.read(woken, _REQUEST_BYTES)
            _tell_exit_codes(exit_pipes)
        if requests in ready:
            request, descriptors, _, _ = socket.recv_fds(requests, _REQUEST_BYTES, 3)
            if not request:
                return
            descriptor, stderr, writing = descriptors
            pid = os.fork()
            if pid == 0:
                for other in (requests.detach(), woken, wake, writing, *exit_pipes.values()):
                    os.close(other)
                _run_worker(descriptor, stderr, *json.loads(request))
            with suppress(BrokenPipeError):  # killed since it asked; others will ask as well
                os.write(writing, pid.to_bytes(_NUMBER_BYTES, signed=True))
            exit_pipes[pid] = writing
            os.close(descriptor)
            os.close(stderr)


def _file_mask() -> int:
    """This process's umask, read without setting it: other threads create files meanwhile."""
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    return int(status.partition("\nUmask:")[2].split()[0], 8)


def _tell_exit_codes(exit_pipes: dict[int, int]) -> None:
    with suppress(ChildProcessError):
        while True:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid == 0:
                return
            writing = exit_pipes.pop(pid)
            with suppress(BrokenPipeError):
                code = os.waitstatus_to_exitcode(status)
                os.write(writing, code.to_bytes(_NUMBER_BYTES, signed=True))
            os.close(writing)


def _run_worker(
    descriptor: int,
    stderr: int,
    interruptible: bool,
    path: list[str],
    environment: dict[str, str],
    folder: str,
    file_mask: int,
) -> NoReturn:
    """In the forked process: be the worker."""
    from pagetrail.storage.workers import worker_main  # noqa: PLC0415

    code = 1
    try:
        os.setsid()
        os.chdir(folder)
        os.umask(file_mask)
        os.environ.clear()
        os.environ.update(environment)
        time.tzset()
        sys.path[:] = path
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.SIG_DFL if interruptible else signal.SIG_IGN)
        null_device = os.open(os.devnull, os.O_RDWR)
        for source, target in ((null_device, 0), (null_device, 1), (stderr, 2)):
            os.dup2(source, target)
        sys.argv = ["worker", str(descriptor), "interruptible" if interruptible else "-"]
        worker_main.main()
        code = 0
    except BaseException:  # noqa: BLE001 - as at the end of any program
        traceback.print_exc()
    finally:
        os._exit(code)


if __name__ == "__main__":
    main()
