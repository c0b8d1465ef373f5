"""An agent's access to a campaign's tasks, with the limits people have."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import Self
from uuid import uuid4

from pagetrail.annotation.attempts.forms import Form
from pagetrail.annotation.attempts.state import Status
from pagetrail.annotation.errors import NotFoundError
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.annotation.tasks.shown_record import unset_fields
from pagetrail.annotation.tasks.task import given_pages
from pagetrail.app.agents.attempt import AgentAttempt
from pagetrail.app.agents.replies import question_of
from pagetrail.app.services.composition import Services
from pagetrail.storage.attempts.system_attempts import ensure_attempt, ensure_system
from pagetrail.storage.attempts.system_tasks import (
    SystemTask,
    check_access,
    has_task,
    open_campaign,
    system_tasks,
)
from pagetrail.storage.database.storable_text import clean_text
from pagetrail.storage.database.workspace import Workspace


@dataclass(frozen=True)
class AgentTask:
    """A task offered to an agent.

    Attributes:
        id: the task's id, for ``open``.
        status: new, open, submitted or skipped, for this system.
        pages: the (document, page) pairs given by the task, empty while a field must be set before
            they can be read; None where pages are found by searching.
    """

    id: str
    question: str
    status: Status
    pages: tuple[tuple[str, int], ...] | None


class AgentClient:
    """One system's access to one campaign. Thread-safe; use it as a context manager.

    The workspace may be served to people and used by other processes at the same time.

    Args:
        workspace: the workspace's folder, or services that are already open.
        campaign: its name.
        system: the name the agent's work is stored under; created on first use.

    Raises:
        WorkspaceError: not a workspace.
        NotFoundError: no such campaign.
        ConflictError: the campaign is closed, a person has the system's name, or the system is
            deactivated.
        PagetrailError: the system's name is not allowed (code ``invalid_name``).
    """

    def __init__(self, workspace: Path | str | Services, campaign: str, system: str) -> None:
        self._owned = not isinstance(workspace, Services)
        if isinstance(workspace, Services):
            self._services = workspace
        else:
            self._services = Services(Workspace.open(Path(workspace)))
        self.campaign = campaign
        self._session = uuid4().hex
        self._lock = Lock()
        self._starting = Lock()
        self._opened: dict[str, AgentAttempt] = {}
        self._searching = False
        try:
            self._protocol, self._guidelines = open_campaign(self._services.workspace, campaign)
            clock = self._services.clock
            self._system = ensure_system(self._services.workspace, system, clock=clock)
            check_access(self._services.workspace, campaign, self._system)
        except BaseException:
            self._release()
            raise

    @property
    def system(self) -> str:
        """The system's name as it is stored."""
        return self._system.name

    @property
    def protocol(self) -> Protocol:
        """The campaign's protocol."""
        return self._protocol

    @property
    def guidelines(self) -> str:
        """The campaign's guidelines, in Markdown."""
        return self._guidelines

    def tasks(self) -> list[AgentTask]:
        """All tasks of the campaign in order, without gold and without anybody else's work.

        Raises:
            ConflictError: the campaign was closed, or the system deactivated.
        """
        workspace = self._services.workspace
        check_access(workspace, self.campaign, self._system)
        states = bool(self._protocol.pages_after)
        tasks = system_tasks(workspace, self.campaign, self._system, states=states)
        return [self._agent_task(task) for task in tasks]

    def open(self, task: str, *, request_id: str | None = None) -> AgentAttempt:
        """Start a task, or continue where another process left it.

        A submitted task can be read; everything else is then refused.

        Raises:
            NotFoundError: no such task in the campaign.
            ConflictError: the campaign was closed, or the system deactivated.
        """
        check_access(self._services.workspace, self.campaign, self._system)
        # Looked up first: creating an attempt takes the database's write lock.
        key = clean_text(str(task))[0]
        if not has_task(self._services.workspace, self.campaign, key):
            raise NotFoundError(
                f"Campaign {self.campaign} has no task {key[:200]!r}. List the tasks to see "
                "their ids."
            )
        self._start_search()
        row = ensure_attempt(
            self._services.workspace,
            self.campaign,
            key,
            self._system,
            clock=self._services.clock,
        )
        attempt = AgentAttempt(self._services, self._system, row.attempt_id, self._session)
        attempt.begin(request_id)
        with self._lock:
            self._opened[row.attempt_id] = attempt
        return attempt

    def close(self) -> None:
        """Leave the open tasks, which stops their clocks, and end the search processes."""
        with self._lock:
            opened, self._opened = self._opened, {}
        try:
            for attempt in opened.values():
                attempt.leave()
        finally:
            self._release()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _start_search(self) -> None:
        """Start the search before any clock runs, so that the first query does not pay for it."""
        if not self._protocol.search.enabled:
            return
        # A lock of its own: building an index takes a minute, and leaving must not wait for it.
        with self._starting:
            if not self._searching:
                self._services.search.start()
                self._searching = True

    def _agent_task(self, task: SystemTask) -> AgentTask:
        available_pages = given_pages(self._protocol.pages, task.record)
        form = Form(self._protocol, task.state, available_pages)
        locked = unset_fields(form, self._protocol.pages_after)
        pages = None if available_pages is None else () if locked else tuple(available_pages)
        return AgentTask(task.key, question_of(task.record), task.status, pages)

    def _release(self) -> None:
        if self._owned:
            self._services.close()
            self._services.workspace.engine.dispose()
