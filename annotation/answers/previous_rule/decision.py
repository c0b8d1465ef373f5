"""Is an answer correct? Its items are matched with the gold's one to one.

Results, pilots and review all decide by this (docs/metrics.md, Correctness).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, Literal, NamedTuple

from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_bipartite_matching

from pagetrail.annotation.answers.anls import TOO_LONG
from pagetrail.annotation.answers.previous_rule.item_decision import (
    ItemDecider,
    ItemDecision,
    Reason,
    Verdict,
    decide_item,
)
from pagetrail.annotation.answers.previous_rule.parsed_answer import ParsedAnswer
from pagetrail.annotation.answers.question import (
    NO_QUESTION,
    Question,
    Tolerance,
)
from pagetrail.annotation.statistics.set_overlap import Overlap

MOST_ITEMS = 50
"""Items that are compared with each other; of longer lists, those left after exact matches."""

AnswerDecider = Literal[ItemDecider, "list"]
"""What decided: a part of the rule, or ``list`` where an item is missing or left over."""

_WEAKEST_LAST: tuple[ItemDecider, ...] = (
    "exact_match",
    "quantity",
    "text_with_numbers",
    "anls_star",
)
_BEST_FIRST: tuple[Verdict, ...] = ("correct", "undecided", "incorrect")


class AnswerDecision(NamedTuple):
    """The verdict on an answer.

    Attributes:
        decided_by: of several items, the weakest part of the rule that a match needed.
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

    Correct where each item matches one item of the variant and none is left over; undecided where
    that needs items that are undecided.
    """
    language = question.language
    parsed = [ParsedAnswer.parse(text, language) for text in answer]
    decisions = [
        _decide_variant(
            parsed,
            [ParsedAnswer.parse(text, language) for text in variant],
            question.tolerance,
        )
        for variant in variants
    ]
    return min(
        decisions,
        key=lambda decision: (_BEST_FIRST.index(decision.verdict), -decision.score),
        default=None,
    )


def _decide_variant(
    answers: Sequence[ParsedAnswer], gold: Sequence[ParsedAnswer], tolerance: Tolerance
) -> AnswerDecision:
    sizes = len(answers), len(gold)
    if sizes == (1, 1):
        item = decide_item(answers[0], gold[0], tolerance)
        matched = int(item.verdict == "correct")
        return AnswerDecision(*item, Overlap(matched, 1, 1))
    answer_rest, gold_rest, equal = _without_equal_items(answers, gold)
    if not (answer_rest and gold_rest):
        overlap = Overlap(equal, *sizes)
        if answer_rest or gold_rest:
            return AnswerDecision("incorrect", "list", None, overlap)
        return AnswerDecision("correct", "exact_match", None, overlap)
    if max(len(answer_rest), len(gold_rest)) > MOST_ITEMS:
        overlap = Overlap(equal, *sizes)
        if sizes[0] != sizes[1]:
            return AnswerDecision("incorrect", "list", None, overlap)
        return AnswerDecision("undecided", "list", TOO_LONG, overlap)
    decision = _decide_lists(answer_rest, gold_rest, tolerance, equal)
    if decision.verdict == "correct" or max(sizes) > MOST_ITEMS:
        return decision
    # Within a tolerance an item can match two, and the equal one may be needed elsewhere.
    return _decide_lists(answers, gold, tolerance)


def _decide_lists(
    answers: Sequence[ParsedAnswer],
    gold: Sequence[ParsedAnswer],
    tolerance: Tolerance,
    equal: int = 0,
) -> AnswerDecision:
    """The verdict on two lists without their ``equal`` pairs, which count in the overlap."""
    decisions = [[decide_item(item, other, tolerance) for other in gold] for item in answers]
    pairs = match_items([[item.verdict == "correct" for item in row] for row in decisions])
    overlap = Overlap(equal + len(pairs), equal + len(answers), equal + len(gold))
    if len(answers) != len(gold):
        return AnswerDecision("incorrect", "list", None, overlap)
    if len(pairs) == len(answers):
        weakest = _weakest([decisions[row][column] for row, column in pairs])
        return AnswerDecision("correct", weakest.decided_by, None, overlap)
    pairs = match_items([[item.verdict != "incorrect" for item in row] for row in decisions])
    if len(pairs) < len(answers):
        return AnswerDecision("incorrect", "list", None, overlap)
    matched_items = [decisions[row][column] for row, column in pairs]
    weakest = _weakest([item for item in matched_items if item.verdict == "undecided"])
    return AnswerDecision("undecided", weakest.decided_by, weakest.reason, overlap)


def _weakest(decisions: Sequence[ItemDecision]) -> ItemDecision:
    return max(decisions, key=lambda decision: _WEAKEST_LAST.index(decision.decided_by))


def _without_equal_items(
    answers: Sequence[ParsedAnswer], gold: Sequence[ParsedAnswer]
) -> tuple[list[ParsedAnswer], list[ParsedAnswer], int]:
    """The items of both lists that have no equal in the other, and how many pairs are equal."""
    common = Counter(item.exact_key for item in answers) & Counter(item.exact_key for item in gold)
    common.pop((), None)
    return _without_items(answers, common), _without_items(gold, common), common.total()


def _without_items(items: Sequence[ParsedAnswer], common: Counter[Any]) -> list[ParsedAnswer]:
    remaining, rest = Counter(common), []
    for item in items:
        if remaining[item.exact_key] > 0:
            remaining[item.exact_key] -= 1
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
