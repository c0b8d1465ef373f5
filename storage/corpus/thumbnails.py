"""Renders thumbnails in advance while the server is idle."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable
from pathlib import Path
from threading import Event, Thread

from pagetrail.annotation.errors import CorpusError, PagetrailError
from pagetrail.annotation.ports import DocumentInfo
from pagetrail.storage.corpus.documents import Corpus
from pagetrail.storage.corpus.image_cache import ImageCache
from pagetrail.storage.corpus.page_workers import PROCESSOR_S, WORKER_MODULE
from pagetrail.storage.workers.memory import memory_limit
from pagetrail.storage.workers.pool import WorkerPool, WorkersDoNotStart
from pagetrail.storage.workers.process import WorkerFailure
from pagetrail.storage.workers.worker_main import call_by_name

_CACHE_SHARE = 0.5
_CHECK_INTERVAL_S = 30.0
_IDLE_S = 5.0
_LIMIT_S = 120.0
_log = logging.getLogger("pagetrail.pages")


class Thumbnails:
    """Renders the thumbnail of every page that has none, in one process of the lowest priority.

    It goes through the collection once, and again after each change; after an interruption it
    continues with what is missing. It stops when images take half of the cache's limit, so that it
    never evicts pages that people have opened.

    Args:
        cache_dir: the workspace's cache folder.
        cache_limit: bytes of page images on disk.
        is_idle: whether the machine is idle now.
    """

    def __init__(
        self, corpus: Corpus, cache_dir: Path, cache_limit: int, is_idle: Callable[[], bool]
    ) -> None:
        """Nothing is started before ``start``."""
        self._corpus = corpus
        self._cache_dir = cache_dir
        self._cache_limit = cache_limit
        self._is_idle = is_idle
        self._closed = Event()
        self._pool: WorkerPool | None = None

    def start(self) -> None:
        """Start in the background, half a minute after the server."""
        Thread(target=self._watch_corpus, name="thumbnails", daemon=True).start()

    def close(self) -> None:
        """Stop at once."""
        self._closed.set()
        pool = self._pool
        if pool is not None:
            pool.close()

    def render_all(self) -> None:
        """Render what is missing; returns early when closed or when the cache is half full."""
        room = int(self._cache_limit * _CACHE_SHARE) - ImageCache(self._cache_dir).measured_bytes
        initargs = (
            f"{WORKER_MODULE}:initialise_idle",
            self._cache_dir,
            self._cache_limit,
            PROCESSOR_S,
        )
        self._pool = pool = WorkerPool(1, call_by_name, initargs, memory_bytes=memory_limit())
        try:
            for name in self._corpus.names():
                info = self._corpus.document(name)
                if info is not None and room > 0:
                    room -= self._render_document(pool, info, room)
        finally:
            pool.close()

    def _render_document(self, pool: WorkerPool, info: DocumentInfo, room: int) -> int:
        """Render one document's thumbnails; returns the bytes written, at most about ``room``."""
        current_page, bytes_written = 0, 0
        try:
            path = self._corpus.path(info.sha256)
        except CorpusError as error:
            _log.info("no thumbnails of %s: %r", info.name, error)
            return 0

        def on_progress(page: int) -> None:
            nonlocal current_page
            current_page = page

        while current_page < info.n_pages and bytes_written < room and self._wait_until_idle():
            current_page += 1  # skipped if its process fails
            try:
                bytes_written += pool.call(
                    call_by_name,
                    f"{WORKER_MODULE}:thumbnails",
                    path,
                    info.sha256,
                    range(current_page, info.n_pages + 1),
                    timeout=_LIMIT_S,
                    on_progress=on_progress,
                )
            except WorkersDoNotStart:
                break
            except (WorkerFailure, PagetrailError) as error:
                _log.info("no thumbnail of page %d of %s: %r", current_page, info.name, error)
        return bytes_written

    def _wait_until_idle(self) -> bool:
        """Wait until the machine is idle; False if closed."""
        while not self._closed.is_set() and not self._is_idle():
            self._closed.wait(1.0)
        return not self._closed.is_set()

    def _watch_corpus(self) -> None:
        rendered_revision: int | None = None
        while not self._closed.wait(_CHECK_INTERVAL_S):
            try:
                revision = self._corpus.revision
                if revision != rendered_revision and self._wait_until_idle():
                    self.render_all()
                    rendered_revision = revision
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
