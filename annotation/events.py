"""The event union: everything that can happen in an attempt, one model a kind.

An event is a payload in an envelope. The payload's ``type`` is the literal tag of the union;
``VERSION`` is the version of that payload's schema. Each field is documented with its unit.
The log is append-only: a correction, a reopening and a closing are events like any other.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from annotation.agent_events import AgentStep, RunImported
from annotation.box_events import (
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
from annotation.event_base import (
    MAX_ANSWERS,
    MAX_TEXT,
    Identifier,
    Name,
    PageNumber,
    Payload,
)
from annotation.form_events import (
    Checked,
    FeedbackGiven,
    FieldSet,
    PartScore,
    QuestionEdited,
    RowDeleted,
    RowSet,
    RowsSeeded,
    Targeted,
)
from annotation.ports import SearchHit
from annotation.review_events import (
    Adjudicated,
    Choice,
    Commented,
    Difference,
    GoldElement,
    GoldMerged,
    GoldReopened,
    GoldRow,
    GoldValue,
    KeptPage,
    Returned,
    ReviewReleased,
    ReviewTaken,
    Source,
)

__all__ = [
    "MAX_ANSWERS",
    "MAX_TEXT",
    "SERVER_ONLY",
    "Adjudicated",
    "AgentStep",
    "AnyPayload",
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
    "Commented",
    "Difference",
    "ElementsSeeded",
    "Event",
    "FeedbackGiven",
    "FieldSet",
    "GoldElement",
    "GoldMerged",
    "GoldReopened",
    "GoldRow",
    "GoldValue",
    "KeptPage",
    "PartScore",
    "Payload",
    "QuestionEdited",
    "Redone",
    "Returned",
    "ReviewReleased",
    "ReviewTaken",
    "RowDeleted",
    "RowSet",
    "RowsSeeded",
    "RunImported",
    "Source",
    "Targeted",
    "Undone",
    "parse_payload",
]

Via = Literal[
    "result",
    "next",
    "previous",
    "first",
    "last",
    "jump",
    "thumbnail",
    "citation",
    "history",
    "document",
    "given",
    "link",
    "restored",
]
Outcome = Literal["answered", "not_found", "unanswerable", "completed"]


class Opened(Payload):
    """The task came on screen: the first event of an attempt, and again at each return."""

    type: Literal["opened"] = "opened"
    session: Identifier = Field(description="id of the browser tab's visit")


class Searched(Payload):
    """A query was run; the ranked results are what the person was shown."""

    type: Literal["searched"] = "searched"
    search_id: Identifier = Field(description="names this search in later events")
    query: str = Field(max_length=MAX_TEXT, description="as typed")
    parsed: str | None = Field(
        description="the query as the engine understood it; None in an imported run, as are all "
        "of the next that its file does not tell"
    )
    top_k: int | None = Field(ge=1, description="result limit handed to the engine")
    total_hits: int | None = Field(ge=0, description="pages of the index that match")
    took_ms: float | None = Field(ge=0, description="time in the engine, milliseconds")
    index_id: str | None = Field(description="identity of the index searched")
    results: tuple[SearchHit, ...] = Field(description="the first top_k pages, best first")
    rerun_of: Identifier | None = Field(
        default=None, description="search_id of the history entry that was clicked"
    )


class SearchRefused(Payload):
    """A query was not run; no result was shown."""

    type: Literal["search_refused"] = "search_refused"
    search_id: Identifier = Field(description="names this search in later events")
    query: str = Field(max_length=MAX_TEXT, description="as typed, cut at 20,000 characters")
    reason: str = Field(description="machine-readable kind of refusal")
    message: str = Field(description="the sentence that was shown")


class PageViewed(Payload):
    """A page was painted in the viewer."""

    type: Literal["page_viewed"] = "page_viewed"
    document: Name = Field(description="document name")
    page: PageNumber = Field(description="1-based page number")
    via: Via = Field(description="how the page was reached")
    search_id: Identifier | None = Field(default=None, description="the search it came from")
    rank: int | None = Field(default=None, ge=1, description="1-based rank in that search")


class ViewChanged(Payload):
    """Zoom, fit or rotation of the view; the stored page is untouched."""

    type: Literal["view_changed"] = "view_changed"
    fit: Literal["width", "page", "none"] = Field(description="how the page is fitted")
    zoom: float = Field(ge=5, le=1_600, description="percent; 100 = 1 point on 1/72 inch")
    rotation: Literal[0, 90, 180, 270] = Field(description="clockwise degrees added to the view")


class CitationAdded(Payload):
    """A page was cited as evidence."""

    type: Literal["citation_added"] = "citation_added"
    document: Name = Field(description="document name")
    page: PageNumber = Field(description="1-based page number")
    search_id: Identifier | None = Field(default=None, description="the search it came from")
    rank: int | None = Field(default=None, ge=1, description="1-based rank in that search")


class CitationRemoved(Payload):
    """A citation was taken back."""

    type: Literal["citation_removed"] = "citation_removed"
    document: Name = Field(description="document name")
    page: PageNumber = Field(description="1-based page number")


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
    | BoxDrawn
    | BoxMoved
    | BoxResized
    | BoxLabelled
    | BoxContentEdited
    | BoxOrdered
    | BoxAttributesEdited
    | BoxAccepted
    | BoxDeleted
    | Undone
    | Redone
    | ElementsSeeded
    | FieldSet
    | RowSet
    | RowDeleted
    | RowsSeeded
    | QuestionEdited
    | Checked
    | FeedbackGiven
    | RunImported
    | AgentStep
    | ReviewTaken
    | ReviewReleased
    | GoldMerged
    | Adjudicated
    | GoldReopened
    | Returned
    | Commented,
    Field(discriminator="type"),
]

_PAYLOADS: TypeAdapter[AnyPayload] = TypeAdapter(AnyPayload)

SERVER_ONLY = frozenset(
    {
        "searched",
        "search_refused",
        "batch_closed",
        "elements_seeded",
        "rows_seeded",
        "checked",
        "feedback_given",
        "run_imported",
        "agent_step",
        "review_taken",
        "review_released",
        "gold_merged",
        "adjudicated",
        "gold_reopened",
        "returned",
    }
)
"""Types that no client may send: the server makes them from what it did itself."""


def parse_payload(type_: str, fields: dict[str, Any]) -> AnyPayload:
    """The payload of that type.

    Raises:
        pydantic.ValidationError: unknown type, missing or wrong field.
    """
    return _PAYLOADS.validate_python({**fields, "type": type_})


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
