"""Long work beside the server: one job of a kind at a time, with progress, seen from every tab.

A job runs in a process of its own (``app.jobs.worker``): exporting, indexing and reading PDFs would
hold the server's interpreter. How each kind's last job ended is kept in the workspace, so that it
is there after a reload and after a restart of the server.
"""

from __future__ import annotations

import json
import logging
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from threading import Event, RLock, Thread
from typing import Any

import pagetrail
from pagetrail.annotation.clock import iso
from pagetrail.annotation.errors import ConflictError
from pagetrail.annotation.ports import Clock

FOLDER = "jobs"
STOPPED = (
    "The server was stopped while this ran. Nothing half-finished was kept; what was finished "
    "stays. Start it again."
)
_PACKAGE_ROOT = Path(pagetrail.__file__).parents[1]
_GOODBYE_S = 10.0
# The worker's own handler comes with its imports, which take a second. Until then an interrupt ends
# it without a word: there is nothing to tidy up yet, and a traceback would be in the server's log.
_WORKER = (
    "import signal; signal.signal(signal.SIGINT, signal.SIG_DFL); "
    "from pagetrail.app.jobs.worker import main; main()"
)
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


class _Run:
    """A job with its process."""

    def __init__(self, job: Job, process: subprocess.Popen[str]) -> None:
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
                    f"{last.by} has started this already: {last.title}. Wait until it has ended, "
                    "or cancel it."
                )
            job = Job((last.id if last else 0) + 1, kind, title, by, iso(self._clock.now()))
            run = _Run(job, _process({**order, "workspace": str(self._root)}))
            self._runs[kind] = run
            self._keep(job)
        Thread(target=self._follow, args=(run, ended), name=f"job-{kind}", daemon=True).start()
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
            run.process.send_signal(signal.SIGKILL if run.cancelled else signal.SIGINT)
            run.cancelled = True
            return True

    def pause(self, kind: str, id_: int, *, on: bool) -> bool:
        """Hold a job still after its present step, or let it go on; False where it has ended."""
        with self._lock:
            run = self._running(kind, id_)
            if run is None:
                return False
            if not _tell(run.process, "pause" if on else "resume"):
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
                run.process.send_signal(signal.SIGINT)
                run.cancelled = True
        for run in runs:
            if not run.over.wait(_GOODBYE_S):
                run.process.kill()
                run.over.wait(_GOODBYE_S)

    def _running(self, kind: str, id_: int) -> _Run | None:
        run = self._runs.get(kind)
        return run if run is not None and run.job.id == id_ and run.job.going else None

    def _follow(self, run: _Run, ended: Ended | None) -> None:
        """Read what the worker says until it has ended."""
        outcome: dict[str, Any] = {}
        assert run.process.stdout is not None
        for line in run.process.stdout:
            said = _said(line)
            if "progress" in said:
                phase, done, total = said["progress"]
                with self._lock:
                    self._change(run, phase=phase, done=done, total=total)
            elif "message" in said:
                outcome = said
        code = run.process.wait()
        with self._lock:
            if "message" in outcome:
                state, message = outcome["state"], outcome["message"]
            elif run.cancelled:
                state, message = "cancelled", "Cancelled. Nothing half-finished was kept."
            else:
                _log.error("job %s ended with code %s", run.job.kind, code)
                state = "failed"
                message = "Its process stopped unexpectedly. See the server’s log, then try again."
            self._change(
                run,
                state=state,
                message=message,
                result=outcome.get("result", {}),
                ended_at=iso(self._clock.now()),
            )
            self._keep(run.job)
            assert run.process.stdin is not None
            with suppress(BrokenPipeError):  # a line that the worker did not live to read
                run.process.stdin.close()
            run.process.stdout.close()
        try:
            if ended is not None:
                ended(run.job)
        finally:
            run.over.set()

    def _change(self, run: _Run, **values: Any) -> None:
        run.job = replace(run.job, **values)
        self._last[run.job.kind] = run.job

    def _keep(self, job: Job) -> None:
        """Write down how things stand; a disk that takes nothing is not the job's trouble."""
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


def _said(line: str) -> dict[str, Any]:
    """What a worker says; a line that is none of its own is logged and passed over."""
    try:
        said: Any = json.loads(line)
    except ValueError:
        said = None
    if isinstance(said, dict):
        return said
    _log.warning("a job said: %s", line.rstrip()[:200])
    return {}


def _process(order: Mapping[str, Any]) -> subprocess.Popen[str]:
    paths = [str(_PACKAGE_ROOT), os.environ.get("PYTHONPATH", "")]
    process = subprocess.Popen(
        # -P: a folder named "app" where the server was started is not ours.
        [sys.executable, "-P", "-W", "ignore", "-c", _WORKER],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))},
        # A Ctrl-C at the server's terminal is the server's to pass on.
        start_new_session=True,
    )
    _tell(process, json.dumps(order))
    return process


def _tell(process: subprocess.Popen[str], line: str) -> bool:
    """Write a line to a worker; False where it has ended."""
    assert process.stdin is not None
    try:
        process.stdin.write(line + "\n")
        process.stdin.flush()
    except (BrokenPipeError, ValueError):
        return False
    return True
