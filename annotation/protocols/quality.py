"""Checks of quality during production: hidden gold, repeated tasks, and when to raise an alert."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, model_validator

from pagetrail.annotation.messages import N_


class QualityPart(BaseModel):
    """Hidden gold and repeated tasks in each person's batches. Annotators learn of neither."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    gold_from: Annotated[str, Field(min_length=1, max_length=100)] | None = Field(
        title=N_("Hidden gold from"),
        default=None,
        description=N_(
            "name of the closed campaign whose tasks with gold are mixed into batches; "
            "nobody gets one that they have in another campaign, before or after"
        ),
    )
    gold_rate: float = Field(
        title=N_("Hidden gold per task"),
        default=0.0,
        ge=0,
        le=0.5,
        description=N_("hidden gold tasks per task of a batch"),
    )
    repeat_rate: float = Field(
        title=N_("Repeats per task"),
        default=0.0,
        ge=0,
        le=0.5,
        description=N_("tasks that a person gets a second time, per task of a batch"),
    )
    repeat_gap: int = Field(
        title=N_("Tasks before a repeat"),
        default=10,
        ge=1,
        le=1_000,
        description=N_("tasks that a person finishes before a repeat"),
    )
    alert_from: int = Field(
        title=N_("Fewest tasks for an alert"),
        default=10,
        ge=5,
        le=1_000,
        description=N_("fewest tasks that an alert is computed from"),
    )
    alert_gold: float = Field(
        title=N_("Alert below, right on gold"),
        default=0.7,
        ge=0,
        le=1,
        description=N_("accuracy on hidden gold below which there is an alert"),
    )
    alert_consistency: float = Field(
        title=N_("Alert below, self-consistent"),
        default=0.7,
        ge=0,
        le=1,
        description=N_("share of repeated tasks done alike below which there is an alert"),
    )
    alert_speed: float = Field(
        title=N_("Alert below, time of others"),
        default=0.4,
        ge=0,
        le=1,
        description=N_("share of the others’ median time per task below which there is an alert"),
    )

    @model_validator(mode="after")
    def _possible(self) -> QualityPart:
        if self.gold_rate and self.gold_from is None:
            raise ValueError("gold_rate needs gold_from")
        return self

    @property
    def rate(self) -> float:
        """Tasks added per task of a batch."""
        return self.gold_rate + self.repeat_rate
