"""Agents' conversations as JSON Lines with messages and tool calls, as from OpenAI and others.

A row has ``messages`` as in Chat Completions, or ``input`` and ``output`` with the items of the
Responses API; ``choices[0].message``, also below ``response.body`` as in batch results, is the last
message. Also supported: Anthropic's ``tool_use`` and ``tool_result`` parts, LangChain's messages
(``type`` human, ai, tool; serialised or not), and calls under ``function_call``.

The task is ``metadata.task_id``, ``task_id``, ``question_id``, else ``custom_id`` or ``id`` if the
campaign has it, else the task whose question equals, or is contained in, the first user message.
The answer is the row's ``answer``, else the arguments of a submit tool, else the agent's last
message.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from pagetrail.annotation import events as ev
from pagetrail.annotation.runs.record import RunDetails, RunRecord
from pagetrail.storage.importers.files.field_types import (
    first_value,
    list_or_empty,
    object_or_empty,
    objects_of,
)
from pagetrail.storage.importers.files.json_rows import loads
from pagetrail.storage.importers.files.kept_fields import KeptFields
from pagetrail.storage.importers.runs import values
from pagetrail.storage.importers.runs.final_answer import (
    FinalAnswer,
    read_final_answer,
    submission_of,
)
from pagetrail.storage.importers.runs.search_tools import (
    SearchTools,
    find_result_pages,
    is_shared_tool,
)
from pagetrail.storage.importers.runs.steps import (
    RowFormat,
    RunSteps,
    ToolCall,
    query_argument,
)
from pagetrail.storage.importers.runs.usage_fields import (
    KEPT_USAGE,
    USAGE_BESIDE,
    read_usage,
    usage_of,
)
from pagetrail.storage.importers.runs.values import Notes

_ROLES = {"human": "user", "ai": "assistant", "developer": "system", "function": "tool"}
_LANGCHAIN = {
    "HumanMessage": "user",
    "AIMessage": "assistant",
    "AIMessageChunk": "assistant",
    "SystemMessage": "system",
    "ToolMessage": "tool",
    "FunctionMessage": "tool",
}
_STRONG_IDS = ("task_id", "question_id")
_WEAK_IDS = ("custom_id", "id")
"""A batch result's ``id`` is the server's, its ``custom_id`` that of the request."""
_STARTED = ("started_at", "start_time", "created_at", "created")
_FINISHED = ("finished_at", "completed_at", "end_time")
_THOUGHTS = ("reasoning_content", "reasoning", "thinking")
_MESSAGE: KeptFields = {
    **dict.fromkeys(("role", "type", "content", "tool_calls", "function_call", "tool_call_id")),
    **dict.fromkeys(("id", "name", "model", "timestamp", "created_at", "created", *_THOUGHTS)),
    **dict.fromkeys(("data", "kwargs", "lc", "usage_metadata", "status", "summary", "call_id")),
    **dict.fromkeys(("output", "arguments", "finish_reason", "additional_kwargs", *USAGE_BESIDE)),
    "usage": KEPT_USAGE,
    "response_metadata": {"token_usage": KEPT_USAGE, "model_name": None, "finish_reason": None},
}
_ROW: KeptFields = {
    **dict.fromkeys(("messages", "input", "output", "choices", "response", "metadata", "model")),
    **dict.fromkeys(("question", "answer", "citations", "outcome", "error", "tools", "id")),
    **dict.fromkeys(
        ("confidence", "custom_id", "parameters", "object", *_STRONG_IDS, *_STARTED, *_FINISHED)
    ),
    **dict.fromkeys(USAGE_BESIDE),
    "usage": KEPT_USAGE,
}
_PARTS = ("text", "input_text", "output_text", "tool_use", "tool_result", "thinking", "reasoning")


class ToolResult(NamedTuple):
    """What a tool returned; of a failed call, the error's message."""

    call_id: str
    content: Any
    failed: bool = False


@dataclass
class Message:
    """A message in any of the dialects.

    Attributes:
        role: user, assistant, system or tool.
        calls: (id, name, arguments) of tool calls.
        results: tool results; an empty id stands for the next call without one.
        data: the unparsed message.
    """

    role: str
    text: str = ""
    reasoning: str = ""
    calls: list[tuple[str, str, Any]] = field(default_factory=list)
    results: list[ToolResult] = field(default_factory=list)
    data: Mapping[str, Any] = field(default_factory=dict)


def _is_chat(row: Mapping[str, Any]) -> bool:
    return bool(_message_items(row)) or _failed_request(row) is not None


def _read_chat(number: int, row: dict[str, Any], tools: SearchTools) -> RunRecord:
    """The run in a row; ``number`` is its line.

    Raises:
        ValueError: no message of an agent, or a malformed answer or citation.
    """
    notes = Notes()
    notes.not_kept.add_unkept(row, _ROW)
    messages = read_messages(_message_items(row), notes)
    failed = values.read_error_message(row.get("error")) or _failed_request(row)
    if failed is None and not any(message.role == "assistant" for message in messages):
        raise ValueError("messages: none of them is the agent's")
    steps = RunSteps(notes, tools)
    calls = add_messages(steps, messages, notes)
    task_id, is_weak = _stated_task_id(row)
    answer = _final_answer(row, calls, messages, notes)
    usage = read_usage(usage_of(row, row.get("usage") or _body(row).get("usage")), notes)
    finished = values.first_timestamp(row, _FINISHED, notes)
    times = [step.at for step in steps.steps if step.at is not None]
    return RunRecord(
        record=number,
        task="" if task_id is None else values.check_task_id(task_id),
        weak_id=is_weak,
        question=row["question"] if isinstance(row.get("question"), str) else None,
        answer=answer.answer,
        outcome=answer.outcome,
        citations=answer.citations,
        confidence=answer.confidence,
        steps=steps.all_steps("messages"),
        model=values.read_model_name(row.get("model") or _body(row).get("model"), notes),
        started=values.first_timestamp(row, _STARTED, notes),
        finished=finished or (times[-1] if times else None),
        results_known=steps.results_known(),
        failed=failed,
        about=RunDetails(
            parameters=values.storable_object(row.get("parameters") or {}, notes, "parameters"),
            tools=values.read_tool_definitions(row.get("tools"), notes, "tools"),
            system_prompt=values.read_prompt(
                first_text(messages, "system"), notes, "the system prompt"
            ),
            prompt=values.read_prompt(first_text(messages, "user"), notes, "the user prompt"),
            totals=() if usage.is_empty else (ev.ModelTotal(usage=usage),),
        ),
        notes=notes.all(),
        not_kept=notes.not_kept.counts(),
    )


def _stated_task_id(row: Mapping[str, Any]) -> tuple[Any, bool]:
    """The task's id, unchecked, and whether it may have been generated; None if there is none."""
    for names, is_weak in ((_STRONG_IDS, False), (_WEAK_IDS, True)):
        for fields in (object_or_empty(row.get("metadata")), row):
            task_id = first_value(fields, names)
            if task_id is not None:
                return task_id, is_weak
    return None, False


def read_messages(items: list[Any], notes: Notes) -> list[Message]:
    """Messages in any of the dialects; items that are not objects are counted as not kept."""
    messages = []
    for item in items:
        if isinstance(item, dict):
            notes.not_kept.add_unkept(item, _MESSAGE, "messages[]")
            messages.append(_message(_unwrapped(item), notes))
        else:
            notes.not_kept.add("messages[] that are no objects")
    return messages


def add_messages(steps: RunSteps, messages: list[Message], notes: Notes) -> list[ToolCall]:
    """Add the agent's turns to the steps of a run; returns its calls."""
    results = [result for message in messages for result in message.results]
    by_id = {result.call_id: result for result in results if result.call_id}
    results_without_id = iter([result for result in results if not result.call_id])
    all_calls: list[ToolCall] = []
    for message in messages:
        if message.role != "assistant":
            continue
        calls = []
        for id_, name, arguments in message.calls:
            result = by_id.get(id_) if id_ else next(results_without_id, None)
            calls.append(tool_call(id_, name, arguments, result))
        at = values.first_timestamp(message.data, ("timestamp", "created_at", "created"), notes)
        steps.turn(message.text, calls, at, _agent_turn(message, notes))
        all_calls += calls
    return all_calls


def tool_call(id_: str, name: str, arguments: Any, result: ToolResult | None) -> ToolCall:
    """A tool call with its reply, and with query and results for ``search_documents``."""
    reply = None if result is None else values.read_reply(result.content)
    failed = result is not None and result.failed
    query = query_argument(arguments) if is_shared_tool(name) else None
    result_pages = None if query is None else find_result_pages(reply)
    return ToolCall(
        name,
        id_ or None,
        arguments,
        query,
        result_pages,
        takes_text=query is None,
        reply=reply,
        error=(reply or "no message") if failed else "",
    )


def first_text(messages: list[Message], role: str) -> str:
    """Text of the first message with a role."""
    return next((message.text for message in messages if message.role == role), "")


def _body(row: Mapping[str, Any]) -> Mapping[str, Any]:
    """The model's response, which batch results have below ``response.body``."""
    response = row.get("response")
    inner = response.get("body", response) if isinstance(response, dict) else None
    return inner if isinstance(inner, dict) else row


def _failed_request(row: Mapping[str, Any]) -> str | None:
    """The error of a batch's request that was not answered; None for any other row."""
    if "custom_id" not in row or "response" not in row:
        return None
    return values.read_error_message(row.get("error") or _body(row).get("error"))


def _message_items(row: Mapping[str, Any]) -> list[Any]:
    messages = list(list_or_empty(row.get("messages")))
    body = _body(row)
    for fields, name in ((row, "input"), (body, "output")):
        items = fields.get(name)
        if isinstance(items, list) and all(isinstance(i, dict) and _is_item(i) for i in items):
            messages += items
        elif messages == [] and name == "input" and isinstance(items, str) and "output" in body:
            messages.append({"role": "user", "content": items})
    choices = body.get("choices")
    if isinstance(choices, list) and choices and isinstance(choices[0], dict):
        messages.append(choices[0].get("message"))
    has_agent = any(
        _message(_unwrapped(item), Notes()).role == "assistant" for item in objects_of(messages)
    )
    return messages if has_agent else []


def _is_item(item: Mapping[str, Any]) -> bool:
    return "role" in item or item.get("type") in (
        "message", "function_call", "function_call_output", "reasoning",
    )  # fmt: skip


def _unwrapped(item: dict[str, Any]) -> dict[str, Any]:
    """A message without the wrappers of LangChain's two serialisations."""
    for name in ("kwargs", "data"):
        inner = item.get(name)
        if isinstance(inner, dict) and "content" in inner:
            kind = item.get("id")
            last = kind[-1] if isinstance(kind, list) and kind else None
            role = _LANGCHAIN.get(str(last)) or item.get("type")
            return {**inner, "role": inner.get("role") or role}
    return item


def _message(item: Mapping[str, Any], notes: Notes) -> Message:
    kind = item.get("type")
    if kind == "function_call":
        call = (_text(item.get("call_id")), _text(item.get("name")), _parsed(item.get("arguments")))
        return Message("assistant", calls=[call], data=item)
    if kind == "function_call_output":
        return Message("tool", results=[ToolResult(_text(item.get("call_id")), item.get("output"))])
    if kind == "reasoning":
        return Message(
            "assistant", reasoning=values.join_text_parts(item.get("summary")), data=item
        )
    written_role = str(item.get("role") or kind or "")
    role = _ROLES.get(written_role, written_role)
    content = item.get("content")
    reasoning = next((item[name] for name in _THOUGHTS if isinstance(item.get(name), str)), "")
    message = Message(role, values.join_text_parts(content), reasoning, data=item)
    for part in objects_of(content):
        part_type = part.get("type")
        if part_type == "tool_use":
            message.calls.append(
                (_text(part.get("id")), _text(part.get("name")), part.get("input"))
            )
        elif part_type == "tool_result":
            failed = part.get("is_error") is True
            message.results.append(
                ToolResult(_text(part.get("tool_use_id")), part.get("content"), failed)
            )
        elif part_type in ("thinking", "reasoning"):
            message.reasoning += _text(part.get(str(part_type)))
        elif part_type not in _PARTS:
            notes.not_kept.add(f"messages[].content[] of type {str(part_type)[:40]}")
    if role == "tool":
        failed = item.get("status") == "error"
        message.results.append(ToolResult(_text(item.get("tool_call_id")), content, failed))
    message.calls += map(_call, objects_of(item.get("tool_calls")))
    if isinstance(item.get("function_call"), dict):
        message.calls.append(_call(item["function_call"]))
    return message


def _call(item: Mapping[str, Any]) -> tuple[str, str, Any]:
    inner = item.get("function")
    inner = inner if isinstance(inner, dict) else item
    arguments = inner.get("arguments", inner.get("args", inner.get("input")))
    return _text(item.get("id")), _text(inner.get("name")), _parsed(arguments)


def _parsed(arguments: Any) -> Any:
    if isinstance(arguments, str):
        try:
            return loads(arguments)
        except ValueError:
            return arguments
    return arguments


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _agent_turn(message: Message, notes: Notes) -> ev.AgentTurn:
    data = message.data
    response = object_or_empty(data.get("response_metadata"))
    usage_fields = data.get("usage") or data.get("usage_metadata") or response.get("token_usage")
    usage = read_usage(usage_of(data, usage_fields), notes, "messages[].usage")
    return ev.AgentTurn(
        message_id=values.read_short_text(data.get("id"), notes, 200),
        model=values.read_model_name(data.get("model") or response.get("model_name"), notes),
        reasoning=values.read_step_text(message.reasoning, notes),
        usage=None if usage.is_empty else usage,
        stop_reason=values.read_short_text(
            data.get("finish_reason") or response.get("finish_reason"), notes, 200
        ),
    )


def _final_answer(
    row: Mapping[str, Any], calls: list[ToolCall], messages: list[Message], notes: Notes
) -> FinalAnswer:
    if row.get("answer") is not None:
        return read_final_answer(
            {"answer": row["answer"], "outcome": row.get("outcome")}, notes, row
        )
    return answer_of_calls(calls, messages, notes, row)


def answer_of_calls(
    calls: list[ToolCall],
    messages: list[Message],
    notes: Notes,
    fields_outside: Mapping[str, Any],
) -> FinalAnswer:
    """The answer in the arguments of a submit tool, else in the agent's last message.

    Args:
        fields_outside: as of ``read_final_answer``.
    """
    submissions = (submission_of(call.name, call.arguments) for call in reversed(calls))
    submission: Any = next(filter(None, submissions), None)
    if submission is None:
        texts = (m.text for m in reversed(messages) if m.role == "assistant" and m.text.strip())
        submission = next(texts, None)
    return read_final_answer(submission, notes, fields_outside)


FORMAT = RowFormat("openai", _is_chat, _read_chat, lambda row: _stated_task_id(row)[0])
