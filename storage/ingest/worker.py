"""Reads untrusted files in a worker process, which may crash or hang on them.

It imports neither the database nor the search engine, so that the process starts fast.
"""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from pagetrail.annotation.errors import CorpusError
from pagetrail.annotation.messages import gettext
from pagetrail.storage.corpus.page_values import FirstPages, PagesFrom, PdfText, RecognisedPage
from pagetrail.storage.ingest.ocr import recognise_page
from pagetrail.storage.workers.worker_main import import_function, send_progress

READER = "pagetrail.storage.corpus.pdf:read_pdf"
READ_START = "pagetrail.storage.corpus.pdf:read_start"
READ_PAGES = "pagetrail.storage.corpus.pdf:read_pages"

_CHUNK_BYTES = 1 << 20
_PROGRESS_INTERVAL_S = 0.2

PAGES_PER_PART = 64
"""Pages of a long document that one worker reads at a time."""

_READING_S = 60.0
_READING_S_PER_MIB = 2.0
_MAX_READING_S = 300.0


def reading_limit_s(size: int) -> float:
    """Seconds for reading a file of ``size`` bytes; each part of a long document has as many."""
    return min(_READING_S + _READING_S_PER_MIB * size / 2**20, _MAX_READING_S)


@dataclass(frozen=True)
class ReadJob:
    """Copy a file into the workspace, hash it, and read all its text or that of its first pages.

    The copy must have ``size`` bytes and, unless it is empty, the hash ``sha256``.
    """

    source: str
    staged: str
    size: int
    sha256: str
    limit_s: float


@dataclass(frozen=True)
class PartJob:
    """Read the text of some pages of a copied file, from index ``first`` up to ``end``."""

    path: str
    first: int
    end: int
    limit_s: float


@dataclass(frozen=True)
class OcrJob:
    """Recognise the text of one page (1-based); ``keeps_text`` as in ``recognise_page``."""

    path: str
    page: int
    lang: str
    limit_s: float
    keeps_text: bool = False


@dataclass(frozen=True)
class Copied:
    """The hash of a file, reported after the copy."""

    sha256: str


@dataclass(frozen=True)
class PagesRead:
    """Progress of reading a document."""

    done: int
    claimed: int


JobProgress = Copied | PagesRead
JobResult = PdfText | FirstPages | PagesFrom | RecognisedPage


def initialise(reader: str) -> None:
    """Import the reader before the first job needs it."""
    import_function(reader)


def run_job(job: ReadJob | PartJob | OcrJob, reader: str) -> JobResult:
    """Run a job: the text of all or some of a document's pages, or one page recognised.

    Args:
        reader: ``"module:function"`` of the function that reads a PDF, such as ``read_pdf``.
            Documents are split with ``READER`` only.

    Raises:
        CorpusError: it fails; the message continues a sentence that starts with the file or page.
    """
    try:
        if isinstance(job, OcrJob):
            return recognise_page(
                Path(job.path), job.page, job.lang, job.limit_s, keeps_text=job.keeps_text
            )
        if isinstance(job, PartJob):
            read_part: Callable[..., PagesFrom] = import_function(READ_PAGES)
            return read_part(Path(job.path), job.first, job.end)
        send_progress(Copied(_copy_and_hash(job)))
        read: Callable[..., PdfText | FirstPages] = import_function(reader)
        if reader == READER:
            read = partial(import_function(READ_START), pages=PAGES_PER_PART)
        last_report = time.monotonic()

        def on_page(done: int, claimed: int) -> None:
            nonlocal last_report
            if time.monotonic() - last_report > _PROGRESS_INTERVAL_S:
                last_report = time.monotonic()
                send_progress(PagesRead(done, claimed))

        return read(Path(job.staged), on_page)
    except OSError as error:
        reason = f"cannot be copied into the workspace: {error.strerror or error}."
        raise CorpusError(reason) from error


def _copy_and_hash(job: ReadJob) -> str:
    """Copy, hash and sync to disk in one pass: what is read later is what was hashed."""
    digest = hashlib.sha256()
    chunk = memoryview(bytearray(_CHUNK_BYTES))
    with Path(job.source).open("rb", 0) as source, Path(job.staged).open("wb") as staged:
        before = os.fstat(source.fileno())
        while length := source.readinto(chunk):
            digest.update(chunk[:length])
            staged.write(chunk[:length])
        staged.flush()
        os.fsync(staged.fileno())
        after = os.fstat(source.fileno())
        size = os.fstat(staged.fileno()).st_size
    unchanged = (before.st_mtime_ns, job.size) == (after.st_mtime_ns, size)
    if not unchanged or digest.hexdigest() != (job.sha256 or digest.hexdigest()):
        raise CorpusError(gettext("changed while it was being read. Ingest it again."))
    return digest.hexdigest()
