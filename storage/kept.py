"""Figures of attempts that are kept in memory, since they cost the reading of a whole stream."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import Generic, TypeVar

from sqlalchemy import Connection

V = TypeVar("V")

Key = tuple[str, str, int, int]


def key_of(connection: Connection, attempt_id: str, last_seq: int, beside: int = 0) -> Key:
    """What a figure of an attempt rests on: the database, the attempt, its last event.

    Args:
        beside: hash of what else it rests on and may change, such as the task's gold.
    """
    return str(connection.engine.url), attempt_id, last_seq, beside


class Kept(Generic[V]):
    """Values by what they rest on; those used least recently go first. Threads may share it.

    The log is append-only, so that a value never becomes wrong: a further event is a further key.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._values: OrderedDict[Key, V] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Key) -> V | None:
        """The value, or None where it is not kept."""
        with self._lock:
            if key not in self._values:
                return None
            self._values.move_to_end(key)
            return self._values[key]

    def put(self, key: Key, value: V) -> V:
        """Keep a value, and give it back."""
        with self._lock:
            self._values[key] = value
            self._values.move_to_end(key)
            while len(self._values) > self._most:
                self._values.popitem(last=False)
        return value
