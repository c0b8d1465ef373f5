"""Renders pages and extracts their words in worker processes, with a time limit per page."""

from __future__ import annotations

import logging
import os
import signal
import time
from pathlib import Path
from threading import Lock
from typing import Any, Literal, NamedTuple

from cachetools import TTLCache

from pagetrail.annotation.errors import Busy, CorpusError, PageRefused, UnusableFile
from pagetrail.annotation.messages import N_, gettext, join_messages, lazy_gettext, translate
from pagetrail.storage.corpus.image_cache import DEFAULT_LIMIT
from pagetrail.storage.corpus.page_values import Word
from pagetrail.storage.workers.memory import limit_text, memory_limit
from pagetrail.storage.workers.pool import WorkerPool, WorkersBusy, WorkersClosed, WorkersDoNotStart
from pagetrail.storage.workers.process import WorkerCrashed, WorkerOutOfMemory, WorkerTimedOut
from pagetrail.storage.workers.worker_main import call_by_name

PROCESSOR_S = 10.0
"""Processor time for one page, independent of other load on the machine."""

LIMIT_S = 30.0
"""Wall time for one page, however busy the machine is."""

_WAIT_S = 30.0
_REFUSAL_S = 600.0
_MAX_REFUSALS = 10_000
_NICENESS = 8
WORKER_MODULE = "pagetrail.storage.corpus.page_worker"
_log = logging.getLogger("pagetrail.pages")

_Operation = Literal["draw", "read"]
_TOO_SLOW: dict[_Operation, str] = {
    "draw": N_("Page {page} of {document} takes longer than {seconds} s to draw at {dpi} dpi."),
    "read": N_("Page {page} of {document} takes longer than {seconds} s to read."),
}
_CRASHED: dict[_Operation, str] = {
    "draw": N_("Page {page} of {document} stopped the program that was to draw it at {dpi} dpi."),
    "read": N_("Page {page} of {document} stopped the program that was to read it."),
}
_TOO_LARGE: dict[_Operation, str] = {
    "draw": N_(
        "Page {page} of {document} needs more than {memory} of memory to draw at {dpi} dpi."
    ),
    "read": N_("Page {page} of {document} needs more than {memory} of memory to read."),
}
_ADVICE = N_(
    "Zoom out for a lower resolution, or have a supervisor print the document to a new, simpler "
    "PDF and add that."
)


class PageOfFile(NamedTuple):
    """A page of a registered file.

    Attributes:
        path: the file.
        sha256: its hash.
        document: its name, for messages.
        number: 1-based page number.
    """

    path: Path
    sha256: str
    document: str
    number: int


class _Refusal(NamedTuple):
    """Why a page is refused at a resolution and above; ``message`` is translated when shown."""

    dpi: int
    message: str


class PageWorkers:
    """Renders pages and extracts words in worker processes. Thread-safe.

    A page that takes longer than ``limit_s``, computes for ``processor_s`` or kills its process is
    refused, and for ten minutes the same request is refused at once, also at higher resolutions.

    Args:
        cache_dir: the workspace's cache folder.
        cache_limit: bytes of page images on disk.
        size: number of processes; by default one more than cores, at most 4: one page that takes
            seconds leaves a process for each core.

    Attributes:
        pool: the processes, started with the first page unless before.
        last_used: time of the last request, on the monotonic clock.
    """

    def __init__(
        self,
        cache_dir: Path,
        cache_limit: int = DEFAULT_LIMIT,
        size: int | None = None,
        limit_s: float = LIMIT_S,
        processor_s: float = PROCESSOR_S,
    ) -> None:
        self._limit_s = limit_s
        self._processor_s = processor_s
        self.pool = WorkerPool(
            size or min(4, (os.cpu_count() or 1) + 1),
            call_by_name,
            (f"{WORKER_MODULE}:initialise", cache_dir, cache_limit, processor_s),
            memory_bytes=memory_limit(),
            niceness=_NICENESS,
        )
        self.last_used = 0.0
        self._lock = Lock()
        self._refusals: TTLCache[tuple[str, int, _Operation], _Refusal] = TTLCache(
            _MAX_REFUSALS, _REFUSAL_S
        )

    def jpeg(self, page: PageOfFile, dpi: int) -> bytes:
        """The displayed page as a JPEG, from the cache if possible.

        Raises:
            PageRefused: it takes too long, or killed its process.
            Busy: no process was free in time.
            CorpusError: the file or the page cannot be read.
        """
        image: bytes = self._call(page, "draw", dpi, "jpeg", page.sha256, page.number, dpi)
        return image

    def words(self, page: PageOfFile) -> list[Word]:
        """The words of the displayed page in reading order, at most ``page_worker.MAX_WORDS``.

        Raises: as ``jpeg``.
        """
        words: list[Word] = self._call(page, "read", 0, "words", page.number)
        return words

    def _call(
        self, page: PageOfFile, operation: _Operation, dpi: int, function: str, *args: Any
    ) -> Any:
        self.last_used = time.monotonic()
        with self._lock:
            refusal = self._refusals.get((page.sha256, page.number, operation))
        if refusal is not None and dpi >= refusal.dpi:
            raise PageRefused(translate(refusal.message))
        values: dict[str, object] = {"page": page.number, "document": page.document, "dpi": dpi}
        try:
            return self.pool.call(
                call_by_name,
                f"{WORKER_MODULE}:{function}",
                page.path,
                *args,
                timeout=self._limit_s,
                wait=_WAIT_S,
            )
        except WorkerTimedOut:
            reason = lazy_gettext(_TOO_SLOW[operation], seconds=f"{self._limit_s:g}", **values)
        except WorkerCrashed as crash:
            if crash.exit_code == -signal.SIGPROF:
                seconds = f"{self._processor_s:g}"
                reason = lazy_gettext(_TOO_SLOW[operation], seconds=seconds, **values)
            else:
                _log.error("a process that renders pages ended: %s", crash)
                reason = lazy_gettext(_CRASHED[operation], **values)
        except WorkerOutOfMemory:
            memory = limit_text(memory_limit())
            reason = lazy_gettext(_TOO_LARGE[operation], memory=memory, **values)
        except WorkersBusy:
            raise Busy(
                gettext("Too many pages are being drawn at the moment. Try again shortly.")
            ) from None
        except WorkersClosed:
            raise Busy(gettext("The server is stopping. Try again when it is back.")) from None
        except WorkersDoNotStart as error:
            raise Busy(
                gettext("The processes that draw pages do not start: {error}", error=error)
            ) from None
        except UnusableFile as error:
            raise CorpusError(f"{page.document} {error.message}") from error
        raise self._refuse(page, operation, dpi, reason)

    def _refuse(
        self, page: PageOfFile, operation: _Operation, dpi: int, reason: str
    ) -> PageRefused:
        """Refuse the same request for ten minutes; returns the error to raise."""
        message = join_messages([reason, lazy_gettext(_ADVICE)])
        _log.warning("%s", message)
        key = (page.sha256, page.number, operation)
        with self._lock:
            earlier = self._refusals.get(key)
            lowest_dpi = dpi if earlier is None else min(dpi, earlier.dpi)
            self._refusals[key] = _Refusal(lowest_dpi, message)
        return PageRefused(translate(message))
