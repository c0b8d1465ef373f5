"""How many screens are computed at once: each holds the interpreter that stores people's work."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock, Semaphore, local

AT_ONCE = 2
LONGEST_WAIT_S = 5.0
"""After which a screen runs beside the others: one that hangs holds nobody up for good."""


class ScreenTurns:
    """Runs of screens take turns: so many at once, and of one person one. Thread-safe."""

    def __init__(self, at_once: int = AT_ONCE, longest_wait_s: float = LONGEST_WAIT_S) -> None:
        self._turns = Semaphore(at_once)
        self._longest_wait_s = longest_wait_s
        self._lock = Lock()
        self._own: defaultdict[str, Semaphore] = defaultdict(Semaphore)
        self._users: defaultdict[str, int] = defaultdict(int)
        self._held = local()

    @contextmanager
    def turn(self, who: str) -> Iterator[None]:
        """Wait for a turn and hold it while this thread runs a screen.

        Args:
            who: names the person's session.
        """
        with self._lock:
            own_turn = self._own[who]
            self._users[who] += 1
        has_own = own_turn.acquire(timeout=self._longest_wait_s)
        self._held.turn = self._turns.acquire(timeout=self._longest_wait_s)
        try:
            yield
        finally:
            if self._held.turn:
                self._turns.release()
            self._held.turn = False
            if has_own:
                own_turn.release()
            with self._lock:
                self._users[who] -= 1
                if not self._users[who]:
                    del self._users[who], self._own[who]

    @contextmanager
    def pause(self) -> Iterator[None]:
        """Let another screen run while this thread's waits for something."""
        if not getattr(self._held, "turn", False):
            yield
            return
        self._turns.release()
        self._held.turn = False
        try:
            yield
        finally:
            self._held.turn = self._turns.acquire(timeout=self._longest_wait_s)
