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
from datetime import datetime
from pathlib import Path
from typing import Any

from pagetrail.annotation import events as ev
from pagetrail.annotation.errors import PagetrailError
from pagetrail.annotation.runs.record import MAX_STEPS, RunRecord, RunStep
from pagetrail.storage.importers.files.json_positions import loads
from pagetrail.storage.importers.files.rows import RowError, refuse
from pagetrail.storage.importers.files.zip_members import Member, is_zip, members
from pagetrail.storage.importers.runs import values as values
from pagetrail.storage.importers.runs.final_answer import Final, final, handed_in, structured
from pagetrail.storage.importers.runs.json_objects import MAX_WHOLE_BYTES
from pagetrail.storage.importers.runs.madqa import stamp
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
    samples = _archived(path) if is_zip(path) else _listed(path)
    for place, model, data in samples:
        if isinstance(data, str):
            yield place, None, RowError(place, data)
            continue
        shown = values.shown_id(_task(data))
        try:
            sample = library.EvalSample.model_validate(data)
            sample = library.resolve_sample_attachments(sample, "core")
        except _UNFIT as error:
            yield place, shown, RowError(place, f"is not a sample of Inspect: {_first_line(error)}")
            continue
        try:
            yield place, shown, _record(place, data, sample, model)
        except ValueError as error:
            yield place, shown, RowError(place, str(error))


def _library() -> Any:
    # Imported when a log is read: it takes more than a second, and is an extra.
    try:
        return importlib.import_module("inspect_ai.log")
    except ImportError as error:
        raise PagetrailError(
            "Logs of Inspect need the package inspect-ai, which is not installed: "
            "pip install pagetrail[inspect]",
            code="missing_extra",
        ) from error


_Sample = tuple[int, str | None, dict[str, Any] | str]
"""Place, model, and the sample's data or what is wrong with it."""


def _archived(path: Path) -> Iterator[_Sample]:
    # Inspect's package brings the compression that its logs use, and with it another error.
    broken = (importlib.import_module("zstandard").ZstdError,)
    model = None
    for member in members(path, lambda name: name in _HEADERS, broken):
        header = _data(member)
        if isinstance(header, dict):
            model = model or _model(header)
    found = False
    for member in members(path, _is_sample, broken):
        found = True
        yield member.place, model, _data(member)
    if not found:
        refuse(path, "holds no samples.")


def _is_sample(name: str) -> bool:
    return name.startswith(_SAMPLES) and name.endswith(".json")


def _data(member: Member) -> dict[str, Any] | str:
    if member.data is None:
        return member.problem
    try:
        data = loads(member.data.decode("utf-8"))
    except ValueError as error:
        return f"is not JSON: {error}"
    return data if isinstance(data, dict) else "is not a JSON object"


def _listed(path: Path) -> Iterator[_Sample]:
    if path.stat().st_size > MAX_WHOLE_BYTES:
        refuse(path, f"has more than {MAX_WHOLE_BYTES // 2**20} MiB. Convert it to .eval.")
    try:
        log = loads(path.read_text(encoding="utf-8-sig"))
    except UnicodeDecodeError as error:
        refuse(path, f"is not UTF-8 at byte {error.start + 1:,}.")
    except ValueError as error:
        refuse(path, f"is not JSON: {error}.")
    samples = log.get("samples") if isinstance(log, dict) else None
    if not isinstance(samples, list) or not samples:
        refuse(path, "holds no samples.")
    for place, data in enumerate(samples, start=1):
        yield place, _model(log), data if isinstance(data, dict) else "is not a JSON object"


def _model(header: dict[str, Any]) -> str | None:
    spec = header.get("eval")
    model = spec.get("model") if isinstance(spec, dict) else None
    return values.tidy(model, Notes())[:1_000] if isinstance(model, str) and model else None


def _task(data: dict[str, Any]) -> Any:
    metadata = data.get("metadata")
    named = metadata.get("task_id") if isinstance(metadata, dict) else None
    return data.get("id") if named is None else named


def _record(place: int, data: dict[str, Any], sample: Any, model: str | None) -> RunRecord:
    notes = Notes()
    task = values.task_id(_task(data))
    steps = _from_events(sample, notes) or _from_messages(sample, notes)
    if len(steps) > MAX_STEPS:
        raise ValueError(f"events: {len(steps):,} steps are too many; {MAX_STEPS:,} are allowed")
    failed = None if sample.error is None else str(sample.error.message)[:300] or "no message"
    answer = Final() if failed else _final(sample, notes)
    searches = [step.payload for step in steps if isinstance(step.payload, ev.Searched)]
    return RunRecord(
        record=place,
        task=task,
        answer=answer.answer,
        outcome=answer.outcome,
        citations=answer.citations,
        steps=tuple(steps),
        model=model,
        started=_stamp(sample.started_at, notes),
        finished=_stamp(sample.completed_at, notes),
        results_known=values.known(searches),
        failed=failed,
        notes=notes.all(),
    )


def _from_events(sample: Any, notes: Notes) -> list[RunStep]:
    steps = []
    ids = values.SearchIds()
    for event in sample.events:
        if event.event == "model":
            text = event.output.message.text if event.output.choices else ""
            if text.strip():
                at = event.completed or event.timestamp
                steps.append(RunStep(values.step(text, None, None, notes), _stamp(at, notes)))
        elif event.event == "tool":
            made = _called(ids, event.id, event.function, event.arguments, event.result, notes)
            steps.append(RunStep(made, _stamp(event.timestamp, notes)))
    return steps


def _from_messages(sample: Any, notes: Notes) -> list[RunStep]:
    steps = []
    ids = values.SearchIds()
    results = {m.tool_call_id: m.content for m in sample.messages if m.role == "tool"}
    for message in sample.messages:
        if message.role != "assistant":
            continue
        if message.text.strip():
            steps.append(RunStep(values.step(message.text, None, None, notes)))
        for call in message.tool_calls or []:
            made = _called(ids, call.id, call.function, call.arguments, results.get(call.id), notes)
            steps.append(RunStep(made))
    return steps


def _called(
    ids: values.SearchIds, id_: str, tool: str, arguments: Any, result: Any, notes: Notes
) -> ev.Searched | ev.AgentStep:
    query = values.query_of(arguments) if values.is_search(tool) else None
    if query is None:
        return values.step("", tool, arguments, notes)
    if isinstance(result, list):
        result = "\n".join(getattr(part, "text", "") for part in result)
    return values.search(ids.next(id_), query, values.hits(result), notes)


def _final(sample: Any, notes: Notes) -> Final:
    said = sample.output.completion
    store = sample.store
    if structured(said) is not None:
        return final(said, notes, store.get("citations"))
    given = _handed_in(sample)
    if given is not None:
        return final(given, notes, store.get("citations"))
    if "answer" in store:
        return final({"answer": store["answer"]}, notes, store.get("citations"))
    scored = (score.answer for score in (sample.scores or {}).values())
    taken = next((answer for answer in scored if answer and answer.strip()), None)
    return final(taken or said or None, notes, store.get("citations"))


def _handed_in(sample: Any) -> dict[str, Any] | None:
    """What the last call of a tool of handing in gave."""
    calls = [(e.function, e.arguments) for e in sample.events if e.event == "tool"] or [
        (call.function, call.arguments)
        for message in sample.messages
        if message.role == "assistant"
        for call in message.tool_calls or []
    ]
    given = (handed_in(tool, arguments) for tool, arguments in reversed(calls))
    return next((found for found in given if found is not None), None)


def _stamp(value: str | datetime | None, notes: Notes) -> datetime | None:
    return None if value is None else stamp(value, notes)


def _first_line(error: Exception) -> str:
    errors = getattr(error, "errors", None)
    if callable(errors):
        problem = errors(include_url=False, include_input=False)[0]
        return f"{'.'.join(map(str, problem['loc']))}: {problem['msg']}"
    lines = str(error).splitlines()
    return lines[0][:200] if lines else type(error).__name__
