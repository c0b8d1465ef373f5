"""What a worker process of ``PageWorkers`` does with pages; it imports no database."""

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
from pagetrail.storage.workers.serve import after_reply, tell

MAX_WORDS = 20_000
"""Words given of one page."""

THUMBNAIL_DPI = 40
_STRETCH_S = 0.5
_NICE = 8


class _Drawing:
    """The state of this worker process."""

    pages: PdfPages
    cache: ImageCache
    processor_s: float


def start(cache_dir: Path, cache_limit: int, processor_s: float) -> None:
    """Prepare this process, which may compute for ``processor_s`` seconds for one page.

    People's events and searches have priority over what it draws.
    """
    os.nice(_NICE)
    _Drawing.processor_s = processor_s
    _Drawing.pages = PdfPages()
    _Drawing.cache = ImageCache(cache_dir, cache_limit)


def start_idle(cache_dir: Path, cache_limit: int, processor_s: float) -> None:
    """Prepare this process for work that may take only what nobody else wants."""
    start(cache_dir, cache_limit, processor_s)
    if hasattr(os, "SCHED_IDLE"):
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    else:
        os.nice(19)


def jpeg(path: Path, sha256: str, page: int, dpi: int) -> bytes:
    """The displayed page as a JPEG, which is in the cache afterwards.

    Raises:
        CorpusError: the file or the page cannot be read.
    """
    cache = _Drawing.cache
    image = cache.read(sha256, page, dpi)
    if image is None:
        try:
            with _limited():
                image = _Drawing.pages.render_jpeg(path, page, dpi)
        except MemoryError as error:
            reason = f"Page {page} needs more than {limit_text(memory_limit())} of memory."
            raise CorpusError(reason) from error
        cache.write(sha256, page, dpi, image)
        if cache.trim_is_due:
            after_reply(cache.trim)
    return image


def thumbnails(path: Path, sha256: str, pages: range) -> int:
    """Draw the thumbnails that are missing, for a short while; tells each page before it is drawn.

    Returns:
        Bytes written.

    Raises:
        CorpusError: a page cannot be drawn; it is the one told last.
    """
    give_back = time.monotonic() + _STRETCH_S
    written = 0
    for page in pages:
        tell(page)
        if not _Drawing.cache.has(sha256, page, THUMBNAIL_DPI):
            written += len(jpeg(path, sha256, page, THUMBNAIL_DPI))
        if time.monotonic() > give_back:
            break
    return written


def words(path: Path, page: int) -> list[Word]:
    """The first ``MAX_WORDS`` words of the displayed page.

    Raises:
        CorpusError: the file or the page cannot be read.
    """
    with _limited():
        return _Drawing.pages.words(path, page, MAX_WORDS)


@contextmanager
def _limited() -> Iterator[None]:
    """The kernel ends the process after too much processor time: MuPDF heeds nothing meanwhile."""
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_PROF, _Drawing.processor_s)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
