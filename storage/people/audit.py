"""The audit log: who did what to whom.

People are stored by their ids and shown under their current names. What is stored never changes,
but for the text of entries when a person is anonymised (``storage.people.stored_names``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from sqlalchemy import Connection, insert, select

from pagetrail.annotation.clock import SystemClock, iso
from pagetrail.annotation.messages import gettext
from pagetrail.annotation.ports import Clock
from pagetrail.storage.database.base import AnyRow
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.tables import Audit, User
from pagetrail.storage.database.workspace import Workspace

if TYPE_CHECKING:
    from pagetrail.storage.people.accounts import Person

COMMAND_LINE = "command line"
_LIMIT = 2_000
_PLACEHOLDER = "\ufffc"
"""Object replacement character: where a person is named in an entry's text."""


class PersonName(str):
    """A part of an entry's text that is the current name of a person or system."""

    __slots__ = ()


Detail = str | Sequence[str]
"""An entry's text, or its parts in order, of which each ``PersonName`` is stored as an id."""


@dataclass(frozen=True)
class AuditEntry:
    """One line of the audit log; ``at`` is ISO-8601 UTC.

    ``names_as_written``: the text has names as they were when it was written, by a version that
    did not store whom they mean.
    """

    id: int
    at: str
    actor: str
    action: str
    detail: str
    names_as_written: bool

    @property
    def text(self) -> str:
        """``detail``, with a comment on names that are not current."""
        if self.names_as_written:
            return gettext("{text} (names as they were)", text=self.detail)
        return self.detail


def audit(
    workspace: Workspace,
    actor: Person | str | None,
    action: str,
    detail: Detail,
    *,
    clock: Clock | None = None,
) -> None:
    """Record a refused access or an administrative action; texts are cut at 2,000 characters."""
    with write_transaction(workspace.engine) as connection:
        audit_in(connection, actor, action, detail, clock=clock)


def audit_in(
    connection: Connection,
    actor: Person | str | None,
    action: str,
    detail: Detail,
    *,
    clock: Clock | None = None,
) -> None:
    """``audit`` in the transaction of the action itself, so that both are stored or neither.

    Args:
        actor: a person, a current name, or text for who has no account; None: the command line.
    """
    parts = [detail] if isinstance(detail, str) else detail
    named = {str(part) for part in parts if isinstance(part, PersonName)}
    actor_id, name = (None, actor) if actor is None or isinstance(actor, str) else (actor.id, "")
    name = COMMAND_LINE if name is None else _storable(name)
    ids: dict[str, int] = {}
    if names := (named | {name}) - {"", COMMAND_LINE}:
        query = select(User.name, User.id).where(User.name.in_(names))
        ids = {row.name: row.id for row in connection.execute(query)}
    text, people = "", []
    for part in parts:
        if isinstance(part, PersonName) and part in ids:
            text += _PLACEHOLDER
            people.append(ids[part])
        else:
            text += part.replace(_PLACEHOLDER, "\ufffd")
    text = _storable(text)
    actor_id = ids.get(name) if actor_id is None else actor_id
    connection.execute(
        insert(Audit).values(
            at=iso((clock or SystemClock()).now()),
            actor_id=actor_id,
            actor="" if actor_id is not None else name,
            action=_storable(action),
            detail=text,
            people=people[: text.count(_PLACEHOLDER)],
        )
    )


def joined(separator: str, lists: Iterable[Sequence[str]]) -> list[str]:
    """The parts of all lists, with a separator between two lists."""
    return [part for parts in lists for part in (separator, *parts)][1:]


def audit_entries(
    workspace: Workspace,
    *,
    text: str = "",
    actions: Sequence[str] = (),
    limit: int | None = 200,
) -> list[AuditEntry]:
    """The newest entries first.

    Args:
        text: only entries with this text in actor, action or detail, ignoring case.
        actions: only these actions; empty means all.
        limit: maximum number; None means all.
    """
    statement = select(Audit).order_by(Audit.id.desc())
    if actions:
        statement = statement.where(Audit.action.in_(actions))
    lowered = text.lower()
    with workspace.engine.connect() as connection:
        names = {row.id: row.name for row in connection.execute(select(User.id, User.name))}
        rows = connection.execution_options(yield_per=1_000).execute(statement)
        entries = (_entry(row, names) for row in rows)
        matching = (
            entry
            for entry in entries
            if any(lowered in part.lower() for part in (entry.actor, entry.action, entry.detail))
        )
        return list(islice(matching, limit))


def audit_actions(workspace: Workspace) -> list[str]:
    """The actions that occur in the log, in alphabetical order."""
    with workspace.engine.connect() as connection:
        actions = connection.execute(select(Audit.action).distinct().order_by(Audit.action))
        return list(actions.scalars())


def _entry(row: AnyRow, names: Mapping[int, str]) -> AuditEntry:
    is_old = row.people is None
    return AuditEntry(
        id=row.id,
        at=row.at,
        actor=row.actor if row.actor_id is None else names[row.actor_id],
        action=row.action,
        detail=row.detail if is_old else _with_names(row.detail, iter(row.people), names),
        names_as_written=is_old,
    )


def _with_names(text: str, people: Iterator[int], names: Mapping[int, str]) -> str:
    first, *others = text.split(_PLACEHOLDER)
    return first + "".join(names[next(people)] + other for other in others)


def _storable(text: str) -> str:
    return text[:_LIMIT].encode("utf-8", "backslashreplace").decode().replace("\0", "\\0")
