"""Keeps the served index up to date: notices changes and damage, rebuilds, and switches over."""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass
from threading import Event, Lock, Thread

from pagetrail.annotation.errors import PagetrailError, QueryRefused, WorkspaceError
from pagetrail.annotation.messages import gettext
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
class ServingIndex:
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
        self._serving: ServingIndex | None = None
        self._renewal: _Renewal | None = None
        self._watcher: Thread | None = None
        self._closed = Event()

    @property
    def revision(self) -> int | None:
        """The corpus revision of the served index, or None."""
        index = self._serving
        return None if index is None else index.stored.revision

    def pids(self) -> list[int]:
        """Process ids of the search processes."""
        index = self._serving
        return [] if index is None else index.pool.pids()

    def serving_index(self, deadline: float) -> ServingIndex:
        """The served index: the current one, or an older one while a new one is built."""
        index = self._serving
        if index is not None:
            return index
        renewal = self._renew()
        renewal.can_serve.wait(max(0.0, deadline - time.monotonic() - 0.1))
        index = self._serving
        if index is not None:
            return index
        if renewal.error is not None:
            raise renewal.error
        raise QueryRefused(
            gettext(
                "The search index is being built. Try again in a minute; nothing that "
                "you did is lost."
            ),
            code="index_building",
        )

    def refresh(self) -> None:
        """Make the index current and serve it.

        Raises:
            PagetrailError: it cannot be built or opened.
        """
        renewal = self._renew()
        renewal.has_ended.wait()
        if renewal.error is not None:
            raise renewal.error

    def give_up(self, index: ServingIndex) -> None:
        """Stop serving an index; the next search finds out what is wrong with it."""
        with self._lock:
            if self._serving is index:
                self._serving = None
        index.pool.close_when_idle()

    def close(self) -> None:
        """End the processes; no new ones are started."""
        self._closed.set()
        with self._lock:
            index, self._serving = self._serving, None
            renewal = self._renewal
        if renewal is not None:
            renewal.builder.cancel()
        if index is not None:
            index.pool.close_when_idle()

    def _renew(self) -> _Renewal:
        """The renewal in progress, or a new one."""
        with self._lock:
            if self._closed.is_set():
                raise WorkspaceError(
                    gettext("The search service is closed. Start the server again.")
                )
            if self._watcher is None:
                self._watcher = Thread(target=self._watch, name="search-watch", daemon=True)
                self._watcher.start()
            if self._renewal is None or self._renewal.has_ended.is_set():
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
                    renewal.has_ended.wait()
                    if renewal.error is not None:
                        raise renewal.error
            except PagetrailError as error:
                _log.error("the search index could not be renewed: %s", error.message)
                self._closed.wait(_RETRY_S)

    def _is_outdated(self) -> bool:
        index = self._serving
        if index is None:
            return False
        if files_on_disk(index.stored.folder) != index.stored.files:
            _log.warning("Files of the search index were changed or removed. It is checked.")
            return True
        if not index.pool.pids() and not index.pool.ready(START_LIMIT_S):
            _log.warning("No search process starts. The search index is checked.")
            self.give_up(index)
            return True
        if index.stored.revision == self._corpus.revision:
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
                gettext(
                    "The search index cannot be read or written: {strerror}.",
                    strerror=error.strerror,
                ),
                retry_after_s=round(_RETRY_S),
            )
        finally:
            renewal.has_ended.set()
            renewal.can_serve.set()

    def _build_and_serve(self, renewal: _Renewal) -> None:
        """Serve a usable index at once, then the index of the current corpus."""
        stored = usable_index(self._workspace)
        if stored is not None and stored.revision == self._corpus.revision:
            self._serve(stored)
            return
        if stored is not None and self._serving is None:
            try:
                self._serve(stored)
            except WorkspaceError as error:
                _log.error("an older index does not answer: %s", error.message)
            renewal.can_serve.set()
        renewal.build(self._workspace)
        stored = current_index(self._workspace)
        if stored is not None:  # otherwise the corpus has changed again
            self._serve(stored)

    def _serve(self, stored: StoredIndex) -> None:
        """Switch searches to an index, once a process can answer from it."""
        if self._serving is not None and self._serving.stored == stored:
            return
        pool = WorkerPool(self._workers, open_index, (stored.folder, stored.identity))
        pool.start()
        if not pool.ready(START_LIMIT_S):
            pool.close_when_idle()
            raise WorkspaceError(
                gettext(
                    "The search processes do not start. A supervisor can rebuild the index "
                    "under Administration, Collection."
                )
            )
        index = ServingIndex(stored, pool)
        with self._lock:
            old, self._serving = self._serving, index
            if self._closed.is_set():
                old, self._serving = index, None
        if old is not None:
            old.pool.close_when_idle()


class _Renewal:
    """One renewal of the index.

    Attributes:
        can_serve: set as soon as an index answers, even an older one.
        has_ended: set at the end.
        error: why it failed.
        builder: controls the process that builds; what a cancelled one wrote is removed by the
            next build.
    """

    def __init__(self) -> None:
        self.can_serve = Event()
        self.has_ended = Event()
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
                gettext(
                    "The search index could not be built: its process stopped. A "
                    "supervisor can rebuild it under Administration, Collection."
                )
            ) from None
