"""What all payloads have in common."""

from __future__ import annotations

from abc import abstractmethod
from typing import Annotated, Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field, SerializerFunctionWrapHandler, model_serializer

MAX_TEXT = 20_000
MAX_ANSWERS = 500
MAX_COMMENTS = 200
"""Comments on one attempt."""

Name = Annotated[str, Field(min_length=1, max_length=1_000)]
PageNumber = Annotated[int, Field(ge=1, le=10_000_000)]
Identifier = Annotated[str, Field(min_length=1, max_length=100)]
ClientId = Annotated[str, Field(min_length=1, max_length=100, pattern=r"^[A-Za-z0-9_.:/-]+$")]


Lane = Literal["search", "page", "citation", "box", "answer", "clock", "other"]
"""Rows of a replay's timeline."""


class Payload(BaseModel):
    """Base of all payloads: immutable, and no field that is not declared.

    The class attributes say what kind of event it is; nothing else in the code lists event types.

    Attributes:
        VERSION: version of the payload's schema.
        lane: the row of the replay's timeline it is drawn in.
        server_only: no client may send it; the server makes it from what it did itself.
        is_work: it shows somebody at work, so it ends a pause.
        is_edit: it changes the submission, which is refused once the time is up.
        is_content: it carries work that must not be lost unnoticed in a browser's queue.
        finishes: work on the task ends with it.
        reopens: work on a finished task may go on after it.
        presence: whether somebody is in front of the tab after it; "unknown" leaves it as it was.
        page_look: what becomes of the look at the page in the viewer; "restored" begins a new one.
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

    @abstractmethod
    def sentence(self) -> str:
        """What happened, in words, on one line."""


class ExtendedPayload(Payload):
    """A payload with fields that older events do not have.

    Such a field is stored and exported only where it says something, so that events without it
    keep their bytes.

    Attributes:
        added_later: names of these fields; an empty value, False or None is left out, 0 is not.
    """

    added_later: ClassVar[tuple[str, ...]] = ()

    @model_serializer(mode="wrap")
    def _without_empty(self, dump: SerializerFunctionWrapHandler) -> dict[str, Any]:
        fields: dict[str, Any] = dump(self)
        return {n: v for n, v in fields.items() if _says(v) or n not in self.added_later}


def _says(value: Any) -> bool:
    return bool(value) or (value == 0 and value is not False)
