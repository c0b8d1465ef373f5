"""People in the log and in states: stored by their ids, read under their current names."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from sqlalchemy import Connection, bindparam, select

from pagetrail.storage.database.damage import damaged
from pagetrail.storage.database.tables import User

NAMING_EVENTS = frozenset({"review_taken", "gold_merged", "adjudicated"})
"""Types whose payload names people."""
_FIELDS = ("over", "holder", "decided_by")
"""Fields of payloads and of a gold's review that hold a person; so does ``annotator`` in each of
their ``sources``."""
_NAME = select(User.name).where(User.id == bindparam("id"))
_ID = select(User.id).where(User.name == bindparam("name"))


class People:
    """Names and ids of accounts as one connection sees them; each is looked up once."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._names: dict[int, str] = {}
        self._ids: dict[str, int | None] = {}

    def name(self, id_: int) -> str:
        """The account's current name.

        Raises:
            StorageError: no such account; the database is damaged.
        """
        if id_ not in self._names:
            name = self._connection.execute(_NAME, {"id": id_}).scalar()
            if name is None:
                raise damaged(f"account {id_}", "there is none")
            self._names[id_] = name
        return self._names[id_]

    def id(self, name: str) -> int | None:
        """The account with this name; None for who has none."""
        if name not in self._ids:
            self._ids[name] = self._connection.execute(_ID, {"name": name}).scalar()
        return self._ids[name]

    def with_ids(self, fields: dict[str, Any]) -> dict[str, Any]:
        """A payload or a gold's review with ids; who has no account stays text."""
        return _changed(fields, lambda name: name if (id_ := self.id(name)) is None else id_)

    def with_names(self, fields: dict[str, Any]) -> dict[str, Any]:
        """The same with names."""
        return _changed(fields, lambda id_: self.name(id_) if isinstance(id_, int) else id_)


def _changed(fields: dict[str, Any], change: Callable[[Any], Any]) -> dict[str, Any]:
    changed = _with(fields, _FIELDS, change)
    if "sources" in fields:
        changed["sources"] = [_with(each, ("annotator",), change) for each in fields["sources"]]
    return changed


def _with(
    fields: dict[str, Any], names: Iterable[str], change: Callable[[Any], Any]
) -> dict[str, Any]:
    people = {name: change(fields[name]) for name in names if fields.get(name) is not None}
    return fields | people
