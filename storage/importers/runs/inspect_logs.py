"""Logs of Inspect AI, ``.eval`` archives and their JSON form: one sample a task.

The task's id is the sample's ``metadata.task_id`` where it has one, else the sample's own id. The
answer is what the model said last, read as JSON with ``answer`` and ``citations`` where it is
that; else ``answer`` and ``citations`` of the sample's store, else the answer that a scorer took
out of the text, else the text. A sample's metadata come from the dataset and may hold the right
answer: none is ever read from there.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from pagetrail.annotation.errors import PagetrailError
from pagetrail.annotation.extras import install_command
from pagetrail.annotation.readable_errors import describe
from pagetrail.annotation.runs.record import RunRecord
from pagetrail.annotation.tasks.task import read_task
from pagetrail.storage.importers.files.json_rows import MAX_WHOLE_BYTES, loads_lenient, read_whole
from pagetrail.storage.importers.files.rows import RowError, refuse
from pagetrail.storage.importers.files.zip_members import Member, is_zip, members
from pagetrail.storage.importers.runs import values
from pagetrail.storage.importers.runs.final_answer import Final, final, structured, submitted
from pagetrail.storage.importers.runs.steps import (
    RunSteps,
    ToolCall,
    is_search,
    query_of,
    repeats_the_answer,
)
from pagetrail.storage.importers.runs.values import Notes

_SAMPLES = "samples/"
_HEADERS = ("header.json", "_journal/start.json")

_UNFIT = (ValueError, TypeError, KeyError, AttributeError, IndexError, RecursionError)
"""What Inspect's own models raise on data that was never a log; a ValidationError is the first."""


def is_inspect(row: dict[str, Any]) -> bool:
    """Whether an object looks like a log in JSON form."""
    spec = row.get("eval")
    return isinstance(spec, dict) and ("model" in spec or "task" in spec) and "status" in row


def holds_samples(names: list[str]) -> bool:
    """Whether an archive of these members looks like a log."""
    return any(name in _HEADERS or name.startswith(_SAMPLES) for name in names)


def read_log(path: Path) -> Iterator[tuple[int, str | None, RunRecord | RowError]]:
    """The samples in the order of the log: place, task's id as shown, and the run.

    Raises:
        PagetrailError: inspect_ai is not installed (code ``missing_extra``).
        InputFileError: the file is damaged as a whole.
    """
    library = _library()
    samples = _samples_in_archive(path) if is_zip(path) else _samples_in_json(path)
    for place, model, data in samples:
        if isinstance(data, str):
            yield place, None, RowError(place, data)
            continue
        shown = values.shown_id(_task_of(data))
        try:
            sample = library.EvalSample.model_validate(data)
            sample = library.resolve_sample_attachments(sample, "core")
        except _UNFIT as error:
            yield place, shown, RowError(place, f"is not a sample of Inspect: {_why_unfit(error)}")
            continue
        try:
            yield place, shown, _run_record(place, data, sample, model)
        except ValueError as error:
            yield place, shown, RowError(place, str(error))


def _library() -> Any:
    # Imported when a log is read: it takes more than a second, and is an extra.
    try:
        return importlib.import_module("inspect_ai.log")
    except ImportError as error:
        raise PagetrailError(
            "Logs of Inspect need the package inspect-ai. Install it with: "
            f"{install_command('inspect')}",
            code="missing_extra",
        ) from error


_Sample = tuple[int, str | None, dict[str, Any] | str]
"""Place, model, and the sample's data or what is wrong with it."""


def _samples_in_archive(path: Path) -> Iterator[_Sample]:
    # Inspect's package brings the compression that its logs use, and with it another error.
    broken = (importlib.import_module("zstandard").ZstdError,)
    model = None
    for member in members(path, lambda name: name in _HEADERS, broken):
        header = _sample_data(member)
        if isinstance(header, dict):
            model = model or _model_of_header(header)
    found = False
    for member in members(path, _is_sample, broken):
        found = True
        yield member.place, model, _sample_data(member)
    if not found:
        refuse(path, "holds no samples.")


def _is_sample(name: str) -> bool:
    return name.startswith(_SAMPLES) and name.endswith(".json")


def _sample_data(member: Member) -> dict[str, Any] | str:
    if member.data is None:
        return member.problem
    try:
        data = loads_lenient(member.data.decode("utf-8"))
    except ValueError as error:
        return f"is not JSON: {error}"
    return data if isinstance(data, dict) else "is not a JSON object"


def _samples_in_json(path: Path) -> Iterator[_Sample]:
    if path.stat().st_size > MAX_WHOLE_BYTES:
        refuse(path, f"has more than {MAX_WHOLE_BYTES // 2**20} MiB. Convert it to .eval.")
    log = read_whole(path, loads_lenient)
    samples = log.get("samples") if isinstance(log, dict) else None
    if not isinstance(samples, list) or not samples:
        refuse(path, "holds no samples.")
    for place, data in enumerate(samples, start=1):
        yield (
            place,
            _model_of_header(log),
            data if isinstance(data, dict) else "is not a JSON object",
        )


def _model_of_header(header: dict[str, Any]) -> str | None:
    spec = header.get("eval")
    return values.model_name(spec.get("model"), Notes()) if isinstance(spec, dict) else None


def _task_of(data: dict[str, Any]) -> Any:
    metadata = data.get("metadata")
    named = metadata.get("task_id") if isinstance(metadata, dict) else None
    return data.get("id") if named is None else named


def _run_record(place: int, data: dict[str, Any], sample: Any, model: str | None) -> RunRecord:
    notes = Notes()
    task = read_task({"id": _task_of(data), "question": "?"}).id
    by_events, by_messages = list(_events(sample)), list(_messages(sample))
    steps = RunSteps(notes)
    for move, at in by_events or by_messages:
        when = values.stamp(at, notes)
        if isinstance(move, ToolCall):
            steps.call(move, when)
        else:
            steps.write(move, when)
    made = steps.done("events")
    failed = None if sample.error is None else str(sample.error.message)[:300] or "no message"
    calls = _tool_calls(by_events) or _tool_calls(by_messages)
    answer = Final() if failed else _final_answer(sample, calls, notes)
    return RunRecord(
        record=place,
        task=task,
        answer=answer.answer,
        outcome=answer.outcome,
        citations=answer.citations,
        steps=made,
        model=model,
        started=values.stamp(sample.started_at, notes),
        finished=values.stamp(sample.completed_at, notes),
        results_known=steps.results_known(),
        failed=failed,
        notes=notes.all(),
    )


_Move = tuple[str | ToolCall, Any]
"""What the model wrote, or a call of a tool; and when."""


def _events(sample: Any) -> Iterator[_Move]:
    for event in sample.events:
        if event.event == "model":
            text = event.output.message.text if event.output.choices else ""
            if text.strip():
                yield text, event.completed or event.timestamp
        elif event.event == "tool":
            call = _tool_call(event.id, event.function, event.arguments, event.result)
            yield call, event.timestamp


def _messages(sample: Any) -> Iterator[_Move]:
    results = {m.tool_call_id: m.content for m in sample.messages if m.role == "tool"}
    for message in sample.messages:
        if message.role != "assistant" or repeats_the_answer(message.metadata):
            continue
        if message.text.strip():
            yield message.text, None
        for call in message.tool_calls or []:
            yield _tool_call(call.id, call.function, call.arguments, results.get(call.id)), None


def _tool_calls(moves: list[_Move]) -> list[ToolCall]:
    return [move for move, _ in moves if isinstance(move, ToolCall)]


def _tool_call(id_: str, tool: str, arguments: Any, result: Any) -> ToolCall:
    query = query_of(arguments) if is_search(tool) else None
    if isinstance(result, list):
        result = "\n".join(getattr(part, "text", "") for part in result)
    return ToolCall(tool, id_, arguments, query, None if query is None else values.hits(result))


def _final_answer(sample: Any, calls: list[ToolCall], notes: Notes) -> Final:
    said, store = sample.output.completion, sample.store
    given: Any = said
    if structured(said) is None:
        last = (submitted(call.name, call.arguments) for call in reversed(calls))
        given = next(filter(None, last), None)
        if given is None and "answer" in store:
            given = {"answer": store["answer"]}
        elif given is None:
            scored = (score.answer for score in (sample.scores or {}).values())
            given = next((text for text in scored if text and text.strip()), None) or said or None
    return final(given, notes, store.get("citations"))


def _why_unfit(error: Exception) -> str:
    if isinstance(error, ValidationError):
        return describe(error)
    lines = str(error).splitlines()
    return lines[0][:200] if lines else type(error).__name__
