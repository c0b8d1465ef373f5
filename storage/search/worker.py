"""Runs queries in a worker process, without a database or PDF reader, so that it stays small."""

from __future__ import annotations

import signal
from pathlib import Path
from time import process_time
from types import FrameType
from typing import Any

from pagetrail.annotation.errors import QueryRefused
from pagetrail.annotation.messages import N_
from pagetrail.storage.search.engine import WhooshIndex
from pagetrail.storage.workers.worker_main import run_after_reply, time_left

SOFT_LIMIT_S = 1.5
TIMEOUT_CODE = "query_timeout"
TIMEOUT_MESSAGE = (
    "This query takes too long on a collection of this size. Use fewer or more specific words, "
    "and fewer patterns with *."
)
BUSY_CODE = "search_busy"
BUSY_MESSAGE = N_("The search is busy at the moment. Try again in a few seconds.")
_METHODS = ("search", "more", "highlight_terms", "suggest")
_REPLY_MARGIN_S = 0.25  # between the soft limit and the kill
_LEAST_SHARE = 0.5
"""Of the limit in processor time; with less, other work kept the query from its answer."""


class _WorkerState:
    """The state of this worker process."""

    folder: Path
    identity: str
    index: WhooshIndex


def open_index(folder: Path, identity: str) -> None:
    """Open the index for this process."""
    _WorkerState.folder, _WorkerState.identity = folder, identity
    _WorkerState.index = WhooshIndex(folder, identity)


def answer(method: str, arguments: tuple[Any, ...]) -> Any:
    """Call a method of the index.

    Raises:
        QueryRefused: by the index, or because time is nearly up.
    """
    seconds = min(SOFT_LIMIT_S, time_left() - _REPLY_MARGIN_S)
    try:
        return call_limited(_WorkerState.index, seconds, method, arguments)
    except QueryRefused as refused:
        if refused.code in (TIMEOUT_CODE, BUSY_CODE):
            # Interrupted anywhere: the engine's state between queries cannot be trusted.
            run_after_reply(_reopen)
        raise


def _reopen() -> None:
    _WorkerState.index.close()
    open_index(_WorkerState.folder, _WorkerState.identity)


def call_limited(
    index: WhooshIndex, seconds: float, method: str, arguments: tuple[Any, ...]
) -> Any:
    """Call a method of an index with a time limit. In the main thread only.

    Raises:
        QueryRefused: by the index, or because time was up; the index must then be reopened.
    """
    if method not in _METHODS:
        raise QueryRefused(f"The search process has no {method!r}.", code="query_failed")
    started = process_time()

    def refuse(_signal: int, _frame: FrameType | None) -> None:
        if process_time() - started < _LEAST_SHARE * seconds:
            raise QueryRefused(BUSY_MESSAGE, code=BUSY_CODE)
        raise QueryRefused(TIMEOUT_MESSAGE, code=TIMEOUT_CODE)

    signal.signal(signal.SIGALRM, refuse)
    signal.setitimer(signal.ITIMER_REAL, max(0.01, seconds))
    try:
        return getattr(index, method)(*arguments)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
