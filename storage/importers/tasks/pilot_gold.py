"""Corrects the gold of pilot tasks that people have worked on, and grades their work again."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, select, update

from pagetrail.annotation.clock import SystemClock, iso
from pagetrail.annotation.document_names import DocumentNames
from pagetrail.annotation.errors import ConflictError, InputFileError, PagetrailError
from pagetrail.annotation.messages import gettext
from pagetrail.annotation.ports import Clock
from pagetrail.annotation.sentences import shortened
from pagetrail.annotation.tasks.identity import RETAKE_OF
from pagetrail.annotation.tasks.task import TaskRecord, read_task
from pagetrail.storage.campaigns.lifecycle import require_changeable
from pagetrail.storage.campaigns.lookup import get_task
from pagetrail.storage.corpus.document_names import read_document_names
from pagetrail.storage.database.base import AnyRow
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.json_cache import stored_protocol
from pagetrail.storage.database.tables import Campaign, Task
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.tasks.checks import TaskChecker
from pagetrail.storage.importers.tasks.given_shapes import with_stored_names
from pagetrail.storage.people.audit import PersonName, audit_in, joined
from pagetrail.storage.qualification.gate import pilot_campaign
from pagetrail.storage.qualification.regrading import GradedWork, RegradedPerson, compare_again

GOLD_KEYS = ("answer_variants", "evidence", "unanswerable", "gold")
_MAX_REASON = 2_000
_MAX_SHOWN = 200


@dataclass(frozen=True)
class CorrectedGold:
    """A correction that was stored.

    Attributes:
        tasks: keys of the tasks that have it: the task, and copies of it for people who retake.
        people: everybody of whose work a verdict changed, by name.
    """

    tasks: tuple[str, ...]
    people: list[RegradedPerson]


def correct_gold(
    workspace: Workspace,
    campaign: str,
    key: str,
    gold: Mapping[str, Any],
    reason: str,
    *,
    edited_record: Mapping[str, Any],
    by: str,
    clock: Clock | None = None,
) -> CorrectedGold:
    """Replace the gold of a pilot's task, of its copies too, and grade all work on them again.

    Nobody who was admitted is locked out by it. The audit log keeps the earlier gold.

    Args:
        gold: the new value of each of ``GOLD_KEYS``; those that are missing stay, None removes one.
        edited_record: the record that was edited.
        by: name of the supervisor.

    Raises:
        NotFoundError: no such campaign or task.
        ConflictError: it is not a pilot, it is archived, or the task was changed since.
        InputFileError: the gold could not have been imported; says why.
        PagetrailError: no reason given, or nothing differs (codes ``no_reason``, ``unchanged``).
    """
    words = " ".join(reason.split())[:_MAX_REASON]
    if not words:
        raise PagetrailError(
            gettext("A correction needs a reason: what was wrong with the gold?"), code="no_reason"
        )
    clock = clock or SystemClock()
    with write_transaction(workspace.engine) as connection:
        row = pilot_campaign(connection, campaign)
        require_changeable(row)
        stored = get_task(connection, row, key)
        if stored.record != edited_record:
            raise ConflictError(
                gettext(
                    "Somebody else has changed task {key} since you opened it. Nothing was saved.",
                    key=key,
                ),
                code="stale",
            )
        tasks = _with_copies(connection, row, stored)
        documents = read_document_names(connection)
        gold, _ = with_stored_names(dict(gold), documents)
        new = {task.id: _corrected(task.record, gold) for task in tasks}
        if all(new[task.id] == task.record for task in tasks):
            raise PagetrailError(
                gettext("Nothing differs from the current gold."), code="unchanged"
            )
        _require_importable(documents, row, new[stored.id])
        work = GradedWork.read(connection, row)
        for task in tasks:
            connection.execute(update(Task).where(Task.id == task.id).values(record=new[task.id]))
        people = compare_again(
            connection,
            row,
            "gold_corrected",
            work,
            tasks=set(new),
            reason=f"{key}: {words}",
            by=by,
            at=iso(clock.now()),
        )
        names = joined(", ", ([PersonName(person.name)] for person in people)) or ["nobody"]
        before, after = (
            shortened(json.dumps(_gold_of(record), ensure_ascii=False), _MAX_SHOWN)
            for record in (stored.record, new[stored.id])
        )
        change = f"{row.name}: {key}: {before} → {after}; {words}"
        detail = [f"{change}; results changed of: ", *names]
        audit_in(connection, by, "pilot_gold_corrected", detail, clock=clock)
    return CorrectedGold(tuple(task.key for task in tasks), people)


def _with_copies(connection: Connection, campaign: Campaign, task: AnyRow) -> list[AnyRow]:
    """The task, and what has the same original: copies for people who retake the pilot."""
    original = task.record.get(RETAKE_OF) or task.key
    rows = connection.execute(select(Task).where(Task.campaign_id == campaign.id).order_by(Task.id))
    return [row for row in rows if (row.record.get(RETAKE_OF) or row.key) == original]


def _corrected(record: Mapping[str, Any], gold: Mapping[str, Any]) -> dict[str, Any]:
    changed = {**record, **{key: gold[key] for key in GOLD_KEYS if key in gold}}
    try:
        return read_task(changed).to_json()
    except (ValueError, RecursionError) as error:
        raise InputFileError(gettext("The gold cannot be saved: {error}.", error=error)) from error


def _require_importable(
    documents: DocumentNames, campaign: Campaign, record: dict[str, Any]
) -> None:
    task: TaskRecord = read_task(record)
    checker = TaskChecker(documents, stored_protocol(campaign.protocol), set(), campaign.name)
    problem = checker.problem(1, task)
    if problem is not None:
        raise InputFileError(gettext("The gold cannot be saved: {error}.", error=problem))


def _gold_of(record: Mapping[str, Any]) -> dict[str, Any]:
    return {key: record[key] for key in GOLD_KEYS if record.get(key) is not None}
