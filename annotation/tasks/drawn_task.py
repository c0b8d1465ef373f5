"""A task that was drawn at random for a file, with the sample that it is of."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, PositiveInt, model_validator

from pagetrail.annotation.tasks.stratified_sampling import StratumValues

FIELD = "pagetrail_sample"
"""Field of a task's row; imports store it as the campaign's sample, not with the task."""

Text = Annotated[str, Field(max_length=1_000)]


class DrawnTask(BaseModel):
    """The sample, the same in all rows of a file, and the stratum of one task.

    Attributes:
        campaign: whose answers were drawn.
        fields: that the sample is stratified by.
        population: digest of all answers with their strata.
        strata: values of the fields, and the number of answers.
        stratum: the values of this task.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")
    campaign: Text
    fields: tuple[Text, ...] = Field(min_length=1, max_length=30)
    seed: int = Field(ge=0, le=2**53)
    population: Text
    strata: tuple[tuple[StratumValues, PositiveInt], ...] = Field(max_length=10_000)
    stratum: StratumValues

    @model_validator(mode="after")
    def _has_stratum(self) -> DrawnTask:
        if all(values != self.stratum for values, _ in self.strata):
            raise ValueError("stratum is not one of strata")
        if any(len(values) != len(self.fields) for values, _ in self.strata):
            raise ValueError("strata need a value for each of fields")
        return self
