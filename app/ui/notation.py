"""Times, days and numbers on screens, in the notation and time zone of the reader's browser.

Nothing is stored. Where the browser names no locale, days are ISO dates and numbers are written as
in reports; where it names no time zone, times are in UTC, which is the zone of mails and commands.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from functools import lru_cache
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

import streamlit as st
from babel import Locale, UnknownLocaleError
from babel.numbers import format_decimal, get_decimal_symbol, get_group_symbol
from streamlit.runtime.scriptrunner import get_script_run_ctx

from pagetrail.annotation.messages import gettext, ngettext

# "arXiv 2603.12180" is an identifier.
_NUMBER = re.compile(
    r"(?<![\w.,])(?<!arXiv )(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+\.\d+)(?![\w]|[.,]\d)"
)
_INTERVAL_COMMA = re.compile(r"(?<=\d), (?=[\u2212-]?\d[^\[\]]*\])")
_DAY_FIELD = {"y": "YYYY", "M": "MM", "d": "DD"}


class Notation(NamedTuple):
    """How a locale writes days and numbers.

    Attributes:
        locale: None without one, or for one that Babel does not know.
        day_format: in the letters of Streamlit's widgets, such as ``DD.MM.YYYY``.
    """

    locale: Locale | None = None
    day_format: str = "YYYY-MM-DD"
    group: str = ","
    decimal: str = "."

    def day(self, day: date) -> str:
        """A day, all digits."""
        return (
            self.day_format.replace("YYYY", f"{day:%Y}")
            .replace("MM", f"{day:%m}")
            .replace("DD", f"{day:%d}")
        )

    def number(self, number: float, decimals: int = 0) -> str:
        """A number with that many decimals, its thousands grouped."""
        if self.locale is None:
            return f"{number:,.{decimals}f}"
        pattern = "#,##0" + ("." + "0" * decimals if decimals else "")
        # Babel rounds decimal numbers, Python and the reports the binary ones.
        return str(format_decimal(f"{number:.{decimals}f}", pattern, self.locale))


REPORT_NOTATION = Notation()
"""The notation of reports, files, mails and commands."""


@lru_cache(maxsize=256)
def notation_of(language_tag: str) -> Notation:
    """The notation of a language tag (BCP 47) such as ``de-CH``."""
    try:
        locale = Locale.parse(language_tag, sep="-")
    except (UnknownLocaleError, ValueError, TypeError):  # the tag comes from outside
        return REPORT_NOTATION
    return Notation(
        locale,
        _day_format(str(locale.date_formats["short"].pattern)),
        get_group_symbol(locale),
        get_decimal_symbol(locale),
    )


def _day_format(pattern: str) -> str:
    """The format that Streamlit's date inputs accept for a pattern of Unicode CLDR."""
    letters = list(dict.fromkeys(letter for letter in pattern if letter in _DAY_FIELD))
    separator = next((sign for sign in pattern if sign in "./-"), "-")
    if letters not in (["y", "M", "d"], ["d", "M", "y"], ["M", "d", "y"]):
        return REPORT_NOTATION.day_format
    return separator.join(_DAY_FIELD[letter] for letter in letters)


def format_time(time: datetime | str) -> str:
    """Date and time with the time zone, such as ``2026-11-23 01:37 CET``.

    Args:
        time: aware, or naive in UTC; or the same as ISO 8601.
    """
    return f"{format_minute(time)} {zone_name_at(time)}"


def format_minute(time: datetime | str, *, seconds: bool = False) -> str:
    """Date and time without the time zone, for columns whose heading names it."""
    return f"{format_day(_in_zone(time))} {format_clock(time, seconds=seconds)}"


def format_clock(time: datetime | str, *, seconds: bool = False) -> str:
    """The time of day."""
    return f"{_in_zone(time):%H:%M:%S}" if seconds else f"{_in_zone(time):%H:%M}"


def format_day(day: date | str) -> str:
    """A calendar day, which has no time zone."""
    return _notation().day(date.fromisoformat(day) if isinstance(day, str) else day)


def format_number(number: float, decimals: int = 0) -> str:
    """A number with that many decimals, such as ``1,234``."""
    return _notation().number(number, decimals)


def format_count(singular: str, plural: str, count: int, /, **values: object) -> str:
    """``ngettext`` with ``{number}`` in the reader's notation."""
    return ngettext(singular, plural, count, number=format_number(count), **values)


def localise_numbers(text: str) -> str:
    """A report's text with its numbers, such as ``0.82 [0.7, 0.9] of 1,234``, in this notation."""
    if uses_report_notation():
        return text
    notation = _notation()
    signs = {",": notation.group, ".": notation.decimal}
    separated = _INTERVAL_COMMA.sub("; ", text) if notation.decimal == "," else text
    return _NUMBER.sub(
        lambda number: "".join(signs.get(sign, sign) for sign in number[0]), separated
    )


def uses_report_notation() -> bool:
    """Whether numbers are written as in reports."""
    notation = _notation()
    return (notation.group, notation.decimal) == (REPORT_NOTATION.group, REPORT_NOTATION.decimal)


def chart_locale() -> dict[str, Any]:
    """The notation for Vega, as the ``locale`` of a chart's configuration."""
    notation = _notation()
    number = {"decimal": notation.decimal, "thousands": notation.group, "grouping": [3]}
    return {"number": number | {"currency": ["", ""]}}


def zone_name_at(time: datetime | str | None = None) -> str:
    """The zone's name at that time or now; ``UTC-03`` if it has no letters."""
    name = _in_zone(datetime.now(UTC) if time is None else time).tzname() or "UTC"
    return name if name[0].isalpha() else f"UTC{name}"


def time_column(**options: Any) -> Any:
    """The configuration of a table's column of aware times; the heading does not name the zone."""
    return st.column_config.DatetimeColumn(
        format=f"{day_format()} HH:mm",
        timezone=str(_zone()),
        help=gettext("In {zone}.", zone=_zone()),
        **options,
    )


def day_format() -> str:
    """The format of days in Streamlit's widgets, such as ``YYYY-MM-DD``."""
    return _notation().day_format


def _notation() -> Notation:
    return notation_of(_browser_locale() or "")


def _browser_locale() -> str | None:
    # Worker processes draw parts of screens too, without a browser.
    return None if get_script_run_ctx(suppress_warning=True) is None else st.context.locale


def _in_zone(time: datetime | str) -> datetime:
    timestamp = datetime.fromisoformat(time) if isinstance(time, str) else time
    aware = timestamp if timestamp.tzinfo else timestamp.replace(tzinfo=UTC)
    return aware.astimezone(_zone())


def _zone() -> ZoneInfo:
    """The browser's time zone, or UTC if this machine does not know it."""
    try:
        return ZoneInfo(st.context.timezone or "UTC")
    except (KeyError, ValueError, OSError):  # the name comes from outside
        return ZoneInfo("UTC")
