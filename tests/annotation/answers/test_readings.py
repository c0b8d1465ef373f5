"""How numbers, dates and units are read, whatever the text."""

from __future__ import annotations

import time
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagetrail.annotation.answers.decision import MOST_ITEMS, decide_answer
from pagetrail.annotation.answers.parsed_answer import MAX_READ, ParsedAnswer
from pagetrail.annotation.answers.question import Question, Tolerance
from pagetrail.annotation.comparison.gold_answers import are_similar, decide_texts


def verdict(answer: str, gold: str, language: str | None = None) -> str:
    """The verdict on one item."""
    return decide_texts(answer, gold, Question("How much?", language)).verdict


@pytest.mark.parametrize(
    ("text", "language", "value"),
    [
        ("1,234", "en", "1234"),
        ("1,234", "de", "1.234"),
        ("1.234", "German", "1234"),
        ("1.234,5", "en", "1234.5"),
        ("1 234,5", "fr", "1234.5"),
        ("1\u202f234\u202f567", "fr", "1234567"),
        ("1'234.50", "en", "1234.50"),
        ("12,34,567", "en", "1234567"),
        ("0.833", "de", "0.833"),
        (".5", "en", "0.5"),
        ("(123)", "en", "-123"),
        ("$(2.4)m", "en", "-2400000"),
        ("(2.4)%", "en", "-2.4"),
        ("\u22125", "en", "-5"),
        ("minus 5", "en", "-5"),
        ("5.2 million", "en", "5200000"),
        ("5k", "en", "5000"),
        ("2 billion", "en", "2000000000"),
        ("2 Billionen", "de", "2000000000000"),
        ("3,4 mil millones", "es", "3400000000"),
        ("37兆1,543億円", "ja", "37154300000000"),
        ("3 × 10⁶", "en", "3000000"),
        ("1e3", "en", "1000"),
        ("2½", "en", "2.5"),
        ("٤٥", "ar", "45"),
        ("twenty-one", "en", "21"),
    ],
)
def test_a_number_has_one_value_however_it_is_written(text: str, language: str, value: str) -> None:
    """Separators by language, signs, scale words, powers, other digits."""
    (quantity,) = ParsedAnswer.parse(text, language).quantities
    assert quantity.value == Decimal(value)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("($235) million", "-235000000"),
        ("$(235) million", "-235000000"),
        ("(235)", "-235"),
        ("(2.4%)", "-2.4"),
        ("It was higher (1.4)", "1.4"),
        ("1/4", "0.25"),
        ("vier", "4"),
    ],
)
def test_brackets_fractions_and_number_words(text: str, value: str) -> None:
    """Brackets mean minus where they hold the whole amount."""
    (quantity,) = ParsedAnswer.parse(text, "de" if text == "vier" else "en").quantities
    assert quantity.value == Decimal(value)


def test_lists_match_item_by_item() -> None:
    """One to one, in any order; nothing may be missing or left over."""
    decision = decide_answer(["40,684 USD", "$35,000"], [["$35,000", "$40,684"]])
    assert decision is not None
    assert (decision.verdict, decision.decided_by, decision.score) == ("correct", "quantity", 1)
    one_more = decide_answer(["$35,000", "$40,684", "7"], [["$35,000", "$40,684"]])
    assert one_more is not None
    assert (one_more.verdict, one_more.decided_by) == ("incorrect", "list")
    no_unit = decide_answer(["35,000", "$40,684"], [["$35,000", "$40,684"]])
    assert no_unit is not None
    assert no_unit[:3] == ("undecided", "quantity", "unit_missing")
    assert no_unit.score == 0.5


def test_long_lists_are_compared_by_what_is_left_after_exact_matches() -> None:
    """Many equal items do not count against the limit; many that are not equal do."""
    gold = [f"item number {n}" for n in range(400)]
    changed = [*gold[:-1], "Item No. 399"]
    decision = decide_answer(changed[::-1], [gold])
    assert decision is not None and decision.verdict == "correct"
    other = [f"itm number {n}" for n in range(MOST_ITEMS + 1)]
    decision = decide_answer(other, [gold[: MOST_ITEMS + 1]])
    assert decision is not None
    assert (decision.verdict, decision.reason) == ("undecided", "answer_too_long")
    decision = decide_answer(other, [gold[: MOST_ITEMS + 2]])
    assert decision is not None
    assert (decision.verdict, decision.decided_by) == ("incorrect", "list")


def test_an_equal_item_goes_to_another_where_that_matches_more() -> None:
    """Within 0.1, 10.0 is 10.1 as well, and 9.9 has only 10.0."""
    within = Question(tolerance=Tolerance(absolute=0.1))
    decision = decide_answer(["10.0", "9.9"], [["10.1", "10.0"]], question=within)
    assert decision is not None
    assert (decision.verdict, decision.decided_by, decision.score) == ("correct", "quantity", 1)
    decision = decide_answer(["10.0", "9.9", "3"], [["10.1", "10.0", "4"]], question=within)
    assert decision is not None
    assert (decision.verdict, decision.overlap) == ("incorrect", (2, 3, 3))


TEXTS = st.one_of(
    st.text(max_size=60),
    st.text("0123456789.,-+()% $€kmMbn eE×^/:½⁶億", max_size=40),
    st.from_regex(r"[-(]?[$€]?\d{1,4}([., ]\d{3}){0,3}(\.\d+)? ?(k|million|bn|%|km)?\)?"),
)
LANGUAGES = st.sampled_from([None, "en", "de", "fr-CH", "Spanish", "ja", "??"])


@given(TEXTS, TEXTS, LANGUAGES)
def test_any_text_is_compared_without_an_error(left: str, right: str, language: str | None) -> None:
    """Never an exception; being similar does not depend on which comes first."""
    a, b = ParsedAnswer.parse(left, language), ParsedAnswer.parse(right, language)
    assert verdict(left, right, language) in ("correct", "undecided", "incorrect")
    assert are_similar(a, b) == are_similar(b, a)


@given(TEXTS, LANGUAGES)
def test_an_answer_says_what_it_says(text: str, language: str | None) -> None:
    """Anything with a word or a digit is correct against itself."""
    if ParsedAnswer.parse(text, language).tokens:
        assert verdict(text, text, language) == "correct"


@given(
    st.decimals(min_value=-(10**9), max_value=10**9, places=3),
    st.sampled_from(["", "$", "€"]),
    st.sampled_from(["", "%", " km"]),
)
def test_a_number_is_itself_with_and_without_thousands_separators(
    number: Decimal, currency: str, unit: str
) -> None:
    """In both directions, with whatever unit."""
    sign = "-" if number < 0 else ""
    plain, grouped = (f"{sign}{currency}{abs(number):{form}}{unit}" for form in ("f", ",f"))
    assert verdict(plain, grouped) == verdict(grouped, plain) == "correct"


ODD = {
    "a huge exponent": "1e999999999",
    "a negative huge exponent": "1e-999999999",
    "a power": "10^999999999",
    "thousands of digits": "9" * 4_000,
    "digits without end": "9" * 1_000_000,
    "separators": "1,234" * 1_000,
    "groups": "1 000 " * 800,
    "signs": "-" * 4_000 + "1",
    "brackets": "(" * 2_500 + "1" + ")" * 2_400,
    "months": "March " * 800,
    "days": "1 " * 2_400 + "March",
    "slashes": "1/" * 2_400,
    "colons": "1:" * 2_400,
    "fractions": "½" * 4_000,
    "scales": "1 " + "million " * 600,
    "currencies": "$" * 4_900 + "1",
    "spaces": "1" + " " * 4_900 + "million",
    "number words": "twenty " * 700,
    "marks": "a\u0301" * 2_400,
    "ligatures": "\ufdfa" * 4_900,
    "a surrogate": "\ud800 1",
    "turnings": "turned a b c " * 380 + "over 5",
    "denials": "not " * 1_200 + "but",
    "numbers of": "no. of " * 700,
    "quarters": "first quarter of, in of " * 200,
    "initials": "a." * 2_400,
    "names": "Alder sued Birch and " * 900,
    "items": "a, " * 6_000,
    "commas": "," * 20_000,
    "question marks": "?" * 2_000,
    "a word": "x" * 20_000,
    "words": "word " * 4_000,
    "nothing": "",
}


@pytest.mark.parametrize("text", ODD.values(), ids=ODD)
def test_odd_text_takes_a_moment(text: str) -> None:
    """As answer, gold and question; a moment, and nothing is taken for a number it is not."""
    start = time.process_time()
    for question in (Question("How much?"), Question("Gibt es das?", "de"), Question(text)):
        for answer, gold in ((text, "$5.2 million"), ("$5.2 million", text), (text, text + " x")):
            decide_answer([answer], [[gold]], question)
        decide_answer(["Yes, " + text, "1"], [["Yes, 1 " + text]], question)
    assert time.process_time() - start < 4
    assert verdict(text, "$5.2 million") != "correct"


def test_numbers_of_very_long_answers_are_not_read() -> None:
    """They are undecided, for a person to read."""
    assert verdict("12 " + "x" * MAX_READ, "12") == "undecided"


def test_huge_exponents_and_long_digits_are_words() -> None:
    """They equal themselves, and no number."""
    for text in ("1e999999999", "9" * 4_000):
        assert not any(q.value > 10**30 for q in ParsedAnswer.parse(text).quantities)
        assert verdict(text, text) == "correct"
        assert verdict("1", text) == "undecided"
