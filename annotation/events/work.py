"""Events of the work on a task: coming and going, answer and note, handing in."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from pagetrail.annotation.events.base import MAX_TEXT, Identifier, Payload

Outcome = Literal["answered", "not_found", "unanswerable", "completed"]


class Opened(Payload):
    """The task came on screen: the first event of an attempt, and again at each return."""

    type: Literal["opened"] = "opened"
    session: Identifier = Field(description="id of the browser tab's visit")


class AnswerEdited(Payload):
    """The answer's whole text after a pause in typing."""

    type: Literal["answer_edited"] = "answer_edited"
    text: str = Field(max_length=MAX_TEXT, description="the answer box as it stands")


class NoteEdited(Payload):
    """The private note's whole text after a pause in typing."""

    type: Literal["note_edited"] = "note_edited"
    text: str = Field(max_length=MAX_TEXT, description="the note box as it stands")


class Flagged(Payload):
    """The task was flagged for the supervisor."""

    type: Literal["flagged"] = "flagged"
    comment: str = Field(max_length=MAX_TEXT, description="what is wrong or unclear")


class Unflagged(Payload):
    """The flag was taken back."""

    type: Literal["unflagged"] = "unflagged"


class Paused(Payload):
    """The clock was stopped; time until ``resumed`` is not working time."""

    type: Literal["paused"] = "paused"


class Resumed(Payload):
    """The clock goes on."""

    type: Literal["resumed"] = "resumed"
    implicit: bool = Field(
        default=False, description="true when work in another tab ended the pause"
    )


class TabHidden(Payload):
    """The browser tab went to the background or was closed."""

    type: Literal["tab_hidden"] = "tab_hidden"


class TabShown(Payload):
    """The browser tab came back to the front."""

    type: Literal["tab_shown"] = "tab_shown"


class Reconnected(Payload):
    """The server was out of reach for a while; events of that time follow with their own age."""

    type: Literal["reconnected"] = "reconnected"
    offline_ms: int = Field(ge=0, description="how long, milliseconds of the browser's clock")


class GuidelinesOpened(Payload):
    """The guidelines were opened."""

    type: Literal["guidelines_opened"] = "guidelines_opened"


class GuidelinesClosed(Payload):
    """The guidelines were closed."""

    type: Literal["guidelines_closed"] = "guidelines_closed"


class Skipped(Payload):
    """The task was put aside for good, with a reason; not the same as "not found"."""

    type: Literal["skipped"] = "skipped"
    reason: str = Field(min_length=1, max_length=2_000, description="why")


class Submitted(Payload):
    """The task was handed in; answer and citations are those of the fold at this event."""

    type: Literal["submitted"] = "submitted"
    outcome: Outcome = Field(
        description="answered; not_found (looked for, deliberately without an answer); "
        "unanswerable (the collection does not hold the answer); completed (all that was asked "
        "is done, where no answer is asked for)"
    )


class Reopened(Payload):
    """A submitted or skipped task was taken up again by its annotator."""

    type: Literal["reopened"] = "reopened"


class BatchClosed(Payload):
    """The batch was closed: the attempt can only be read from now on."""

    type: Literal["batch_closed"] = "batch_closed"
