"""Long work beside the server: one job of a kind at a time, with progress, seen from every tab.

A job runs in a process of its own (``app.jobs.worker``): exporting, indexing and reading PDFs would
hold the server's interpreter. How each kind's last job ended is kept in the workspace, so that it
is there after a reload and after a restart of the server.
"""

from __future__ import annotations

import json
import logging
import signal
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path
from threading import Event, RLock, Thread
from typing import Any

from pagetrail.annotation.clock import iso
from pagetrail.annotation.errors import ConflictError
from pagetrail.annotation.ports import Clock
from pagetrail.storage.workers.process import WorkerCrashed, WorkerProcess
from pagetrail.storage.workers.serve import call_named

FOLDER = "jobs"
STOPPED = (
    "The server was stopped while this ran. Finished parts were kept, unfinished ones were not. "
    "Start it again."
)
CANCELLED = ("cancelled", "Cancelled. Nothing half-finished was kept.")
"""State and message of a job that was interrupted."""

PAUSE, RESUME = "pause", "resume"
"""What a job's process is told; it counts from the job's next step on."""

# By name: with the function would come the exports and the ingest, which the server does not need.
_DO_JOB = "pagetrail.app.jobs.worker:do_job"
_GOODBYE_S = 10.0
_log = logging.getLogger("pagetrail.jobs")


@dataclass(frozen=True)
class Job:
    """One job, as it is at a moment.

    Attributes:
        id: counts up within a kind.
        kind: ``export``, ``index`` or ``ingest``.
        title: what it does, for a person.
        by: who started it.
        state: ``running``, ``paused``, ``done``, ``failed`` or ``cancelled``.
        message: a sentence about how it ended.
        phase: what it is at, within the job.
        done, total: steps of the phase; ``total`` is 0 while it is not known.
        result: what the worker handed back.
    """

    id: int
    kind: str
    title: str
    by: str
    started_at: str
    state: str = "running"
    message: str = ""
    phase: str = ""
    done: int = 0
    total: int = 0
    ended_at: str | None = None
    result: dict[str, Any] = field(default_factory=dict)

    @property
    def going(self) -> bool:
        """Whether it has not ended yet."""
        return self.state in ("running", "paused")


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

    def __init__(self, root: Path, clock: Clock) -> None:
        """``root`` is the workspace's folder."""
        self._root = root
        self._clock = clock
        self._lock = RLock()
        self._last: dict[str, Job] = {}
        self._runs: dict[str, _Run] = {}
        self._load()

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
            self._runs[kind] = run
            self._keep(job)
        order = {**order, "workspace": str(self._root)}
        follow = (run, order, ended)
        Thread(target=self._follow, args=follow, name=f"job-{kind}", daemon=True).start()
        return job

    def last(self, kind: str) -> Job | None:
        """The job of a kind that runs or ran last; None where there was none."""
        with self._lock:
            return self._last.get(kind)

    def cancel(self, kind: str, id_: int) -> bool:
        """Interrupt a job; False where that one has ended already.

        Asked a second time, it ends the process at once: an interrupt can get lost.
        """
        with self._lock:
            run = self._running(kind, id_)
            if run is None:
                return False
            run.process.signal(signal.SIGKILL if run.cancelled else signal.SIGINT)
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
            self._keep(run.job)
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

    def _keep(self, job: Job) -> None:
        """Write the job's state to disk; if that fails, the job goes on."""
        self._last[job.kind] = job
        file = self._root / FOLDER / f"{job.kind}.json"
        try:
            file.parent.mkdir(exist_ok=True)
            unfinished = file.with_suffix(".new")
            unfinished.write_text(json.dumps(asdict(job)), encoding="utf-8")
            unfinished.replace(file)
        except OSError as error:
            _log.warning("job %s could not be kept: %s", job.kind, error)

    def _load(self) -> None:
        for file in sorted((self._root / FOLDER).glob("*.json")):
            try:
                job = Job(**json.loads(file.read_text(encoding="utf-8")))
            except (OSError, ValueError, TypeError) as error:
                _log.warning("%s is not readable: %s", file.name, error)
                continue
            if job.going:
                job = replace(job, state="failed", message=STOPPED)
            self._last[job.kind] = job
