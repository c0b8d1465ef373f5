"""Compares answers item by item: is an answer correct, and are two answers equivalent?

Correctness is that of results (``annotation.answers.decision``), so that a pilot and a report never
disagree; an undecided item is not correct. Review asks whether gold could accept two answers side
by side.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from pagetrail.annotation.answers.anls import ANLS_THRESHOLD, anls_of_lists, too_long
from pagetrail.annotation.answers.cases import decide_item
from pagetrail.annotation.answers.decision import MOST_ITEMS, count_matches, decide_answer
from pagetrail.annotation.answers.exact_match import exact_match_f1
from pagetrail.annotation.answers.item_decision import ItemDecision
from pagetrail.annotation.answers.parsed_answer import ParsedAnswer
from pagetrail.annotation.answers.parsed_question import ParsedQuestion
from pagetrail.annotation.answers.question import NO_QUESTION, Question


def decide_texts(answer: str, gold: str, question: Question = NO_QUESTION) -> ItemDecision:
    """Whether one answer item says what one gold item says."""
    return decide_item(
        ParsedAnswer.parse(answer, question.language),
        ParsedAnswer.parse(gold, question.language),
        ParsedQuestion.parse(question),
    )


def answer_score(
    answer: Sequence[str],
    variants: Sequence[Sequence[str]],
    question: Question = NO_QUESTION,
) -> float:
    """The best F1 over the variants, of items that match one to one; 1 is correct."""
    return max(
        (
            decision.score
            for variant in variants
            if (decision := decide_answer(answer, [variant], question)) is not None
        ),
        default=0.0,
    )


def is_undecided(
    answer: Sequence[str], variant: Sequence[str], question: Question = NO_QUESTION
) -> bool:
    """Whether the rule cannot tell if an answer says what one variant says."""
    decision = decide_answer(answer, [variant], question)
    return decision is not None and decision.verdict == "undecided"


def are_similar(left: ParsedAnswer, right: ParsedAnswer) -> bool:
    """Whether two items say the same but for spelling, whichever comes first."""
    if left.key and left.key == right.key:
        return True
    if left.is_quantity and right.is_quantity:
        return are_same_quantity(left, right)
    texts, other_texts = [" ".join(left.tokens)], [" ".join(right.tokens)]
    if not left.has_same_numbers(right) or too_long(texts, other_texts):
        return False
    return anls_of_lists(texts, other_texts) >= ANLS_THRESHOLD


def are_same_quantity(left: ParsedAnswer, right: ParsedAnswer) -> bool:
    """Whether both are one quantity, with equal values and units."""
    return left.is_quantity and right.is_quantity and left.sole_quantity == right.sole_quantity


def are_same_numbers(
    answers: Sequence[str], other_answers: Sequence[str], language: str | None
) -> bool:
    """Whether both lists hold the same numbers and dates, however they are written."""
    left, right = (
        Counter(
            number
            for text in texts
            for number in ParsedAnswer.parse(text, language).numbers.elements()
        )
        for texts in (answers, other_answers)
    )
    return left == right


def are_equal_quantities(
    answers: Sequence[str], other_answers: Sequence[str], language: str | None
) -> bool:
    """Whether both lists are the same quantities, however they are written."""
    if len(answers) != len(other_answers) or not 0 < len(answers) <= MOST_ITEMS:
        return False
    return count_matches(answers, other_answers, are_same_quantity, language) == len(answers)


def are_variants(
    answers: Sequence[str],
    other_answers: Sequence[str],
    accepted: Sequence[Sequence[str]] = (),
    language: str | None = None,
) -> bool:
    """Whether gold could accept both: they say what accepted answers say, or the same item by item.

    An item may be a shorter form of the other's, with the same numbers.

    Args:
        accepted: the answers that the task came with.
        language: of the task, by which ambiguous separators of numbers are read.
    """
    if all(exact_match_f1(answer, accepted) == 1 for answer in (answers, other_answers)):
        return True
    if len(answers) != len(other_answers) or len(answers) > MOST_ITEMS:
        return False
    return count_matches(answers, other_answers, _is_variant, language) == len(answers)


def _is_variant(left: ParsedAnswer, right: ParsedAnswer) -> bool:
    return are_similar(left, right) or _abbreviates(left, right) or _abbreviates(right, left)


def _abbreviates(short: ParsedAnswer, long: ParsedAnswer) -> bool:
    """True for “Fenhallow” and “Sir Fenhallow”: a run of its words, with equal numbers."""
    size = len(short.words)
    return (
        short.has_same_numbers(long)
        and any(isinstance(word, str) and word.isalpha() for word in short.words)
        and any(
            long.words[start : start + size] == short.words
            for start in range(len(long.words) - size + 1)
        )
    )
