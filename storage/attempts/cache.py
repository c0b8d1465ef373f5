"""An in-memory cache that threads share; the least recently used values are evicted first."""

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
    connection: Connection, attempt_id: str, last_seq: int, variant: int = 0
) -> AttemptKey:
    """Cache key of a value computed from an attempt: the database, the attempt, its last event.

    The log is append-only, so such a value never goes stale: another event gives another key.

    Args:
        variant: hash of anything else the value depends on that may change, e.g. the task's gold.
    """
    return str(connection.engine.url), attempt_id, last_seq, variant


class SharedCache(Generic[K, V]):
    """A least-recently-used cache behind a lock.

    Args:
        maxsize: capacity, in values or in the unit of ``getsizeof``.
        getsizeof: size of a value; without it each counts as 1.
    """

    def __init__(self, maxsize: int, getsizeof: Callable[[V], int] | None = None) -> None:
        self._values: LRUCache[K, V] = LRUCache(maxsize, getsizeof)
        self._lock = Lock()

    def get(self, key: K) -> V | None:
        """The value, or None when it is not cached."""
        with self._lock:
            return self._values.get(key)

    def store(self, key: K, value: V) -> V:
        """Cache a value unless it is larger than the whole cache; returns it."""
        with self._lock:
            self._values.pop(key, None)
            if self._values.getsizeof(value) <= self._values.maxsize:
                self._values[key] = value
        return value
