"""Values in memory that threads share; those used least recently go first."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import Generic, TypeVar

from cachetools import LRUCache
from sqlalchemy import Connection

K = TypeVar("K")
V = TypeVar("V")

AttemptKey = tuple[str, str, int, int]


def attempt_key(
    connection: Connection, attempt_id: str, last_seq: int, beside: int = 0
) -> AttemptKey:
    """What a value computed from an attempt rests on: the database, the attempt, its last event.

    The log is append-only, so such a value never becomes wrong: one more event is another key.

    Args:
        beside: hash of what else it rests on and may change, such as the task's gold.
    """
    return str(connection.engine.url), attempt_id, last_seq, beside


class SharedCache(Generic[K, V]):
    """A least-recently-used cache behind a lock.

    Args:
        maxsize: the most that is kept, in values or in what ``getsizeof`` counts.
        getsizeof: the size of a value; each counts 1 without it.
    """

    def __init__(self, maxsize: int, getsizeof: Callable[[V], int] | None = None) -> None:
        self._values: LRUCache[K, V] = LRUCache(maxsize, getsizeof)
        self._lock = Lock()

    def get(self, key: K) -> V | None:
        """The value, or None where it is not kept."""
        with self._lock:
            return self._values.get(key)

    def put(self, key: K, value: V) -> V:
        """Keep a value unless it is larger than the whole cache, and return it."""
        with self._lock:
            self._values.pop(key, None)
            if self._values.getsizeof(value) <= self._values.maxsize:
                self._values[key] = value
        return value
