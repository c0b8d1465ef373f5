"""Exports of 500 tasks by three people each, with 60 events per attempt.

Processor time and memory of each format that a campaign of searches and answers has, every one in a
process of its own as ``pagetrail export`` runs it; imports are not counted. Formats of boxes and
graded pages draw page images, which takes as long as drawing does, and are not among them.

``python -m benchmarks.exports WORKSPACE FORMAT`` runs one.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.big_campaign import Size, big_workspace
from benchmarks.harness import Benchmark, Measurement, Setup
from benchmarks.support import CAMPAIGN
from pagetrail.exports.run import export
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.workers.garbage import collect_rarely

SIZE = Size(annotators=20, tasks=500, page_turns=50)
LONGEST_S = 10.0
MEMORY_MB = 500.0
FORMATS = (
    "madqa",
    "trajectories",
    "gold",
    "adjudicated",
    "labels",
    "trec",
    "beir",
    "runs",
    "reviews",
    "trajectory-tasks",
    "scores",
    "inspect",
    "atif",
    "dataset",
)


def measure(_setup: Setup) -> list[Measurement]:
    """Measure each format."""
    with tempfile.TemporaryDirectory(prefix="pagetrail-bench-") as folder:
        root = Path(folder) / "ws"
        big_workspace(root, SIZE).engine.dispose()
        usages = [_run_apart(root, format_) for format_ in FORMATS]
    largest = max(megabytes for _, megabytes in usages)
    return [
        *(
            Measurement(f"export {format_}", seconds, "s", LONGEST_S)
            for format_, (seconds, _) in zip(FORMATS, usages, strict=True)
        ),
        Measurement("… memory of the largest export", largest, "MB", MEMORY_MB),
    ]


def _run_apart(root: Path, format_: str) -> tuple[float, float]:
    """Seconds of processor time and megabytes of an export in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.exports", str(root), format_]
    output = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    seconds, megabytes = json.loads(output)
    return seconds, megabytes


def run_export(root: Path, format_: str) -> None:
    """Run an export, and print seconds of processor time and the most memory in MB."""
    collect_rarely()
    workspace = Workspace.open(root)
    started = time.process_time()
    export(workspace, CAMPAIGN, format_, root / "exports" / format_)
    seconds = time.process_time() - started
    kilobytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(json.dumps((seconds, kilobytes / 1000)))


BENCHMARK = Benchmark("exports", measure)

if __name__ == "__main__":
    run_export(Path(sys.argv[1]), sys.argv[2])
