"""Documents read and pages recognised in worker processes, several at a time."""

from __future__ import annotations

import signal
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from queue import SimpleQueue
from typing import Generic, TypeVar

from pagetrail.annotation.errors import CorpusError
from pagetrail.storage.corpus.page_values import FirstPages, PagesFrom, PdfText, RecognisedPage
from pagetrail.storage.ingest.worker import (
    OcrJob,
    PagesRead,
    PartJob,
    ReadJob,
    Told,
    do_job,
    prepare,
)
from pagetrail.storage.workers.memory import VARIABLE, limit_text, memory_limit
from pagetrail.storage.workers.pool import WorkerPool, WorkersDoNotStart
from pagetrail.storage.workers.process import WorkerCrashed, WorkerFailure, WorkerOutOfMemory

Key = TypeVar("Key")

_WAITING = 2  # one more than is needed at once, so that no worker waits for a hash
_STARTED = 64  # documents that are half read at a time
_START_LIMIT_S = 300.0  # a reader is there at once, unless the machine is very busy


@dataclass(frozen=True)
class Failed:
    """The job failed; the reason continues the name of the file or page."""

    reason: str


Job = ReadJob | PartJob | OcrJob
Answer = PdfText | FirstPages | PagesFrom | RecognisedPage | Failed | Told


class _JobQueue(Generic[Key]):
    """Jobs in the order in which they are done: documents and pages of documents take turns.

    Pages of started documents come first, so that few documents are half read at a time. But of
    two jobs one is a new document, if there is any, and the document with the fewest jobs left
    goes first: a document of 30,000 pages holds up no other.
    """

    def __init__(self) -> None:
        self._documents: deque[tuple[Key, Job]] = deque()
        self._pages: dict[str, deque[tuple[Key, Job]]] = {}
        self._document_is_next = False

    def __bool__(self) -> bool:
        return bool(self._documents or self._pages)

    @property
    def waiting(self) -> int:
        """New documents."""
        return len(self._documents)

    @property
    def started(self) -> int:
        """Documents with pages that no worker has started."""
        return len(self._pages)

    def clear(self) -> None:
        """Forget all jobs."""
        self._documents.clear()
        self._pages.clear()

    def add(self, key: Key, job: Job) -> None:
        """Add a job; of one document's pages the one added last is done first."""
        if isinstance(job, ReadJob):
            self._documents.append((key, job))
        else:
            self._pages.setdefault(job.path, deque()).appendleft((key, job))

    def take(self) -> tuple[Key, Job]:
        """Take the next job out; there must be one."""
        if self._documents and (self._document_is_next or not self._pages):
            self._document_is_next = False
            return self._documents.popleft()
        self._document_is_next = True
        path = min(self._pages, key=lambda path: len(self._pages[path]))
        taken = self._pages[path].popleft()
        if not self._pages[path]:
            del self._pages[path]
        return taken


class IngestPool(Generic[Key]):
    """Runs jobs in at most ``size`` processes; answers come back under the job's key.

    Used by one thread. Each job has a thread of its own that waits for its worker.

    Args:
        reader: see ``do_job``.
    """

    def __init__(self, size: int, reader: str) -> None:
        self._size = size
        self._reader = reader
        self._workers = WorkerPool(size, prepare, (reader,), memory_bytes=memory_limit())
        # Before there is a job: a worker takes a while to start.
        self._workers.start()
        self._threads = ThreadPoolExecutor(size, "ingest")
        self._queue = _JobQueue[Key]()
        self._answers: SimpleQueue[tuple[Key, Answer]] = SimpleQueue()
        self._running = 0

    @property
    def takes_documents(self) -> bool:
        """Whether a new document would be started soon, so that it is worth looking at."""
        return self._queue.waiting < _WAITING and self._queue.started < _STARTED

    def submit(self, key: Key, job: Job) -> None:
        """Queue a job."""
        self._queue.add(key, job)

    def answer(self) -> tuple[Key, Answer] | None:
        """Wait for the next answer or progress; None when there is nothing left to wait for."""
        while self._queue and self._running < self._size:
            self._threads.submit(self._run, *self._queue.take())
            self._running += 1
        if not self._running:
            return None
        key, answer = self._answers.get()
        if not isinstance(answer, Told):
            self._running -= 1
        return key, answer

    def close(self) -> None:
        """Kill all workers; their jobs are lost."""
        self._queue.clear()
        self._workers.close(at_once=True)
        self._threads.shutdown()

    def _run(self, key: Key, job: Job) -> None:
        reached: PagesRead | None = None

        def on_tell(told: Told) -> None:
            nonlocal reached
            if isinstance(told, PagesRead):
                reached = told
            self._answers.put((key, told))

        answer: Answer
        try:
            answer = self._workers.call(
                do_job,
                job,
                self._reader,
                timeout=job.limit_s,
                wait=_START_LIMIT_S,
                on_tell=on_tell,
            )
        except CorpusError as error:
            answer = Failed(error.message)
        except WorkerCrashed as crash:
            answer = Failed(_crashed(crash))
        except WorkerOutOfMemory:
            answer = Failed(
                f"needs more than {limit_text(memory_limit())} of memory. Print it to a new PDF "
                f"or split it; whoever runs the server may raise {VARIABLE}."
            )
        except WorkersDoNotStart as error:
            answer = Failed(f"cannot be read: no reader can be started ({error}).")
        except WorkerFailure:
            where = f" at page {reached.done} of {reached.claimed}" if reached else ""
            answer = Failed(
                f"was given up after {job.limit_s:g} s{where}: the reader hung or was too slow. "
                "Split the document, or have it ingested on the server with a longer time limit."
            )
        self._answers.put((key, answer))


def _crashed(crash: WorkerCrashed) -> str:
    if crash.exit_code == -signal.SIGKILL:
        return "was given up: the system killed the reader, perhaps for want of memory."
    if crash.exit_code < 0:
        return f"crashed the reader ({signal.Signals(-crash.exit_code).name})."
    lines = crash.stderr.splitlines()
    return f"stopped the reader with an internal error ({lines[-1] if lines else crash.exit_code})."
