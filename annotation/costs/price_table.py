"""Prices of models: a dated TOML table in dollars per million tokens (docs/formats.md, Prices)."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from pagetrail.annotation.errors import InputFileError
from pagetrail.annotation.events.model_usage import ModelUsage
from pagetrail.annotation.messages import gettext
from pagetrail.annotation.protocols.toml_text import TomlError, read_toml
from pagetrail.annotation.readable_errors import describe

DOLLARS = "USD"

_MILLION = 1_000_000

Price = Annotated[float, Field(strict=True, ge=0, le=1e9, allow_inf_nan=False)]
Rate = Annotated[float, Field(strict=True, gt=0, le=1e9, allow_inf_nan=False)]
Currency = Annotated[str, Field(pattern="^[A-Z]{3}$")]
Name = Annotated[str, Field(min_length=1, max_length=1_000)]


class ModelPrice(BaseModel):
    """Dollars per million tokens of one model.

    Attributes:
        cached_input, cache_write: tokens read from and written to the cache; None: as ``input``.
        output: also of reasoning tokens.
        aliases: further names of the model in files of runs.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    input: Price
    output: Price
    cached_input: Price | None = None
    cache_write: Price | None = None
    aliases: tuple[Name, ...] = ()

    def dollars(self, usage: ModelUsage) -> float | None:
        """The price of the tokens; None where their kinds are unknown or contradict each other."""
        if usage.input_tokens is None or usage.output_tokens is None:
            return None
        cached, written = usage.cached_tokens or 0, usage.cache_write_tokens or 0
        uncached = usage.input_tokens - cached - written
        if uncached < 0:
            return None
        cached_price = self.input if self.cached_input is None else self.cached_input
        write_price = self.input if self.cache_write is None else self.cache_write
        return (
            uncached * self.input
            + cached * cached_price
            + written * write_price
            + usage.output_tokens * self.output
        ) / _MILLION


class _Contents(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    name: Annotated[str, Field(min_length=1, max_length=200)]
    date: date
    source: Annotated[str, Field(max_length=2_000)] = ""
    models: Mapping[Name, ModelPrice] = Field(default_factory=dict)
    rates: Mapping[Currency, Rate] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _check_names(self) -> _Contents:
        owners: dict[str, str] = {}
        for model, price in self.models.items():
            for name in (model, *price.aliases):
                owner = owners.setdefault(name.casefold(), model)
                if owner != model:
                    raise ValueError(f"models: {name!r} names both {owner!r} and {model!r}")
        if DOLLARS in self.rates:
            raise ValueError("rates: prices are in USD already; remove USD")
        return self


@dataclass(frozen=True)
class PriceTable:
    """Prices of models, and what a unit of other currencies is worth in dollars.

    Attributes:
        text: the TOML file.
        source: where the prices are from, such as an address; may be empty.
        models: name → price.
        rates: currency → dollars per unit.
    """

    text: str
    name: str
    date: date
    source: str
    models: Mapping[str, ModelPrice]
    rates: Mapping[str, float]

    @classmethod
    def parse(cls, text: str, file: str) -> PriceTable:
        """Parse a file's text.

        Raises:
            InputFileError: it is not a price table; names the file, the entry and the problem.
        """
        try:
            contents = _Contents.model_validate(read_toml(text))
        except TomlError as error:
            place = file if error.line is None else f"{file}:{error.line}:"
            raise InputFileError(f"{place} {error}.") from error
        except ValidationError as error:
            raise InputFileError(
                gettext(
                    "{file} is not a price table: {problem}. Correct it and try again.",
                    file=file,
                    problem=describe(error),
                )
            ) from error
        return cls(
            text, contents.name, contents.date, contents.source, contents.models, contents.rates
        )

    @property
    def sha256(self) -> str:
        """Digest of the file's text."""
        return hashlib.sha256(self.text.encode()).hexdigest()

    def __str__(self) -> str:
        return f"{self.name}, {self.date.isoformat()} (SHA-256 {self.sha256[:12]})"

    def to_json(self) -> dict[str, Any]:
        """Name, date, source, digest, prices and rates, as JSON values."""
        return {
            "name": self.name,
            "date": self.date.isoformat(),
            "source": self.source,
            "sha256": self.sha256,
            "models": {model: price.model_dump() for model, price in self.models.items()},
            "rates": dict(self.rates),
        }

    def find(self, model: str) -> ModelPrice | None:
        """The price of the model with this name or alias, whatever its case."""
        return self._prices.get(model.casefold())

    @cached_property
    def _prices(self) -> dict[str, ModelPrice]:
        return {
            name.casefold(): price
            for model, price in self.models.items()
            for name in (model, *price.aliases)
        }
