"""Keeps the served index up to date: notices changes and damage, rebuilds, and switches over."""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass
from threading import Event, Lock, Thread

from pagetrail.annotation.errors import PagetrailError, QueryRefused, WorkspaceError
from pagetrail.storage.corpus.documents import Corpus
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.search.store import (
    StoredIndex,
    build_index,
    current_index,
    files_on_disk,
    usable_index,
)
from pagetrail.storage.search.worker import open_index
from pagetrail.storage.workers.pool import CallHandle, WorkerPool, run_once
from pagetrail.storage.workers.process import WorkerFailure

START_LIMIT_S = 30.0
_CHECK_INTERVAL_S = 1.0
_MAX_CHANGES_S = 60.0
_RETRY_S = 30.0
_log = logging.getLogger("pagetrail.search")


@dataclass(frozen=True)
class ServedIndex:
    """An index and the worker processes that answer from it."""

    stored: StoredIndex
    pool: WorkerPool


class IndexRenewal:
    """The served index, its processes, and the thread that renews both. Thread-safe."""

    def __init__(self, workspace: Workspace, workers: int) -> None:
        self._workspace = workspace
        self._corpus = Corpus(workspace)
        self._workers = workers
        self._lock = Lock()
        self._served: ServedIndex | None = None
        self._renewal: _Renewal | None = None
        self._watcher: Thread | None = None
        self._closed = Event()

    @property
    def revision(self) -> int | None:
        """The corpus revision of the served index, or None."""
        served = self._served
        return None if served is None else served.stored.revision

    def pids(self) -> list[int]:
        """Process ids of the search processes."""
        served = self._served
        return [] if served is None else served.pool.pids()

    def served(self, deadline: float) -> ServedIndex:
        """The served index: the current one, or an older one while a new one is built."""
        served = self._served
        if served is not None:
            return served
        renewal = self._renew()
        renewal.serving.wait(max(0.0, deadline - time.monotonic() - 0.1))
        served = self._served
        if served is not None:
            return served
        if renewal.error is not None:
            raise renewal.error
        raise QueryRefused(
            "The search index is being built. Try again in a minute; nothing that you did is lost.",
            code="index_building",
        )

    def refresh(self) -> None:
        """Make the index current and serve it.

        Raises:
            PagetrailError: it cannot be built or opened.
        """
        renewal = self._renew()
        renewal.done.wait()
        if renewal.error is not None:
            raise renewal.error

    def give_up(self, served: ServedIndex) -> None:
        """Stop serving an index; the next search finds out what is wrong with it."""
        with self._lock:
            if self._served is served:
                self._served = None
        served.pool.close_when_idle()

    def close(self) -> None:
        """End the processes; no new ones are started."""
        self._closed.set()
        with self._lock:
            served, self._served = self._served, None
            renewal = self._renewal
        if renewal is not None:
            renewal.builder.cancel()
        if served is not None:
            served.pool.close_when_idle()

    def _renew(self) -> _Renewal:
        """The renewal in progress, or a new one."""
        with self._lock:
            if self._closed.is_set():
                raise WorkspaceError("The search service is closed. Start the server again.")
            if self._watcher is None:
                self._watcher = Thread(target=self._watch, name="search-watch", daemon=True)
                self._watcher.start()
            if self._renewal is None or self._renewal.done.is_set():
                self._renewal = _Renewal()
                Thread(
                    target=self._run, args=(self._renewal,), name="search-renewal", daemon=True
                ).start()
            return self._renewal

    def _watch(self) -> None:
        """Renew the index after changes to the corpus or its files, until closed."""
        while not self._closed.wait(_CHECK_INTERVAL_S):
            try:
                if self._is_outdated():
                    renewal = self._renew()
                    renewal.done.wait()
                    if renewal.error is not None:
                        raise renewal.error
            except PagetrailError as error:
                _log.error("the search index could not be renewed: %s", error.message)
                self._closed.wait(_RETRY_S)

    def _is_outdated(self) -> bool:
        served = self._served
        if served is None:
            return False
        if files_on_disk(served.stored.folder) != served.stored.files:
            _log.warning("Files of the search index were changed or removed. It is checked.")
            return True
        if not served.pool.pids() and not served.pool.ready(START_LIMIT_S):
            _log.warning("No search process starts. The search index is checked.")
            self.give_up(served)
            return True
        if served.stored.revision == self._corpus.revision:
            return False
        # An ingest changes the corpus with each document.
        deadline = time.monotonic() + _MAX_CHANGES_S
        revision = None
        while revision != self._corpus.revision and time.monotonic() < deadline:
            revision = self._corpus.revision
            self._closed.wait(_CHECK_INTERVAL_S)
        return True

    def _run(self, renewal: _Renewal) -> None:
        try:
            self._build_and_serve(renewal)
        except PagetrailError as error:
            renewal.error = error
        except OSError as error:
            renewal.error = WorkspaceError(
                f"The search index cannot be read or written: {error.strerror}."
            )
        finally:
            renewal.done.set()
            renewal.serving.set()

    def _build_and_serve(self, renewal: _Renewal) -> None:
        """Serve a usable index at once, then the index of the current corpus."""
        stored = usable_index(self._workspace)
        if stored is not None and stored.revision == self._corpus.revision:
            self._serve(stored)
            return
        if stored is not None and self._served is None:
            try:
                self._serve(stored)
            except WorkspaceError as error:
                _log.error("an older index does not answer: %s", error.message)
            renewal.serving.set()
        renewal.build(self._workspace)
        stored = current_index(self._workspace)
        if stored is not None:  # otherwise the corpus has changed again
            self._serve(stored)

    def _serve(self, stored: StoredIndex) -> None:
        """Switch searches to an index, once a process can answer from it."""
        if self._served is not None and self._served.stored == stored:
            return
        pool = WorkerPool(self._workers, open_index, (stored.folder, stored.identity))
        pool.start()
        if not pool.ready(START_LIMIT_S):
            pool.close_when_idle()
            raise WorkspaceError(
                "The search processes do not start. A supervisor can rebuild the index under "
                "Administration, Collection."
            )
        served = ServedIndex(stored, pool)
        with self._lock:
            old, self._served = self._served, served
            if self._closed.is_set():
                old, self._served = served, None
        if old is not None:
            old.pool.close_when_idle()


class _Renewal:
    """One renewal of the index.

    Attributes:
        serving: set as soon as an index answers, even an older one.
        done: set at the end.
        error: why it failed.
        builder: controls the process that builds; what a cancelled one wrote is removed by the
            next build.
    """

    def __init__(self) -> None:
        self.serving = Event()
        self.done = Event()
        self.error: PagetrailError | None = None
        self.builder = CallHandle()

    def build(self, workspace: Workspace) -> None:
        """Build in a process of its own: it takes a minute and would block this interpreter.

        Raises:
            PagetrailError: the build failed.
        """
        try:
            run_once(build_index, workspace.root, handle=self.builder)
        except WorkerFailure as failure:
            _log.error("the process that builds the index ended: %s", failure)
            raise WorkspaceError(
                "The search index could not be built: its process stopped. A supervisor can "
                "rebuild it under Administration, Collection."
            ) from None
