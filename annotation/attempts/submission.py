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

Of an attempt that is not submitted, or is open again, it is what would be submitted now.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from pagetrail.annotation.attempts.boxes import PageBox
from pagetrail.annotation.attempts.form_state import RecordRow
from pagetrail.annotation.attempts.forms import Form, Target
from pagetrail.annotation.attempts.state import AttemptState
from pagetrail.annotation.events.work import Outcome
from pagetrail.annotation.protocols.fields import FieldSpec, Value
from pagetrail.annotation.protocols.protocol import Protocol

Page = tuple[str, int]


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
        return (self.answer,) if self.answer else ()

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


def submitted_answer(state: AttemptState, protocol: Protocol) -> list[str]:
    """The answer of a state, as ``Submission`` defines it."""
    if state.outcome in ("not_found", "unanswerable", "completed"):
        return []
    if protocol.answer.kind == "text":
        prose = state.answer_text.strip()
        return [prose] if prose else []
    return state.answer
