"""A document that is being taken in."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from pagetrail.storage.corpus.page_values import PdfText, RecognisedPage
from pagetrail.storage.ingest.long_documents import LongDocument


@dataclass(eq=False)
class Flight:
    """A document between its start and its registration.

    Attributes:
        sha256: hexadecimal; empty until the worker that copies the file has told it.
        path: its copy in the workspace.
        long: its parts, where several workers read it.
        waiting: pages still to be recognised.
    """

    file: str
    name: str
    sha256: str
    path: Path
    pdf: PdfText | None = None
    long: LongDocument | None = None
    recognised: dict[int, RecognisedPage] = field(default_factory=dict)
    waiting: int = 0
    pages_read: int = 0
    notes: list[str] = field(default_factory=list)
