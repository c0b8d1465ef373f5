"""The search service of the server: an answer or a refusal within two seconds, for everyone.

Queries run in processes of their own, so that a costly one neither holds the server's interpreter
nor the other users: the engine's cost is estimated first, an alarm in the process stops what takes
longer all the same, and a process that does not answer is killed and replaced.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Lock, Thread
from typing import Any

from pagetrail.annotation.errors import NotFoundError, PagetrailError, QueryRefused, WorkspaceError
from pagetrail.annotation.events.search_results import SearchOutcome
from pagetrail.storage.corpus.documents import Corpus
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.search.index import BuildProgress
from pagetrail.storage.search.snippets import Run, snippet
from pagetrail.storage.search.store import StoredIndex, build_index, current_index, ensure_index
from pagetrail.storage.search.worker import TIMEOUT_CODE, TIMEOUT_MESSAGE, answer, open_index
from pagetrail.storage.workers.pool import WorkerPool, WorkersBusy, WorkersClosed, WorkersDoNotStart
from pagetrail.storage.workers.process import WorkerCrashed, WorkerProcess, WorkerTimedOut

LIMIT_S = 2.0
_START_S = 30.0
_log = logging.getLogger("pagetrail.search")


class SearchService:
    """Implements ``SearchIndex`` over the workspace's current index. Thread-safe.

    A search never runs on an index of another corpus: after a change of the corpus, searches wait
    for the new index as long as their time allows, and are then refused with a message.
    """

    def __init__(self, workspace: Workspace, workers: int = 2, limit_s: float = LIMIT_S) -> None:
        """Nothing is started before the first search or ``start``."""
        self._workspace = workspace
        self._corpus = Corpus(workspace)
        self._workers = workers
        self._limit_s = limit_s
        self._lock = Lock()
        self._served: _Served | None = None
        self._renewal: _Renewal | None = None
        self._closed = False

    def start(self, progress: BuildProgress | None = None) -> None:
        """Build the index in this process if need be, and wait for the search processes."""
        ensure_index(self._workspace, progress)
        self.refresh()

    def refresh(self) -> None:
        """Make the index current, in a process of its own, and move the searches over to it.

        Raises:
            PagetrailError: the index cannot be built or opened.
        """
        renewal = self._renew()
        renewal.done.wait()
        if renewal.error is not None:
            raise renewal.error

    @property
    def identity(self) -> str:
        """Identity of the current index."""
        return self._current(time.monotonic() + _START_S).stored.identity

    def search(self, query: str, top_k: int) -> SearchOutcome:
        """The first ``top_k`` pages, exactly as the reference engine ranks them.

        Raises:
            QueryRefused: empty, not parseable, too broad, too slow, or no index yet.
        """
        outcome: SearchOutcome = self._call("search", query, top_k)
        return outcome

    def more(self, query: str, top_k: int, n: int) -> SearchOutcome:
        """The first ``top_k`` pages as ``search`` gives them, then others up to ``n`` in all.

        Raises:
            QueryRefused: as ``search``.
        """
        outcome: SearchOutcome = self._call("more", query, top_k, n)
        return outcome

    def highlight_terms(self, query: str) -> list[str]:
        """The words of the collection that the query looks for, patterns written out, sorted.

        Outside parity: for campaigns whose settings allow help that agents do not have.

        Raises:
            QueryRefused: as ``search``.
        """
        terms: list[str] = self._call("highlight_terms", query)
        return terms

    def suggest(self, query: str) -> str | None:
        """“Did you mean”: another spelling that finds something, or None. Outside parity."""
        try:
            suggestion: str | None = self._call("suggest", query)
        except QueryRefused:
            return None
        return suggestion

    def snippets(
        self, query: str, pages: Sequence[tuple[str, int]]
    ) -> list[tuple[Run, ...] | None]:
        """For each (document, page) its plain text around the matches, as (text, is match) runs.

        Outside parity. A page that is not there any more, or a query that is refused now, has None.
        """
        try:
            terms = frozenset(self.highlight_terms(query))
        except QueryRefused:
            return [None] * len(pages)
        found: list[tuple[Run, ...] | None] = []
        for document, page in pages:
            try:
                found.append(snippet(self._corpus.page_text(document, page), terms))
            except NotFoundError:
                found.append(None)
        return found

    def pids(self) -> list[int]:
        """Process ids of the search processes."""
        served = self._served
        return [] if served is None else served.pool.pids()

    def close(self) -> None:
        """End the search processes. The service starts no new ones."""
        with self._lock:
            self._closed = True
            served, self._served = self._served, None
            renewal = self._renewal
        if renewal is not None:
            renewal.cancel()
        if served is not None:
            served.pool.close()

    def _call(self, method: str, *arguments: Any) -> Any:
        """One request, answered or refused within the limit.

        A request whose process was lost is given to another once more, so that one process's end
        costs no one else an answer.
        """
        deadline = time.monotonic() + self._limit_s
        for _ in range(2):
            served = self._current(deadline)
            left = deadline - time.monotonic()
            try:
                return served.pool.call(answer, method, arguments, timeout=left)
            except WorkerTimedOut:
                raise QueryRefused(TIMEOUT_MESSAGE, code=TIMEOUT_CODE) from None
            except WorkersBusy:
                raise QueryRefused(
                    "The search is busy at the moment. Try again in a few seconds.",
                    code="search_busy",
                ) from None
            except WorkersDoNotStart:
                raise _do_not_start("WORKSPACE") from None
            except WorkerCrashed as crash:
                _log.error("a search process ended: %s", crash)
            except WorkersClosed:
                pass  # the index was changed; the new one answers
        raise QueryRefused(
            "The search engine stopped on this query twice. Write it in another way.",
            code="query_failed",
        )

    def _current(self, deadline: float) -> _Served:
        revision = self._corpus.revision
        served = self._served
        if served is not None and served.stored.revision == revision:
            return served
        renewal = self._renew()
        renewal.done.wait(max(0.0, deadline - time.monotonic() - 0.1))
        if renewal.error is not None:
            raise renewal.error
        served = self._served
        if served is None or served.stored.revision < revision:
            raise QueryRefused(
                "The collection has changed and its index is being built. "
                "Try again in a minute; nothing that you did is lost.",
                code="index_building",
            )
        return served

    def _renew(self) -> _Renewal:
        """The renewal that is under way, or a new one."""
        with self._lock:
            if self._closed:
                raise WorkspaceError("The search service is closed. Start the server again.")
            if self._renewal is None or self._renewal.done.is_set():
                self._renewal = _Renewal()
                Thread(
                    target=self._run, args=(self._renewal,), name="search-renewal", daemon=True
                ).start()
            return self._renewal

    def _run(self, renewal: _Renewal) -> None:
        try:
            self._swap(renewal)
        except PagetrailError as error:
            renewal.error = error
        finally:
            renewal.done.set()

    def _swap(self, renewal: _Renewal) -> None:
        stored = current_index(self._workspace)
        if stored is None:
            renewal.build(self._workspace)
            stored = current_index(self._workspace)
        if stored is None or (self._served is not None and self._served.stored == stored):
            return  # changed again meanwhile, or nothing new
        pool = WorkerPool(self._workers, open_index, (stored.folder, stored.identity))
        pool.start()
        if not pool.ready(_START_S):
            pool.close()
            raise _do_not_start(self._workspace.root)
        served = _Served(stored, pool)
        with self._lock:
            old, self._served = self._served, served
            unwanted = served if self._closed else old
        if unwanted is not None:
            unwanted.pool.close()


@dataclass(frozen=True)
class _Served:
    """An index and the processes that answer from it."""

    stored: StoredIndex
    pool: WorkerPool


def _do_not_start(root: Path | str) -> WorkspaceError:
    return WorkspaceError(
        f"The search processes do not start. Rebuild the index with: pagetrail index {root} --force"
    )


class _Renewal:
    """One change of index: who waits for it, and the process that builds."""

    def __init__(self) -> None:
        self.done = Event()
        self.error: PagetrailError | None = None
        self._builder: WorkerProcess | None = None

    def build(self, workspace: Workspace) -> None:
        """Build in a process of its own: it takes a minute and would hold this interpreter.

        Raises:
            PagetrailError: it failed, with the reason.
        """
        builder = self._builder = WorkerProcess()
        try:
            builder.call(build_index, workspace.root)
        except WorkerCrashed as crash:
            _log.error("the process that builds the index ended: %s", crash)
            raise WorkspaceError(
                "The search index could not be built: its process stopped. "
                f"See what it says with: pagetrail index {workspace.root}"
            ) from None
        finally:
            builder.end()

    def cancel(self) -> None:
        """Stop a build; what it wrote so far is removed by the next one."""
        if self._builder is not None:
            self._builder.kill()
