"""The process that touches files nobody vouches for. It may crash, hang or be killed any time.

Started by ``storage.ingest_pool`` with the arguments FD and READER. It imports neither the database
nor the search engine, so that it starts fast, and talks pickles over the inherited socket FD.
"""

from __future__ import annotations

import hashlib
import os
import resource
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from multiprocessing.connection import Connection
from pathlib import Path

from annotation.errors import CorpusError
from storage.ocr import recognise_page
from storage.pdf import PdfText
from storage.text import clean_text

MEMORY_BYTES = 4 << 30
"""Address space of one worker: a document that asks for more fails alone."""

_CHUNK = 1 << 20
_TELL_EVERY_S = 0.2


@dataclass(frozen=True)
class ReadJob:
    """Copy a file into the workspace, check its hash and read its text."""

    source: str
    staged: str
    sha256: str
    limit_s: float


@dataclass(frozen=True)
class OcrJob:
    """Recognise the text of one page (1-based)."""

    path: str
    page: int
    lang: str
    limit_s: float


@dataclass(frozen=True)
class PagesRead:
    """How far a document has got."""

    done: int
    claimed: int


@dataclass(frozen=True)
class Failed:
    """The job failed; the reason continues the name of the file or page."""

    reason: str


def main() -> None:
    """Serve jobs until the parent goes away."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    connection = Connection(int(sys.argv[1]))
    module, _, function = sys.argv[2].partition(":")
    read: Callable[..., PdfText] = getattr(import_module(module), function)
    while True:
        try:
            job: ReadJob | OcrJob = connection.recv()
        except EOFError:
            return
        # The parent enforces the limit; should it be gone, the kernel ends a hanging reader.
        signal.setitimer(signal.ITIMER_REAL, job.limit_s + 5)
        connection.send(_serve(job, read, connection))
        signal.setitimer(signal.ITIMER_REAL, 0)


def _serve(
    job: ReadJob | OcrJob, read: Callable[..., PdfText], connection: Connection
) -> PdfText | str | Failed:
    try:
        if isinstance(job, OcrJob):
            text = recognise_page(Path(job.path), job.page, job.lang, job.limit_s)
            return clean_text(text)[0]
        _stage(job)
        told = time.monotonic()

        def tell(done: int, claimed: int) -> None:
            nonlocal told
            if time.monotonic() - told > _TELL_EVERY_S:
                told = time.monotonic()
                connection.send(PagesRead(done, claimed))

        return read(Path(job.staged), tell)
    except CorpusError as error:
        return Failed(error.message)
    except MemoryError:
        return Failed(f"needs more than {MEMORY_BYTES >> 30} GB of memory.")
    except OSError as error:
        return Failed(f"cannot be copied into the workspace: {error.strerror or error}.")


def _stage(job: ReadJob) -> None:
    """Copy, hash and bring to disk in one pass: what is read later is what was hashed."""
    digest = hashlib.sha256()
    with Path(job.source).open("rb") as source, Path(job.staged).open("wb") as staged:
        while chunk := source.read(_CHUNK):
            digest.update(chunk)
            staged.write(chunk)
        staged.flush()
        os.fsync(staged.fileno())
    if digest.hexdigest() != job.sha256:
        raise CorpusError("changed while it was being read. Ingest it again.")
