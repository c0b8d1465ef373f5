"""Exact match, ANLS*, judgements, and which of them decides."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagetrail.annotation.answers.question import Question, Tolerance
from pagetrail.annotation.errors import MeasureError
from pagetrail.annotation.metrics.correctness import Rule, anls_star, decide, exact_match

# Output of MADQA's own evaluator (eval/metrics.py) with anls-star 1.0.1.
MADQA_CASES: list[tuple[str, Any, list[Any], float]] = [
    ("exact", "Paris", [["Paris"]], 1.0),
    ("case", "PARIS", [["paris"]], 1.0),
    ("one_edit", "Pariss", [["Paris"]], 0.8333333333333334),
    ("below_half", "Berlin", [["Paris"]], 0.0),
    ("half_boundary", "abcd", [["abxy"]], 0.5),
    ("list_missing", ["a"], [["a", "b"]], 0.5),
    ("list_duplicate", ["a", "a"], [["a"]], 0.5),
    ("string_vs_list", "a, b", [["a", "b"]], 0.0),
    ("gold_as_string", "x", ["x"], 1.0),
    ("dict_pred", {"a": 1}, [["a"]], 1.0),
    ("unicode_nfd", "cafe\u0301", [["caf\u00e9"]], 0.6),
]


@pytest.mark.parametrize(("name", "answer", "variants", "expected"), MADQA_CASES)
def test_anls_star_is_the_benchmarks(
    name: str, answer: Any, variants: list[Any], expected: float
) -> None:
    """The values of the benchmark's evaluator, to 1e-12."""
    assert anls_star(answer, variants).value == pytest.approx(expected, abs=1e-12)


def test_anls_star_without_gold_is_undefined() -> None:
    """Where the evaluator prints 0, there is nothing to compare with."""
    result = anls_star("x", [])
    assert (result.value, result.reason) == (None, "no_gold_answer")
    assert anls_star("x", [[]]).reason == "no_gold_answer"


def test_a_number_is_an_answer() -> None:
    """Where the evaluator stops with a TypeError, 42 is the answer "42"."""
    assert anls_star(42, [["42"]]).value == 1


def test_no_answer_scores_nothing() -> None:
    """An empty list against gold is 0, as in the benchmark: nothing was answered."""
    assert anls_star([], [["a"]]).value == 0


def test_the_best_variant_counts() -> None:
    """Against "12" and "twelve", "twelve." is one edit of seven from the second: 6/7."""
    result = anls_star("twelve.", [["12"], ["twelve"]])
    assert result.value == pytest.approx(6 / 7, abs=1e-12)
    assert result.counts == {"answers": 1, "variants": 2}


def test_case_is_folded_beyond_lower_case() -> None:
    """ß and SS are the same letters without case; lower-casing alone keeps them apart."""
    assert anls_star("STRASSE", [["Straße"]]).value == 1


WORDS = st.lists(st.text("ab", min_size=1, max_size=4), max_size=4)


@given(WORDS, WORDS.filter(bool))
def test_the_matching_of_answers_is_the_best_there_is(left: list[str], right: list[str]) -> None:
    """The package's assignment finds what trying all assignments finds."""
    best = max(
        sum(_similarity(a, b) for a, b in zip(left_order, right_order, strict=False))
        for left_order in itertools.permutations(left)
        for right_order in itertools.permutations(right)
    )
    expected = best / max(len(left), len(right))
    assert anls_star(left, [right]).value == pytest.approx(expected, abs=1e-12)


def _similarity(a: str, b: str) -> float:
    """1 - edit distance / longer length; 0 below one half."""
    rows = [list(range(len(b) + 1))]
    for i, x in enumerate(a, start=1):
        row = [i]
        for j, y in enumerate(b, start=1):
            row.append(min(rows[-1][j] + 1, row[-1] + 1, rows[-1][j - 1] + (x != y)))
        rows.append(row)
    value = 1 - rows[-1][-1] / max(len(a), len(b))
    return value if value >= 0.5 else 0.0


@given(WORDS.filter(bool))
def test_an_answer_matches_itself(answer: list[str]) -> None:
    """In any order, by both measures."""
    assert anls_star(answer[::-1], [answer]).value == 1
    assert exact_match(answer[::-1], [answer]) is True


@pytest.mark.parametrize(
    ("answer", "variants", "expected"),
    [
        (["The  Borough."], [["x"], ["the borough"]], True),
        (["1,200"], [["1200"]], True),
        (["b", "a"], [["a", "b"]], True),
        (["a"], [["a", "b"]], False),
        (["a", "a"], [["a"]], False),
        (["…?"], [["!"]], False),
        ([], [["a"]], False),
        (["a"], [], None),
    ],
)
def test_an_exact_match(
    answer: list[str], variants: list[list[str]], expected: bool | None
) -> None:
    """The same answers in any order, by what they say; punctuation alone says nothing."""
    assert exact_match(answer, variants) is expected


@pytest.mark.parametrize(
    ("answer", "judgement", "rule", "correct", "decided_by", "score"),
    [
        ("paris", None, "first", True, "exact_match", 1.0),
        ("Pariss", None, "first", False, "undecided", 0.0),
        ("Pariss", None, "anls_star", True, "anls_star", 5 / 6),
        ("Rome", None, "first", False, "undecided", 0.0),
        ("Rome", 1, "first", True, "judgement", 1.0),
        ("Rome", 0.5, "first", True, "judgement", 0.5),
        ("Paris", 0, "first", False, "judgement", 0.0),
        ("Paris", 0, "anls_star", True, "anls_star", 1.0),
        ("Paris", 0, "exact_match", True, "exact_match", 1.0),
        ("Pariss", None, "exact_match", False, "exact_match", 0.0),
        ("Rome", 0.5, "judgement", True, "judgement", 0.5),
    ],
)
def test_what_decides_is_stored(
    answer: str,
    judgement: float | None,
    rule: Rule,
    correct: bool,
    decided_by: str,
    score: float,
) -> None:
    """A judgement comes before the cases of the rule; or one rule alone."""
    decision = decide(answer, [["Paris"]], judgement, rule)
    assert (decision.correct, decision.decided_by) == (correct, decided_by)
    assert decision.score == pytest.approx(score, abs=1e-12)


def test_half_of_the_answer_is_enough_for_anls_alone() -> None:
    """With ``anls_star``, 0.5 is correct, a third is not; else every item has to be there."""
    assert decide(["a"], [["a", "b"]], rule="anls_star").correct is True
    assert decide(["a"], [["a", "b", "c"]], rule="anls_star").correct is False
    decision = decide(["a"], [["a", "b"]])
    assert (decision.correct, decision.decided_by, decision.score) == (False, "list", 0)


@pytest.mark.parametrize(
    ("answer", "gold", "correct", "decided_by", "reason"),
    [
        ("0.61", "0.83", False, "quantity", None),
        ("$6.489 billion", "$6,489 million", True, "quantity", None),
        ("6489", "$6,489 million", False, "undecided", "scale_missing"),
        ("$2,018mn or $2,100mn", "$2,100mn", False, "undecided", "several_quantities"),
        ("0.45", "45 %", False, "undecided", "percent_or_share"),
        ("3 March 2020", "March 3, 2020", True, "exact_match", None),
        ("Q3 2019", "Q3 2018", False, "date", None),
        ("Boeing 747", "Boeing 737", False, "text_with_numbers", None),
    ],
)
def test_what_decided_and_why_it_is_undecided(
    answer: str, gold: str, correct: bool, decided_by: str, reason: str | None
) -> None:
    """The case that decided, or why none did."""
    decision = decide(answer, [[gold]])
    assert (decision.correct, decision.decided_by, decision.reason) == (correct, decided_by, reason)


def test_a_judgement_settles_an_undecided_answer() -> None:
    """Undecided counts as incorrect until somebody judges it."""
    decision = decide("6489", [["$6,489 million"]], judgement=1)
    assert (decision.correct, decision.decided_by, decision.reason) == (True, "judgement", None)


def test_a_campaign_can_tolerate_a_difference() -> None:
    """Relative to the gold, or in its own unit and scale; fewer digits are wrong without one."""
    assert decide("24.3", [["24.26"]]).correct is False
    assert (
        decide("24.3", [["24.26"]], question=Question(tolerance=Tolerance(relative=0.005))).correct
        is True
    )
    within = Question(tolerance=Tolerance(absolute=0.1))
    assert decide("$5.3m", [["$5.2 million"]], question=within).correct is True
    assert decide("$5.4m", [["$5.2 million"]], question=within).correct is False


def test_separators_are_read_by_the_language() -> None:
    """“1.234” is a thousand and more in German, and little more than one in English."""
    assert decide("1234", [["1.234"]], question=Question(language="de")).correct is True
    assert decide("1234", [["1.234"]]).correct is False
    assert decide("1,234", [["1234"]], question=Question(language="de-AT")).correct is False


def test_where_nothing_decides_correctness_is_undefined() -> None:
    """No gold and no judgement, or a judgement asked for that nobody submitted."""
    hidden = decide("Paris", None)
    assert (hidden.correct, hidden.reason) == (None, "no_gold_answer")
    assert (hidden.exact, hidden.anls) == (None, None)
    unjudged = decide("Paris", [["Paris"]], rule="judgement")
    assert (unjudged.correct, unjudged.reason, unjudged.exact) == (None, "not_judged", True)


def test_a_judgement_decides_without_gold() -> None:
    """Hidden answers can still be judged."""
    assert decide("Paris", None, judgement=1).correct is True


@pytest.mark.parametrize("judgement", [0.7, -1, 2, float("nan")])
def test_an_unknown_judgement_is_refused(judgement: float) -> None:
    """Only 1, 0.5 and 0 mean something; the message names the value."""
    with pytest.raises(MeasureError, match=str(judgement)):
        decide("Paris", [["Paris"]], judgement)


@pytest.mark.parametrize("answer", [None, True, [None], [["Paris"]], [True]])
def test_what_is_no_answer_is_refused(answer: Any) -> None:
    """Neither text nor a number: a typed error, never a score."""
    with pytest.raises(MeasureError, match="is no answer"):
        decide(answer, [["Paris"]])
