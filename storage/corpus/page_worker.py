"""Renders pages and extracts words in a worker process of ``PageWorkers``, without a database."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pagetrail.annotation.errors import CorpusError
from pagetrail.storage.corpus.image_cache import ImageCache
from pagetrail.storage.corpus.page_values import Word
from pagetrail.storage.corpus.pdf_pages import PdfPages
from pagetrail.storage.workers.memory import limit_text, memory_limit
from pagetrail.storage.workers.worker_main import run_after_reply, send_progress

MAX_WORDS = 20_000
"""Maximum number of words returned for one page."""

THUMBNAIL_DPI = 24
"""Three times what is shown: browsers keep half a gigabyte of decoded images."""
_BATCH_S = 0.5


class _WorkerState:
    """The state of this worker process."""

    pages: PdfPages
    cache: ImageCache
    processor_s: float


def initialise(cache_dir: Path, cache_limit: int, processor_s: float) -> None:
    """Initialise this process, which may compute for ``processor_s`` seconds per page."""
    _WorkerState.processor_s = processor_s
    _WorkerState.pages = PdfPages()
    _WorkerState.cache = ImageCache(cache_dir, cache_limit)


def initialise_idle(cache_dir: Path, cache_limit: int, processor_s: float) -> None:
    """Initialise this process and let it run only while the machine is otherwise idle."""
    initialise(cache_dir, cache_limit, processor_s)
    if hasattr(os, "SCHED_IDLE"):
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    else:
        os.nice(19)


def jpeg(path: Path, sha256: str, page: int, dpi: int) -> bytes:
    """The displayed page as a JPEG, which is cached.

    Raises:
        CorpusError: the file or the page cannot be read.
    """
    cache = _WorkerState.cache
    image = cache.read(sha256, page, dpi)
    if image is None:
        try:
            with _limited_processor_time():
                image = _WorkerState.pages.render_jpeg(path, page, dpi)
        except MemoryError as error:
            reason = f"Page {page} needs more than {limit_text(memory_limit())} of memory."
            raise CorpusError(reason) from error
        cache.write(sha256, page, dpi, image)
        if cache.trim_is_due:
            run_after_reply(cache.trim)
    return image


def thumbnails(path: Path, sha256: str, pages: range) -> int:
    """Render missing thumbnails for half a second; reports each page before it is rendered.

    Returns:
        Bytes written.

    Raises:
        CorpusError: a page cannot be rendered; it is the one reported last.
    """
    deadline = time.monotonic() + _BATCH_S
    bytes_written = 0
    for page in pages:
        send_progress(page)
        if not _WorkerState.cache.has(sha256, page, THUMBNAIL_DPI):
            bytes_written += len(jpeg(path, sha256, page, THUMBNAIL_DPI))
        if time.monotonic() > deadline:
            break
    return bytes_written


def words(path: Path, page: int) -> list[Word]:
    """The first ``MAX_WORDS`` words of the displayed page.

    Raises:
        CorpusError: the file or the page cannot be read.
    """
    with _limited_processor_time():
        return _WorkerState.pages.words(path, page, MAX_WORDS)


@contextmanager
def _limited_processor_time() -> Iterator[None]:
    """Let the kernel end the process after too much processor time: MuPDF cannot be interrupted."""
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_PROF, _WorkerState.processor_s)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
