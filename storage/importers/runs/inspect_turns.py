"""Reads the turns of an Inspect sample: the model's messages with their tool calls.

Model calls of scorers are not the agent's and are skipped.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from pagetrail.annotation import events as ev
from pagetrail.storage.importers.files.field_types import objects_of
from pagetrail.storage.importers.files.kept_fields import KeptFields
from pagetrail.storage.importers.runs import values
from pagetrail.storage.importers.runs.search_tools import is_shared_tool
from pagetrail.storage.importers.runs.steps import (
    ToolCall,
    is_final_answer_copy,
    query_argument,
)
from pagetrail.storage.importers.runs.usage_fields import read_usage
from pagetrail.storage.importers.runs.values import Notes

EVAL_FIELDS = (
    "task",
    "task_version",
    "task_args",
    "solver",
    "solver_args",
    "model_generate_config",
    "model_args",
    "model_base_url",
    "model_roles",
    "config",
    "revision",
    "packages",
    "tags",
)
"""Fields of a log's ``eval`` that become parameters of the run."""
SAMPLE_DETAILS = ("epoch", "limit", "working_time", "turn_count", "token_limit", "role_usage")
"""Further fields of a sample that are kept unchanged."""
_TURN_DETAILS = ("role", "retries", "cache", "working_time", "uuid", "span_id")

_CONTENT: KeptFields = dict.fromkeys(("type", "text", "reasoning", "redacted"))
_MESSAGE: KeptFields = {
    **dict.fromkeys(("id", "role", "source", "model", "tool_call_id", "function", "error")),
    "content": _CONTENT,
    "tool_calls": dict.fromkeys(("id", "function", "arguments", "type")),
}
_OUTPUT: KeptFields = {
    **dict.fromkeys(("model", "completion", "usage", "time")),
    "choices": {"message": _MESSAGE, "stop_reason": None},
}
_MODEL_EVENT: KeptFields = {
    **dict.fromkeys(("event", "model", "timestamp", "completed", "working_start", "tools")),
    **dict.fromkeys(("config", "error", *_TURN_DETAILS)),
    "output": _OUTPUT,
}
_TOOL_EVENT: KeptFields = {
    **dict.fromkeys(("event", "type", "id", "function", "arguments", "error", "timestamp")),
    **dict.fromkeys(("completed", "working_start", "uuid", "span_id", "message_id")),
    "result": _CONTENT,
}
_SAMPLE: KeptFields = {
    **dict.fromkeys(("id", "input", "uuid", "started_at", "completed_at", "total_time")),
    **dict.fromkeys(("model_usage", "error", "attachments", "events_data", "events", "messages")),
    **dict.fromkeys(SAMPLE_DETAILS),
    "output": _OUTPUT,
    "metadata": {"task_id": None},
    "store": dict.fromkeys(("answer", "citations", "outcome", "confidence")),
}
_REASONING = "reasoning"


@dataclass
class InspectTurn:
    """A turn of the agent.

    Attributes:
        at: time of the model's message; None if unknown.
        calls: tool calls with their start times.
        ids: ids of the calls that the message requested.
    """

    at: Any = None
    text: str = ""
    details: ev.AgentTurn = field(default_factory=ev.AgentTurn)
    calls: list[tuple[ToolCall, Any]] = field(default_factory=list)
    ids: frozenset[str] = frozenset()

    @property
    def has_content(self) -> bool:
        """Whether the turn has text or calls."""
        return bool(self.text.strip() or self.calls)


def turns_of_events(sample: Any, model: str | None, notes: Notes) -> Iterator[InspectTurn]:
    """The turns in a sample's transcript."""
    scoring = _scoring_spans(sample)
    turn: InspectTurn | None = None
    for event in sample.events:
        if event.span_id in scoring:
            if event.event == "model":
                notes.not_kept.add("model calls of scorers")
            continue
        if event.event == "model":
            if turn is not None:
                yield turn
            turn = _turn_of_model(event, model, notes)
        elif event.event == "tool":
            call = _tool_call(
                event.id,
                event.function,
                event.arguments,
                event.result,
                event.error,
                _elapsed_ms(event.timestamp, event.completed),
            )
            if turn is None or event.id not in turn.ids:
                if turn is not None:
                    yield turn
                turn = InspectTurn(event.timestamp)
            turn.calls.append((call, event.timestamp))
    if turn is not None:
        yield turn


def turns_of_messages(sample: Any, model: str | None, notes: Notes) -> Iterator[InspectTurn]:
    """The turns in a sample's conversation, without times."""
    results = {m.tool_call_id: m for m in sample.messages if m.role == "tool"}
    for message in sample.messages:
        if message.role != "assistant" or is_final_answer_copy(message.metadata):
            continue
        turn = InspectTurn(None, message.text, _details_of(message, model, notes))
        for call in message.tool_calls or []:
            reply = results.get(call.id)
            content, error = (None, None) if reply is None else (reply.content, reply.error)
            tool_call = _tool_call(call.id, call.function, call.arguments, content, error, None)
            turn.calls.append((tool_call, None))
        yield turn


def system_prompt(sample: Any) -> str:
    """The first system message of the conversation or of the first model input."""
    return next((m.text for m in _given_messages(sample) if m.role == "system"), "")


def user_prompt(sample: Any) -> str:
    """The sample's input, or the last user message in it."""
    if isinstance(sample.input, str):
        return sample.input
    questions = [message.text for message in sample.input if message.role == "user"]
    return questions[-1] if questions else ""


def tools_of_events(sample: Any, notes: Notes) -> tuple[dict[str, Any], ...]:
    """Definitions of the tools in the first model call."""
    first = next((event for event in sample.events if event.event == "model"), None)
    tools = [] if first is None else first.tools
    definitions = [tool.model_dump(mode="json", exclude_none=True) for tool in tools]
    return values.read_tool_definitions(definitions, notes, "events[].tools")


def scored_by_model(sample: Any) -> bool:
    """Whether a scorer called a model, so that the totals include more than the agent's usage."""
    scoring = _scoring_spans(sample)
    return any(event.event == "model" and event.span_id in scoring for event in sample.events)


def count_unkept(data: dict[str, Any], notes: Notes) -> None:
    """Count the fields of an unparsed sample that are not kept."""
    notes.not_kept.add_unkept(data, _SAMPLE)
    kept_by_kind: dict[str, KeptFields] = {"model": _MODEL_EVENT, "tool": _TOOL_EVENT}
    has_known_events = False
    for event in objects_of(data.get("events")):
        kind = str(event.get("event"))
        has_known_events = has_known_events or kind in kept_by_kind
        if kind in kept_by_kind:
            notes.not_kept.add_unkept(event, kept_by_kind[kind], f"events[event={kind}]")
            if kind == "tool":
                _count_media(event.get("result"), notes, "events[event=tool].result[]")
        else:
            notes.not_kept.add(f"events[event={kind[:40]}]")
    has_question = False
    for message in objects_of(data.get("messages")):
        role = str(message.get("role"))
        if role == "user":
            if has_question:
                notes.not_kept.add("messages[role=user] after the first")
            has_question = True
        if not has_known_events:
            notes.not_kept.add_unkept(message, _MESSAGE, "messages[]")
            _count_media(message.get("content"), notes, "messages[].content[]")


def _count_media(parts: Any, notes: Notes, location: str) -> None:
    for part in objects_of(parts):
        kind = str(part.get("type"))
        if kind not in ("text", _REASONING):
            notes.not_kept.add(f"{location}[type={kind[:40]}]")


def _scoring_spans(sample: Any) -> set[str]:
    """Ids of the spans in which the sample is scored, including nested spans."""
    span_ids: set[str] = set()
    for event in sample.events:
        if event.event == "span_begin" and (
            event.type in ("scorer", "scorers")
            or event.name == "scorers"
            or event.parent_id in span_ids
        ):
            span_ids.add(event.id)
    return span_ids


def _given_messages(sample: Any) -> Iterator[Any]:
    yield from sample.messages
    first = next((event for event in sample.events if event.event == "model"), None)
    yield from () if first is None else first.input
    yield from () if isinstance(sample.input, str) else sample.input


def _turn_of_model(event: Any, model: str | None, notes: Notes) -> InspectTurn:
    output = event.output
    message = output.message if output.choices else None
    usage = read_usage(
        {} if output.usage is None else output.usage.model_dump(exclude_unset=True),
        notes,
        "events[].output.usage",
    )
    latency_ms = _elapsed_ms(event.timestamp, event.completed)
    if latency_ms is None and output.time is not None:
        latency_ms = _milliseconds(output.time)
    further = {name: value for name in _TURN_DETAILS if (value := getattr(event, name)) is not None}
    config = event.config.model_dump(mode="json", exclude_none=True)
    further |= {"config": config} if config else {}
    further |= {"time": output.time} if output.time is not None else {}
    usage = usage.model_copy(update={"latency_ms": latency_ms})
    agent_turn = ev.AgentTurn() if message is None else _details_of(message, model, notes)
    model_name = values.read_model_name(output.model or event.model, notes)
    return InspectTurn(
        event.completed or event.timestamp,
        "" if message is None else message.text,
        agent_turn.model_copy(
            update={
                "model": None if model_name == model else model_name,
                "usage": None if usage.is_empty else usage,
                "stop_reason": None if message is None else str(output.stop_reason),
                "error": values.read_short_text(event.error, notes, 2_000) or "",
                "details": values.storable_object(further, notes, "events[event=model]"),
            }
        ),
        ids=frozenset(() if message is None else (call.id for call in message.tool_calls or ())),
    )


def _details_of(message: Any, model: str | None, notes: Notes) -> ev.AgentTurn:
    model_name = values.read_model_name(message.model, notes)
    parts = message.content if isinstance(message.content, list) else []
    thoughts = []
    for part in parts:
        if part.type == _REASONING and part.redacted:
            # The content is encrypted; only the summary is readable.
            notes.not_kept.add("reasoning that is redacted")
            thoughts += [part.summary] if part.summary else []
        elif part.type == _REASONING:
            thoughts.append(part.reasoning)
    return ev.AgentTurn(
        message_id=values.read_short_text(message.id, notes, 200),
        model=None if model_name == model else model_name,
        reasoning=values.read_step_text("\n".join(thoughts), notes),
    )


def _tool_call(
    id_: str, tool: str, arguments: Any, result: Any, error: Any, took_ms: int | None
) -> ToolCall:
    query = query_argument(arguments) if is_shared_tool(tool) else None
    if isinstance(result, list):
        result = "\n".join(getattr(part, "text", "") for part in result)
    elif not isinstance(result, str):
        result = None if result is None else getattr(result, "text", str(result))
    return ToolCall(
        tool,
        id_,
        arguments,
        query,
        None if query is None else values.read_hits(result),
        reply=result,
        error="" if error is None else str(error.message),
        took_ms=took_ms,
    )


def _elapsed_ms(start: Any, end: Any) -> int | None:
    return None if start is None or end is None else _milliseconds((end - start).total_seconds())


def _milliseconds(seconds: float) -> int | None:
    return round(seconds * 1000) if 0 <= seconds < 10**9 else None
