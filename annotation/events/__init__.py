"""The event union: everything that can happen in an attempt, one model per kind.

An event is a payload in an envelope. The payload's ``type`` is the literal tag of the union;
``VERSION`` is the version of that payload's schema. Each module of this package has the kinds of
one subject, with a description of each field and its unit. What kind of event it is (work, edit,
lane in a replay, sentence) is told by attributes of the class, see ``Payload``.
The log is append-only: a correction, a reopening and a closing are events like any other.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, get_args

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from pagetrail.annotation.events.agents import AgentStep, AgentTurn, ModelTotal, RunImported
from pagetrail.annotation.events.base import MAX_ANSWERS, MAX_COMMENTS, MAX_TEXT, Payload
from pagetrail.annotation.events.boxes import (
    AnyBoxEdit,
    AnyBoxEvent,
    BoxAccepted,
    BoxAttributesEdited,
    BoxContentEdited,
    BoxDeleted,
    BoxDrawn,
    BoxLabelled,
    BoxMoved,
    BoxOrdered,
    BoxResized,
    ElementsSeeded,
    Redone,
    Undone,
)
from pagetrail.annotation.events.forms import (
    Checked,
    ContradictionConfirmed,
    FeedbackGiven,
    FieldSet,
    GoldDisputed,
    PartScore,
    QuestionEdited,
    RowDeleted,
    RowSet,
    RowsSeeded,
    Targeted,
)
from pagetrail.annotation.events.model_usage import ModelUsage
from pagetrail.annotation.events.page_text import (
    DocumentSearched,
    PageBeside,
    PageTextRead,
    TextCopied,
)
from pagetrail.annotation.events.pages import (
    CitationAdded,
    CitationRemoved,
    PageViewed,
    Searched,
    SearchRefused,
    Via,
    ViewChanged,
)
from pagetrail.annotation.events.returning import Commented, Difference, Returned
from pagetrail.annotation.events.review import (
    Adjudicated,
    Choice,
    Confidence,
    Decision,
    DecisionUndone,
    GoldConfirmation,
    GoldElement,
    GoldEvent,
    GoldMerged,
    GoldPage,
    GoldReopened,
    GoldRow,
    GoldValue,
    KeptPage,
    PageDecision,
    ProblemHandled,
    ReviewReleased,
    ReviewTaken,
    Source,
)
from pagetrail.annotation.events.work import (
    AnswerEdited,
    BatchClosed,
    Flagged,
    GuidelinesClosed,
    GuidelinesOpened,
    NoteEdited,
    Opened,
    Outcome,
    Paused,
    Reconnected,
    Reopened,
    Resumed,
    Skipped,
    Submitted,
    TabHidden,
    TabShown,
    Unflagged,
)

__all__ = [
    "MAX_ANSWERS",
    "MAX_COMMENTS",
    "MAX_TEXT",
    "PAYLOADS",
    "Adjudicated",
    "AgentStep",
    "AgentTurn",
    "AnswerEdited",
    "AnyBoxEdit",
    "AnyBoxEvent",
    "AnyPayload",
    "BatchClosed",
    "BoxAccepted",
    "BoxAttributesEdited",
    "BoxContentEdited",
    "BoxDeleted",
    "BoxDrawn",
    "BoxLabelled",
    "BoxMoved",
    "BoxOrdered",
    "BoxResized",
    "Checked",
    "Choice",
    "CitationAdded",
    "CitationRemoved",
    "Commented",
    "Confidence",
    "ContradictionConfirmed",
    "Decision",
    "DecisionUndone",
    "Difference",
    "DocumentSearched",
    "ElementsSeeded",
    "Event",
    "FeedbackGiven",
    "FieldSet",
    "Flagged",
    "GoldConfirmation",
    "GoldDisputed",
    "GoldElement",
    "GoldEvent",
    "GoldMerged",
    "GoldPage",
    "GoldReopened",
    "GoldRow",
    "GoldValue",
    "GuidelinesClosed",
    "GuidelinesOpened",
    "KeptPage",
    "ModelTotal",
    "ModelUsage",
    "NoteEdited",
    "Opened",
    "Outcome",
    "PageBeside",
    "PageDecision",
    "PageTextRead",
    "PageViewed",
    "PartScore",
    "Paused",
    "Payload",
    "ProblemHandled",
    "QuestionEdited",
    "Reconnected",
    "Redone",
    "Reopened",
    "Resumed",
    "Returned",
    "ReviewReleased",
    "ReviewTaken",
    "RowDeleted",
    "RowSet",
    "RowsSeeded",
    "RunImported",
    "SearchRefused",
    "Searched",
    "Skipped",
    "Source",
    "Submitted",
    "TabHidden",
    "TabShown",
    "Targeted",
    "TextCopied",
    "Undone",
    "Unflagged",
    "Via",
    "ViewChanged",
    "parse_payload",
    "read_payload",
    "types_where",
]

AnyPayload = Annotated[
    Opened
    | Searched
    | SearchRefused
    | PageViewed
    | ViewChanged
    | CitationAdded
    | CitationRemoved
    | AnswerEdited
    | NoteEdited
    | Flagged
    | Unflagged
    | Paused
    | Resumed
    | TabHidden
    | TabShown
    | Reconnected
    | GuidelinesOpened
    | GuidelinesClosed
    | Skipped
    | Submitted
    | Reopened
    | BatchClosed
    | TextCopied
    | PageTextRead
    | DocumentSearched
    | PageBeside
    | AnyBoxEvent
    | FieldSet
    | ContradictionConfirmed
    | RowSet
    | RowDeleted
    | RowsSeeded
    | QuestionEdited
    | Checked
    | FeedbackGiven
    | GoldDisputed
    | RunImported
    | AgentTurn
    | AgentStep
    | ReviewTaken
    | ReviewReleased
    | GoldMerged
    | Adjudicated
    | GoldReopened
    | DecisionUndone
    | ProblemHandled
    | Returned
    | Commented,
    Field(discriminator="type"),
]

_PAYLOADS: TypeAdapter[AnyPayload] = TypeAdapter(AnyPayload)

PAYLOADS: tuple[type[Payload], ...] = get_args(get_args(AnyPayload)[0])
"""The classes of the union."""


_BY_TYPE: dict[str, TypeAdapter[Any]] = {
    kind.model_fields["type"].default: TypeAdapter(kind) for kind in PAYLOADS
}


def types_where(holds: Callable[[type[Payload]], bool]) -> frozenset[str]:
    """The type tags of the classes of which something holds, such as one of their traits."""
    return frozenset(kind.model_fields["type"].default for kind in PAYLOADS if holds(kind))


def parse_payload(type_: str, fields: dict[str, Any]) -> AnyPayload:
    """The payload of that type.

    Raises:
        pydantic.ValidationError: unknown type, missing or wrong field.
    """
    return _PAYLOADS.validate_python({**fields, "type": type_})


def read_payload(type_: str, fields: str) -> AnyPayload:
    """The payload of that type, from its fields as JSON text; errors as of ``parse_payload``."""
    known = _BY_TYPE.get(type_)
    if known is None:
        return parse_payload(type_, {})
    payload: AnyPayload = known.validate_json(fields)
    return payload


class Event(BaseModel):
    """One row of the log."""

    model_config = ConfigDict(frozen=True)

    attempt_id: str = Field(description="task × person × setting")
    seq: int = Field(ge=1, description="1, 2, 3 … within the attempt, without gaps")
    server_ts: str = Field(description="when the server stored it, ISO-8601 UTC, microseconds")
    client_ts: str | None = Field(description="when it happened by the browser's own clock")
    elapsed_ms: int = Field(
        ge=0,
        description="when it happened, milliseconds since the attempt's first event, on the "
        "server's clock: time of receipt less the age that the browser's monotonic clock gives "
        "the event, so that events queued while offline keep their place; never decreasing",
    )
    actor: str = Field(description="name of the person or system that caused it")
    client_event_id: str = Field(description="unique within the attempt; a replay changes nothing")
    payload: AnyPayload

    @property
    def type(self) -> str:
        """The payload's tag."""
        return self.payload.type

    def fields(self) -> dict[str, Any]:
        """The payload without its tag, as plain JSON values."""
        return self.payload.model_dump(mode="json", exclude={"type"})
