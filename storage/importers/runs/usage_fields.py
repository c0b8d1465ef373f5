"""Reads model usage as providers and agents write it: tokens by kind, cost, latency.

``input_tokens`` of Anthropic and Inspect exclude tokens read from and written to the cache; those
of OpenAI, Google, LangChain and ATIF include them. Google's ``candidates_token_count`` excludes
thoughts. ``ModelUsage`` includes both. Sources: the providers' API references, and
``UsageMetadata`` of langchain-core.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from pagetrail.annotation.events.model_usage import ModelUsage
from pagetrail.annotation.readable_errors import short_value
from pagetrail.storage.database.storable_text import printable
from pagetrail.storage.importers.files.kept_fields import KeptFields
from pagetrail.storage.importers.runs import values
from pagetrail.storage.importers.runs.values import Notes

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
"""Cache tokens that the input tokens of the same object exclude."""
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
"""All usage fields that are read."""

ATIF_EXTRA = frozenset(KEPT_USAGE) - {*_INPUT, *_OUTPUT, *_COST}
"""Fields that ATIF does not have, and that its agents write into ``metrics.extra``."""

COST_AND_TIME: tuple[str, ...] = (*_COST, *_SECONDS, *_MILLISECONDS)
"""Fields of dollars and latency."""

USAGE_BESIDE: tuple[str, ...] = (*_INPUT, *_OUTPUT, *_TOTAL, *COST_AND_TIME)
"""Fields that agents also write next to the usage object, or in its place."""


def usage_of(holder: Mapping[str, Any], usage: Any) -> dict[str, Any]:
    """A usage object with what its holder has next to it; the object's own values count."""
    beside = {name: holder[name] for name in USAGE_BESIDE if holder.get(name) is not None}
    inside = usage if isinstance(usage, Mapping) else {}
    return {**beside, **{name: value for name, value in inside.items() if value is not None}}


def read_usage(usage: Any, notes: Notes | None = None, prefix: str = "usage") -> ModelUsage:
    """The usage in an object; empty if it is not an object or has no known fields.

    Args:
        notes: count invalid values as not kept, and name them.
        prefix: name of the object in these counts.
    """
    if not isinstance(usage, Mapping):
        return ModelUsage()
    reader = _UsageReader(usage, notes, prefix)
    inner_in, inner_out = reader.inner(_INPUT_DETAILS), reader.inner(_OUTPUT_DETAILS)
    read, write = reader.tokens(_BESIDE_READ), reader.tokens(_BESIDE_WRITE)
    tokens_in, tokens_out = reader.tokens(_INPUT), reader.tokens(_OUTPUT)
    if tokens_in is not None and usage.get(_WITHOUT_CACHE) is not None:
        # With prompt_tokens, as in LiteLLM, they are included already.
        tokens_in += (read or 0) + (write or 0)
    thoughts = reader.tokens(_BESIDE_REASONING)
    if tokens_out is not None:
        tokens_out += thoughts or 0
    return ModelUsage(
        input_tokens=tokens_in,
        cached_tokens=_first_known(read, reader.tokens(_CACHED), inner_in.tokens(_INNER_CACHED)),
        cache_write_tokens=_first_known(
            write, reader.tokens(_CACHE_WRITE), inner_in.tokens(_INNER_WRITE)
        ),
        output_tokens=tokens_out,
        reasoning_tokens=_first_known(
            thoughts, reader.tokens(_REASONING), inner_out.tokens(_INNER_REASONING)
        ),
        total_tokens=reader.tokens(_TOTAL),
        cost_usd=reader.number(_COST),
        latency_ms=_milliseconds(reader),
    )


class _UsageReader:
    """Reads numbers of an object by any of several names; counts invalid ones as not kept."""

    def __init__(self, usage: Mapping[str, Any], notes: Notes | None, prefix: str) -> None:
        self._usage = usage
        self._notes = notes
        self._prefix = prefix

    def inner(self, names: tuple[str, ...]) -> _UsageReader:
        """Reader of the object under the first of these names that has one."""
        candidates = ((name, self._usage.get(name)) for name in names)
        name, value = next(
            ((name, value) for name, value in candidates if isinstance(value, Mapping)), ("", {})
        )
        return _UsageReader(value, self._notes, f"{self._prefix}.{name}")

    def tokens(self, names: tuple[str, ...]) -> int | None:
        """A token count."""
        name, value = self._value(names)
        count = values.read_count(value)
        if count is None and value is not None:
            self._refuse(name, value)
        return count

    def number(self, names: tuple[str, ...]) -> float | None:
        """A finite number of 0 or more."""
        name, written = self._value(names)
        value = written
        if isinstance(value, str):
            try:
                value = float(value)
            except ValueError:
                value = math.nan
        if value is None:
            return None
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if not is_number or not 0 <= value < 1e12:
            self._refuse(name, written)
            return None
        return float(value)

    def _value(self, names: tuple[str, ...]) -> tuple[str, Any]:
        return next(
            ((n, self._usage[n]) for n in names if self._usage.get(n) is not None), ("", None)
        )

    def _refuse(self, name: str, value: Any) -> None:
        if self._notes is not None:
            field = f"{self._prefix}.{name}"
            self._notes.not_kept.add(field)
            self._notes.add(
                f"{printable(field)} is {short_value(value)}, not a number of 0 or more, and is "
                "left out"
            )


def _milliseconds(reading: _UsageReader) -> int | None:
    seconds = reading.number(_SECONDS)
    milliseconds = reading.number(_MILLISECONDS) if seconds is None else seconds * 1000
    return None if milliseconds is None or milliseconds > 1e12 else round(milliseconds)


def _first_known(*numbers: int | None) -> int | None:
    return next((number for number in numbers if number is not None), None)
