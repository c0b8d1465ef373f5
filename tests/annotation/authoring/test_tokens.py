"""What counts as the same word."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagetrail.annotation.authoring.tokens import (
    content_words,
    engine_words,
    occurs_in_page,
    vocabulary,
    words,
)


@pytest.mark.parametrize(
    ("answer", "page"),
    [
        ("1,234", "a total of 1234 units"),
        ("1234", "a total of 1,234 units"),
        ("1234", "total 1\u00a0234 or so"),
        ("1234567", "1.234.567 Euro"),
        ("1,234,567.5", "1.234.567,50"),
        ("12.50", "12.5 %"),
        ("12.5%", "12,50 percent"),
        ("0.50", "0.5"),
        ("7.0", "7"),
        ("May 5, 2018", "May 05, 2018"),
        ("31 December 2018", "December 31,2018"),
        ("FY 2017", "in FY2017"),
        ("FY2017", "in FY 2017"),
        ("10-K", "the 10K form"),
        ("10K", "the 10-K form"),
        ("cooperation", "co-operation"),
        ("co-operation", "cooperation"),
        ("co-operation", "co operation"),
        ("economic", "an eco-\n  nomic view"),
        ("economic", "an eco\u00ad\nnomic view"),
        ("economic", "an eco\u00adnomic view"),
        ("long-term", "long-\nterm"),
        ("US", "the U.S. market"),
        ("U.S.", "the US market"),
        ("Nike", "NIKE's revenue"),
        ("Nike’s", "nike"),
        ("finance", "ﬁnance"),
        ("STRASSE", "Straße"),
        ("café", "cafe\u0301"),
        ("don’t", "DON'T"),
        ("annual_report", "annual report"),
        ("1.5", "$1.5m"),
        ("日本", "日本語"),
    ],
)
def test_other_spellings_are_the_same_word(answer: str, page: str) -> None:
    """Grouping, zeros, hyphens, line ends, dots, possessives, ligatures and case do not matter."""
    assert all(occurs_in_page(word, vocabulary(words(page))) for word in words(answer))


@pytest.mark.parametrize(
    ("answer", "page"),
    [
        ("56.8", "56.82"),
        ("5", "3.5"),
        ("35", "3.5"),
        ("1234", "123 4"),
        ("1.5", "15"),
        ("operation", "operations"),
        ("net", "network"),
        ("don't", "do"),
        ("2017", "20171"),
        ("3.50.2", "3.5"),
    ],
)
def test_other_words_stay_other_words(answer: str, page: str) -> None:
    """A part of a number or of a word is not the word; there is no stemming."""
    assert not all(occurs_in_page(word, vocabulary(words(page))) for word in words(answer))


def test_offsets_are_those_of_the_text() -> None:
    """Each word tells where it is, with its signs inside and none around."""
    text = "“Co-operation” rose 1,234.50% (2018–2019)."
    assert [text[w.start : w.end] for w in words(text)] == [
        "Co-operation",
        "rose",
        "1,234.50",
        "2018",
        "2019",
    ]
    assert [w.form for w in words(text)] == ["cooperation", "rose", "1234.5", "2018", "2019"]


def test_content_words_keep_numbers_and_negations() -> None:
    """Stop words go, unless there is nothing else."""
    assert [w.form for w in content_words(words("not in the 3 of May"))] == ["not", "3", "may"]
    assert [w.form for w in content_words(words("What is it"))] == ["what", "is", "it"]


def test_engine_words_are_what_the_engine_looks_for() -> None:
    """Its tokens, each once, without its stop words and single characters."""
    assert engine_words("The 3.5% of U.S. sales, a SALES plan of 1,234") == [
        "3.5",
        "u.s",
        "sales",
        "plan",
        "234",
    ]


@given(st.text(max_size=300))
def test_any_text_has_words(text: str) -> None:
    """Words follow each other inside the text, and each is on a page with the same text."""
    text_words = words(text)
    page = vocabulary(text_words)
    assert all(occurs_in_page(word, page) for word in text_words)
    ends = [0, *(word.end for word in text_words)]
    assert all(0 <= before <= w.start < w.end for before, w in zip(ends, text_words, strict=False))
    assert not text_words or text_words[-1].end <= len(text)
    assert all(form for word in text_words for form in (*word.forms, *word.parts))


@given(st.integers(0, 10**12), st.integers(0, 99))
def test_a_number_has_one_form(amount: int, cents: int) -> None:
    """Grouped in English or in German, or not at all, a sum of money is one number."""
    english = f"{amount:,}.{cents:02}"
    german = english.translate(str.maketrans(",.", ".,"))
    plain = f"{amount}.{cents:02}"
    assert {words(text)[0].form for text in (english, german, plain)} == {words(plain)[0].form}
    assert len(words(english)) == len(words(german)) == 1
