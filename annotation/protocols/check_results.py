"""What the live checks of question authoring found; the checks are in ``annotation.authoring``."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from pagetrail.annotation.messages import N_

CheckName = Literal["giveaway", "extractive", "agentic", "overlap", "duplicate", "minimality"]


class Finding(BaseModel):
    """The outcome of one check, with the evidence for it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    check: CheckName
    status: Literal["ok", "warning", "skipped"] = Field(
        description=N_("skipped: the check needs something that is not there yet")
    )
    message: str = Field(
        max_length=2_000, description=N_("what was found and the way out, a sentence")
    )
    words: tuple[str, ...] = Field(default=(), description=N_("offending words or missing tokens"))
    spans: tuple[tuple[int, int], ...] = Field(
        default=(), description=N_("half-open character offsets in the question")
    )
    query: str | None = Field(default=None, description=N_("the query that finds everything"))
    pages: tuple[tuple[str, int], ...] = Field(
        default=(), description=N_("(document, page) that the finding is about")
    )
    other: str | None = Field(default=None, description=N_("the question that this one repeats"))
