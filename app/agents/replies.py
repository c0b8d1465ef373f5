"""Replies to agents: plain values, with nothing that a person would not be shown."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from pagetrail.annotation.attempts.state import AttemptState, Status, work_since
from pagetrail.annotation.events.work import Outcome
from pagetrail.annotation.protocols.fields import Value
from pagetrail.annotation.tasks.shown_record import ShownMaterial, material, unset_fields
from pagetrail.app.services.composition import Services
from pagetrail.app.workspace.search import ShownSearch
from pagetrail.storage.attempts.queries import AttemptRow
from pagetrail.storage.search.snippets import Run


@dataclass(frozen=True)
class Hit:
    """A page that a search returned; ``snippet`` is None unless the campaign shows snippets."""

    rank: int
    document: str
    page: int
    snippet: str | None = None


@dataclass(frozen=True)
class SearchReply:
    """What a search returned.

    Attributes:
        search_id: the search's id in the log.
        understood_as: the query as the engine read it.
        total_hits: number of matching pages in the collection.
        top_k: most results that a search returns.
        suggestion: “did you mean”, if the campaign has it and nothing was found.
    """

    search_id: str
    query: str
    understood_as: str
    total_hits: int
    top_k: int
    hits: tuple[Hit, ...]
    suggestion: str | None = None


@dataclass(frozen=True)
class PageRead:
    """A page: its text, possibly empty, and its image if it was requested."""

    document: str
    page: int
    n_pages: int
    text: str
    png: bytes | None = field(default=None, repr=False)


@dataclass(frozen=True)
class DrawnBox:
    """A box that the agent drew; ``rect`` is x0, y0, x1, y1 in points on the page as displayed."""

    id: str
    document: str
    page: int
    rect: tuple[float, float, float, float]
    label: str


@dataclass(frozen=True)
class StateReply:
    """The state of an attempt.

    Attributes:
        pages: (document, page) pairs given by the task; None where pages are found by searching,
            empty while they are locked.
        locked: labels of the fields that must be set before the pages can be read.
        material: record fields that the campaign shows beside the question.
        fields: task field → value.
        searches: (query, total hits) of each search; hits are None where it was refused.
        worked_s: time on the task in seconds, as a time limit counts it.
        left_s: seconds left of the time limit; None without one.
    """

    task: str
    question: str
    status: Status
    outcome: Outcome | None
    pages: tuple[tuple[str, int], ...] | None
    locked: tuple[str, ...]
    material: tuple[ShownMaterial, ...]
    fields: dict[str, Value]
    answer: tuple[str, ...]
    citations: tuple[tuple[str, int], ...]
    searches: tuple[tuple[str, int | None], ...]
    pages_read: int
    worked_s: float
    left_s: float | None
    boxes: tuple[DrawnBox, ...] = ()


def state_of(services: Services, row: AttemptRow, state: AttemptState) -> StateReply:
    """An attempt's state, for its agent."""
    form = row.context().form(state)
    locked = unset_fields(form, row.protocol.pages_after)
    pages = [] if locked else row.pages()
    elapsed = services.recorder.elapsed_ms(row.attempt_id, state)
    worked_ms = state.work_ms + work_since(state, elapsed)
    limit_s = row.protocol.clock.limit_s
    return StateReply(
        task=row.key,
        question=question_of(row.record),
        status=state.status,
        outcome=state.outcome,
        pages=None if pages is None else tuple(pages),
        locked=tuple(locked),
        material=tuple(material(form, row.record)),
        fields={v.field: v.value for v in state.fields if v.page is None and v.box is None},
        answer=tuple(state.answer),
        citations=tuple((c.document, c.page) for c in state.citations),
        searches=tuple((s.query, s.total_hits) for s in state.searches),
        pages_read=state.n_page_views,
        worked_s=worked_ms / 1000,
        left_s=None if limit_s is None else max(0.0, limit_s - worked_ms / 1000),
        boxes=tuple(
            DrawnBox(box.id, box.document, box.page, box.rect, str(box.label))
            for box in state.boxes.boxes
            if not box.deleted and box.model is None
        ),
    )


def search_reply(reply: ShownSearch) -> SearchReply:
    """A search's reply, from the one that a person's screen gets."""
    return SearchReply(
        search_id=reply["search_id"],
        query=reply["query"],
        understood_as=reply["parsed"] or "",
        total_hits=reply["total_hits"] or 0,
        top_k=reply["top_k"],
        hits=tuple(
            Hit(hit["rank"], hit["document"], hit["page"], _plain(hit["snippet"]))
            for hit in reply["results"]
        ),
        suggestion=reply["suggestion"],
    )


def question_of(record: dict[str, Any]) -> str:
    """The question, the only text of a record that every protocol shows."""
    return str(record.get("question", ""))


def _plain(snippet: tuple[Run, ...] | None) -> str | None:
    return None if snippet is None else "".join(text for text, _ in snippet)
