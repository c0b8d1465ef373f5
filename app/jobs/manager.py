"""Long work beside the server: one job of a kind at a time, with progress, seen from every tab.

A job runs in a process of its own (``app.jobs.worker``): exporting, indexing and reading PDFs would
hold the server's interpreter. Each kind's last job is in the database from its start on and again
at its end, so that a restart shows how it ended, or that it was interrupted. Where several servers
share a database, each shows the jobs of all, and passes on what is asked of another's.
"""

from __future__ import annotations

import logging
import signal
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from threading import Event, Lock, RLock, Thread
from typing import Any

from pagetrail.annotation.clock import iso
from pagetrail.annotation.errors import ConflictError, PagetrailError, StorageError
from pagetrail.annotation.ports import Clock
from pagetrail.storage.database.job_states import Asked, Job, last_job, last_jobs, store_job
from pagetrail.storage.database.postgresql import JobHold, hold_job, is_held
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.operations.shared_jobs import ask, take_asked
from pagetrail.storage.workers.memory import VARIABLE, limit_text, memory_limit
from pagetrail.storage.workers.process import WorkerCrashed, WorkerOutOfMemory, WorkerProcess
from pagetrail.storage.workers.serve import call_named

STOPPED = (
    "The server was stopped while this ran. Finished parts were kept, unfinished ones were not. "
    "Start it again."
)
CANCELLED = ("cancelled", "Cancelled. Nothing half-finished was kept.")
"""State and message of a job that was interrupted."""

IMPORTS = frozenset({"import_run", "import_verdicts", "import_elements"})
"""Kinds of jobs whose process may take limited memory; others start processes that are limited."""

PROGRAM_BYTES = 1 << 30
"""Address space of the whole program with its database open, beside what an import may take."""

PAUSE: Asked = "pause"
RESUME: Asked = "resume"
CANCEL: Asked = "cancel"
"""What a job's process is told; it counts from the job's next step on."""

# By name: with the function would come the exports and the ingest, which the server does not need.
_DO_JOB = "pagetrail.app.jobs.worker:do_job"
_GOODBYE_S = 10.0
_SHARE_S = 1.0
"""How often other servers are told of a job, and heard."""
_log = logging.getLogger("pagetrail.jobs")


Ended = Callable[[Job], None]

Step = tuple[str, int, int]
"""Phase of a job, its steps done, and all of them (0: not known)."""


class _Run:
    """A job with its process."""

    def __init__(self, job: Job, process: WorkerProcess, hold: JobHold | None) -> None:
        self.job = job
        self.hold = hold
        self.process = process
        self.cancelled = False
        self.over = Event()
        self.storing = Lock()
        """Held from looking at the job to storing it: how it ended is stored last."""


class Jobs:
    """The jobs of a server. Thread-safe."""

    def __init__(self, workspace: Workspace, clock: Clock) -> None:
        self._workspace = workspace
        self._clock = clock
        self._lock = RLock()
        self._runs: dict[str, _Run] = {}
        self._shared = workspace.engine.dialect.name == "postgresql"
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
        stored = self.last(kind)
        hold = hold_job(self._workspace.engine, kind) if self._shared else None
        with self._lock:
            last = stored if self._shared else self._last.get(kind)
            if hold is None if self._shared else last is not None and last.going:
                by, title = (last.by, last.title) if last is not None else ("Somebody", kind)
                raise ConflictError(
                    f"{by} has already started this: {title}. Wait until it ends, or cancel it."
                )
            job = Job((last.id if last else 0) + 1, kind, title, by, iso(self._clock.now()))
            # What imports read was written by anybody; other jobs read what is stored.
            limit = import_limit() if kind in IMPORTS else None
            run = _Run(job, WorkerProcess(interruptible=True, memory_bytes=limit), hold)
            self._runs[kind], self._last[kind] = run, job
        order = {**order, "workspace": str(self._workspace.root)}
        follow = (run, order, ended)
        Thread(target=self._follow, args=follow, name=f"job-{kind}", daemon=True).start()
        if hold is not None:
            Thread(target=self._share, args=(run,), name=f"share-{kind}", daemon=True).start()
        return job

    def last(self, kind: str) -> Job | None:
        """The job of a kind that runs or ran last; None where there was none."""
        with self._lock:
            own = self._last.get(kind)
            run = self._runs.get(kind)
        if not self._shared or (run is not None and not run.over.is_set()):
            return own
        stored = last_job(self._workspace.engine, kind)
        if stored is None or (own is not None and own.id > stored.id):
            return own
        if stored.going and not is_held(self._workspace.engine, kind):
            # It may have ended, and been stored, between the two looks.
            stored = last_job(self._workspace.engine, kind) or stored
            if stored.going:
                return replace(stored, state="failed", message=STOPPED)
        return stored

    def cancel(self, kind: str, id_: int) -> bool:
        """Interrupt a job; False where that one has ended already.

        Asked a second time, it ends the process at once, whatever that is at.
        """
        with self._lock:
            run = self._running(kind, id_)
            if run is not None:
                run.process.signal(signal.SIGKILL if run.cancelled else signal.SIGINT)
                # A process that is just starting may ignore the signal; it reads this later.
                run.process.say(CANCEL)
                run.cancelled = True
                return True
        return self._ask_others(kind, id_, CANCEL)

    def pause(self, kind: str, id_: int, *, on: bool) -> bool:
        """Hold a job still after its present step, or let it go on; False where it has ended."""
        with self._lock:
            run = self._running(kind, id_)
            if run is not None:
                if not run.process.say(PAUSE if on else RESUME):
                    return False
                self._change(run, state="paused" if on else "running")
                return True
        return self._ask_others(kind, id_, PAUSE if on else RESUME)

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

    def _ask_others(self, kind: str, id_: int, what: Asked) -> bool:
        """Pass on what is asked of another server's job; False where it has ended."""
        last = self.last(kind) if self._shared else None
        if last is None or last.id != id_ or not last.going:
            return False
        ask(self._workspace.engine, kind, id_, what)
        return True

    def _share(self, run: _Run) -> None:
        """Tell other servers how far the job is, and do what they ask, until it has ended."""
        kind, id_ = run.job.kind, run.job.id
        told = run.job
        while not run.over.wait(_SHARE_S):
            try:
                if run.hold is not None:
                    run.hold.check()
            except PagetrailError as error:
                _log.error("job %s is cancelled: others may start it now: %s", kind, error)
                self.cancel(kind, id_)
                return
            try:
                asked = take_asked(self._workspace.engine, kind, id_)
                with run.storing:
                    now = run.job
                    if now != told and now.going:
                        store_job(self._workspace.engine, now)
                        told = now
            except (PagetrailError, UnicodeError) as error:
                _log.warning("job %s could not be shared: %s", kind, error)
                continue
            if asked == CANCEL:
                self.cancel(kind, id_)
            elif asked is not None:
                self.pause(kind, id_, on=asked == PAUSE)

    def _follow(self, run: _Run, order: Mapping[str, Any], ended: Ended | None) -> None:
        """Have the worker do the job, and say how far it is until it has ended."""
        outcome: tuple[str, str, dict[str, Any]] | WorkerCrashed | WorkerOutOfMemory
        # Here, and never under the lock: the database may be busy, and every open tab asks for the
        # last job.
        self._store(run)
        try:
            outcome = run.process.call(call_named, _DO_JOB, order, on_tell=partial(self._tell, run))
        except (WorkerCrashed, WorkerOutOfMemory) as failure:
            outcome = failure
        with self._lock:
            run.process.end()
            if isinstance(outcome, tuple):
                state, message, result = outcome
            elif run.cancelled:
                state, message, result = *CANCELLED, {}
            elif isinstance(outcome, WorkerOutOfMemory):
                state, message, result = "failed", _out_of_memory(), {}
            else:
                _log.error("job %s ended: %s", run.job.kind, outcome)
                state = "failed"
                message = "Its process stopped unexpectedly. See the server’s log, then try again."
                result = {}
            self._change(
                run, state=state, message=message, result=result, ended_at=iso(self._clock.now())
            )
        self._store(run)
        try:
            if ended is not None:
                ended(run.job)
        finally:
            run.over.set()
            if run.hold is not None:
                run.hold.release()

    def _tell(self, run: _Run, step: Step) -> None:
        with self._lock:
            phase, done, total = step
            self._change(run, phase=phase, done=done, total=total)

    def _change(self, run: _Run, **values: Any) -> None:
        run.job = replace(run.job, **values)
        self._last[run.job.kind] = run.job

    def _store(self, run: _Run) -> None:
        """Store the job's state; if that fails, the job goes on, and a restart shows the last."""
        try:
            with run.storing:
                store_job(self._workspace.engine, run.job)
        except (StorageError, UnicodeError) as error:
            _log.warning("job %s could not be stored: %s", run.job.kind, error)


def import_limit() -> int:
    """Bytes that the process of an import may take."""
    return memory_limit() + PROGRAM_BYTES


def _out_of_memory() -> str:
    return (
        f"The files need more than {limit_text(memory_limit())} of memory. Split them, write JSON "
        f"as JSON Lines, or have whoever runs the server raise {VARIABLE}."
    )
