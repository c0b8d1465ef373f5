"""What is computed of campaigns, once for a state of the work, and shared by all sessions."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from threading import Lock
from typing import Generic, TypeVar

from exports.reports.model import Report

V = TypeVar("V")


@dataclass
class _Entry(Generic[V]):
    lock: Lock = field(default_factory=Lock)
    value: V | None = None


class Cache(Generic[V]):
    """The last values by key. Thread-safe; two who want the same compute it once.

    Args:
        size: how many are kept.
    """

    def __init__(self, size: int = 24) -> None:
        self._size = size
        self._lock = Lock()
        self._entries: OrderedDict[Hashable, _Entry[V]] = OrderedDict()

    def get(self, key: Hashable, compute: Callable[[], V]) -> V:
        """The value of that key, computed unless it is there.

        Raises:
            Exception: what ``compute`` raises; nothing is kept then.
        """
        with self._lock:
            entry = self._entries.setdefault(key, _Entry())
            self._entries.move_to_end(key)
            while len(self._entries) > self._size:
                self._entries.popitem(last=False)
        with entry.lock:
            if entry.value is None:
                entry.value = compute()
            return entry.value

    def holds(self, key: Hashable) -> bool:
        """Whether the value is there already."""
        with self._lock:
            entry = self._entries.get(key)
        return entry is not None and entry.value is not None


class ReportCache(Cache[Report]):
    """The last reports."""


REPORTS = ReportCache()
"""Of this process."""
