"""The calculator: exact arithmetic on expressions such as ``(120-100)/100%``; no ``eval``.

An expression is in one notation: digits with a decimal point, ``+ - * / ( )``, and ``%`` after a
value, which divides it by 100. The browser reads what people type (``arithmetic.ts``) and computes
the same; the server computes it again.
"""

from __future__ import annotations

import re
from fractions import Fraction

from pagetrail.annotation.messages import gettext

MAX_EXPRESSION = 200
"""Characters of an expression; this bounds numbers and nesting, too."""
DECIMALS = 10
"""Decimals of a result; the last one is rounded, half away from zero."""

_TOKEN = re.compile(r"\d+(?:\.\d+)?|[-+*/()%]", re.ASCII)


class ExpressionError(ValueError):
    """An expression that has no value; says why."""


def evaluate(expression: str) -> Fraction:
    """The exact value of an expression.

    Raises:
        ExpressionError: too long, not an expression, or a division by zero.
    """
    tokens = _TOKEN.findall(expression)
    if len(expression) > MAX_EXPRESSION or "".join(tokens) != expression:
        raise ExpressionError(gettext("This is not a calculation."))
    parser = _Parser(tokens)
    value = parser.sum()
    if parser.next is not None:
        raise ExpressionError(gettext("This is not a calculation."))
    return value


def format_result(value: Fraction) -> str:
    """The value as a decimal number, rounded to ``DECIMALS`` decimals, without trailing zeros."""
    scaled, remainder = divmod(abs(value.numerator) * 10**DECIMALS, value.denominator)
    scaled += 2 * remainder >= value.denominator
    digits = str(scaled).rjust(DECIMALS + 1, "0")
    number = f"{digits[:-DECIMALS]}.{digits[-DECIMALS:]}".rstrip("0").rstrip(".")
    return f"-{number}" if value < 0 and scaled else number


class _Parser:
    """Recursive descent: a sum of products of signed values."""

    def __init__(self, tokens: list[str]) -> None:
        self._tokens = tokens[::-1]

    @property
    def next(self) -> str | None:
        return self._tokens[-1] if self._tokens else None

    def sum(self) -> Fraction:
        value = self._product()
        while self.next in ("+", "-"):
            sign = 1 if self._tokens.pop() == "+" else -1
            value += sign * self._product()
        return value

    def _product(self) -> Fraction:
        value = self._signed()
        while self.next in ("*", "/"):
            operator = self._tokens.pop()
            operand = self._signed()
            if operator == "/" and not operand:
                raise ExpressionError(gettext("A division by zero has no result."))
            value = value * operand if operator == "*" else value / operand
        return value

    def _signed(self) -> Fraction:
        if self.next in ("+", "-"):
            return self._signed() if self._tokens.pop() == "+" else -self._signed()
        return self._value()

    def _value(self) -> Fraction:
        token = self._tokens.pop() if self._tokens else ""
        if token == "(":
            value = self.sum()
            if self.next != ")":
                raise ExpressionError(gettext("A parenthesis is not closed."))
            self._tokens.pop()
        elif token[:1].isdigit():
            value = Fraction(token)
        else:
            raise ExpressionError(gettext("This is not a calculation."))
        while self.next == "%":
            self._tokens.pop()
            value /= 100
        return value
