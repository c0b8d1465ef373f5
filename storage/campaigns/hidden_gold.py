"""Keeps hidden gold hidden: nobody gets the same task in any other way, before or after.

Hidden gold comes from campaigns in which nobody gets work. Tasks are recognised across campaigns by
``annotation.tasks.identity``. Everything that assigns tasks asks this module; ``pagetrail verify``
checks the result.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, or_, select

from pagetrail.annotation.errors import ConflictError
from pagetrail.annotation.messages import gettext, ngettext
from pagetrail.annotation.tasks.identity import ShownTask, question_key
from pagetrail.storage.database.base import AnyRow, AnySelect
from pagetrail.storage.database.statuses import ARCHIVED
from pagetrail.storage.database.tables import (
    Assignment,
    Attempt,
    Batch,
    Campaign,
    Task,
    User,
)
from pagetrail.storage.people.accounts import Person


class ExposedCheck(NamedTuple):
    """A hidden gold task that its person also has in another campaign.

    Attributes:
        campaign: the check's campaign.
        other_campaign, other_key: the same task elsewhere.
    """

    attempt_id: str
    person: str
    campaign: str
    key: str
    other_campaign: str
    other_key: str


def unsafe_source(connection: Connection, name: str) -> str:
    """Why hidden gold must not come from a campaign, and what to do; empty if it may.

    ``require_usable_gold_source`` refuses campaigns that do not exist.
    """
    source = connection.execute(select(Campaign).where(Campaign.name == name)).one_or_none()
    if source is None:
        return ""
    if source.protocol.get("pilot", {}).get("enabled"):
        return gettext(
            "{campaign} is a pilot, which shows its gold as feedback. Copy its gold into a "
            "campaign that nobody works on: under Hidden checks, or with `pagetrail campaign WS "
            "copy-gold`. Nobody gets a copy of a task that they have in the pilot.",
            campaign=name,
        )
    if source.status == "open":
        return gettext(
            "{campaign} is open, so its tasks can be assigned, taken and practised. Close it "
            "first. Or copy its gold into a campaign that nobody works on, under Hidden checks or "
            "with `pagetrail campaign WS copy-gold`.",
            campaign=name,
        )
    return ""


def unsafe_campaigns(connection: Connection) -> list[tuple[str, str]]:
    """(campaign, reason) of campaigns that draw no hidden gold since its source is not safe."""
    unsafe = []
    for name, quality in _current_quality(connection):
        source = quality.get("gold_from")
        if source is not None and quality.get("gold_rate"):
            reason = unsafe_source(connection, source)
            unsafe += [(name, reason)] if reason else []
    return unsafe


def _current_quality(connection: Connection) -> list[tuple[str, dict[str, Any]]]:
    """(campaign, settings of its checks) of campaigns that are not archived."""
    rows = connection.execute(
        select(Campaign.name, Campaign.protocol)
        .where(Campaign.status != ARCHIVED, Campaign.checks_of.is_(None))
        .order_by(Campaign.id)
    )
    return [(row.name, row.protocol.get("quality", {})) for row in rows]


def require_no_dependents(connection: Connection, source: Campaign) -> None:
    """Refuse to reopen a campaign that other campaigns take their hidden gold from.

    Raises:
        ConflictError: there is such a campaign that is not archived.
    """
    names = [
        name
        for name, quality in _current_quality(connection)
        if quality.get("gold_from") == source.name
    ]
    if names:
        raise ConflictError(
            ngettext(
                "Campaign {source} cannot be reopened: {names} takes hidden gold from "
                "it. Choose another source under Hidden checks, or none, or archive "
                "what takes from it.",
                "Campaign {source} cannot be reopened: {names} take hidden gold from "
                "it. Choose another source under Hidden checks, or none, or archive "
                "what takes from it.",
                len(names),
                source=source.name,
                names=", ".join(names),
            )
        )


def barred_pairs(
    connection: Connection, campaign_id: int, user_id: int | None = None
) -> set[tuple[int, int]]:
    """(batch, person) ids where a task of the batch is hidden gold of the person.

    Args:
        user_id: only pairs of this person.
    """
    checks = list(connection.execute(_hidden_gold(user_id)))
    if not checks:
        return set()
    tasks = TaskIndex(
        _stored_tasks(
            connection, Task.campaign_id == campaign_id, _may_be_in(_hidden_gold(user_id))
        )
    )
    return {(task.batch_id, check.user_id) for check in checks for task in tasks.same_as(check)}


def barred_names(
    connection: Connection, campaign_id: int, people: Collection[Person]
) -> set[tuple[str, str]]:
    """``barred_pairs`` as (batch code name, annotator name)."""
    names = {person.id: person.name for person in people}
    pairs = [pair for pair in barred_pairs(connection, campaign_id) if pair[1] in names]
    batches = select(Batch.id, Batch.code_name).where(Batch.campaign_id == campaign_id)
    code_names = {row.id: row.code_name for row in connection.execute(batches)} if pairs else {}
    return {(code_names[batch], names[user]) for batch, user in pairs}


def require_no_check_in(
    connection: Connection, campaign: Campaign, batch_id: int, person: Person
) -> None:
    """Refuse to assign a batch in which a task is hidden gold of the person.

    Raises:
        ConflictError: there is one; only supervisors may read the message.
    """
    if (batch_id, person.id) in barred_pairs(connection, campaign.id, person.id):
        raise ConflictError(
            gettext(
                "A task of this batch of {campaign} is a hidden check for {person}, "
                "who must not meet it in another way. Assign the batch to somebody "
                "else.",
                campaign=campaign.name,
                person=person.name,
            ),
            code="hidden_check",
        )


def require_no_hidden_gold(
    connection: Connection,
    campaign: Campaign,
    batch_id: int,
    key: str,
    record: dict[str, Any],
) -> None:
    """Refuse a task that would be the same as a check of somebody who has the batch.

    Raises:
        ConflictError: it would be the same.
    """
    new = ShownTask(key, record, campaign.protocol.get("pages", "search"))
    holders = select(Assignment.user_id).where(Assignment.batch_id == batch_id)
    checks = connection.execute(
        _hidden_gold(None)
        .where(Attempt.user_id.in_(holders))
        .where(or_(Task.question_key == question_key(record), Task.key == key))
    )
    names = sorted({check.person for check in checks if _shown_task(check).is_same_as(new)})
    if names:
        raise ConflictError(
            gettext(
                "This would make the task a hidden check of {names}, who has its "
                "batch. Withdraw the batch first, or ask something else.",
                names=", ".join(names),
            )
        )


def tasks_met(connection: Connection, user_id: int, source_id: int) -> TaskIndex:
    """Tasks of a person's batches and checks that may be the same as tasks of a campaign."""
    source = select(Task).where(Task.campaign_id == source_id)
    return TaskIndex(_stored_tasks(connection, _is_met_by(user_id), _may_be_in(source)))


def exposed_checks(connection: Connection) -> tuple[int, list[ExposedCheck]]:
    """The number of hidden gold tasks people have, and those they also have in another way."""
    checks = list(connection.execute(_hidden_gold(None)))
    people: dict[int, list[AnyRow]] = defaultdict(list)
    for check in checks:
        people[check.user_id].append(check)
    exposed = []
    for user_id, own_checks in people.items():
        met_tasks = TaskIndex(
            _stored_tasks(connection, _is_met_by(user_id), _may_be_in(_hidden_gold(user_id)))
        )
        exposed += [
            ExposedCheck(
                check.attempt_id, check.person, check.campaign, check.key, task.campaign, task.key
            )
            for check in own_checks
            for task in met_tasks.same_as(check)
            if task.id != check.id
        ]
    return len(checks), exposed


class TaskIndex:
    """An index of stored tasks for finding the same task in other campaigns."""

    def __init__(self, rows: Iterable[AnyRow] = ()) -> None:
        """``rows``: of ``Task``, with the setting ``pages`` of their campaign."""
        self._rows: dict[tuple[str, str], list[AnyRow]] = defaultdict(list)
        for row in rows:
            self.add(row)

    def add(self, row: AnyRow) -> None:
        """Add a task."""
        self._rows["question", row.question_key].append(row)
        self._rows["key", row.key].append(row)

    def same_as(self, row: AnyRow) -> list[AnyRow]:
        """The indexed tasks that are the same as this one, each once."""
        candidates = [
            *self._rows.get(("question", row.question_key), ()),
            *self._rows.get(("key", row.key), ()),
        ]
        return [
            candidate
            for candidate in {task.id: task for task in candidates}.values()
            if _shown_task(row).is_same_as(_shown_task(candidate))
        ]


def _shown_task(row: AnyRow) -> ShownTask:
    return ShownTask(row.key, row.record, row.pages or "search")


PAGES = Campaign.protocol["pages"].as_string().label("pages")
"""The setting of a task's campaign, for ``TaskIndex``."""


def _hidden_gold(user_id: int | None) -> AnySelect:
    """Everybody's hidden gold, or one person's."""
    statement = (
        select(
            Task,
            Attempt.id.label("attempt_id"),
            Attempt.user_id,
            User.name.label("person"),
            Campaign.name.label("campaign"),
            PAGES,
        )
        .select_from(Task)
        .join(Campaign, Campaign.id == Task.campaign_id)
        .join(Attempt, Attempt.task_id == Task.id)
        .join(User, User.id == Attempt.user_id)
        .where(Campaign.check_kind == "gold")
        .order_by(Attempt.created_at, Task.id)
    )
    return statement if user_id is None else statement.where(Attempt.user_id == user_id)


def _may_be_in(tasks: AnySelect) -> ColumnElement[bool]:
    """Condition: tasks with the question or id of one of these, for ``TaskIndex`` to compare."""
    plain = tasks.order_by(None)
    return or_(
        *(
            column.in_(plain.with_only_columns(column).correlate(None))
            for column in (Task.question_key, Task.key)
        )
    )


def _stored_tasks(connection: Connection, *conditions: ColumnElement[bool]) -> list[AnyRow]:
    return list(
        connection.execute(
            select(Task, Campaign.name.label("campaign"), PAGES)
            .join(Campaign, Campaign.id == Task.campaign_id)
            .where(*conditions)
            .order_by(Task.id)
        )
    )


def _is_met_by(user_id: int) -> ColumnElement[bool]:
    """Condition: tasks in a person's batches (including withdrawn ones with work) and checks."""
    batches = select(Assignment.batch_id).where(Assignment.user_id == user_id)
    attempts = select(Attempt.task_id).where(Attempt.user_id == user_id)
    return or_(Task.batch_id.in_(batches), Task.id.in_(attempts))
