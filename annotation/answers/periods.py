"""Points and periods in time: dates, times of day, months, quarters, years and fiscal years."""

from __future__ import annotations

import re
from typing import NamedTuple

from pagetrail.annotation.answers.dates import find_dates

YEAR = re.compile(r"(?:1[5-9]|20)\d\d")

_YEAR = r"(?P<{}>(?:19|20)\d\d)"
_OF = r"(?:\s|,|/|-|of\b|des\b|in\b)*(?:(?P<fiscal>fiscal)\s)?"
_QUARTERS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "last": 4}
_QUARTERS |= {"erste": 1, "zweite": 2, "dritte": 3, "vierte": 4}
_QUARTER = re.compile(
    rf"\b(?:q(?P<a>[1-4])|(?P<b>[1-4])q|(?P<c>[1-4])\.?\s(?:quarter|quartal)"
    rf"|(?P<d>{'|'.join(_QUARTERS)})[nrsm]?\s(?:quarter|quartal))\b"
    rf"(?:{_OF}{_YEAR.format('year')}\b)?",
    re.IGNORECASE,
)
_FISCAL_YEAR = re.compile(rf"\bfiscal {_YEAR.format('year')}\b", re.IGNORECASE)
_ISO_MONTH = re.compile(rf"(?<![\w/.-]){_YEAR.format('year')}-(?P<month>0[1-9]|1[0-2])(?![\w/.-])")
"""A month where it is no range of years: “2010-12” could be one."""
_NUMERIC = re.compile(r"\d{1,2}([-/.])\s?\d{1,2}\1\s?\d{4}")
_HALF_STATED = re.compile(r"[ap]\.?m", re.IGNORECASE)


class Period(NamedTuple):
    """A point or a period in time, as far as it is stated.

    Attributes:
        parts: ``year``, ``month``, ``day``, ``quarter``, ``hour``, ``minute``, ``second``.
        is_fiscal: whether the year is a fiscal one.
        is_ambiguous: whether another reading is possible: 3/4/2020, or 8:30 without am or pm.
        start, end: of the text that states it.
    """

    parts: tuple[tuple[str, int], ...]
    start: int
    end: int
    is_fiscal: bool = False
    is_ambiguous: bool = False

    @property
    def code(self) -> str:
        """One word for it, equal for equal ones."""
        parts = ",".join(f"{name}={number}" for name, number in self.parts)
        is_half_open = self.is_ambiguous and "hour" in dict(self.parts)
        return f"<{'fiscal,' * self.is_fiscal}{parts}{',half' * is_half_open}>"

    def contradicts(self, other: Period) -> bool:
        """Whether both cannot be meant; one that is less precise contradicts nothing."""
        if self.is_fiscal != other.is_fiscal:
            return False
        left, right = dict(self.parts), dict(other.parts)
        differing = {name for name in left.keys() & right if left[name] != right[name]}
        if not (self.is_ambiguous or other.is_ambiguous):
            return bool(differing)
        if left.keys() != right.keys():
            return False
        if differing == {"hour"}:
            return left["hour"] % 12 != right["hour"] % 12
        swapped = (left.get("month"), left.get("day")) == (right.get("day"), right.get("month"))
        return bool(differing) and not (swapped and differing <= {"month", "day"})


def year_period(year: int, start: int, end: int, *, is_fiscal: bool = False) -> Period:
    """A year without a month."""
    return Period((("year", year),), start, end, is_fiscal)


def joined_periods(periods: list[Period]) -> list[Period]:
    """A date and a time as one period, where there is nothing else."""
    if len(periods) != 2 or dict(periods[0].parts).keys() & dict(periods[1].parts):
        return periods
    first, second = periods
    return [
        Period(
            tuple(sorted((*first.parts, *second.parts))),
            first.start,
            second.end,
            first.is_fiscal or second.is_fiscal,
            first.is_ambiguous or second.is_ambiguous,
        )
    ]


def find_periods(text: str, language: str) -> list[Period]:
    """The dates, times, quarters and fiscal years in a cleaned text, in order.

    Bare years are numbers as well, and left to the caller.
    """
    dates = [
        _of_iso(date.iso, text[date.start : date.end], date.start, date.end, language)
        for date in find_dates(text, language)
    ]
    taken = [(date.start, date.end) for date in dates]
    for match in _QUARTER.finditer(text):
        number = match["a"] or match["b"] or match["c"]
        quarter = int(number) if number else _QUARTERS[match["d"].casefold()]
        parts = (("year", int(match["year"])),) if match["year"] else ()
        is_fiscal = match["fiscal"] is not None
        dates.append(Period((*parts, ("quarter", quarter)), *match.span(), is_fiscal))
    for match in _FISCAL_YEAR.finditer(text):
        if not any(date.start <= match.start() < date.end for date in dates[len(taken) :]):
            dates.append(year_period(int(match["year"]), *match.span(), is_fiscal=True))
    for match in _ISO_MONTH.finditer(text):
        year, month = int(match["year"]), int(match["month"])
        if month <= year % 100:
            dates.append(Period((("year", year), ("month", month)), *match.span()))
    dates.sort(key=lambda date: date.start)
    return [
        date
        for date, previous in zip(dates, [None, *dates], strict=False)
        if previous is None or previous.end <= date.start
    ]


def _of_iso(iso: str, text: str, start: int, end: int, language: str) -> Period:
    if ":" in iso:
        hour, minute, second = map(int, iso.split(":"))
        ambiguous = hour <= 12 and not _HALF_STATED.search(text) and text.count(":") == 1
        clock = (("hour", hour), ("minute", minute), ("second", second))
        parts: tuple[tuple[str, int], ...] = clock if text.count(":") == 2 else clock[:2]
        return Period(parts, start, end, is_ambiguous=ambiguous and not text.startswith("0"))
    numbers = [
        int(part) if part.isdigit() else None for part in iso.replace("--", "-", 1).split("-")
    ]
    if iso.startswith("--"):
        numbers = [None, *numbers[1:]]
    named = zip(("year", "month", "day"), numbers, strict=False)
    parts = tuple((name, number) for name, number in named if number is not None)
    ambiguous = language == "en" and _NUMERIC.fullmatch(text) is not None and "." not in text
    return Period(parts, start, end, is_ambiguous=ambiguous)
