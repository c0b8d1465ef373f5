"""Worker processes with a time limit per job. One that dies takes only its own job with it."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import deque
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from typing import IO, Generic, TypeVar

from storage.ingest_worker import Failed, OcrJob, PagesRead, ReadJob
from storage.pdf import PdfText

_SERVE = "from storage.ingest_worker import main; main()"

Key = TypeVar("Key")
Answer = PdfText | str | Failed | PagesRead


@dataclass(eq=False)
class _Worker(Generic[Key]):
    process: subprocess.Popen[bytes]
    connection: Connection
    stderr: IO[bytes]
    key: Key | None = None
    job: ReadJob | OcrJob | None = None
    deadline: float = 0.0
    pages: PagesRead | None = None


class WorkerPool(Generic[Key]):
    """Runs jobs in at most ``size`` processes; answers come back under the job's key.

    Args:
        reader: ``"module:function"`` of the function that reads a PDF, as ``storage.pdf.read_pdf``.
    """

    def __init__(self, size: int, reader: str) -> None:
        self._size = size
        self._reader = reader
        self._workers: list[_Worker[Key]] = []
        self._queue: deque[tuple[Key, ReadJob | OcrJob]] = deque()

    @property
    def backlog(self) -> int:
        """Jobs that no worker has started yet."""
        return len(self._queue)

    def submit(self, key: Key, job: ReadJob | OcrJob) -> None:
        """Queue a job. Pages to recognise go before new documents: what was begun ends first."""
        if isinstance(job, OcrJob):
            self._queue.appendleft((key, job))
        else:
            self._queue.append((key, job))

    def answer(self) -> tuple[Key, Answer] | None:
        """Wait for the next answer or progress; None when there is nothing left to wait for."""
        self._assign()
        busy = [worker for worker in self._workers if worker.job is not None]
        if not busy:
            return None
        while True:
            soonest = min(worker.deadline for worker in busy)
            ready = wait(
                [worker.connection for worker in busy],
                timeout=max(0.0, soonest - time.monotonic()),
            )
            for worker in busy:
                if worker.connection in ready:
                    return self._receive(worker)
            for worker in busy:
                if worker.deadline <= time.monotonic():
                    return self._end(worker, _too_slow(worker))

    def close(self) -> None:
        """Kill all workers; their jobs are lost."""
        self._queue.clear()
        while self._workers:
            self._kill(self._workers[-1])

    def _assign(self) -> None:
        while self._queue:
            worker = next((w for w in self._workers if w.job is None), None)
            if worker is None:
                if len(self._workers) == self._size:
                    return
                worker = self._start()
            worker.key, worker.job = self._queue.popleft()
            worker.deadline = time.monotonic() + worker.job.limit_s
            worker.pages = None
            try:
                worker.connection.send(worker.job)
            except OSError:
                continue  # it died; its end of the line reports that

    def _start(self) -> _Worker[Key]:
        ours, theirs = socket.socketpair()
        stderr = tempfile.TemporaryFile()  # noqa: SIM115 - closed when the worker ends
        # Not multiprocessing's spawn: that would import the whole command line into each worker.
        process = subprocess.Popen(
            [sys.executable, "-P", "-c", _SERVE, str(theirs.fileno()), self._reader],
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=stderr,
            start_new_session=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        )
        theirs.close()
        worker: _Worker[Key] = _Worker(process, Connection(ours.detach()), stderr)
        self._workers.append(worker)
        return worker

    def _receive(self, worker: _Worker[Key]) -> tuple[Key, Answer]:
        try:
            answer: Answer = worker.connection.recv()
        except (EOFError, OSError):
            return self._end(worker, _died(worker))
        assert worker.key is not None
        if isinstance(answer, PagesRead):
            worker.pages = answer
        else:
            worker.job = None
        return worker.key, answer

    def _end(self, worker: _Worker[Key], reason: str) -> tuple[Key, Answer]:
        assert worker.key is not None
        self._kill(worker)
        return worker.key, Failed(reason)

    def _kill(self, worker: _Worker[Key]) -> None:
        self._workers.remove(worker)
        worker.connection.close()
        try:
            os.killpg(worker.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            worker.process.kill()
        worker.process.wait()
        worker.stderr.close()


def _too_slow(worker: _Worker[Key]) -> str:
    assert worker.job is not None
    where = f" at page {worker.pages.done} of {worker.pages.claimed}" if worker.pages else ""
    return (
        f"was given up after {worker.job.limit_s:g} s{where}: the reader hung or was too slow. "
        "A larger --timeout gives it more time."
    )


def _died(worker: _Worker[Key]) -> str:
    code = worker.process.wait()
    if code == -signal.SIGKILL:
        return "was given up: the system killed the reader, perhaps for want of memory."
    if code < 0:
        return f"crashed the reader ({signal.Signals(-code).name})."
    worker.stderr.seek(0)
    lines = worker.stderr.read().decode("utf-8", "replace").strip().splitlines()
    return f"stopped the reader with an internal error ({lines[-1] if lines else code})."
