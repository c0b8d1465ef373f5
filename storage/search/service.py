"""The search service of the server: an answer or a refusal within two seconds, for everyone.

Queries run in processes of their own, so that a costly one neither holds the server's interpreter
nor the other users: the engine's cost is estimated first, an alarm in the process stops what takes
longer all the same, and a process that does not answer is killed and replaced.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from pagetrail.annotation.errors import NotFoundError, QueryRefused
from pagetrail.annotation.events.search_results import SearchOutcome
from pagetrail.storage.corpus.documents import Corpus
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.search.index import BuildProgress
from pagetrail.storage.search.renewal import START_LIMIT_S, IndexRenewal
from pagetrail.storage.search.snippets import Run, snippet
from pagetrail.storage.search.store import ensure_index
from pagetrail.storage.search.worker import TIMEOUT_CODE, TIMEOUT_MESSAGE, answer
from pagetrail.storage.workers.pool import WorkersBusy, WorkersClosed, WorkersDoNotStart
from pagetrail.storage.workers.process import WorkerCrashed, WorkerTimedOut

LIMIT_S = 2.0
_log = logging.getLogger("pagetrail.search")


class SearchService:
    """Implements ``SearchIndex`` over the workspace's index. Thread-safe.

    The index follows the corpus: after a change, or when files of the index are damaged, a new one
    is built in a process of its own. Until it is complete the old one answers; ``index_id`` of an
    outcome says which one did. Without any, searches wait as long as their time allows and are then
    refused with a message.
    """

    def __init__(self, workspace: Workspace, workers: int = 2, limit_s: float = LIMIT_S) -> None:
        """Nothing is started before the first search or ``start``."""
        self._workspace = workspace
        self._corpus = Corpus(workspace)
        self._limit_s = limit_s
        self._indexes = IndexRenewal(workspace, workers)

    def start(self, progress: BuildProgress | None = None) -> None:
        """Build the index in this process if need be, and wait for the search processes."""
        ensure_index(self._workspace, progress)
        self.refresh()

    def open(self) -> None:
        """Answer from the index that exists, an older one too, and make it current beside.

        Raises:
            PagetrailError: it cannot be opened.
        """
        with suppress(QueryRefused):  # there is none: searches say so until the first is built
            self._indexes.served(time.monotonic() + START_LIMIT_S)

    def refresh(self) -> None:
        """Make the index current, in a process of its own, and move the searches over to it.

        Raises:
            PagetrailError: the index cannot be built or opened.
        """
        self._indexes.refresh()

    @property
    def identity(self) -> str:
        """Identity of the index that answers now."""
        return self._indexes.served(time.monotonic() + START_LIMIT_S).stored.identity

    def search(self, query: str, top_k: int) -> SearchOutcome:
        """The first ``top_k`` pages, exactly as the reference engine ranks them.

        Pages of an older index that the collection does not have any more are left out.

        Raises:
            QueryRefused: empty, not parseable, too broad, too slow, or no index yet.
        """
        outcome: SearchOutcome = self._call("search", query, top_k)
        return self._existing(outcome)

    def more(self, query: str, top_k: int, n: int) -> SearchOutcome:
        """The first ``top_k`` pages as ``search`` gives them, then others up to ``n`` in all.

        Raises:
            QueryRefused: as ``search``.
        """
        outcome: SearchOutcome = self._call("more", query, top_k, n)
        return self._existing(outcome)

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
        return self._indexes.pids()

    def close(self) -> None:
        """End the search processes. The service starts no new ones."""
        self._indexes.close()

    def _call(self, method: str, *arguments: Any) -> Any:
        """One request, answered or refused within the limit.

        A request whose process was lost is given to another once more, so that one process's end
        costs no one else an answer.
        """
        deadline = time.monotonic() + self._limit_s
        for _ in range(2):
            served = self._indexes.served(deadline)
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
            except WorkersDoNotStart as failure:
                _log.error("no search process starts: %s", failure)
                self._indexes.give_up(served)
            except WorkerCrashed as crash:
                _log.error("a search process ended: %s", crash)
            except WorkersClosed:
                pass  # the index was changed; the new one answers
        raise QueryRefused(
            "The search engine stopped on this query twice. Write it in another way.",
            code="query_failed",
        )

    def _existing(self, outcome: SearchOutcome) -> SearchOutcome:
        if self._indexes.revision == self._corpus.revision:
            return outcome
        found = [hit for hit in outcome.results if self._exists(hit.file, hit.page)]
        if len(found) == len(outcome.results):
            return outcome
        ranked = (hit.model_copy(update={"rank": n}) for n, hit in enumerate(found, start=1))
        return outcome.model_copy(update={"results": tuple(ranked)})

    def _exists(self, document: str, page: int) -> bool:
        info = self._corpus.document(document)
        return info is not None and page <= info.n_pages
