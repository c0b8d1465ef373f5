"""Times, days and numbers as the signed-in person wants them.

Times are in the zone of their profile, else of their browser, which is named; days and numbers in
the notation of their profile.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from typing import Any
from zoneinfo import ZoneInfo

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from pagetrail.storage.people.regional import NEUTRAL, Notation, Regional

_CHOSEN = "regional"
# The id behind "arXiv" is no number.
_NUMBER = re.compile(
    r"(?<![\w.,])(?<!arXiv )(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+\.\d+)(?![\w]|[.,]\d)"
)
_BETWEEN = re.compile(r"(?<=\d), (?=[\u2212-]?\d[^\[\]]*\])")


def use_regional(chosen: Regional) -> None:
    """What the signed-in person has chosen, from now on in this session."""
    st.session_state[_CHOSEN] = chosen


def local_time(at: datetime | str, *, seconds: bool = False) -> str:
    """Date and time with the zone, such as ``2026-11-23 01:37 CET``.

    Args:
        at: aware, or naive in UTC; or the same as ISO-8601.
    """
    return f"{local_minute(at, seconds=seconds)} {zone_name(at)}"


def local_minute(at: datetime | str, *, seconds: bool = False) -> str:
    """The same without the zone, for columns whose heading names it."""
    return f"{local_day(_moved(at))} {local_clock(at, seconds=seconds)}"


def local_clock(at: datetime | str, *, seconds: bool = False) -> str:
    """The time of day alone."""
    return f"{_moved(at):%H:%M:%S}" if seconds else f"{_moved(at):%H:%M}"


def local_day(day: date | str) -> str:
    """A day, which is in no time zone."""
    return _notation().date(day)


def grouped(number: float, places: int = 0) -> str:
    """A number with so many places, such as ``1,234``."""
    return _notation().number(number, places)


def written(text: str) -> str:
    """A report's words with their numbers, such as ``0.82 [0.7, 0.9] of 1,234``, so written."""
    if writes_as_reports():
        return text
    how = _notation()
    signs = {",": how.group, ".": how.decimal}
    apart = _BETWEEN.sub("; ", text) if how.decimal == "," else text
    return _NUMBER.sub(lambda found: "".join(signs.get(c, c) for c in found[0]), apart)


def writes_as_reports() -> bool:
    """Whether numbers are written as reports have them."""
    return (_notation().group, _notation().decimal) == (NEUTRAL.group, NEUTRAL.decimal)


def chart_locale() -> dict[str, Any]:
    """The same for Vega, as the ``locale`` of a chart's configuration."""
    how = _notation()
    number = {"decimal": how.decimal, "thousands": how.group, "grouping": [3]}
    return {"number": number | {"currency": ["", ""]}}


def zone_name(at: datetime | str | None = None) -> str:
    """What the zone is called at that time or now; ``UTC-03`` where it has no letters."""
    name = _moved(datetime.now(UTC) if at is None else at).tzname() or "UTC"
    return name if name[0].isalpha() else f"UTC{name}"


def time_column(**options: Any) -> Any:
    """The configuration of a table's column of aware times; the heading does not name the zone."""
    return st.column_config.DatetimeColumn(
        format=f"{day_format()} HH:mm", timezone=str(_zone()), help=f"In {_zone()}.", **options
    )


def day_format() -> str:
    """How days are written, in the letters of Streamlit's widgets, such as ``YYYY-MM-DD``."""
    signs = (("%Y", "YYYY"), ("%m", "MM"), ("%d", "DD"))
    found = _notation().day
    for ours, theirs in signs:
        found = found.replace(ours, theirs)
    return found


def regional_json() -> dict[str, str | None]:
    """The same for components in the browser (``shared/regional.js``)."""
    chosen, how = _chosen(), _notation()
    zone = chosen.time_zone if chosen.zone is not None else None
    plain = how == NEUTRAL
    return {"zone": zone, "day": None if plain else how.day, "group": how.group,
            "decimal": how.decimal}  # fmt: skip


def _chosen() -> Regional:
    if get_script_run_ctx(suppress_warning=True) is None:
        return Regional()
    found = st.session_state.get(_CHOSEN)
    return found if isinstance(found, Regional) else Regional()


def _notation() -> Notation:
    return _chosen().notation


def _moved(at: datetime | str) -> datetime:
    when = datetime.fromisoformat(at) if isinstance(at, str) else at
    return (when if when.tzinfo else when.replace(tzinfo=UTC)).astimezone(_zone())


def _zone() -> ZoneInfo:
    """The chosen one, else the browser's; UTC where that is none that this machine knows."""
    if (chosen := _chosen().zone) is not None:
        return chosen
    try:
        return ZoneInfo(st.context.timezone or "UTC")
    except (KeyError, ValueError, OSError):  # the name comes from outside
        return ZoneInfo("UTC")
