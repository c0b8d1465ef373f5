"""A submitted attempt as the record of a task in which people judge it.

The pages of the task are those that the attempt opened, found or cited, and the gold pages, as far
as the collection has them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from pagetrail.annotation import events as ev
from pagetrail.annotation.events.phrases import page_name, quoted
from pagetrail.exports.reading.attempts import ReadAttempt
from pagetrail.exports.reading.source import Source

TASK_FIELDS = (
    "question",
    "answer_variants",
    "evidence",
    "unanswerable",
    "domain",
    "document_category",
)
"""Fields of the original task that a judge needs."""

_RESULTS_NAMED = 10


def judging_record(source: Source, attempt: ReadAttempt) -> dict[str, Any]:
    """The record, without its id, of a task in which people judge an attempt."""
    record, events = attempt.head.record, attempt.attempt.events
    pages: list[tuple[str, int]] = []
    for payload in (event.payload for event in events):
        if isinstance(payload, ev.PageViewed):
            pages.append((payload.document, payload.page))
        elif isinstance(payload, ev.Searched):
            pages += [(hit.file, hit.page) for hit in payload.results]
    pages += [(cited.document, cited.page) for cited in attempt.state.citations]
    pages += [(str(ref["document"]), int(ref["page"])) for ref in record.get("evidence") or ()]
    return {
        **{name: record[name] for name in TASK_FIELDS if record.get(name) is not None},
        "candidates": [
            {"document": d, "page": p} for d, p in dict.fromkeys(pages) if source.pages.size(d, p)
        ],
        "prediction": {"system": attempt.name, "answer": list(attempt.submission.answer)},
        "steps": [{"what": step} for step in _steps(events)],
    }


def _steps(events: Sequence[ev.Event]) -> Iterator[str]:
    """The steps in words; consecutive pages of a document are one step."""
    page_views: list[ev.PageViewed] = []
    for event in events:
        payload = event.payload
        if isinstance(payload, ev.PageViewed):
            if payload.via == "restored":
                continue
            if page_views and page_views[-1].document != payload.document:
                yield _reading_step(page_views)
                page_views = []
            page_views.append(payload)
            continue
        sentence = _step_sentence(payload)
        if sentence is None:
            continue
        if page_views:
            yield _reading_step(page_views)
            page_views = []
        yield sentence
    if page_views:
        yield _reading_step(page_views)


def _reading_step(pages: Sequence[ev.PageViewed]) -> str:
    numbers = list(dict.fromkeys(page.page for page in pages))
    if len(numbers) == 1:
        return f"Read {page_name(pages[0].document, numbers[0])}"
    return f"Read {pages[0].document} pages {', '.join(map(str, numbers))}"


def _step_sentence(payload: ev.Payload) -> str | None:
    """A step other than reading a page; None for events that are not steps, such as typing."""
    match payload:
        case ev.Searched():
            hits = payload.results[:_RESULTS_NAMED]
            hit_list = "; ".join(f"{hit.rank}. {page_name(hit.file, hit.page)}" for hit in hits)
            more = len(payload.results) - len(hits)
            remainder = f"; {more} more" if more else ""
            return (
                f"{payload.sentence()}\n{hit_list}{remainder}" if hit_list else payload.sentence()
            )
        case ev.SearchRefused() | ev.CitationAdded() | ev.CitationRemoved() | ev.AgentStep():
            return payload.sentence()
        case ev.Submitted() | ev.Reopened():
            return payload.sentence()
        case ev.AnswerEdited() if payload.text.strip():
            return f"Wrote as the answer {quoted(payload.text)}"
        case _:
            return None
