"""Logs of Inspect AI, as ``.eval`` archives or JSON: one sample per task.

The task's id is the sample's ``metadata.task_id``, else the sample's own id. The answer is the
model's last output if it is JSON with ``answer`` and ``citations``; else ``answer`` and
``citations`` of the sample's store, else the answer extracted by a scorer, else the output text.
Answers are never read from a sample's metadata, which come from the dataset and may contain the
correct answer.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from pagetrail.annotation import events as ev
from pagetrail.annotation.errors import PagetrailError
from pagetrail.annotation.events.agents import MAX_TOTALS
from pagetrail.annotation.extras import install_command
from pagetrail.annotation.messages import gettext
from pagetrail.annotation.readable_errors import describe
from pagetrail.annotation.runs.record import RunDetails, RunRecord
from pagetrail.storage.attempts.run_originals import Original
from pagetrail.storage.importers.files.field_types import object_or_empty
from pagetrail.storage.importers.files.json_rows import (
    MAX_WHOLE_BYTES,
    json_bytes,
    loads_lenient,
    read_json,
)
from pagetrail.storage.importers.files.rows import RowError, refuse
from pagetrail.storage.importers.files.zip_members import Member, is_zip, read_members
from pagetrail.storage.importers.runs import values
from pagetrail.storage.importers.runs.final_answer import (
    FinalAnswer,
    find_answer_object,
    read_final_answer,
    submission_of,
)
from pagetrail.storage.importers.runs.inspect_turns import (
    EVAL_FIELDS,
    SAMPLE_DETAILS,
    count_unkept,
    scored_by_model,
    system_prompt,
    tools_of_events,
    turns_of_events,
    turns_of_messages,
    user_prompt,
)
from pagetrail.storage.importers.runs.search_tools import SearchTools
from pagetrail.storage.importers.runs.steps import (
    FINAL_ANSWER,
    RunSteps,
    ToolCall,
    is_final_answer_copy,
)
from pagetrail.storage.importers.runs.usage_fields import read_usage
from pagetrail.storage.importers.runs.values import Notes

_SAMPLES = "samples/"
_PER_SAMPLE_FIELDS = ("samples", "reductions", "results")
"""Fields of a log in JSON form with data per sample, not part of the header."""
_HEADERS = ("header.json", "_journal/start.json")

_VALIDATION_CONTEXT = {"deserializing": True}
"""Keeps Inspect's models from generating ids for messages without one."""

_INVALID_SAMPLE = (ValueError, TypeError, KeyError, AttributeError, IndexError, RecursionError)
"""Raised by Inspect's models for invalid data; ValidationError is a ValueError."""


def is_inspect(row: dict[str, Any]) -> bool:
    """Whether an object looks like a log in JSON form."""
    spec = row.get("eval")
    return isinstance(spec, dict) and ("model" in spec or "task" in spec) and "status" in row


def holds_samples(names: list[str]) -> bool:
    """Whether an archive with these members looks like a log."""
    return any(name in _HEADERS or name.startswith(_SAMPLES) for name in names)


@dataclass(frozen=True)
class ReadSample:
    """A sample of a log.

    Attributes:
        number: 1-based position in the log.
        task: the task's id as shown in reports.
        originals: the unparsed sample and the log's header.
        planned: number of samples that the evaluation was to have, if its log says so.
    """

    number: int
    task: str | None
    run: RunRecord | RowError
    originals: tuple[Original, ...] = ()
    planned: int | None = None


def read_log(path: Path, tools: SearchTools) -> Iterator[ReadSample]:
    """The samples in the order of the log.

    Raises:
        PagetrailError: inspect_ai is not installed (code ``missing_extra``).
        InputFileError: the file is damaged as a whole.
    """
    inspect_log = _import_inspect()
    samples = _samples_in_archive(path) if is_zip(path) else _samples_in_json(path)
    for number, header, data, raw in samples:
        if isinstance(data, str):
            yield ReadSample(number, None, RowError(number, data), planned=header.planned)
            continue
        task_id = values.printable_id(_task_id(data))
        try:
            sample = inspect_log.EvalSample.model_validate(data, context=_VALIDATION_CONTEXT)
            sample = inspect_log.resolve_sample_attachments(sample, "core")
        except _INVALID_SAMPLE as error:
            reason = f"is not a sample of Inspect: {_first_line(error)}"
            yield ReadSample(number, task_id, RowError(number, reason), planned=header.planned)
            continue
        try:
            run = _run_record(number, data, sample, header, tools)
        except ValueError as error:
            bad = RowError(number, str(error))
            yield ReadSample(number, task_id, bad, planned=header.planned)
            continue
        original = Original("row", json_bytes(data) if raw is None else raw)
        yield ReadSample(number, task_id, run, (original, *header.originals), header.planned)


def _import_inspect() -> Any:
    # Imported only when needed: it is an optional package and takes more than a second.
    try:
        return importlib.import_module("inspect_ai.log")
    except ImportError as error:
        raise PagetrailError(
            gettext(
                "Logs of Inspect need the package inspect-ai. Install it with: {install_command}",
                install_command=install_command("inspect"),
            ),
            code="missing_extra",
        ) from error


@dataclass(frozen=True)
class _Header:
    """The header of a log; ``raw`` is empty if there is none."""

    data: dict[str, Any]
    raw: bytes = b""

    @property
    def originals(self) -> tuple[Original, ...]:
        """The header as it is stored."""
        return (Original("header", self.raw),) if self.raw else ()

    @property
    def spec(self) -> dict[str, Any]:
        """The evaluated task and model."""
        spec = self.data.get("eval")
        return spec if isinstance(spec, dict) else {}

    @property
    def planned(self) -> int | None:
        """Number of samples of the whole evaluation, in all epochs; None if it is not stated."""
        sample_ids = object_or_empty(self.spec.get("dataset")).get("sample_ids")
        if isinstance(sample_ids, list) and sample_ids:
            epochs = object_or_empty(self.spec.get("config")).get("epochs")
            return len(sample_ids) * (epochs if isinstance(epochs, int) and epochs > 0 else 1)
        total = object_or_empty(self.data.get("results")).get("total_samples")
        return total if isinstance(total, int) else None

    @property
    def model(self) -> str | None:
        """The model's name."""
        return values.read_model_name(self.spec.get("model"), Notes())


_Sample = tuple[int, _Header, dict[str, Any] | str, bytes | None]
"""Number, header, the sample's data or the problem with it, and its bytes in the file."""


def _samples_in_archive(path: Path) -> Iterator[_Sample]:
    # Zstandard, which logs use, comes with Inspect's package and has its own exception.
    damage_errors = (importlib.import_module("zstandard").ZstdError,)
    header = _Header({})
    for member in read_members(path, lambda name: name in _HEADERS, damage_errors):
        data = _sample_data(member)
        # A finished log has a header, which is more complete than the start of its journal.
        if isinstance(data, dict) and not (header.model and member.name != _HEADERS[0]):
            header = _Header(data, member.data or b"")
    has_samples = False
    for member in read_members(path, _is_sample, damage_errors):
        has_samples = True
        yield member.number, header, _sample_data(member), member.data
    if not has_samples:
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
        refuse(path, f"is larger than {MAX_WHOLE_BYTES // 2**20} MiB. Convert it to .eval.")
    log = read_json(path, loads_lenient)
    samples = log.get("samples") if isinstance(log, dict) else None
    if not isinstance(samples, list) or not samples:
        refuse(path, "holds no samples.")
    rest = {name: value for name, value in log.items() if name not in _PER_SAMPLE_FIELDS}
    header = _Header(rest, json_bytes(rest))
    for number, data in enumerate(samples, start=1):
        yield number, header, data if isinstance(data, dict) else "is not a JSON object", None


def _task_id(data: dict[str, Any]) -> Any:
    metadata = data.get("metadata")
    task_id = metadata.get("task_id") if isinstance(metadata, dict) else None
    return data.get("id") if task_id is None else task_id


def _run_record(
    number: int,
    data: dict[str, Any],
    sample: Any,
    header: _Header,
    tools: SearchTools,
) -> RunRecord:
    notes = Notes()
    task = values.check_task_id(_task_id(data))
    model = header.model
    turns = list(turns_of_events(sample, model, notes))
    if not any(turn.has_content for turn in turns):
        turns = list(turns_of_messages(sample, model, notes))
    steps = RunSteps(notes, tools)
    for turn in turns:
        at = values.read_timestamp(turn.at, notes)
        steps.begin_turn(at, turn.details)
        if turn.text.strip():
            steps.write(turn.text, at)
        for call, called_at in turn.calls:
            steps.call(call, values.read_timestamp(called_at, notes))
    run_steps = steps.all_steps("events")
    failed = None if sample.error is None else str(sample.error.message)[:300] or "no message"
    calls = [call for turn in turns for call, _ in turn.calls]
    answer = FinalAnswer() if failed else _final_answer(sample, calls, notes)
    return RunRecord(
        record=number,
        task=task,
        # Inspect numbers the samples of a dataset without ids.
        weak_id=isinstance(_task_id(data), int),
        epoch=sample.epoch,
        answer=answer.answer,
        outcome=answer.outcome,
        citations=answer.citations,
        confidence=answer.confidence,
        steps=run_steps,
        model=model,
        started=values.read_timestamp(sample.started_at, notes),
        finished=values.read_timestamp(sample.completed_at, notes),
        results_known=steps.results_known(),
        failed=failed,
        about=_run_details(data, sample, header, notes),
        notes=notes.all(),
        not_kept=notes.not_kept.counts(),
    )


def _run_details(data: dict[str, Any], sample: Any, header: _Header, notes: Notes) -> RunDetails:
    """Agent, prompts and totals; counts all fields of the sample that are not kept."""
    count_unkept(data, notes)
    spec, plan = header.spec, header.data.get("plan")
    parameters = {name: spec[name] for name in EVAL_FIELDS if spec.get(name)}
    if isinstance(plan, dict):
        parameters["plan"] = plan
    commit = spec["revision"].get("commit") if isinstance(spec.get("revision"), dict) else None
    ids = {name: spec.get(name) for name in ("eval_id", "run_id")} | {"uuid": sample.uuid}
    message_metadata = sample.output.message.metadata if sample.output.choices else None
    details: dict[str, Any] = FINAL_ANSWER if is_final_answer_copy(message_metadata) else {}
    details = details | {
        name: data[name] for name in SAMPLE_DETAILS if data.get(name) not in (None, {})
    }
    return RunDetails(
        agent=values.read_short_text(spec.get("solver"), notes)
        or values.read_short_text(spec.get("task"), notes),
        agent_version=values.read_short_text(spec.get("task_version") or commit, notes),
        parameters=values.storable_object(parameters, notes, "eval"),
        tools=tools_of_events(sample, notes),
        system_prompt=values.read_prompt(system_prompt(sample), notes, "the system prompt"),
        prompt=values.read_prompt(user_prompt(sample), notes, "the user prompt"),
        ids=values.read_ids(ids, notes),
        totals=() if scored_by_model(sample) else _totals(sample, notes),
        details=values.storable_object(details, notes, "sample"),
    )


def _totals(sample: Any, notes: Notes) -> tuple[ev.ModelTotal, ...]:
    usage_by_model = list(sample.model_usage.items())
    if len(usage_by_model) > MAX_TOTALS:
        notes.not_kept.add("model_usage", len(usage_by_model) - MAX_TOTALS)
    return tuple(
        ev.ModelTotal(
            model=values.read_model_name(name, notes),
            usage=read_usage(usage.model_dump(exclude_unset=True), notes, "model_usage"),
        )
        for name, usage in usage_by_model[:MAX_TOTALS]
    )


def _final_answer(sample: Any, calls: list[ToolCall], notes: Notes) -> FinalAnswer:
    completion, store = sample.output.completion, sample.store
    submission: Any = completion
    if find_answer_object(completion) is None:
        submissions = (submission_of(call.name, call.arguments) for call in reversed(calls))
        submission = next(filter(None, submissions), None)
        if submission is None and "answer" in store:
            submission = {name: store[name] for name in ("answer", "outcome") if name in store}
        elif submission is None:
            scorer_answers = (score.answer for score in (sample.scores or {}).values())
            submission = (
                next((text for text in scorer_answers if text and text.strip()), None)
                or completion
                or None
            )
    return read_final_answer(submission, notes, store)


def _first_line(error: Exception) -> str:
    if isinstance(error, ValidationError):
        return describe(error)
    lines = str(error).splitlines()
    return lines[0][:200] if lines else type(error).__name__
