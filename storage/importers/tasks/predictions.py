"""Predicted answers in an import: joined to their questions, then one blind task each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainValidator,
    ValidationError,
    model_validator,
)

from pagetrail.annotation.errors import ConflictError
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.annotation.readable_errors import describe
from pagetrail.annotation.tasks.blinding import numbered, spread
from pagetrail.annotation.tasks.task import TaskId, TaskRecord, clean_control, read_task
from pagetrail.storage.database.storable_text import printable
from pagetrail.storage.importers.files.field_types import answer_text
from pagetrail.storage.importers.files.kept_fields import (
    KeptFields,
    count_unkept_columns,
    format_counts,
)
from pagetrail.storage.importers.files.row_files import read_task_file
from pagetrail.storage.importers.files.rows import ParsedTask, refuse

MAX_SYSTEM = 200
MAX_PREDICTIONS = 999
_LISTED = 5
_RESULT: KeptFields = dict.fromkeys(("id", "answer", "question"))


def _require_object(data: Any) -> Any:
    if not isinstance(data, dict):
        raise ValueError('must be an object such as {"system": "x", "answer": "y"}')
    return data


def _system_name(system: Any) -> str:
    if not isinstance(system, str) or not system.strip():
        raise ValueError("a system needs a name")
    if len(system) > MAX_SYSTEM or clean_control(system)[1]:
        raise ValueError(f"a system's name has at most {MAX_SYSTEM} visible characters")
    return system


def _answer(answer: Any) -> str | list[str] | None:
    if isinstance(answer, list):
        return [clean_control(answer_text(item))[0] for item in answer if item is not None]
    return None if answer is None else clean_control(answer_text(answer))[0]


def _by_system(predictions: Any) -> Any:
    if not isinstance(predictions, dict):
        return predictions or []
    return [
        {**(value if isinstance(value, dict) else {"answer": value}), "system": system}
        for system, value in predictions.items()
    ]


SystemName = Annotated[str, PlainValidator(_system_name)]
Answer = Annotated[str | list[str] | None, PlainValidator(_answer)]
"""A string, several, or None for no answer; control characters are left out."""


class Prediction(BaseModel):
    """What one system answered; further fields, such as its gold, are kept."""

    model_config = ConfigDict(frozen=True, extra="allow")

    system: Annotated[SystemName, Field(default=None, validate_default=True)]
    answer: Answer

    _is_object = model_validator(mode="before")(_require_object)


class _Judged(BaseModel):
    """The predictions of a task: its one, or those of all systems, as a list or by system."""

    prediction: Prediction | None = None
    predictions: Annotated[list[Prediction], BeforeValidator(_by_system)] = []


class _Result(BaseModel):
    """A row of a results file."""

    id: TaskId
    answer: Answer


@dataclass
class Answers:
    """What one system answered.

    Attributes:
        by_id: question id → prediction, ``{"system", "answer"}``.
        notes: sentences about rows that are left out.
    """

    system: str
    by_id: dict[str, dict[str, Any]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


def judges(protocol: Protocol) -> bool:
    """Whether the protocol shows predicted answers."""
    return any(part.source == "prediction" for part in protocol.material)


def read_answers(files: Mapping[str, Path]) -> list[Answers]:
    """The answers of each system from results files (MADQA: ``id`` and ``answer`` in each row).

    Raises:
        InputFileError: a file cannot be used, or a system has no name.
    """
    return [_answers_of(system, path) for system, path in files.items()]


def _answers_of(system: str, path: Path) -> Answers:
    try:
        _system_name(system)
    except ValueError as wrong:
        refuse(path, f"cannot be imported as predictions: {wrong}.")
    file = read_task_file(path)
    found = Answers(system)
    shown = printable(path)
    bad = [(error.line, error.reason) for error in file.errors]
    for raw in file.rows:
        try:
            row = _Result.model_validate(raw.data)
        except ValidationError as error:
            bad.append((raw.line, describe(error)))
            continue
        if row.id in found.by_id:
            bad.append((raw.line, f"the id {row.id!r} is there twice; the first row counts"))
        else:
            found.by_id[row.id] = {"system": system, "answer": row.answer}
    found.notes = [f"{shown}: {note}" for note in file.notes]
    found.notes += [
        f"{shown}, line {line:,} is left out: {reason}." for line, reason in sorted(bad)
    ]
    not_kept = count_unkept_columns((raw.data for raw in file.rows), _RESULT)
    if not_kept:
        found.notes.append(
            f"Fields of {shown} that are not kept with the predictions: "
            f"{format_counts(not_kept)}. import-run keeps them."
        )
    if not found.by_id:
        refuse(path, "holds no prediction. Each row needs id and answer.")
    return found


def join(
    rows: Sequence[ParsedTask], answers: Sequence[Answers], protocol: Protocol
) -> tuple[list[ParsedTask], list[str]]:
    """The rows with the systems' answers among their predictions, and what did not fit.

    Raises:
        ConflictError: there are answers, and the protocol shows none.
    """
    if not answers:
        return list(rows), []
    if not judges(protocol):
        raise ConflictError(
            f"The protocol {protocol.name} shows no predictions. Use one that does, such as judge."
        )
    ids = {task.id for _, task in rows}
    notes = [note for system in answers for note in system.notes]
    for system in answers:
        unknown = [id_ for id_ in system.by_id if id_ not in ids]
        without = [id_ for id_ in ids if id_ not in system.by_id]
        if unknown:
            notes.append(
                f"Predictions of {system.system} for questions that the task file does not hold: "
                f"{_first_names(unknown)}."
            )
        if without:
            notes.append(
                f"Questions without a prediction of {system.system}: {_first_names(without)}."
            )
    joined = []
    for raw, task in rows:
        added = [system.by_id[task.id] for system in answers if task.id in system.by_id]
        try:
            own = _prediction_list(task.predictions)
        except ValueError:
            joined.append((raw, task))  # the check of the row says what is wrong
            continue
        joined.append((raw, task.model_copy(update={"predictions": [*own, *added]})))
    return joined, notes


def prediction_problem(task: TaskRecord) -> str | None:
    """Why a row cannot be judged; None when it can."""
    single = (task.model_extra or {}).get("prediction")
    if single is not None and task.predictions:
        return "prediction, predictions: one of the two is enough"
    try:
        judged = _Judged.model_validate({"prediction": single, "predictions": task.predictions})
    except ValidationError as error:
        return describe(error)
    if judged.prediction is not None:
        if judged.prediction.system.casefold() in task.id.casefold():
            return f"id: {task.id!r} names the system, and people who judge can see it"
        return None
    if not judged.predictions:
        return "predictions: this protocol judges predicted answers, and the task has none"
    systems = [prediction.system for prediction in judged.predictions]
    twice = sorted({name for name in systems if systems.count(name) > 1})
    if twice:
        return f"predictions: the system {twice[0]!r} is there twice"
    if len(systems) > MAX_PREDICTIONS:
        return f"predictions: {len(systems):,} are too many; {MAX_PREDICTIONS} are allowed"
    try:
        blind_tasks(task, 0)
    except ValueError as error:
        return str(error)
    return None


def blind_tasks(task: TaskRecord, seed: int) -> list[TaskRecord]:
    """One task per prediction, by number; the task itself where it brings its one prediction.

    The gold of a pilot goes with each prediction, since each has a verdict of its own.

    Raises:
        ValueError: a prediction, or a task made of it, is not of its form.
    """
    if (task.model_extra or {}).get("prediction") is not None:
        return [task]
    by_system = {item["system"]: item for item in _prediction_list(task.predictions)}
    record = task.to_json()
    del record["predictions"]
    made = []
    for system, key in numbered(task.id, by_system, seed).items():
        prediction = dict(by_system[system])
        gold = {"gold": prediction.pop("gold")} if "gold" in prediction else {}
        made.append(read_task({**record, **gold, "id": key, "prediction": prediction}))
    return made


def blind_batches(
    tasks: Sequence[TaskRecord], protocol: Protocol, batch_size: int, seed: int
) -> list[list[TaskRecord]] | None:
    """The batches of one task per prediction; None for a protocol that shows none.

    The predictions of a question go into as many batches as there are, in an order of their own.
    """
    if not judges(protocol):
        return None
    made = {each.id: each for task in tasks for each in blind_tasks(task, seed)}
    batches = spread(list(made), batch_size, seed, lambda key: made[key].question)
    return [[made[key] for key in batch] for batch in batches]


def _prediction_list(predictions: list[Any] | dict[str, Any] | None) -> list[dict[str, Any]]:
    """Predictions as a list of ``{"system", "answer", …}``.

    Raises:
        ValueError: one is not of that form; names its place.
    """
    listed = _by_system(predictions)
    try:
        judged = _Judged.model_validate({"predictions": listed})
    except ValidationError as error:
        raise ValueError(describe(error)) from error
    return [
        {**item, "answer": prediction.answer}
        for item, prediction in zip(listed, judged.predictions, strict=True)
    ]


def _first_names(ids: Sequence[str]) -> str:
    names = ", ".join(printable(id_) for id_ in sorted(ids)[:_LISTED])
    more = f" and {len(ids) - _LISTED:,} more" if len(ids) > _LISTED else ""
    return f"{len(ids):,} ({names}{more})"
