"""The composition root: one set of services a process, shared by the routes and the screens."""

from __future__ import annotations

import os
import secrets
import time
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import Literal

from pagetrail.annotation.attempts.recorder import Recorder
from pagetrail.annotation.clock import SystemClock
from pagetrail.annotation.errors import WorkspaceError
from pagetrail.annotation.ports import Clock
from pagetrail.app.jobs.manager import Jobs
from pagetrail.app.services.computations import Computations
from pagetrail.app.services.drawing_turns import DrawingTurns
from pagetrail.app.services.news import News
from pagetrail.app.services.person_turns import PersonTurns
from pagetrail.app.services.practice import open_practice
from pagetrail.app.services.review_worker import Settling
from pagetrail.app.services.screen_turns import ScreenTurns
from pagetrail.app.services.security_log import Notes
from pagetrail.app.services.signing_in.hashing_queue import HashingQueue
from pagetrail.app.services.signing_in.sign_ins import SignIns
from pagetrail.app.services.signing_in.single_sign_on import SingleSignOn, single_sign_on
from pagetrail.app.services.steady_rate import EventRates, SteadyRate, request_rate
from pagetrail.app.services.tokens import Tokens
from pagetrail.app.services.warm_up import WarmUp
from pagetrail.storage.attempts.event_log import SqlEventLog
from pagetrail.storage.attempts.queries import attempt
from pagetrail.storage.batches.single_tasks import pass_on_skipped
from pagetrail.storage.corpus.documents import Corpus
from pagetrail.storage.corpus.image_cache import DEFAULT_LIMIT
from pagetrail.storage.corpus.page_images import PageImages
from pagetrail.storage.corpus.thumbnails import Thumbnails, machine_is_quiet
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.operations.health import Health
from pagetrail.storage.operations.shared_hold import epoch_of
from pagetrail.storage.people.password_workers import PasswordWorkers
from pagetrail.storage.review.actions import Reviews
from pagetrail.storage.review.comparison_pool import ComparisonPool
from pagetrail.storage.search.service import SearchService

WORKSPACE_VARIABLE = "PAGETRAIL_WORKSPACE"

Work = Literal["short", "long", "transfer"]
"""Kinds of requests that wait for each other only."""
_REPORTS = ("pagetrail.app.progress.report_computation",)
_CHECKS = (
    "pagetrail.app.workspace.check_computation",
    "pagetrail.app.workspace.find_computation",
)
_CHECK_S, _CHECK_WAIT_S = 14.0, 4.0
"""Seconds that the checks of a question may take, and that they wait for a process."""
CACHE_LIMIT_VARIABLE = "PAGETRAIL_CACHE_LIMIT"
"""Bytes of page images on disk."""


@dataclass
class Services:
    """Everything the app works with.

    Attributes:
        workspace: the opened workspace.
        clock: where the time comes from.
        epoch: names this start of the server, or of all servers of the workspace, so that clients
            send again what may be lost.
        cache_limit: bytes of page images on disk.
        practice: whether the workspace is a practice workspace.
    """

    workspace: Workspace
    clock: Clock = field(default_factory=SystemClock)
    epoch: str = field(default_factory=lambda: secrets.token_hex(6))
    cache_limit: int = DEFAULT_LIMIT
    practice: bool = False
    _practising: Services | None = field(default=None, init=False, repr=False)
    _practice_used: float = field(default=0.0, init=False, repr=False)
    _practice_lock: Lock = field(default_factory=Lock, init=False, repr=False)

    def practising(self, *, used: bool = True) -> Services:
        """The services of the practice workspace.

        Args:
            used: whether somebody does something, or an open screen only waits for news.

        Raises:
            NotFoundError: there is none yet.
        """
        with self._practice_lock:
            if used:
                self._practice_used = time.monotonic()
            if self._practising is None:
                self._practising = Services(
                    open_practice(self.workspace.root),
                    self.clock,
                    self.epoch,
                    self.cache_limit,
                    practice=True,
                )
            return self._practising

    def close_practice(self) -> None:
        """Stop the services of the practice workspace, if they are there."""
        with self._practice_lock:
            practising, self._practising = self._practising, None
        if practising is not None:
            practising.close()
            practising.workspace.engine.dispose()

    def close_idle_practice(self, idle_s: float) -> None:
        """``close_practice`` if nobody has done anything there for so many seconds."""
        if time.monotonic() - self._practice_used >= idle_s:
            self.close_practice()

    @cached_property
    def corpus(self) -> Corpus:
        return Corpus(self.workspace)

    @cached_property
    def log(self) -> SqlEventLog:
        return SqlEventLog(self.workspace.engine, self.settling.handed_in)

    @cached_property
    def recorder(self) -> Recorder:
        return Recorder(self.log, self.corpus, self.clock)

    @cached_property
    def reviews(self) -> Reviews:
        return Reviews(self.workspace, self.recorder, self.clock, self.comparisons.rows_of)

    @cached_property
    def comparisons(self) -> ComparisonPool:
        return ComparisonPool(self.workspace.engine)

    @cached_property
    def computations(self) -> Computations:
        return Computations(self.workspace.root, ahead=_REPORTS)

    @cached_property
    def checks(self) -> Computations:
        """Of questions, and texts looked for in a document: not behind reports, and answered
        before the browser gives up.
        """
        return Computations(
            self.workspace.root, ahead=_CHECKS, limit_s=_CHECK_S, wait_s=_CHECK_WAIT_S
        )

    @cached_property
    def settling(self) -> Settling:
        """Started by the server alone: a command's process has other things to do."""
        return Settling(self._settle)

    @cached_property
    def notes(self) -> Notes:
        return Notes(self.workspace)

    @cached_property
    def jobs(self) -> Jobs:
        return Jobs(self.workspace, self.clock)

    @cached_property
    def images(self) -> PageImages:
        return PageImages(self.workspace, self.corpus, cache_limit=self.cache_limit)

    @cached_property
    def turns(self) -> Mapping[Work, PersonTurns]:
        """How many requests of a kind one person may have under way."""
        return {
            "short": PersonTurns(6),
            "long": PersonTurns(2),
            "transfer": PersonTurns(3, things="files"),
        }

    @cached_property
    def request_rates(self) -> defaultdict[int, SteadyRate]:
        """How fast each person's requests are taken, by the person's id."""
        return defaultdict(request_rate)

    @cached_property
    def event_rates(self) -> EventRates:
        return EventRates()

    @cached_property
    def drawing(self) -> DrawingTurns:
        return DrawingTurns(self.images.workers.size)

    @cached_property
    def news(self) -> News:
        return News(self.workspace)

    @cached_property
    def search(self) -> SearchService:
        return SearchService(self.workspace)

    @cached_property
    def health(self) -> Health:
        return Health(self.workspace)

    @cached_property
    def tokens(self) -> Tokens:
        return Tokens(self.workspace.meta("secret") or "", self.clock)

    @cached_property
    def sign_ins(self) -> SignIns:
        secret = self.workspace.meta("secret") or ""
        return SignIns(self.workspace, secret, self.passwords.verify)

    @cached_property
    def passwords(self) -> PasswordWorkers:
        return PasswordWorkers()

    @cached_property
    def hashing(self) -> HashingQueue:
        return HashingQueue()

    @cached_property
    def screen_turns(self) -> ScreenTurns:
        return ScreenTurns()

    @cached_property
    def single_sign_on(self) -> SingleSignOn | None:
        """The organisation's sign-in service; None where there are local accounts only."""
        return single_sign_on(os.environ)

    @cached_property
    def warm_up(self) -> WarmUp:
        """Started by the server alone."""
        return WarmUp([self.images.workers, self.comparisons, self.passwords])

    @cached_property
    def thumbnails(self) -> Thumbnails:
        """Started by the server alone."""
        workers = self.images.workers
        return Thumbnails(
            self.corpus,
            self.workspace.cache_dir,
            self.cache_limit,
            lambda: machine_is_quiet(workers.last_used),
        )

    def stop_drawing(self) -> None:
        """Kill the processes that draw pages; requests that wait for them are refused."""
        if "news" in self.__dict__:
            self.news.close()
        if "thumbnails" in self.__dict__:
            self.thumbnails.close()
        if "images" in self.__dict__:
            self.images.workers.close()

    def close(self) -> None:
        """Stop the thread and the processes; the database needs no closing."""
        self.stop_drawing()
        self.close_practice()
        if "warm_up" in self.__dict__:
            self.warm_up.close()
        if "comparisons" in self.__dict__:
            self.comparisons.close()  # first: the thread may wait for it
        if "computations" in self.__dict__:
            self.computations.close()
        if "checks" in self.__dict__:
            self.checks.close()
        if "passwords" in self.__dict__:
            self.passwords.close()
        if "sign_ins" in self.__dict__:
            self.sign_ins.failures.close()
        if "settling" in self.__dict__:
            self.settling.close()
        if "jobs" in self.__dict__:
            self.jobs.close()
        if "search" in self.__dict__:
            self.search.close()

    def _settle(self, attempt_id: str) -> None:
        task = attempt(self.workspace.engine, attempt_id).task_id
        if self.log.response(attempt_id).status == "skipped":
            pass_on_skipped(self.workspace, task, clock=self.clock)
        self.reviews.settle_task(task)


_current: Services | None = None


def services() -> Services:
    """The process's services, opened on first use from the environment.

    Raises:
        WorkspaceError: no workspace was named, or it cannot be opened.
    """
    global _current
    if _current is None:
        folder = os.environ.get(WORKSPACE_VARIABLE)
        if not folder:
            raise WorkspaceError(
                "No workspace is open. Start the app with: pagetrail serve WORKSPACE"
            )
        limit = int(os.environ.get(CACHE_LIMIT_VARIABLE, DEFAULT_LIMIT))
        workspace = Workspace.open(Path(folder))
        _current = Services(workspace, epoch=epoch_of(workspace), cache_limit=limit)
    return _current


def use(new: Services | None) -> None:
    """Put other services in place (tests), or none."""
    global _current
    if _current is not None and _current is not new:
        _current.close()
    _current = new
