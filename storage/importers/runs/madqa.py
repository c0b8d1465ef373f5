"""MADQA results: one row per question, with the searches and the answer (docs/formats.md, Runs).

Searches are read from the trajectory, which has their results, or else from the search history. If
both have searches, missing times and totals are taken from the history.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ValidationError, model_validator

from pagetrail.annotation import events as ev
from pagetrail.annotation.events.agents import MAX_TOTALS
from pagetrail.annotation.readable_errors import describe
from pagetrail.annotation.runs.record import RunDetails, RunRecord, RunStep
from pagetrail.annotation.tasks.task import TaskId
from pagetrail.storage.importers.files.field_types import (
    MaybeObject,
    MaybeText,
    Objects,
    null_to_empty_list,
)
from pagetrail.storage.importers.files.kept_fields import KeptFields
from pagetrail.storage.importers.runs import values
from pagetrail.storage.importers.runs.search_tools import SearchTools, is_shared_tool
from pagetrail.storage.importers.runs.steps import (
    RowFormat,
    RunSteps,
    ToolCall,
    plausible_total,
    query_argument,
)
from pagetrail.storage.importers.runs.usage_fields import (
    KEPT_USAGE,
    USAGE_BESIDE,
    read_usage,
    usage_of,
)
from pagetrail.storage.importers.runs.values import Notes, storable_text

_OUTCOMES: tuple[ev.Outcome, ...] = ("answered", "not_found", "unanswerable", "completed")
_MAX_IDS = 20
_STARTED = ("started_at", "start_time")
_FINISHED = ("finished_at", "completed_at", "end_time")


_HISTORY: KeptFields = dict.fromkeys(
    ("iteration", "query", "num_results", "results", "total_hits", "timestamp", "started_at")
)
_PAGES: KeptFields = dict.fromkeys(("file", "document", "page", "page_number"))
_CALL: KeptFields = dict.fromkeys(("id", "name", "arguments", "function", "type"))
_RESULT: KeptFields = {
    **dict.fromkeys(("tool_call_id", "name", "query", "total_hits", "content", "error")),
    "results": _PAGES,
}
_AGENT_STEP: KeptFields = {
    **dict.fromkeys(("iteration", "role", "content", "parsed_answer", "outcome", "model")),
    **dict.fromkeys(("timestamp", "started_at", "reasoning", "reasoning_content", "thinking")),
    **dict.fromkeys(("stop_reason", "finish_reason", "message_id", "error", "details")),
    **dict.fromkeys((*USAGE_BESIDE, "llm_calls")),
    "tool_calls": _CALL,
    "tool_results": _RESULT,
    "usage": KEPT_USAGE,
}
_OTHER_STEP: KeptFields = dict.fromkeys(("iteration", "role", "timestamp", "started_at"))
_PROMPT: KeptFields = {**_OTHER_STEP, "content": None}
_ROW: KeptFields = {
    **dict.fromkeys(("id", "question", "answer", "iterations", "outcome", "error", "model")),
    "confidence": None,
    **dict.fromkeys((*_STARTED, *_FINISHED, *USAGE_BESIDE, "trajectory")),
    **dict.fromkeys(("agent", "agent_version", "system_prompt", "parameters", "tools", "details")),
    **dict.fromkeys(("ids", "prompt", "model_usage")),
    "citations": _PAGES,
    "search_history": _HISTORY,
    "usage": KEPT_USAGE,
}


class _Timed(BaseModel):
    timestamp: Any = None
    started_at: Any = None

    def at(self, notes: Notes) -> datetime | None:
        """The time of the entry."""
        told = self.started_at if self.timestamp is None else self.timestamp
        return values.read_timestamp(told, notes)


class _HistoryEntry(_Timed):
    """A search of the search history."""

    query: str
    num_results: Any = None
    results: Any = None
    total_hits: Any = None

    def search_results(self) -> values.SearchResults | None:
        """The results; None if not stated."""
        if "results" in self.model_fields_set:
            return values.read_hits({"results": self.results, "total_hits": self.total_hits})
        none_found = values.read_count(self.num_results) == 0
        return values.SearchResults((), 0) if none_found else None


class _Call(BaseModel):
    """A tool call; some agents put name and arguments under ``function``."""

    id: Any = None
    name: str
    arguments: Any = None

    @model_validator(mode="before")
    @classmethod
    def _unwrapped(cls, data: Any) -> Any:
        inner = data.get("function") if isinstance(data, dict) else None
        return {**inner, "id": data.get("id")} if isinstance(inner, dict) else data


class _Step(_Timed):
    """A step of the trajectory; tools are read only for steps made by the agent."""

    role: Any = None
    content: Any = None
    reasoning: Any = None
    reasoning_content: Any = None
    thinking: Any = None
    usage: Any = None
    model: Any = None
    message_id: Any = None
    stop_reason: Any = None
    finish_reason: Any = None
    error: Any = None
    llm_calls: Any = None
    details: Any = None
    tool_calls: Annotated[list[_Call], BeforeValidator(null_to_empty_list)] = []
    tool_results: Objects = []
    parsed_answer: MaybeObject = {}
    outcome: Any = None

    @model_validator(mode="before")
    @classmethod
    def _drop_tools_of_others(cls, data: Any) -> Any:
        if isinstance(data, dict) and data.get("role") in ("user", "system", "tool"):
            return {**data, "tool_calls": None, "tool_results": None}
        return data

    @property
    def is_by_agent(self) -> bool:
        """Whether the agent made the step."""
        return self.role not in ("user", "system", "tool")

    def turn(self, data: dict[str, Any], notes: Notes) -> ev.AgentTurn:
        """Model usage and reasoning; ``data`` is the unparsed step."""
        reasonings = (self.reasoning, self.reasoning_content, self.thinking)
        reasoning = next((text for text in reasonings if text), None)
        usage = _usage(data, notes, "trajectory[]")
        reason = self.stop_reason if self.finish_reason is None else self.finish_reason
        return ev.AgentTurn(
            message_id=values.read_short_text(self.message_id, notes, 200),
            model=values.read_model_name(self.model, notes),
            calls=values.read_count(self.llm_calls),
            reasoning=values.read_step_text(reasoning, notes),
            usage=None if usage.is_empty else usage,
            stop_reason=values.read_short_text(reason, notes, 200),
            error=values.read_short_text(self.error, notes, 2_000) or "",
            details=values.storable_object(self.details or {}, notes, "trajectory[].details"),
        )

    def calls(self) -> Iterator[ToolCall]:
        """The calls with their results; a result without a call implies one."""
        by_id = {
            result["tool_call_id"]: result
            for result in self.tool_results
            if isinstance(result.get("tool_call_id"), str)
        }
        for index, call in enumerate(self.tool_calls):
            result = by_id.get(call.id) if isinstance(call.id, str) else None
            if result is None and not by_id and len(self.tool_results) == len(self.tool_calls):
                result = self.tool_results[index]
            yield _tool_call(call.name, call.id, call.arguments, result)
        if not self.tool_calls:
            for result in self.tool_results:
                if isinstance(result.get("name"), str):
                    yield _tool_call(result["name"], result.get("tool_call_id"), None, result)


class _Row(BaseModel):
    """The validated fields of a row; other fields are read leniently from its data."""

    id: TaskId | None = None
    question: MaybeText = None
    trajectory: Annotated[list[_Step], BeforeValidator(null_to_empty_list)] = []
    search_history: Annotated[list[_HistoryEntry], BeforeValidator(null_to_empty_list)] = []


def _is_madqa(row: Mapping[str, Any]) -> bool:
    result_fields = ("answer", "citations", "search_history", "trajectory", "iterations")
    return ("id" in row or "question" in row) and any(name in row for name in result_fields)


def _read_row(number: int, data: dict[str, Any], tools: SearchTools) -> RunRecord:
    """The run in a row; ``number`` is its line.

    Raises:
        ValueError: the row is invalid; names the field and the problem.
    """
    try:
        row = _Row.model_validate(data)
    except ValidationError as error:
        raise ValueError(describe(error)) from error
    notes = Notes()
    last_step = row.trajectory[-1] if row.trajectory else _Step()
    fields = data if "answer" in data else last_step.parsed_answer
    failed = values.read_error_message(data.get("error"))
    if "answer" not in fields and failed is None:
        raise ValueError("answer: is missing")
    answer = values.read_answers(fields.get("answer"), notes)
    citations = values.read_citations(
        data.get("citations", last_step.parsed_answer.get("citations")), notes
    )
    steps = _run_steps(row, data, notes, tools)
    outcome = last_step.outcome if "outcome" in last_step.model_fields_set else data.get("outcome")
    return RunRecord(
        record=number,
        task=row.id or "",
        question=row.question,
        answer=answer,
        outcome=read_outcome(outcome, answer, notes),
        citations=citations,
        steps=steps.all_steps("trajectory"),
        model=values.read_model_name(data.get("model"), notes),
        iterations=_iterations(data.get("iterations"), notes),
        confidence=values.read_confidence(
            data.get("confidence", last_step.parsed_answer.get("confidence")), notes
        ),
        started=values.first_timestamp(data, _STARTED, notes),
        finished=values.first_timestamp(data, _FINISHED, notes) or last_step.at(notes),
        # A row without trajectory and search history may omit its searches.
        results_known=steps.results_known() and ("trajectory" in data or "search_history" in data),
        failed=failed,
        about=_run_details(row, data, notes),
        madqa_row=data,
        notes=notes.all(),
        not_kept=notes.not_kept.counts(),
    )


def _run_details(row: _Row, data: dict[str, Any], notes: Notes) -> RunDetails:
    """Agent, prompts and totals; counts all fields of the row that are not kept."""
    notes.not_kept.add_unkept(data, _ROW)
    prompts: dict[str, str] = {}
    for step, data_of_step in zip(row.trajectory, data.get("trajectory") or (), strict=True):
        role = str(step.role)
        if step.is_by_agent:
            notes.not_kept.add_unkept(data_of_step, _AGENT_STEP, "trajectory[]")
        elif role in ("system", "user") and role not in prompts:
            prompts[role] = values.read_prompt(step.content, notes, f"the {role} prompt")
            notes.not_kept.add_unkept(data_of_step, _PROMPT, "trajectory[]")
        else:
            notes.not_kept.add_unkept(data_of_step, _OTHER_STEP, f"trajectory[role={role[:20]}]")
    ids = data.get("ids")
    id_items = ids.items() if isinstance(ids, dict) else ()
    return RunDetails(
        agent=values.read_short_text(data.get("agent"), notes),
        agent_version=values.read_short_text(data.get("agent_version"), notes),
        parameters=values.storable_object(data.get("parameters") or {}, notes, "parameters"),
        tools=values.read_tool_definitions(data.get("tools"), notes, "tools"),
        system_prompt=values.read_prompt(data.get("system_prompt"), notes, "the system prompt")
        or prompts.get("system", ""),
        prompt=values.read_prompt(data.get("prompt"), notes, "the prompt")
        or prompts.get("user", ""),
        ids={
            storable_text(name, notes)[:100]: text
            for name, value in list(id_items)[:_MAX_IDS]
            if (text := values.read_short_text(value, notes)) is not None
        },
        totals=_totals(data, notes),
        details=values.storable_object(data.get("details") or {}, notes, "details"),
    )


def _totals(data: dict[str, Any], notes: Notes) -> tuple[ev.ModelTotal, ...]:
    """The usage of the whole run, by model if stated."""
    by_model = data.get("model_usage")
    if isinstance(by_model, dict) and by_model:
        if len(by_model) > MAX_TOTALS:
            notes.not_kept.add("model_usage", len(by_model) - MAX_TOTALS)
        return tuple(
            ev.ModelTotal(
                model=values.read_model_name(name, notes),
                usage=read_usage(usage, notes, "model_usage"),
            )
            for name, usage in list(by_model.items())[:MAX_TOTALS]
        )
    usage = _usage(data, notes, "")
    return () if usage.is_empty else (ev.ModelTotal(usage=usage),)


def _usage(data: dict[str, Any], notes: Notes, prefix: str) -> ev.ModelUsage:
    """The usage of a row or step, including what is written next to it."""
    usage = usage_of(data, data.get("usage"))
    return read_usage(usage, notes, f"{prefix}.usage" if prefix else "usage")


def read_outcome(value: Any, answer: tuple[str, ...], notes: Notes) -> ev.Outcome:
    """The outcome as stated, unless the answer contradicts it."""
    outcome_in_file = next((outcome for outcome in _OUTCOMES if outcome == value), None)
    if answer:
        if outcome_in_file not in (None, "answered"):
            notes.add(f"its outcome is {outcome_in_file}, but it has an answer, which counts")
        return "answered"
    return (
        outcome_in_file
        if outcome_in_file is not None and outcome_in_file != "answered"
        else "not_found"
    )


def _run_steps(row: _Row, data: dict[str, Any], notes: Notes, tools: SearchTools) -> RunSteps:
    steps, history = RunSteps(notes, tools), RunSteps(notes)
    for step, data_of_step in zip(row.trajectory, data.get("trajectory") or (), strict=True):
        if step.is_by_agent:
            text, details = values.join_text_parts(step.content), step.turn(data_of_step, notes)
            steps.turn(text, list(step.calls()), step.at(notes), details)
    for entry in row.search_history:
        total = values.read_count(entry.total_hits)
        history.search(None, entry.query, entry.search_results(), entry.at(notes), total)
    step_searches, history_searches = steps.searches(), history.searches()
    if not step_searches or not history_searches:
        # The order of steps without searches and the searches of the history is unknown.
        steps.prepend([] if step_searches else history.steps)
    elif [search.query for _, search in step_searches] != [
        search.query for _, search in history_searches
    ]:
        notes.add(
            f"search_history ({len(history_searches):,} searches) and trajectory "
            f"({len(step_searches):,}) differ; the trajectory counts"
        )
    else:
        for (index, search), (history_index, history_search) in zip(
            step_searches, history_searches, strict=True
        ):
            joined = _merged_search(search, history_search)
            at = steps.steps[index].at or history.steps[history_index].at
            steps.steps[index] = RunStep(joined, at)
    return steps


def _merged_search(search: ev.Searched, entry: ev.Searched) -> ev.Searched:
    results = search.results or entry.results
    total = entry.total_hits if search.total_hits is None else search.total_hits
    update = {"results": results, "total_hits": plausible_total(total, results)}
    return search.model_copy(update=update)


def _tool_call(name: str, id_: Any, arguments: Any, result: dict[str, Any] | None) -> ToolCall:
    content = None if result is None else result.get("content")
    error = None if result is None else result.get("error")
    reply, failed = values.read_reply(content), error if isinstance(error, str) else ""
    if not is_shared_tool(name):
        if reply is None and result is not None and "results" in result:
            reply = values.read_reply(result["results"])
        return ToolCall(name, id_, arguments, reply=reply, error=failed)
    query, result_pages = query_argument(arguments), None
    if result is not None:
        # Without a query in the arguments, the result may name it.
        result_query = result.get("query")
        query = result_query if query is None and isinstance(result_query, str) else query
        result_pages = values.read_hits(result if "results" in result else result.get("content"))
    return ToolCall(
        name, id_, arguments, query, result_pages, takes_text=False, reply=reply, error=failed
    )


def _iterations(value: Any, notes: Notes) -> int | None:
    number = values.read_count(value)
    if number is None and value is not None:
        notes.add("its iterations are not a whole number of 0 or more and are ignored")
    return number


FORMAT = RowFormat("madqa", _is_madqa, _read_row, lambda row: row.get("id"))
