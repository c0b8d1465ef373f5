"""One answer item as it is compared: its words, quantities, dates and unit."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from decimal import Decimal
from functools import cached_property, lru_cache

from pagetrail.annotation.answers.anls import anls_of_lists, too_long
from pagetrail.annotation.answers.dates import FoundDate, find_dates
from pagetrail.annotation.answers.quantities import (
    MAX_DIGITS,
    Quantity,
    clean_text,
    find_quantities,
)
from pagetrail.annotation.answers.vocabulary import (
    DECLINES,
    FILLERS,
    NEGATIVE,
    UNITS,
    language_code,
)
from pagetrail.annotation.normalised_text import Token, normalised_tokens

MAX_READ = 5_000
"""Characters; the numbers of longer answers are not read."""
MAX_UNIT_WORDS = 5
"""“million tonnes of CO₂ equivalent” has five."""
MIN_PHONE_DIGITS = 7

_WORD = re.compile(r"°?[^\W\d_]+\d?")
_DIGITS = re.compile(r"\d+")
_LETTER = re.compile(r"[^\W\d_]")
_BEFORE_YEAR = re.compile(
    r"\b(?:in|im|en|for|during|fiscal|fy|year|of)\s+(?:(?:fiscal )?year )?$", re.I
)
_UNIT_SPELLING_SIMILARITY = 0.6


class ParsedAnswer:
    """An answer item with the numbers in it.

    Attributes:
        text: as it was given.
        words: normalised_tokens, for the exact comparison.
    """

    def __init__(self, text: str, language: str) -> None:
        self.text = text
        self.words: tuple[Token, ...] = normalised_tokens(text)
        self.is_read = len(text) <= MAX_READ
        self._language = language

    @classmethod
    def parse(cls, text: str, language: str | None = None) -> ParsedAnswer:
        """The answer as its language writes numbers; English unless stated."""
        return _parsed(text, language_code(language))

    @cached_property
    def _cleaned(self) -> str:
        return clean_text(self.text, self._language) if self.is_read else ""

    @cached_property
    def _dates(self) -> list[FoundDate]:
        return find_dates(self._cleaned, self._language)

    @cached_property
    def _without_dates(self) -> str:
        """The text with its dates blanked out, so that positions stay."""
        return _blank(self._cleaned, [(date.start, date.end) for date in self._dates])

    @cached_property
    def _all_quantities(self) -> list[Quantity]:
        return find_quantities(self._without_dates, self._language)

    @cached_property
    def _remainder(self) -> str:
        """The text without dates and quantities."""
        return _blank(
            self._without_dates,
            [(quantity.start, quantity.end) for quantity in self._all_quantities],
        )

    @cached_property
    def quantities(self) -> list[Quantity]:
        """Distinct quantities, without the years of “in 2018” unless there is nothing else."""
        years = [quantity for quantity in self._all_quantities if self._is_year(quantity)]
        distinct = {
            (quantity.value, quantity.currency, quantity.rate): quantity
            for quantity in self._all_quantities
            if len(years) == len(self._all_quantities) or quantity not in years
        }
        return list(distinct.values())

    def _is_year(self, quantity: Quantity) -> bool:
        text = self._cleaned[quantity.start : quantity.end]
        return (
            re.fullmatch(r"(?:19|20)\d\d", text) is not None
            and _BEFORE_YEAR.search(self._cleaned[: quantity.start]) is not None
        )

    @cached_property
    def numbers(self) -> Counter[Decimal | str]:
        """All numbers, also those inside of words (“Q3”), and dates; of long texts, the digits."""
        if not self.is_read:
            return Counter(_DIGITS.findall(self.text))
        digit_runs = _DIGITS.findall(self._remainder)
        return Counter(
            [
                *(quantity.value for quantity in self._all_quantities),
                *(
                    Decimal(digits) if len(digits) <= MAX_DIGITS else digits
                    for digits in digit_runs
                ),
                *(date.iso for date in self._dates),
            ]
        )

    @cached_property
    def has_numbers(self) -> bool:
        """Whether there is a number or a date."""
        return bool(self.numbers)

    @cached_property
    def unit_words(self) -> tuple[str, ...]:
        """The words around the numbers without fillers; known units by their symbol."""
        words = (word.casefold() for word in _WORD.findall(self._remainder))
        return tuple(UNITS.get(word, word) for word in words if word not in FILLERS | NEGATIVE)

    @cached_property
    def is_quantity(self) -> bool:
        """Whether it is one quantity and nothing else: a number with at most a unit."""
        if len(self._all_quantities) != 1 or self._dates or self._all_quantities[0].numbers_item:
            return False
        before = self._remainder[: self._all_quantities[0].start]
        limit = self._all_quantities[0].limit
        words = [word.casefold() for word in _WORD.findall(before)]
        negligible_words = FILLERS | NEGATIVE | set(limit.split())
        return (
            all(word in negligible_words for word in words)
            and len(self.unit_words) <= MAX_UNIT_WORDS
        )

    @cached_property
    def is_date(self) -> bool:
        """Whether it is one date or time and nothing else."""
        return len(self._dates) == 1 and not self._without_dates.strip(" .,;")

    @cached_property
    def declines(self) -> bool:
        """Whether its words say that something became less."""
        return DECLINES.search(self._cleaned.casefold()) is not None

    @cached_property
    def canonical(self) -> str:
        """Case-folded text with dates in ISO form."""
        if not self.is_read:
            return self.text.casefold()
        parts, position = [], 0
        for date in self._dates:
            parts += [self._cleaned[position : date.start], date.iso]
            position = date.end
        return "".join([*parts, self._cleaned[position:]]).casefold()

    @cached_property
    def phone_digits(self) -> str:
        """The digits of a text that has no letters, such as a telephone number; else empty."""
        if not self.is_read or _LETTER.search(self._cleaned):
            return ""
        digits = "".join(_DIGITS.findall(self._cleaned))
        return digits if len(digits) >= MIN_PHONE_DIGITS else ""

    @cached_property
    def exact_key(self) -> tuple[Token | tuple[Decimal, ...], ...]:
        """Equal for items that are equal after normalising; empty without a word or number.

        The values are in it since “1,234” and “1234” are the same in English only.
        """
        values = tuple(quantity.value for quantity in self._all_quantities)
        return (*self.words, values) if self.words else ()

    def has_unit_of(self, gold: ParsedAnswer) -> bool:
        """Whether it has every word of the gold's unit."""
        return all(
            any(_same_unit(word, other) for other in self.unit_words) for word in gold.unit_words
        )

    def similarity(self, other: ParsedAnswer) -> float | None:
        """ANLS* of the two texts, in [0, 1]; None where they are too long."""
        left, right = self.canonical, other.canonical
        return None if too_long([left], [right]) else anls_of_lists([left], [right])

    def has_same_numbers(self, other: ParsedAnswer) -> bool:
        """Whether both hold the same numbers and dates, or the digits of the same identifier."""
        if self.numbers == other.numbers:
            return True
        digits = self.phone_digits
        return bool(digits) and digits == other.phone_digits


@lru_cache(1024)
def _parsed(text: str, language: str) -> ParsedAnswer:
    return ParsedAnswer(text, language)


def _blank(text: str, spans: Sequence[tuple[int, int]]) -> str:
    parts, position = [], 0
    for start, end in spans:
        parts += [text[position:start], " " * (end - start)]
        position = end
    return "".join([*parts, text[position:]])


def _same_unit(left: str, right: str) -> bool:
    """Whether two words name the same unit, but for spelling."""
    if left == right:
        return True
    if left in UNITS or right in UNITS or min(len(left), len(right)) < 3:
        return False
    return anls_of_lists([left], [right]) >= _UNIT_SPELLING_SIMILARITY
