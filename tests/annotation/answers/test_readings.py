"""How numbers, dates and units are read, whatever the text."""

from __future__ import annotations

import time
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagetrail.annotation.answers.decision import MOST_ITEMS, decide_answer
from pagetrail.annotation.answers.item_decision import are_similar, decide_item
from pagetrail.annotation.answers.parsed_answer import MAX_READ, ParsedAnswer
from pagetrail.annotation.answers.question import Question, Tolerance


def verdict(answer: str, gold: str, language: str | None = None) -> str:
    """The verdict on one item."""
    return decide_item(
        ParsedAnswer.parse(answer, language), ParsedAnswer.parse(gold, language)
    ).verdict


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
    ("answer", "gold", "language", "expected"),
    [
        ("24.3", "24.26", None, "incorrect"),
        ("24.264", "24.26", None, "correct"),
        ("24.266", "24.26", None, "incorrect"),
        ("$5.2 million", "5,200,000 USD", None, "correct"),
        ("5.2 million", "$5.2 million", None, "undecided"),
        ("€5.2 million", "$5.2 million", None, "undecided"),
        ("45 percent", "45%", None, "correct"),
        ("0.45", "45%", None, "undecided"),
        ("-123", "(123)", None, "correct"),
        ("123", "(123)", None, "incorrect"),
        ("not $2,018mn but $2,100mn", "$2,100mn", None, "undecided"),
        ("not $2,018mn but $2,100mn", "$2,200mn", None, "incorrect"),
        ("more than 45%", "45%", None, "undecided"),
        ("March 3, 2020", "2020-03-03", None, "correct"),
        ("3.3.2020", "3. März 2020", "de", "correct"),
        ("May 3, 2020", "March 3, 2020", None, "incorrect"),
        ("3/4/2020", "March 4, 2020", None, "correct"),
        ("3/4/2020", "3 avril 2020", "fr", "correct"),
        ("10:08 PM", "10:08AM", None, "incorrect"),
        ("(514) 312-0292", "514-312-0292", None, "correct"),
        ("Boeing 747", "Boeing 737", None, "incorrect"),
        ("10% to 20%", "10-20%", None, "correct"),
        ("1,234 m", "1,234 km", None, "undecided"),
        ("1,234 kilometres", "1,234 km", None, "correct"),
        ("in 2018, $2,100 million", "$2,018 million", None, "incorrect"),
    ],
)
def test_one_item(answer: str, gold: str, language: str | None, expected: str) -> None:
    """A part of the rule each."""
    assert verdict(answer, gold, language) == expected


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


def test_the_best_variant_decides() -> None:
    """Correct by any is correct, whatever the others say."""
    decision = decide_answer(["7 otters"], [["8"], ["7"], ["seven badgers"]])
    assert decision is not None and decision.verdict == "correct"
    assert decide_answer(["7"], []) is None


def test_long_lists_are_compared_by_what_is_left_after_exact_matches() -> None:
    """Many equal items do not count against the limit; many that are not equal do."""
    gold = [f"item number {n}" for n in range(400)]
    changed = [*gold[:-1], "itm number 399"]
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
    assert decide_item(a, b).verdict in ("correct", "undecided", "incorrect")
    assert are_similar(a, b) == are_similar(b, a)


@given(TEXTS, LANGUAGES)
def test_an_answer_says_what_it_says(text: str, language: str | None) -> None:
    """Anything with a word or a digit is correct against itself."""
    parsed = ParsedAnswer.parse(text, language)
    if parsed.words:
        assert decide_item(parsed, parsed).verdict == "correct"


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
    "nothing": "",
}


@pytest.mark.parametrize("text", ODD.values(), ids=ODD)
def test_odd_text_takes_a_moment(text: str) -> None:
    """As an answer and as gold; far below a second, and nothing is taken for a number it is not."""
    start = time.process_time()
    for answer, gold in ((text, "$5.2 million"), ("$5.2 million", text), (text, text + " x")):
        verdict(answer, gold)
        verdict(answer, gold, "de")
    assert time.process_time() - start < 2
    assert verdict(text, "$5.2 million") != "correct"


def test_numbers_of_very_long_answers_are_not_read() -> None:
    """They are undecided, for a person to read."""
    assert verdict("12 " + "x" * MAX_READ, "12") == "undecided"


def test_huge_exponents_and_long_digits_are_words() -> None:
    """They equal themselves, and no number."""
    for text in ("1e999999999", "9" * 4_000):
        assert not any(q.value > 10**30 for q in ParsedAnswer.parse(text).quantities)
        assert verdict(text, text) == "correct"
        assert verdict("1", text) == "incorrect"
