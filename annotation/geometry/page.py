"""The size of a page."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field


class PageSize(BaseModel):
    """A page as displayed (crop box and /Rotate applied), in PDF points."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    width: float = Field(gt=0)
    height: float = Field(gt=0)
