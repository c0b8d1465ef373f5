"""Documents that are being ingested; several workers read the parts of a long one."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass, field
from pathlib import Path

from pagetrail.storage.corpus.page_values import (
    FirstPages,
    PagesFrom,
    PageText,
    PdfText,
    RecognisedPage,
    joined_pages,
)
from pagetrail.storage.ingest.worker import PAGES_PER_PART, PartJob


class LongDocument:
    """The parts of one document."""

    def __init__(self, start: FirstPages) -> None:
        self._claimed = start.claimed_pages
        self._replaced = start.replaced_characters
        self._repaired = False
        self._parts: dict[int, tuple[PageText, ...]] = {0: start.pages}
        self._firsts = range(len(start.pages), start.claimed_pages, PAGES_PER_PART)

    def jobs(self, path: Path, limit_s: float) -> list[PartJob]:
        """Jobs for all parts after the first, in order."""
        return [
            PartJob(str(path), first, min(first + PAGES_PER_PART, self._claimed), limit_s)
            for first in self._firsts
        ]

    def add(self, part: PagesFrom) -> PdfText | None:
        """Add a part; returns the complete document with the last one, None before."""
        self._parts[part.first] = part.pages
        self._replaced += part.replaced_characters
        self._repaired |= part.repaired
        if len(self._parts) <= len(self._firsts):
            return None
        pages = (page for first in sorted(self._parts) for page in self._parts[first])
        joined = joined_pages(pages, self._claimed)
        return PdfText(joined, self._claimed, self._repaired, self._replaced)


@dataclass(eq=False)
class PendingDocument:
    """A document between its start and its registration.

    Attributes:
        sha256: hexadecimal; empty until the worker that copies the file reports it.
        path: its copy in the workspace.
        limit_s: seconds for reading it, or one part of a long one.
        parts: of a long document, which several workers read.
        partial: numbers of its pages of kind ``PARTIAL``.
        unrecognised: number of pages still to be recognised.
        replaces: the document of which it is a new version, or None.
    """

    file: str
    name: str
    sha256: str
    path: Path
    limit_s: float
    pdf: PdfText | None = None
    parts: LongDocument | None = None
    recognised: dict[int, RecognisedPage] = field(default_factory=dict)
    partial: Set[int] = frozenset()
    unrecognised: int = 0
    pages_read: int = 0
    notes: list[str] = field(default_factory=list)
    replaces: str | None = None
