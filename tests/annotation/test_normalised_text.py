"""Numbers that people type into cells, with the separators of their language."""

from __future__ import annotations

import pytest

from pagetrail.annotation.normalised_text import leading_number, parse_number


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1,050", 1050),
        ("1,050.5", 1050.5),
        ("12,34,567", 1_234_567),
        ("1,5", 1.5),
        ("-2,08", -2.08),
        (",5", 0.5),
        ("1.050,5", 1050.5),
        ("1.050", 1.05),
        ("1,5e3", 1500),
        (" +7. ", 7),
    ],
)
def test_separators(text: str, expected: float) -> None:
    """Commas between groups of thousands, or one decimal comma."""
    assert parse_number(text) == leading_number(f"{text.strip()} t") == expected


@pytest.mark.parametrize(
    "text", ["", "1,2,3", "1,2,", "1.2.3", "3.4.2020", "1_000", "nan", "1e999", "1,2,3.5", "٣"]
)
def test_other_texts_are_no_number(text: str) -> None:
    assert parse_number(text) is None


def test_leading_numbers() -> None:
    assert leading_number("~ 1,050 t") == 1050
    assert leading_number("$ 1,5 m") == 1.5
    assert leading_number("-.5e2") == -50
    assert leading_number("about 3") is None
    assert leading_number("1,2,3 t") is None
