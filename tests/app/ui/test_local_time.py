"""Times in the zone of the person's profile or browser; days and numbers as they write them."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
import streamlit as st

from pagetrail.app.ui import local_time as module
from pagetrail.app.ui.local_time import (
    chart_locale,
    day_format,
    grouped,
    local_day,
    local_minute,
    local_time,
    time_column,
    written,
    zone_name,
)
from pagetrail.storage.people.regional import NOTATIONS, Regional

AT = "2026-11-22T23:37:52.825Z"


@pytest.mark.parametrize(
    ("zone", "shown"),
    [
        (None, "2026-11-22 23:37 UTC"),
        ("Europe/Berlin", "2026-11-23 00:37 CET"),
        ("America/Sao_Paulo", "2026-11-22 20:37 UTC-03"),
        ("Asia/Kolkata", "2026-11-23 05:07 IST"),
        ("../etc/passwd", "2026-11-22 23:37 UTC"),
        ("Nowhere/Else", "2026-11-22 23:37 UTC"),
    ],
)
def test_the_browsers_zone(zone: str | None, shown: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Named beside the time; what is no zone is UTC."""
    monkeypatch.setattr(type(st.context), "timezone", property(lambda _self: zone))
    assert local_time(AT) == shown
    assert local_time(datetime(2026, 11, 22, 23, 37, tzinfo=UTC)) == shown
    assert shown == f"{local_minute(datetime(2026, 11, 22, 23, 37))} {zone_name(AT)}"
    known = zone is not None and zone[0].isalpha() and not zone.startswith("Nowhere")
    assert time_column()["type_config"]["timezone"] == (zone if known else "UTC")


def test_what_somebody_has_chosen_comes_before_the_browsers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Zone, days and numbers; a zone that this machine does not know is the browser's."""
    monkeypatch.setattr(type(st.context), "timezone", property(lambda _self: "Asia/Kolkata"))
    monkeypatch.setattr(module, "_chosen", lambda: Regional("Europe/Berlin", "de-DE"))
    assert local_time(AT) == "23.11.2026 00:37 CET"
    assert (local_day("2026-12-01"), day_format()) == ("01.12.2026", "DD.MM.YYYY")
    assert (grouped(1234567), grouped(1234.56, 1)) == ("1.234.567", "1.234,6")
    assert time_column()["type_config"]["format"] == "DD.MM.YYYY HH:mm"
    monkeypatch.setattr(module, "_chosen", lambda: Regional("Gone/Away", "sv-SE"))
    assert local_time(AT) == "2026-11-23 05:07 IST"
    assert len({each.label for each in NOTATIONS.values()}) == len(NOTATIONS)


@pytest.mark.parametrize(
    ("text", "locale", "shown"),
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
    text: str, locale: str | None, shown: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of reports: decimals, thousands and intervals; names and versions stay as they are."""
    monkeypatch.setattr(module, "_chosen", lambda: Regional(locale=locale))
    assert written(text) == shown


def test_charts_get_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ticks and tooltips of Vega, by its own names."""
    monkeypatch.setattr(module, "_chosen", lambda: Regional(locale="fr-FR"))
    number = chart_locale()["number"]
    assert (number["decimal"], number["thousands"]) == (",", "\u202f")
