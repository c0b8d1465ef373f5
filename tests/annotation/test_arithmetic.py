"""The calculator computes exactly, and only what is an expression."""

from __future__ import annotations

import random

import pytest

from pagetrail.annotation.arithmetic import (
    MAX_EXPRESSION,
    ExpressionError,
    evaluate,
    format_result,
)
from tests.support.random_expressions import random_expression


@pytest.mark.parametrize(
    ("expression", "result"),
    [
        ("1+2*3", "7"),
        ("(1+2)*3", "9"),
        ("0.1+0.2", "0.3"),
        ("10-4-3", "3"),
        ("12/4/3", "1"),
        ("1/3", "0.3333333333"),
        ("2/3", "0.6666666667"),
        ("-1/3", "-0.3333333333"),
        ("--5", "5"),
        ("2*-3", "-6"),
        ("(120-100)/100%", "20"),
        ("200*10%", "20"),
        ("200+10%", "200.1"),
        ("50%%", "0.005"),
        ("1/100000000000", "0"),
        ("0-1/100000000000", "0"),
        ("5/100000000000", "0.0000000001"),
        ("99999999999999999999999*99999999999999999999999", f"{99999999999999999999999**2}"),
        ("1234.50", "1234.5"),
    ],
)
def test_results(expression: str, result: str) -> None:
    """Precedence, signs, percent, rounding and numbers longer than a float has digits."""
    assert format_result(evaluate(expression)) == result


@pytest.mark.parametrize(
    "expression",
    [
        *("", "1+", "*1", "(1", "1)", "()", "1 2", "1.2.3", ".5", "5.", "1e5", "2**3", "1//2"),
        *("__import__('os')", "x", "1,000", "١+١", "%", "%5", "1/0", "1/(2-2)", "5%2"),
        "1" * (MAX_EXPRESSION + 1),
    ],
)
def test_everything_else_has_no_value(expression: str) -> None:
    """Other notations, names and a division by zero."""
    with pytest.raises(ExpressionError) as caught:
        evaluate(expression)
    assert str(caught.value).endswith(".")


def test_nesting_is_bounded_by_the_length() -> None:
    """The longest expression is computed without running out of stack."""
    depth = MAX_EXPRESSION // 2 - 1
    assert evaluate("(" * depth + "1" + ")" * depth) == 1
    assert evaluate("-" * (MAX_EXPRESSION - 1) + "1") == -1


def test_random_expressions_are_what_python_computes() -> None:
    """Compared with Python's own arithmetic over fractions."""
    rng = random.Random(1)
    for _ in range(300):
        expression, value = random_expression(rng)
        if value is not None:
            assert evaluate(expression) == value, expression
