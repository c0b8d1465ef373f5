"""ATIF, the Agent Trajectory Interchange Format of Harbor, versions 1.0 to 1.7: one run per file.

ATIF has no fixed field for the task. The first of these is used: ``extra.task_id``, ``extra.id``,
``task_id``, ``agent.extra.task_id``, ``session_id``. The answer is ``extra.answer`` (with
``extra.citations``), else the arguments of a submit tool (``submit``, ``submit_answer``,
``final_answer``; ``skip_task`` means no answer), else the agent's last message, which may be JSON
with ``answer`` and ``citations``. The agent's confidence is read from where the answer is, else
from ``extra.confidence``. Trajectories of subagents are not read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, Field, ValidationError, model_validator

from pagetrail.annotation import events as ev
from pagetrail.annotation.readable_errors import describe
from pagetrail.annotation.runs.record import RunDetails, RunRecord
from pagetrail.annotation.tasks.task import TaskId
from pagetrail.storage.importers.files.field_types import (
    MaybeObject,
    MaybeText,
    object_or_empty,
    objects_of,
)
from pagetrail.storage.importers.files.kept_fields import KeptFields
from pagetrail.storage.importers.runs import values
from pagetrail.storage.importers.runs.final_answer import (
    FinalAnswer,
    read_final_answer,
    submission_of,
)
from pagetrail.storage.importers.runs.search_tools import SearchTools, is_shared_tool
from pagetrail.storage.importers.runs.steps import (
    FINAL_ANSWER,
    RowFormat,
    RunSteps,
    ToolCall,
    is_final_answer_copy,
    query_argument,
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
_IDS = ("session_id", "trajectory_id")
_DETAILS = ("reasoning_effort", "is_copied_context", "extra")
_FIELDS_READ = (
    *("task_id", "id", "campaign", "batch", "answer", "citations", "outcome", "confidence"),
)
"""Fields of ``extra`` that are read separately, or added by our own exports."""


class _Call(BaseModel):
    function_name: str
    arguments: Any = None
    tool_call_id: MaybeText = None


class _Step(BaseModel):
    """A step; for steps not made by the agent, only time and message are read."""

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
    def _drop_fields_of_others(cls, data: Any) -> Any:
        if isinstance(data, dict) and data.get("source") != "agent":
            return {name: data.get(name) for name in ("timestamp", "message")}
        return data

    @property
    def text(self) -> str:
        """Text of the message."""
        return values.join_text_parts(self.message)

    def calls(self, notes: Notes) -> Iterator[ToolCall]:
        """The calls with their results; results without a call are counted as not kept."""
        results = objects_of(self.observation.get("results"))
        by_id = {
            result["source_call_id"]: result
            for result in results
            if isinstance(result.get("source_call_id"), str)
        }
        by_position = not by_id and len(results) == len(self.tool_calls)
        if not by_position:
            call_ids = {call.tool_call_id for call in self.tool_calls}
            for result in results:
                call_id = result.get("source_call_id")
                if not isinstance(call_id, str | None) or call_id not in call_ids:
                    notes.not_kept.add("steps[].observation.results[] of no call")
        for index, call in enumerate(self.tool_calls):
            result = by_id.get(call.tool_call_id or "", results[index] if by_position else {})
            content, extra = result.get("content"), object_or_empty(result.get("extra"))
            notes.not_kept.add_unkept(extra, _RESULT_EXTRA, "steps[].observation.results[].extra")
            error = extra.get("error")
            query = query_argument(call.arguments) if is_shared_tool(call.function_name) else None
            yield ToolCall(
                call.function_name,
                call.tool_call_id,
                call.arguments,
                query,
                None if query is None else values.read_hits(_join_text_parts(content)),
                takes_text=query is None,
                reply=values.read_reply(content),
                error=error if isinstance(error, str) else "",
                took_ms=values.read_count(extra.get("took_ms")),
            )

    def turn(self, data: dict[str, Any], notes: Notes) -> ev.AgentTurn:
        """Model usage and reasoning; ``data`` is the unparsed step."""
        metrics = self.metrics.get("extra")
        details = {name: data[name] for name in _DETAILS if data.get(name) not in (None, {})}
        if details.get("extra") == FINAL_ANSWER:
            del details["extra"]
        if isinstance(metrics, dict) and metrics:
            details["metrics"] = {"extra": metrics}
        usage = read_usage({**_usage_only(metrics), **self.metrics}, notes, "steps[].metrics")
        return ev.AgentTurn(
            model=values.read_model_name(self.model_name, notes),
            calls=values.read_count(self.llm_call_count),
            reasoning=values.read_step_text(self.reasoning_content, notes),
            usage=None if usage.is_empty else usage,
            details=values.storable_object(details, notes, "steps[].extra"),
        )


class _Trajectory(BaseModel):
    id: TaskId | None = None
    steps: Annotated[list[_Step], Field(min_length=1)]
    extra: MaybeObject = {}
    agent: MaybeObject = {}


def is_atif(row: Mapping[str, Any]) -> bool:
    """Whether an object looks like a trajectory."""
    version = row.get("schema_version")
    if isinstance(version, str) and version.upper().startswith("ATIF"):
        return True
    return isinstance(row.get("steps"), list) and isinstance(row.get("agent"), dict)


def _read_trajectory(number: int, row: dict[str, Any], tools: SearchTools) -> RunRecord:
    """The run in a trajectory; ``number`` is its position in the file.

    Raises:
        ValueError: the trajectory is invalid; names the field and the problem.
    """
    fields = {**row, "id": _task_id(row)}
    if fields["id"] is None:
        del fields["id"]
    try:
        trajectory = _Trajectory.model_validate(fields)
    except ValidationError as error:
        raise ValueError(describe(error)) from error
    notes = Notes()
    if "subagent_trajectories" in row:
        notes.add("trajectories of subagents are not read")
    if row.get("continued_trajectory_ref"):
        notes.add("it continues in another file, which is not read with it")
    timestamps = [values.read_timestamp(step.timestamp, notes) for step in trajectory.steps]
    by_agent = [
        (step, timestamp, data)
        for step, timestamp, data in zip(trajectory.steps, timestamps, row["steps"], strict=True)
        if step.source
    ]
    steps = RunSteps(notes, tools)
    submission: Any = None
    for step, at, data in by_agent:
        details = step.turn(data, notes)
        if is_final_answer_copy(step.extra):
            steps.turn("", (), at, details.model_copy(update={"calls": None}))
            continue
        calls = list(step.calls(notes))
        steps.turn(step.text, calls, at, details)
        for call in calls:
            submission = submission_of(call.name, call.arguments) or submission
    run_steps = steps.all_steps("steps")
    answer = _final_answer(trajectory, submission, [step.text for step, _, _ in by_agent], notes)
    failed = trajectory.extra.get("error")
    return RunRecord(
        record=number,
        task=trajectory.id or "",
        weak_id=trajectory.id is not None and trajectory.id == row.get("session_id"),
        answer=answer.answer,
        outcome=answer.outcome,
        citations=answer.citations,
        confidence=answer.confidence,
        steps=run_steps,
        model=values.read_model_name(trajectory.agent.get("model_name"), notes)
        or values.read_model_name(trajectory.agent.get("name"), notes),
        started=timestamps[0],
        finished=by_agent[-1][1] if by_agent else None,
        results_known=steps.results_known(),
        failed=failed[:300] if isinstance(failed, str) and failed.strip() else None,
        about=_run_details(trajectory, row, notes),
        notes=notes.all(),
        not_kept=notes.not_kept.counts(),
    )


def _run_details(trajectory: _Trajectory, row: dict[str, Any], notes: Notes) -> RunDetails:
    """Agent, prompts and totals; counts all fields of the file that are not kept."""
    notes.not_kept.add_unkept(row, _RUN)
    prompts: dict[str, str] = {}
    for step, data in zip(trajectory.steps, row["steps"], strict=True):
        source = str(data.get("source"))
        if source == "agent":
            notes.not_kept.add_unkept(data, _AGENT_STEP, "steps[]")
        elif source in ("system", "user") and source not in prompts:
            prompts[source] = values.read_prompt(step.message, notes, f"the {source} prompt")
            notes.not_kept.add_unkept(data, _PROMPT, "steps[]")
        else:
            notes.not_kept.add_unkept(data, _OTHER_STEP, f"steps[source={source}]")
    metrics = object_or_empty(row.get("final_metrics"))
    usage = read_usage(
        {
            **_usage_only(metrics.get("extra")),
            **{name: metrics.get(f"total_{name}") for name in _USAGE},
        },
        notes,
        "final_metrics",
    )
    extra = {name: value for name, value in trajectory.extra.items() if name not in _FIELDS_READ}
    repeated = any(is_final_answer_copy(step.extra) for step in trajectory.steps)
    details = {
        **(FINAL_ANSWER if repeated else {}),
        "notes": row.get("notes"),
        "continued_trajectory_ref": row.get("continued_trajectory_ref"),
        "extra": extra,
        "final_metrics": {"extra": metrics.get("extra")} if metrics.get("extra") else None,
    }
    tools = trajectory.agent.get("tool_definitions")
    return RunDetails(
        agent=values.read_short_text(trajectory.agent.get("name"), notes),
        agent_version=values.read_short_text(trajectory.agent.get("version"), notes),
        parameters=_agent_parameters(trajectory.agent.get("extra") or {}, notes),
        tools=values.read_tool_definitions(tools, notes, "agent.tool_definitions"),
        system_prompt=prompts.get("system", ""),
        prompt=prompts.get("user", ""),
        ids=values.read_ids({name: row.get(name) for name in _IDS}, notes),
        totals=() if usage.is_empty else (ev.ModelTotal(usage=usage),),
        details=values.storable_object(
            {name: value for name, value in details.items() if value}, notes, "extra"
        ),
    )


def _agent_parameters(extra: Any, notes: Notes) -> dict[str, Any]:
    stored = values.storable_object(extra, notes, "agent.extra")
    return {name: value for name, value in stored.items() if name != "person"}


def _usage_only(extra: Any) -> dict[str, Any]:
    """Usage in ``metrics.extra`` for which ATIF has no field."""
    return {n: v for n, v in object_or_empty(extra).items() if n in ATIF_EXTRA}


def _task_id(row: Mapping[str, Any]) -> Any:
    extra = object_or_empty(row.get("extra"))
    agent_extra = object_or_empty(object_or_empty(row.get("agent")).get("extra"))
    candidates = (
        *(extra.get("task_id"), extra.get("id"), row.get("task_id")),
        *(agent_extra.get("task_id"), row.get("session_id")),
    )
    return next((value for value in candidates if value is not None), None)


def _join_text_parts(content: Any) -> Any:
    """Text parts joined to one text; other content unchanged."""
    if not isinstance(content, list):
        return content
    parts = any(isinstance(part, dict) and part.get("type") == "text" for part in content)
    return values.join_text_parts(content) if parts else content


def _final_answer(
    trajectory: _Trajectory, submission: Any, texts: list[str], notes: Notes
) -> FinalAnswer:
    if "answer" in trajectory.extra:
        return read_final_answer(trajectory.extra, notes)
    if submission is None:
        submission = next((text for text in reversed(texts) if text.strip()), None)
    return read_final_answer(submission, notes, trajectory.extra)


FORMAT = RowFormat("atif", is_atif, _read_trajectory, _task_id)
