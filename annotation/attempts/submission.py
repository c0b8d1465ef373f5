"""What was submitted for a task: the one definition that everything which compares work reads.

Review, pilots, ratings, agreement reports and metrics all go by these rules:

* outcome: as submitted.
* answer: one per line, or the whole text as one where the protocol asks for prose. "Not found",
  "unanswerable" and a task that ended without an answer give none, whatever draft was left.
* pages: the cited ones; none where the task was ended early.
* values: those that count (``annotation.attempts.forms``): of fields that are asked, of pages that
  are still among the task's, of boxes that count; a blank is none. A task that was ended early has
  no values of pages and boxes, and no rows.
* boxes: those that are not deleted, on pages that may have any.
* rows: those that are not deleted, of tables that are asked for.
* transcript: the text of the page, where it is corrected.
* tables: their cells, where tables are verified; flags and confirmations are no part of them.

Of an attempt that is not submitted, or is open again, it is what would be submitted now.

An attempt can be submitted more than once. ``as_of`` reads its log as of the first submission, what
people did by themselves, or as of the last event; ``later_change`` tells what came in between.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, get_args

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.boxes import PageBox
from pagetrail.annotation.attempts.form_state import RecordRow
from pagetrail.annotation.attempts.forms import Form, Target
from pagetrail.annotation.attempts.state import AttemptState, fold_without_history, lines_of
from pagetrail.annotation.events.work import Outcome
from pagetrail.annotation.protocols.fields import FieldSpec, Value
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.annotation.tables.grid import Grid

Page = tuple[str, int]

SubmissionVersion = Literal["first", "final"]
"""The submission that counts of an attempt: the first, or the last one there is now."""
SUBMISSION_VERSIONS: tuple[SubmissionVersion, ...] = get_args(SubmissionVersion)

Reopening = Literal[
    "sent_back",
    "next_round",
    "after_feedback",
    "reopened_by_a_supervisor",
    "after_a_comment",
    "reopened_by_the_annotator",
]
"""What led to work after a submission; only the last of them is no help."""


@dataclass(frozen=True)
class Submission:
    """One participant's work on a task.

    Attributes:
        form: the protocol's questions over the work.
        attempt: id of the attempt; empty where nothing asks for it.
        name: who made it; likewise.
    """

    form: Form
    attempt: str = ""
    name: str = ""

    @property
    def outcome(self) -> Outcome | None:
        """None where it is not submitted."""
        return self.form.state.outcome

    @cached_property
    def answer(self) -> tuple[str, ...]:
        """The answers; empty where none was given."""
        return tuple(submitted_answer(self.form.state, self.form.protocol))

    @property
    def accepted(self) -> tuple[tuple[str, ...], ...]:
        """The answers that another's is compared with: a person's own, or all that gold accepts."""
        if not self.answer:
            return ()
        review = self.form.state.review
        kind = self.form.protocol.answer.kind
        variants = (tuple(answers_in(text, kind)) for text in (review.variants if review else ()))
        return (self.answer, *(variant for variant in variants if variant))

    @property
    def transcript(self) -> str | None:
        """The text of the page; None where none is asked for."""
        transcript = self.form.state.transcript
        if transcript is None or not self.form.protocol.transcript.enabled:
            return None
        return transcript.text

    @cached_property
    def tables(self) -> dict[str, Grid]:
        """The tables by id; none where none are asked for."""
        if not self.form.protocol.tables.enabled:
            return {}
        return {table.id: table.grid for table in self.form.state.tables.tables}

    @cached_property
    def pages(self) -> tuple[Page, ...]:
        """The cited pages, in the order in which they were cited."""
        if self.form.ended:
            return ()
        return tuple((cited.document, cited.page) for cited in self.form.state.citations)

    def states(self, part: Literal["answer", "evidence", "boxes"]) -> bool:
        """Whether it says anything of a part that is asked for; gold may leave parts open."""
        return True

    def targets(self, spec: FieldSpec) -> list[Target]:
        """What the field is asked of."""
        if spec.scope == "task":
            return self.form.targets(spec)
        if self.form.ended:
            return []
        counting = {box.id for box in self.boxes} if spec.scope == "box" else ()
        return [
            target
            for target in self.form.targets(spec)
            if target.box is None or target.box in counting
        ]

    def value(self, spec: FieldSpec, target: Target) -> Value:
        """The value that counts; None where there is none."""
        if target.page is not None and (
            self.form.ended
            or (spec.scope == "page" and (target.document, target.page) not in self.form.pages())
        ):
            return None
        value = self.form.value(spec, target)
        blank = value == () or (isinstance(value, str) and not value.strip())
        return None if blank else value

    @cached_property
    def boxes(self) -> tuple[PageBox, ...]:
        """The boxes that count, in the order in which they were made."""
        return tuple(
            box
            for box in self.form.state.boxes.boxes
            if not box.deleted and self.form.may_have_boxes(box.document, box.page)
        )

    def boxes_on(self, page: Page) -> list[PageBox]:
        """The boxes that count on a page."""
        return [box for box in self.boxes if (box.document, box.page) == page]

    def rows(self, spec: FieldSpec) -> Iterator[tuple[Target, RecordRow]]:
        """The rows of a table of records, with what each table belongs to."""
        for target in () if self.form.ended else self.targets(spec):
            for row in self.form.rows(spec, target):
                if not row.deleted:
                    yield target, row

    @property
    def content(self) -> tuple[object, ...]:
        """All that was submitted, to be compared for equality; orders that say nothing are gone."""
        fields = self.form.protocol.fields
        return (
            self.outcome,
            self.answer,
            frozenset(self.pages),
            self.form.state.question_text,
            self.transcript,
            self.tables,
            [
                (spec.name, target, self.value(spec, target))
                for spec in fields
                if spec.kind != "records"
                for target in self.targets(spec)
            ],
            [
                box.model_dump(exclude={"accepted", "deleted", "model", "seq"})
                for box in sorted(self.boxes, key=lambda box: box.id)
            ],
            [
                (spec.name, target, row.row, row.values)
                for spec in fields
                if spec.kind == "records"
                for target, row in self.rows(spec)
            ],
        )


def as_of(events: Sequence[ev.Event], version: SubmissionVersion) -> Sequence[ev.Event]:
    """The events of an attempt up to the submission that counts.

    ``final`` takes all of them. ``first`` ends with the first submission, or with the skipping of a
    task that was submitted only after somebody had helped; an attempt that was not reopened since
    is whole, with the closing of its batch and the feedback on it.
    """
    if version == "final" or not any(event.payload.reopens for event in events):
        return events
    end, tracker = len(events), _ReopeningTracker()
    for index, event in enumerate(events):
        reopening = tracker.reopening(event)
        if reopening not in (None, "reopened_by_the_annotator"):
            end = index
            break
        if event.type == "submitted":
            end = index + 1
            break
    return events[:end] if any(event.payload.reopens for event in events[end:]) else events


def later_change(
    events: Sequence[ev.Event], protocol: Protocol, given_pages: Sequence[Page] | None
) -> Reopening | None:
    """What led to a final submission that differs from the first; None where none does.

    Of several reopenings the first that was help counts, else it is the annotator's own.

    Args:
        given_pages: the pages that the task gives, as ``Form`` takes them.
    """
    first = as_of(events, "first")
    if len(first) == len(events):
        return None
    last = fold_without_history(events)
    if last.status != "submitted":
        return None
    before, now = (
        Submission(Form(protocol, state, given_pages))
        for state in (fold_without_history(first), last)
    )
    if before.content == now.content:
        return None
    tracker = _ReopeningTracker()
    reopenings = [
        reopening for event in events if (reopening := tracker.reopening(event)) is not None
    ]
    return next((r for r in reopenings if r != "reopened_by_the_annotator"), reopenings[-1])


class _ReopeningTracker:
    """What an annotator has been shown of an attempt, event by event."""

    def __init__(self) -> None:
        self._owner: str | None = None
        self._finished = self._commented = self._feedback = False

    def reopening(self, event: ev.Event) -> Reopening | None:
        """Take in the next event; says what led to it if it reopens the attempt."""
        payload = event.payload
        if payload.type not in ("commented", "returned", "round_started"):
            self._owner = self._owner or event.actor
        reopening: Reopening | None = None
        if payload.type == "returned":
            reopening = "sent_back"
        elif payload.type == "round_started":
            reopening = "next_round"
        elif payload.reopens:
            reopening = self._own_reopening(event)
        if payload.finishes or payload.reopens:
            self._finished, self._commented = payload.finishes, False
        elif payload.type == "feedback_given":
            self._feedback = True
        elif payload.type == "commented" and self._finished:
            self._commented |= event.actor != self._owner
        return reopening

    def _own_reopening(self, event: ev.Event) -> Reopening:
        if event.actor != self._owner:
            return "reopened_by_a_supervisor"
        if self._feedback:
            return "after_feedback"
        return "after_a_comment" if self._commented else "reopened_by_the_annotator"


def submitted_answer(state: AttemptState, protocol: Protocol) -> list[str]:
    """The answer of a state, as ``Submission`` defines it."""
    if state.outcome in ("not_found", "unanswerable", "completed"):
        return []
    return answers_in(state.answer_text, protocol.answer.kind)


def answers_in(text: str, kind: str) -> list[str]:
    """The answers that a text holds: one per non-blank line, or prose as one."""
    prose = text.strip()
    return ([prose] if prose else []) if kind == "text" else lines_of(text)
