"""What is done with files that nobody vouches for, in a process that may crash or hang over them.

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
from pagetrail.storage.corpus.page_values import FirstPages, PagesFrom, PdfText, RecognisedPage
from pagetrail.storage.ingest.ocr import recognise_page
from pagetrail.storage.workers.serve import named, tell

READER = "pagetrail.storage.corpus.pdf:read_pdf"
READ_START = "pagetrail.storage.corpus.pdf:read_start"
READ_PAGES = "pagetrail.storage.corpus.pdf:read_pages"

_CHUNK = 1 << 20
_TELL_EVERY_S = 0.2


PAGES_PER_PART = 64
"""Pages of a long document that one worker reads at a time."""


@dataclass(frozen=True)
class ReadJob:
    """Copy a file into the workspace, hash it and read its text, or its first pages'.

    ``size`` (bytes) and, unless it is empty, ``sha256`` are what the copy must have.
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
    """Recognise the text of one page (1-based)."""

    path: str
    page: int
    lang: str
    limit_s: float


@dataclass(frozen=True)
class Copied:
    """The hash of a file; told once it is in the workspace."""

    sha256: str


@dataclass(frozen=True)
class PagesRead:
    """How far a document has got; told while it is read."""

    done: int
    claimed: int


Told = Copied | PagesRead
Result = PdfText | FirstPages | PagesFrom | RecognisedPage


def prepare(reader: str) -> None:
    """Import what reads."""
    named(reader)


def do_job(job: ReadJob | PartJob | OcrJob, reader: str) -> Result:
    """The document's pages or some of them, or what was recognised on the page.

    Args:
        reader: ``"module:function"`` of the function that reads a PDF, as ``read_pdf``. Documents
            are split with ``READER`` only.

    Raises:
        CorpusError: it cannot be done; the message continues the name of the file or page.
    """
    try:
        if isinstance(job, OcrJob):
            return recognise_page(Path(job.path), job.page, job.lang, job.limit_s)
        if isinstance(job, PartJob):
            read_part: Callable[..., PagesFrom] = named(READ_PAGES)
            return read_part(Path(job.path), job.first, job.end)
        tell(Copied(_stage(job)))
        read: Callable[..., PdfText | FirstPages] = named(reader)
        if reader == READER:
            read = partial(named(READ_START), pages=PAGES_PER_PART)
        told = time.monotonic()

        def on_page(done: int, claimed: int) -> None:
            nonlocal told
            if time.monotonic() - told > _TELL_EVERY_S:
                told = time.monotonic()
                tell(PagesRead(done, claimed))

        return read(Path(job.staged), on_page)
    except OSError as error:
        reason = f"cannot be copied into the workspace: {error.strerror or error}."
        raise CorpusError(reason) from error


def _stage(job: ReadJob) -> str:
    """Copy, hash and bring to disk in one pass: what is read later is what was hashed."""
    digest = hashlib.sha256()
    chunk = memoryview(bytearray(_CHUNK))
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
        raise CorpusError("changed while it was being read. Ingest it again.")
    return digest.hexdigest()
