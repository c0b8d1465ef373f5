"""The few names that are stored besides the account's own, and what is done when one changes.

Events, states and the audit log name people by their ids (``people_by_id``, ``audit``), so a new
name changes nothing in them. When a person is anonymised, the name is removed from texts of the
audit log as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from sqlalchemy import Connection, Engine, Integer, Text, cast, func, or_, select, update

from pagetrail.storage.database.portable_sql import insert_into, position_of
from pagetrail.storage.database.tables import (
    Audit,
    Job,
    Meta,
    QualificationRow,
    Task,
)

NAMES_REVISION = select(Meta.value).where(Meta.key == "names_revision").scalar_subquery()
"""Changes whenever a person's name has changed; NULL until then. For what is cached with names."""

_NAMES = (QualificationRow.by, Job.by)
"""Columns that hold only a name."""


def replace_name(connection: Connection, old: str, new: str) -> None:
    """Replace a name in decisions on pilots, jobs, and answers of people that others judge.

    People's own texts (answers, notes, comments, reasons) stay unchanged.
    """
    for column in _NAMES:
        connection.execute(update(column.class_).where(column == old).values({column: new}))
    _in_judged_answers(connection, old, new)
    revision = insert_into(connection, Meta).values(key="names_revision", value="1")
    following = cast(cast(Meta.value, Integer) + 1, Text)
    connection.execute(
        revision.on_conflict_do_update(index_elements=["key"], set_={"value": following})
    )


def _in_judged_answers(connection: Connection, old: str, new: str) -> None:
    """The person's answers that others judge, so that they stay recognized as theirs."""
    system = Task.record["prediction"]["system"].as_string()
    for prefix in ("", "human:"):
        named = select(Task.id, Task.record).where(system == f"{prefix}{old}")
        for row in connection.execute(named).all():
            prediction = row.record["prediction"] | {"system": f"{prefix}{new}"}
            change = update(Task).where(Task.id == row.id)
            connection.execute(change.values(record=row.record | {"prediction": prediction}))


def is_in_audit_texts(connection: Connection, name: str) -> bool:
    """Whether the audit log has the name itself, as a whole word, besides the person's id."""
    return next(_audit_texts(connection, name), None) is not None


def forget_in_audit(connection: Connection, names: Iterable[str], new: str) -> None:
    """Replace a person's names, current and former, in all texts of the audit log."""
    for name in names:
        for id_, actor, detail in list(_audit_texts(connection, name)):
            connection.execute(
                update(Audit)
                .where(Audit.id == id_)
                .values(
                    actor=new if actor == name else actor,
                    detail=_whole_word(name).sub(lambda _: new, detail),
                )
            )


def _audit_texts(connection: Connection, name: str) -> Iterator[tuple[int, str, str]]:
    mentions = or_(position_of(Audit.detail, name) > 0, Audit.actor == name)
    for row in connection.execute(select(Audit.id, Audit.actor, Audit.detail).where(mentions)):
        if row.actor == name or _whole_word(name).search(row.detail):
            yield row.id, row.actor, row.detail


def _whole_word(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")


def renamings(engine: Engine) -> int:
    """How many renamings and anonymisations there have been."""
    count = select(func.count()).where(Audit.action.in_(("user_renamed", "user_anonymised")))
    with engine.connect() as connection:
        return int(connection.execute(count).scalar_one())
