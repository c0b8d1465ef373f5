"""The cases in which an answer item can be decided; everything else is undecided.

Each case says that an item is correct or incorrect, that it is undecided and why, or that the case
does not apply. The first case that decides counts, in the order of ``CASES``; once one applied and
left the item undecided, a later one can only find that it is correct.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from decimal import Decimal
from typing import ClassVar, NamedTuple, Protocol

from pagetrail.annotation.answers.anls import TOO_LONG
from pagetrail.annotation.answers.function_words import LEGAL_FORMS, TITLES, function_words
from pagetrail.annotation.answers.item_decision import (
    ItemDecider,
    ItemDecision,
    Reason,
    Verdict,
)
from pagetrail.annotation.answers.parsed_answer import ParsedAnswer, stem, without_articles
from pagetrail.annotation.answers.parsed_question import ParsedQuestion
from pagetrail.annotation.answers.quantity_comparison import QuantityComparison

MAX_IDENTIFIER_TOKENS = 8
"""Longer texts are no identifier, range or date."""

Outcome = tuple[Verdict, Reason | None] | None
"""Verdict and reason; None where the case does not apply."""

_CORRECT: Outcome = ("correct", None)
_INCORRECT: Outcome = ("incorrect", None)
_PLAIN_NUMBER = re.compile(r"\d{1,25}(?:\.\d{1,25})?")
_CLAUSE_END = re.compile(r"[.;:!?](?=\s|$)|,(?=\s)")


class Comparison(NamedTuple):
    """An answer item and a gold item under a question."""

    answer: ParsedAnswer
    gold: ParsedAnswer
    question: ParsedQuestion


class Case(Protocol):
    """A kind of gold and answer that can be compared.

    Attributes:
        name: as ``decided_by`` states it.
        applies, correct, incorrect: what it compares, and when it decides, for the documentation.
    """

    name: ClassVar[ItemDecider]
    applies: ClassVar[str]
    correct: ClassVar[str]
    incorrect: ClassVar[str]

    def decide(self, compared: Comparison) -> Outcome:
        """The verdict; None where the case does not apply."""


class ExactMatch:
    """The same text."""

    name: ClassVar[ItemDecider] = "exact_match"
    applies: ClassVar[str] = "anything"
    correct: ClassVar[str] = (
        "equal but for case, punctuation, accents that one leaves out, articles, possessives, "
        "and a title or legal form in one of them; a word may be abbreviated with a full stop"
    )
    incorrect: ClassVar[str] = "never"

    def decide(self, compared: Comparison) -> Outcome:
        """By all words, in order; “2.10” is not “2.1”."""
        answer, gold = compared.answer, compared.gold
        if not answer.key:
            return None
        if answer.key == gold.key:
            return _CORRECT
        name, additions = _name_and_additions(answer.key)
        gold_name, gold_additions = _name_and_additions(gold.key)
        is_shorter = additions <= gold_additions or gold_additions <= additions
        if not name or not is_shorter or len(name) != len(gold_name):
            return None
        is_same = all(
            word == other
            or _differ_by_accents(word, other)
            or (word in answer.abbreviations and other.startswith(word))
            or (other in gold.abbreviations and word.startswith(other))
            for word, other in zip(name, gold_name, strict=True)
        )
        return _CORRECT if is_same else None


class Polar:
    """Yes or no, where the question asks for it."""

    name: ClassVar[ItemDecider] = "polar"
    applies: ClassVar[str] = (
        "answers to a question that asks for yes or no, is not negated, and offers no alternatives"
    )
    correct: ClassVar[str] = (
        "the same leading word, and what follows, if anything, is a passage of gold or question "
        "with the same negation; not for questions that ask for more"
    )
    incorrect: ClassVar[str] = "the opposite leading word"

    def decide(self, compared: Comparison) -> Outcome:
        """Only of questions that are not negated and offer no alternatives."""
        answer, gold, question = compared
        if not question.is_polar or question.is_negated or question.has_alternatives:
            return None
        gold_lead, answer_lead = self.lead(gold, question), self.lead(answer, question)
        if gold_lead is None or answer_lead is None:
            return None
        if gold_lead != answer_lead:
            return _INCORRECT
        rest = self._rest(answer)
        if question.is_compound:
            return "undecided", "several_questions"
        if self._is_passage(rest, compared, is_yes=answer_lead):
            return _CORRECT
        return "undecided", "other_words"

    def lead(self, item: ParsedAnswer, question: ParsedQuestion) -> bool | None:
        """True for yes, False for no; None where it begins with neither or says both."""
        words, tokens = function_words(item.language), item.tokens
        if not tokens:
            return None
        is_yes, is_no = tokens[0] in words.yes, tokens[0] in words.no | words.none
        following = [token for token in tokens[1:3] if token not in words.conjunctions]
        if (is_yes or is_no) and (words.no if is_yes else words.yes).intersection(following[:1]):
            return None
        if is_yes:
            return True
        if is_no and (
            tokens[0] not in words.none  # it cannot belong to a noun
            or _is_alone(item)
            or tokens[1] in question.tokens
        ):
            return False
        return self._restated(item, question)

    def _restated(self, item: ParsedAnswer, question: ParsedQuestion) -> bool | None:
        """Whether it repeats the question as a statement, or denies it once."""
        content, negated = self._content(item.tokens, item.language)
        asked, _ = self._content(question.parsed.tokens, item.language)
        if not content or sorted(content) != sorted(asked) or negated > 1 or question.is_compound:
            return None
        return negated == 0

    def _rest(self, answer: ParsedAnswer) -> tuple[str, ...]:
        """What follows the leading word; all of it where there is none, or it belongs to a noun."""
        words, tokens = function_words(answer.language), answer.tokens
        leads = words.yes | words.no | words.none
        is_lead = tokens[0] in leads and (tokens[0] not in words.none or _is_alone(answer))
        return tokens[1:] if is_lead else tokens

    def _is_passage(self, rest: tuple[str, ...], compared: Comparison, *, is_yes: bool) -> bool:
        """Whether it is a passage of gold or question with the same negation.

        “No” denies the question, so a passage of it needs one negation after “no”, and none after
        “yes”.
        """
        plain, negated = self._content(rest, compared.answer.language)
        if not plain:
            return negated <= (0 if is_yes else 1)
        passages = [
            self._content(
                ParsedAnswer.parse(clause, compared.gold.language).tokens, compared.gold.language
            )
            for clause in _clauses(compared.gold)
        ]
        asked, _ = self._content(compared.question.parsed.tokens, compared.answer.language)
        passages.append((asked, 0 if is_yes else 1))
        return any(
            negated == other_negated and _contains(tokens, plain)
            for tokens, other_negated in passages
        )

    def _content(self, tokens: Sequence[str], language: str) -> tuple[list[str], int]:
        """The stems of the words with a meaning, and how many words deny something."""
        words = function_words(language)
        content = [token for token in tokens if token not in words.light | words.articles]
        plain = [stem(token) for token in content if token not in words.negations]
        return plain, len(content) - len(plain)


class OneQuantity:
    """One quantity in answer and gold."""

    name: ClassVar[ItemDecider] = "quantity"
    applies: ClassVar[str] = (
        "one quantity in answer and gold, without years and numbers of the question; gold may be a "
        "sentence if the question asks for a quantity"
    )
    correct: ClassVar[str] = (
        "value, unit, limit, direction and negation agree, and the answer’s other words are "
        "in gold or question"
    )
    incorrect: ClassVar[str] = "the values differ in the same unit"

    def decide(self, compared: Comparison) -> Outcome:
        """Gold may be a sentence if the question asks for a quantity."""
        answer, gold, question = compared
        if not (gold.is_quantity or question.asks_quantity):
            return None
        if gold.has_only_periods and not question.asks_quantity:
            return None
        if not answer.all_quantities or not gold.all_quantities:
            return None
        if any(item.periods or item.has_decade for item in (answer, gold)):
            return None
        quantities = answer.quantities_besides(question.numbers) or answer.quantities
        gold_quantities = (
            gold.quantities if gold.is_quantity else gold.quantities_besides(question.numbers)
        )
        if len(gold_quantities) != 1 or (gold.has_vague_number and not gold.is_quantity):
            return None
        if len(quantities) != 1:
            return "undecided", "several_quantities"
        figures = answer.figure(quantities[0]), gold.figure(gold_quantities[0])
        verdict, reason = QuantityComparison(answer, gold, question, *figures).decide()
        is_number = _starts_with_zero(answer) == _starts_with_zero(gold)
        if verdict == "correct" and (question.asks_identifier or not is_number):
            return None
        return verdict, reason


class OneDate:
    """One date, time, quarter or year in answer and gold."""

    name: ClassVar[ItemDecider] = "date"
    applies: ClassVar[str] = (
        "one date, time, quarter or year in answer and gold; gold may be a sentence if the "
        "question asks for a date"
    )
    correct: ClassVar[str] = "the same date, however it is written"
    incorrect: ClassVar[str] = "dates that contradict each other; a less precise one does not"

    def decide(self, compared: Comparison) -> Outcome:
        """Gold may be a sentence if the question asks for a date."""
        answer, gold, question = compared
        asked = frozenset(period.parts for period in question.parsed.periods_and_years)
        dates, gold_dates = (
            [period for period in item.periods_and_years if period.parts not in asked]
            or item.periods_and_years
            for item in (answer, gold)
        )
        if len(dates) != 1 or len(gold_dates) != 1:
            return None
        if not (answer.has_only_periods and gold.has_only_periods):
            return None
        words = function_words(answer.language)
        known = question.stems | set(map(stem, words.light | words.articles))
        if gold.stems - known and not question.asks_date:
            return None
        if not gold.periods and not answer.periods and question.asks_quantity:
            return None
        added = answer.stems - known - gold.stems
        modifiers, gold_modifiers = (
            {word for word in item.stated_words if word in words.time_modifiers}
            for item in (answer, gold)
        )
        if added or modifiers != gold_modifiers:
            return "undecided", "other_words"
        if answer.negations != gold.negations:
            return "undecided", "negation"
        date, gold_date = dates[0], gold_dates[0]
        if "fiscal" in question.parsed.cleaned.casefold():
            date = date._replace(is_fiscal=gold_date.is_fiscal)
        if (sorted(date.parts), date.is_fiscal) == (sorted(gold_date.parts), gold_date.is_fiscal):
            if date.is_ambiguous and not gold_date.is_ambiguous and "hour" in dict(date.parts):
                return "undecided", "less_precise"
            return _CORRECT
        return _INCORRECT if date.contradicts(gold_date) else ("undecided", "less_precise")


class Identifier:
    """A short identifier or a range: the same words, and numbers in the same order."""

    name: ClassVar[ItemDecider] = "text_with_numbers"
    applies: ClassVar[str] = (
        "short identifiers, ranges, and numbers without words such as telephone numbers"
    )
    correct: ClassVar[str] = "the same digits, however they are divided, of a number without words"
    incorrect: ClassVar[str] = (
        "the same words in the same order with other numbers, neither of which rounds to the other"
    )

    def decide(self, compared: Comparison) -> Outcome:
        """Equal words and numbers are an exact match already."""
        answer, gold, _ = compared
        if answer.phone_digits and gold.phone_digits:
            digits, gold_digits = answer.phone_digits, gold.phone_digits
            if digits == gold_digits:
                return _CORRECT
            return _INCORRECT if len(digits) == len(gold_digits) else ("undecided", "other_text")
        size = len(gold.key)
        if not 1 < size <= MAX_IDENTIFIER_TOKENS or len(answer.key) != size or "/" in gold.key:
            return None
        differing = [
            (token, gold_token)
            for token, gold_token in zip(answer.key, gold.key, strict=True)
            if token != gold_token
        ]
        if not differing or not all(_are_other_numbers(*pair) for pair in differing):
            return None
        if sorted(answer.key) == sorted(gold.key):
            return "undecided", "other_order"
        return _INCORRECT


class SameWords:
    """The same words, once those of the question are taken out of both."""

    name: ClassVar[ItemDecider] = "same_words"
    applies: ClassVar[str] = (
        "anything, unless the question offers alternatives or asks for yes or no"
    )
    correct: ClassVar[str] = (
        "equal, in the same order, once the question’s words are taken out of both"
    )
    incorrect: ClassVar[str] = "never"

    def decide(self, compared: Comparison) -> Outcome:
        """Not where the question's own words can answer it: alternatives, and polar questions."""
        answer, gold, question = compared
        can_answer = question.has_alternatives or question.is_polar
        asked = frozenset() if can_answer else frozenset(map(stem, question.tokens))
        words, gold_words = self._core(answer, asked), self._core(gold, asked)
        if not words or words != gold_words or not self._is_said_of_same(answer, gold, asked):
            return None
        return _CORRECT

    def _core(self, item: ParsedAnswer, asked: frozenset[str]) -> tuple[str, ...]:
        light = function_words(item.language).light
        tokens = [token for token in item.key if stem(token) not in asked]
        while tokens and tokens[0] in light:
            del tokens[0]
        while tokens and tokens[-1] in light:
            del tokens[-1]
        return without_articles(tokens, item.language)

    def _is_said_of_same(
        self, answer: ParsedAnswer, gold: ParsedAnswer, asked: frozenset[str]
    ) -> bool:
        """Whether the question's words in one are those in the other, in order, or fewer."""
        words = function_words(answer.language)
        ignored = words.light | words.articles
        short, long = sorted(
            (
                [stem(t) for t in item.key if stem(t) in asked and t not in ignored]
                for item in (answer, gold)
            ),
            key=len,
        )
        remaining = iter(long)
        return all(token in remaining for token in short)


CASES: tuple[Case, ...] = (
    ExactMatch(),
    Polar(),
    OneQuantity(),
    OneDate(),
    Identifier(),
    SameWords(),
)


def decide_item(answer: ParsedAnswer, gold: ParsedAnswer, question: ParsedQuestion) -> ItemDecision:
    """Whether an item says what an item of the gold says."""
    compared = Comparison(answer, gold, question)
    is_read = answer.is_read and gold.is_read
    undecided = ItemDecision("undecided", "no_case", "other_text" if is_read else TOO_LONG)
    for case in CASES if is_read else CASES[:1]:
        outcome = case.decide(compared)
        if outcome is None:
            continue
        decision = ItemDecision(outcome[0], case.name, outcome[1])
        is_open = undecided.decided_by != "no_case"
        if decision.verdict == "correct" or (decision.verdict == "incorrect" and not is_open):
            return decision
        if not is_open:
            undecided = decision
    return undecided


def _name_and_additions(key: tuple[str, ...]) -> tuple[tuple[str, ...], frozenset[str]]:
    """The words without titles before them and legal forms after them, and those."""
    start = next((n for n, token in enumerate(key) if token not in TITLES), len(key))
    end = len(key)
    while end > start + 1 and key[end - 1] in LEGAL_FORMS:
        end -= 1
    return key[start:end], frozenset((*key[:start], *key[end:]))


def _differ_by_accents(left: str, right: str) -> bool:
    """Whether one is the other as it is typed without accents."""
    if left.isascii() == right.isascii():
        return False
    plain, other = (
        "".join(c for c in unicodedata.normalize("NFD", word) if not unicodedata.combining(c))
        for word in (left, right)
    )
    return plain == other


def _is_alone(item: ParsedAnswer) -> bool:
    """Whether the first word is the only one, or a stop follows it."""
    return len(item.tokens) == 1 or re.match(r"\W*\w+\s*[,.;:!–-]", item.cleaned) is not None


def _clauses(item: ParsedAnswer) -> list[str]:
    return [clause for clause in _CLAUSE_END.split(item.cleaned) if clause.strip()]


def _contains(tokens: list[str], passage: list[str]) -> bool:
    """Whether a text contains a passage without a gap."""
    size = len(passage)
    return any(
        tokens[start] == passage[0] and tokens[start : start + size] == passage
        for start in range(len(tokens) - size + 1)
    )


def _are_other_numbers(left: str, right: str) -> bool:
    """Whether both are numbers that differ, also where one has fewer decimals."""
    if not (_PLAIN_NUMBER.fullmatch(left) and _PLAIN_NUMBER.fullmatch(right)):
        return False
    decimals = [len(number.partition(".")[2]) for number in (left, right)]
    places = min(decimals) if all(decimals) else max(decimals)
    return round(Decimal(left), places) != round(Decimal(right), places)


def _starts_with_zero(item: ParsedAnswer) -> bool:
    return re.match(r"\W*0\d", item.cleaned) is not None
