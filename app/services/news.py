"""Tells open screens at once what supervisors decide about their batch, campaign and guidelines.

A screen asks what is decided other than what it has shown, and is answered as soon as there is
such a thing. One query for all that wait looks whenever the interval has passed, so that decisions
of the command line and of other processes are seen too.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from dataclasses import dataclass

from starlette.concurrency import run_in_threadpool

from pagetrail.annotation.errors import PagetrailError
from pagetrail.app.services.outages import log_failure
from pagetrail.storage.attempts.decisions_above import DecisionsAbove, decisions_above
from pagetrail.storage.database.workspace import Workspace

INTERVAL_S = 0.5
WAIT_S = 12.0
"""A request is answered after so long in any case: proxies and browsers end longer ones."""
_log = logging.getLogger("pagetrail.server")


@dataclass(eq=False)
class _Waiting:
    attempt: str
    seen: str
    now: DecisionsAbove
    answer: asyncio.Future[DecisionsAbove | None]


class News:
    """Requests that wait for something new."""

    def __init__(self, workspace: Workspace) -> None:
        self._engine = workspace.engine
        self._waiting: set[_Waiting] = set()
        self._watcher: asyncio.Task[None] | None = None
        self._closed = False

    @property
    def waiting(self) -> int:
        """How many requests wait now."""
        return len(self._waiting)

    async def wait(self, attempt: str, seen: str, limit_s: float = WAIT_S) -> DecisionsAbove | None:
        """What is decided, once it is not what was seen or the time is up.

        Returns:
            None where the attempt does not exist any more.
        """
        found = (await run_in_threadpool(decisions_above, self._engine, [attempt])).get(attempt)
        if found is None or found.mark != seen or self._closed:
            return found
        loop = asyncio.get_running_loop()
        waiting = _Waiting(attempt, seen, found, loop.create_future())
        self._waiting.add(waiting)
        if self._watcher is None or self._watcher.done() or self._watcher.get_loop() is not loop:
            self._watcher = loop.create_task(self._watch())
        try:
            return await asyncio.wait_for(waiting.answer, limit_s)
        except TimeoutError:
            return found
        finally:
            self._waiting.discard(waiting)

    def close(self) -> None:
        """Answer everybody: the server ends."""
        self._closed = True
        for waiting in list(self._waiting):
            with suppress(RuntimeError):  # its loop has ended already
                waiting.answer.get_loop().call_soon_threadsafe(_answer, waiting, waiting.now)

    async def _watch(self) -> None:
        is_failing = False
        while self._waiting:
            await asyncio.sleep(INTERVAL_S)
            waiting = list(self._waiting)
            attempts = {each.attempt for each in waiting}
            try:
                found = await run_in_threadpool(decisions_above, self._engine, attempts)
            except (PagetrailError, OSError) as error:
                if not is_failing:
                    log_failure(_log, "reading decisions for open screens", error)
                is_failing = True
                continue
            is_failing = False
            for each in waiting:
                now = found.get(each.attempt)
                if now is None or now.mark != each.seen:
                    _answer(each, now)


def _answer(waiting: _Waiting, now: DecisionsAbove | None) -> None:
    if not waiting.answer.done():
        waiting.answer.set_result(now)
