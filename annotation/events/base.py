"""What all events have in common: payload, traits, envelope, and the registry of types.

An event is a payload in an envelope. Defining a subclass of ``Payload`` with a default for ``type``
registers the type.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from itertools import chain
from typing import Annotated, Any, ClassVar, Literal

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    SerializeAsAny,
    SerializerFunctionWrapHandler,
    ValidationError,
    model_serializer,
)

from pagetrail.annotation.events.phrases import page_name

MAX_TEXT = 20_000
MAX_REASON = 2_000
MAX_ANSWERS = 500
MAX_COMMENTS = 200
"""Comments on one attempt."""
MIN_SEEN_MS = 400
"""How long a unit is on screen and under decision before a verdict on it."""
MAX_SEEN_MS = 24 * 3_600_000
"""Longest time that a verdict says its unit was seen: a longer one is cut to it."""

Name = Annotated[str, Field(min_length=1, max_length=1_000)]
PageNumber = Annotated[int, Field(ge=1, le=10_000_000)]
Identifier = Annotated[str, Field(min_length=1, max_length=100)]
ClientId = Annotated[str, Field(min_length=1, max_length=100, pattern=r"^[A-Za-z0-9_.:/-]+$")]

EVENT_TYPES: dict[str, type[Payload]] = {}
"""Class by type tag, in the order of definition."""

Lane = Literal["search", "page", "citation", "box", "answer", "clock", "other"]
"""Rows of a replay's timeline."""


class Payload(BaseModel):
    """Base of all payloads: immutable, and no field that is not declared.

    The class attributes say what kind of event it is; nothing else in the code lists event types.

    Attributes:
        type: the tag in the log, a literal with a default in every concrete class.
        VERSION: version of the payload's schema.
        lane: the row of the replay's timeline it is drawn in.
        server_only: no client may send it; the server makes it from what it did itself.
        is_work: it shows somebody at work, so it ends a pause.
        is_edit: it changes the submission, which is refused once the time is up.
        is_content: it carries work that must not be lost unnoticed in a browser's queue.
        finishes: work on the task ends with it.
        reopens: work on a finished task may go on after it.
        presence: whether somebody is in front of the tab after it; "unknown" leaves it as it was.
        page_look: whether viewing the page goes on after it; "restored" begins another view.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")
    VERSION: ClassVar[int] = 1
    lane: ClassVar[Lane] = "other"
    server_only: ClassVar[bool] = False
    is_work: ClassVar[bool] = True
    is_edit: ClassVar[bool] = False
    is_content: ClassVar[bool] = False
    finishes: ClassVar[bool] = False
    reopens: ClassVar[bool] = False
    presence: ClassVar[Literal["present", "away", "unknown"]] = "present"
    page_look: ClassVar[Literal["continues", "ends", "restored"]] = "continues"
    type: str

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        """Register a class that has a type tag.

        Raises:
            ValueError: another class has the tag.
        """
        super().__pydantic_init_subclass__(**kwargs)
        tag = cls.model_fields["type"].default
        if isinstance(tag, str) and EVENT_TYPES.setdefault(tag, cls) is not cls:
            raise ValueError(f"{EVENT_TYPES[tag].__name__} has the type {tag!r} already")

    @abstractmethod
    def sentence(self) -> str:
        """What happened, in words, on one line."""


class PageEvent(Payload):
    """Base of events on one page."""

    document: Name = Field(description="document name")
    page: PageNumber = Field(description="1-based page number")

    @property
    def page_name(self) -> str:
        """The page in words: ``report.pdf page 3``."""
        return page_name(self.document, self.page)


class ExtendedPayload(Payload):
    """A payload with fields that older events do not have.

    Such a field is stored and exported only where it is not empty, so that events without it keep
    their bytes.

    Attributes:
        added_later: names of these fields, to which a class adds those of its bases; an empty
            value, False or None is left out, 0 is not.
    """

    added_later: ClassVar[tuple[str, ...]] = ()

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        """Add the fields of the bases."""
        super().__pydantic_init_subclass__(**kwargs)
        inherited = (getattr(base, "added_later", ()) for base in cls.__mro__)
        cls.added_later = tuple(dict.fromkeys(chain.from_iterable(inherited)))

    @model_serializer(mode="wrap")
    def _without_empty(self, dump: SerializerFunctionWrapHandler) -> dict[str, Any]:
        fields: dict[str, Any] = dump(self)
        return {n: v for n, v in fields.items() if n not in self.added_later or _has_content(v)}


class UndoableEdit(ExtendedPayload):
    """Base of changes that an event of the same or the opposite type reverses."""

    added_later = ("undoes",)
    undoes: ClientId | None = Field(
        default=None,
        description="client event id of the change that this one undoes; of an undoing, that it "
        "redoes. Refused when it is not the last change of its value",
    )


class VerdictEvent(ExtendedPayload):
    """Base of verdicts that a key or a click gives on a page, element, row, patch or field."""

    added_later = ("seen_ms",)
    seen_ms: int | None = Field(
        default=None,
        ge=0,
        le=MAX_SEEN_MS,
        description="milliseconds for which its unit had been seen; absent where a value was "
        "typed, undone or redone, and in older events",
    )


class BulkVerdictEvent(VerdictEvent):
    """Base of verdicts of which one press can give many."""

    added_later = ("bulk",)
    bulk: bool = Field(
        default=False,
        description="whether one step gave it to all that was left of a page; seen_ms is then that "
        "of the page",
    )


def _has_content(value: Any) -> bool:
    return bool(value) or (value == 0 and value is not False)


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
    payload: SerializeAsAny[Payload]
    document_version: int | None = Field(
        default=None,
        ge=1,
        description="version of the payload's document that was seen; None: the first",
    )

    @property
    def type(self) -> str:
        """The payload's tag."""
        return self.payload.type

    def fields(self) -> dict[str, Any]:
        """The payload without its tag, as plain JSON values."""
        return self.payload.model_dump(mode="json", exclude={"type"})


def event_types(**traits: object) -> frozenset[str]:
    """Type tags of the classes with all of these traits: ``event_types(server_only=True)``."""
    return frozenset(
        tag
        for tag, payload_class in EVENT_TYPES.items()
        if all(getattr(payload_class, name) == value for name, value in traits.items())
    )


def parse_payload(type_: str, fields: Mapping[str, Any]) -> Payload:
    """The payload of that type.

    Raises:
        pydantic.ValidationError: unknown type, missing or wrong field.
    """
    return _payload_class(type_).model_validate({**fields, "type": type_})


def read_payload(type_: str, fields: str) -> Payload:
    """The payload of that type, from its fields as JSON text; errors as of ``parse_payload``."""
    # Without the checks of its arguments that ``model_validate_json`` makes for each event.
    payload: Payload = _payload_class(type_).__pydantic_validator__.validate_json(fields)
    return payload


def _payload_class(type_: str) -> type[Payload]:
    payload_class = EVENT_TYPES.get(type_)
    if payload_class is None:
        details = {
            "discriminator": "'type'",
            "tag": type_,
            "expected_tags": ", ".join(map(repr, EVENT_TYPES)),
        }
        raise ValidationError.from_exception_data(
            "Payload", [{"type": "union_tag_invalid", "ctx": details, "input": {"type": type_}}]
        )
    return payload_class
