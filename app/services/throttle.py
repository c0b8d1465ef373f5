"""A limit on repeated failures, kept in memory."""

from __future__ import annotations

from collections import OrderedDict, deque
from threading import Lock
from time import monotonic

_MAX_CALLERS = 10_000


class Throttle:
    """At most ``attempts`` failures within ``window_s`` seconds for each caller.

    Beyond 10,000 callers, whoever failed longest ago is forgotten.
    """

    def __init__(self, attempts: int, window_s: float) -> None:
        self._attempts = attempts
        self._window = window_s
        self._failures: OrderedDict[str, deque[float]] = OrderedDict()
        self._lock = Lock()

    def allows(self, caller: str) -> bool:
        """Whether the caller may try (again)."""
        with self._lock:
            return len(self._recent(caller)) < self._attempts

    def failed(self, caller: str) -> None:
        """Count a failure."""
        with self._lock:
            self._failures.setdefault(caller, deque(maxlen=self._attempts)).append(monotonic())
            self._failures.move_to_end(caller)
            if len(self._failures) > _MAX_CALLERS:
                self._failures.popitem(last=False)

    def _recent(self, caller: str) -> deque[float]:
        times = self._failures.get(caller, deque())
        while times and times[0] < monotonic() - self._window:
            times.popleft()
        return times
