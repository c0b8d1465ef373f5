"""Dates and clock times in a text, read as ISO 8601 as far as they are stated."""

from __future__ import annotations

import re
from typing import NamedTuple

from pagetrail.annotation.answers.vocabulary import MONTHS

_MONTH = "|".join(sorted(MONTHS, key=len, reverse=True))
_YEAR = r"(?:1[0-9]|20)\d\d"
_DAY = r"(?:0?[1-9]|[12]\d|3[01])"
_EDGE = r"(?![\w/]|[-.]\d)"

_DATE = re.compile(
    rf"(?<![\w/.-])(?:"
    rf"(?P<y1>{_YEAR})(?P<s1>[-/.])(?P<m1>0?[1-9]|1[0-2])(?P=s1)(?P<d1>{_DAY}){_EDGE}"
    rf"|(?P<a>{_DAY})(?P<s2>[-/.])\s?(?P<b>{_DAY})(?P=s2)\s?(?P<y2>{_YEAR}){_EDGE}"
    rf"|(?P<d3>{_DAY})(?:st|nd|rd|th|er|º|\.)?\s+(?:of\s+|de\s+)?(?P<m3>{_MONTH})\.?"
    rf"(?:,?\s+(?:of\s+|de\s+)?(?P<y3>{_YEAR}))?{_EDGE}"
    rf"|(?P<y5>{_YEAR})\s+(?P<m5>{_MONTH})\.?\s+(?P<d5>{_DAY}){_EDGE}"
    rf"|(?P<m4>{_MONTH})\.?\s+(?:(?P<d4>{_DAY})(?:st|nd|rd|th)?{_EDGE}(?:,?\s+(?P<y4>{_YEAR}))?"
    rf"|(?:of\s+|de\s+)?(?P<y6>{_YEAR})){_EDGE}"
    rf")",
    re.IGNORECASE,
)


_TIME = re.compile(
    r"(?<![\w:.])(?P<h>[01]?\d|2[0-4]):(?P<m>[0-5]\d)(?::(?P<s>[0-5]\d))?"
    r"(?:\s?(?P<half>[ap])\.?m\b\.?)?(?![\w:])",
    re.IGNORECASE,
)


class FoundDate(NamedTuple):
    """A date or a time in a text.

    Attributes:
        iso: ``2020-03-03``, ``2020-03``, without a year ``--03-03``; a time is ``22:08:00``.
        start, end: of the text that states it.
    """

    iso: str
    start: int
    end: int


def find_dates(text: str, language: str) -> list[FoundDate]:
    """The dates and times in a text, in order.

    Of two numbers that could both be a month, the first is the month where they are divided by
    slashes or hyphens in English, the second everywhere else.
    """
    dates = []
    for match in _DATE.finditer(text):
        iso = _iso_date(match, language)
        if iso is not None:
            dates.append(FoundDate(iso, match.start(), match.end()))
    for match in _TIME.finditer(text):
        dates.append(FoundDate(_iso_time(match), match.start(), match.end()))
    return sorted(dates, key=lambda date: date.start)


def _iso_time(match: re.Match[str]) -> str:
    hour = int(match["h"])
    if match["half"]:
        hour = hour % 12 + (12 if match["half"].casefold() == "p" else 0)
    return f"{hour:02}:{match['m']}:{match['s'] or '00'}"


def _iso_date(match: re.Match[str], language: str) -> str | None:
    group = match.groupdict()
    if group["a"]:
        first, second, year = int(group["a"]), int(group["b"]), group["y2"]
        month_first = (language == "en" and group["s2"] != ".") or second > 12
        month, day = (first, second) if month_first and first <= 12 else (second, first)
        if month > 12:
            return None
        return f"{year}-{month:02}-{day:02}"
    year = group["y1"] or group["y3"] or group["y4"] or group["y5"] or group["y6"]
    month_name = group["m3"] or group["m4"] or group["m5"]
    month = MONTHS[month_name.casefold()] if month_name else int(group["m1"])
    day_text = group["d1"] or group["d3"] or group["d4"] or group["d5"]
    day_part = f"-{int(day_text):02}" if day_text else ""
    return f"{year or '-'}-{month:02}{day_part}"
