"""``import-verdicts``: imports a file of verdicts on a campaign's answers as a named set."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, insert, select, update

from pagetrail.annotation.clock import SystemClock, iso
from pagetrail.annotation.errors import InputFileError
from pagetrail.annotation.metrics.correctness import JUDGEMENTS
from pagetrail.annotation.readable_errors import short_value
from pagetrail.annotation.tasks.identity import matching_id
from pagetrail.storage.campaigns.lookup import get_campaign
from pagetrail.storage.campaigns.verdict_sets import (
    JUDGE_COLUMNS,
    JudgeInfo,
    StoredVerdictSet,
    stored_verdict_sets,
)
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.storable_text import clean_text
from pagetrail.storage.database.tables import Attempt, OutsideVerdict, Task, User, VerdictSet
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.files.field_types import first_value
from pagetrail.storage.importers.files.kept_fields import KeptFields, count_unkept_columns
from pagetrail.storage.importers.files.recognition import IMPORT_VERDICTS, importer_hint
from pagetrail.storage.importers.files.row_files import read_task_file
from pagetrail.storage.importers.files.rows import RowError
from pagetrail.storage.importers.tasks.campaign_settings import (
    MAX_CAMPAIGN_NAME,
    check_campaign_name,
)
from pagetrail.storage.people.system_roles import SYSTEM

_TASK_COLUMNS = ("task", "question_id", "id")
_SYSTEM_COLUMNS = ("system", "annotator")
_RATIONALE_COLUMNS = ("rationale", "reason", "reasoning", "explanation")
_KEPT_FIELDS: KeptFields = dict.fromkeys(
    (
        *_TASK_COLUMNS,
        *_SYSTEM_COLUMNS,
        *_RATIONALE_COLUMNS,
        *JUDGE_COLUMNS.values(),
        "answer",
        "verdict",
        "confidence",
    )
)
_MAX_CONFIDENCE = 100
_MAX_TEXT = 100_000
_MAX_ORDINAL = 1_000_000
_NOT_STATED = JudgeInfo()
_VERDICT_WORDS = {
    "true": 1.0, "correct": 1.0, "right": 1.0, "yes": 1.0,
    "partial": 0.5, "partly": 0.5, "partially correct": 0.5,
    "false": 0.0, "incorrect": 0.0, "wrong": 0.0, "no": 0.0,
}  # fmt: skip

_Key = tuple[str, str, str]
"""(set, task, system)."""


@dataclass
class VerdictReport:
    """Outcome of importing verdicts.

    Attributes:
        sets: names of the sets that the file's verdicts belong to.
        already_there: number of rows that their set already has with the same verdict.
        left_out: rows that were not imported, with reasons.
        not_kept: counts of values in columns that are not kept.
        notes: on how the file was read.
    """

    campaign: str
    name: str
    sets: list[str] = field(default_factory=list)
    imported: int = 0
    already_there: int = 0
    left_out: list[RowError] = field(default_factory=list)
    not_kept: dict[str, int] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class _Verdict:
    task: str
    system: str
    answer: str | None
    value: float
    confidence: float | None = None
    rationale: str | None = None


def import_verdicts(
    workspace: Workspace,
    path: Path,
    *,
    campaign: str,
    name: str,
    judge: JudgeInfo = _NOT_STATED,
) -> VerdictReport:
    """Add the verdicts of a file to a set, in one transaction.

    A file with the columns ``judge_round`` or ``judge_run`` gives a set for each of their values,
    named ``NAME-round-2-run-3``.

    Args:
        judge: who judged, where the file's rows do not say.

    Raises:
        NotFoundError: no such campaign.
        InputFileError: the file cannot be used as a whole, or the judge is described wrongly.
        PagetrailError: the set's name is invalid (code ``invalid_name``).
    """
    check_campaign_name(name)
    try:
        options = _parse_judge(judge._asdict())
    except ValueError as error:
        raise InputFileError(f"About the judge: {error}.") from error
    try:
        file = read_task_file(path, "verdict")
    except InputFileError as error:
        raise InputFileError(error.message + importer_hint(path, IMPORT_VERDICTS)) from error
    at = iso(SystemClock().now())
    with write_transaction(workspace.engine) as connection:
        row = get_campaign(connection, campaign)
        report = VerdictReport(row.name, name, left_out=list(file.errors), notes=file.notes)
        attempts = _attempts(connection, row.id)
        sets = _FileSets(stored_verdict_sets(connection, row.id), name, options)
        stored: dict[_Key, _Verdict] = {}
        new: dict[_Key, _Verdict] = {}
        read_sets: set[str] = set()
        for raw in file.rows:
            try:
                verdict = _parse_verdict(raw.data, attempts)
                set_name = sets.set_of_row(raw.data)
                if set_name not in read_sets:
                    read_sets.add(set_name)
                    stored |= _stored_verdicts(connection, row.id, set_name)
                key = set_name, verdict.task, verdict.system
                existing = new.get(key) or stored.get(key)
                if existing is not None and existing != verdict:
                    raise ValueError(
                        f"{set_name} already has another verdict on {verdict.system}’s answer to "
                        f"{verdict.task}, which stays. Import this one under another name"
                    )
            except ValueError as error:
                report.left_out.append(RowError(raw.line, str(error)))
                continue
            if set_name not in report.sets:
                report.sets.append(set_name)
            if existing is None:
                new[key] = verdict
            else:
                report.already_there += 1
        sets.store(connection, row.id, report.sets, at)
        values = [
            {"campaign_id": row.id, "name": set_name, "at": at, **vars(verdict)}
            for (set_name, _, _), verdict in new.items()
        ]
        if values:
            connection.execute(insert(OutsideVerdict), values)
        report.imported = len(values)
        report.not_kept = count_unkept_columns((raw.data for raw in file.rows), _KEPT_FIELDS)
    return report


class _FileSets:
    """The sets that a file's rows belong to, with what is stored and stated about their judges."""

    def __init__(self, stored: Sequence[StoredVerdictSet], name: str, options: JudgeInfo) -> None:
        self._name = name
        self._options = options
        self._stored = {verdict_set.name: verdict_set.info for verdict_set in stored}
        self._infos = {
            # A judge that is only the set's name was never stated.
            set_name: info._replace(judge=None) if info.judge in (set_name, name) else info
            for set_name, info in self._stored.items()
        }
        self._checked: dict[JudgeInfo, str] = {}

    def set_of_row(self, data: Mapping[str, Any]) -> str:
        """Name of the row's set.

        Raises:
            ValueError: the row describes its judge wrongly, or not as the set has it.
        """
        stated = _parse_judge({name: data.get(column) for name, column in JUDGE_COLUMNS.items()})
        if stated not in self._checked:
            self._checked[stated] = self._checked_set(stated)
        return self._checked[stated]

    def _checked_set(self, stated: JudgeInfo) -> str:
        parts = (("round", stated.round), ("run", stated.run))
        suffix = "".join(f"-{part}-{number}" for part, number in parts if number is not None)
        name = self._name + suffix
        if len(name) > MAX_CAMPAIGN_NAME:
            raise ValueError(f"the name {name!r} is longer than {MAX_CAMPAIGN_NAME} characters")
        info = _completed(stated, self._options)
        known_info = self._infos.get(name, _NOT_STATED)
        for field_name, column in JUDGE_COLUMNS.items():
            known, value = getattr(known_info, field_name), getattr(info, field_name)
            if None not in (known, value) and known != value:
                raise ValueError(
                    f"{column} is {value!r}, but the set {name} has {known!r}. Import this row "
                    "under another name"
                )
        info = _completed(known_info, info)
        identity = self._identity(name, info)
        for other_name, other_info in self._infos.items():
            if other_name != name and self._identity(other_name, other_info) == identity:
                raise ValueError(
                    f"run {info.run or 1} of this judge is already the set {other_name}. Import "
                    "this row under that name, or with another run number"
                )
        self._infos[name] = info
        return name

    def _identity(self, set_name: str, info: JudgeInfo) -> tuple[object, ...]:
        info = self._with_judge(set_name, info)
        return (*info.configuration, info.run or 1)

    def _with_judge(self, set_name: str, info: JudgeInfo) -> JudgeInfo:
        stored_info = self._stored.get(set_name)
        default = self._name if stored_info is None else stored_info.judge
        return info if info.judge is not None else info._replace(judge=default)

    def store(
        self, connection: Connection, campaign_id: int, names: Sequence[str], at: str
    ) -> None:
        """Add these sets, or complete what is stored about their judges."""
        for name in names:
            info = self._with_judge(name, self._infos[name])
            if name not in self._stored:
                values = {"campaign_id": campaign_id, "name": name, "at": at, **info._asdict()}
                connection.execute(insert(VerdictSet).values(**values))
            elif info != self._stored[name]:
                is_set = (VerdictSet.campaign_id == campaign_id) & (VerdictSet.name == name)
                connection.execute(update(VerdictSet).where(is_set).values(**info._asdict()))


def _completed(info: JudgeInfo, defaults: JudgeInfo) -> JudgeInfo:
    stated = {name: value for name, value in info._asdict().items() if value is not None}
    return defaults._replace(**stated)


def _parse_judge(values: Mapping[str, Any]) -> JudgeInfo:
    texts = {name: clean_text(str(values[name] or ""))[0].strip() for name in JUDGE_COLUMNS}
    for name, text in texts.items():
        limit = _MAX_TEXT if name == "prompt" else MAX_CAMPAIGN_NAME
        if len(text) > limit:
            raise ValueError(
                f"{JUDGE_COLUMNS[name]} has {len(text):,} characters; {limit:,} are allowed"
            )
    return JudgeInfo(
        judge=texts["judge"] or None,
        model=texts["model"] or None,
        prompt=texts["prompt"] or None,
        version=texts["version"] or None,
        round=_ordinal("round", values["round"]),
        run=_ordinal("run", values["run"]),
        judged_on=_date(texts["judged_on"]),
    )


def _ordinal(name: str, value: Any) -> int | None:
    if value is None or value == "":
        return None
    try:
        number = math.nan if isinstance(value, bool) else float(value)
    except (TypeError, ValueError):
        number = math.nan
    if not number.is_integer() or not 1 <= number <= _MAX_ORDINAL:
        raise ValueError(
            f"{JUDGE_COLUMNS[name]} is {short_value(value)}; it is a whole number from 1"
        )
    return int(number)


def _date(text: str) -> str | None:
    if not text:
        return None
    try:
        return datetime.fromisoformat(text).date().isoformat()
    except ValueError:
        raise ValueError(
            f"{JUDGE_COLUMNS['judged_on']} is {text[:40]!r}; write it as 2026-01-31"
        ) from None


@dataclass(frozen=True)
class _Attempts:
    """Who has attempted what in the campaign.

    Attributes:
        tasks: ids of the campaign's tasks.
        stored_names: name in a file → name that is stored; people are stored by pseudonym only.
        made: (task, stored name) of each attempt.
    """

    tasks: set[str]
    stored_names: dict[str, str]
    made: set[tuple[str, str]]


def _attempts(connection: Connection, campaign_id: int) -> _Attempts:
    stored_names: dict[str, str] = {}
    for row in connection.execute(select(User.name, User.pseudonym, User.role)):
        if row.role == SYSTEM:
            stored_names[row.name] = row.name
            continue
        for name in (row.name, row.pseudonym):
            stored_names |= {name: row.pseudonym, f"human:{name}": row.pseudonym}
    of_campaign = Task.campaign_id == campaign_id
    attempts = connection.execute(
        select(Task.key, User.name)
        .join(Attempt, Attempt.task_id == Task.id)
        .join(User, User.id == Attempt.user_id)
        .where(of_campaign)
    )
    return _Attempts(
        set(connection.execute(select(Task.key).where(of_campaign)).scalars()),
        stored_names,
        {(task, stored_names[user]) for task, user in attempts},
    )


def _stored_verdicts(
    connection: Connection, campaign_id: int, set_name: str
) -> dict[_Key, _Verdict]:
    columns = [getattr(OutsideVerdict, column.name) for column in fields(_Verdict)]
    in_set = (OutsideVerdict.campaign_id == campaign_id) & (OutsideVerdict.name == set_name)
    rows = connection.execute(select(*columns).where(in_set))
    return {(set_name, row.task, row.system): _Verdict(*row) for row in rows}


def _parse_verdict(data: Mapping[str, Any], attempts: _Attempts) -> _Verdict:
    task = matching_id(_first(data, _TASK_COLUMNS), attempts.tasks)
    system = matching_id(_first(data, _SYSTEM_COLUMNS), attempts.stored_names)
    if task not in attempts.tasks:
        raise ValueError(f"the campaign has no task {short_value(task)}")
    if system not in attempts.stored_names:
        raise ValueError(f"there is no system or person named {short_value(system)}")
    stored_name = attempts.stored_names[system]
    if (task, stored_name) not in attempts.made:
        raise ValueError(
            f"{system} has no attempt at {task} in this campaign. Import the run first, then its "
            "verdicts"
        )
    answer = data.get("answer")
    if isinstance(answer, list):
        answer = "\n".join(map(str, answer))
    return _Verdict(
        task,
        stored_name,
        None if answer is None else clean_text(str(answer))[0],
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
            f"the confidence {short_value(value_in_file)} is not a number from 0 to "
            f"{_MAX_CONFIDENCE}, such as 0.9 or 90"
        )
    return value


def _rationale(data: Mapping[str, Any]) -> str | None:
    value_in_file = first_value(data, _RATIONALE_COLUMNS)
    if value_in_file is None:
        return None
    text = clean_text(str(value_in_file))[0]
    if len(text) > _MAX_TEXT:
        raise ValueError(f"the rationale has {len(text):,} characters; {_MAX_TEXT:,} are allowed")
    return text or None


def _first(data: Mapping[str, Any], names: tuple[str, ...]) -> str:
    value = first_value(data, names)
    if value is None:
        raise ValueError(f"has no {' or '.join(names)}")
    return str(value)


def _verdict_value(data: Mapping[str, Any]) -> float:
    value_in_file = data.get("verdict")
    if value_in_file is None or value_in_file == "":
        raise ValueError("it has no verdict: correct (1), partial (0.5) or wrong (0)")
    value = float(value_in_file) if isinstance(value_in_file, bool | int | float) else None
    if isinstance(value_in_file, str):
        word = value_in_file.strip().casefold()
        try:
            value = _VERDICT_WORDS[word] if word in _VERDICT_WORDS else float(word)
        except ValueError:
            value = None
    if value not in JUDGEMENTS:
        raise ValueError(
            f"the verdict {short_value(value_in_file)} is neither correct (1), partial (0.5) nor "
            "wrong (0)"
        )
    return value
