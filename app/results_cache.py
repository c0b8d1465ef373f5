"""Reports of campaigns, computed once for a state of the work and shared by all sessions."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from threading import Lock

from exports.reports.model import Report


@dataclass
class _Entry:
    lock: Lock = field(default_factory=Lock)
    report: Report | None = None


class ReportCache:
    """The last reports by key. Thread-safe; two who want the same compute it once.

    Args:
        size: how many reports are kept.
    """

    def __init__(self, size: int = 24) -> None:
        self._size = size
        self._lock = Lock()
        self._entries: OrderedDict[Hashable, _Entry] = OrderedDict()

    def get(self, key: Hashable, compute: Callable[[], Report]) -> Report:
        """The report of that key, computed unless it is there.

        Raises:
            Exception: what ``compute`` raises; nothing is kept then.
        """
        with self._lock:
            entry = self._entries.setdefault(key, _Entry())
            self._entries.move_to_end(key)
            while len(self._entries) > self._size:
                self._entries.popitem(last=False)
        with entry.lock:
            if entry.report is None:
                entry.report = compute()
            return entry.report

    def holds(self, key: Hashable) -> bool:
        """Whether the report is there already."""
        with self._lock:
            entry = self._entries.get(key)
        return entry is not None and entry.report is not None


REPORTS = ReportCache()
"""Of this process."""
