"""Limits how many screens run at once, since each occupies the interpreter that stores events."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock, Semaphore, local

AT_ONCE = 2
LONGEST_WAIT_S = 5.0
"""After this wait a screen runs anyway, so that one that hangs blocks nobody forever."""


class ScreenTurns:
    """Screen runs take turns: a limited number at once, and one per person. Thread-safe."""

    def __init__(self, at_once: int = AT_ONCE, longest_wait_s: float = LONGEST_WAIT_S) -> None:
        self._turns = Semaphore(at_once)
        self._longest_wait_s = longest_wait_s
        self._lock = Lock()
        self._session_turns: defaultdict[str, Semaphore] = defaultdict(Semaphore)
        self._users: defaultdict[str, int] = defaultdict(int)
        self._local = local()

    @contextmanager
    def turn(self, session: str) -> Iterator[None]:
        """Wait for a turn and hold it while this thread runs a screen.

        Args:
            session: identifies the person's session.
        """
        with self._lock:
            session_turn = self._session_turns[session]
            self._users[session] += 1
        has_session_turn = session_turn.acquire(timeout=self._longest_wait_s)
        self._local.turn = self._turns.acquire(timeout=self._longest_wait_s)
        try:
            yield
        finally:
            if self._local.turn:
                self._turns.release()
            self._local.turn = False
            if has_session_turn:
                session_turn.release()
            with self._lock:
                self._users[session] -= 1
                if not self._users[session]:
                    del self._users[session], self._session_turns[session]

    @contextmanager
    def pause(self) -> Iterator[None]:
        """Let another screen run while this thread waits for something."""
        if not getattr(self._local, "turn", False):
            yield
            return
        self._turns.release()
        self._local.turn = False
        try:
            yield
        finally:
            self._local.turn = self._turns.acquire(timeout=self._longest_wait_s)
