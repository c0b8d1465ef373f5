"""The current state of an attempt, as a pure function of its events."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from typing import Any, Literal

from pydantic import Field

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.base import State
from pagetrail.annotation.attempts.boxes import Boxes, apply_box
from pagetrail.annotation.attempts.form_state import (
    Checks,
    Confirmation,
    Feedback,
    FieldValue,
    RecordRow,
    with_confirmation,
    with_rows,
    with_value,
)
from pagetrail.annotation.attempts.page_state import Citation, Position, Search, View, search_of
from pagetrail.annotation.attempts.review_state import Comment, Review, comment_of, gold_changes
from pagetrail.annotation.clock import iso, parse_iso
from pagetrail.annotation.protocols.fields import Value

Status = Literal["new", "open", "submitted", "skipped"]


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
    confirmed: tuple[Confirmation, ...] = ()
    question_text: str | None = Field(default=None, description="written by an author")
    draft_seq: int = Field(default=0, description="last change of question, answer or evidence")
    checks: Checks | None = None
    feedback: Feedback | None = None
    disputed: str | None = Field(default=None, description="why the gold that was shown is wrong")
    comments: tuple[Comment, ...] = ()
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
    clock_origin: str | None = Field(
        default=None,
        description="the moment that elapsed_ms counts from, by the server's clock: the earliest "
        "server_ts less elapsed_ms of any event. Earlier than started_at when the first events "
        "arrived with an age; it moves back with a server clock that was set back",
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


_DONE = {"returned": False}


def fold(events: Iterable[ev.Event]) -> AttemptState:
    """The state after all events: pure, deterministic and total over the event union."""
    state = AttemptState()
    for event in events:
        # Nobody else has seen this state yet, so it need not be copied for each event.
        state.__dict__.update(_after(state, event))
    return state


def apply(state: AttemptState, event: ev.Event) -> AttemptState:
    """The state after one more event."""
    return state.model_copy(update=_after(state, event))


def _after(state: AttemptState, event: ev.Event) -> dict[str, Any]:
    """What is different in the state after one more event."""
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
    return changes


def work_since(state: AttemptState, elapsed_ms: int) -> int:
    """Milliseconds of work between the last event and a later moment of the same time line."""
    at_work = state.status in ("new", "open") and not (state.paused or state.hidden)
    return max(0, elapsed_ms - state.elapsed_ms) if at_work else 0


def _origin(state: AttemptState, event: ev.Event) -> str:
    origin = parse_iso(event.server_ts) - timedelta(milliseconds=event.elapsed_ms)
    known = state.clock_origin
    return iso(origin) if known is None or origin < parse_iso(known) else known


def _changes(state: AttemptState, payload: ev.AnyPayload, event: ev.Event) -> dict[str, Any]:
    seq = event.seq
    # By the tag: a class that does not match costs ten times as much as a string.
    match payload.type:
        case "opened" | "tab_shown":
            return {"hidden": False}
        case "searched" | "search_refused":
            return {"searches": (*state.searches, search_of(payload, seq))}
        case "page_viewed":
            position = Position(
                document=payload.document,
                page=payload.page,
                search_id=payload.search_id,
                rank=payload.rank,
            )
            return {"position": position, "n_page_views": state.n_page_views + 1}
        case "view_changed":
            view = View(fit=payload.fit, zoom=payload.zoom, rotation=payload.rotation)
            return {"view": view}
        case "citation_added":
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
        case "citation_removed":
            kept = tuple(
                c
                for c in state.citations
                if (c.document, c.page) != (payload.document, payload.page)
            )
            return {"citations": kept, "draft_seq": seq}
        case "answer_edited":
            return {"answer_text": payload.text, "draft_seq": seq}
        case "note_edited":
            return {"note": payload.text}
        case "flagged":
            return {"flag": payload.comment}
        case "unflagged":
            return {"flag": None}
        case "paused":
            return {"paused": True}
        case "resumed":
            return {"paused": False}
        case "tab_hidden":
            return {"hidden": True}
        case "skipped":
            skipped = {"status": "skipped", "skip_reason": payload.reason, "outcome": None}
            return skipped | {"missing": ()} | _DONE
        case "submitted":
            submitted = {"status": "submitted", "outcome": payload.outcome, "skip_reason": None}
            return submitted | {"missing": payload.missing} | _DONE
        case "reopened":
            # A gold draft that is reopened in the workspace can still be decided without a change.
            outcome = state.outcome if state.review is not None else None
            return {"status": "open", "outcome": outcome, "skip_reason": None, "missing": ()}
        case "batch_closed":
            return {"closed": True}
        case "field_set":
            return {"fields": with_value(state.fields, payload, seq)}
        case "contradiction_confirmed":
            return {"confirmed": with_confirmation(state.confirmed, payload, seq)}
        case "row_set" | "row_deleted" | "rows_seeded":
            return {"rows": with_rows(state.rows, payload, seq)}
        case "question_edited":
            return {"question_text": payload.text, "draft_seq": seq}
        case "checked":
            return {"checks": Checks(at_seq=payload.at_seq, findings=payload.findings)}
        case "feedback_given":
            feedback = Feedback(right=payload.right, score=payload.score, parts=payload.parts)
            return {"feedback": feedback}
        case "gold_disputed":
            return {"disputed": payload.reason}
        case "reconnected" | "guidelines_opened" | "guidelines_closed":
            return {}
        case "text_copied" | "page_text_read" | "document_searched" | "page_beside":
            return {}
        case "run_imported" | "agent_turn" | "agent_step":
            return {}
        case "commented":
            return {"comments": (*state.comments, comment_of(payload, event))}
        case "returned":
            comments = (*state.comments, comment_of(payload, event))
            # Nobody is at work on it before it is opened again.
            back: dict[str, Any] = {"status": "open", "outcome": None, "skip_reason": None}
            back |= {"missing": (), "closed": False}
            return back | {"comments": comments, "returned": True, "hidden": True}
        case (
            "review_taken"
            | "review_released"
            | "gold_merged"
            | "adjudicated"
            | "gold_reopened"
            | "decision_undone"
            | "problem_handled"
        ):
            review = state.review or Review()
            return gold_changes(review, state.boxes, state.rows, payload, event)
        case _:
            return {"boxes": apply_box(state.boxes, payload, seq, event.client_event_id)}
