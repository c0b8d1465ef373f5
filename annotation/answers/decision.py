"""Is an answer correct? Its items are matched with the gold's one to one.

Results, pilots and review all decide by this (docs/metrics.md, Correctness).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_bipartite_matching

from pagetrail.annotation.answers.anls import TOO_LONG
from pagetrail.annotation.answers.cases import decide_item
from pagetrail.annotation.answers.function_words import function_words
from pagetrail.annotation.answers.item_decision import (
    ItemDecider,
    ItemDecision,
    Reason,
    Verdict,
)
from pagetrail.annotation.answers.parsed_answer import ParsedAnswer
from pagetrail.annotation.answers.parsed_question import ParsedQuestion
from pagetrail.annotation.answers.question import NO_QUESTION, NO_TOLERANCE, Question
from pagetrail.annotation.statistics.set_overlap import Overlap

MOST_ITEMS = 50
"""Items that are compared with each other; of longer lists, those left after exact matches."""
MAX_NAME_WORDS = 6
"""An item of more words could be a list in prose."""

AnswerDecider = Literal[ItemDecider, "list"]
"""What decided: a case, or ``list`` where the items as a whole do."""

_SEPARATOR = re.compile(r"[;|\n]+|(?<!\d),|,(?!\d)")
_PREDICATE = re.compile(r"(?:^|\s)[A-ZÄÖÜ]\w*((?: [a-zäöüß]\w*)+) [A-ZÄÖÜ]")
_BEST_FIRST: tuple[Verdict, ...] = ("correct", "undecided", "incorrect")


class AnswerDecision(NamedTuple):
    """The verdict on an answer.

    Attributes:
        decided_by: of several items the case that decided them all, else ``list``.
        reason: why it is undecided.
        overlap: matched items, items of the answer, items of the gold.
    """

    verdict: Verdict
    decided_by: AnswerDecider
    reason: Reason | None
    overlap: Overlap

    @property
    def score(self) -> float:
        """F1 of the matched items; 1 is correct."""
        return self.overlap.f1 or 0.0


def decide_answer(
    answer: Sequence[str],
    variants: Sequence[Sequence[str]],
    question: Question = NO_QUESTION,
) -> AnswerDecision | None:
    """The verdict by the variant that is best for the answer; None without variants.

    A variant that is right wins, then one that is undecided.
    """
    parsed_question = ParsedQuestion.parse(question)
    decisions = [_decide_variant(answer, variant, parsed_question) for variant in variants]
    return min(
        decisions,
        key=lambda decision: (_BEST_FIRST.index(decision.verdict), -decision.score),
        default=None,
    )


def _decide_variant(
    answer: Sequence[str], variant: Sequence[str], question: ParsedQuestion
) -> AnswerDecision:
    language = question.question.language
    answers, gold = (
        [ParsedAnswer.parse(text, language) for text in texts] for texts in (answer, variant)
    )
    sizes = len(answers), len(gold)
    if not (answers and gold):
        return AnswerDecision("incorrect", "list", None, Overlap(0, *sizes))
    if sizes == (1, 1):
        item = decide_item(answers[0], gold[0], question)
        decision = AnswerDecision(*item, Overlap(int(item.verdict == "correct"), 1, 1))
    else:
        decision = _decide_lists(answers, gold, question)
    if decision.verdict == "correct" or not any(map(_may_be_joined, (*answers, *gold))):
        return decision
    split_answers, split_gold = _split_items(answers), _split_items(gold)
    if len(split_answers) == len(split_gold) > 1:
        by_items = _decide_lists(split_answers, split_gold, question)
        if by_items.verdict == "correct":
            return AnswerDecision("correct", "list", None, Overlap(*[len(gold)] * 3))
    if sizes[0] != sizes[1]:
        return decision._replace(verdict="undecided", reason="joined_items")
    return decision


def _decide_lists(
    answers: Sequence[ParsedAnswer], gold: Sequence[ParsedAnswer], question: ParsedQuestion
) -> AnswerDecision:
    """Correct where each item matches one; incorrect where one matches none, or some are left over.

    Undecided where the order differs and the question asks for one, or where words of the question
    tell the answer's items apart and the gold does not have them.
    """
    decision = _decide_in_any_order(answers, gold, question)
    if decision.verdict != "correct":
        return decision
    common = frozenset.intersection(*(item.stems for item in answers))
    known = frozenset.union(*(item.stems for item in gold))
    if any((item.stems - common - known) & question.stems for item in answers):
        return decision._replace(verdict="undecided", reason="other_words")
    is_in_order = all(
        item.key == other.key or decide_item(item, other, question).verdict == "correct"
        for item, other in zip(answers, gold, strict=True)
    )
    if question.asks_order and not is_in_order:
        return decision._replace(verdict="undecided", reason="other_order")
    return decision


def _decide_in_any_order(
    answers: Sequence[ParsedAnswer], gold: Sequence[ParsedAnswer], question: ParsedQuestion
) -> AnswerDecision:
    sizes = len(answers), len(gold)
    answer_rest, gold_rest, equal = _without_equal_items(answers, gold)
    overlap = Overlap(equal, *sizes)
    if not (answer_rest or gold_rest):
        return AnswerDecision("correct", "exact_match", None, overlap)
    if not (answer_rest and gold_rest):
        return AnswerDecision("incorrect", "list", None, overlap)
    if max(len(answer_rest), len(gold_rest)) > MOST_ITEMS:
        if sizes[0] != sizes[1]:
            return AnswerDecision("incorrect", "list", None, overlap)
        return AnswerDecision("undecided", "list", TOO_LONG, overlap)
    decision = _match_lists(answer_rest, gold_rest, question, equal)
    has_tolerance = question.question.tolerance != NO_TOLERANCE
    if decision.verdict == "correct" or not has_tolerance or max(sizes) > MOST_ITEMS:
        return decision
    # Within a tolerance an item can match two, and the equal one may be needed elsewhere.
    return _match_lists(answers, gold, question)


def _match_lists(
    answers: Sequence[ParsedAnswer],
    gold: Sequence[ParsedAnswer],
    question: ParsedQuestion,
    equal: int = 0,
) -> AnswerDecision:
    """The verdict on two lists without their ``equal`` pairs, which count in the overlap."""
    decisions = [[decide_item(item, other, question) for other in gold] for item in answers]
    pairs = match_items([[item.verdict == "correct" for item in row] for row in decisions])
    overlap = Overlap(equal + len(pairs), equal + len(answers), equal + len(gold))
    if len(answers) != len(gold):
        return AnswerDecision("incorrect", "list", None, overlap)
    if len(pairs) == len(answers):
        deciders = {decisions[row][column].decided_by for row, column in pairs}
        by: AnswerDecider = deciders.pop() if len(deciders) == 1 else "list"
        return AnswerDecision("correct", by, None, overlap)
    pairs = match_items([[item.verdict != "incorrect" for item in row] for row in decisions])
    if len(pairs) < len(answers):
        return AnswerDecision("incorrect", "list", None, overlap)
    matched_items: list[ItemDecision] = [decisions[row][column] for row, column in pairs]
    undecided = next(item for item in matched_items if item.verdict == "undecided")
    return AnswerDecision("undecided", undecided.decided_by, undecided.reason, overlap)


def _split_items(items: Sequence[ParsedAnswer]) -> list[ParsedAnswer]:
    """The items with text that joins several divided, as in “Alder, Birch, and Cedar”."""
    return [
        ParsedAnswer.parse(text, item.language) for item in items for text in _joined_texts(item)
    ]


def _joined_texts(item: ParsedAnswer) -> list[str]:
    if not (item.is_read and _is_list(item)):
        return [item.text]
    parts = _SEPARATOR.split(item.text)
    return [text for part in parts for text in _split_at_conjunction(part, item.language)]


def _split_at_conjunction(text: str, language: str) -> list[str]:
    conjunctions = function_words(language).conjunctions | {"&"}
    parts: list[list[str]] = [[]]
    for word in text.split():
        if word.casefold() in conjunctions:
            parts.append([])
        else:
            parts[-1].append(word)
    return [" ".join(part) for part in parts if part]


def _is_list(item: ParsedAnswer) -> bool:
    """Whether its parts can change places: none says what one name does to another."""
    light = function_words(item.language).light | function_words(item.language).conjunctions
    return all(
        word in light for match in _PREDICATE.finditer(item.text) for word in match[1].split()
    )


def _may_be_joined(item: ParsedAnswer) -> bool:
    """Whether it could be several items: by a separator, a conjunction or its length."""
    conjunctions = function_words(item.language).conjunctions
    return (
        len(item.key) > MAX_NAME_WORDS
        or _SEPARATOR.search(item.text) is not None
        or any(token in conjunctions or token in ("to", "/", "+") for token in item.tokens)
    )


def _without_equal_items(
    answers: Sequence[ParsedAnswer], gold: Sequence[ParsedAnswer]
) -> tuple[list[ParsedAnswer], list[ParsedAnswer], int]:
    """The items of both lists that have no equal in the other, and how many pairs are equal."""
    common = Counter(item.key for item in answers) & Counter(item.key for item in gold)
    common.pop((), None)
    return _without_items(answers, common), _without_items(gold, common), common.total()


def _without_items(
    items: Sequence[ParsedAnswer], common: Counter[tuple[str, ...]]
) -> list[ParsedAnswer]:
    remaining, rest = Counter(common), []
    for item in items:
        if remaining[item.key] > 0:
            remaining[item.key] -= 1
        else:
            rest.append(item)
    return rest


def match_items(is_match: Sequence[Sequence[bool]]) -> list[tuple[int, int]]:
    """A largest one-to-one matching: pairs of (row, column)."""
    if not is_match or not is_match[0]:
        return []
    columns = maximum_bipartite_matching(csr_array(is_match), perm_type="column")
    return [(row, int(column)) for row, column in enumerate(columns) if column >= 0]


def count_matches(
    answers: Sequence[str],
    gold: Sequence[str],
    matches: Callable[[ParsedAnswer, ParsedAnswer], bool],
    language: str | None = None,
) -> int:
    """Size of the largest one-to-one matching between two lists of answer items."""
    parsed_answers = [ParsedAnswer.parse(text, language) for text in answers]
    parsed_gold = [ParsedAnswer.parse(text, language) for text in gold]
    return len(match_items([[matches(a, g) for g in parsed_gold] for a in parsed_answers]))
