"""Trajectories in ATIF, the Agent Trajectory Interchange Format of Harbor, version 1.7.

One file per submitted attempt, ``NAME/TASK.json``: the question as the user's step, then one step
of the agent for each search, page opened and turn of an imported run, and the answer as the last.
People are agents like any other; ``llm_call_count`` 0 says that no language model acted.
``extra`` has the task and what was submitted, in the places where ``import-run`` looks first. What
ATIF has no field for goes into ``extra``, ``agent.extra`` and ``metrics.extra``.
Source: harborframework.com/docs/trajectory-format, and the RFC that it names.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

from pagetrail.annotation import events as ev
from pagetrail.annotation.events.agents import RunFormat
from pagetrail.annotation.runs.usage import run_usage
from pagetrail.exports.formats.export_format import Format
from pagetrail.exports.formats.page_replies import PageReplies, PageReply
from pagetrail.exports.formats.tool_calls import FINAL_ANSWER, Call, ToolRun, Turn, tool_run
from pagetrail.exports.reading.attempts import ReadAttempt, submitted_works
from pagetrail.exports.reading.source import Source, WrittenFiles
from pagetrail.exports.writing.file_formats import FileNames, json_text
from pagetrail.storage.people.system_roles import SYSTEM

SCHEMA = "ATIF-v1.7"
_AGENT = "pagetrail"
_USAGE = {
    "prompt_tokens": "input_tokens",
    "completion_tokens": "output_tokens",
    "cached_tokens": "cached_tokens",
    "cost_usd": "cost_usd",
}
_EXTRA_USAGE = ("cache_write_tokens", "reasoning_tokens", "total_tokens", "latency_ms")
"""Usage without a field in ATIF."""
_TURN_FIELDS = ("reasoning_effort", "is_copied_context")
_OWN_FORMAT: RunFormat = "atif"


def write(source: Source, folder: Path) -> WrittenFiles:
    """Write the trajectories of all submitted attempts, of people and systems."""
    tally = WrittenFiles(counts={"trajectories": 0, "steps": 0})
    replies = PageReplies(source, tally, folder)
    names = FileNames()
    for attempt in submitted_works(source, tally):
        run = tool_run(source, attempt, tally)
        record = trajectory(source, attempt, run, replies)
        path = f"{names[attempt.name]}/{names[attempt.head.task]}.json"
        (folder / path).parent.mkdir(exist_ok=True)
        (folder / path).write_text(json_text(record) + "\n", encoding="utf-8", newline="\n")
        tally.rows[path] = 1
        tally.count("trajectories")
        tally.count("steps", len(record["steps"]))
    return tally


FORMAT = Format(
    name="atif",
    summary="trajectories in ATIF, one file per submitted attempt",
    purpose="trajectories for Harbor and other tools that read ATIF",
    applies_to="any",
    write=write,
    options=frozenset({"originals", "page_content"}),
    docs_anchor="inspect-and-atif",
)


def trajectory(
    source: Source, attempt: ReadAttempt, run: ToolRun, replies: PageReplies
) -> dict[str, Any]:
    """A trajectory as a JSON object, without null values."""
    head = attempt.head
    imported = run.run
    details = imported.details if imported and imported.format == _OWN_FORMAT else {}
    ids = imported.ids if imported else {}
    steps = list(_steps(replies, run, head.role != SYSTEM))
    record = {
        "schema_version": SCHEMA,
        "session_id": ids.get("session_id", head.id),
        "trajectory_id": ids.get("trajectory_id", head.id),
        "agent": _agent(attempt, imported),
        "steps": [{"step_id": number, **step} for number, step in enumerate(steps, start=1)],
        "notes": details.get("notes"),
        "final_metrics": _final_metrics(run, len(steps), details),
        "continued_trajectory_ref": details.get("continued_trajectory_ref"),
        "extra": {
            **(details.get("extra") or {}),
            **({"error": imported.error} if imported and imported.error else {}),
            "task_id": head.task,
            "campaign": source.campaign.name,
            "batch": head.batch,
            **run.final,
        },
    }
    return {name: value for name, value in record.items() if value is not None}


def _agent(attempt: ReadAttempt, run: ev.RunImported | None) -> dict[str, Any]:
    person = attempt.head.role != SYSTEM
    if run is None:
        return {"name": attempt.name, "version": version(_AGENT), "extra": {"person": person}}
    return {
        "name": run.agent or attempt.name,
        "version": run.agent_version or "unknown",
        **({"model_name": run.model} if run.model else {}),
        **({"tool_definitions": list(map(_definition, run.tools))} if run.tools else {}),
        "extra": {
            **run.parameters,
            "person": person,
            **({"without_documents": True} if run.without_documents else {}),
        },
    }


def _definition(tool: dict[str, Any]) -> dict[str, Any]:
    """A definition in the form of OpenAI's function calls, as ATIF requires."""
    if "function" in tool or "type" in tool:
        return tool
    return {"type": "function", "function": tool}


def _final_metrics(run: ToolRun, steps: int, details: dict[str, Any]) -> dict[str, Any]:
    final_metrics: dict[str, Any] = {}
    if run.run is not None:
        turns = [*(turn.details for turn in run.turns), run.closing]
        metrics = _metrics(
            run_usage(run.run.totals, [turn for turn in turns if not turn.is_empty]),
            details.get("final_metrics", {}).get("extra"),
        )
        extra = metrics.pop("extra", None)
        final_metrics = {f"total_{name}": value for name, value in metrics.items()}
        final_metrics |= {} if extra is None else {"extra": extra}
    return {**final_metrics, "total_steps": steps}


def _metrics(usage: ev.ModelUsage, extra_of_file: dict[str, Any] | None) -> dict[str, Any]:
    """Usage in ATIF's fields.

    Args:
        extra_of_file: ``extra`` of a file in ATIF, from which the rest of the usage was read.
    """
    counts = usage.model_dump()
    metrics: dict[str, Any] = {
        name: counts[field] for name, field in _USAGE.items() if field in counts
    }
    extra = extra_of_file or {name: counts[name] for name in _EXTRA_USAGE if name in counts}
    return {**metrics, "extra": extra} if extra else metrics


def _steps(replies: PageReplies, run: ToolRun, person: bool) -> Iterator[dict[str, Any]]:
    start = _stamp(run.started)
    if run.run is not None and run.run.system_prompt:
        yield {**start, "source": "system", "message": run.run.system_prompt}
    yield {**start, "source": "user", "message": run.question}
    for turn in run.turns:
        yield {
            **_stamp(turn.at),
            "source": "agent",
            **_own_fields(turn.details, person),
            "message": turn.text,
            **_calls(replies, turn),
        }
    if run.ends_with_own_message(_OWN_FORMAT):
        return
    closing = _own_fields(run.closing, person)
    yield {
        **_stamp(run.finished),
        "source": "agent",
        **closing,
        "message": json_text(run.final),
        "extra": {**closing.get("extra", {}), **FINAL_ANSWER},
    }


def _own_fields(turn: ev.AgentTurn, person: bool) -> dict[str, Any]:
    """The fields of a step without its message and calls."""
    details = turn.details
    extra = {**(details.get("extra") or {})}
    extra_fields = {
        "message_id": turn.message_id,
        "stop_reason": turn.stop_reason,
        "error": turn.error,
    }
    extra |= {name: value for name, value in extra_fields.items() if value}
    usage = turn.usage or ev.ModelUsage()
    metrics = _metrics(usage, (details.get("metrics") or {}).get("extra"))
    calls = 0 if person else turn.calls
    fields = {
        "model_name": turn.model,
        **{name: details.get(name) for name in _TURN_FIELDS},
        "reasoning_content": turn.reasoning or None,
        "metrics": metrics or None,
        "llm_call_count": calls,
        "extra": extra or None,
    }
    return {name: value for name, value in fields.items() if value is not None}


def _stamp(at: str | None) -> dict[str, str]:
    return {} if at is None else {"timestamp": at}


def _calls(replies: PageReplies, turn: Turn) -> dict[str, Any]:
    if not turn.calls:
        return {}
    calls = [
        {"tool_call_id": call.id, "function_name": call.tool, "arguments": call.arguments}
        for call in turn.calls
    ]
    results = [result for call in turn.calls if (result := _result(replies, call)) is not None]
    observation = {"observation": {"results": results}} if results else {}
    return {"tool_calls": calls, **observation}


def _result(replies: PageReplies, call: Call) -> dict[str, Any] | None:
    extra_fields = {"error": call.error or None, "took_ms": call.took_ms}
    extra = {name: value for name, value in extra_fields.items() if value is not None}
    reply = replies.reply_to(call)
    if reply is None and not extra:
        return None
    result: dict[str, Any] = {"source_call_id": call.id}
    if reply is not None:
        result["content"] = _content(reply)
    return {**result, "extra": extra} if extra else result


def _content(reply: PageReply) -> str | list[dict[str, Any]]:
    if reply.image is None:
        return reply.text
    image = {"media_type": "image/jpeg", "path": f"../{reply.image}"}
    return [{"type": "text", "text": reply.text}, {"type": "image", "source": image}]
