"""Each case of the rule: what it calls right, what wrong, and what it leaves to people and why."""

from __future__ import annotations

import pytest

from pagetrail.annotation.answers.cases import CASES
from pagetrail.annotation.answers.decision import AnswerDecision, decide_answer
from pagetrail.annotation.answers.question import Question, Tolerance


def decide(
    question: str, gold: str | list[str], answer: str | list[str], language: str | None = None
) -> AnswerDecision:
    """The decision on one answer; several items are given as lists."""
    texts = [[item] if isinstance(item, str) else item for item in (gold, answer)]
    decision = decide_answer(texts[1], [texts[0]], Question(question, language))
    assert decision is not None
    return decision


def outcome(question: str, gold: str, answer: str, language: str | None = None) -> tuple[str, str]:
    """Verdict and what decided; of an undecided answer the reason."""
    decision = decide(question, gold, answer, language)
    return decision.verdict, decision.reason or decision.decided_by


Rows = list[tuple[str, str, str, tuple[str, str]]]
RIGHT_TEXT, RIGHT_WORDS = ("correct", "exact_match"), ("correct", "same_words")
OTHER_TEXT, OTHER_WORDS = ("undecided", "other_text"), ("undecided", "other_words")
RIGHT, WRONG = ("correct", "quantity"), ("incorrect", "quantity")
YES_RIGHT, YES_WRONG = ("correct", "polar"), ("incorrect", "polar")

SAME_TEXT: Rows = [
    ("Who won?", "the Acme Inc.", "ACME", RIGHT_TEXT),
    ("Who won?", "Acme Inc.", "Acme Ltd", OTHER_TEXT),
    ("Who chairs it?", "Prof. Dr. Jane Miller", "Jane Miller", RIGHT_TEXT),
    ("Who chairs it?", "Mr. Miller", "Ms. Miller", OTHER_TEXT),
    ("Who chairs it?", "Jane Miller", "J. Miller", RIGHT_TEXT),
    ("Which river?", "Rhône", "Rhone", RIGHT_TEXT),
    ("Which disease?", "hepatitis A", "hepatitis", OTHER_TEXT),
    ("Which?", "our allowable costs", "its allowable costs", RIGHT_TEXT),
    ("Which heading?", "No. of cases", "Number of cases", RIGHT_TEXT),
    ("Which article?", "Article 5", "Art. 5", RIGHT_TEXT),
    ("Which city?", "Canberra", "Camberra", OTHER_TEXT),
    ("Which segment?", "North America", "South America", OTHER_TEXT),
    ("What is the outlook?", "stable", "unstable", OTHER_TEXT),
    (
        "Which unit had the highest margin in 2020?",
        "The Consumer Health unit had the highest margin in 2020.",
        "Consumer Health",
        RIGHT_WORDS,
    ),
    (
        "Which unit had the highest margin in 2020?",
        "The Consumer Health unit had the highest margin in 2020.",
        "The Animal Health unit had the highest margin in 2020.",
        OTHER_TEXT,
    ),
    ("What is the outlook?", "stable", "The outlook is stable", RIGHT_WORDS),
    ("Which optimiser is used?", "Adam", "Adam is not used", OTHER_TEXT),
    ("What was proposed?", "Nothing was proposed.", "It was proposed.", OTHER_TEXT),
    ("Did Alder or Birch grow?", "Alder grew", "Birch grew", OTHER_TEXT),
    (
        "Who owns whom, of Alder and Birch?",
        "Alder is over Birch",
        "Birch is over Alder",
        OTHER_TEXT,
    ),
    ("Compare Alder with Birch.", "Alder is larger", "Birch is larger", OTHER_TEXT),
    ("Which version is needed?", "Version 2.10", "2.10", RIGHT_WORDS),
    ("Which version is needed?", "2.10", "2.1", OTHER_TEXT),
    ("Which version is needed?", "2.10", "2.11", WRONG),
]

QUANTITIES: Rows = [
    ("What is the ratio?", "24.26", "24.26x", RIGHT),
    ("What is the ratio?", "24.26", "24.264", RIGHT),
    ("What is the ratio?", "24.26", "24.3", WRONG),
    ("How much was raised?", "It raised $9.4 billion in cash.", "9.4 billion dollars", RIGHT),
    ("How much was raised?", "It raised $9.4 billion in cash.", "$9.4 million", WRONG),
    (
        "How much was raised?",
        "It raised $9.41 billion in cash.",
        "$9.4 billion",
        ("undecided", "less_precise"),
    ),
    ("Who raised cash?", "It raised $9.4 billion in cash.", "9.4 billion dollars", OTHER_TEXT),
    ("How many shops?", "969", "969 shops", RIGHT),
    ("How many shops?", "969", "969 offices", OTHER_WORDS),
    ("How many shops?", "969", "982, down from 969", ("undecided", "several_quantities")),
    ("How many of the 12 directors are women?", "Of the 12 directors, four are.", "4", RIGHT),
    ("How many shops opened in 2019?", "In 2019, 12 shops opened.", "12", RIGHT),
    ("What share?", "45 %", "45 percent", RIGHT_TEXT),
    ("What share?", "45 %", "54 %", WRONG),
    ("What share?", "45 %", "0.45", ("undecided", "percent_or_share")),
    ("What share?", "45 %", "45", ("undecided", "unit_missing")),
    ("What percentage?", "45 %", "45", RIGHT),
    ("What is the change?", "2.1 %", "2.1 percentage points", ("undecided", "other_unit")),
    ("How long is it?", "24 months", "2 years", ("undecided", "other_unit")),
    ("How long is it?", "24 months", "24 years", ("undecided", "other_unit")),
    ("How long is it?", "24 months", "12 months", WRONG),
    ("How many months is it?", "24 months", "24", RIGHT),
    ("What is the price?", "$5.2 million", "€5.2 million", ("undecided", "other_unit")),
    ("What is the price?", "$5.2 million", "$5.2", ("undecided", "scale_missing")),
    ("What is the price, in millions?", "$5.2 million", "$5.2", RIGHT),
    ("What is the price, in millions?", "5.2", "$5.2 million", RIGHT),
    ("What is the price, in millions?", "5.2", "$5.2 billion", WRONG),
    ("How many members?", "815", "815 million", ("undecided", "scale_missing")),
    ("How many members?", "815", "8,150", WRONG),
    ("How many employees?", "more than 3,000", "over 3,000 employees", RIGHT),
    ("How many employees?", "more than 3,000", "3,000", ("undecided", "limit")),
    ("How many employees?", "more than 3,000", "at least 3,000", ("undecided", "limit")),
    ("How many requests?", "up to two a year", "at most 2 a year", RIGHT),
    ("How often was stock turned over?", "It turned its stock over 3.1 times.", "3.1", RIGHT),
    ("How often was stock turned over?", "It turned its stock over 3.1 times.", "3.6", WRONG),
    ("What is the income?", "($235) million", "-$235 million", RIGHT_TEXT),
    ("What is the income?", "($235) million", "a loss of $235 million", RIGHT),
    ("What is the income?", "($235) million", "$235 million", WRONG),
    ("What is the income?", "(235)", "-235", RIGHT_TEXT),
    ("What is the growth?", "-2.4 %", "a decrease of 2.4 %", RIGHT),
    ("What is the growth?", "2.4 %", "a decrease of 2.4 %", ("undecided", "decline_or_minus")),
    ("By how much did it fall?", "-2.4 %", "2.4 %", ("undecided", "decline_or_minus")),
    ("By how much did it fall?", "It fell by 2.4 %.", "2.4 %", RIGHT),
    (
        "By how much did it fall?",
        "It fell by 2.4 %.",
        "It rose by 2.4 %.",
        ("undecided", "decline_or_minus"),
    ),
    ("How many are paid?", "12 are not paid.", "12", ("undecided", "negation")),
    ("What is the price?", "CHF 1.250", "CHF 1250", ("undecided", "unclear_number")),
    ("What is the price?", "CHF 1.250", "CHF 1.25", ("undecided", "unclear_number")),
    ("What is the rate?", "2e5", "2e-5", WRONG),
    ("How many figures?", "Only one figure shows two-finger scrolling.", "1", OTHER_TEXT),
    ("How many figures show 2 fingers?", "Some show 2 fingers.", "3", OTHER_TEXT),
    ("How many are not paid?", "12 of them are not paid.", "12", RIGHT),
    ("What are the costs, in millions?", "$3,362 million", "3362", RIGHT),
    ("What are the costs, in millions?", "$0 million", "100", WRONG),
    ("How many cases?", "0", "None", OTHER_TEXT),
    ("How many cases?", "None", "0", OTHER_TEXT),
    ("How many cases?", "14", "not found", OTHER_TEXT),
    ("What was the record?", "15-12", "3", OTHER_TEXT),
    ("What was the record?", "15-12", "15–12", RIGHT_TEXT),
    ("What was the record?", "15-12", "12-15", ("undecided", "other_order")),
    ("What share is it?", "1/3", "1/4", WRONG),
    ("What share is it?", "1/3", "0.333", ("undecided", "less_precise")),
]

POLAR: Rows = [
    ("Did cash fall?", "Yes, cash fell by 31%.", "Yes", YES_RIGHT),
    ("Did cash fall?", "Yes, cash fell by 31%.", "No", YES_WRONG),
    ("Did cash fall?", "Yes, cash fell by 31%.", "Yes, by 31%", YES_RIGHT),
    ("Did cash fall?", "Yes, cash fell by 31%.", "Yes, by 13%", OTHER_WORDS),
    ("Did cash fall?", "Yes", "Yes and no", OTHER_TEXT),
    ("Did cash fall?", "Yes", "not stated", OTHER_TEXT),
    (
        "Did cash fall, and if so by how much?",
        "Yes, by 31%",
        "Yes",
        ("undecided", "several_questions"),
    ),
    ("Did cash fall, and if so by how much?", "Yes, by 31%", "No", YES_WRONG),
    ("Did cash not fall?", "Yes", "No", OTHER_TEXT),
    ("Did cash fall or rise?", "Yes", "No", OTHER_TEXT),
    ("Which directors resigned?", "Yes, two did: Ann and Bob.", "Yes", OTHER_TEXT),
    ("Which directors resigned?", "Yes, two did: Ann and Bob.", "No", OTHER_TEXT),
    ("Is it mentioned?", "No", "No. of pages: 5", OTHER_TEXT),
    ("Is it mentioned?", "No", "No, it is not mentioned", YES_RIGHT),
    ("Is it mentioned?", "No", "No, it is mentioned", OTHER_WORDS),
    ("Is it mentioned?", "No", "None", YES_RIGHT),
    ("Was any product recalled?", "No product was recalled.", "No", YES_RIGHT),
    ("Was any product recalled?", "No doubt, all were.", "No", OTHER_TEXT),
    ("Is the code available?", "The code is not available.", "No", YES_RIGHT),
    ("Is the code available?", "The code is not available.", "Yes", YES_WRONG),
    ("Is the code available?", "The code is available on request.", "Yes", OTHER_TEXT),
]

GERMAN: Rows = [
    ("Stieg der Umsatz?", "Ja, der Umsatz stieg um 4,2 %.", "Ja", YES_RIGHT),
    ("Stieg der Umsatz?", "Ja, der Umsatz stieg um 4,2 %.", "Nein", YES_WRONG),
    ("Stieg der Umsatz?", "Ja, der Umsatz stieg um 4,2 %.", "ja, um 4,2 %", YES_RIGHT),
    ("Stieg der Umsatz?", "Ja, der Umsatz stieg um 4,2 %.", "Doch", YES_RIGHT),
    ("Haftet der Vermieter?", "Nein, er haftet nicht.", "Nein, sie haftet", OTHER_WORDS),
    ("Gibt es Klagen?", "Nein", "Keine", YES_RIGHT),
    ("Gibt es Klagen?", "Keine Klagen bekannt.", "Nein", YES_RIGHT),
    ("Gibt es Klagen?", "Keine Klagen bekannt.", "Ja", YES_WRONG),
    ("Gibt es keine Klagen?", "Doch", "Nein", OTHER_TEXT),
    ("Wer klagt?", "Ja, zwei.", "Nein", OTHER_TEXT),
    ("Wie viele?", "1.250", "1250", RIGHT_TEXT),
    ("Was kostet es?", "CHF 1.250", "1250 CHF", RIGHT),
    ("Wie lange?", "vier Jahre", "4 Jahre", RIGHT_TEXT),
    ("Wie lange?", "vier Jahre", "48 Monate", ("undecided", "other_unit")),
]

DATES: Rows = [
    ("When?", "March 3, 2020", "2020-03-03", RIGHT_TEXT),
    ("When?", "March 3, 2020", "May 3, 2020", ("incorrect", "date")),
    ("When?", "June 2031", "30 June 2031", ("undecided", "less_precise")),
    ("When?", "June 2031", "2031", ("undecided", "less_precise")),
    ("When?", "June 2031", "2030", ("incorrect", "date")),
    ("When did it end?", "It ended on 9 November 1989.", "9 November 1989", ("correct", "date")),
    ("When did it end?", "It ended on 9 November 1989.", "9 October 1989", ("incorrect", "date")),
    ("When did it end?", "It ended before 1989.", "1989", OTHER_WORDS),
    ("In which year?", "2014", "in 2014", ("correct", "date")),
    ("In which year?", "2014", "2013", ("incorrect", "date")),
    ("In which year?", "2014", "2014 and 2015", OTHER_TEXT),
    ("When?", "early 1900s", "1900", OTHER_TEXT),
    ("When?", "early 1900s", "1900s", OTHER_TEXT),
    ("When?", "3/4/2020", "4 March 2020", RIGHT_TEXT),
    ("Which quarter?", "Q3 2018", "third quarter of 2018", RIGHT_TEXT),
    ("Which quarter?", "Q3 2018", "Q2 2018", ("incorrect", "date")),
    ("Which year?", "FY2019", "2019", ("undecided", "less_precise")),
    ("When?", "3/4/2020", "3 April 2020", ("undecided", "less_precise")),
    ("When?", "8:30 a.m.", "8:30 p.m.", ("incorrect", "date")),
    ("When?", "8:30 a.m.", "8:30", ("undecided", "less_precise")),
    ("When?", "5 April 1884, 10:45 a.m.", "10:45 a.m., April 5, 1884", ("correct", "date")),
]

IDENTIFIERS: Rows = [
    ("Which aircraft?", "Boeing 737", "Boeing 747", ("incorrect", "text_with_numbers")),
    ("Which aircraft?", "Boeing 737", "Airbus 320", OTHER_TEXT),
    ("Which model?", "GPT-4", "GPT4", RIGHT_TEXT),
    ("Which version?", "version 2.10", "version 2.1", OTHER_TEXT),
    ("Which height?", "height 1.2 m", "height 1.20 m", OTHER_TEXT),
    ("Which number?", "514-312-0292", "(514) 312 0292", ("correct", "text_with_numbers")),
    ("Which number?", "514-312-0292", "514-312-0229", ("incorrect", "text_with_numbers")),
    ("Which ages?", "18-34", "18 to 34", RIGHT_TEXT),
    ("Which ages?", "18-34", "between 18 and 34", RIGHT_TEXT),
    ("Which ages?", "18-34", "18-43", ("incorrect", "text_with_numbers")),
    ("Which ages?", "18-34", "18", OTHER_TEXT),
]


@pytest.mark.parametrize(("question", "gold", "answer", "expected"), SAME_TEXT)
def test_text(question: str, gold: str, answer: str, expected: tuple[str, str]) -> None:
    """Right if nothing differs but form, or words of the question; never wrong."""
    assert outcome(question, gold, answer) == expected


@pytest.mark.parametrize(("question", "gold", "answer", "expected"), QUANTITIES)
def test_one_quantity(question: str, gold: str, answer: str, expected: tuple[str, str]) -> None:
    """Value, scale, unit, limit, direction and negation; a sentence if a quantity is asked for."""
    assert outcome(question, gold, answer) == expected


@pytest.mark.parametrize(("question", "gold", "answer", "expected"), POLAR)
def test_polar_questions(question: str, gold: str, answer: str, expected: tuple[str, str]) -> None:
    """By the leading word, where the question asks for one and for nothing else."""
    assert outcome(question, gold, answer) == expected


@pytest.mark.parametrize(("question", "gold", "answer", "expected"), GERMAN)
def test_german(question: str, gold: str, answer: str, expected: tuple[str, str]) -> None:
    """Polar questions begin with any verb; numbers are read as German writes them."""
    assert outcome(question, gold, answer, "de") == expected


@pytest.mark.parametrize(("question", "gold", "answer", "expected"), DATES)
def test_dates(question: str, gold: str, answer: str, expected: tuple[str, str]) -> None:
    """Those that contradict each other are wrong; a less precise one does not."""
    assert outcome(question, gold, answer) == expected


@pytest.mark.parametrize(("question", "gold", "answer", "expected"), IDENTIFIERS)
def test_identifiers(question: str, gold: str, answer: str, expected: tuple[str, str]) -> None:
    """The same words and numbers in the same order."""
    assert outcome(question, gold, answer) == expected


@pytest.mark.parametrize(
    ("question", "gold", "answer", "expected"),
    [
        ("Which?", ["Alder", "Birch"], ["birch", "the Alder"], ("correct", None)),
        ("Which?", "Alder, Birch, and Cedar", ["Cedar", "Alder", "Birch"], ("correct", None)),
        ("Which?", ["Alder", "Birch", "Cedar"], "Alder; Birch; Cedar", ("correct", None)),
        ("Which?", "Alder, Birch, and Cedar", "Cedar, Birch and Alder", ("correct", None)),
        ("Which?", "Alder, Birch, and Cedar", "Alder and Birch", ("undecided", "other_text")),
        ("Which?", ["Alder", "Birch", "Cedar"], ["Alder", "Birch"], ("incorrect", None)),
        ("Which?", ["Alder", "Birch", "Cedar"], "Alder and Birch", ("undecided", "joined_items")),
        (
            "Who sued?",
            "Alder sued Birch and Cedar",
            "Cedar and Alder sued Birch",
            ("undecided", "other_text"),
        ),
        ("Which?", ["7", "8"], ["7", "9"], ("incorrect", None)),
        ("Which?", ["Alder", "7"], ["Alder", "8"], ("incorrect", None)),
        ("Which?", ["Alder", "Birch"], ["Alder", "Fir"], ("undecided", "other_text")),
        (
            "How many green and grey ones?",
            ["3", "1"],
            ["1 green", "3 grey"],
            ("undecided", "other_words"),
        ),
        ("What in 2019 and 2020?", ["3", "1"], ["1", "3"], ("undecided", "other_order")),
        ("What in 2019 and 2020?", ["3", "1"], ["3", "1"], ("correct", None)),
        ("Which?", "Paris", ["Paris", "Lyon"], ("incorrect", None)),
    ],
)
def test_lists(
    question: str, gold: str | list[str], answer: str | list[str], expected: tuple[str, str | None]
) -> None:
    """One to one, in any order unless the question asks for one; joined text is split."""
    decision = decide(question, gold, answer)
    assert (decision.verdict, decision.reason) == expected


def test_of_several_variants_a_right_one_wins_and_then_an_undecided_one() -> None:
    """A wrong one never blames somebody where another is undecided."""
    variants = [["8"], ["7"], ["seven badgers"]]
    verdicts = {}
    for answer in ("7", "seven badgers", "9"):
        decision = decide_answer([answer], variants, Question("How many?"))
        assert decision is not None
        verdicts[answer] = decision.verdict
    assert verdicts == {"7": "correct", "seven badgers": "correct", "9": "undecided"}
    wrong = decide_answer(["9"], [["8"], ["7"]])
    assert wrong is not None and wrong.verdict == "incorrect"


def test_a_campaign_can_tolerate_a_difference() -> None:
    """In a sentence too; relative to the gold, or in its own unit and scale."""
    question = Question("How much was raised?", tolerance=Tolerance(absolute=0.1))
    for answer, verdict in (("$5.3m", "correct"), ("$5.4m", "incorrect")):
        decision = decide_answer([answer], [["It raised $5.2 million."]], question)
        assert decision is not None and decision.verdict == verdict


def test_every_case_says_when_it_decides() -> None:
    """The documentation and ``decided_by`` follow from them."""
    assert len({case.name for case in CASES}) == len(CASES)
    assert all(case.correct and case.incorrect for case in CASES)
