"""Documents whose pages several workers read: what is still to be read, and putting it together."""

from __future__ import annotations

from pathlib import Path

from pagetrail.storage.corpus.page_values import (
    FirstPages,
    PagesFrom,
    PageText,
    PdfText,
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
        """The parts that are still to be read, in order."""
        return [
            PartJob(str(path), first, min(first + PAGES_PER_PART, self._claimed), limit_s)
            for first in self._firsts
        ]

    def add(self, part: PagesFrom) -> PdfText | None:
        """Take in a part; the whole document with the last one, None before."""
        self._parts[part.first] = part.pages
        self._replaced += part.replaced_characters
        self._repaired |= part.repaired
        if len(self._parts) <= len(self._firsts):
            return None
        pages = (page for first in sorted(self._parts) for page in self._parts[first])
        whole = joined_pages(pages, self._claimed)
        return PdfText(whole, self._claimed, self._repaired, self._replaced)
