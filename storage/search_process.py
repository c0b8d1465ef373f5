"""The search service of the server: an answer or a refusal within two seconds, for everyone.

Queries run in processes of their own, so that a costly one neither holds the server's interpreter
nor the other users: the engine's cost is estimated first, an alarm in the process stops what takes
longer all the same, and a process that does not answer is killed and replaced.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from threading import Event, Lock, Thread
from typing import Any

from annotation.errors import NotFoundError, PagetrailError, QueryRefused, WorkspaceError
from annotation.ports import SearchOutcome
from storage.corpus import Corpus
from storage.search_index import BuildProgress
from storage.search_pool import Child, Lost, Pool
from storage.search_store import current_index, ensure_index
from storage.search_words import Run, snippet
from storage.search_worker import DONE
from storage.workspace import Workspace

LIMIT_S = 2.0
_START_S = 30.0


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
        self._pool: Pool | None = None
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
        pool = self._pool
        return [] if pool is None else pool.pids()

    def close(self) -> None:
        """End the search processes. The service starts no new ones."""
        with self._lock:
            self._closed = True
            pool, self._pool = self._pool, None
            renewal = self._renewal
        if renewal is not None:
            renewal.cancel()
        if pool is not None:
            pool.close()

    def _call(self, method: str, *arguments: Any) -> Any:
        deadline = time.monotonic() + self._limit_s
        pool = self._current(deadline)
        return pool.call(method, arguments, deadline - time.monotonic())

    def _current(self, deadline: float) -> Pool:
        revision = self._corpus.revision
        pool = self._pool
        if pool is not None and pool.stored.revision == revision:
            return pool
        renewal = self._renew()
        renewal.done.wait(max(0.0, deadline - time.monotonic() - 0.1))
        if renewal.error is not None:
            raise renewal.error
        pool = self._pool
        if pool is None or pool.stored.revision < revision:
            raise QueryRefused(
                "The collection has changed and its index is being built. "
                "Try again in a minute; nothing that you did is lost.",
                code="index_building",
            )
        return pool

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
        if stored is None or (self._pool is not None and self._pool.stored == stored):
            return  # changed again meanwhile, or nothing new
        pool = Pool(stored, self._workers)
        if not pool.ready(_START_S):
            pool.close()
            raise WorkspaceError(
                "The search processes do not start. Build the index anew with: "
                f"pagetrail index {self._workspace.root} --force"
            )
        with self._lock:
            old, self._pool = self._pool, pool
            unwanted = pool if self._closed else old
        if unwanted is not None:
            unwanted.close()


class _Renewal:
    """One change of index: who waits for it, and the process that builds."""

    def __init__(self) -> None:
        self.done = Event()
        self.error: PagetrailError | None = None
        self._child: Child | None = None

    def build(self, workspace: Workspace) -> None:
        """Build in a process of its own: it takes a minute and would hold this interpreter.

        Raises:
            WorkspaceError: it failed, with the reason.
        """
        child = self._child = Child("search_builder", str(workspace.root))
        try:
            reply = child.receive(None)
        except Lost:
            raise WorkspaceError(
                "The search index could not be built: its process stopped. "
                f"See what it says with: pagetrail index {workspace.root}"
            ) from None
        finally:
            child.end()
        if reply[0] != DONE:
            raise WorkspaceError(reply[2], code=reply[1])

    def cancel(self) -> None:
        """Stop a build; what it wrote so far is removed by the next one."""
        if self._child is not None:
            self._child.kill()
