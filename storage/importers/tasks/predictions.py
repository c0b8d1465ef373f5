"""Joins predicted answers to their questions and makes one blind task of each."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
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
from pagetrail.annotation.messages import gettext
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.annotation.readable_errors import describe
from pagetrail.annotation.sentences import join_first
from pagetrail.annotation.tasks.blind_judging import blind_keys, separate_authors, spread_questions
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
_MAX_IDS = 5
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
    return system.strip()


def with_stripped_systems(data: dict[str, Any]) -> dict[str, Any]:
    """The row without white space around names of systems; the row itself if there is none."""
    single, predictions = data.get("prediction"), data.get("predictions")
    names = [*predictions] if isinstance(predictions, dict) else []
    items = [item for item in (single, *(_items(predictions))) if isinstance(item, dict)]
    names += [item.get("system") for item in items]
    if all(not isinstance(name, str) or name == name.strip() for name in names):
        return data
    changed = dict(data)
    if isinstance(single, dict):
        changed["prediction"] = _with_stripped_system(single)
    if predictions is not None:
        changed["predictions"] = [_with_stripped_system(item) for item in _items(predictions)]
    return changed


def _items(predictions: Any) -> list[Any]:
    items = _by_system(predictions)
    return items if isinstance(items, list) else [items]


def _with_stripped_system(prediction: Any) -> Any:
    if not isinstance(prediction, dict) or not isinstance(prediction.get("system"), str):
        return prediction
    return {**prediction, "system": prediction["system"].strip()}


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
"""One text, several, or None for no answer; control characters are removed."""


class Prediction(BaseModel):
    """The answer of one system; further fields, such as gold, are kept."""

    model_config = ConfigDict(frozen=True, extra="allow")

    system: Annotated[SystemName, Field(default=None, validate_default=True)]
    answer: Answer

    _is_object = model_validator(mode="before")(_require_object)


class _JudgedPredictions(BaseModel):
    """The predictions of a task: a single one, or several as a list or by system."""

    prediction: Prediction | None = None
    predictions: Annotated[list[Prediction], BeforeValidator(_by_system)] = []


class _ResultRow(BaseModel):
    """A row of a results file."""

    id: TaskId
    answer: Answer


@dataclass
class SystemAnswers:
    """The answers of one system.

    Attributes:
        by_id: question id → prediction, ``{"system", "answer"}``.
        notes: sentences about rows that are left out.
    """

    system: str
    by_id: dict[str, dict[str, Any]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


def read_answers(files: Mapping[str, Path]) -> list[SystemAnswers]:
    """Read each system's answers from its results file (rows with ``id`` and ``answer``).

    Raises:
        InputFileError: a file cannot be used, or a system has no name.
    """
    return [_answers_of(system, path) for system, path in files.items()]


def _answers_of(system: str, path: Path) -> SystemAnswers:
    try:
        system = _system_name(system)
    except ValueError as wrong:
        refuse(path, f"cannot be imported as predictions: {wrong}.")
    file = read_task_file(path)
    answers = SystemAnswers(system)
    shown_path = printable(path)
    bad = [(error.line, error.reason) for error in file.errors]
    for raw in file.rows:
        try:
            row = _ResultRow.model_validate(raw.data)
        except ValidationError as error:
            bad.append((raw.line, describe(error)))
            continue
        id_ = row.id.strip()
        if id_ in answers.by_id:
            bad.append((raw.line, f"the id {id_!r} occurs twice; the first row counts"))
        else:
            answers.by_id[id_] = {"system": system, "answer": row.answer}
    answers.notes = [f"{shown_path}: {note}" for note in file.notes]
    answers.notes += [
        f"{shown_path}, line {line:,} is left out: {reason}." for line, reason in sorted(bad)
    ]
    not_kept = count_unkept_columns((raw.data for raw in file.rows), _RESULT)
    if not_kept:
        answers.notes.append(
            f"Fields of {shown_path} that are not kept with the predictions: "
            f"{format_counts(not_kept)}. import-run keeps them."
        )
    if not answers.by_id:
        refuse(path, "holds no prediction. Each row needs id and answer.")
    return answers


def join_predictions(
    rows: Sequence[ParsedTask], answers: Sequence[SystemAnswers], protocol: Protocol
) -> tuple[list[ParsedTask], list[str]]:
    """The rows with the systems' answers added to their predictions, and notes on mismatches.

    Raises:
        ConflictError: there are answers, but the protocol shows none.
    """
    if not answers:
        return list(rows), []
    if not protocol.shows_predictions:
        raise ConflictError(
            gettext(
                "The protocol {protocol} shows no predictions. Use one that does, such as judge.",
                protocol=protocol.name,
            )
        )
    ids = {task.id for _, task in rows}
    notes = [note for system in answers for note in system.notes]
    for system in answers:
        unknown = [id_ for id_ in system.by_id if id_ not in ids]
        missing = [id_ for id_ in ids if id_ not in system.by_id]
        if unknown:
            notes.append(
                f"Predictions of {system.system} for questions that the task file does not hold: "
                f"{_ids_shown(unknown)}."
            )
        if missing:
            notes.append(
                f"Questions without a prediction of {system.system}: {_ids_shown(missing)}."
            )
    joined = []
    for raw, task in rows:
        added = [system.by_id[task.id] for system in answers if task.id in system.by_id]
        try:
            own_predictions = _prediction_list(task.predictions)
        except ValueError:
            joined.append((raw, task))  # checking the row reports the problem
            continue
        joined.append((raw, task.model_copy(update={"predictions": [*own_predictions, *added]})))
    return joined, notes


def prediction_problem(task: TaskRecord) -> str | None:
    """Why the predictions of a task cannot be judged, or None."""
    single = (task.model_extra or {}).get("prediction")
    if single is not None and task.predictions:
        return "prediction, predictions: give only one of them"
    try:
        parsed = _JudgedPredictions.model_validate(
            {"prediction": single, "predictions": task.predictions}
        )
    except ValidationError as error:
        return describe(error)
    if parsed.prediction is not None:
        if parsed.prediction.system.casefold() in task.id.casefold():
            return f"id: {task.id!r} names the system, and people who judge can see it"
        return None
    if not parsed.predictions:
        return "predictions: this protocol judges predicted answers, and the task has none"
    systems = [prediction.system for prediction in parsed.predictions]
    duplicates = sorted({name for name in systems if systems.count(name) > 1})
    if duplicates:
        return f"predictions: the system {duplicates[0]!r} occurs twice"
    if len(systems) > MAX_PREDICTIONS:
        return f"predictions: {len(systems):,} are too many; {MAX_PREDICTIONS} are allowed"
    try:
        blind_tasks(task, "")
    except ValueError as error:
        return str(error)
    return None


def blind_tasks(task: TaskRecord, secret: str) -> list[TaskRecord]:
    """One numbered task per prediction, or the task itself if it has a single ``prediction``.

    Each prediction carries its own gold, since each gets its own verdict.

    Args:
        secret: by which the predictions are numbered.

    Raises:
        ValueError: a prediction, or a task made from it, is invalid.
    """
    if (task.model_extra or {}).get("prediction") is not None:
        return [task]
    by_system = {item["system"]: item for item in _prediction_list(task.predictions)}
    record = task.to_json()
    del record["predictions"]
    tasks = []
    for system, key in blind_keys(task.id, by_system, secret).items():
        prediction = dict(by_system[system])
        gold = {"gold": prediction.pop("gold")} if "gold" in prediction else {}
        tasks.append(read_task({**record, **gold, "id": key, "prediction": prediction}))
    return tasks


def blind_batches(
    tasks: Sequence[TaskRecord],
    protocol: Protocol,
    seed: int,
    secret: str,
    *,
    people: Mapping[str, int],
    judges: Collection[int],
) -> list[list[TaskRecord]] | None:
    """Batches with one task per prediction; None for a protocol that shows no predictions.

    The predictions of a question are spread over as many batches as there are, in random order.
    Batches are such that people who answered can judge the answers of others.

    Args:
        seed: of the order.
        secret: of the workspace, by which the predictions of a question are numbered.
        people: name of an answer → person who answered.
        judges: people who may judge.
    """
    if not protocol.shows_predictions:
        return None
    blind_tasks_by_id = {
        blind_task.id: blind_task for task in tasks for blind_task in blind_tasks(task, secret)
    }

    def question(key: str) -> str:
        return blind_tasks_by_id[key].question

    author_of: dict[str, int | None] = dict.fromkeys(blind_tasks_by_id)
    if not protocol.own_answers:
        for key, task in blind_tasks_by_id.items():
            prediction = (task.model_extra or {})["prediction"]
            author_of[key] = people.get(prediction["system"])
    return [
        [blind_tasks_by_id[key] for key in batch]
        for part in separate_authors(author_of, judges, protocol.overlap, seed, question)
        for batch in spread_questions(part, protocol.batch_size, seed, question)
    ]


def _prediction_list(predictions: list[Any] | dict[str, Any] | None) -> list[dict[str, Any]]:
    """Predictions as a list of ``{"system", "answer", …}``.

    Raises:
        ValueError: a prediction is invalid; names its position.
    """
    prediction_objects = _by_system(predictions)
    try:
        validated = _JudgedPredictions.model_validate({"predictions": prediction_objects})
    except ValidationError as error:
        raise ValueError(describe(error)) from error
    return [
        {**item, "answer": prediction.answer}
        for item, prediction in zip(prediction_objects, validated.predictions, strict=True)
    ]


def _ids_shown(ids: Sequence[str]) -> str:
    return f"{len(ids):,} ({join_first([printable(id_) for id_ in sorted(ids)], _MAX_IDS)})"
