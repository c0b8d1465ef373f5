"""A document that is being ingested."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from pagetrail.storage.corpus.page_values import PdfText, RecognisedPage
from pagetrail.storage.ingest.long_documents import LongDocument


@dataclass(eq=False)
class PendingDocument:
    """A document between its start and its registration.

    Attributes:
        sha256: hexadecimal; empty until the worker that copies the file reports it.
        path: its copy in the workspace.
        parts: of a long document, which several workers read.
        unrecognised: number of pages still to be recognised.
    """

    file: str
    name: str
    sha256: str
    path: Path
    pdf: PdfText | None = None
    parts: LongDocument | None = None
    recognised: dict[int, RecognisedPage] = field(default_factory=dict)
    unrecognised: int = 0
    pages_read: int = 0
    notes: list[str] = field(default_factory=list)
