"""What is wrong with data from a file, as sentences that name the place, the value and the way out.

Shared by everything that validates data from outside with pydantic. What a type should hold is
here; our own validators raise ValueError with a sentence.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from pagetrail.annotation.sentences import count_noun, shortened

_MAX_PROBLEMS = 3

HALF_CHARACTER = "holds half of a surrogate pair (such as \\ud800), which is not a character"

_EXPECTED = {
    "string_type": "text",
    "is_instance_of": "text",
    "int_type": "a whole number",
    "int_parsing": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a finite number",
    "float_parsing": "a finite number",
    "finite_number": "a finite number",
    "bool_type": "true or false",
    "bool_parsing": "true or false",
    "list_type": "a list",
    "tuple_type": "a list",
    "dict_type": "an object",
    "model_type": "an object",
    "model_attributes_type": "an object",
}
"""What a value should have been, by pydantic's type of error."""


def describe(error: ValidationError) -> str:
    """The first three problems as ``evidence[0].page: must be a whole number, not 'x'``."""
    problems = error.errors(include_url=False)
    lines = [
        ": ".join(filter(None, (place_of(problem["loc"]), sentence_of(problem))))
        for problem in problems[:_MAX_PROBLEMS]
    ]
    if len(problems) > _MAX_PROBLEMS:
        lines.append(f"and {len(problems) - _MAX_PROBLEMS} more")
    return "; ".join(lines)


def reason_of(error: ValueError) -> str:
    """The reason of a pydantic error, or of a ValueError of ours."""
    return describe(error) if isinstance(error, ValidationError) else str(error)


def storable(text: str) -> str:
    """The text, if it is one that can be stored.

    Raises:
        ValueError: it holds half of a surrogate pair.
    """
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise ValueError(HALF_CHARACTER) from error
    return text


def place_of(path: Sequence[str | int]) -> str:
    """A path into JSON as a person writes it: ``evidence[0].page``."""
    return "".join(
        f"[{part}]" if isinstance(part, int) else f".{_printable(part)}" for part in path
    ).removeprefix(".")


def _printable(name: str) -> str:
    return (name if name.isprintable() else repr(name)[1:-1])[:60]


def sentence_of(problem: ErrorDetails) -> str:
    """What is wrong with one value, without its place."""
    kind, value, context = problem["type"], problem["input"], problem.get("ctx", {})
    if kind in _EXPECTED:
        return f"must be {_EXPECTED[kind]}, not {short_value(value)}"
    if kind == "greater_than_equal":
        return f"must be at least {context['ge']:,}, not {short_value(value)}"
    if kind == "less_than_equal":
        return f"must be at most {context['le']:,}, not {short_value(value)}"
    if kind == "string_unicode":
        return HALF_CHARACTER
    if kind == "missing":
        return "is missing"
    if kind == "extra_forbidden":
        return "there is no such key"
    if kind == "literal_error":
        return f"must be {context['expected']}, not {short_value(value)}"
    if kind in ("string_too_short", "too_short"):
        return "is empty"
    if kind in ("string_too_long", "too_long") and isinstance(value, str):
        return f"has {len(value):,} characters; {context['max_length']:,} are allowed"
    if kind == "too_long":
        return f"{len(value):,} are too many; {context['max_length']:,} are allowed"
    message = problem["msg"].removeprefix("Value error, ")
    return message[:1].lower() + message[1:]


def short_value(value: Any, limit: int = 60) -> str:
    """A value as a sentence shows it: short, and printable."""
    if isinstance(value, list | tuple):
        return f"a list of {count_noun(len(value), 'item')}" if value else "an empty list"
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, int) and value.bit_length() > 600:
        # Python refuses to write an integer of thousands of digits as text.
        return "a huge number"
    if isinstance(value, float) and not math.isfinite(value):
        return json.dumps(value)
    text = repr(value[: limit + 1]) if isinstance(value, str) else str(value)
    text = text.encode("utf-8", "backslashreplace").decode()
    return shortened(text, limit)
