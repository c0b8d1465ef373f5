"""The current state of an attempt, as a pure function of its events."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from functools import reduce
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from annotation import events as ev
from annotation.boxes import Boxes, BoxEvent, PageBox, apply_box
from annotation.clock import iso, parse_iso
from annotation.fields import Value
from annotation.findings import Finding

Status = Literal["new", "open", "submitted", "skipped"]


class _State(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Citation(_State):
    """A page cited as evidence, and the search that led to it."""

    document: str
    page: int
    search_id: str | None = None
    rank: int | None = None
    seq: int = Field(description="the event that added it")


class Search(_State):
    """An entry of the search history."""

    search_id: str
    query: str
    parsed: str | None = Field(description="None when the query was refused")
    total_hits: int | None
    results: tuple[tuple[str, int], ...] = Field(description="(document, page), best first")
    refusal: str | None = Field(default=None, description="the sentence shown, when refused")
    seq: int


class Position(_State):
    """The page in the viewer."""

    document: str
    page: int
    search_id: str | None = None
    rank: int | None = None


class View(_State):
    """Fit, zoom (percent) and rotation (degrees) of the viewer."""

    fit: Literal["width", "page", "none"] = "width"
    zoom: float = 100.0
    rotation: int = 0


class FieldValue(_State):
    """What a field holds: of the task, of a page, or of a box."""

    field: str
    document: str | None = None
    page: int | None = None
    box: str | None = None
    value: Value
    seq: int = Field(description="the event that set it")


class RecordRow(_State):
    """One row of a table of records."""

    field: str
    document: str | None = None
    page: int | None = None
    box: str | None = None
    row: str
    values: dict[str, str] = Field(description="cell by column")
    model: dict[str, str] | None = Field(default=None, description="a model's cells, untouched")
    deleted: bool = False
    seq: int = Field(description="the event that made it")


class Checks(_State):
    """The last run of the live checks."""

    at_seq: int = Field(description="the last event that they have seen")
    findings: tuple[Finding, ...]


class Feedback(_State):
    """The last comparison of a pilot task with its gold."""

    right: bool
    score: float
    parts: tuple[ev.PartScore, ...]


class Comment(_State):
    """An entry of the talk about an attempt."""

    seq: int
    by: str
    at: str
    text: str
    returns: bool = Field(default=False, description="the task was sent back with it")
    differences: tuple[ev.Difference, ...] = ()


class Review(_State):
    """How far the gold of a task is; in gold streams only.

    ``holder`` is the supervisor who took it. ``decided_seq`` is the event of the last decision: the
    gold of that version is the fold up to it, whatever the draft has become since.
    """

    holder: str | None = None
    held_at: str | None = None
    merged_seq: int | None = None
    choices: tuple[ev.Choice, ...] = ()
    evidence: tuple[ev.KeptPage, ...] = ()
    sources: tuple[ev.Source, ...] = ()
    version: int = 0
    decided_seq: int | None = None
    decided_by: str | None = None
    decided_at: str | None = None
    reason: str = ""
    automatic: bool = False
    checked: bool = False
    reopened: bool = False

    @property
    def decided(self) -> bool:
        """Whether there is gold that nobody has taken up again."""
        return self.version > 0 and not self.reopened


class Response(_State):
    """What an attempt holds now."""

    status: Status = "new"
    closed: bool = False
    outcome: ev.Outcome | None = None
    skip_reason: str | None = None
    answer_text: str = ""
    note: str = ""
    flag: str | None = None
    citations: tuple[Citation, ...] = ()
    boxes: Boxes = Boxes()
    fields: tuple[FieldValue, ...] = ()
    rows: tuple[RecordRow, ...] = ()
    question_text: str | None = Field(default=None, description="written by an author")
    draft_seq: int = Field(default=0, description="last change of question, answer or evidence")
    checks: Checks | None = None
    feedback: Feedback | None = None
    comments: tuple[Comment, ...] = ()
    returned: bool = Field(default=False, description="sent back, and not handed in again yet")
    review: Review | None = None
    work_ms: int = Field(
        default=0,
        description="time on the task, milliseconds: neither paused nor in a hidden tab; counts "
        "against a time limit, idle or not",
    )
    searches: tuple[Search, ...] = ()
    position: Position | None = None
    view: View = View()
    paused: bool = False
    hidden: bool = False
    n_page_views: int = 0
    last_seq: int = 0
    started_at: str | None = None
    updated_at: str | None = None
    elapsed_ms: int = 0
    clock_origin: str | None = Field(
        default=None,
        description="the moment that elapsed_ms counts from, by the server's clock: the earliest "
        "server_ts less elapsed_ms of any event. Earlier than started_at when the first events "
        "arrived with an age; it moves back with a server clock that was set back",
    )

    @property
    def answer(self) -> list[str]:
        """The answers, one a non-blank line, without surrounding space."""
        return [line.strip() for line in self.answer_text.splitlines() if line.strip()]

    def value(
        self,
        field: str,
        document: str | None = None,
        page: int | None = None,
        box: str | None = None,
    ) -> Value:
        """What a field was set to for the task, a page or a box; None when unset.

        As stored: whether the field is asked there at all is the protocol's, see ``forms``.
        """
        target = (field, document, page, box)
        return next(
            (v.value for v in self.fields if (v.field, v.document, v.page, v.box) == target), None
        )

    @property
    def checks_current(self) -> bool:
        """Whether the live checks have seen the question, answer and evidence as they are."""
        return self.checks is not None and self.checks.at_seq >= self.draft_seq

    def cites(self, document: str, page: int) -> bool:
        """Whether the page is cited."""
        return any(c.document == document and c.page == page for c in self.citations)


HANDED = {"returned": False}


def fold(events: Iterable[ev.Event]) -> Response:
    """The state after all events: pure, deterministic and total over the event union."""
    return reduce(apply, events, Response())


def apply(state: Response, event: ev.Event) -> Response:
    """The state after one more event."""
    changes: dict[str, Any] = {
        "last_seq": event.seq,
        "started_at": state.started_at or event.server_ts,
        "updated_at": event.server_ts,
        "elapsed_ms": max(state.elapsed_ms, event.elapsed_ms),
        "clock_origin": _origin(state, event),
        "work_ms": state.work_ms + work_since(state, event.elapsed_ms),
    }
    if state.status == "new":
        changes["status"] = "open"
    changes.update(_changes(state, event.payload, event))
    return state.model_copy(update=changes)


def work_since(state: Response, elapsed_ms: int) -> int:
    """Milliseconds of work between the last event and a later moment of the same time line."""
    at_work = state.status in ("new", "open") and not (state.paused or state.hidden)
    return max(0, elapsed_ms - state.elapsed_ms) if at_work else 0


def _origin(state: Response, event: ev.Event) -> str:
    origin = iso(parse_iso(event.server_ts) - timedelta(milliseconds=event.elapsed_ms))
    return origin if state.clock_origin is None else min(state.clock_origin, origin)


def _changes(state: Response, payload: ev.AnyPayload, event: ev.Event) -> dict[str, Any]:
    seq = event.seq
    match payload:
        case ev.Opened() | ev.TabShown():
            return {"hidden": False}
        case ev.Searched():
            search = Search(
                search_id=payload.search_id,
                query=payload.query,
                parsed=payload.parsed,
                total_hits=payload.total_hits,
                results=tuple((hit.file, hit.page) for hit in payload.results),
                seq=seq,
            )
            return {"searches": (*state.searches, search)}
        case ev.SearchRefused():
            search = Search(
                search_id=payload.search_id,
                query=payload.query,
                parsed=None,
                total_hits=None,
                results=(),
                refusal=payload.message,
                seq=seq,
            )
            return {"searches": (*state.searches, search)}
        case ev.PageViewed():
            position = Position(
                document=payload.document,
                page=payload.page,
                search_id=payload.search_id,
                rank=payload.rank,
            )
            return {"position": position, "n_page_views": state.n_page_views + 1}
        case ev.ViewChanged():
            view = View(fit=payload.fit, zoom=payload.zoom, rotation=payload.rotation)
            return {"view": view}
        case ev.CitationAdded():
            if state.cites(payload.document, payload.page):
                return {}
            citation = Citation(
                document=payload.document,
                page=payload.page,
                search_id=payload.search_id,
                rank=payload.rank,
                seq=seq,
            )
            return {"citations": (*state.citations, citation), "draft_seq": seq}
        case ev.CitationRemoved():
            kept = tuple(
                c
                for c in state.citations
                if (c.document, c.page) != (payload.document, payload.page)
            )
            return {"citations": kept, "draft_seq": seq}
        case ev.AnswerEdited():
            return {"answer_text": payload.text, "draft_seq": seq}
        case ev.NoteEdited():
            return {"note": payload.text}
        case ev.Flagged():
            return {"flag": payload.comment}
        case ev.Unflagged():
            return {"flag": None}
        case ev.Paused():
            return {"paused": True}
        case ev.Resumed():
            return {"paused": False}
        case ev.TabHidden():
            return {"hidden": True}
        case ev.Skipped():
            return {"status": "skipped", "skip_reason": payload.reason, "outcome": None} | HANDED
        case ev.Submitted():
            return {"status": "submitted", "outcome": payload.outcome, "skip_reason": None} | HANDED
        case ev.Reopened():
            # A gold draft that is taken up again in the workspace stays decidable as it stands.
            outcome = state.outcome if state.review is not None else None
            return {"status": "open", "outcome": outcome, "skip_reason": None}
        case ev.BatchClosed():
            return {"closed": True}
        case ev.FieldSet():
            return {"fields": with_value(state.fields, payload, seq)}
        case ev.RowSet() | ev.RowDeleted() | ev.RowsSeeded():
            return {"rows": _with_rows(state.rows, payload, seq)}
        case ev.QuestionEdited():
            return {"question_text": payload.text, "draft_seq": seq}
        case ev.Checked():
            return {"checks": Checks(at_seq=payload.at_seq, findings=payload.findings)}
        case ev.FeedbackGiven():
            feedback = Feedback(right=payload.right, score=payload.score, parts=payload.parts)
            return {"feedback": feedback}
        case ev.Reconnected() | ev.GuidelinesOpened() | ev.GuidelinesClosed():
            return {}
        case ev.RunImported() | ev.AgentStep():
            return {}
        case ev.Commented():
            return {"comments": (*state.comments, _comment(event, payload.text))}
        case ev.Returned():
            comment = _comment(event, payload.comment).model_copy(
                update={"returns": True, "differences": payload.differences}
            )
            # Nobody is at work on it before it is opened again.
            back = {"status": "open", "outcome": None, "skip_reason": None, "closed": False}
            talk = {"comments": (*state.comments, comment), "returned": True, "hidden": True}
            return back | talk
        case (
            ev.ReviewTaken()
            | ev.ReviewReleased()
            | ev.GoldMerged()
            | ev.Adjudicated()
            | ev.GoldReopened()
        ):
            return gold_changes(state, payload, event)
        case _:
            return {"boxes": _box_changes(state, payload, event)}


def _comment(event: ev.Event, text: str) -> Comment:
    return Comment(seq=event.seq, by=event.actor, at=event.server_ts, text=text)


def gold_changes(
    state: Response,
    payload: ev.ReviewTaken | ev.ReviewReleased | ev.GoldMerged | ev.Adjudicated | ev.GoldReopened,
    event: ev.Event,
) -> dict[str, Any]:
    """What an event of a gold stream changes."""
    review = state.review or Review()

    def with_review(**changes: Any) -> dict[str, Any]:
        return {"review": review.model_copy(update=changes)}

    match payload:
        case ev.ReviewTaken():
            return with_review(holder=event.actor, held_at=event.server_ts)
        case ev.ReviewReleased():
            return with_review(holder=None, held_at=None)
        case ev.GoldReopened():
            return {"status": "open"} | with_review(
                reopened=True, holder=event.actor, held_at=event.server_ts
            )
        case ev.Adjudicated():
            return {"status": "submitted"} | with_review(
                holder=None,
                held_at=None,
                version=payload.version,
                decided_seq=event.seq,
                decided_by=event.actor,
                decided_at=event.server_ts,
                reason=payload.reason,
                sources=payload.sources,
                automatic=payload.automatic,
                checked=payload.checked,
                reopened=False,
            )
        case ev.GoldMerged():
            return _merged(state, payload, event.seq) | with_review(
                merged_seq=event.seq,
                choices=payload.choices,
                evidence=payload.evidence,
                sources=payload.sources,
            )


def _merged(state: Response, payload: ev.GoldMerged, seq: int) -> dict[str, Any]:
    """The draft is what was put together; a model's own elements and rows stay beside it."""
    models = {box.id: box.model for box in state.boxes.boxes}
    boxes = tuple(
        PageBox(
            **box.model_dump(exclude={"source"}), accepted=True, model=models.get(box.id), seq=seq
        )
        for box in payload.boxes
    )
    gone = {box.id for box in payload.boxes}
    rest = tuple(
        box.model_copy(update={"deleted": True})
        for box in state.boxes.boxes
        if box.id not in gone and box.model is not None
    )
    given = {(r.field, r.document, r.page, r.box, r.row): r.model for r in state.rows}
    rows = tuple(
        RecordRow(
            **row.model_dump(),
            model=given.get((row.field, row.document, row.page, row.box, row.row)),
            seq=seq,
        )
        for row in payload.rows
    )
    return {
        "status": "open",
        "outcome": payload.outcome,
        "answer_text": payload.answer_text,
        "question_text": payload.question_text,
        "citations": tuple(
            Citation(document=kept.document, page=kept.page, seq=seq) for kept in payload.evidence
        ),
        "fields": tuple(FieldValue(**value.model_dump(), seq=seq) for value in payload.fields),
        "boxes": Boxes(boxes=(*boxes, *rest)),
        "rows": rows,
        "draft_seq": seq,
        "checks": None,
    }


def _box_changes(state: Response, payload: BoxEvent, event: ev.Event) -> Boxes:
    return apply_box(state.boxes, payload, event.seq, event.client_event_id)


def with_value(
    fields: tuple[FieldValue, ...], payload: ev.FieldSet, seq: int
) -> tuple[FieldValue, ...]:
    """The values after one was set or cleared."""
    kept = tuple(v for v in fields if not _same_target(v, payload))
    if payload.value is None:
        return kept
    value = FieldValue(
        field=payload.field,
        document=payload.document,
        page=payload.page,
        box=payload.box,
        value=payload.value,
        seq=seq,
    )
    return (*kept, value)


def _with_rows(
    rows: tuple[RecordRow, ...], payload: ev.RowSet | ev.RowDeleted | ev.RowsSeeded, seq: int
) -> tuple[RecordRow, ...]:
    target = {
        "field": payload.field,
        "document": payload.document,
        "page": payload.page,
        "box": payload.box,
    }
    if isinstance(payload, ev.RowsSeeded):
        given = sum(_same_target(row, payload) and row.model is not None for row in rows)
        made = [
            RecordRow(**target, row=f"r{n}", values=row.values, model=row.values, seq=seq)
            for n, row in enumerate(payload.rows, start=given + 1)
        ]
        return (*rows, *made)

    def is_it(row: RecordRow) -> bool:
        return row.row == payload.row and _same_target(row, payload)

    if isinstance(payload, ev.RowDeleted):
        return tuple(r.model_copy(update={"deleted": True}) if is_it(r) else r for r in rows)
    if not any(map(is_it, rows)):
        return (*rows, RecordRow(**target, row=payload.row, values=payload.values, seq=seq))
    return tuple(
        r.model_copy(update={"values": r.values | payload.values, "deleted": False})
        if is_it(r)
        else r
        for r in rows
    )


def _same_target(stored: FieldValue | RecordRow, payload: ev.Targeted) -> bool:
    return (stored.field, stored.document, stored.page, stored.box) == (
        payload.field,
        payload.document,
        payload.page,
        payload.box,
    )
