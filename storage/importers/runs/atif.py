"""ATIF, the Agent Trajectory Interchange Format of Harbor, versions 1.0 to 1.7: one run each.

A trajectory does not say in a fixed place which task it is of. Looked at in this order:
``extra.task_id``, ``extra.id``, ``task_id``, ``agent.extra.task_id``, ``session_id``. The answer is
``extra.answer`` (with ``extra.citations``), else what was given to a tool that submits
(``submit``, ``submit_answer``, ``final_answer``; ``skip_task`` gives none), else the last message
of the agent, read as JSON with ``answer`` and ``citations`` where it is that. Trajectories of
subagents are not read.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, Field, ValidationError, model_validator

from pagetrail.annotation import events as ev
from pagetrail.annotation.readable_errors import describe
from pagetrail.annotation.runs.record import RunDetails, RunRecord
from pagetrail.annotation.tasks.task import TaskId
from pagetrail.storage.importers.files.field_types import MaybeObject, MaybeText
from pagetrail.storage.importers.files.kept_fields import FieldCounts, KeptFields
from pagetrail.storage.importers.runs import values
from pagetrail.storage.importers.runs.final_answer import Final, final, submitted
from pagetrail.storage.importers.runs.search_tools import SearchTools, is_shared_tool
from pagetrail.storage.importers.runs.steps import (
    FINAL_ANSWER,
    RunSteps,
    ToolCall,
    query_of,
    repeats_the_answer,
)
from pagetrail.storage.importers.runs.usage_fields import ATIF_EXTRA, read_usage
from pagetrail.storage.importers.runs.values import Notes

_USAGE = ("prompt_tokens", "completion_tokens", "cached_tokens", "cost_usd")
_TOTALS: KeptFields = dict.fromkeys(
    (
        "total_prompt_tokens",
        "total_completion_tokens",
        "total_cached_tokens",
        "total_cost_usd",
        "total_steps",
        "extra",
    )
)
_AGENT_STEP: KeptFields = {
    **dict.fromkeys(("step_id", "timestamp", "source", "model_name", "reasoning_effort")),
    **dict.fromkeys(("reasoning_content", "is_copied_context", "llm_call_count", "extra")),
    "message": {"type": None, "text": None},
    "tool_calls": dict.fromkeys(("tool_call_id", "function_name", "arguments")),
    "observation": {
        "results": {
            "source_call_id": None,
            "content": {"type": None, "text": None},
            "extra": None,
        }
    },
    "metrics": dict.fromkeys((*_USAGE, "extra")),
}
_RESULT_EXTRA: KeptFields = dict.fromkeys(("error", "took_ms"))
_OTHER_STEP: KeptFields = dict.fromkeys(("step_id", "timestamp", "source"))
_PROMPT: KeptFields = {**_OTHER_STEP, "message": {"type": None, "text": None}}
_RUN: KeptFields = {
    **dict.fromkeys(("schema_version", "session_id", "trajectory_id", "task_id", "notes", "extra")),
    **dict.fromkeys(("continued_trajectory_ref", "steps")),
    "agent": dict.fromkeys(("name", "version", "model_name", "tool_definitions", "extra")),
    "final_metrics": _TOTALS,
}
_DETAILS = ("reasoning_effort", "is_copied_context", "extra")
_EXPORTED = ("task_id", "id", "campaign", "batch", "answer", "citations", "outcome")
"""What ``extra`` has that is read into fields of its own, or that our exports put there."""


class _Call(BaseModel):
    """A call of a tool."""

    function_name: str
    arguments: Any = None
    tool_call_id: MaybeText = None


class _Step(BaseModel):
    """A step; of those that are not the agent's, time and message alone are read."""

    source: Any = None
    timestamp: Any = None
    message: Any = None
    reasoning_content: Any = None
    model_name: Any = None
    llm_call_count: Any = None
    tool_calls: Annotated[list[_Call], BeforeValidator(lambda calls: calls or [])] = []
    observation: MaybeObject = {}
    metrics: MaybeObject = {}
    extra: MaybeObject = {}

    @model_validator(mode="before")
    @classmethod
    def _only_the_agents(cls, data: Any) -> Any:
        if isinstance(data, dict) and data.get("source") != "agent":
            return {name: data.get(name) for name in ("timestamp", "message")}
        return data

    @property
    def text(self) -> str:
        """What was written."""
        return values.message_text(self.message)

    def calls(self, lost: FieldCounts) -> Iterator[ToolCall]:
        """Its calls with what they returned; results of no call are counted as lost."""
        listed = self.observation.get("results")
        listed = listed if isinstance(listed, list) else []
        results = [result for result in listed if isinstance(result, dict)]
        by_id = {
            result["source_call_id"]: result
            for result in results
            if isinstance(result.get("source_call_id"), str)
        }
        by_place = not by_id and len(results) == len(self.tool_calls)
        if not by_place:
            known = {call.tool_call_id for call in self.tool_calls}
            for result in results:
                if result.get("source_call_id") not in known:
                    lost.add("steps[].observation.results[] of no call")
        for place, call in enumerate(self.tool_calls):
            result = by_id.get(call.tool_call_id or "", results[place] if by_place else {})
            content, extra = result.get("content"), result.get("extra")
            extra = extra if isinstance(extra, dict) else {}
            lost.add_unkept(extra, _RESULT_EXTRA, "steps[].observation.results[].extra")
            error = extra.get("error")
            query = query_of(call.arguments) if is_shared_tool(call.function_name) else None
            yield ToolCall(
                call.function_name,
                call.tool_call_id,
                call.arguments,
                query,
                None if query is None else values.hits(_text_of_parts(content)),
                takes_text=query is None,
                reply=values.reply_text(content),
                error=error if isinstance(error, str) else "",
                took_ms=values.count(extra.get("took_ms")),
            )

    def turn(self, data: dict[str, Any], notes: Notes, lost: FieldCounts) -> ev.AgentTurn:
        """What its model used and thought; ``data`` is the step as the file has it."""
        metrics = self.metrics.get("extra")
        further = {name: data[name] for name in _DETAILS if data.get(name) not in (None, {})}
        if further.get("extra") == FINAL_ANSWER:
            del further["extra"]
        if isinstance(metrics, dict) and metrics:
            further["metrics"] = {"extra": metrics}
        usage = read_usage({**_usage_only(metrics), **self.metrics}, lost, "steps[].metrics")
        return ev.AgentTurn(
            model=values.model_name(self.model_name, notes),
            calls=values.count(self.llm_call_count),
            reasoning=values.step_text(self.reasoning_content, notes, "the reasoning of a step"),
            usage=None if usage.is_empty else usage,
            details=values.details(further, lost, "steps[].extra"),
        )


class _Trajectory(BaseModel):
    id: TaskId | None = None
    steps: Annotated[list[_Step], Field(min_length=1)]
    extra: MaybeObject = {}
    agent: MaybeObject = {}


def is_atif(row: dict[str, Any]) -> bool:
    """Whether an object looks like a trajectory."""
    version = row.get("schema_version")
    if isinstance(version, str) and version.upper().startswith("ATIF"):
        return True
    return isinstance(row.get("steps"), list) and isinstance(row.get("agent"), dict)


def read_trajectory(
    number: int, row: dict[str, Any], tools: SearchTools | None = None
) -> RunRecord:
    """The run in a trajectory; ``number`` is its place in the file.

    Raises:
        ValueError: it breaks the format; the message names the field and what is wrong.
    """
    given = {**row, "id": _task_of(row)}
    if given["id"] is None:
        del given["id"]
    try:
        told = _Trajectory.model_validate(given)
    except ValidationError as error:
        raise ValueError(describe(error)) from error
    notes, lost = Notes(), FieldCounts()
    if "subagent_trajectories" in row:
        notes.add("its subagents' trajectories are not read")
    if row.get("continued_trajectory_ref"):
        notes.add("it goes on in another file, which is not read with it")
    times = [values.stamp(step.timestamp, notes) for step in told.steps]
    by_agent = [
        (step, at, data)
        for step, at, data in zip(told.steps, times, row["steps"], strict=True)
        if step.source
    ]
    steps = RunSteps(notes, tools or SearchTools())
    last: Any = None
    for step, at, data in by_agent:
        details = step.turn(data, notes, lost)
        if repeats_the_answer(step.extra):
            steps.turn("", (), at, details.model_copy(update={"calls": None}))
            continue
        calls = list(step.calls(lost))
        steps.turn(step.text, calls, at, details)
        for call in calls:
            last = submitted(call.name, call.arguments) or last
    made = steps.done("steps")
    answer = _final_answer(told, last, [step.text for step, _, _ in by_agent], notes)
    failed = told.extra.get("error")
    return RunRecord(
        record=number,
        task=told.id or "",
        weak_id=told.id is not None and told.id == row.get("session_id"),
        answer=answer.answer,
        outcome=answer.outcome,
        citations=answer.citations,
        steps=made,
        model=values.model_name(told.agent.get("model_name"), notes)
        or values.model_name(told.agent.get("name"), notes),
        started=times[0],
        finished=by_agent[-1][1] if by_agent else None,
        results_known=steps.results_known(),
        failed=failed[:300] if isinstance(failed, str) and failed.strip() else None,
        about=_about(told, row, notes, lost),
        notes=notes.all(),
        not_kept=lost.counts(),
    )


def _about(told: _Trajectory, row: dict[str, Any], notes: Notes, lost: FieldCounts) -> RunDetails:
    """The agent, the prompts and the totals; counts all fields of the file that are not kept."""
    lost.add_unkept(row, _RUN)
    prompts: dict[str, str] = {}
    for step, data in zip(told.steps, row["steps"], strict=True):
        source = str(data.get("source"))
        if source == "agent":
            lost.add_unkept(data, _AGENT_STEP, "steps[]")
        elif source in ("system", "user") and source not in prompts:
            prompts[source] = values.prompt_text(step.message, notes, f"the {source} prompt")
            lost.add_unkept(data, _PROMPT, "steps[]")
        else:
            lost.add_unkept(data, _OTHER_STEP, f"steps[source={source}]")
    metrics = row.get("final_metrics")
    metrics = metrics if isinstance(metrics, dict) else {}
    usage = read_usage(
        {
            **_usage_only(metrics.get("extra")),
            **{name: metrics.get(f"total_{name}") for name in _USAGE},
        },
        lost,
        "final_metrics",
    )
    extra = {name: value for name, value in told.extra.items() if name not in _EXPORTED}
    repeated = any(repeats_the_answer(step.extra) for step in told.steps)
    further = {
        **(FINAL_ANSWER if repeated else {}),
        "notes": row.get("notes"),
        "continued_trajectory_ref": row.get("continued_trajectory_ref"),
        "extra": extra,
        "final_metrics": {"extra": metrics.get("extra")} if metrics.get("extra") else None,
    }
    tools = told.agent.get("tool_definitions")
    return RunDetails(
        agent=values.short_text(told.agent.get("name"), notes),
        agent_version=values.short_text(told.agent.get("version"), notes),
        parameters=_parameters(told.agent.get("extra") or {}, lost),
        tools=values.tool_definitions(tools, lost, "agent.tool_definitions"),
        system_prompt=prompts.get("system", ""),
        prompt=prompts.get("user", ""),
        ids={
            name: text
            for name in ("session_id", "trajectory_id")
            if (text := values.short_text(row.get(name), notes)) is not None
        },
        totals=() if usage.is_empty else (ev.ModelTotal(usage=usage),),
        details=values.details(
            {name: value for name, value in further.items() if value}, lost, "extra"
        ),
    )


def _parameters(extra: Any, lost: FieldCounts) -> dict[str, Any]:
    stored = values.details(extra, lost, "agent.extra")
    return {name: value for name, value in stored.items() if name != "person"}


def _usage_only(extra: Any) -> dict[str, Any]:
    """What of ``metrics.extra`` is usage that ATIF has no field for."""
    return {n: v for n, v in extra.items() if n in ATIF_EXTRA} if isinstance(extra, dict) else {}


def shown_task(row: dict[str, Any]) -> str | None:
    """The task's id as a report shows it, good or bad."""
    return values.shown_id(_task_of(row))


def _task_of(row: dict[str, Any]) -> Any:
    extra, agent = row.get("extra"), row.get("agent")
    inner = agent.get("extra") if isinstance(agent, dict) else None
    places = ((extra, "task_id"), (extra, "id"), (row, "task_id"), (inner, "task_id"))
    for holder, name in (*places, (row, "session_id")):
        if isinstance(holder, dict) and holder.get(name) is not None:
            return holder[name]
    return None


def _text_of_parts(content: Any) -> Any:
    """Content in parts as one text; a list of results stays as it is."""
    if not isinstance(content, list):
        return content
    parts = any(isinstance(part, dict) and part.get("type") == "text" for part in content)
    return values.message_text(content) if parts else content


def _final_answer(told: _Trajectory, given: Any, texts: list[str], notes: Notes) -> Final:
    if "answer" in told.extra:
        return final(told.extra, notes)
    if given is None:
        given = next((text for text in reversed(texts) if text.strip()), None)
    return final(given, notes, told.extra.get("citations"))
