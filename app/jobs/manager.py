"""Long work beside the server: one job of a kind at a time, with progress, seen from every tab.

A job runs in a process of its own (``app.jobs.worker``): exporting, indexing and reading PDFs would
hold the server's interpreter. Each kind's last job is in the database from its start on and again
at its end, so that a restart shows how it ended, or that it was interrupted.
"""

from __future__ import annotations

import logging
import signal
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from threading import Event, RLock, Thread
from typing import Any

from pagetrail.annotation.clock import iso
from pagetrail.annotation.errors import ConflictError, StorageError
from pagetrail.annotation.ports import Clock
from pagetrail.storage.database.job_states import Job, last_jobs, store_job
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.workers.process import WorkerCrashed, WorkerProcess
from pagetrail.storage.workers.serve import call_named

STOPPED = (
    "The server was stopped while this ran. Finished parts were kept, unfinished ones were not. "
    "Start it again."
)
CANCELLED = ("cancelled", "Cancelled. Nothing half-finished was kept.")
"""State and message of a job that was interrupted."""

PAUSE, RESUME, CANCEL = "pause", "resume", "cancel"
"""What a job's process is told; it counts from the job's next step on."""

# By name: with the function would come the exports and the ingest, which the server does not need.
_DO_JOB = "pagetrail.app.jobs.worker:do_job"
_GOODBYE_S = 10.0
_log = logging.getLogger("pagetrail.jobs")


Ended = Callable[[Job], None]

Step = tuple[str, int, int]
"""Phase of a job, its steps done, and all of them (0: not known)."""


class _Run:
    """A job with its process."""

    def __init__(self, job: Job, process: WorkerProcess) -> None:
        self.job = job
        self.process = process
        self.cancelled = False
        self.over = Event()


class Jobs:
    """The jobs of a server. Thread-safe."""

    def __init__(self, workspace: Workspace, clock: Clock) -> None:
        self._workspace = workspace
        self._clock = clock
        self._lock = RLock()
        self._runs: dict[str, _Run] = {}
        self._last = {
            job.kind: replace(job, state="failed", message=STOPPED) if job.going else job
            for job in last_jobs(workspace.engine)
        }

    def start(
        self, kind: str, title: str, by: str, order: Mapping[str, Any], ended: Ended | None = None
    ) -> Job:
        """Start a job.

        Args:
            order: what the worker is to do, see ``app.jobs.worker``.
            ended: called once when it has ended, in a thread of its own.

        Raises:
            ConflictError: a job of that kind is under way.
        """
        with self._lock:
            last = self._last.get(kind)
            if last is not None and last.going:
                raise ConflictError(
                    f"{last.by} has already started this: {last.title}. Wait until it ends, or "
                    "cancel it."
                )
            job = Job((last.id if last else 0) + 1, kind, title, by, iso(self._clock.now()))
            run = _Run(job, WorkerProcess(interruptible=True))
            self._runs[kind], self._last[kind] = run, job
        order = {**order, "workspace": str(self._workspace.root)}
        follow = (run, order, ended)
        Thread(target=self._follow, args=follow, name=f"job-{kind}", daemon=True).start()
        return job

    def last(self, kind: str) -> Job | None:
        """The job of a kind that runs or ran last; None where there was none."""
        with self._lock:
            return self._last.get(kind)

    def cancel(self, kind: str, id_: int) -> bool:
        """Interrupt a job; False where that one has ended already.

        Asked a second time, it ends the process at once, whatever that is at.
        """
        with self._lock:
            run = self._running(kind, id_)
            if run is None:
                return False
            run.process.signal(signal.SIGKILL if run.cancelled else signal.SIGINT)
            # A process that is just starting may ignore the signal; it reads this later.
            run.process.say(CANCEL)
            run.cancelled = True
            return True

    def pause(self, kind: str, id_: int, *, on: bool) -> bool:
        """Hold a job still after its present step, or let it go on; False where it has ended."""
        with self._lock:
            run = self._running(kind, id_)
            if run is None:
                return False
            if not run.process.say(PAUSE if on else RESUME):
                return False
            self._change(run, state="paused" if on else "running")
            return True

    def wait(self, kind: str, seconds: float) -> Job | None:
        """The last job of a kind, once it has ended or the time is up."""
        with self._lock:
            run = self._runs.get(kind)
        if run is not None:
            run.over.wait(seconds)
        return self.last(kind)

    def close(self) -> None:
        """Interrupt what runs and see it off."""
        with self._lock:
            runs = [run for run in self._runs.values() if run.job.going]
            for run in runs:
                run.process.signal(signal.SIGINT)
                run.cancelled = True
        for run in runs:
            if not run.over.wait(_GOODBYE_S):
                run.process.kill()
                run.over.wait(_GOODBYE_S)

    def _running(self, kind: str, id_: int) -> _Run | None:
        run = self._runs.get(kind)
        return run if run is not None and run.job.id == id_ and run.job.going else None

    def _follow(self, run: _Run, order: Mapping[str, Any], ended: Ended | None) -> None:
        """Have the worker do the job, and say how far it is until it has ended."""
        outcome: tuple[str, str, dict[str, Any]] | WorkerCrashed
        # Here, and never under the lock: the database may be busy, and every open tab asks for the
        # last job.
        self._store(run.job)
        try:
            outcome = run.process.call(call_named, _DO_JOB, order, on_tell=partial(self._tell, run))
        except WorkerCrashed as crash:
            outcome = crash
        with self._lock:
            run.process.end()
            if not isinstance(outcome, WorkerCrashed):
                state, message, result = outcome
            elif run.cancelled:
                state, message, result = *CANCELLED, {}
            else:
                _log.error("job %s ended: %s", run.job.kind, outcome)
                state = "failed"
                message = "Its process stopped unexpectedly. See the server’s log, then try again."
                result = {}
            self._change(
                run, state=state, message=message, result=result, ended_at=iso(self._clock.now())
            )
        self._store(run.job)
        try:
            if ended is not None:
                ended(run.job)
        finally:
            run.over.set()

    def _tell(self, run: _Run, step: Step) -> None:
        with self._lock:
            phase, done, total = step
            self._change(run, phase=phase, done=done, total=total)

    def _change(self, run: _Run, **values: Any) -> None:
        run.job = replace(run.job, **values)
        self._last[run.job.kind] = run.job

    def _store(self, job: Job) -> None:
        """Store the job's state; if that fails, the job goes on, and a restart shows the last."""
        try:
            store_job(self._workspace.engine, job)
        except (StorageError, UnicodeError) as error:
            _log.warning("job %s could not be stored: %s", job.kind, error)
