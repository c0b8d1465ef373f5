"""Is one answer item correct? Text by ANLS*, numbers by their value (docs/metrics.md, Correctness).

The first part of the rule that applies decides: equal after normalising; one quantity; text with
numbers; text. An item is undecided where its numbers fit and what they mean does not clearly.
"""

from __future__ import annotations

from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal
from typing import Literal, NamedTuple

from pagetrail.annotation.answers.anls import ANLS_THRESHOLD, TOO_LONG
from pagetrail.annotation.answers.previous_rule.parsed_answer import ParsedAnswer
from pagetrail.annotation.answers.quantities import Quantity
from pagetrail.annotation.answers.question import NO_TOLERANCE, Tolerance

Verdict = Literal["correct", "undecided", "incorrect"]
ItemDecider = Literal["exact_match", "quantity", "text_with_numbers", "anls_star"]
Reason = Literal[
    "unit_missing",
    "other_unit",
    "scale_missing",
    "several_quantities",
    "percent_or_share",
    "limit",
    "decline_or_minus",
    "other_words",
    "number_added",
    "answer_too_long",
]
"""Why an item is undecided."""


class ItemDecision(NamedTuple):
    """The verdict on one item, what decided it, and why it is undecided."""

    verdict: Verdict
    decided_by: ItemDecider
    reason: Reason | None = None


def decide_item(
    answer: ParsedAnswer, gold: ParsedAnswer, tolerance: Tolerance = NO_TOLERANCE
) -> ItemDecision:
    """Whether an item says what an item of the gold says."""
    if answer.exact_key and answer.exact_key == gold.exact_key:
        return ItemDecision("correct", "exact_match")
    if gold.is_quantity:
        verdict, reason = _decide_quantity(answer, gold, tolerance)
        return ItemDecision(verdict, "quantity", reason)
    decider: ItemDecider = "text_with_numbers" if gold.has_numbers else "anls_star"
    same_numbers = answer.has_same_numbers(gold)
    if not same_numbers and gold.has_numbers:
        return ItemDecision("incorrect", decider)
    similarity = answer.similarity(gold)
    if similarity is None:
        return ItemDecision("undecided", decider, TOO_LONG)
    if answer.phone_digits and answer.phone_digits == gold.phone_digits:
        return ItemDecision("correct", decider)
    if similarity >= ANLS_THRESHOLD:
        if same_numbers:
            return ItemDecision("correct", decider)
        return ItemDecision("undecided", decider, "number_added")
    if gold.has_numbers:
        return ItemDecision("undecided", decider, "other_words")
    return ItemDecision("incorrect", decider)


def are_similar(left: ParsedAnswer, right: ParsedAnswer) -> bool:
    """Whether two items say the same but for spelling, whichever comes first."""
    if left.exact_key and left.exact_key == right.exact_key:
        return True
    if left.is_quantity and right.is_quantity:
        return are_same_quantity(left, right)
    similarity = left.similarity(right) if left.has_same_numbers(right) else None
    return similarity is not None and similarity >= ANLS_THRESHOLD


def are_same_quantity(left: ParsedAnswer, right: ParsedAnswer) -> bool:
    """Whether both are one quantity, with equal values and units."""
    if not (left.is_quantity and right.is_quantity):
        return False
    (left_quantity,), (right_quantity,) = left.quantities, right.quantities
    return (
        (left_quantity.value, left_quantity.currency, left_quantity.rate, left_quantity.limit)
        == (
            right_quantity.value,
            right_quantity.currency,
            right_quantity.rate,
            right_quantity.limit,
        )
        and left.declines == right.declines
        and left.has_unit_of(right)
        and right.has_unit_of(left)
    )


def _decide_quantity(
    answer: ParsedAnswer, gold: ParsedAnswer, tolerance: Tolerance
) -> tuple[Verdict, Reason | None]:
    if not answer.is_read:
        return "undecided", TOO_LONG
    (gold_quantity,) = gold.quantities
    comparisons = [
        _compare(quantity, answer, gold_quantity, gold, tolerance) for quantity in answer.quantities
    ]
    if len(comparisons) == 1:
        return comparisons[0]
    if any(verdict != "incorrect" for verdict, _ in comparisons):
        return "undecided", "several_quantities"
    return "incorrect", None


def _compare(
    quantity: Quantity,
    answer: ParsedAnswer,
    gold_quantity: Quantity,
    gold: ParsedAnswer,
    tolerance: Tolerance,
) -> tuple[Verdict, Reason | None]:
    has_unit = bool(gold_quantity.currency or gold_quantity.rate or gold.unit_words)
    last_digit_exponent = quantity.last_digit_exponent + quantity.scale
    if not _is_equal(quantity.value, last_digit_exponent, gold_quantity, tolerance):
        if not _differs_by_scale_word(quantity, gold_quantity, tolerance):
            return _decide_unequal(quantity, answer, gold_quantity, gold, tolerance)
        if has_unit or gold_quantity.scale:
            # “5.2” for “5.2 million”, or “5.2 million euros” for “5.2 euros”.
            return "undecided", "scale_missing"
        # “5.2 million” for a bare “5.2” is equal: the question asks for millions, and the gold
        # leaves the word out.
    if quantity.limit != gold_quantity.limit:
        return "undecided", "limit"
    if answer.declines != gold.declines:
        return "undecided", "decline_or_minus"
    if has_unit:
        return _decide_unit(quantity, answer, gold_quantity, gold)
    return "correct", None


def _differs_by_scale_word(
    quantity: Quantity, gold_quantity: Quantity, tolerance: Tolerance
) -> bool:
    """Whether the numbers are equal but for a scale word, which only one of them has."""
    if bool(quantity.scale) == bool(gold_quantity.scale):
        return False
    return _is_equal(
        quantity.mantissa,
        quantity.last_digit_exponent,
        gold_quantity._replace(value=gold_quantity.mantissa, scale=0),
        tolerance,
    )


def _decide_unit(
    quantity: Quantity, answer: ParsedAnswer, gold_quantity: Quantity, gold: ParsedAnswer
) -> tuple[Verdict, Reason | None]:
    pairs = ((quantity.currency, gold_quantity.currency), (quantity.rate, gold_quantity.rate))
    if any(part != gold_part and part is not None for part, gold_part in pairs):
        return "undecided", "other_unit"
    lacks_part = any(part is None and gold_part is not None for part, gold_part in pairs)
    if lacks_part or not answer.has_unit_of(gold):
        return "undecided", "other_unit" if answer.unit_words else "unit_missing"
    return "correct", None


def _decide_unequal(
    quantity: Quantity,
    answer: ParsedAnswer,
    gold_quantity: Quantity,
    gold: ParsedAnswer,
    tolerance: Tolerance,
) -> tuple[Verdict, Reason | None]:
    """Undecided where a percentage is given as a share, a decline as a negative number, or a scale
    that the gold leaves to the question in another one."""
    last_digit_exponent = quantity.last_digit_exponent + quantity.scale
    if (
        quantity.scale
        and not gold_quantity.scale
        and any(
            _is_equal(
                quantity.value.scaleb(-scale), last_digit_exponent - scale, gold_quantity, tolerance
            )
            for scale in (3, 6, 9, 12)
        )
    ):
        return "undecided", "scale_missing"
    exponent = _percent_exponent(gold_quantity, quantity)
    if exponent is not None and not quantity.currency:
        converted = quantity.value.scaleb(exponent)
        if _is_equal(converted, last_digit_exponent + exponent, gold_quantity, tolerance):
            return "undecided", "percent_or_share"
    if answer.declines != gold.declines and _is_equal(
        -quantity.value, last_digit_exponent, gold_quantity, tolerance
    ):
        return "undecided", "decline_or_minus"
    return "incorrect", None


def _percent_exponent(gold_quantity: Quantity, quantity: Quantity) -> int | None:
    """Power of ten between a percentage and a share; None unless one is each."""
    if (gold_quantity.rate, quantity.rate) == ("%", None):
        return 2
    if (gold_quantity.rate, quantity.rate) == (None, "%"):
        return -2
    return None


def _is_equal(
    value: Decimal, last_digit_exponent: int, gold_quantity: Quantity, tolerance: Tolerance
) -> bool:
    """Whether a value is the gold's, rounds to it, or is within the tolerance.

    Args:
        last_digit_exponent: power of ten of the value's last stated digit, scale included.
    """
    if value == gold_quantity.value:
        return True
    gold_exponent = gold_quantity.last_digit_exponent + gold_quantity.scale
    if last_digit_exponent < gold_exponent:
        step = Decimal(1).scaleb(gold_exponent)
        if abs(value - gold_quantity.value) <= step:
            rounded = {value.quantize(step, mode) for mode in (ROUND_HALF_UP, ROUND_HALF_EVEN)}
            if gold_quantity.value in rounded:
                return True
    return abs(value - gold_quantity.value) <= max(
        abs(gold_quantity.value) * Decimal(str(tolerance.relative or 0)),
        Decimal(str(tolerance.absolute or 0)).scaleb(gold_quantity.scale),
    )
