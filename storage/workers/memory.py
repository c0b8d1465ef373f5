"""Memory limits of worker processes.

On Linux the kernel limits a process's address space (``RLIMIT_AS``): an allocation beyond it raises
``MemoryError``, and the worker can continue. macOS ignores that limit: there the caller checks the
worker's resident memory several times a second and kills it.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections.abc import Callable
from threading import Event, Thread

from pagetrail.annotation.errors import PagetrailError

MEMORY_VARIABLE = "PAGETRAIL_WORKER_MEMORY"
"""Environment variable: memory limit in MiB of a process that reads files or draws pages."""

DEFAULT_MIB = 1536
MIN_MIB = 512
"""A worker with the libraries for PDF and Parquet loaded has some 300 MiB of address space."""

IS_ENFORCED_BY_KERNEL = sys.platform == "linux"
_CHECK_INTERVAL_S = 0.1
_PS_LIMIT_S = 5.0


def memory_limit() -> int:
    """Memory limit in bytes of a process that reads files or draws pages.

    Raises:
        PagetrailError: the environment variable is not a number, or too small.
    """
    text = os.environ.get(MEMORY_VARIABLE, "").strip()
    if not text:
        return DEFAULT_MIB << 20
    if not text.isdecimal() or len(text) > 9 or int(text) < MIN_MIB:
        raise PagetrailError(
            f"{MEMORY_VARIABLE} is {text[:40]!r}. It must be a number of MiB, at least {MIN_MIB}.",
            code="invalid_setting",
        )
    return int(text) << 20


def limit_text(limit: int) -> str:
    """The limit as text for messages."""
    return f"{limit >> 20:,} MiB"


def limit_address_space(limit: int) -> None:
    """Limit this process's address space; the hard limit can only be lowered."""
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    limit = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


class MemoryWatchdog:
    """Kills a process once its resident memory exceeds the limit.

    Args:
        kill: kills the process and its children.
    """

    def __init__(self, pid: int, limit: int, kill: Callable[[], None]) -> None:
        self._pid, self._limit, self._kill = pid, limit, kill
        self._stopped = Event()
        Thread(target=self._watch, name="memory-watchdog", daemon=True).start()

    def stop(self) -> None:
        """Stop watching: the process has ended."""
        self._stopped.set()

    def _watch(self) -> None:
        while not self._stopped.wait(_CHECK_INTERVAL_S):
            memory = resident_memory(self._pid)
            if memory is None:
                return
            if memory > self._limit and not self._stopped.is_set():
                self._kill()
                return


def resident_memory(pid: int) -> int | None:
    """Resident memory of a process in bytes; None if there is no such process.

    Asked of ``ps``, which every Unix has: Python's own function knows its children's peak only
    once they have ended.
    """
    try:
        answer = subprocess.run(
            ["/bin/ps", "-o", "rss=", "-p", str(pid)],
            capture_output=True,
            text=True,
            timeout=_PS_LIMIT_S,
            check=False,
        ).stdout.strip()
    except (OSError, subprocess.TimeoutExpired):
        return None
    return int(answer) * 1024 if answer.isdecimal() else None
