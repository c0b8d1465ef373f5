"""Notifies open screens of supervisors' decisions about their batch, campaign and guidelines.

A screen sends the version it has shown, and gets an answer as soon as there is another one. One
query per interval serves all waiting screens, so that decisions of the command line and of other
processes are noticed too.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from dataclasses import dataclass

from starlette.concurrency import run_in_threadpool

from pagetrail.annotation.errors import PagetrailError
from pagetrail.app.services.outages import FailureLog
from pagetrail.storage.attempts.decisions_above import DecisionsAbove, decisions_above
from pagetrail.storage.database.workspace import Workspace

INTERVAL_S = 0.5
WAIT_S = 12.0
"""A request is answered after this time in any case: proxies and browsers end longer ones."""
_log = logging.getLogger("pagetrail.server")


@dataclass(eq=False)
class _WaitingRequest:
    attempt: str
    shown_mark: str
    decisions: DecisionsAbove
    answer: asyncio.Future[DecisionsAbove | None]


class UpdateWaiter:
    """Requests that wait for a decision."""

    def __init__(self, workspace: Workspace) -> None:
        self._engine = workspace.engine
        self._requests: set[_WaitingRequest] = set()
        self._watcher: asyncio.Task[None] | None = None
        self._closed = False

    @property
    def waiting(self) -> int:
        """Number of requests that are waiting."""
        return len(self._requests)

    async def wait(
        self, attempt: str, shown_mark: str, limit_s: float = WAIT_S
    ) -> DecisionsAbove | None:
        """The decisions about an attempt, once their mark differs or the time is up.

        Returns:
            None if the attempt no longer exists.
        """
        decisions = (await run_in_threadpool(decisions_above, self._engine, [attempt])).get(attempt)
        if decisions is None or decisions.mark != shown_mark or self._closed:
            return decisions
        loop = asyncio.get_running_loop()
        request = _WaitingRequest(attempt, shown_mark, decisions, loop.create_future())
        self._requests.add(request)
        if self._watcher is None or self._watcher.done() or self._watcher.get_loop() is not loop:
            self._watcher = loop.create_task(self._watch())
        try:
            return await asyncio.wait_for(request.answer, limit_s)
        except TimeoutError:
            return decisions
        finally:
            self._requests.discard(request)

    def close(self) -> None:
        """Answer all requests, since the server shuts down."""
        self._closed = True
        for request in list(self._requests):
            with suppress(RuntimeError):  # its loop has ended already
                request.answer.get_loop().call_soon_threadsafe(_answer, request, request.decisions)

    async def _watch(self) -> None:
        failures = FailureLog(_log, "reading decisions for open screens")
        while self._requests:
            await asyncio.sleep(INTERVAL_S)
            requests = list(self._requests)
            attempts = {request.attempt for request in requests}
            try:
                decisions = await run_in_threadpool(decisions_above, self._engine, attempts)
            except (PagetrailError, OSError) as error:
                failures.failed(error)
                continue
            failures.succeeded()
            for request in requests:
                current = decisions.get(request.attempt)
                if current is None or current.mark != request.shown_mark:
                    _answer(request, current)


def _answer(request: _WaitingRequest, decisions: DecisionsAbove | None) -> None:
    if not request.answer.done():
        request.answer.set_result(decisions)
