"""Events of review in an annotator's attempt: sending it back, and comments."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from pagetrail.annotation.events.base import MAX_TEXT, Payload
from pagetrail.annotation.events.phrases import quoted
from pagetrail.annotation.messages import gettext


class Difference(BaseModel):
    """One thing in which a returned task differs, as its annotator is shown it."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    part: str = Field(max_length=100, description="outcome, answer, evidence, boxes or a field")
    label: str = Field(max_length=300, description="the part, and where, in words")
    yours: str = Field(default="", max_length=2_000, description="what the annotator submitted")
    other: str = Field(
        default="", max_length=2_000, description="what the reviewer shows beside it; may be empty"
    )


class Returned(Payload):
    """A submitted task was sent back to its annotator, who can work on it again."""

    type: Literal["returned"] = "returned"
    server_only = True
    is_work = False
    reopens = True
    presence = "away"
    page_look = "ends"
    comment: str = Field(min_length=1, max_length=MAX_TEXT, description="what to look at again")
    differences: tuple[Difference, ...] = Field(
        default=(), max_length=200, description="what is shown beside the comment"
    )

    def sentence(self) -> str:
        return gettext("Sent the task back: {comment}", comment=quoted(self.comment))


class Commented(Payload):
    """Annotator or supervisor wrote something about the attempt; changes nothing else."""

    type: Literal["commented"] = "commented"
    is_work = False
    is_content = True
    presence = "unknown"
    text: str = Field(min_length=1, max_length=MAX_TEXT, description="as written")

    def sentence(self) -> str:
        return gettext("Commented: {text}", text=quoted(self.text))
