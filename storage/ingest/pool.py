"""Reads documents and recognises pages in worker processes, several at a time."""

from __future__ import annotations

import signal
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import Generic, TypeVar

from pagetrail.annotation.errors import CorpusError
from pagetrail.storage.corpus.page_values import FirstPages, PagesFrom, PdfText, RecognisedPage
from pagetrail.storage.ingest.worker import (
    JobProgress,
    OcrJob,
    PagesRead,
    PartJob,
    ReadJob,
    initialise,
    run_job,
)
from pagetrail.storage.workers.memory import MEMORY_VARIABLE, limit_text, memory_limit
from pagetrail.storage.workers.pool import WorkerPool, WorkersDoNotStart
from pagetrail.storage.workers.process import WorkerCrashed, WorkerFailure, WorkerOutOfMemory

Key = TypeVar("Key")

_MAX_WAITING = 2  # one more than is needed at once, so that no worker waits for a hash
_MAX_STARTED = 64  # documents that are partly read
_WORKER_WAIT_S = 300.0  # a worker is free at once unless the machine is very busy


@dataclass(frozen=True)
class JobFailure:
    """Why a job failed; the reason continues a sentence that starts with the file or page."""

    reason: str


Job = ReadJob | PartJob | OcrJob
JobUpdate = PdfText | FirstPages | PagesFrom | RecognisedPage | JobFailure | JobProgress


class _JobQueue(Generic[Key]):
    """Orders jobs: new documents alternate with pages of started ones.

    Of the started documents, the one with the fewest jobs left goes first: a document of 30,000
    pages delays no other.
    """

    def __init__(self) -> None:
        self._documents: deque[tuple[Key, Job]] = deque()
        self._pages: dict[str, deque[tuple[Key, Job]]] = {}
        self._document_is_next = False

    def __bool__(self) -> bool:
        return bool(self._documents or self._pages)

    @property
    def waiting(self) -> int:
        """Number of new documents."""
        return len(self._documents)

    @property
    def started(self) -> int:
        """Number of documents with pages that no worker has started."""
        return len(self._pages)

    def clear(self) -> None:
        """Forget all jobs."""
        self._documents.clear()
        self._pages.clear()

    def add(self, key: Key, job: Job) -> None:
        """Add a job; of one document's pages, the one added last is taken first."""
        if isinstance(job, ReadJob):
            self._documents.append((key, job))
        else:
            self._pages.setdefault(job.path, deque()).appendleft((key, job))

    def take(self) -> tuple[Key, Job]:
        """Remove and return the next job; there must be one."""
        if self._documents and (self._document_is_next or not self._pages):
            self._document_is_next = False
            return self._documents.popleft()
        self._document_is_next = True
        path = min(self._pages, key=lambda path: len(self._pages[path]))
        keyed_job = self._pages[path].popleft()
        if not self._pages[path]:
            del self._pages[path]
        return keyed_job


class IngestPool(Generic[Key]):
    """Runs jobs in at most ``size`` processes; their updates have the job's key.

    Used by one thread. Each running job has a thread that waits for its worker.

    Args:
        reader: see ``run_job``.
    """

    def __init__(self, size: int, reader: str) -> None:
        self._size = size
        self._reader = reader
        self._workers = WorkerPool(size, initialise, (reader,), memory_bytes=memory_limit())
        # Before the first job: a worker takes a while to start.
        self._workers.start()
        self._threads = ThreadPoolExecutor(size, "ingest")
        self._queue = _JobQueue[Key]()
        self._updates: SimpleQueue[tuple[Key, JobUpdate]] = SimpleQueue()
        self._running = 0

    @property
    def accepts_documents(self) -> bool:
        """Whether a new document would be started soon."""
        return self._queue.waiting < _MAX_WAITING and self._queue.started < _MAX_STARTED

    def submit(self, key: Key, job: Job) -> None:
        """Queue a job."""
        self._queue.add(key, job)

    @property
    def has_jobs(self) -> bool:
        """Whether a job waits or runs."""
        return bool(self._queue) or self._running > 0

    def next_update(self, wait_s: float | None = None) -> tuple[Key, JobUpdate] | None:
        """Wait for the next result or progress; None if no jobs are left.

        Args:
            wait_s: after so many seconds without one, the result is None as well.
        """
        while self._queue and self._running < self._size:
            self._threads.submit(self._run, *self._queue.take())
            self._running += 1
        if not self._running:
            return None
        try:
            key, update = self._updates.get(timeout=wait_s)
        except Empty:
            return None
        if not isinstance(update, JobProgress):
            self._running -= 1
        return key, update

    def close(self) -> None:
        """Kill all workers; their jobs are lost."""
        self._queue.clear()
        self._workers.close()
        self._threads.shutdown()

    def _run(self, key: Key, job: Job) -> None:
        pages_read: PagesRead | None = None

        def on_progress(progress: JobProgress) -> None:
            nonlocal pages_read
            if isinstance(progress, PagesRead):
                pages_read = progress
            self._updates.put((key, progress))

        result: JobUpdate
        try:
            result = self._workers.call(
                run_job,
                job,
                self._reader,
                timeout=job.limit_s,
                wait=_WORKER_WAIT_S,
                on_progress=on_progress,
            )
        except CorpusError as error:
            result = JobFailure(error.message)
        except WorkerCrashed as crash:
            result = JobFailure(_crash_reason(crash))
        except WorkerOutOfMemory:
            result = JobFailure(
                f"needs more than {limit_text(memory_limit())} of memory. Print it to a new PDF "
                f"or split it; whoever runs the server may raise {MEMORY_VARIABLE}."
            )
        except WorkersDoNotStart as error:
            result = JobFailure(f"cannot be read: no reader can be started ({error}).")
        except WorkerFailure:
            position = f" at page {pages_read.done} of {pages_read.claimed}" if pages_read else ""
            result = JobFailure(
                f"was given up after {job.limit_s:g} s{position}: the reader hung or was too slow. "
                "Split the document, or have it ingested on the server with a longer time limit."
            )
        self._updates.put((key, result))


def _crash_reason(crash: WorkerCrashed) -> str:
    if crash.exit_code == -signal.SIGKILL:
        return "was given up: the system killed the reader, perhaps for want of memory."
    if crash.exit_code < 0:
        return f"crashed the reader ({signal.Signals(-crash.exit_code).name})."
    lines = crash.stderr.splitlines()
    return f"stopped the reader with an internal error ({lines[-1] if lines else crash.exit_code})."
