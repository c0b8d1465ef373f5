"""What the domain needs from outside, as protocols. Adapters live in ``storage``."""

from __future__ import annotations

from datetime import datetime
from functools import cache, cached_property
from typing import Protocol

from pydantic import BaseModel, ConfigDict

from pagetrail.annotation.document_names import DocumentNames
from pagetrail.annotation.events.search_results import SearchOutcome
from pagetrail.annotation.geometry.box import PageSize


class Clock(Protocol):
    """Where the time comes from."""

    def now(self) -> datetime:
        """The current time, in UTC."""
        ...


class SearchIndex(Protocol):
    """The tool that people and agents share."""

    @property
    def identity(self) -> str:
        """Hash over engine version, schema, page texts and their order."""
        ...

    def search(self, query: str, top_k: int) -> SearchOutcome:
        """The first ``top_k`` pages, exactly as the reference engine ranks them.

        Raises:
            QueryRefused: empty, not parseable, or too broad to answer in time.
        """
        ...


class DocumentInfo(BaseModel):
    """A document of the collection."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    sha256: str
    pages: tuple[PageSize, ...]
    version: int = 1
    """Of the files that it has had, from 1."""

    @property
    def n_pages(self) -> int:
        return len(self.pages)

    @cached_property
    def page_sizes(self) -> list[tuple[float, float]]:
        """Width and height of each page, to hundredths of a point; shared, not to be changed."""
        rounded = cache(lambda points: round(points, 2))  # most pages have the same size
        return [(rounded(size.width), rounded(size.height)) for size in self.pages]


class DocumentSource(Protocol):
    """The documents of the collection."""

    def document(self, name: str, version: int | None = None) -> DocumentInfo | None:
        """A version of the document of that name, by default the current one; or None."""
        ...

    def document_names(self) -> DocumentNames:
        """The resolver of document names."""
        ...
