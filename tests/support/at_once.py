"""Calls that happen at the same time."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from threading import Thread


def run_at_once(calls: Iterable[Callable[[], object]]) -> None:
    """Make each call in a thread of its own, and wait for all of them."""
    threads = [Thread(target=call) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
