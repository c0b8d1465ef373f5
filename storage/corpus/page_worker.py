"""Renders pages and extracts words in a worker process of ``PageWorkers``, without a database."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pagetrail.annotation.errors import CorpusError
from pagetrail.storage.corpus.image_cache import THUMBNAIL_DPI, ImageCache
from pagetrail.storage.corpus.page_values import Word
from pagetrail.storage.corpus.pdf_pages import PdfPages
from pagetrail.storage.workers.memory import limit_text, memory_limit
from pagetrail.storage.workers.worker_main import run_after_reply

MAX_WORDS = 20_000
"""Maximum number of words returned for one page."""


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
        if dpi != THUMBNAIL_DPI and cache.trim_is_due:
            run_after_reply(cache.trim)
    return image


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
