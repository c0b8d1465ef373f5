"""What the tests' coverage notes: each statement that ran, and nothing that did not."""

from __future__ import annotations

from tests.support.line_coverage import TABLE, noting

SOURCE = b'''"""A module."""
from __future__ import annotations
import functools

@functools.cache
def half(number: int) -> float:
    """Half of it."""
    if number < 0:
        return -half(-number)
    elif number == 0:
        raise ZeroDivisionError
    else:
        return number / 2

try:
    half(0)
except ZeroDivisionError:
    half(3)
except ValueError:
    half(4)
match half(1):
    case 0.5:
        end = True
    case _:
        end = False
'''
NOT_RUN = {9, 19, 20, 24, 25}
WITHOUT_STATEMENT = {1, 4, 7, 12, 14}


def test_lines_that_ran() -> None:
    """Docstrings stay what they are; an ``else`` has no line of its own."""
    table = bytearray(SOURCE.count(b"\n") + 2)
    names = {TABLE: table}
    exec(noting(SOURCE, "module.py"), names)
    run = {line for line, has_run in enumerate(table) if has_run}
    assert run == set(range(1, len(table) - 1)) - NOT_RUN - WITHOUT_STATEMENT
    assert names["__doc__"] == "A module."
    assert names["half"].__doc__ == "Half of it."
