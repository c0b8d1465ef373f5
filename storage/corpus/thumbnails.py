"""Thumbnails drawn ahead by the server while nobody needs it."""

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
from pagetrail.storage.corpus.page_workers import PROCESSOR_S, WORKER
from pagetrail.storage.workers.memory import memory_limit
from pagetrail.storage.workers.pool import WorkerPool, WorkersDoNotStart
from pagetrail.storage.workers.process import WorkerFailure
from pagetrail.storage.workers.serve import call_named

_SHARE = 0.5
_LOOK_EVERY_S = 30.0
_QUIET_S = 5.0
_LIMIT_S = 120.0
_log = logging.getLogger("pagetrail.pages")


class Thumbnails:
    """Draws the thumbnail of every page that has none, in one process of the lowest priority.

    It goes through the collection once, and again when that has changed; interrupted, it goes on
    with what is missing. It stops when images take half of the cache's limit, so that it never
    pushes out pages that people have opened.

    Args:
        cache_dir: the workspace's folder for what may be deleted.
        cache_limit: bytes of page images on disk.
        quiet: whether nobody needs the machine now.
    """

    def __init__(
        self, corpus: Corpus, cache_dir: Path, cache_limit: int, quiet: Callable[[], bool]
    ) -> None:
        """Nothing is started before ``start``."""
        self._corpus = corpus
        self._cache_dir = cache_dir
        self._limit = cache_limit
        self._quiet = quiet
        self._closed = Event()
        self._pool: WorkerPool | None = None

    def start(self) -> None:
        """Begin in the background, some time after the server has started."""
        Thread(target=self._follow, name="thumbnails", daemon=True).start()

    def close(self) -> None:
        """Stop at once."""
        self._closed.set()
        pool = self._pool
        if pool is not None:
            pool.close(at_once=True)

    def draw_all(self) -> None:
        """Draw what is missing, now; returns early when closed or when the cache is half full."""
        room = int(self._limit * _SHARE) - ImageCache(self._cache_dir).measured
        start = (f"{WORKER}:start_idle", self._cache_dir, self._limit, PROCESSOR_S)
        self._pool = pool = WorkerPool(1, call_named, start, memory_bytes=memory_limit())
        try:
            for name in self._corpus.names():
                info = self._corpus.document(name)
                if info is not None and room > 0:
                    room -= self._draw(pool, info, room)
        finally:
            pool.close(at_once=True)

    def _draw(self, pool: WorkerPool, info: DocumentInfo, room: int) -> int:
        """One document's; returns the bytes written, at most about ``room``."""
        reached, written = 0, 0
        try:
            path = self._corpus.path(info.sha256)
        except CorpusError as error:
            _log.info("no thumbnails of %s: %r", info.name, error)
            return 0

        def on_tell(page: int) -> None:
            nonlocal reached
            reached = page

        while reached < info.n_pages and written < room and self._may_go_on():
            reached += 1  # skipped where its process fails
            try:
                written += pool.call(
                    call_named,
                    f"{WORKER}:thumbnails",
                    path,
                    info.sha256,
                    range(reached, info.n_pages + 1),
                    timeout=_LIMIT_S,
                    on_tell=on_tell,
                )
            except WorkersDoNotStart:
                break
            except (WorkerFailure, PagetrailError) as error:
                _log.info("no thumbnail of page %d of %s: %r", reached, info.name, error)
        return written

    def _may_go_on(self) -> bool:
        while not self._closed.is_set() and not self._quiet():
            self._closed.wait(1.0)
        return not self._closed.is_set()

    def _follow(self) -> None:
        drawn: int | None = None
        while not self._closed.wait(_LOOK_EVERY_S):
            try:
                revision = self._corpus.revision
                if revision != drawn and self._may_go_on():
                    self.draw_all()
                    drawn = revision
            except PagetrailError as error:
                _log.warning("thumbnails: %s", error)


def machine_is_quiet(last_drawn: float) -> bool:
    """Whether no more runs than the machine has cores, and no page was drawn for five seconds.

    Args:
        last_drawn: when somebody last had a page drawn, on the monotonic clock.
    """
    idle = time.monotonic() - last_drawn > _QUIET_S
    return idle and os.getloadavg()[0] <= (os.cpu_count() or 1)
