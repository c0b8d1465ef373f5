"""Numbers as spreadsheets show them; most texts were compared with LibreOffice's."""

from __future__ import annotations

import pytest

from pagetrail.storage.importers.files.number_formats import (
    BUILT_IN,
    UnreadableFormatError,
    shown_number,
)


@pytest.mark.parametrize(
    ("value", "code", "text"),
    [
        (0.125, "0.0%", "12.5%"),
        (0.125, "0%", "13%"),
        (1234.5, '"$"#,##0.00', "$1,234.50"),
        (1234.5, "#,##0.00\\ [$€-407]", "1,234.50 €"),
        (-1234.5, "#,##0.00;[Red]-#,##0.00", "-1,234.50"),
        (-1234.5, '_(* #,##0.00_);_(* (#,##0.00);_(* "-"??_);_(@_)', "(1,234.50)"),
        (0, "0.0;-0.0;\"nil\"", "nil"),
        (7, "000", "007"),
        (123456789, "000-00-0000", "123-45-6789"),
        (5_200_000, '0.0,,"M"', "5.2M"),
        (5_200_000, "#,##0,", "5,200"),
        (5, "0.###", "5"),
        (-0.001, "0.00", "0.00"),
        (0.045, "0.00", "0.05"),
        (1.25e9, "0.00E+00", "1.25E+09"),
        (12345, "##0.0E+0", "12.3E+3"),
        (0.375, "# ?/?", "3/8"),
        (-1.5, "# ??/??", "-1 1/2"),
        (5, "# ?/8", "5"),
        (43100, "dd.mm.yyyy", "31.12.2017"),
        (43100, "[$-409]d-mmm-yy", "31-Dec-17"),
        (43100, "[$-407]d.m.yy", "31.12.17"),
        (43100, "dddd, mmmm d", "Sunday, December 31"),
        (43100.75, "m/d/yyyy h:mm AM/PM", "12/31/2017 6:00 PM"),
        (0.6041666666666666, "h:mm", "14:30"),
        (0.6041666666666666, "mm:ss.0", "30:00.0"),
        (1.5, "[h]:mm:ss", "36:00:00"),
        (3, '0 "kg"', "3 kg"),
        (3, 'General" kg"', "3 kg"),
        (43100, BUILT_IN[14], "2017-12-31"),
    ],
)  # fmt: skip
def test_shown_texts(value: float, code: str, text: str) -> None:
    """Percent, currency, signs, zeros, thousands, powers, fractions, dates, times and durations."""
    assert shown_number(value, code) == text


def test_dates_from_1904() -> None:
    """Old workbooks of the Macintosh count their days from another year."""
    assert shown_number(43100 - 1462, "yyyy-mm-dd", from_1904=True) == "2017-12-31"


@pytest.mark.parametrize(
    ("value", "code"),
    [
        (5, "[>3]0.0;0"),
        (43100, "[$-407]d. mmmm yyyy"),
        (43100, "[$-F800]dddd, mmmm dd, yyyy"),
        (43100, "ggge"),
        (30, "yyyy-mm-dd"),
        (-1, "h:mm"),
        (1e10, "yyyy"),
        (1 / 3, 'General" kg"'),
        (float("inf"), "0.0"),
        (1, "0" * 300),
    ],
)
def test_formats_that_are_not_read(value: float, code: str) -> None:
    """Conditions, names in other languages, calendars, and what is shown as ####."""
    with pytest.raises(UnreadableFormatError):
        shown_number(value, code)
