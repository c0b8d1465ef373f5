"""Texts that are the same to the eye are the same to the rule, and numbers in cells are read."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagetrail.annotation.answers.decision import decide_answer
from pagetrail.annotation.answers.exact_match import exact_match_f1
from pagetrail.annotation.answers.parsed_answer import ParsedAnswer
from pagetrail.annotation.normalised_text import (
    is_same_text,
    leading_number,
    parse_number,
    plain_text,
)

SAME = [
    ("international budget", "inter\u00adnational budget"),
    ("international budget", "inter\u00ad\nnational budget"),
    ("international budget", "inter-\nnational budget"),
    ("international budget", "inter- national budget"),
    ("mid- to long-term", "mid-\nto long-term"),
    ("Rolls-Royce", "Rolls-\nRoyce"),
    ("pre- and post-war", "pre-\nand post-war"),
    ("Bürohaus", unicodedata.normalize("NFD", "Bü-\nrohaus")),
    ("2019-2021", "2019\u00ad2021"),
    ("COVID-19", "COVID\u00ad19"),
    ("zero width", "zero\u200b width"),
    ("Canberra", "\u200eCan\u2060berra\ufeff"),
    ("Zürich", "Zu\u0308rich"),
    ('"Quoted" - text', "\u201cQuoted\u201d \u2013 text"),
    ("financial office", "\ufb01nancial o\ufb03ce"),
    ("Acme AG", "ＡＣＭＥ\u00a0ＡＧ"),
    ("H2O", "H₂O"),
    ("10^6", "10⁶"),
    ("0.5", "½"),
    ("5.5 km", "5½ km"),
    ("1/3", "¹⁄₃"),
]
OTHER = [
    ("1012", "10\u00ad12"),
    ("51", "5¹"),
    ("121", "12①"),
    ("51/2", "5½"),
    ("51/3", "5¹⁄₃"),
    ("re sign", "resign"),
]


@pytest.mark.parametrize(("text", "other"), SAME)
def test_the_same_to_the_eye_is_an_exact_match(text: str, other: str) -> None:
    """For the measure, for the rule whichever is the gold, and where answers are clustered."""
    assert exact_match_f1([other], [[text]]) == 1
    assert is_same_text(text, other)
    for answer, gold in ((text, other), (other, text)):
        decision = decide_answer([answer], [[gold]])
        assert decision is not None and decision.verdict == "correct"


@pytest.mark.parametrize(("text", "other"), OTHER)
def test_what_looks_different_is_no_match(text: str, other: str) -> None:
    """A raised digit and a fraction do not join the number before them."""
    assert exact_match_f1([other], [[text]]) == 0
    decision = decide_answer([other], [[text]])
    assert decision is not None and decision.verdict != "correct"


def test_fractions_are_read_as_numbers() -> None:
    """With the number before them; all of Unicode's, not the three most common ones only."""
    for text, value in (("2½ million", 2_500_000), ("⅛", 0.125), ("1,050 ¾", 1050.75)):
        (quantity,) = ParsedAnswer.parse(text).quantities
        assert float(quantity.value) == value


@given(st.text(st.sampled_from("aB5¹½⁄-\n \u00ad\u200b“–ﬁü₂é\u0301.")))
def test_a_plain_text_is_plain(text: str) -> None:
    """Reading it again changes nothing, and no invisible character is left."""
    plain = plain_text(text)
    assert plain_text(plain) == plain
    assert not {"\u00ad", "\u200b", "“", "–"} & set(plain)


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
