"""How fast one person's requests and messages are taken: a burst at once, a flood is spread."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic


class SteadyRate:
    """A rate beyond which things wait; none is lost.

    Args:
        per_s: what is taken a second, steadily.
        burst: what is taken at once after a pause.
        now: seconds of a clock that only goes on.
    """

    def __init__(self, per_s: float, burst: float, now: Callable[[], float] = monotonic) -> None:
        self._per_s = per_s
        self._burst = burst
        self._now = now
        self._due = 0.0  # when the next may come at the steady rate

    def wait(self, weight: float = 1) -> float:
        """Seconds that what has just come waits; it counts as so many."""
        now = self._now()
        self._due = max(self._due, now - self._burst / self._per_s) + weight / self._per_s
        return max(0.0, self._due - now)

    def take_back(self, weight: float = 1) -> None:
        """What came last does not count: it was refused."""
        self._due -= weight / self._per_s


def message_rate() -> SteadyRate:
    """The rate of a person's web-socket messages over all tabs: each has the server run a screen.

    When the server is back, all tabs send at once.
    """
    return SteadyRate(per_s=10, burst=60)


def request_rate() -> SteadyRate:
    """The rate of a person's requests.

    Scrolling through thumbnails asks for some thirty a second. Beyond the rate a request waits
    before anything is done for it, so that a hundred connections cost others no more than one.
    """
    return SteadyRate(per_s=40, burst=160)
