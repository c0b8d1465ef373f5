"""Limits of memory for worker processes.

On Linux the kernel refuses a process more address space (``RLIMIT_AS``): what asked for it gets a
``MemoryError``, and the worker may go on. macOS has that limit in name only: there the caller looks
at the worker's resident memory several times a second and kills it.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread

from pagetrail.annotation.errors import PagetrailError

MEMORY_VARIABLE = "PAGETRAIL_WORKER_MEMORY"
"""Environment variable: MiB that a process may take that reads files or draws pages."""

DEFAULT_MIB = 1536
MIN_MIB = 512
"""A worker with the libraries for PDF and Parquet loaded has some 300 MiB of address space."""

IS_ENFORCED_BY_KERNEL = sys.platform == "linux"
_LOOK_EVERY_S = 0.1
_PS_LIMIT_S = 5.0


def memory_limit() -> int:
    """Bytes that a process may take that reads files or draws pages.

    Raises:
        PagetrailError: the environment variable is no number, or too small.
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
    """The limit in words for messages."""
    return f"{limit >> 20:,} MiB"


def limit_address_space(limit: int) -> None:
    """Have the kernel refuse this process more; the hard limit may only be lowered."""
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    limit = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


@contextmanager
def limited_growth(limit: int) -> Iterator[None]:
    """Have the kernel refuse this process more than so many further bytes until the block ends.

    Where the kernel does not enforce it, nothing is limited.
    """
    if not IS_ENFORCED_BY_KERNEL:
        yield
        return
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    before, hard = resource.getrlimit(resource.RLIMIT_AS)
    wanted = pages * resource.getpagesize() + limit
    bounds = [bound for bound in (before, hard) if bound != resource.RLIM_INFINITY]
    resource.setrlimit(resource.RLIMIT_AS, (min([wanted, *bounds]), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (before, hard))


class MemoryWatchdog:
    """Kills a process once its resident memory exceeds the limit.

    Args:
        kill: ends the process and what it started.
    """

    def __init__(self, pid: int, limit: int, kill: Callable[[], None]) -> None:
        self._pid, self._limit, self._kill = pid, limit, kill
        self._stopped = Event()
        Thread(target=self._watch, name="memory-watchdog", daemon=True).start()

    def stop(self) -> None:
        """Let the process be: it has ended."""
        self._stopped.set()

    def _watch(self) -> None:
        while not self._stopped.wait(_LOOK_EVERY_S):
            memory = resident_memory(self._pid)
            if memory is None:
                return
            if memory > self._limit and not self._stopped.is_set():
                self._kill()
                return


def resident_memory(pid: int) -> int | None:
    """Bytes of a process's resident memory; None where there is no such process.

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
