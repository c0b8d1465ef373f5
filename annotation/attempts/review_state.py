"""The comments on an attempt, and the review status of a task's gold."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.base import State
from pagetrail.annotation.attempts.boxes import Boxes, PageBox
from pagetrail.annotation.attempts.form_state import Checks, Confirmation, FieldValue, RecordRow
from pagetrail.annotation.attempts.page_state import Citation
from pagetrail.annotation.attempts.table_state import Table, Tables
from pagetrail.annotation.attempts.transcript_state import Transcript, text_hash
from pagetrail.annotation.messages import gettext


class Comment(State):
    """A comment on an attempt."""

    seq: int
    by: str
    at: str
    text: str
    returns: bool = Field(default=False, description="the task was sent back with it")
    differences: tuple[ev.Difference, ...] = ()


class Review(State):
    """The review status of a task's gold; in gold streams only.

    ``holder`` is the supervisor who took it. ``decided_seq`` is the event of the last decision: the
    gold of that version is the fold up to it, whatever the draft has become since.
    """

    holder: str | None = None
    held_at: str | None = None
    merged_seq: int | None = None
    choices: tuple[ev.Choice, ...] = ()
    evidence: tuple[ev.KeptPage, ...] = ()
    variants: tuple[str, ...] = Field(
        default=(), description="accepted beside the answer, each one answer per line"
    )
    sources: tuple[ev.Source, ...] = ()
    version: int = 0
    decided_seq: int | None = None
    decided_by: str | None = None
    decided_at: str | None = None
    reason: str = ""
    automatic: bool = False
    checked: bool = False
    errors: tuple[str, ...] = ()
    confidence: ev.Confidence | None = None
    reopened: bool = False
    tables_decided: bool = Field(
        default=False, description="the draft has tables, or it was decided that there are none"
    )
    handled: dict[str, int] = Field(
        default_factory=dict, description="attempt → its flag or skip that was dealt with"
    )
    rejected_drafts: dict[str, str] = Field(
        default_factory=dict, description="draft that was rejected as a whole → reason"
    )

    @property
    def decided(self) -> bool:
        """Whether there is gold that has not been reopened."""
        return self.version > 0 and not self.reopened

    @property
    def decision_sentence(self) -> str:
        """Who decided: the campaign's rule, or a person, who may have confirmed it."""
        if self.automatic and not self.checked:
            return gettext(
                "The campaign’s rule has accepted this task: it is gold, version {version}.",
                version=self.version,
            )
        return gettext(
            "{person} has decided this task: it is gold, version {version}.",
            person=self.decided_by,
            version=self.version,
        )

    @property
    def decision(self) -> ev.Decision | None:
        """The current decision; None without gold."""
        if self.decided_seq is None:
            return None
        return ev.Decision(
            seq=self.decided_seq,
            version=self.version,
            by=self.decided_by or "",
            at=self.decided_at or "",
            reason=self.reason,
            automatic=self.automatic,
            checked=self.checked,
            errors=self.errors,
            confidence=self.confidence,
            sources=self.sources,
            reopened=self.reopened,
        )


def comment_of(payload: ev.Commented | ev.Returned, event: ev.Event) -> Comment:
    """The comment that an event makes."""
    if isinstance(payload, ev.Commented):
        return Comment(seq=event.seq, by=event.actor, at=event.server_ts, text=payload.text)
    return Comment(
        seq=event.seq,
        by=event.actor,
        at=event.server_ts,
        text=payload.comment,
        returns=True,
        differences=payload.differences,
    )


def gold_changes(
    review: Review,
    boxes: Boxes,
    rows: tuple[RecordRow, ...],
    payload: ev.GoldEvent,
    event: ev.Event,
) -> dict[str, Any]:
    """What an event of a gold stream changes in the state of its attempt."""

    def with_review(**changes: Any) -> dict[str, Any]:
        return {"review": review.model_copy(update=changes)}

    match payload:
        case ev.ReviewTaken():
            return with_review(holder=event.actor, held_at=event.server_ts)
        case ev.ReviewReleased():
            return with_review(holder=None, held_at=None)
        case ev.ProblemHandled(attempt=attempt):
            other_problems = {key: seq for key, seq in review.handled.items() if key != attempt}
            return with_review(
                handled=other_problems | {attempt: payload.seq}
                if payload.handled
                else other_problems
            )
        case ev.DraftRejected(draft=draft):
            other_rejections = {
                key: reason for key, reason in review.rejected_drafts.items() if key != draft
            }
            return with_review(
                rejected_drafts=other_rejections | {draft: payload.reason}
                if payload.rejected
                else other_rejections
            )
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
                errors=payload.errors,
                confidence=payload.confidence,
                reopened=False,
            )
        case ev.DecisionUndone(before=before):
            is_held = before is None or before.reopened
            return {"status": "open" if is_held else "submitted"} | with_review(
                holder=event.actor if is_held else None,
                held_at=event.server_ts if is_held else None,
                **_decided(review, before),
            )
        case ev.GoldMerged():
            return _merged(boxes, rows, payload, event.seq) | with_review(
                merged_seq=event.seq,
                choices=payload.choices,
                evidence=payload.evidence,
                variants=payload.variants,
                sources=payload.sources,
                tables_decided=payload.tables is not None,
            )
        case _:
            return {}


_REVIEWER_REMARKS = ("checked", "errors", "confidence", "reopened")


def _decided(review: Review, before: ev.Decision | None) -> dict[str, Any]:
    """The fields of a review that describe the last decision, with their earlier values."""
    initial_review = Review()
    if before is None:
        names = ("version", "decided_seq", "decided_by", "decided_at", "reason", "automatic")
        return {name: getattr(initial_review, name) for name in (*names, *_REVIEWER_REMARKS)}
    return {
        "version": before.version,
        "decided_seq": before.seq,
        "decided_by": before.by,
        "decided_at": before.at,
        "reason": before.reason,
        "automatic": before.automatic,
        "checked": before.checked,
        "errors": before.errors,
        "confidence": before.confidence,
        "reopened": before.reopened,
        # A draft that was merged since rests on the work that was merged.
        "sources": review.sources if before.reopened else before.sources,
    }


def _merged(
    boxes: Boxes, rows: tuple[RecordRow, ...], payload: ev.GoldMerged, seq: int
) -> dict[str, Any]:
    """The draft is the merged work; a model's own elements and rows stay in it, deleted."""
    models = {box.id: box.model for box in boxes.boxes}
    merged = tuple(
        PageBox(
            **box.model_dump(exclude={"source"}), accepted=True, model=models.get(box.id), seq=seq
        )
        for box in payload.boxes
    )
    merged_ids = {box.id for box in payload.boxes}
    deleted_boxes = tuple(
        box.model_copy(update={"deleted": True})
        for box in boxes.boxes
        if box.id not in merged_ids and box.model is not None
    )
    model_cells = {(r.field, r.document, r.page, r.box, r.row): r.model for r in rows}
    merged_rows = tuple(
        RecordRow(
            **row.model_dump(),
            model=model_cells.get((row.field, row.document, row.page, row.box, row.row)),
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
            Citation(document=kept_page.document, page=kept_page.page, seq=seq)
            for kept_page in payload.evidence
        ),
        "fields": tuple(FieldValue(**value.model_dump(), seq=seq) for value in payload.fields),
        "boxes": Boxes(boxes=(*merged, *deleted_boxes)),
        "rows": merged_rows,
        "confirmed": tuple(Confirmation(**c.model_dump(), seq=seq) for c in payload.confirmed),
        "transcript": None
        if payload.transcript is None
        else Transcript(
            **payload.transcript.model_dump(),
            round_text_sha256=text_hash(payload.transcript.text),
        ),
        "tables": Tables(
            tables=tuple(
                Table(**table.model_dump(exclude={"cells"}), cells=table.cells)
                for table in payload.tables or ()
            )
        ),
        "draft_seq": seq,
        "checks": None if payload.checks is None else Checks(at_seq=seq, findings=payload.checks),
    }
