"""``import-verdicts``: imports a file of verdicts on a campaign's answers as a named set."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, insert, select

from pagetrail.annotation.clock import SystemClock, iso
from pagetrail.annotation.errors import InputFileError
from pagetrail.annotation.metrics.correctness import JUDGEMENTS
from pagetrail.storage.campaigns.lookup import known_campaign
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.storable_text import clean_text
from pagetrail.storage.database.tables import OutsideVerdict, Task, User
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.files.field_types import first_value
from pagetrail.storage.importers.files.kept_fields import KeptFields, count_unkept_columns
from pagetrail.storage.importers.files.recognition import IMPORT_VERDICTS, importer_hint
from pagetrail.storage.importers.files.row_files import read_task_file
from pagetrail.storage.importers.files.rows import RowError
from pagetrail.storage.importers.tasks.campaign_settings import check_campaign_name
from pagetrail.storage.people.system_roles import SYSTEM

_TASK_COLUMNS = ("task", "question_id", "id")
_SYSTEM_COLUMNS = ("system", "annotator")
_RATIONALE_COLUMNS = ("rationale", "reason", "reasoning", "explanation")
_KEPT_FIELDS: KeptFields = dict.fromkeys(
    (*_TASK_COLUMNS, *_SYSTEM_COLUMNS, *_RATIONALE_COLUMNS, "answer", "verdict", "confidence")
)
_MAX_CONFIDENCE = 100
_MAX_RATIONALE = 100_000
_VERDICT_WORDS = {
    "true": 1.0, "correct": 1.0, "right": 1.0, "yes": 1.0,
    "partial": 0.5, "partly": 0.5, "partially correct": 0.5,
    "false": 0.0, "incorrect": 0.0, "wrong": 0.0, "no": 0.0,
}  # fmt: skip

_Key = tuple[str, str]


@dataclass
class VerdictReport:
    """Outcome of importing verdicts.

    Attributes:
        already_there: number of rows that the set already has with the same verdict.
        left_out: rows that were not imported, with reasons.
        not_kept: counts of values in columns that are not kept.
    """

    campaign: str
    name: str
    imported: int = 0
    already_there: int = 0
    left_out: list[RowError] = field(default_factory=list)
    not_kept: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class _Verdict:
    task: str
    system: str
    answer: str | None
    value: float
    confidence: float | None = None
    rationale: str | None = None


def import_verdicts(workspace: Workspace, path: Path, *, campaign: str, name: str) -> VerdictReport:
    """Add the verdicts of a file to a set, in one transaction.

    Raises:
        NotFoundError: no such campaign.
        InputFileError: the file cannot be used as a whole.
        PagetrailError: the set's name is invalid (code ``invalid_name``).
    """
    check_campaign_name(name)
    try:
        file = read_task_file(path, "verdict")
    except InputFileError as error:
        raise InputFileError(error.message + importer_hint(path, IMPORT_VERDICTS)) from error
    at = iso(SystemClock().now())
    with write_transaction(workspace.engine) as connection:
        row = known_campaign(connection, campaign)
        report = VerdictReport(row.name, name, left_out=list(file.errors))
        tasks = set(
            connection.execute(select(Task.key).where(Task.campaign_id == row.id)).scalars()
        )
        stored_names = _stored_names(connection)
        stored = _stored_verdicts(connection, row.id, name)
        new: dict[_Key, _Verdict] = {}
        for raw in file.rows:
            try:
                verdict = _parse_verdict(raw.data, tasks, stored_names)
                key = verdict.task, verdict.system
                existing = new.get(key) or stored.get(key)
                if existing is not None and existing != verdict:
                    raise ValueError(
                        f"another verdict on {verdict.system}’s answer to {verdict.task} is there, "
                        "which stays. Give this set another name"
                    )
            except ValueError as error:
                report.left_out.append(RowError(raw.line, str(error)))
                continue
            if existing is None:
                new[key] = verdict
            else:
                report.already_there += 1
        values = [
            {"campaign_id": row.id, "name": name, "at": at, **vars(verdict)}
            for verdict in new.values()
        ]
        if values:
            connection.execute(insert(OutsideVerdict), values)
        report.imported = len(values)
        report.not_kept = count_unkept_columns((raw.data for raw in file.rows), _KEPT_FIELDS)
    return report


def _stored_names(connection: Connection) -> dict[str, str]:
    """Name in a file → name that is stored; people are stored by pseudonym only."""
    stored_names: dict[str, str] = {}
    for row in connection.execute(select(User.name, User.pseudonym, User.role)):
        if row.role == SYSTEM:
            stored_names[row.name] = row.name
            continue
        for name in (row.name, row.pseudonym):
            stored_names |= {name: row.pseudonym, f"human:{name}": row.pseudonym}
    return stored_names


def _stored_verdicts(connection: Connection, campaign_id: int, name: str) -> dict[_Key, _Verdict]:
    columns = [getattr(OutsideVerdict, column.name) for column in fields(_Verdict)]
    in_set = (OutsideVerdict.campaign_id == campaign_id) & (OutsideVerdict.name == name)
    rows = connection.execute(select(*columns).where(in_set))
    return {(row.task, row.system): _Verdict(*row) for row in rows}


def _parse_verdict(
    data: Mapping[str, Any], tasks: set[str], stored_names: Mapping[str, str]
) -> _Verdict:
    task, system = _first(data, _TASK_COLUMNS), _first(data, _SYSTEM_COLUMNS)
    if task not in tasks:
        raise ValueError(f"the campaign has no task {task!r}")
    if system not in stored_names:
        raise ValueError(f"there is no system or person named {system!r}")
    answer = data.get("answer")
    if isinstance(answer, list):
        answer = "\n".join(map(str, answer))
    return _Verdict(
        task,
        stored_names[system],
        None if answer is None else str(answer),
        _verdict_value(data),
        _confidence(data),
        _rationale(data),
    )


def _confidence(data: Mapping[str, Any]) -> float | None:
    value_in_file = data.get("confidence")
    if value_in_file is None:
        return None
    try:
        value = math.nan if isinstance(value_in_file, bool) else float(value_in_file)
    except (TypeError, ValueError):
        value = math.nan
    if not 0 <= value <= _MAX_CONFIDENCE:
        raise ValueError(
            f"the confidence {value_in_file!r} is not a number from 0 to {_MAX_CONFIDENCE}, such "
            "as 0.9 or 90"
        )
    return value


def _rationale(data: Mapping[str, Any]) -> str | None:
    value_in_file = first_value(data, _RATIONALE_COLUMNS)
    if value_in_file is None:
        return None
    text = clean_text(str(value_in_file))[0]
    if len(text) > _MAX_RATIONALE:
        raise ValueError(
            f"the rationale has {len(text):,} characters; {_MAX_RATIONALE:,} are allowed"
        )
    return text or None


def _first(data: Mapping[str, Any], names: tuple[str, ...]) -> str:
    value = first_value(data, names)
    if value is None:
        raise ValueError(f"has no {' or '.join(names)}")
    return str(value)


def _verdict_value(data: Mapping[str, Any]) -> float:
    value_in_file = data.get("verdict")
    value = float(value_in_file) if isinstance(value_in_file, bool | int | float) else None
    if isinstance(value_in_file, str):
        word = value_in_file.strip().casefold()
        try:
            value = _VERDICT_WORDS[word] if word in _VERDICT_WORDS else float(word)
        except ValueError:
            value = None
    if value not in JUDGEMENTS:
        raise ValueError(
            f"the verdict {value_in_file!r} is neither correct (1), partial (0.5) nor wrong (0)"
        )
    return value
