"""Study control: how tasks are gone through, and the conditions that people are compared under."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from pagetrail.annotation.messages import N_
from pagetrail.annotation.protocols.option_labels import OptionLabels
from pagetrail.annotation.protocols.sections import BoxesPart, ClockPart, SearchPart
from pagetrail.annotation.readable_errors import sentence_of

CONDITION_PARTS: dict[str, type[SearchPart | ClockPart | BoxesPart]] = {
    "search": SearchPart,
    "clock": ClockPart,
    "boxes": BoxesPart,
}
"""The parts whose settings may differ between conditions: aids and time, nothing that is asked."""
_OF_BOXES = ("seed",)
"""The settings of boxes that may: whether a model's elements are shown."""

_ConditionName = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,39}$")]


class StudyPart(BaseModel):
    """How tasks are gone through, and conditions that people are compared under."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    order: Annotated[
        Literal["shuffled", "batch"],
        OptionLabels(
            {"shuffled": N_("each person has their own"), "batch": N_("the same for everybody")}
        ),
    ] = Field(
        title=N_("Order of tasks"),
        default="shuffled",
        description=N_(
            "shuffled: each person gets a batch's tasks in an order of their own; batch: "
            "everybody in the order of the batch"
        ),
    )
    in_turn: bool = Field(
        title=N_("Tasks must be done one after another"),
        default=False,
        description=N_("a task can be opened once those before it are submitted or skipped"),
    )
    go_back: bool = Field(
        title=N_("Finished tasks can be reopened"),
        default=True,
        description=N_(
            "finished tasks can be looked at again and reopened; a task that a supervisor "
            "sends back always can"
        ),
    )
    progress: bool = Field(
        title=N_("Show how many tasks are done"),
        default=True,
        description=N_("annotators see how many tasks there are and which are done"),
    )
    guidelines_first: bool = Field(
        title=N_("Show the guidelines before the first task"),
        default=False,
        description=N_(
            "the guidelines are shown before a person's first task of the campaign and "
            "after each change, while no clock runs"
        ),
    )
    conditions: dict[_ConditionName, dict[str, bool | int | str]] = Field(
        default_factory=dict,
        max_length=8,
        description=N_(
            "conditions by name, each with the settings that differ under it, of `search`, "
            "`clock` and `browse`, or `boxes.seed`. Each person works under one of them, drawn at "
            "random with equal numbers, and does not see its name"
        ),
    )

    @property
    def hides_elements(self) -> bool:
        """Whether some people are not given a model's elements."""
        return any(changes.get("boxes.seed") is False for changes in self.conditions.values())

    @model_validator(mode="after")
    def _possible(self) -> StudyPart:
        problems = ["one condition alone compares nothing"] if len(self.conditions) == 1 else []
        for name, changes in self.conditions.items():
            for key, value in changes.items():
                part, _, setting = key.partition(".")
                kind = CONDITION_PARTS.get(part)
                if key == "browse" and isinstance(value, bool):
                    continue
                allowed = _OF_BOXES if kind is BoxesPart else kind.model_fields if kind else ()
                if kind is None or setting not in allowed:
                    problems.append(f"conditions.{name}: {key!r} cannot differ between conditions")
                    continue
                try:
                    kind.model_validate({setting: value})
                except ValidationError as error:
                    problem = sentence_of(error.errors(include_url=False)[0])
                    problems.append(f"conditions.{name}: {key!r} {problem}")
        if problems:
            raise ValueError("; ".join(problems))
        return self
