"""Files read in a process of their own, within limits of memory and time.

A small file may unpack to gigabytes, or take a parser minutes. The process that reads it takes
nothing else along when it ends, and the error names the file and the way out.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from pagetrail.storage.importers.files.rows import refuse
from pagetrail.storage.workers.memory import VARIABLE, limit_text, memory_limit
from pagetrail.storage.workers.process import (
    WorkerCrashed,
    WorkerOutOfMemory,
    WorkerProcess,
    WorkerTimedOut,
)

T = TypeVar("T")

TIME_LIMIT_S = 120.0


def read_in_worker(function: Callable[..., T], path: Path, *args: object, way_out: str) -> T:
    """The function's result for a file and further arguments, from a worker process.

    Args:
        way_out: a sentence: what to do with a file that needs too much.

    Raises:
        InputFileError: it takes too much memory or time, or whatever the function refuses.
    """
    limit = memory_limit()
    process = WorkerProcess(memory_bytes=limit)
    try:
        return process.call(function, path, *args, timeout=TIME_LIMIT_S)
    except WorkerTimedOut:
        refuse(path, f"takes more than {TIME_LIMIT_S:g} s to read. {way_out}")
    except (WorkerOutOfMemory, WorkerCrashed):
        refuse(
            path,
            f"needs more than {limit_text(limit)} of memory, or is damaged. {way_out} Whoever runs "
            f"the server may raise {VARIABLE}.",
        )
    finally:
        process.end()
