"""What a query returned, as the log keeps it."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

NO_INDEXED_WORD = "nothing"
"""What the engine understood where a query has no word that is indexed, such as ``the of``."""


class SearchHit(BaseModel):
    """One ranked page."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    rank: int = Field(ge=1, description="1-based place in the ranking")
    file: str = Field(description="document name")
    page: int = Field(ge=1, description="1-based page number")
    score: float | None = Field(
        description="BM25F score, as the engine gave it; None in an imported run"
    )


class SearchOutcome(BaseModel):
    """What one query returned."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    query: str = Field(description="as typed")
    parsed: str = Field(description="the query as the engine understood it")
    total_hits: int = Field(ge=0, description="pages of the index that match")
    took_ms: float = Field(ge=0, description="time in the engine, milliseconds")
    top_k: int = Field(ge=1, description="result limit given to the engine; part of the ranking")
    index_id: str = Field(description="identity of the index: engine, schema, pages, their order")
    results: tuple[SearchHit, ...]
