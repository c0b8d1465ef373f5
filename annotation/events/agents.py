"""Events that only agents leave: where an imported run came from, and steps beside the search."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from pagetrail.annotation.events.base import MAX_TEXT, Payload
from pagetrail.annotation.events.phrases import quoted

RunFormat = Literal["madqa", "inspect", "atif"]

MAX_STEP_TEXT = MAX_TEXT
MAX_ARGUMENTS = 4_000


class RunImported(Payload):
    """The attempt was read from a file of an agent's results: the first event of such an attempt.

    What follows is the run as the file tells it. Citations are kept as the agent gave them, pages
    that do not exist included: they count as wrong.
    """

    type: Literal["run_imported"] = "run_imported"
    server_only = True
    format: RunFormat = Field(description="of the file")
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

    def sentence(self) -> str:
        model = f" of {self.model}" if self.model else ""
        return f"Imported run{model}: record {self.record} of {self.file}"


class AgentStep(Payload):
    """What an agent wrote, or a tool that it called, beside searching and reading pages."""

    type: Literal["agent_step"] = "agent_step"
    server_only = True
    text: str = Field(
        default="", max_length=MAX_STEP_TEXT, description="what it wrote, cut at 20,000 characters"
    )
    tool: str | None = Field(default=None, max_length=200, description="name of the tool it called")
    arguments: str = Field(
        default="", max_length=MAX_ARGUMENTS, description="of the tool: JSON, cut at 4,000"
    )

    def sentence(self) -> str:
        called = f"Called {self.tool} with {quoted(self.arguments)}" if self.tool else ""
        if not self.text:
            return called or "Made a step"
        wrote = f"wrote {quoted(self.text)}" if called else f"Wrote {quoted(self.text)}"
        return f"{called}; {wrote}" if called else wrote
