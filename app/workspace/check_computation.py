"""Live checks of a question, in a worker process that asks the server for each search."""

from __future__ import annotations

from pagetrail.annotation.authoring import Draft, run_checks
from pagetrail.annotation.events.search_results import SearchOutcome
from pagetrail.annotation.protocols.check_results import Finding
from pagetrail.storage.authoring.check_sources import StoredPageTexts, existing_questions
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.workers.worker_main import ask_caller


def findings_of(
    workspace: Workspace,
    draft: Draft,
    attempt_id: str,
    top_k: int,
    searches: bool,
    cites_pages: bool,
) -> tuple[Finding, ...]:
    """The findings of all checks; asks for the outcome of (query, number of pages).

    Args:
        attempt_id: the attempt whose question is checked.
        searches: whether the campaign has a search.
        cites_pages: whether its questions have evidence.
    """
    return run_checks(
        draft,
        pages=StoredPageTexts(workspace.engine),
        search=_AskedSearch() if searches else None,
        top_k=top_k,
        existing=existing_questions(workspace.engine, exclude_attempt=attempt_id),
        cites_pages=cites_pages,
    )


class _AskedSearch:
    """Implements ``SearchIndex`` by asking the calling process."""

    identity = ""

    def search(self, query: str, top_k: int) -> SearchOutcome:
        """The first ``top_k`` pages.

        Raises:
            QueryRefused: as the search service.
        """
        outcome: SearchOutcome = ask_caller((query, top_k))
        return outcome
