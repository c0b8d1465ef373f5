"""The composition root: one set of services per process, shared by routes and screens."""

from __future__ import annotations

import os
import secrets
import time
from collections import defaultdict
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import Literal, Protocol, TypeVar

from pagetrail.annotation.attempts.recorder import Recorder
from pagetrail.annotation.clock import SystemClock
from pagetrail.annotation.errors import WorkspaceError
from pagetrail.annotation.messages import gettext
from pagetrail.annotation.ports import Clock
from pagetrail.app.jobs.manager import Jobs
from pagetrail.app.services.computations import Computations
from pagetrail.app.services.environment import (
    CACHE_LIMIT_VARIABLE,
    TOUR_VARIABLE,
    WORKSPACE_VARIABLE,
)
from pagetrail.app.services.person_turns import TOO_MANY_FILES, PersonTurns
from pagetrail.app.services.practice import open_practice
from pagetrail.app.services.render_queue import RenderQueue
from pagetrail.app.services.review_worker import ReviewWorker
from pagetrail.app.services.screen_turns import ScreenTurns
from pagetrail.app.services.security_log import SecurityLog
from pagetrail.app.services.signing_in.hashing_queue import HashingQueue
from pagetrail.app.services.signing_in.sign_ins import SignIns
from pagetrail.app.services.signing_in.single_sign_on import SingleSignOn, single_sign_on
from pagetrail.app.services.steady_rate import EventRates, SteadyRate, request_rate
from pagetrail.app.services.tokens import Tokens
from pagetrail.app.services.update_waiter import UpdateWaiter
from pagetrail.app.services.warm_up import WarmUp
from pagetrail.storage.attempts.event_log import SqlEventLog
from pagetrail.storage.attempts.queries import attempt
from pagetrail.storage.batches.single_tasks import pass_on_skipped
from pagetrail.storage.corpus.documents import Corpus
from pagetrail.storage.corpus.image_cache import DEFAULT_LIMIT
from pagetrail.storage.corpus.page_images import PageImages
from pagetrail.storage.corpus.thumbnails import IdleThumbnails, machine_is_idle
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.maintenance.health import Health
from pagetrail.storage.maintenance.shared_hold import epoch_of
from pagetrail.storage.people.password_workers import PasswordWorkers
from pagetrail.storage.review.actions import Reviews
from pagetrail.storage.review.comparison_pool import ComparisonPool
from pagetrail.storage.search.service import SearchService

RequestKind = Literal["short", "long", "transfer"]
"""Kinds of requests; a request only waits for others of its kind."""
_REPORTS = ("pagetrail.app.progress.report_computation",)
_CHECKS = (
    "pagetrail.app.workspace.check_computation",
    "pagetrail.app.workspace.find_computation",
)
_CHECK_S, _CHECK_WAIT_S = 14.0, 4.0
"""Time limit of a question's checks, and for getting a process, in seconds."""


class Closable(Protocol):
    """A resource that ``Services`` closes."""

    def close(self) -> None: ...


Resource = TypeVar("Resource", bound=Closable)


@dataclass
class Services:
    """Everything the app works with. What is opened is closed by ``close``, the latest first.

    Attributes:
        workspace: the opened workspace.
        clock: the current time.
        epoch: identifies this start of the server, or of all servers of the workspace; when it
            changes, clients send unconfirmed events again.
        cache_limit: bytes of page images on disk.
        is_practice: whether the workspace is a practice workspace.
        offers_tour: whether the task screen shows its tour to new people.
        practice: the services of the practice workspace.
    """

    workspace: Workspace
    clock: Clock = field(default_factory=SystemClock)
    epoch: str = field(default_factory=lambda: secrets.token_hex(6))
    cache_limit: int = DEFAULT_LIMIT
    is_practice: bool = False
    offers_tour: bool = True
    practice: PracticeServices = field(init=False, repr=False)
    _started: float = field(default_factory=time.monotonic, init=False, repr=False)
    _resources: ExitStack = field(default_factory=ExitStack, init=False, repr=False)
    _rendering_resources: ExitStack = field(default_factory=ExitStack, init=False, repr=False)

    def __post_init__(self) -> None:
        self.practice = PracticeServices(self)
        self._resources.callback(self.practice.close)

    @property
    def age_ms(self) -> float:
        """Milliseconds since this server started."""
        return (time.monotonic() - self._started) * 1000

    @cached_property
    def corpus(self) -> Corpus:
        return Corpus(self.workspace)

    @cached_property
    def log(self) -> SqlEventLog:
        return SqlEventLog(self.workspace.engine, self.review_worker.enqueue)

    @cached_property
    def recorder(self) -> Recorder:
        return Recorder(self.log, self.corpus, self.clock)

    @cached_property
    def reviews(self) -> Reviews:
        return Reviews(self.workspace, self.recorder, self.clock, self.comparisons.rows_of)

    @cached_property
    def comparisons(self) -> ComparisonPool:
        comparisons = ComparisonPool(self.workspace.engine)
        self._owned(comparisons.pool)
        return comparisons

    @cached_property
    def computations(self) -> Computations:
        computations = Computations(self.workspace.root, preload=_REPORTS)
        self._owned(computations.pool)
        return computations

    @cached_property
    def checks(self) -> Computations:
        """Checks of questions and text searches in a document: never queued behind reports, and
        answered before the browser gives up.
        """
        checks = Computations(
            self.workspace.root, preload=_CHECKS, limit_s=_CHECK_S, wait_s=_CHECK_WAIT_S
        )
        self._owned(checks.pool)
        return checks

    @cached_property
    def review_worker(self) -> ReviewWorker:
        """Only the server starts it; commands leave submissions to the next server."""
        worker = self._owned(ReviewWorker(self._compare_submission))
        self._resources.callback(self.comparisons.pool.close)  # first: the worker may wait for it
        return worker

    @cached_property
    def security_log(self) -> SecurityLog:
        return SecurityLog(self.workspace)

    @cached_property
    def jobs(self) -> Jobs:
        return self._owned(Jobs(self.workspace, self.clock))

    @cached_property
    def images(self) -> PageImages:
        images = PageImages(self.workspace, self.corpus, cache_limit=self.cache_limit)
        self._rendering_resources.callback(images.workers.pool.close)
        return images

    @cached_property
    def turns(self) -> Mapping[RequestKind, PersonTurns]:
        """Limits on concurrent requests per person, by kind of request."""
        return {
            "short": PersonTurns(6),
            "long": PersonTurns(2),
            "transfer": PersonTurns(3, refusal=TOO_MANY_FILES),
        }

    @cached_property
    def request_rates(self) -> defaultdict[int, SteadyRate]:
        """Each person's request rate limit, by the person's id."""
        return defaultdict(request_rate)

    @cached_property
    def event_rates(self) -> EventRates:
        return EventRates()

    @cached_property
    def render_queue(self) -> RenderQueue:
        return RenderQueue(self.images.workers.pool.size)

    @cached_property
    def updates(self) -> UpdateWaiter:
        updates = UpdateWaiter(self.workspace)
        self._rendering_resources.callback(updates.close)
        return updates

    @cached_property
    def search(self) -> SearchService:
        return self._owned(SearchService(self.workspace))

    @cached_property
    def health(self) -> Health:
        return Health(self.workspace)

    @cached_property
    def tokens(self) -> Tokens:
        return Tokens(self.workspace.meta("secret") or "")

    @cached_property
    def sign_ins(self) -> SignIns:
        secret = self.workspace.meta("secret") or ""
        sign_ins = SignIns(self.workspace, secret, self.passwords.verify)
        self._resources.callback(sign_ins.failed_log.close)
        return sign_ins

    @cached_property
    def passwords(self) -> PasswordWorkers:
        passwords = PasswordWorkers()
        self._owned(passwords.pool)
        return passwords

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
        """Only the server starts it."""
        return self._owned(
            WarmUp([self.images.workers.pool, self.comparisons.pool, self.passwords.pool])
        )

    @cached_property
    def thumbnails(self) -> IdleThumbnails:
        """Only the server starts them."""
        workers = self.images.workers
        thumbnails = IdleThumbnails(
            self.corpus, self.workspace.cache_dir, lambda: machine_is_idle(workers.last_used)
        )
        self._rendering_resources.callback(thumbnails.close)
        return thumbnails

    def stop_rendering(self) -> None:
        """Kill the processes that render pages, and answer the requests that wait for them."""
        self._rendering_resources.close()

    def close(self) -> None:
        """Stop all threads and processes, the latest first; the database needs no closing."""
        self.stop_rendering()
        self._resources.close()

    def _owned(self, resource: Resource) -> Resource:
        """Have the resource closed with the services."""
        self._resources.callback(resource.close)
        return resource

    def _compare_submission(self, attempt_id: str) -> None:
        task = attempt(self.workspace.engine, attempt_id).task_id
        if self.log.state(attempt_id).status == "skipped":
            pass_on_skipped(self.workspace, task, clock=self.clock)
        self.reviews.acceptance.settle_task(task)


class PracticeServices:
    """The services of the practice workspace: opened on first use, closed when idle.

    Args:
        services: the services of the workspace itself.
    """

    def __init__(self, services: Services) -> None:
        self._services = services
        self._lock = Lock()
        self._opened: Services | None = None
        self._last_used = 0.0

    def open(self, *, used: bool = True) -> Services:
        """Open them, unless they are open already.

        Args:
            used: whether a person does something; False for a screen that only waits for updates.

        Raises:
            NotFoundError: there is no practice workspace yet.
        """
        with self._lock:
            if used:
                self._last_used = time.monotonic()
            if self._opened is None:
                self._opened = Services(
                    open_practice(self._services.workspace.root),
                    self._services.clock,
                    self._services.epoch,
                    self._services.cache_limit,
                    is_practice=True,
                )
            return self._opened

    def close(self) -> None:
        """Close them if they are open."""
        with self._lock:
            services, self._opened = self._opened, None
        if services is not None:
            services.close()
            services.workspace.engine.dispose()

    def close_idle(self, idle_s: float) -> None:
        """Close them if nobody has used them for ``idle_s`` seconds."""
        if time.monotonic() - self._last_used >= idle_s:
            self.close()


_current: Services | None = None


def services() -> Services:
    """The process's services, opened on first use from the environment.

    Raises:
        WorkspaceError: no workspace is set, or it cannot be opened.
    """
    global _current
    if _current is None:
        folder = os.environ.get(WORKSPACE_VARIABLE)
        if not folder:
            raise WorkspaceError(
                gettext("No workspace is open. Start the app with: pagetrail serve WORKSPACE")
            )
        limit = int(os.environ.get(CACHE_LIMIT_VARIABLE, DEFAULT_LIMIT))
        workspace = Workspace.open(Path(folder))
        _current = Services(
            workspace,
            epoch=epoch_of(workspace),
            cache_limit=limit,
            offers_tour=os.environ.get(TOUR_VARIABLE) != "off",
        )
    return _current


def replace_services(replacement: Services | None) -> None:
    """Close the process's services and use other ones (tests), or none."""
    global _current
    if _current is not None and _current is not replacement:
        _current.close()
    _current = replacement
