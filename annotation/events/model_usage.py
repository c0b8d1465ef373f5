"""Tokens, dollars and waiting time of calls of a language model."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, model_serializer

_Tokens = Annotated[int, Field(ge=0)]


class ModelUsage(BaseModel):
    """What one call of a model, or several together, used. None: not stated; 0: stated as none.

    Sums are of this kind too: what reads a call's usage bounds it. Providers count differently;
    here ``input_tokens`` always includes those of the cache, and ``output_tokens`` the reasoning,
    so that input and output make the total.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    input_tokens: _Tokens | None = Field(
        default=None, description="tokens read, with those read from and written to the cache"
    )
    cached_tokens: _Tokens | None = Field(
        default=None, description="of these: read from the provider's cache"
    )
    cache_write_tokens: _Tokens | None = Field(
        default=None, description="of the input: written to the provider's cache"
    )
    output_tokens: _Tokens | None = Field(
        default=None, description="tokens generated, with those of reasoning"
    )
    reasoning_tokens: _Tokens | None = Field(default=None, description="of these: reasoning")
    total_tokens: _Tokens | None = Field(
        default=None, description="as stated; usually input and output"
    )
    cost_usd: float | None = Field(
        default=None, ge=0, allow_inf_nan=False, description="dollars, as stated"
    )
    latency_ms: int | None = Field(
        default=None, ge=0, description="time until the answer was there, milliseconds"
    )

    @model_serializer
    def _stated_values(self) -> dict[str, int | float]:
        # Only what is stated: of most runs that is little.
        return {name: value for name, value in self if value is not None}

    @property
    def is_empty(self) -> bool:
        """Whether nothing is stated."""
        return self == NO_USAGE

    @property
    def all_tokens(self) -> int | None:
        """The total: as stated, else input and output; None unless both are known."""
        if self.total_tokens is not None:
            return self.total_tokens
        if self.input_tokens is None or self.output_tokens is None:
            return None
        return self.input_tokens + self.output_tokens


NO_USAGE = ModelUsage()
"""Nothing is stated."""
