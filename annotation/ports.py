"""What the domain needs from outside, as protocols. Adapters live in ``storage``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from pydantic import BaseModel, ConfigDict, Field

if TYPE_CHECKING:
    from annotation.events import Event
    from annotation.response import Response


class _Value(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Clock(Protocol):
    """Where the time comes from."""

    def now(self) -> datetime:
        """The present moment, in UTC."""
        ...


class SearchHit(_Value):
    """One ranked page."""

    rank: int = Field(ge=1, description="1-based place in the ranking")
    file: str = Field(description="document name")
    page: int = Field(ge=1, description="1-based page number")
    score: float | None = Field(
        description="BM25F score, as the engine gave it; None in an imported run"
    )


class SearchOutcome(_Value):
    """What one query returned."""

    query: str = Field(description="as typed")
    parsed: str = Field(description="the query as the engine understood it")
    total_hits: int = Field(ge=0, description="pages of the index that match")
    took_ms: float = Field(ge=0, description="time in the engine, milliseconds")
    top_k: int = Field(ge=1, description="result limit handed to the engine; part of the ranking")
    index_id: str = Field(description="identity of the index: engine, schema, pages, their order")
    results: tuple[SearchHit, ...]


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


class PageSize(_Value):
    """A page as displayed (crop box and /Rotate applied), in PDF points."""

    width: float = Field(gt=0)
    height: float = Field(gt=0)


class DocumentInfo(_Value):
    """A document of the collection."""

    name: str
    sha256: str
    pages: tuple[PageSize, ...]

    @property
    def n_pages(self) -> int:
        return len(self.pages)


class PageSource(Protocol):
    """The documents of the collection."""

    def document(self, name: str) -> DocumentInfo | None:
        """The document of that name, or None."""
        ...

    def names(self) -> Sequence[str]:
        """All document names, sorted."""
        ...


class AttemptStream(Protocol):
    """One attempt's events, held under the write lock of a transaction."""

    @property
    def response(self) -> Response:
        """The fold of everything appended so far, this transaction's appends included."""
        ...

    def find(self, client_event_id: str) -> Event | None:
        """The stored event of that id, or None."""
        ...

    def append(self, event: Event) -> None:
        """Store the event and bring the projection up to it.

        Raises:
            ConflictError: the sequence number or the client event id is taken.
        """
        ...


class EventLog(Protocol):
    """The append-only log of all attempts."""

    def writing(self, attempt_id: str) -> AbstractContextManager[AttemptStream]:
        """A transaction on one attempt: committed when the block ends, rolled back on an error.

        Raises:
            NotFoundError: no such attempt.
        """
        ...

    def events(self, attempt_id: str) -> Iterator[Event]:
        """The attempt's events in order."""
        ...

    def response(self, attempt_id: str) -> Response:
        """The attempt's stored fold."""
        ...
