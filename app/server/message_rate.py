"""How fast a person's tabs may send: each message has the server run a screen."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

PER_S = 10
"""Messages a second that are taken of one person."""
BURST = 60
"""Messages that are taken at once: when the server is back, all tabs send."""


class MessageRate:
    """The rate of one person's messages, over all tabs: those beyond it wait, none is lost.

    Args:
        now: seconds of a clock that only goes on.
    """

    def __init__(self, now: Callable[[], float] = monotonic) -> None:
        self._now = now
        self._due = 0.0  # when the next message may come at the steady rate

    def wait(self) -> float:
        """Seconds that the message that has just come waits."""
        now = self._now()
        self._due = max(self._due, now - BURST / PER_S) + 1 / PER_S
        return max(0.0, self._due - now)
