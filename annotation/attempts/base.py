"""What all parts of an attempt's state have in common."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class State(BaseModel):
    """Base of all parts of the state: immutable, and no field that is not declared."""

    model_config = ConfigDict(frozen=True, extra="forbid")
