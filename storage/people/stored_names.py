"""Replaces a person's name everywhere it is stored, in one transaction.

The log stays append-only for everything people did, but the names in it can change, since people
change theirs and may ask to be forgotten. The trigger that refuses changes to events is lifted
inside the transaction only, so no other writer sees the log without it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from sqlalchemy import Connection, Engine, Integer, Text, bindparam, cast, func, or_, select, update

from pagetrail.storage.database.append_only import changeable_log
from pagetrail.storage.database.portable_sql import insert_into, position_of
from pagetrail.storage.database.tables import (
    AttemptStateRow,
    Audit,
    EventRow,
    Job,
    Meta,
    QualificationRow,
    ReviewTask,
    Task,
)

NAMES_REVISION = select(Meta.value).where(Meta.key == "names_revision").scalar_subquery()
"""Changes whenever a person's name has changed; NULL until then. For what is cached with names."""

_NAMES = (
    EventRow.actor,
    QualificationRow.by,
    Job.by,
    ReviewTask.decided_by,
    ReviewTask.holder,
)
"""Columns that hold only a name."""
_NAMING_EVENTS = ("review_taken", "gold_merged", "adjudicated")
"""Types whose payload names people: ``over``, and ``annotator`` of their ``sources``."""


def replace_name(connection: Connection, old: str, new: str) -> None:
    """Replace a name in all rows except the account's own and the audit log's.

    People's own texts (answers, notes, comments, reasons) stay unchanged.
    """
    with changeable_log(connection):
        for column in _NAMES:
            connection.execute(update(column.class_).where(column == old).values({column: new}))
        _in_payloads(connection, old, new)
    _in_judged_answers(connection, old, new)
    _in_states(connection, old, new)
    revision = insert_into(connection, Meta).values(key="names_revision", value="1")
    following = cast(cast(Meta.value, Integer) + 1, Text)
    connection.execute(
        revision.on_conflict_do_update(index_elements=["key"], set_={"value": following})
    )


def _in_payloads(connection: Connection, old: str, new: str) -> None:
    naming_events = select(EventRow.id, EventRow.payload).where(EventRow.type.in_(_NAMING_EVENTS))
    changed = [
        {"event": row.id, "new": row.payload}
        for row in connection.execute(naming_events)
        if _replaced(row.payload, ("over",), old, new)
    ]
    if changed:
        change = update(EventRow).where(EventRow.id == bindparam("event"))
        connection.execute(change.values(payload=bindparam("new")), changed)


def _in_judged_answers(connection: Connection, old: str, new: str) -> None:
    """The person's answers that others judge, so that they stay recognized as theirs."""
    system = Task.record["prediction"]["system"].as_string()
    for prefix in ("", "human:"):
        named = select(Task.id, Task.record).where(system == f"{prefix}{old}")
        for row in connection.execute(named).all():
            prediction = row.record["prediction"] | {"system": f"{prefix}{new}"}
            change = update(Task).where(Task.id == row.id)
            connection.execute(change.values(record=row.record | {"prediction": prediction}))


def _in_states(connection: Connection, old: str, new: str) -> None:
    quoted = {json.dumps(old, ensure_ascii=ascii_) for ascii_ in (True, False)}
    mentions = or_(*(position_of(AttemptStateRow.state, quoted_name) > 0 for quoted_name in quoted))
    changed = []
    for row in connection.execute(
        select(AttemptStateRow.attempt_id, AttemptStateRow.state).where(mentions)
    ):
        state = json.loads(row.state)
        is_changed = _replaced(state.get("review") or {}, ("holder", "decided_by"), old, new)
        # Earlier versions stored comments in the state. They are read from their events only.
        if is_changed or state.pop("comments", None):
            stored = json.dumps(state, ensure_ascii=False, separators=(",", ":"))
            changed.append({"attempt": row.attempt_id, "new": stored})
    if changed:
        change = update(AttemptStateRow).where(AttemptStateRow.attempt_id == bindparam("attempt"))
        connection.execute(change.values(state=bindparam("new")), changed)


def _replaced(values: dict[str, Any], fields: Iterable[str], old: str, new: str) -> bool:
    """Replace the name in these fields and in ``sources``; returns whether it occurred."""
    fields_with_names = [(values, field) for field in fields]
    fields_with_names += [(source, "annotator") for source in values.get("sources", ())]
    matches = [(holder, field) for holder, field in fields_with_names if holder.get(field) == old]
    for holder, field in matches:
        holder[field] = new
    return bool(matches)


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
