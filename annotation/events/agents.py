"""Events that only agents leave: where an imported run came from, its turns, and steps beside the
search.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from pagetrail.annotation.events.base import MAX_TEXT, ExtendedPayload
from pagetrail.annotation.events.model_usage import ModelUsage
from pagetrail.annotation.events.phrases import quoted
from pagetrail.annotation.messages import gettext, ngettext

RunFormat = Literal["madqa", "inspect", "atif", "openai", "langchain"]

MAX_STEP_TEXT = MAX_TEXT
MAX_ARGUMENTS = MAX_TEXT
MAX_RESULT = MAX_TEXT
MAX_PROMPT = 100_000
MAX_DETAILS = 100_000
"""Characters of parameters, tool definitions and further details as JSON."""
MAX_TOTALS = 100


class ModelTotal(BaseModel):
    """What a run's file counts for one model over the whole attempt."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    model: str | None = Field(default=None, max_length=1_000, description="None: not named")
    usage: ModelUsage


class RunImported(ExtendedPayload):
    """The attempt was read from a file of an agent's results: the first event of such an attempt.

    What follows is the run as the file tells it. Citations are kept as the agent gave them, pages
    that do not exist included: they count as wrong.
    """

    added_later = (
        "agent",
        "agent_version",
        "parameters",
        "tools",
        "system_prompt",
        "prompt",
        "ids",
        "totals",
        "error",
        "details",
        "original",
        "repaired",
        "without_documents",
        "confidence",
    )
    type: Literal["run_imported"] = "run_imported"
    server_only = True
    format: RunFormat | Literal["boxes"] = Field(
        description="of the file; boxes: a file of boxes that a system drew"
    )
    file: str = Field(max_length=1_000, description="the file's name, without its folder")
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$", description="of the file")
    record: int = Field(ge=1, description="line of a JSONL file, else place of the sample in it")
    model: str | None = Field(default=None, max_length=1_000, description="as the file names it")
    iterations: int | None = Field(
        default=None,
        ge=0,
        description="effort as the file counts it; MADQA's evaluator goes by it where the "
        "file lists no search",
    )
    timed: bool = Field(
        description="whether the file says when things happened; without it the attempt has no "
        "times, and every event's elapsed time is 0"
    )
    results_known: bool = Field(
        description="whether the file has the pages that each search returned; without them it "
        "cannot be said what searching found"
    )
    agent: str | None = Field(default=None, max_length=1_000, description="the agent's own name")
    agent_version: str | None = Field(
        default=None, max_length=1_000, description="as the file has it"
    )
    parameters: dict[str, Any] = Field(
        default={}, description="of model and agent, as the file has them"
    )
    tools: tuple[dict[str, Any], ...] = Field(
        default=(), description="definitions of the agent's tools"
    )
    system_prompt: str = Field(
        default="", max_length=MAX_PROMPT, description="as the model was given it"
    )
    prompt: str = Field(
        default="", max_length=MAX_PROMPT, description="what the agent was asked, word for word"
    )
    ids: dict[str, str] = Field(
        default={}, description="ids of the run by name, such as session_id"
    )
    totals: tuple[ModelTotal, ...] = Field(
        default=(), max_length=MAX_TOTALS, description="usage of the attempt as the file sums it up"
    )
    error: str = Field(
        default="", max_length=MAX_TEXT, description="what ended the run; empty: nothing did"
    )
    details: dict[str, Any] = Field(
        default={}, description="what else the file's format keeps of a run, by its own names"
    )
    original: str | None = Field(
        default=None,
        pattern=r"^[0-9a-f]{64}$",
        description="SHA-256 of the row or sample, as it is stored with the attempt",
    )
    without_documents: bool = Field(
        default=False,
        description="whether the model was given the question alone; its answers only tell which "
        "questions need the documents",
    )
    confidence: float | None = Field(
        default=None,
        ge=0,
        le=1,
        allow_inf_nan=False,
        description="of the agent in its answer, as the file states it",
    )
    repaired: tuple[Literal["answer", "citations", "effort", "none"], ...] = Field(
        default=(),
        description="of MADQA results: the parts that MADQA's evaluator reads differently in the "
        "file, or none alone; empty where that was not compared",
    )

    def sentence(self) -> str:
        if not self.model:
            return gettext(
                "Imported run: record {record} of {file}", record=self.record, file=self.file
            )
        return gettext(
            "Imported run of {model}: record {record} of {file}",
            model=self.model,
            record=self.record,
            file=self.file,
        )


class AgentTurn(ExtendedPayload):
    """A turn of an agent: one message of its model, with what the calls of the model used.

    The searches, pages and steps that follow, up to the next turn, are what it wrote and called in
    this turn.
    """

    added_later = (
        "message_id",
        "model",
        "calls",
        "reasoning",
        "usage",
        "stop_reason",
        "error",
        "details",
    )
    type: Literal["agent_turn"] = "agent_turn"
    server_only = True
    message_id: str | None = Field(default=None, max_length=200, description="as the file has it")
    model: str | None = Field(
        default=None, max_length=1_000, description="where it is not the run's own"
    )
    calls: int | None = Field(
        default=None, ge=0, le=10**9, description="calls of a language model; 0: none acted"
    )
    reasoning: str = Field(
        default="", max_length=MAX_STEP_TEXT, description="what the model thought, if it is told"
    )
    usage: ModelUsage | None = Field(default=None, description="of the calls of the model")
    stop_reason: str | None = Field(
        default=None, max_length=200, description="why the model stopped, as the file has it"
    )
    error: str = Field(default="", max_length=2_000, description="of the call of the model")
    details: dict[str, Any] = Field(
        default={}, description="what else the file's format keeps of a turn, by its own names"
    )

    @property
    def is_empty(self) -> bool:
        """Whether it only says that a turn began."""
        return self == AgentTurn()

    def sentence(self) -> str:
        tokens = self.usage.all_tokens if self.usage is not None else None
        model = self.model or gettext("the agent")
        turn = (
            gettext("A turn of {model}", model=model)
            if tokens is None
            else ngettext(
                "A turn of {model}: {number:,} token",
                "A turn of {model}: {number:,} tokens",
                tokens,
                model=model,
            )
        )
        if not self.reasoning:
            return turn
        return gettext("{turn}; thought {thought}", turn=turn, thought=quoted(self.reasoning))


class AgentStep(ExtendedPayload):
    """What an agent wrote, or a tool that it called, beside searching and reading pages."""

    added_later = ("call_id", "result", "error", "took_ms")
    type: Literal["agent_step"] = "agent_step"
    server_only = True
    text: str = Field(
        default="", max_length=MAX_STEP_TEXT, description="what it wrote, cut at 20,000 characters"
    )
    tool: str | None = Field(default=None, max_length=200, description="name of the tool it called")
    arguments: str = Field(
        default="", max_length=MAX_ARGUMENTS, description="of the tool: JSON, cut at 20,000"
    )
    call_id: str | None = Field(
        default=None, max_length=200, description="of the call, as the file has it"
    )
    result: str | None = Field(
        default=None,
        max_length=MAX_RESULT,
        description="what the tool returned, cut at 20,000; None: the file does not say",
    )
    error: str = Field(default="", max_length=2_000, description="why the call failed")
    took_ms: int | None = Field(default=None, ge=0, le=10**12, description="milliseconds")

    def sentence(self) -> str:
        if not self.tool:
            return (
                gettext("Wrote {text}", text=quoted(self.text))
                if self.text
                else gettext("Made a step")
            )
        call = {"tool": self.tool, "arguments": quoted(self.arguments)}
        if not self.text:
            return gettext("Called {tool} with {arguments}", **call)
        return gettext(
            "Called {tool} with {arguments}; wrote {text}", **call, text=quoted(self.text)
        )
