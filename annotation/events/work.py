"""Events of the work on a task: opening and leaving it, answer and note, submission."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from pagetrail.annotation.events.base import (
    MAX_REASON,
    MAX_TEXT,
    ExtendedPayload,
    Identifier,
    Payload,
    UndoableEdit,
)
from pagetrail.annotation.events.phrases import quoted, written_text
from pagetrail.annotation.messages import N_, gettext

Outcome = Literal["answered", "not_found", "unanswerable", "completed"]

StatedConfidence = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False, strict=True)]
"""An agent's confidence in its answer."""

OUTCOME_WORDS: dict[str, str] = {
    "answered": N_("Answered"),
    "not_found": N_("No answer found"),
    "unanswerable": N_("Unanswerable"),
    "completed": N_("Completed"),
}
_OUTCOMES: dict[Outcome, str] = {
    "answered": N_("Submitted with an answer"),
    "not_found": N_("Submitted: no answer found"),
    "unanswerable": N_("Submitted: the question cannot be answered"),
    "completed": N_("Submitted as done"),
}


class Opened(Payload):
    """The task came on screen: the first event of an attempt, and again at each return."""

    type: Literal["opened"] = "opened"
    is_work = False
    page_look = "ends"
    session: Identifier = Field(description="id of the browser tab's visit")

    def sentence(self) -> str:
        return gettext("Opened the task")


class AnswerEdited(UndoableEdit):
    """The answer's whole text after a pause in typing."""

    type: Literal["answer_edited"] = "answer_edited"
    lane = "answer"
    is_edit = True
    is_content = True
    text: str = Field(max_length=MAX_TEXT, description="everything in the answer box")

    def sentence(self) -> str:
        return written_text(N_("Wrote the answer {text}"), N_("Emptied the answer"), self.text)


class NoteEdited(UndoableEdit):
    """The private note's whole text after a pause in typing."""

    type: Literal["note_edited"] = "note_edited"
    lane = "answer"
    is_content = True
    text: str = Field(max_length=MAX_TEXT, description="everything in the note box")

    def sentence(self) -> str:
        return written_text(N_("Wrote the note {text}"), N_("Emptied the note"), self.text)


class Flagged(UndoableEdit):
    """The task was flagged for the supervisor."""

    type: Literal["flagged"] = "flagged"
    is_content = True
    comment: str = Field(max_length=MAX_TEXT, description="what is wrong or unclear")

    def sentence(self) -> str:
        return gettext("Flagged the task: {comment}", comment=quoted(self.comment))


class Unflagged(UndoableEdit):
    """The flag was removed."""

    type: Literal["unflagged"] = "unflagged"
    is_content = True

    def sentence(self) -> str:
        return gettext("Removed the flag")


class Paused(Payload):
    """The clock was stopped; time until ``resumed`` is not working time."""

    type: Literal["paused"] = "paused"
    lane = "clock"
    is_work = False
    page_look = "ends"

    def sentence(self) -> str:
        return gettext("Paused the clock")


class Resumed(Payload):
    """The clock was started again."""

    type: Literal["resumed"] = "resumed"
    lane = "clock"
    is_work = False
    page_look = "restored"
    implicit: bool = Field(
        default=False, description="true when work in another tab ended the pause"
    )

    def sentence(self) -> str:
        if self.implicit:
            return gettext("Started the clock again by working in another tab")
        return gettext("Started the clock again")


class TabHidden(Payload):
    """The browser tab went to the background or was closed."""

    type: Literal["tab_hidden"] = "tab_hidden"
    lane = "clock"
    is_work = False
    presence = "away"
    page_look = "ends"

    def sentence(self) -> str:
        return gettext("Left the tab")


class TabShown(Payload):
    """The browser tab came back to the front."""

    type: Literal["tab_shown"] = "tab_shown"
    lane = "clock"
    is_work = False
    page_look = "restored"

    def sentence(self) -> str:
        return gettext("Came back to the tab")


class TimeCorrected(Payload):
    """Since the last event, the server's clock and the time counted differ by more than 5 s.

    The clock was set, or the server restarted and the client's count is shorter.
    """

    type: Literal["time_corrected"] = "time_corrected"
    lane = "clock"
    server_only = True
    is_work = False
    presence = "unknown"
    clock_ms: int = Field(
        description="time since the last event by the clock that stamps events, milliseconds; "
        "negative if the clock was set back"
    )
    counted_ms: int = Field(
        ge=0, description="time that was counted instead, milliseconds; see docs/metrics.md, Time"
    )

    def sentence(self) -> str:
        return gettext(
            "Counted {counted_s} s where the server's clock had moved by {clock_s} s",
            counted_s=round(self.counted_ms / 1000),
            clock_s=round(self.clock_ms / 1000),
        )


class Reconnected(Payload):
    """The server was out of reach for a while; events of that time follow with their own age."""

    type: Literal["reconnected"] = "reconnected"
    lane = "clock"
    is_work = False
    presence = "unknown"
    offline_ms: int = Field(ge=0, description="how long, milliseconds of the browser's clock")

    def sentence(self) -> str:
        return gettext(
            "Came back online after {seconds} s", seconds=f"{self.offline_ms / 1000:.1f}"
        )


class GuidelinesOpened(Payload):
    """The guidelines were opened."""

    type: Literal["guidelines_opened"] = "guidelines_opened"
    page_look = "ends"

    def sentence(self) -> str:
        return gettext("Opened the guidelines")


class GuidelinesClosed(Payload):
    """The guidelines were closed."""

    type: Literal["guidelines_closed"] = "guidelines_closed"
    page_look = "restored"

    def sentence(self) -> str:
        return gettext("Closed the guidelines")


class Skipped(Payload):
    """The task was skipped, with a reason; not the same as "not found"."""

    type: Literal["skipped"] = "skipped"
    is_content = True
    finishes = True
    page_look = "ends"
    reason: str = Field(min_length=1, max_length=MAX_REASON, description="why")

    def sentence(self) -> str:
        return gettext("Skipped the task: {reason}", reason=quoted(self.reason))


class Submitted(ExtendedPayload):
    """The task was submitted; answer and citations are those of the fold at this event."""

    added_later = ("missing", "confidence")
    type: Literal["submitted"] = "submitted"
    is_content = True
    finishes = True
    page_look = "ends"
    outcome: Outcome = Field(
        description="answered; not_found (looked for, deliberately without an answer); "
        "unanswerable (the collection does not hold the answer); completed (all that was asked "
        "is done, where no answer is asked for)"
    )
    missing: tuple[Annotated[str, Field(max_length=100)], ...] = Field(
        default=(),
        max_length=200,
        description="submitted when the time was up: what was still missing, as parts of the "
        "screen (`answer`, `evidence`, `boxes`, `question`, `checks`) and names of fields; the "
        "server says it",
    )
    confidence: StatedConfidence | None = Field(
        default=None,
        description="of an agent in its answer, as it stated it when it submitted the task here",
    )

    def sentence(self) -> str:
        if not self.missing:
            return gettext(_OUTCOMES[self.outcome])
        return gettext(
            "{submission} when the time was up, without {parts}",
            submission=gettext(_OUTCOMES[self.outcome]),
            parts=", ".join(self.missing),
        )


class Reopened(Payload):
    """A submitted or skipped task was reopened by its annotator."""

    type: Literal["reopened"] = "reopened"
    is_content = True
    reopens = True
    page_look = "ends"

    def sentence(self) -> str:
        return gettext("Reopened the task")


class BatchClosed(Payload):
    """The batch was closed: the attempt can only be read from now on."""

    type: Literal["batch_closed"] = "batch_closed"
    server_only = True
    presence = "unknown"

    def sentence(self) -> str:
        return gettext("The batch was closed")
