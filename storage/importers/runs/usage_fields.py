"""Usage of models as providers and agents write it: tokens by kind, dollars, waiting time.

The ``input_tokens`` of Anthropic and Inspect leave out what was read from and written to the cache;
OpenAI's, Google's, LangChain's and ATIF's have it. Google's ``candidates_token_count`` leaves out
the thoughts. ``ModelUsage`` always has both. Sources: the providers' API references, and
``UsageMetadata`` of langchain-core.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from pagetrail.annotation.events.model_usage import ModelUsage
from pagetrail.storage.importers.files.kept_fields import FieldCounts, KeptFields
from pagetrail.storage.importers.runs import values

_INPUT = ("input_tokens", "prompt_tokens", "prompt_token_count", "promptTokenCount")
_OUTPUT = (
    "output_tokens",
    "completion_tokens",
    "candidates_token_count",
    "candidatesTokenCount",
)
_TOTAL = ("total_tokens", "total_token_count", "totalTokenCount")
_WITHOUT_CACHE = "input_tokens"
_BESIDE_READ = ("cache_read_input_tokens", "input_tokens_cache_read")
"""Tokens of the cache that the input of the same object leaves out."""
_BESIDE_WRITE = ("cache_creation_input_tokens", "input_tokens_cache_write")
_CACHED = (
    "cached_tokens",
    "cached_input_tokens",
    "prompt_cache_hit_tokens",
    "cached_content_token_count",
    "cachedContentTokenCount",
)
_CACHE_WRITE = ("cache_write_tokens",)
_REASONING = ("reasoning_tokens", "reasoning_output_tokens")
_BESIDE_REASONING = ("thoughts_token_count", "thoughtsTokenCount")
_INPUT_DETAILS = ("prompt_tokens_details", "input_tokens_details", "input_token_details")
_OUTPUT_DETAILS = ("completion_tokens_details", "output_tokens_details", "output_token_details")
_INNER_CACHED = ("cached_tokens", "cache_read")
_INNER_WRITE = ("cache_creation", "cache_write_tokens")
_INNER_REASONING = ("reasoning_tokens", "reasoning")
_COST = ("cost_usd", "total_cost", "total_cost_usd", "cost")
_SECONDS = ("latency_s", "latency_seconds", "duration_s", "duration_seconds", "elapsed_s")
_MILLISECONDS = ("latency_ms", "duration_ms", "elapsed_ms")

_INNER: KeptFields = dict.fromkeys((*_INNER_CACHED, *_INNER_WRITE, *_INNER_REASONING))
KEPT_USAGE: KeptFields = {
    **dict.fromkeys((*_INPUT, *_OUTPUT, *_TOTAL, *_BESIDE_READ, *_BESIDE_WRITE, *_CACHED)),
    **dict.fromkeys((*_CACHE_WRITE, *_REASONING, *_BESIDE_REASONING)),
    **dict.fromkeys((*_COST, *_SECONDS, *_MILLISECONDS)),
    **dict.fromkeys((*_INPUT_DETAILS, *_OUTPUT_DETAILS), _INNER),
}
"""Fields of usage that are read, whoever wrote it."""

ATIF_EXTRA = frozenset(KEPT_USAGE) - {*_INPUT, *_OUTPUT, *_COST}
"""Those that ATIF has no field for, and that its agents write into ``metrics.extra``."""

COST_AND_TIME: tuple[str, ...] = (*_COST, *_SECONDS, *_MILLISECONDS)
"""Those that agents also write beside the usage."""


def read_usage(given: Any, lost: FieldCounts | None = None, where: str = "usage") -> ModelUsage:
    """The usage in an object; empty where it is none, or says nothing that is understood.

    Args:
        lost: told of values that are no numbers of tokens, dollars or seconds.
        where: the object's name, for that.
    """
    if not isinstance(given, Mapping):
        return ModelUsage()
    reading = _Reading(given, lost, where)
    inner_in, inner_out = reading.inner(_INPUT_DETAILS), reading.inner(_OUTPUT_DETAILS)
    read, write = reading.tokens(_BESIDE_READ), reading.tokens(_BESIDE_WRITE)
    tokens_in, tokens_out = reading.tokens(_INPUT), reading.tokens(_OUTPUT)
    if tokens_in is not None and given.get(_WITHOUT_CACHE) is not None:
        # Whoever writes prompt_tokens beside these, as LiteLLM does, has them in it.
        tokens_in += (read or 0) + (write or 0)
    thoughts = reading.tokens(_BESIDE_REASONING)
    if tokens_out is not None:
        tokens_out += thoughts or 0
    return ModelUsage(
        input_tokens=tokens_in,
        cached_tokens=_first(read, reading.tokens(_CACHED), inner_in.tokens(_INNER_CACHED)),
        cache_write_tokens=_first(
            write, reading.tokens(_CACHE_WRITE), inner_in.tokens(_INNER_WRITE)
        ),
        output_tokens=tokens_out,
        reasoning_tokens=_first(
            thoughts, reading.tokens(_REASONING), inner_out.tokens(_INNER_REASONING)
        ),
        total_tokens=reading.tokens(_TOTAL),
        cost_usd=reading.number(_COST),
        latency_ms=_milliseconds(reading),
    )


class _Reading:
    """The numbers of an object, by any of several names."""

    def __init__(self, given: Mapping[str, Any], lost: FieldCounts | None, where: str) -> None:
        self._given = given
        self._lost = lost
        self._where = where

    def inner(self, names: tuple[str, ...]) -> _Reading:
        """The object under the first of these names that has one."""
        found = ((name, self._given.get(name)) for name in names)
        name, value = next(
            ((name, value) for name, value in found if isinstance(value, Mapping)), ("", {})
        )
        return _Reading(value, self._lost, f"{self._where}.{name}")

    def tokens(self, names: tuple[str, ...]) -> int | None:
        """A number of tokens."""
        name, value = self._value(names)
        count = values.count(value)
        if count is None and value is not None:
            self._tell(name)
        return count

    def number(self, names: tuple[str, ...]) -> float | None:
        """A finite number from 0."""
        name, value = self._value(names)
        if isinstance(value, str):
            try:
                value = float(value)
            except ValueError:
                value = math.nan
        if value is None:
            return None
        known = isinstance(value, int | float) and not isinstance(value, bool)
        if not known or not 0 <= value < 1e12:
            self._tell(name)
            return None
        return float(value)

    def _value(self, names: tuple[str, ...]) -> tuple[str, Any]:
        return next(
            ((n, self._given[n]) for n in names if self._given.get(n) is not None), ("", None)
        )

    def _tell(self, name: str) -> None:
        if self._lost is not None:
            self._lost.add(f"{self._where}.{name}")


def _milliseconds(reading: _Reading) -> int | None:
    seconds = reading.number(_SECONDS)
    found = reading.number(_MILLISECONDS) if seconds is None else seconds * 1000
    return None if found is None or found > 1e12 else round(found)


def _first(*numbers: int | None) -> int | None:
    return next((number for number in numbers if number is not None), None)
