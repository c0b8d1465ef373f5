"""Reads files in a separate process with limits on memory and time.

A small file may unpack to gigabytes or keep a parser busy for minutes. If the process dies, nothing
else is affected, and the error names the file and what to do.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from pagetrail.storage.database.storable_text import (
    FolderNaming,
    current_namings,
    given_namings,
)
from pagetrail.storage.importers.files.rows import refuse
from pagetrail.storage.workers.memory import MEMORY_VARIABLE, limit_text, memory_limit
from pagetrail.storage.workers.pool import run_once
from pagetrail.storage.workers.process import WorkerCrashed, WorkerOutOfMemory, WorkerTimedOut

T = TypeVar("T")

TIME_LIMIT_S = 120.0


def read_in_worker(function: Callable[..., T], path: Path, *args: object, advice: str) -> T:
    """Call ``function(path, *args)`` in a worker process.

    Args:
        advice: sentence on what to do with a file that exceeds a limit.

    Raises:
        InputFileError: the file takes too much memory or time, or ``function`` refuses it.
    """
    limit = memory_limit()
    try:
        content: T = run_once(
            _read,
            current_namings(),
            function,
            path,
            *args,
            timeout=TIME_LIMIT_S,
            memory_bytes=limit,
        )
        return content
    except WorkerTimedOut:
        refuse(path, f"takes more than {TIME_LIMIT_S:g} s to read. {advice}")
    except (WorkerOutOfMemory, WorkerCrashed):
        refuse(
            path,
            f"needs more than {limit_text(limit)} of memory, or is damaged. {advice} The server's "
            f"administrator can raise {MEMORY_VARIABLE}.",
        )


def _read(
    namings: tuple[FolderNaming, ...], function: Callable[..., T], path: Path, *args: object
) -> T:
    """In the worker: the call, whose errors name folders as its caller does."""
    with given_namings(namings):
        return function(path, *args)
