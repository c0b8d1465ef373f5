"""What all payloads have in common."""

from __future__ import annotations

from typing import Annotated, ClassVar

from pydantic import BaseModel, ConfigDict, Field

MAX_TEXT = 20_000
MAX_ANSWERS = 500

Name = Annotated[str, Field(min_length=1, max_length=1_000)]
PageNumber = Annotated[int, Field(ge=1, le=10_000_000)]
Identifier = Annotated[str, Field(min_length=1, max_length=100)]
ClientId = Annotated[str, Field(min_length=1, max_length=100, pattern=r"^[A-Za-z0-9_.:/-]+$")]


class Payload(BaseModel):
    """Base of all payloads: immutable, and no field that is not declared."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    VERSION: ClassVar[int] = 1
