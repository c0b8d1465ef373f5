"""Pages drawn and their words read in worker processes, each piece of work within a time limit."""

from __future__ import annotations

import logging
import os
import signal
import time
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

from cachetools import TTLCache

from pagetrail.annotation.errors import Busy, CorpusError, PageRefused
from pagetrail.storage.corpus.image_cache import DEFAULT_LIMIT
from pagetrail.storage.corpus.page_values import Word
from pagetrail.storage.workers.memory import limit_text, memory_limit
from pagetrail.storage.workers.pool import WorkerPool, WorkersBusy, WorkersClosed, WorkersDoNotStart
from pagetrail.storage.workers.process import WorkerCrashed, WorkerOutOfMemory, WorkerTimedOut
from pagetrail.storage.workers.serve import call_named

PROCESSOR_S = 10.0
"""Processor time for one page: what else the machine does makes no difference to it."""

LIMIT_S = 30.0
"""Time for one page, however busy the machine is."""

_WAIT_S = 30.0
_REFUSED_FOR_S = 600.0
_REFUSALS = 10_000
WORKER = "pagetrail.storage.corpus.page_worker"
_log = logging.getLogger("pagetrail.pages")


class PagePlace(NamedTuple):
    """A page of a registered file.

    Attributes:
        path: the file.
        sha256: its hash.
        document: its name, for messages.
        page: 1-based.
    """

    path: Path
    sha256: str
    document: str
    page: int


class PageWorkers:
    """Processes that draw pages and read words. Thread-safe.

    A page that takes longer than ``limit_s``, computes for ``processor_s`` or kills its process is
    refused, and for ten minutes the same is refused at once, also at higher resolutions.

    Args:
        cache_dir: the workspace's folder for what may be deleted.
        cache_limit: bytes of page images on disk.
        size: number of processes, one more than cores unless told: one page that takes seconds
            leaves a process for each core.

    Attributes:
        last_used: when somebody last had a page drawn or read, on the monotonic clock.
    """

    def __init__(
        self,
        cache_dir: Path,
        cache_limit: int = DEFAULT_LIMIT,
        size: int | None = None,
        limit_s: float = LIMIT_S,
        processor_s: float = PROCESSOR_S,
    ) -> None:
        """Nothing is started before ``start`` or the first page."""
        self.size = size or min(4, (os.cpu_count() or 1) + 1)
        self._limit_s = limit_s
        self._processor_s = processor_s
        self._pool = WorkerPool(
            self.size,
            call_named,
            (f"{WORKER}:start", cache_dir, cache_limit, processor_s),
            memory_bytes=memory_limit(),
        )
        self.last_used = 0.0
        self._closed = False
        self._lock = Lock()
        self._refused: TTLCache[tuple[str, int, str], tuple[int, str]] = TTLCache(
            _REFUSALS, _REFUSED_FOR_S
        )

    def start(self) -> None:
        """Start the processes in the background."""
        self._pool.start()

    def ready(self, seconds: float) -> bool:
        """Whether a process is free, after waiting for at most so long."""
        return self._pool.ready(seconds)

    def jpeg(self, place: PagePlace, dpi: int) -> bytes:
        """The displayed page as a JPEG, from the cache where it is there.

        Raises:
            PageRefused: it takes too long, or stopped the process that drew it.
            Busy: no process was free for long.
            CorpusError: the file or the page cannot be read.
        """
        image: bytes = self._call(place, "draw", dpi, "jpeg", place.sha256, place.page, dpi)
        return image

    def words(self, place: PagePlace) -> list[Word]:
        """The words of the displayed page in reading order, at most ``page_worker.MAX_WORDS``.

        Raises: as ``jpeg``.
        """
        words: list[Word] = self._call(place, "read", 0, "words", place.page)
        return words

    def pids(self) -> list[int]:
        """Process ids."""
        return self._pool.pids()

    def close(self) -> None:
        """Kill the processes; whoever waits for a page is refused it."""
        self._closed = True
        self._pool.close(at_once=True)

    def _call(self, place: PagePlace, verb: str, dpi: int, function: str, *args: Any) -> Any:
        """The function's result; ``verb`` is what is done to the page, for messages."""
        key = (place.sha256, place.page, verb)
        self.last_used = time.monotonic()
        with self._lock:
            limit, reason = self._refused.get(key, (0, ""))
        if reason and dpi >= limit:
            raise PageRefused(reason)
        try:
            return self._pool.call(
                call_named,
                f"{WORKER}:{function}",
                place.path,
                *args,
                timeout=self._limit_s,
                wait=_WAIT_S,
            )
        except WorkerTimedOut:
            reason = f"takes longer than {self._limit_s:g} s to {verb}"
        except WorkerCrashed as crash:
            if self._closed:
                raise _stopping() from None
            if crash.exit_code == -signal.SIGPROF:
                reason = f"takes longer than {self._processor_s:g} s to {verb}"
            else:
                _log.error("a process that draws pages ended: %s", crash)
                reason = f"stopped the program that was to {verb} it"
        except WorkerOutOfMemory:
            reason = f"needs more than {limit_text(memory_limit())} of memory to {verb}"
        except WorkersBusy:
            raise Busy("Too many pages are being drawn at the moment. Try again shortly.") from None
        except WorkersClosed:
            raise _stopping() from None
        except WorkersDoNotStart as error:
            raise Busy(f"The processes that draw pages do not start: {error}") from None
        except CorpusError as error:
            if error.message[:1].isupper():
                raise
            raise CorpusError(f"{place.document} {error.message}") from error
        raise self._refusal(key, place, dpi, reason)

    def _refusal(
        self, key: tuple[str, int, str], place: PagePlace, dpi: int, reason: str
    ) -> PageRefused:
        at = f" at {dpi} dpi" if dpi else ""
        message = (
            f"Page {place.page} of {place.document} {reason}{at}. Zoom out for a lower resolution, "
            "or have a supervisor print the document to a new, simpler PDF and add that."
        )
        _log.warning("%s", message)
        with self._lock:
            lowest, _ = self._refused.get(key, (dpi, ""))
            self._refused[key] = (min(dpi, lowest), message)
        return PageRefused(message)


def _stopping() -> Busy:
    return Busy("The server is stopping. Try again when it is back.")
