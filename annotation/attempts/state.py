"""The current state of an attempt, as a pure function of its events."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import singledispatch
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.base import State
from pagetrail.annotation.attempts.batch_aids import BatchAids, Bookmark, Calculation, with_bookmark
from pagetrail.annotation.attempts.boxes import Boxes, apply_box
from pagetrail.annotation.attempts.form_state import (
    Checks,
    Confirmation,
    Feedback,
    FieldValue,
    RecordRow,
    with_confirmation,
    with_moved_row,
    with_rows,
    with_set_rows,
    with_value,
)
from pagetrail.annotation.attempts.history import HistoryStep, history_after, reversed_step
from pagetrail.annotation.attempts.page_state import Citation, Position, Search, View, search_of
from pagetrail.annotation.attempts.review_state import Comment, Review, comment_of, gold_changes
from pagetrail.annotation.attempts.table_state import (
    Tables,
    with_given_tables,
    with_next_round,
    with_table_work,
)
from pagetrail.annotation.attempts.transcript_state import Transcript, apply_transcript
from pagetrail.annotation.protocols.fields import Value

MAX_CALCULATIONS = 5
"""Calculations that a state keeps; all are in the log."""

_TEXT_TYPES = frozenset(
    tag for tag, kind in ev.EVENT_TYPES.items() if issubclass(kind, ev.TranscriptEvent)
)

Status = Literal["new", "open", "submitted", "skipped"]

_REOPENED: dict[str, Any] = {
    "status": "open",
    "outcome": None,
    "skip_reason": None,
    "missing": (),
}


class AttemptState(State):
    """What an attempt holds now."""

    status: Status = "new"
    closed: bool = False
    outcome: ev.Outcome | None = None
    skip_reason: str | None = None
    missing: tuple[str, ...] = Field(
        default=(), description="what was missing when it was submitted at the time limit"
    )
    answer_text: str = ""
    note: str = ""
    flag: str | None = None
    citations: tuple[Citation, ...] = ()
    boxes: Boxes = Boxes()
    fields: tuple[FieldValue, ...] = ()
    rows: tuple[RecordRow, ...] = ()
    transcript: Transcript | None = Field(default=None, description="of a transcription")
    tables: Tables = Tables()
    confirmed: tuple[Confirmation, ...] = ()
    question_text: str | None = Field(default=None, description="written by an author")
    draft_seq: int = Field(default=0, description="last change of question, answer or evidence")
    checks: Checks | None = None
    feedback: Feedback | None = None
    disputed: str | None = Field(default=None, description="why the gold that was shown is wrong")
    comments: tuple[Comment, ...] = ()
    bookmarks: tuple[Bookmark, ...] = Field(default=(), description="of the batch")
    scratchpad: str = Field(default="", description="of the batch")
    calculations: tuple[Calculation, ...] = Field(default=(), description="the last ones")
    undo: tuple[HistoryStep, ...] = Field(default=(), description="changes, the last one last")
    redo: tuple[HistoryStep, ...] = Field(
        default=(), description="what was undone, the last one last"
    )
    returned: bool = Field(default=False, description="sent back, and not submitted again yet")
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
    # States that earlier versions stored have it; it is read and dropped.
    clock_origin: Annotated[None, BeforeValidator(lambda _: None)] = Field(
        default=None, exclude=True
    )

    @property
    def answer(self) -> list[str]:
        """The answers, one per non-blank line, without surrounding space."""
        return lines_of(self.answer_text)

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
    def aids(self) -> BatchAids:
        """Bookmarks and scratchpad of the batch, as far as this attempt knows."""
        return BatchAids(self.bookmarks, self.scratchpad)

    @property
    def checks_current(self) -> bool:
        """Whether the live checks have seen the question, answer and evidence as they are."""
        return self.checks is not None and self.checks.at_seq >= self.draft_seq

    def stored_json(self) -> str:
        """The state as it is stored: without the comments, so that none is written twice.

        They are events of their own, and are read from the log again.
        """
        return self.model_dump_json(exclude={"comments"})

    def cites(self, document: str, page: int) -> bool:
        """Whether the page is cited."""
        return any(c.document == document and c.page == page for c in self.citations)


def lines_of(text: str) -> list[str]:
    """The non-blank lines, without surrounding space."""
    return [line.strip() for line in text.splitlines() if line.strip()]


def fold(events: Iterable[ev.Event]) -> AttemptState:
    """The state after all events: pure, deterministic and total over the event union."""
    state = AttemptState()
    for event in events:
        # Nobody else has seen this state yet, so it need not be copied for each event.
        state.__dict__.update(_after(state, event) | history_after(state, event))
    return state


def fold_without_history(events: Sequence[ev.Event]) -> AttemptState:
    """The same state with empty ``undo`` and ``redo``, faster, to read what is in an attempt."""
    if not _TEXT_TYPES.isdisjoint([event.payload.type for event in events]):
        # What undoing a change of a text puts back is in the history.
        return fold(events).model_copy(update={"undo": (), "redo": ()})
    state = AttemptState()
    for event in events:
        state.__dict__.update(_after(state, event))
    return state


def apply(state: AttemptState, event: ev.Event) -> AttemptState:
    """The state after one more event."""
    return state.model_copy(update=_after(state, event) | history_after(state, event))


def with_payload(state: AttemptState, payload: ev.Payload) -> AttemptState:
    """The state as it will be once the server has recorded something by itself."""
    event = ev.Event(
        attempt_id="preview",
        seq=state.last_seq + 1,
        server_ts="1970-01-01T00:00:00.000000Z",
        client_ts=None,
        elapsed_ms=0,
        actor="preview",
        client_event_id="preview",
        payload=payload,
    )
    changes = _changes(payload, state, event) | history_after(state, event)
    return state.model_copy(update=changes)


def _after(state: AttemptState, event: ev.Event) -> dict[str, Any]:
    """What is different in the state after one more event, except the history."""
    changes: dict[str, Any] = {
        "last_seq": event.seq,
        "started_at": state.started_at or event.server_ts,
        "updated_at": event.server_ts,
        "elapsed_ms": max(state.elapsed_ms, event.elapsed_ms),
        "work_ms": state.work_ms + work_since(state, event.elapsed_ms),
    }
    if state.status == "new":
        changes["status"] = "open"
    changes.update(_changes(event.payload, state, event))
    return changes


def work_since(state: AttemptState, elapsed_ms: int) -> int:
    """Milliseconds of work between the last event and a later time of the attempt."""
    return max(0, elapsed_ms - state.elapsed_ms) if is_at_work(state) else 0


def is_at_work(state: AttemptState) -> bool:
    """Whether time counts as work after the last event."""
    return state.status in ("new", "open") and not (state.paused or state.hidden)


@singledispatch
def _changes(payload: ev.Payload, state: AttemptState, event: ev.Event) -> dict[str, Any]:
    """What the payload changes in the state: nothing, unless its class is registered below."""
    return {}


@_changes.register
def _(payload: ev.Opened | ev.TabShown, state: AttemptState, event: ev.Event) -> dict[str, Any]:
    return {"hidden": False}


@_changes.register
def _(payload: ev.TabHidden, state: AttemptState, event: ev.Event) -> dict[str, Any]:
    return {"hidden": True}


@_changes.register
def _(payload: ev.Paused, state: AttemptState, event: ev.Event) -> dict[str, Any]:
    return {"paused": True}


@_changes.register
def _(payload: ev.Resumed, state: AttemptState, event: ev.Event) -> dict[str, Any]:
    return {"paused": False}


@_changes.register
def _(
    payload: ev.Searched | ev.SearchRefused, state: AttemptState, event: ev.Event
) -> dict[str, Any]:
    return {"searches": (*state.searches, search_of(payload, event.seq))}


@_changes.register
def _(payload: ev.PageViewed, state: AttemptState, event: ev.Event) -> dict[str, Any]:
    position = Position(
        document=payload.document,
        page=payload.page,
        search_id=payload.search_id,
        rank=payload.rank,
    )
    return {"position": position, "n_page_views": state.n_page_views + 1}


@_changes.register
def _(payload: ev.ViewChanged, state: AttemptState, event: ev.Event) -> dict[str, Any]:
    return {"view": View(fit=payload.fit, zoom=payload.zoom, rotation=payload.rotation)}


@_changes.register
def _(payload: ev.CitationAdded, state: AttemptState, event: ev.Event) -> dict[str, Any]:
    if state.cites(payload.document, payload.page):
        return {}
    citation = Citation(
        document=payload.document,
        page=payload.page,
        search_id=payload.search_id,
        rank=payload.rank,
        seq=event.seq,
    )
    return {"citations": (*state.citations, citation), "draft_seq": event.seq}


@_changes.register
def _(payload: ev.CitationRemoved, state: AttemptState, event: ev.Event) -> dict[str, Any]:
    page = (payload.document, payload.page)
    citations = tuple(c for c in state.citations if (c.document, c.page) != page)
    return {"citations": citations, "draft_seq": event.seq}


@_changes.register
def _(payload: ev.AnswerEdited, state: AttemptState, event: ev.Event) -> dict[str, Any]:
    return {"answer_text": payload.text, "draft_seq": event.seq}


@_changes.register
def _(
    payload: ev.QuestionEdited | ev.QuestionSeeded, state: AttemptState, event: ev.Event
) -> dict[str, Any]:
    return {"question_text": payload.text, "draft_seq": event.seq}


@_changes.register
def _(payload: ev.NoteEdited, state: AttemptState, event: ev.Event) -> dict[str, Any]:
    return {"note": payload.text}


@_changes.register
def _(
    payload: ev.PageBookmarked | ev.BookmarkRemoved, state: AttemptState, event: ev.Event
) -> dict[str, Any]:
    return {"bookmarks": with_bookmark(state.bookmarks, payload)}


@_changes.register
def _(payload: ev.ScratchpadEdited, state: AttemptState, event: ev.Event) -> dict[str, Any]:
    return {"scratchpad": payload.text}


@_changes.register
def _(payload: ev.Calculated, state: AttemptState, event: ev.Event) -> dict[str, Any]:
    calculation = Calculation(expression=payload.expression, result=payload.result, seq=event.seq)
    return {"calculations": (*state.calculations, calculation)[-MAX_CALCULATIONS:]}


@_changes.register
def _(payload: ev.BatchAidsCarried, state: AttemptState, event: ev.Event) -> dict[str, Any]:
    bookmarks = tuple(Bookmark(document=b.document, page=b.page) for b in payload.bookmarks)
    return {"bookmarks": bookmarks, "scratchpad": payload.scratchpad}


@_changes.register
def _(payload: ev.Flagged, state: AttemptState, event: ev.Event) -> dict[str, Any]:
    return {"flag": payload.comment}


@_changes.register
def _(payload: ev.Unflagged, state: AttemptState, event: ev.Event) -> dict[str, Any]:
    return {"flag": None}


@_changes.register
def _(payload: ev.Skipped, state: AttemptState, event: ev.Event) -> dict[str, Any]:
    return {
        "status": "skipped",
        "skip_reason": payload.reason,
        "outcome": None,
        "missing": (),
        "returned": False,
    }


@_changes.register
def _(payload: ev.Submitted, state: AttemptState, event: ev.Event) -> dict[str, Any]:
    return {
        "status": "submitted",
        "outcome": payload.outcome,
        "skip_reason": None,
        "missing": payload.missing,
        "returned": False,
    }


@_changes.register
def _(payload: ev.Reopened, state: AttemptState, event: ev.Event) -> dict[str, Any]:
    # A gold draft that is reopened in the workspace can still be decided without a change.
    outcome = state.outcome if state.review is not None else None
    return {**_REOPENED, "outcome": outcome}


@_changes.register
def _(payload: ev.BatchClosed, state: AttemptState, event: ev.Event) -> dict[str, Any]:
    return {"closed": True}


@_changes.register
def _(payload: ev.BoxEvent, state: AttemptState, event: ev.Event) -> dict[str, Any]:
    return {"boxes": apply_box(state.boxes, payload, event.seq, event.client_event_id)}


@_changes.register
def _(payload: ev.FieldSet, state: AttemptState, event: ev.Event) -> dict[str, Any]:
    return {"fields": with_value(state.fields, payload, event.seq)}


@_changes.register
def _(payload: ev.ContradictionConfirmed, state: AttemptState, event: ev.Event) -> dict[str, Any]:
    return {"confirmed": with_confirmation(state.confirmed, payload, event.seq)}


@_changes.register
def _(
    payload: ev.RowSet | ev.RowDeleted | ev.RowsSeeded, state: AttemptState, event: ev.Event
) -> dict[str, Any]:
    return {"rows": with_rows(state.rows, payload, event.seq)}


@_changes.register
def _(payload: ev.TranscriptEvent, state: AttemptState, event: ev.Event) -> dict[str, Any]:
    step = reversed_step(state, payload)
    reversed_change = step.transcript if step else None
    return {"transcript": apply_transcript(state.transcript, payload, reversed_change)}


@_changes.register
def _(payload: ev.RoundStarted, state: AttemptState, event: ev.Event) -> dict[str, Any]:
    return {
        **_REOPENED,
        "closed": False,
        # Nobody works on it until it is opened again.
        "hidden": True,
        "transcript": apply_transcript(state.transcript, payload, None),
        "tables": with_next_round(state.tables, payload),
    }


@_changes.register
def _(payload: ev.TablesGiven, state: AttemptState, event: ev.Event) -> dict[str, Any]:
    return {"tables": with_given_tables(state.tables, payload)}


@_changes.register
def _(payload: ev.TableWork, state: AttemptState, event: ev.Event) -> dict[str, Any]:
    return {"tables": with_table_work(state.tables, payload)}


@_changes.register
def _(payload: ev.RowsSet, state: AttemptState, event: ev.Event) -> dict[str, Any]:
    return {"rows": with_set_rows(state.rows, payload)}


@_changes.register
def _(payload: ev.RowMoved, state: AttemptState, event: ev.Event) -> dict[str, Any]:
    return {"rows": with_moved_row(state.rows, payload)}


@_changes.register
def _(payload: ev.Checked, state: AttemptState, event: ev.Event) -> dict[str, Any]:
    return {"checks": Checks(at_seq=payload.at_seq, findings=payload.findings)}


@_changes.register
def _(payload: ev.FeedbackGiven, state: AttemptState, event: ev.Event) -> dict[str, Any]:
    return {"feedback": Feedback(right=payload.right, score=payload.score, parts=payload.parts)}


@_changes.register
def _(payload: ev.GoldDisputed, state: AttemptState, event: ev.Event) -> dict[str, Any]:
    return {"disputed": payload.reason}


@_changes.register
def _(payload: ev.Commented, state: AttemptState, event: ev.Event) -> dict[str, Any]:
    return {"comments": (*state.comments, comment_of(payload, event))}


@_changes.register
def _(payload: ev.Returned, state: AttemptState, event: ev.Event) -> dict[str, Any]:
    return {
        **_REOPENED,
        "closed": False,
        "comments": (*state.comments, comment_of(payload, event)),
        "returned": True,
        # Nobody works on it until it is opened again.
        "hidden": True,
    }


@_changes.register
def _(payload: ev.GoldEvent, state: AttemptState, event: ev.Event) -> dict[str, Any]:
    review = state.review or Review()
    return gold_changes(review, state.boxes, state.rows, payload, event)
