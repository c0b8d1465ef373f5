"""Steps of an attempt: queries with the gold pages among their results, and calls of tools."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pagetrail.annotation import events as ev
from pagetrail.annotation.metrics.attribution import Page


@dataclass(frozen=True, slots=True)
class SearchStep:
    """A query that was run, and the gold pages among its results.

    Attributes:
        number: 1, 2, 3 … within the attempt; refused queries are none.
        query: as typed.
        shown: pages that were shown.
        total_hits: pages that matched; None where an imported run does not tell.
        gold_pages, gold_documents: gold among the shown pages, in their ranking.
        gold_ranks: the rank of each of the gold pages among the distinct shown pages, from 1.
    """

    number: int
    query: str
    shown: int
    total_hits: int | None
    gold_pages: tuple[Page, ...]
    gold_documents: tuple[str, ...]
    gold_ranks: tuple[int, ...] = ()


def search_steps(events: Sequence[ev.Event], gold: Sequence[Page]) -> tuple[SearchStep, ...]:
    """The queries of an attempt in order, without repeats of earlier ones with the same results."""
    pages, documents = set(gold), {document for document, _ in gold}
    steps: list[SearchStep] = []
    for event in events:
        payload = event.payload
        if not isinstance(payload, ev.Searched) or payload.looks_back_at is not None:
            continue
        shown_pages = list(dict.fromkeys((hit.file, hit.page) for hit in payload.results))
        ranks = [rank for rank, page in enumerate(shown_pages, start=1) if page in pages]
        names = dict.fromkeys(document for document, _ in shown_pages)
        steps.append(
            SearchStep(
                number=len(steps) + 1,
                query=payload.query,
                shown=len(payload.results),
                total_hits=payload.total_hits,
                gold_pages=tuple(shown_pages[rank - 1] for rank in ranks),
                gold_documents=tuple(name for name in names if name in documents),
                gold_ranks=tuple(ranks),
            )
        )
    return tuple(steps)


def is_tool_step(event: ev.Event) -> bool:
    """Whether it is a search or a page that was opened, as an agent's call of a tool is."""
    match event.payload:
        case ev.PageViewed(via=via):
            return via != "restored"
        case ev.AgentStep(tool=tool):
            return tool is not None
        case ev.Searched(looks_back_at=earlier_search):
            return earlier_search is None
        case payload:
            return isinstance(payload, ev.SearchRefused)
