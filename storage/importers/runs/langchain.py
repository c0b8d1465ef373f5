"""Traces of LangChain and LangGraph as written by LangSmith and tracers: runs as JSON Lines.

A line is a root run with its ``child_runs``, or a single run with ``trace_id`` and
``parent_run_id``; single runs are assembled into traces first. Tools (``run_type`` tool) and
retrievers are steps, and calls of chat models are turns; without any of these, the messages in the
outputs are read. A retriever is a search whatever its name; of a tool that only calls a retriever,
the retriever counts.

The task is ``task_id`` or ``question_id`` in ``extra.metadata``, ``metadata`` or ``inputs``, else
the task whose question equals, or is contained in, the input. The answer is ``outputs.answer``,
else the arguments of a submit tool, else ``output``, ``result`` or ``text``, else the agent's last
message.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

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
from pagetrail.storage.importers.files.rows import RawRow, Row, RowError
from pagetrail.storage.importers.runs import values
from pagetrail.storage.importers.runs.chat_messages import (
    Message,
    ToolResult,
    add_messages,
    answer_of_calls,
    first_text,
    read_messages,
    tool_call,
)
from pagetrail.storage.importers.runs.final_answer import (
    FinalAnswer,
    read_final_answer,
    submission_of,
)
from pagetrail.storage.importers.runs.search_tools import SearchTools, find_result_pages
from pagetrail.storage.importers.runs.steps import RowFormat, RunSteps, ToolCall
from pagetrail.storage.importers.runs.usage_fields import (
    COST_AND_TIME,
    USAGE_BESIDE,
    read_usage,
    usage_of,
)
from pagetrail.storage.importers.runs.values import Notes

MAX_RUNS = 1_000_000
"""Limit for a file whose runs have to be assembled into traces."""

_QUESTIONS = ("question", "input", "query", "user_input", "prompt")
_ANSWERS = ("output", "result", "text", "response", "final_answer")
_IDS = ("task_id", "question_id")
_MAX_DEPTH = 200
_MAX_LITERAL = 20_000
_RUN: KeptFields = {
    **dict.fromkeys(("id", "name", "run_type", "inputs", "outputs", "start_time", "end_time")),
    **dict.fromkeys(("parent_run_id", "trace_id", "child_runs", "child_run_ids", "dotted_order")),
    **dict.fromkeys(("error", "extra", "metadata", "execution_order", "child_execution_order")),
    **dict.fromkeys(("status", *USAGE_BESIDE)),
}


def _is_trace(row: Mapping[str, Any]) -> bool:
    return isinstance(row.get("run_type"), str) and isinstance(row.get("inputs"), dict)


def assemble_traces(rows: Iterable[Row]) -> Iterator[Row]:
    """The root runs with their descendants in ``child_runs``, in file order."""
    roots: list[Row] = []
    children: dict[str, list[RawRow]] = defaultdict(list)
    run_ids: set[str] = set()
    for number, row in enumerate(rows, start=1):
        if number > MAX_RUNS:
            yield RowError(row.line, f"exceeds the limit of {MAX_RUNS:,} runs per file")
            return
        parent = row.data.get("parent_run_id") if isinstance(row, RawRow) else None
        if isinstance(row, RawRow):
            run_ids.add(str(row.data.get("id")))
        if parent is None or not isinstance(row, RawRow):
            roots.append(row)
        else:
            children[str(parent)].append(row)
    for parent, orphans in children.items():
        if parent not in run_ids:
            roots += [
                RowError(row.line, "is part of a run that is not in the file") for row in orphans
            ]
    for row in sorted(roots, key=lambda root: root.line):
        if isinstance(row, RawRow):
            row = RawRow(row.line, _with_descendants(row.data, children))
        yield row


def _with_descendants(
    run: dict[str, Any], children: Mapping[str, list[RawRow]], depth: int = 0
) -> dict[str, Any]:
    child_rows = children.get(str(run.get("id")), []) if depth < _MAX_DEPTH else []
    child_runs = [_with_descendants(row.data, children, depth + 1) for row in child_rows]
    return {**run, "child_runs": list_or_empty(run.get("child_runs")) + child_runs}


def _read_trace(number: int, row: dict[str, Any], tools: SearchTools) -> RunRecord:
    """The run in a trace; ``number`` is the line of its root.

    Raises:
        ValueError: a malformed answer or citation, or too many steps.
    """
    notes = Notes()
    steps = RunSteps(notes, tools)
    runs = list(_descendants(row))
    notes.not_kept.add_unkept([run for run, _ in runs], _RUN, "runs")
    calls: list[ToolCall] = []
    model: str | None = None
    for run, _ in runs:
        at = values.read_timestamp(run.get("start_time"), notes)
        kind = run.get("run_type")
        if kind in ("llm", "chat_model"):
            model = model or _model_of(run, notes)
            steps.turn(_generated_text(run, notes), (), at, _agent_turn(run, notes))
        elif kind == "retriever" or (kind == "tool" and not _has_retriever(run)):
            call = _tool_call(run) if kind == "tool" else _retriever_call(run)
            calls.append(call)
            steps.call(call, at)
    messages = _messages(row, notes)
    if not steps.steps:
        calls = add_messages(steps, messages, notes)
    inputs, outputs = _object(row, "inputs"), _object(row, "outputs")
    answer = _final_answer(outputs, calls, messages, notes)
    question = next((inputs[n] for n in _QUESTIONS if isinstance(inputs.get(n), str)), None)
    task_id = _task_id(row)
    extra = _object(row, "extra")
    error = row.get("error")
    return RunRecord(
        record=number,
        task="" if task_id is None else values.check_task_id(task_id),
        answer=answer.answer,
        outcome=answer.outcome,
        citations=answer.citations,
        confidence=answer.confidence,
        steps=steps.all_steps("child_runs"),
        model=model,
        started=values.read_timestamp(row.get("start_time"), notes),
        finished=values.read_timestamp(row.get("end_time"), notes),
        results_known=steps.results_known(),
        failed=error[:300] if isinstance(error, str) and error.strip() else None,
        about=RunDetails(
            agent=values.read_short_text(row.get("name"), notes),
            parameters=values.storable_object(_object(extra, "metadata"), notes, "extra.metadata"),
            system_prompt=values.read_prompt(
                first_text(messages, "system"), notes, "the system prompt"
            ),
            prompt=values.read_prompt(
                question or first_text(messages, "user"), notes, "the user prompt"
            ),
            ids=values.read_ids({name: row.get(name) for name in ("id", "trace_id")}, notes),
            totals=_totals(row, notes),
        ),
        notes=notes.all(),
        not_kept=notes.not_kept.counts(),
    )


def _descendants(run: Mapping[str, Any], depth: int = 0) -> Iterator[tuple[dict[str, Any], int]]:
    """A run and its descendants with their depth, in order of their start."""
    yield dict(run), depth
    child_runs = run.get("child_runs")
    children = (
        [child for child in child_runs if isinstance(child, dict)]
        if isinstance(child_runs, list)
        else []
    )
    if depth < _MAX_DEPTH:
        for child in sorted(children, key=lambda child: str(child.get("start_time") or "")):
            yield from _descendants(child, depth + 1)


def _has_retriever(run: Mapping[str, Any]) -> bool:
    return any(child.get("run_type") == "retriever" for child, depth in _descendants(run) if depth)


def _retriever_call(run: Mapping[str, Any]) -> ToolCall:
    inputs, documents = _object(run, "inputs"), _object(run, "outputs").get("documents")
    query = next((inputs[n] for n in ("query", "input") if isinstance(inputs.get(n), str)), "")
    result_pages = find_result_pages(
        {"documents": [_document(item) for item in objects_of(documents)]}
    )
    name = run.get("name")
    return ToolCall(
        name if isinstance(name, str) else "retriever",
        run.get("id"),
        inputs,
        query,
        result_pages if isinstance(documents, list) else None,
        takes_text=False,
        reply=values.read_reply(documents),
        error=_error(run),
        took_ms=_elapsed_ms(run),
    )


def _document(item: Mapping[str, Any]) -> Mapping[str, Any]:
    """A document without its text; some traces wrap it in ``kwargs``."""
    inner = item.get("kwargs")
    holder = inner if isinstance(inner, dict) else item
    return {"metadata": holder.get("metadata")} if "metadata" in holder else holder


def _tool_call(run: Mapping[str, Any]) -> ToolCall:
    inputs = _object(run, "inputs")
    arguments: Any = inputs
    if set(inputs) == {"input"} and isinstance(inputs["input"], str):
        arguments = _parse_arguments(inputs["input"])
    outputs = _object(run, "outputs")
    content, failed = outputs.get("output", outputs or None), False
    if isinstance(content, dict):
        holder = content.get("kwargs") if isinstance(content.get("kwargs"), dict) else content
        if isinstance(holder, dict):
            content, failed = holder.get("content", content), holder.get("status") == "error"
    name, id_ = run.get("name"), run.get("id")
    call = tool_call(
        id_ if isinstance(id_, str) else "", name if isinstance(name, str) else "tool",
        arguments, ToolResult("", content, failed),
    )  # fmt: skip
    return replace(call, error=_error(run) or call.error, took_ms=_elapsed_ms(run))


def _error(run: Mapping[str, Any]) -> str:
    """Why a run failed, with its stack trace as far as traces are kept; else empty."""
    error = run.get("error")
    return error.strip() if isinstance(error, str) else ""


def _parse_arguments(text: str) -> Any:
    """Arguments that a tracer wrote as JSON or as a Python dictionary, else as plain input."""
    try:
        return loads(text)
    except ValueError:
        pass
    try:
        value = ast.literal_eval(text) if len(text) <= _MAX_LITERAL else None
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        value = None
    return value if isinstance(value, dict) else {"input": text}


def _generated_text(run: Mapping[str, Any], notes: Notes) -> str:
    """Text that a model generated."""
    message = _model_message(run)
    if message is not None:
        messages = read_messages([message], notes)
        return messages[0].text if messages else ""
    first = _first_generation(run)
    text = None if first is None else first.get("text")
    return text if isinstance(text, str) else ""


def _first_generation(run: Mapping[str, Any]) -> dict[str, Any] | None:
    value: Any = _object(run, "outputs").get("generations")
    while isinstance(value, list) and value:
        value = value[0]
    return value if isinstance(value, dict) else None


def _model_message(run: Mapping[str, Any]) -> dict[str, Any] | None:
    first = _first_generation(run) or _object(run, "outputs")
    message = first.get("message")
    if message is None:
        choices = first.get("choices")
        inner = choices[0] if isinstance(choices, list) and choices else None
        message = inner.get("message") if isinstance(inner, dict) else None
    return message if isinstance(message, dict) else None


def _agent_turn(run: Mapping[str, Any], notes: Notes) -> ev.AgentTurn:
    message = _model_message(run) or {}
    inner = message.get("kwargs") if isinstance(message.get("kwargs"), dict) else message
    holder = inner if isinstance(inner, dict) else {}
    llm_usage = _object(_object(run, "outputs"), "llm_output").get("token_usage")
    message_usage = holder.get("usage_metadata") or llm_usage
    # The run's own counts of tokens are the message's without the kinds.
    beside = {name: run.get(name) for name in (COST_AND_TIME if message_usage else USAGE_BESIDE)}
    usage = read_usage(usage_of(beside, message_usage), notes, "runs[].usage")
    if usage.latency_ms is None:
        usage = usage.model_copy(update={"latency_ms": _elapsed_ms(run)})
    error = run.get("error")
    return ev.AgentTurn(
        model=_model_of(run, notes),
        calls=1,
        usage=None if usage.is_empty else usage,
        error=values.read_short_text(error, notes, 2_000) or "",
    )


def _elapsed_ms(run: Mapping[str, Any]) -> int | None:
    """Milliseconds from the start of a run to its end; problems are noted where they are read."""
    notes = Notes()
    start = values.read_timestamp(run.get("start_time"), notes)
    end = values.read_timestamp(run.get("end_time"), notes)
    if start is None or end is None or end < start:
        return None
    return round((end - start).total_seconds() * 1_000)


def _totals(row: Mapping[str, Any], notes: Notes) -> tuple[ev.ModelTotal, ...]:
    """What a root run sums up over its descendants; a root that is a model's call has a turn."""
    if row.get("run_type") in ("llm", "chat_model"):
        return ()
    usage = read_usage(usage_of(row, None), notes, "usage")
    return () if usage.is_empty else (ev.ModelTotal(usage=usage),)


def _model_of(run: Mapping[str, Any], notes: Notes) -> str | None:
    extra = _object(run, "extra")
    invocation, metadata = _object(extra, "invocation_params"), _object(extra, "metadata")
    for holder, names in (
        (invocation, ("model", "model_name")),
        (metadata, ("ls_model_name",)),
    ):
        name = next((holder[n] for n in names if holder.get(n)), None)
        if name is not None:
            return values.read_model_name(name, notes)
    return None


def _messages(row: Mapping[str, Any], notes: Notes) -> list[Message]:
    """The conversation in the outputs, which includes the input, else that in the inputs."""
    for part in ("outputs", "inputs"):
        messages = _object(row, part).get("messages")
        while isinstance(messages, list) and len(messages) == 1 and isinstance(messages[0], list):
            messages = messages[0]
        if isinstance(messages, list) and messages:
            return read_messages(messages, notes)
    return []


def _final_answer(
    outputs: Mapping[str, Any], calls: list[ToolCall], messages: list[Message], notes: Notes
) -> FinalAnswer:
    if outputs.get("answer") is not None:
        return read_final_answer(
            {"answer": outputs["answer"], "outcome": outputs.get("outcome")}, notes, outputs
        )
    if not any(submission_of(call.name, call.arguments) for call in calls):
        text = next((outputs[n] for n in _ANSWERS if isinstance(outputs.get(n), str)), None)
        if text is not None:
            return read_final_answer(text, notes, outputs)
    return answer_of_calls(calls, messages, notes, outputs)


def _task_id(row: Mapping[str, Any]) -> Any:
    for fields in (
        *(_object(_object(row, "extra"), "metadata"), _object(row, "metadata")),
        _object(row, "inputs"),
    ):
        task_id = first_value(fields, _IDS)
        if task_id is not None:
            return task_id
    return None


def _object(fields: Mapping[str, Any], name: str) -> dict[str, Any]:
    return object_or_empty(fields.get(name))


FORMAT = RowFormat("langchain", _is_trace, _read_trace, _task_id)
