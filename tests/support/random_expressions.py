"""Random expressions of the calculator, with their values by Python's fractions."""

from __future__ import annotations

import random
from fractions import Fraction


def random_expression(rng: random.Random, depth: int = 3) -> tuple[str, Fraction | None]:
    """An expression, and its value; None where it divides by zero."""
    if depth == 0 or rng.random() < 0.2:
        number = rng.choice(
            [str(rng.randint(0, 9_999)), f"{rng.randint(0, 99)}.{rng.randint(0, 99):02}"]
        )
        return number, Fraction(number)
    left, left_value = random_expression(rng, depth - 1)
    right, right_value = random_expression(rng, depth - 1)
    operator = rng.choice("+-*/%")
    if operator == "%":
        return f"({left})%", None if left_value is None else left_value / 100
    expression = f"({left}){operator}({right})"
    if left_value is None or right_value is None or (operator == "/" and not right_value):
        return expression, None
    values = {
        "+": left_value + right_value,
        "-": left_value - right_value,
        "*": left_value * right_value,
        "/": left_value / right_value if right_value else Fraction(0),
    }
    return expression, values[operator]
