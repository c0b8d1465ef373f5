"""System users, under which agents work, and their attempts; they have no password and no
assignments."""

from __future__ import annotations

from uuid import uuid4

from sqlalchemy import Connection, insert, select

from pagetrail.annotation.clock import SystemClock, iso
from pagetrail.annotation.errors import ConflictError
from pagetrail.annotation.messages import gettext
from pagetrail.annotation.ports import Clock
from pagetrail.storage.attempts.queries import AttemptRow, attempt_in
from pagetrail.storage.campaigns.lookup import get_campaign, get_task, require_open
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.tables import Attempt, Task, User
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.accounts import Person, find_user, person_of
from pagetrail.storage.people.confusable_names import require_not_reserved, taken_names
from pagetrail.storage.people.credentials import check_name
from pagetrail.storage.people.system_roles import GOLD_SETTING, GOLD_USER, REVIEW, SYSTEM


def ensure_system(workspace: Workspace, name: str, *, clock: Clock | None = None) -> Person:
    """The system user with this name, created on first use.

    Raises:
        PagetrailError: the name is not allowed (codes ``invalid_name``, ``reserved_name``).
        ConflictError: a person has this name, or a new name can be mistaken for one that is taken.
    """
    name = check_name(name)
    with write_transaction(workspace.engine) as connection:
        row = find_user(connection, name)
        if row is None:
            require_not_reserved(name)
            taken_names(connection).require_free(name)
            # A system appears under its own name everywhere; its pseudonym only has to be unique.
            pseudonym = f"{SYSTEM}:{name}"
            _add_account(connection, name, SYSTEM, pseudonym, True, clock or SystemClock())
            row = find_user(connection, name)
            assert row is not None
    person = person_of(row)
    if person.role != SYSTEM:
        raise ConflictError(
            gettext(
                "{person} is a person's name here. Choose another name for the system.",
                person=person.name,
            )
        )
    return person


def ensure_gold_attempt(connection: Connection, task_id: int, clock: Clock) -> str:
    """Id of the attempt that holds the task's gold, created on first use.

    Args:
        connection: of a transaction that holds the write lock.
    """
    user = connection.execute(select(User.id).where(User.name == GOLD_USER)).scalar()
    if user is None:
        _add_account(connection, GOLD_USER, REVIEW, f"{REVIEW}:gold", False, clock)
        user = connection.execute(select(User.id).where(User.name == GOLD_USER)).scalar_one()
    attempt_id = connection.execute(
        select(Attempt.id).where(Attempt.task_id == task_id, Attempt.user_id == user)
    ).scalar()
    if attempt_id is None:
        attempt_id = _add_attempt(connection, task_id, user, GOLD_SETTING, clock)
    return str(attempt_id)


def ensure_attempt(
    workspace: Workspace,
    campaign: str,
    key: str,
    system: Person,
    *,
    finished: bool = False,
    clock: Clock | None = None,
) -> AttemptRow:
    """The system's attempt at a task, created on first use.

    Args:
        finished: whether finished work is imported, which closed campaigns accept too.

    Raises:
        NotFoundError: no such campaign, or no such task in it.
        ConflictError: the campaign is closed.
    """
    with write_transaction(workspace.engine) as connection:
        row = get_campaign(connection, campaign)
        if not finished:
            require_open(row)
        setting = row.protocol["name"]
        task_id = get_task(connection, row, key, Task.id).id
        attempt_id = connection.execute(
            select(Attempt.id).where(
                Attempt.task_id == task_id,
                Attempt.user_id == system.id,
                Attempt.setting == setting,
            )
        ).scalar_one_or_none()
        if attempt_id is None:
            attempt_id = _add_attempt(
                connection, task_id, system.id, setting, clock or SystemClock()
            )
        return attempt_in(connection, attempt_id)


def _add_account(
    connection: Connection, name: str, role: str, pseudonym: str, active: bool, clock: Clock
) -> None:
    connection.execute(
        insert(User).values(
            name=name,
            role=role,
            pseudonym=pseudonym,
            password_hash=None,
            active=active,
            created_at=iso(clock.now()),
        )
    )


def _add_attempt(
    connection: Connection, task_id: int, user_id: int, setting: str, clock: Clock
) -> str:
    attempt_id = uuid4().hex
    connection.execute(
        insert(Attempt).values(
            id=attempt_id,
            task_id=task_id,
            user_id=user_id,
            assignment_id=None,
            setting=setting,
            created_at=iso(clock.now()),
        )
    )
    return attempt_id
