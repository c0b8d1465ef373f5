"""Draws the thumbnails of pages that have none: after an ingest, and while the server is idle."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from threading import Event, Lock, Thread
from typing import Any, NamedTuple

from pagetrail.annotation.errors import OutputError, PagetrailError
from pagetrail.annotation.messages import gettext
from pagetrail.annotation.ports import DocumentInfo
from pagetrail.storage.corpus.documents import Corpus
from pagetrail.storage.corpus.image_cache import DEFAULT_LIMIT, THUMBNAIL_DPI, ImageCache
from pagetrail.storage.corpus.page_workers import PROCESSOR_S, WORKER_MODULE
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.workers.memory import memory_limit
from pagetrail.storage.workers.pool import WorkerPool, WorkersClosed, WorkersDoNotStart
from pagetrail.storage.workers.process import WorkerFailure
from pagetrail.storage.workers.worker_main import call_by_name

_PAGES_PER_PART = 64
_PROGRESS_S = 0.5
_CHECK_INTERVAL_S = 30.0
_IDLE_S = 5.0
_LIMIT_S = 120.0
_NICENESS = 10
_REVISION_FILE = "revision"
_log = logging.getLogger("pagetrail.pages")


@dataclass
class ThumbnailReport:
    """Outcome of drawing thumbnails.

    Attributes:
        drawn: number of thumbnails.
        bytes: their total size.
        failed: number of pages that cannot be drawn.
        missing: number of pages that were not tried.
        problem: why drawing stopped, as a sentence; empty if it did not or was interrupted.
        seconds: how long it took.
    """

    drawn: int = 0
    bytes: int = 0
    failed: int = 0
    missing: int = 0
    problem: str = ""
    seconds: float = 0.0

    def as_json(self) -> dict[str, Any]:
        """Plain values for ``json.dumps``."""
        return asdict(self)

    def sentence(self) -> str:
        """The outcome as a sentence; empty if there was nothing to draw."""
        parts = []
        if self.drawn:
            size_kb = self.bytes / self.drawn / 1000
            parts.append(f"{self.drawn:,} drawn in {self.seconds:.0f} s, {size_kb:.1f} KB per page")
        if self.failed:
            parts.append(f"{self.failed:,} cannot be drawn")
        if self.missing:
            parts.append(f"{self.missing:,} later, when the server is idle")
        return f"Thumbnails: {'; '.join(parts)}. {self.problem}".rstrip() if parts else ""


class _Part(NamedTuple):
    """Pages of one document without thumbnails."""

    document: DocumentInfo
    pages: Sequence[int]


class ThumbnailWorkers:
    """Draws missing thumbnails in processes of its own; used once.

    Args:
        cache_dir: the workspace's cache folder.
        size: number of processes.
        wait_for_turn: called before each page; whether to go on. With it, the processes run only
            while the machine is otherwise idle.
    """

    def __init__(
        self,
        corpus: Corpus,
        cache_dir: Path,
        size: int,
        wait_for_turn: Callable[[], bool] | None = None,
    ) -> None:
        self._corpus = corpus
        self._cache = ImageCache(cache_dir)
        self._size = size
        self._lock = Lock()
        self._wait_for_turn = wait_for_turn or (lambda: True)
        initialise = "initialise" if wait_for_turn is None else "initialise_idle"
        self._pool = WorkerPool(
            size,
            call_by_name,
            (f"{WORKER_MODULE}:{initialise}", cache_dir, DEFAULT_LIMIT, PROCESSOR_S),
            memory_bytes=memory_limit(),
            niceness=_NICENESS,
        )

    def draw(
        self, names: Iterable[str], progress: Callable[[int, int], None] = lambda done, total: None
    ) -> ThumbnailReport:
        """Draw the missing thumbnails of documents.

        Args:
            names: of documents.
            progress: called in this thread with the number of pages done and their total; may raise
                ``KeyboardInterrupt``, which ends the drawing, as Ctrl-C does.

        Returns:
            The report; it has a problem if the disk does not take them, or no process starts.
        """
        report, started = ThumbnailReport(), time.monotonic()
        parts = list(self._missing_parts(names))
        total = sum(len(part.pages) for part in parts)
        waiting = iter(parts)
        running: set[Future[None]] = set()
        with ThreadPoolExecutor(self._size, "thumbnails") as threads:
            try:
                with suppress(KeyboardInterrupt):
                    while True:
                        for part in islice(waiting, self._size - len(running)):
                            running.add(threads.submit(self._draw_part, part, report))
                        if not running:
                            break
                        done, running = wait(running, _PROGRESS_S, FIRST_COMPLETED)
                        for future in done:
                            future.result()
                        progress(report.drawn + report.failed, total)
            except OutputError as error:
                report.problem = error.message
            finally:
                self.close()  # the threads end with their processes
        report.missing = total - report.drawn - report.failed
        report.seconds = time.monotonic() - started
        return report

    def close(self) -> None:
        """Stop at once."""
        self._pool.close()

    def _missing_parts(self, names: Iterable[str]) -> Iterator[_Part]:
        for name in names:
            info = self._corpus.document(name)
            if info is not None:
                pages = self._cache.missing_thumbnails(info.sha256, info.n_pages)
                for start in range(0, len(pages), _PAGES_PER_PART):
                    yield _Part(info, pages[start : start + _PAGES_PER_PART])

    def _draw_part(self, part: _Part, report: ThumbnailReport) -> None:
        info = part.document
        try:
            path = self._corpus.path(info.sha256)
        except PagetrailError as error:
            _log.info("no thumbnails of %s: %r", info.name, error)
            with self._lock:
                report.failed += len(part.pages)
            return
        for page in part.pages:
            if not self._wait_for_turn():
                return
            size = 0
            try:
                size = len(
                    self._pool.call(
                        call_by_name,
                        f"{WORKER_MODULE}:jpeg",
                        path,
                        info.sha256,
                        page,
                        THUMBNAIL_DPI,
                        timeout=_LIMIT_S,
                    )
                )
            except WorkersClosed:
                return
            except WorkersDoNotStart as error:
                raise OutputError(
                    gettext("The processes that draw pages do not start: {error}", error=error)
                ) from error
            except (WorkerFailure, PagetrailError) as error:
                _log.info("no thumbnail of page %d of %s: %r", page, info.name, error)
            if size and not self._cache.has(info.sha256, page, THUMBNAIL_DPI):
                raise OutputError(gettext("The disk does not take the thumbnails of pages."))
            with self._lock:
                report.drawn += bool(size)
                report.failed += not size
                report.bytes += size


def draw_thumbnails(
    workspace: Workspace, names: Iterable[str], progress: Callable[[int, int], None]
) -> ThumbnailReport:
    """Draw the missing thumbnails of documents with all cores; see ``ThumbnailWorkers.draw``."""
    workers = ThumbnailWorkers(Corpus(workspace), workspace.cache_dir, os.cpu_count() or 1)
    return workers.draw(names, progress)


class IdleThumbnails:
    """Draws all missing thumbnails in one process of the lowest priority.

    It goes through the collection once, and again after each change and when the folder of
    thumbnails was removed; after an interruption it continues with what is missing.

    Args:
        cache_dir: the workspace's cache folder.
        is_idle: whether the machine is idle now.
    """

    def __init__(self, corpus: Corpus, cache_dir: Path, is_idle: Callable[[], bool]) -> None:
        """Nothing is started before ``start``."""
        self._corpus = corpus
        self._cache_dir = cache_dir
        self._revision_file = ImageCache(cache_dir).thumbnails / _REVISION_FILE
        self._is_idle = is_idle
        self._closed = Event()
        self._workers: ThumbnailWorkers | None = None

    def start(self) -> None:
        """Start in the background, half a minute after the server."""
        Thread(target=self._watch_corpus, name="thumbnails", daemon=True).start()

    def close(self) -> None:
        """Stop at once."""
        self._closed.set()
        if self._workers is not None:
            self._workers.close()

    def draw_missing(self) -> None:
        """Draw what is missing, unless all of this revision of the corpus was drawn before.

        Raises:
            StorageError: the corpus cannot be read.
        """
        revision = str(self._corpus.revision)
        with suppress(OSError):
            if self._revision_file.read_text(encoding="ascii") == revision:
                return
        self._workers = ThumbnailWorkers(self._corpus, self._cache_dir, 1, self._wait_until_idle)
        report = self._workers.draw(self._corpus.names())
        if report.problem:
            _log.warning("thumbnails: %s", report.problem)
        elif not report.missing:
            with suppress(OSError):  # then all are looked for again
                self._revision_file.parent.mkdir(parents=True, exist_ok=True)
                self._revision_file.write_text(revision, encoding="ascii")

    def _wait_until_idle(self) -> bool:
        """Wait until the machine is idle; False if closed."""
        while not self._closed.is_set() and not self._is_idle():
            self._closed.wait(1.0)
        return not self._closed.is_set()

    def _watch_corpus(self) -> None:
        while not self._closed.wait(_CHECK_INTERVAL_S):
            try:
                if self._wait_until_idle():
                    self.draw_missing()
            except PagetrailError as error:
                _log.warning("thumbnails: %s", error)


def machine_is_idle(last_requested: float) -> bool:
    """Whether the load is at most the number of cores, and no page was requested for five seconds.

    Args:
        last_requested: time when a page was last requested, on the monotonic clock.
    """
    return time.monotonic() - last_requested > _IDLE_S and os.getloadavg()[0] <= (
        os.cpu_count() or 1
    )
