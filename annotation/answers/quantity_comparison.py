"""Do two quantities say the same? By value, scale, unit, limit and direction.

Nothing is converted: months are no years, and percentage points no percent.
"""

from __future__ import annotations

from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal
from typing import NamedTuple

from pagetrail.annotation.answers.item_decision import Reason, Verdict
from pagetrail.annotation.answers.parsed_answer import RISES, Figure, ParsedAnswer, stem
from pagetrail.annotation.answers.parsed_question import ParsedQuestion
from pagetrail.annotation.answers.quantities import Quantity
from pagetrail.annotation.answers.question import Tolerance
from pagetrail.annotation.answers.vocabulary import DECLINES, UNITS

_SCALES = (3, 6, 9, 12)


class QuantityComparison(NamedTuple):
    """The one quantity of an answer and that of the gold, with the texts around them."""

    answer: ParsedAnswer
    gold: ParsedAnswer
    question: ParsedQuestion
    figure: Figure
    gold_figure: Figure

    def decide(self) -> tuple[Verdict, Reason | None]:
        """Correct if all of it agrees, incorrect if the values differ in the same unit."""
        if self.figure.is_unclear or self.gold_figure.is_unclear:
            return "undecided", "unclear_number"
        is_equal = self._has_equal_value()
        if is_equal is None:
            return "undecided", "scale_missing"
        reason = self._difference_of_unit()
        if reason is None and not self._has_equal_negation():
            reason = "negation"
        if reason is None and self.figure.limit != self.gold_figure.limit:
            reason = "limit"
        if is_equal:
            reason = reason or self._difference_of_direction(mirrored=False)
            return ("undecided", reason) if reason else ("correct", None)
        if self._is_percent_or_share():
            return "undecided", "percent_or_share"
        if reason is None and self._is_equal(-self.figure.quantity.value):
            # A sign and a word such as “decrease” can replace each other.
            if self._difference_of_direction(mirrored=True) is None:
                return "correct", None
            is_sided = self.answer.direction or self.gold.direction
            if is_sided or self.question.parsed.direction in ("down", "both"):
                reason = "decline_or_minus"
        if reason == "unit_missing" and not self._gold_units():
            reason = None  # of another amount or percentage
        is_exact = self.gold.is_quantity and "/" not in self.gold.text
        if reason is None and not is_exact and self._is_less_precise():
            reason = "less_precise"
        return ("undecided", reason) if reason else ("incorrect", None)

    def _has_equal_value(self) -> bool | None:
        """Whether the values are equal; None if that depends on a scale that nobody states."""
        quantity, gold = self.figure.quantity, self.gold_figure.quantity
        if bool(quantity.scale) == bool(gold.scale):
            return self._is_equal(quantity.value)
        scale = self.question.scale
        if scale and not gold.scale:
            scaled_gold = gold._replace(value=gold.value.scaleb(scale), scale=scale)
            return is_equal(quantity, quantity.value, scaled_gold, self._tolerance)
        if self._is_equal(quantity.value):
            return True
        if scale and scale == gold.scale:
            bare_gold = gold._replace(value=gold.mantissa, scale=0)
            return is_equal(quantity, quantity.value, bare_gold, self._tolerance)
        bare_values = [quantity.value.scaleb(sign * s) for s in (0, *_SCALES) for sign in (1, -1)]
        bare_values.append(quantity.mantissa)
        bare_gold = gold._replace(value=gold.mantissa, scale=0)
        if any(
            is_equal(quantity, value, other, self._tolerance)
            for value in bare_values
            for other in (gold, bare_gold)
        ):
            return None
        return False

    def _has_equal_negation(self) -> bool:
        """Whether both deny as much, or the answer leaves to the question what the gold repeats."""
        answer, gold = self.answer.negations, self.gold.negations
        return answer == gold or (not answer and gold == self.question.parsed.negations)

    @property
    def _tolerance(self) -> Tolerance:
        return self.question.question.tolerance

    def _is_equal(self, value: Decimal) -> bool:
        return is_equal(self.figure.quantity, value, self.gold_figure.quantity, self._tolerance)

    def _difference_of_unit(self) -> Reason | None:
        quantity, gold = self.figure.quantity, self.gold_figure.quantity
        for part, gold_part in ((quantity.currency, gold.currency), (quantity.rate, gold.rate)):
            if part == gold_part or (part is None and self.question.names_unit(gold_part)):
                continue
            if part is None and gold_part == gold.currency and self.question.scale:
                continue  # “in millions” says in what the number is given
            if part is None:
                return "other_unit" if self._answer_units() else "unit_missing"
            in_scale = gold_part is None and part == quantity.currency and self.question.scale
            if gold_part is not None or not (self.question.names_unit(part) or in_scale):
                return "other_unit"
        missing_units = {
            word
            for word in self._gold_units()
            if not (stem(word) in self.answer.stems or self.question.names_unit(word))
        }
        added_words = self._added_words()
        if missing_units:
            return "other_unit" if added_words else "unit_missing"
        return "other_words" if added_words else None

    def _answer_units(self) -> set[str]:
        return set(self.answer.content_words) - set(self.figure.limit_words)

    def _gold_units(self) -> set[str]:
        """The words of a bare quantity, and of a sentence the one right after the number."""
        if self.gold.is_quantity:
            return set(self.gold.content_words) - set(self.gold_figure.limit_words)
        quantity = self.gold_figure.quantity
        is_complete = quantity.rate is not None or quantity.currency is not None
        return set() if is_complete else {self.gold_figure.unit_word} - {""}

    def _added_words(self) -> list[str]:
        """The answer's words that neither gold nor question has."""
        known = self.gold.stems | self.question.stems
        return [
            word
            for word in self._answer_units()
            if stem(word) not in known
            and not (word in UNITS.values() and self.question.names_unit(word))
            and not (word == "x" and not self._gold_units())
            and not (DECLINES.match(word) or RISES.match(word))
        ]

    def _difference_of_direction(self, *, mirrored: bool) -> Reason | None:
        """Whether one of them says that something became less and the other not.

        Args:
            mirrored: whether the values differ by their sign.
        """
        directions = self.answer.direction, self.gold.direction, self.question.parsed.direction
        if "both" in directions:
            return "decline_or_minus"
        answer, gold, asked = directions
        if mirrored:
            of_positive = gold if self.figure.quantity.value < 0 else answer
            return None if of_positive == "down" else "decline_or_minus"
        if answer == gold or not (answer or gold):
            return None
        stated = answer or gold
        if answer and gold:
            return "decline_or_minus"
        if asked:
            return None if asked == stated else "decline_or_minus"
        # Of a bare number the sign says so; “by 2.5 points” is no less a fall than a rise.
        gold_quantity = self.gold_figure.quantity
        is_signed = gold_quantity.start == 0 and gold_quantity.value > 0
        return None if answer == "up" and is_signed else "decline_or_minus"

    def _is_percent_or_share(self) -> bool:
        quantity, gold = self.figure.quantity, self.gold_figure.quantity
        rates = {quantity.rate, gold.rate}
        if quantity.currency or not rates <= {"%", None} or rates == {"%"}:
            return False
        if rates == {None} and not self.question.names_unit("%"):
            return False
        exponents = (2, -2) if rates == {None} else (2,) if gold.rate else (-2,)
        return any(self._is_equal(quantity.value.scaleb(exponent)) for exponent in exponents)

    def _is_less_precise(self) -> bool:
        """Whether the gold rounds to the answer."""
        return is_equal(
            self.gold_figure.quantity,
            self.gold_figure.quantity.value,
            self.figure.quantity,
            self._tolerance,
        )


def is_equal(quantity: Quantity, value: Decimal, gold: Quantity, tolerance: Tolerance) -> bool:
    """Whether a value is the gold's, rounds to it, or is within the tolerance.

    Args:
        quantity: that the value is of, for the number of its digits.
        value: of the quantity, perhaps in another scale.
    """
    if value == gold.value:
        return True
    exponent = value.as_tuple().exponent
    assert isinstance(exponent, int)  # finite
    gold_exponent = gold.last_digit_exponent + gold.scale
    if exponent < gold_exponent and gold.value:  # nothing rounds to “0 million”
        step = Decimal(1).scaleb(gold_exponent)
        if abs(value - gold.value) <= step:
            rounded = {value.quantize(step, mode) for mode in (ROUND_HALF_UP, ROUND_HALF_EVEN)}
            if gold.value in rounded:
                return True
    return abs(value - gold.value) <= max(
        abs(gold.value) * Decimal(str(tolerance.relative or 0)),
        Decimal(str(tolerance.absolute or 0)).scaleb(gold.scale),
    )
