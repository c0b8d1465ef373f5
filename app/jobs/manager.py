"""Background jobs of the server: one of each kind at a time, with progress visible in every tab.

A job runs in a process of its own (``app.jobs.worker``): exporting, indexing and reading PDFs would
block the server's interpreter. Each kind's last job is stored when it starts and when it ends, so
that a restarted server shows how it ended, or that it was interrupted. Several servers that share a
database show the jobs of all, and forward commands to the server that runs the job.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Event, Lock, RLock, Thread
from typing import Any

from pagetrail.annotation.clock import iso
from pagetrail.annotation.errors import ConflictError, PagetrailError, StorageError
from pagetrail.annotation.ports import Clock
from pagetrail.app.jobs.progress import CANCEL, CANCELLED, PAUSE, RESUME, JobOutcome, JobStep
from pagetrail.app.jobs.requests import JobRequest
from pagetrail.storage.database.jobs import (
    JobCommand,
    last_job,
    last_jobs,
    send_command,
    store_job,
    take_command,
)
from pagetrail.storage.database.postgresql import JobHold, hold_job, is_held
from pagetrail.storage.database.tables import Job
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.workers.memory import MEMORY_VARIABLE, limit_text, memory_limit
from pagetrail.storage.workers.pool import CallHandle, run_once
from pagetrail.storage.workers.process import WorkerFailure, WorkerOutOfMemory
from pagetrail.storage.workers.worker_main import call_by_name

INTERRUPTED = (
    "The server was stopped while this ran. Finished parts were kept, unfinished ones were not. "
    "Start it again."
)

PROGRAM_BYTES = 1 << 30
"""Address space of the program with its database open, in addition to what an import may use."""

# By name: importing it would import exports and ingest, which the server does not need.
_RUN_JOB = "pagetrail.app.jobs.worker:run_job"
_CLOSE_WAIT_S = 10.0
_SYNC_INTERVAL_S = 1.0
"""How often a job's state is shared with other servers, and their commands are read."""

_log = logging.getLogger("pagetrail.jobs")


@dataclass
class _RunningJob:
    """A job of this server and what controls its process.

    Attributes:
        hold: the database's lock on this kind of job, where several servers share a database.
        storing: held from reading ``job`` to storing it, so that its end is stored last.
    """

    job: Job
    hold: JobHold | None
    handle: CallHandle = field(default_factory=CallHandle)
    is_cancelled: bool = False
    ended: Event = field(default_factory=Event)
    storing: Lock = field(default_factory=Lock)


class Jobs:
    """The jobs of a server. Thread-safe."""

    def __init__(self, workspace: Workspace, clock: Clock) -> None:
        self._workspace = workspace
        self._clock = clock
        self._lock = RLock()
        self._running_jobs: dict[str, _RunningJob] = {}
        self._is_shared = workspace.engine.dialect.name == "postgresql"
        self._last_jobs = {
            job.kind: job if job.has_ended else job.changed(state="failed", message=INTERRUPTED)
            for job in last_jobs(workspace.engine)
        }

    def start(
        self,
        title: str,
        by: str,
        request: JobRequest,
        on_end: Callable[[Job], None] | None = None,
    ) -> Job:
        """Start a job.

        Args:
            on_end: called once when it has ended, in a thread of its own.

        Raises:
            ConflictError: a job of that kind is running.
        """
        kind = request.kind
        stored = self.last(kind)
        hold = hold_job(self._workspace.engine, kind) if self._is_shared else None
        with self._lock:
            last = stored if self._is_shared else self._last_jobs.get(kind)
            if hold is None if self._is_shared else last is not None and not last.has_ended:
                by, title = (last.by, last.title) if last is not None else ("Somebody", kind)
                raise ConflictError(
                    f"{by} has already started this: {title}. Wait until it ends, or cancel it."
                )
            job = Job(
                kind=kind,
                id=(last.id if last else 0) + 1,
                title=title,
                by=by,
                started_at=iso(self._clock.now()),
            )
            running = _RunningJob(job, hold)
            self._running_jobs[kind], self._last_jobs[kind] = running, job
        arguments = (running, request, on_end)
        Thread(target=self._run, args=arguments, name=f"job-{kind}", daemon=True).start()
        if hold is not None:
            Thread(target=self._sync, args=(running,), name=f"sync-{kind}", daemon=True).start()
        return job

    def last(self, kind: str) -> Job | None:
        """The running or last job of a kind, or None."""
        with self._lock:
            own_job = self._last_jobs.get(kind)
            running = self._running_jobs.get(kind)
        if not self._is_shared or (running is not None and not running.ended.is_set()):
            return own_job
        stored = last_job(self._workspace.engine, kind)
        if stored is None or (own_job is not None and own_job.id > stored.id):
            return own_job
        if not stored.has_ended and not is_held(self._workspace.engine, kind):
            # It may have ended and been stored in between.
            stored = last_job(self._workspace.engine, kind) or stored
            if not stored.has_ended:
                return stored.changed(state="failed", message=INTERRUPTED)
        return stored

    def cancel(self, kind: str, id_: int) -> bool:
        """Interrupt a job; False if it has ended already. A second call kills its process."""
        with self._lock:
            running = self._running(kind, id_)
            if running is not None:
                if running.is_cancelled:
                    running.handle.cancel()
                else:
                    running.handle.interrupt()
                    # A process that is just starting may ignore the signal; it reads this later.
                    running.handle.send(CANCEL)
                running.is_cancelled = True
                return True
        return self._forward(kind, id_, CANCEL)

    def pause(self, kind: str, id_: int, *, on: bool) -> bool:
        """Pause a job after its current step, or resume it; False if it has ended."""
        with self._lock:
            running = self._running(kind, id_)
            if running is not None:
                if not running.handle.send(PAUSE if on else RESUME):
                    return False
                self._update(running, state="paused" if on else "running")
                return True
        return self._forward(kind, id_, PAUSE if on else RESUME)

    def wait(self, kind: str, timeout: float) -> Job | None:
        """The last job of a kind, once it has ended or the time is up."""
        with self._lock:
            running = self._running_jobs.get(kind)
        if running is not None:
            running.ended.wait(timeout)
        return self.last(kind)

    def close(self) -> None:
        """Interrupt the running jobs and wait until they have ended."""
        with self._lock:
            jobs = [running for running in self._running_jobs.values() if not running.job.has_ended]
            for running in jobs:
                running.handle.interrupt()
                running.is_cancelled = True
        for running in jobs:
            if not running.ended.wait(_CLOSE_WAIT_S):
                running.handle.cancel()
                running.ended.wait(_CLOSE_WAIT_S)

    def _running(self, kind: str, id_: int) -> _RunningJob | None:
        running = self._running_jobs.get(kind)
        if running is None or running.job.id != id_ or running.job.has_ended:
            return None
        return running

    def _forward(self, kind: str, id_: int, command: JobCommand) -> bool:
        """Forward a command to the server that runs the job; False if it has ended."""
        last = self.last(kind) if self._is_shared else None
        if last is None or last.id != id_ or last.has_ended:
            return False
        send_command(self._workspace.engine, kind, id_, command)
        return True

    def _sync(self, running: _RunningJob) -> None:
        """Share the job's state with other servers, and obey their commands, until it has ended."""
        kind, id_ = running.job.kind, running.job.id
        shared_job = running.job
        while not running.ended.wait(_SYNC_INTERVAL_S):
            try:
                if running.hold is not None:
                    running.hold.check()
            except PagetrailError as error:
                _log.error("job %s is cancelled: others may start it now: %s", kind, error)
                self.cancel(kind, id_)
                return
            try:
                command = take_command(self._workspace.engine, kind, id_)
                with running.storing:
                    job = running.job
                    if job != shared_job and not job.has_ended:
                        store_job(self._workspace.engine, job)
                        shared_job = job
            except (PagetrailError, UnicodeError) as error:
                _log.warning("job %s could not be shared: %s", kind, error)
                continue
            if command == CANCEL:
                self.cancel(kind, id_)
            elif command is not None:
                self.pause(kind, id_, on=command == PAUSE)

    def _run(
        self,
        running: _RunningJob,
        request: JobRequest,
        on_end: Callable[[Job], None] | None,
    ) -> None:
        """Run the job in a process of its own, and publish its progress and outcome."""
        # Here, and never under the lock: the database may be busy, and every open tab asks for the
        # last job.
        self._store(running)
        outcome = self._outcome(running, request)
        with self._lock:
            self._update(
                running,
                state=outcome.state,
                message=outcome.message,
                result=dict(outcome.details or {}),
                ended_at=iso(self._clock.now()),
            )
        self._store(running)
        try:
            if on_end is not None:
                on_end(running.job)
        finally:
            running.ended.set()
            if running.hold is not None:
                running.hold.release()

    def _outcome(self, running: _RunningJob, request: JobRequest) -> JobOutcome:
        def on_progress(step: JobStep) -> None:
            phase, done, total = step
            with self._lock:
                self._update(running, phase=phase, done=done, total=total)

        try:
            outcome: JobOutcome = run_once(
                call_by_name,
                _RUN_JOB,
                self._workspace.root,
                request.model_dump(mode="json"),
                on_progress=on_progress,
                handle=running.handle,
                interruptible=True,
                # Imports read untrusted files; other jobs read what is stored.
                memory_bytes=import_limit() if request.reads_untrusted_files else None,
            )
        except WorkerFailure as failure:
            if running.is_cancelled:
                return CANCELLED
            if isinstance(failure, WorkerOutOfMemory):
                return JobOutcome("failed", _out_of_memory_message())
            _log.error("job %s ended: %s", running.job.kind, failure)
            return JobOutcome(
                "failed", "Its process stopped unexpectedly. See the server’s log, then try again."
            )
        return outcome

    def _update(self, running: _RunningJob, **values: Any) -> None:
        running.job = running.job.changed(**values)
        self._last_jobs[running.job.kind] = running.job

    def _store(self, running: _RunningJob) -> None:
        """Store the job's state; if that fails, the job goes on, and a restart shows the last."""
        try:
            with running.storing:
                store_job(self._workspace.engine, running.job)
        except (StorageError, UnicodeError) as error:
            _log.warning("job %s could not be stored: %s", running.job.kind, error)


def import_limit() -> int:
    """Memory limit of an import's process in bytes."""
    return memory_limit() + PROGRAM_BYTES


def _out_of_memory_message() -> str:
    return (
        f"The files need more than {limit_text(memory_limit())} of memory. Split them, write JSON "
        f"as JSON Lines, or have whoever runs the server raise {MEMORY_VARIABLE}."
    )
