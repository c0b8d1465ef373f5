"""Times, days and numbers follow the locale and time zone of the browser."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
import streamlit as st

from pagetrail.app.ui import notation as module
from pagetrail.app.ui.notation import (
    chart_locale,
    day_format,
    format_day,
    format_minute,
    format_number,
    format_time,
    localise_numbers,
    time_column,
    zone_name_at,
)

AT = "2026-11-22T23:37:52.825Z"


@pytest.mark.parametrize(
    ("zone", "expected"),
    [
        (None, "2026-11-22 23:37 UTC"),
        ("Europe/Berlin", "2026-11-23 00:37 CET"),
        ("America/Sao_Paulo", "2026-11-22 20:37 UTC-03"),
        ("Asia/Kolkata", "2026-11-23 05:07 IST"),
        ("../etc/passwd", "2026-11-22 23:37 UTC"),
        ("Nowhere/Else", "2026-11-22 23:37 UTC"),
    ],
)
def test_the_browsers_zone(
    zone: str | None, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Named beside the time; what is no zone is UTC."""
    monkeypatch.setattr(type(st.context), "timezone", property(lambda _self: zone))
    assert format_time(AT) == expected
    assert format_time(datetime(2026, 11, 22, 23, 37, tzinfo=UTC)) == expected
    assert expected == f"{format_minute(datetime(2026, 11, 22, 23, 37))} {zone_name_at(AT)}"
    is_valid_zone = zone is not None and zone[0].isalpha() and not zone.startswith("Nowhere")
    assert time_column()["type_config"]["timezone"] == (zone if is_valid_zone else "UTC")


@pytest.mark.parametrize(
    ("locale", "time", "day", "numbers"),
    [
        ("de-DE", "23.11.2026 00:37 CET", "01.12.2026", ("1.234.567", "1.234,6")),
        ("en-US", "11/23/2026 00:37 CET", "12/01/2026", ("1,234,567", "1,234.6")),
        ("en-GB", "23/11/2026 00:37 CET", "01/12/2026", ("1,234,567", "1,234.6")),
        ("fr", "23/11/2026 00:37 CET", "01/12/2026", ("1\u202f234\u202f567", "1\u202f234,6")),
        ("sv-SE", "2026-11-23 00:37 CET", "2026-12-01", ("1\xa0234\xa0567", "1\xa0234,6")),
        ("ar-EG", "23/11/2026 00:37 CET", "01/12/2026", ("1,234,567", "1,234.6")),
        (None, "2026-11-23 00:37 CET", "2026-12-01", ("1,234,567", "1,234.6")),
        ("../../x", "2026-11-23 00:37 CET", "2026-12-01", ("1,234,567", "1,234.6")),
    ],
)
def test_the_browsers_locale(
    locale: str | None,
    time: str,
    day: str,
    numbers: tuple[str, str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Days and numbers follow it, also in tables; without one they are written as in reports."""
    monkeypatch.setattr(type(st.context), "timezone", property(lambda _self: "Europe/Berlin"))
    monkeypatch.setattr(module, "_browser_locale", lambda: locale)
    assert (format_time(AT), format_day("2026-12-01")) == (time, day)
    assert (format_number(1234567), format_number(1234.56, 1)) == numbers
    assert time_column()["type_config"]["format"] == f"{day_format()} HH:mm"


@pytest.mark.parametrize(
    ("text", "locale", "expected"),
    [
        ("0.812 [0.75, 0.9] (a)", "de-DE", "0,812 [0,75; 0,9] (a)"),
        ("\u22120.1 [\u22120.25, 0.05]", "de-DE", "\u22120,1 [\u22120,25; 0,05]"),
        ("1,234 of 2,000,000.5, and 3.5.", "de-DE", "1.234 of 2.000.000,5, and 3,5."),
        ("1,234.5 [1, 2]", "de-CH", "1\u2019234.5 [1, 2]"),
        ("0.812 [0.75, 0.9], 1,234", None, "0.812 [0.75, 0.9], 1,234"),
        ("MADQA (arXiv 2603.12180, H.3), 0.5", "de-DE", "MADQA (arXiv 2603.12180, H.3), 0,5"),
        ("v1.2.3, report.1.pdf, 2026-11-22", "de-DE", "v1.2.3, report.1.pdf, 2026-11-22"),
    ],
)
def test_numbers_within_words(
    text: str, locale: str | None, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of reports: decimals, thousands and intervals; names and versions stay as they are."""
    monkeypatch.setattr(module, "_browser_locale", lambda: locale)
    assert localise_numbers(text) == expected


def test_charts_get_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ticks and tooltips of Vega, by its own names."""
    monkeypatch.setattr(module, "_browser_locale", lambda: "fr-FR")
    number = chart_locale()["number"]
    assert (number["decimal"], number["thousands"]) == (",", "\u202f")
