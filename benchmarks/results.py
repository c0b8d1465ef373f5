"""Results over 20,000 attempts: processor time and memory of reports.

Each report is computed in a process of its own, as ``pagetrail metrics`` and ``agreement`` do: a
first one, for which all events are read; others from what the first has left on disk; and one after
somebody has submitted one more task. Imports are not counted, and nothing is written or drawn.
A second campaign has as many attempts, most of them by systems with two judges, prices and pay.

``python -m benchmarks.results WORKSPACE METHOD [OPTION=VALUE …]`` computes one report.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from sqlalchemy import select

from benchmarks.big_campaign import Size, big_workspace, protocol
from benchmarks.harness import Benchmark, Measurement, Setup
from benchmarks.judged_campaign import DECIDING_VERDICTS, JUDGING, judged_workspace
from benchmarks.support import CAMPAIGN
from pagetrail.annotation.attempts.context import AttemptContext
from pagetrail.annotation.attempts.recorder import Command, Recorder
from pagetrail.annotation.clock import SystemClock
from pagetrail.annotation.events import Reopened, Submitted
from pagetrail.app.cli.main import ONE_THREAD
from pagetrail.exports.reading.open_source import open_source
from pagetrail.exports.reports.agreement.report import agreement
from pagetrail.exports.reports.charts.style import unchecked
from pagetrail.exports.reports.metrics.report import metrics
from pagetrail.exports.reports.suspects.report import suspects
from pagetrail.storage.attempts.event_log import SqlEventLog
from pagetrail.storage.corpus.documents import Corpus
from pagetrail.storage.database.tables import Attempt, AttemptStateRow, User
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.workers.garbage import collect_rarely

SIZE = Size()
FIRST_S = 20.0
MEMORY_MB = 600.0
REPORTS: tuple[tuple[str, str, dict[str, str]], ...] = (
    ("metrics, first report", "metrics", {}),
    ("metrics again", "metrics", {}),
    ("metrics with another idle cap", "metrics", {"idle_cap_s": "120"}),
    ("metrics by batch", "metrics", {"by": "batch"}),
    ("agreement, first report", "agreement", {}),
    ("agreement again", "agreement", {}),
    ("suspects, after the others", "suspects", {}),
    ("suspects again", "suspects", {}),
)
VERDICTS = {"verdicts": DECIDING_VERDICTS, "judgements": JUDGING}
JUDGED: tuple[tuple[str, str, dict[str, str]], ...] = (
    ("judged answers: metrics, first report", "metrics", VERDICTS),
    ("judged answers: metrics again", "metrics", VERDICTS),
    ("judged answers: agreement, first report", "agreement", {}),
)
LATER: tuple[tuple[str, str, dict[str, str]], ...] = (
    ("metrics after one more submission", "metrics", {}),
    ("agreement after one more submission", "agreement", {}),
)


def measure(_setup: Setup) -> list[Measurement]:
    """Measure all reports over a generated campaign."""
    with tempfile.TemporaryDirectory(prefix="pagetrail-bench-") as folder:
        root = Path(folder) / "ws"
        big_workspace(root, SIZE).engine.dispose()
        usages = {name: _run_apart(root, kind, options) for name, kind, options in REPORTS}
        _submit_again(root)
        usages |= {name: _run_apart(root, kind, options) for name, kind, options in LATER}
        judged_root = Path(folder) / "judged"
        judged_workspace(judged_root).engine.dispose()
        judged_usages = {
            name: _run_apart(judged_root, kind, options) for name, kind, options in JUDGED
        }
    first, judged_first = (
        sum(usage["seconds"] for name, usage in of_campaign.items() if "first" in name)
        for of_campaign in (usages, judged_usages)
    )
    usages |= judged_usages
    largest = max(usage["megabytes"] for usage in usages.values())
    return [
        *(Measurement(name, usage["seconds"], "s") for name, usage in usages.items()),
        Measurement("metrics and agreement, first reports", first, "s", FIRST_S),
        Measurement("… of judged answers", judged_first, "s", FIRST_S),
        Measurement("… memory of the largest report", largest, "MB", MEMORY_MB),
    ]


def _submit_again(root: Path) -> None:
    """Somebody reopens a submitted task and submits it."""
    workspace = Workspace.open(root)
    submitted = (
        select(Attempt.id, User.name)
        .join(AttemptStateRow, AttemptStateRow.attempt_id == Attempt.id)
        .join(User, User.id == Attempt.user_id)
        .where(AttemptStateRow.status == "submitted", AttemptStateRow.outcome == "answered")
        .limit(1)
    )
    with workspace.engine.connect() as connection:
        attempt, name = connection.execute(submitted).one()
    recorder = Recorder(SqlEventLog(workspace.engine), Corpus(workspace), SystemClock())
    commands = [Command("reopen", Reopened()), Command("submit", Submitted(outcome="answered"))]
    recorded = recorder.record(AttemptContext(attempt, name, protocol()), commands)
    if recorded.refusals:
        raise SystemExit(f"Not submitted again: {recorded.refusals}")
    workspace.engine.dispose()


def _run_apart(root: Path, kind: str, options: dict[str, str]) -> dict[str, float]:
    """Seconds of processor time and megabytes of a report in a process of its own."""
    arguments = [f"{option}={value}" for option, value in options.items()]
    command = [sys.executable, "-m", "benchmarks.results", str(root), kind, *arguments]
    output = subprocess.run(
        command, env=os.environ | ONE_THREAD, check=True, stdout=subprocess.PIPE, text=True
    ).stdout
    usage: dict[str, float] = json.loads(output)
    return usage


def run_report(root: Path, kind: str, *arguments: str) -> None:
    """Compute a report, and print seconds of processor time and the most memory in MB."""
    pairs = (argument.split("=") for argument in arguments)
    options: dict[str, Any] = {
        name: int(value) if value.isdecimal() else value for name, value in pairs
    }
    collect_rarely()
    workspace = Workspace.open(root)
    verdicts = options.pop("verdicts", None)
    started = time.process_time()
    with unchecked(), open_source(workspace, CAMPAIGN, verdicts=verdicts) as source:
        reports: dict[str, Callable[..., object]] = {
            "metrics": metrics,
            "agreement": agreement,
            "suspects": suspects,
        }
        reports[kind](source, **options)
    seconds = time.process_time() - started
    kilobytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(json.dumps({"seconds": seconds, "megabytes": kilobytes / 1000}))


BENCHMARK = Benchmark("results", measure)

if __name__ == "__main__":
    run_report(Path(sys.argv[1]), *sys.argv[2:])
