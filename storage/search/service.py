"""The server's search service: an answer or a refusal within two seconds.

Queries run in worker processes, so that a costly one blocks neither the server nor other users: the
cost is estimated first, an alarm in the process stops what still takes longer, and a process that
does not answer is killed and replaced.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from pagetrail.annotation.errors import NotFoundError, QueryRefused
from pagetrail.annotation.events.search_results import SearchOutcome
from pagetrail.annotation.messages import gettext
from pagetrail.storage.corpus.documents import Corpus
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.search.index import BuildProgress
from pagetrail.storage.search.renewal import START_LIMIT_S, IndexRenewal
from pagetrail.storage.search.snippets import Run, snippet
from pagetrail.storage.search.store import ensure_index
from pagetrail.storage.search.worker import (
    BUSY_CODE,
    BUSY_MESSAGE,
    TIMEOUT_CODE,
    TIMEOUT_MESSAGE,
    answer,
)
from pagetrail.storage.workers.pool import WorkersBusy, WorkersClosed, WorkersDoNotStart
from pagetrail.storage.workers.process import WorkerCrashed, WorkerTimedOut

LIMIT_S = 2.0
_log = logging.getLogger("pagetrail.search")


class SearchService:
    """Implements ``SearchIndex`` over the workspace's index. Thread-safe.

    The index follows the corpus: after a change, or when its files are damaged, a new one is built
    in a process of its own. Until it is complete the old one answers; an outcome's ``index_id``
    says which. Without an index, searches wait for as long as they may, then are refused.
    """

    def __init__(self, workspace: Workspace, workers: int = 2, limit_s: float = LIMIT_S) -> None:
        """Nothing is started before the first search or ``start``."""
        self._workspace = workspace
        self._corpus = Corpus(workspace)
        self._limit_s = limit_s
        self._renewal = IndexRenewal(workspace, workers)

    def start(self, progress: BuildProgress | None = None) -> None:
        """Build the index in this process if necessary, and wait for the search processes."""
        ensure_index(self._workspace, progress)
        self.refresh()

    def open(self) -> None:
        """Serve the existing index, even an older one, and renew it in the background.

        Raises:
            PagetrailError: it cannot be opened.
        """
        with suppress(QueryRefused):  # no index: searches are refused until the first is built
            self._renewal.serving_index(time.monotonic() + START_LIMIT_S)

    def refresh(self) -> None:
        """Renew the index in a process of its own, and serve it.

        Raises:
            PagetrailError: the index cannot be built or opened.
        """
        self._renewal.refresh()

    @property
    def identity(self) -> str:
        """Identity of the served index."""
        return self._renewal.serving_index(time.monotonic() + START_LIMIT_S).stored.identity

    def search(self, query: str, top_k: int) -> SearchOutcome:
        """The first ``top_k`` pages, exactly as the reference engine ranks them.

        Pages that are no longer in the collection are left out.

        Raises:
            QueryRefused: empty, not parseable, too broad, too slow, or no index yet.
        """
        outcome: SearchOutcome = self._call("search", query, top_k)
        return self._without_removed_pages(outcome)

    def more(self, query: str, top_k: int, n: int) -> SearchOutcome:
        """The first ``top_k`` pages like ``search``, then others, ``n`` in total.

        Raises:
            QueryRefused: as ``search``.
        """
        outcome: SearchOutcome = self._call("more", query, top_k, n)
        return self._without_removed_pages(outcome)

    def highlight_terms(self, query: str) -> list[str]:
        """The query's words that occur in the collection, with patterns expanded, sorted.

        Outside parity: for campaigns whose settings allow help that agents do not get.

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
        """Plain text around the matches of each (document, page), as (text, is match) runs.

        Outside parity. None for a page that is gone, or if the query is refused now.
        """
        try:
            terms = frozenset(self.highlight_terms(query))
        except QueryRefused:
            return [None] * len(pages)
        snippets: list[tuple[Run, ...] | None] = []
        for document, page in pages:
            try:
                snippets.append(snippet(self._corpus.page_text(document, page), terms))
            except NotFoundError:
                snippets.append(None)
        return snippets

    def pids(self) -> list[int]:
        """Process ids of the search processes."""
        return self._renewal.pids()

    def close(self) -> None:
        """End the search processes and start no new ones."""
        self._renewal.close()

    def _call(self, method: str, *arguments: Any) -> Any:
        """Answer or refuse one request within the time limit.

        A request whose process was lost is repeated once in another process.
        """
        deadline = time.monotonic() + self._limit_s
        for _ in range(2):
            index = self._renewal.serving_index(deadline)
            left = deadline - time.monotonic()
            try:
                return index.pool.call(answer, method, arguments, timeout=left)
            except WorkerTimedOut:
                raise QueryRefused(TIMEOUT_MESSAGE, code=TIMEOUT_CODE) from None
            except WorkersBusy:
                raise QueryRefused(gettext(BUSY_MESSAGE), code=BUSY_CODE) from None
            except WorkersDoNotStart as failure:
                _log.error("no search process starts: %s", failure)
                self._renewal.give_up(index)
            except WorkerCrashed as crash:
                _log.error("a search process ended: %s", crash)
            except WorkersClosed:
                pass  # the index was replaced; the new one answers
        raise QueryRefused(
            gettext("The search engine stopped on this query twice. Write it in another way."),
            code="query_failed",
        )

    def _without_removed_pages(self, outcome: SearchOutcome) -> SearchOutcome:
        if self._renewal.revision == self._corpus.revision:
            return outcome
        hits = [hit for hit in outcome.results if self._exists(hit.file, hit.page)]
        if len(hits) == len(outcome.results):
            return outcome
        ranked = (hit.model_copy(update={"rank": n}) for n, hit in enumerate(hits, start=1))
        return outcome.model_copy(update={"results": tuple(ranked)})

    def _exists(self, document: str, page: int) -> bool:
        info = self._corpus.document(document)
        return info is not None and page <= info.n_pages
