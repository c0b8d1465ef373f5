"""Rate limits per person: bursts pass at once, floods are spread out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from math import ceil
from threading import Lock
from time import monotonic

from pagetrail.annotation.messages import gettext
from pagetrail.app.services.person_turns import TooManyRequests


class SteadyRate:
    """A rate limit that delays what exceeds it; nothing is lost.

    Args:
        per_s: steady rate per second.
        burst: what passes at once after a pause.
        now: seconds of a monotonic clock.
    """

    def __init__(self, per_s: float, burst: float, now: Callable[[], float] = monotonic) -> None:
        self._per_s = per_s
        self._burst = burst
        self._now = now
        self._due = 0.0  # when the next may come at the steady rate

    def wait(self, weight: float = 1) -> float:
        """Seconds to wait for an arrival that counts as ``weight``."""
        now = self._now()
        self._due = max(self._due, now - self._burst / self._per_s) + weight / self._per_s
        return max(0.0, self._due - now)

    def take_back(self, weight: float = 1) -> None:
        """Undo the last arrival, which was refused."""
        self._due -= weight / self._per_s


class EventRates:
    """Rate limits of each person's or system's events, by number and by size. Thread-safe.

    An hour of work without a connection, 20 changes a second, is stored within 25 minutes.
    """

    EVENTS_PER_S, EVENTS_AT_ONCE = 50, 5_000
    BYTES_PER_S, BYTES_AT_ONCE = 100_000, 20_000_000
    LONGEST_WAIT_S = 3.0

    def __init__(self, now: Callable[[], float] = monotonic) -> None:
        self._lock = Lock()
        self._rates: defaultdict[int, tuple[SteadyRate, SteadyRate]] = defaultdict(
            lambda: (
                SteadyRate(self.EVENTS_PER_S, self.EVENTS_AT_ONCE, now),
                SteadyRate(self.BYTES_PER_S, self.BYTES_AT_ONCE, now),
            )
        )

    def wait(self, person_id: int, events: int, size: int) -> float:
        """Seconds to wait before a request's events are stored.

        Args:
            events: number of events.
            size: size of the request in bytes.

        Raises:
            TooManyRequests: the wait would be too long; says when to retry.
        """
        events = min(events, self.EVENTS_AT_ONCE)  # more in one request is refused for its size
        with self._lock:
            by_count, by_size = self._rates[person_id]
            wait = max(by_count.wait(events), by_size.wait(size))
            if wait > self.LONGEST_WAIT_S:
                by_count.take_back(events)
                by_size.take_back(size)
        if wait > self.LONGEST_WAIT_S:
            raise TooManyRequests(
                gettext(
                    "More changes come in than are stored at once ({events_per_s} a second).",
                    events_per_s=self.EVENTS_PER_S,
                ),
                retry_after_s=ceil(wait),
            )
        return wait


def message_rate() -> SteadyRate:
    """Limit on a person's web-socket messages from all tabs; each makes the server run a screen.

    After a restart of the server, all tabs send at once.
    """
    return SteadyRate(per_s=10, burst=60)


def socket_rate() -> SteadyRate:
    """Limit on a person's new web sockets; each starts a session and its screen.

    After a restart of the server, all tabs connect at once.
    """
    return SteadyRate(per_s=2, burst=24)


def request_rate() -> SteadyRate:
    """Limit on a person's requests.

    Scrolling through thumbnails sends about thirty a second. Requests beyond the rate wait before
    any work is done for them, so that a hundred connections cost others no more than one.
    """
    return SteadyRate(per_s=40, burst=160)
